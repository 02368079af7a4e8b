// The coordinates of a chart, and the parts that all charts share: axes, grid, step lines.
import { bytes, count } from "kit/format";
import { axisMarks } from "kit/scale";
import type { ColumnsOf } from "kit/data/pyramid";
import type { Surface } from "kit/canvas/canvas";

/** All charts have the same gutter, so that one op is at one place of the screen in each. */
export function gutter(width: number): number {
  return width < 560 ? 46 : 72;
}

export const GUTTER_RIGHT = 12;

export interface Frame extends Surface {
  /** The plot, in CSS pixels. */
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Visible ops. */
  from: number;
  to: number;
  /** Values at the bottom and at the top of the plot. */
  lowest: number;
  highest: number;
}

export function xOf(frame: Frame, op: number): number {
  return frame.left + ((op - frame.from) / (frame.to - frame.from)) * (frame.right - frame.left);
}

export function opAt(frame: { left: number; right: number; from: number; to: number }, x: number): number {
  return frame.from + ((x - frame.left) / (frame.right - frame.left)) * (frame.to - frame.from);
}

export function yOf(frame: Frame, value: number): number {
  return frame.bottom - ((value - frame.lowest) / (frame.highest - frame.lowest)) * (frame.bottom - frame.top);
}

/** Pixel columns of the plot. */
export function columnsOf(frame: Frame): number {
  return Math.max(1, Math.floor(frame.right - frame.left));
}

const MIB = 1048576;

interface ByteUnit {
  size: number;
  name: string;
}

/** One unit for a whole axis. */
export function byteUnit(highest: number): ByteUnit {
  if (highest >= 10 * 1024 * MIB) return { size: 1024 * MIB, name: "GB" };
  if (highest >= MIB / 2) return { size: MIB, name: "MB" };
  if (highest >= 512) return { size: 1024, name: "KB" };
  return { size: 1, name: "B" };
}

function axisNumber(value: number, step: number): string {
  const decimals = Math.max(0, Math.min(4, -Math.floor(Math.log10(step) + 1e-9)));
  if (decimals > 0) return value.toFixed(decimals);
  return count(value);
}

export interface YAxis {
  /** Size of the unit in figures of the chart. */
  size: number;
  /** Written along the axis where there is room. */
  label: string;
}

/** Text along the left edge, from bottom to top. */
function drawAxisLabel(frame: Frame, text: string): void {
  const { ctx, palette } = frame;
  if (frame.width < 560) return;
  ctx.save();
  ctx.translate(9, (frame.top + frame.bottom) / 2);
  ctx.rotate(-Math.PI / 2);
  ctx.font = palette.font;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillStyle = palette.muted;
  ctx.fillText(text, 0, 0);
  ctx.restore();
}

/** An axis of bytes in one fitting unit; `of` says of what: "per bank", "whole tensors". */
export function drawByteAxis(frame: Frame, of: string): void {
  const unit = byteUnit(frame.highest);
  drawYAxis(frame, { size: unit.size, label: `${unit.name} ${of}` });
}

export function drawYAxis(frame: Frame, axis: YAxis): void {
  const { ctx, palette } = frame;
  const start = frame.lowest / axis.size;
  const end = frame.highest / axis.size;
  const marks = axisMarks(start, end, Math.max(3, (frame.bottom - frame.top) / 40));
  const step = marks.length > 1 ? marks[1] - marks[0] : 1;
  drawAxisLabel(frame, axis.label);
  ctx.font = palette.font;
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  for (const value of marks) {
    const y = Math.round(yOf(frame, value * axis.size)) + 0.5;
    ctx.fillStyle = palette.grid;
    ctx.fillRect(frame.left, y - 0.5, frame.right - frame.left, 1);
    ctx.fillStyle = palette.muted;
    ctx.fillText(axisNumber(value, step), frame.left - 6, Math.min(frame.bottom - 1, y));
  }
}

/** Marks at whole ops; `label` is drawn once, below the numbers. */
export function drawXAxis(frame: Frame, label: string): void {
  const { ctx, palette } = frame;
  ctx.font = palette.font;
  ctx.textBaseline = "top";
  ctx.fillStyle = palette.line;
  ctx.fillRect(frame.left, frame.bottom, frame.right - frame.left, 1);
  for (const op of axisMarks(frame.from, frame.to, (frame.right - frame.left) / 90, { whole: true })) {
    const x = Math.round(xOf(frame, op));
    ctx.fillStyle = palette.line;
    ctx.fillRect(x, frame.bottom, 1, 4);
    ctx.fillStyle = palette.muted;
    ctx.textAlign = x > frame.right - 24 ? "right" : x < frame.left + 24 ? "left" : "center";
    ctx.fillText(count(op), x, frame.bottom + 6);
  }
  if (!label) return;
  ctx.textAlign = "center";
  ctx.fillStyle = palette.muted;
  ctx.fillText(label, (frame.left + frame.right) / 2, frame.bottom + 20);
}

/** An axis that does not start at 0 says so. */
export function axisBreak(frame: Frame): void {
  if (frame.lowest <= 0) return;
  const { ctx, palette } = frame;
  ctx.strokeStyle = palette.weightOp;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(frame.left - 5, frame.bottom - 4);
  ctx.lineTo(frame.left, frame.bottom - 8);
  ctx.lineTo(frame.left - 5, frame.bottom - 12);
  ctx.lineTo(frame.left, frame.bottom - 16);
  ctx.stroke();
  ctx.font = palette.font;
  ctx.textAlign = "left";
  ctx.textBaseline = "top";
  ctx.fillStyle = palette.weightOp;
  const text = `axis starts at ${bytes(frame.lowest)}, not at 0`;
  ctx.fillText(frame.width < 560 ? "axis not from 0" : text, 2, frame.bottom + 20);
}

export interface StepStyle {
  color: string;
  /** Opacity of the area below the line; 0: a line only. */
  area: number;
  thickness: number;
  /** What shines through the area; "": what lies below. */
  ground?: string;
  /** Figures of the columns times this are those of the frame. */
  unit: number;
}

/**
 * A step function by pixel columns: the line of highest values, joined; the range down to the lowest value shaded, so
 * that neither end is lost when many ops share a column.
 */
export function drawSteps(frame: Frame, columns: ColumnsOf, style: StepStyle): void {
  const { ctx, left } = frame;
  const floor = frame.bottom;
  const clamp = (value: number) => Math.min(floor, Math.max(frame.top - 4, yOf(frame, value * style.unit)));
  ctx.fillStyle = style.color;
  const half = style.thickness / 2;
  let before = NaN;
  for (let c = 0; c < columns.high.length; c++) {
    const high = columns.high[c];
    if (!(columns.low[c] <= high)) {
      before = NaN;
      continue;
    }
    const x = left + c;
    const top = clamp(high);
    const bottom = clamp(columns.low[c]);
    if (style.ground) {
      ctx.globalAlpha = 1;
      ctx.fillStyle = style.ground;
      ctx.fillRect(x, bottom, 1, floor - bottom);
      ctx.fillStyle = style.color;
    }
    if (style.area > 0) {
      ctx.globalAlpha = style.area;
      ctx.fillRect(x, bottom, 1, floor - bottom);
    }
    if (bottom - top > 1) {
      ctx.globalAlpha = style.area > 0 ? 0.45 : 0.3;
      ctx.fillRect(x, top, 1, bottom - top);
    }
    const other = Number.isNaN(before) ? top : before;
    ctx.globalAlpha = 1;
    ctx.fillRect(x, Math.min(top, other) - half, 1, Math.abs(top - other) + style.thickness);
    before = top;
  }
  ctx.globalAlpha = 1;
}

/** Text cut with an ellipsis to the width; "" when not even a few characters fit. */
export function fittedText(ctx: CanvasRenderingContext2D, text: string, width: number): string {
  if (width < 18) return "";
  const perCharacter = 6.2;
  let fitted = text.slice(0, Math.ceil(width / 3));
  if (ctx.measureText(fitted).width <= width && fitted.length === text.length) return text;
  fitted = fitted.slice(0, Math.max(1, Math.floor(width / perCharacter)));
  while (fitted.length > 1 && ctx.measureText(`${fitted}…`).width > width) fitted = fitted.slice(0, -1);
  return fitted.length > 1 ? `${fitted}…` : "";
}

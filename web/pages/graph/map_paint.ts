// The address map: what is drawn for the nodes in view.
import { bytes, count, visible } from "kit/format";
import { axisMarks } from "kit/scale";
import type { Surface } from "kit/canvas/canvas";
import { hatchFill } from "kit/canvas/palette";
import { holesAt, partColor, titleOf } from "./model";
import type { GraphDocument, MapView, Memory } from "./model";

export interface MapFrame extends Surface {
  doc: GraphDocument;
  view: MapView;
  memory: Memory;
  from: number;
  to: number;
  low: number;
  high: number;
  binaryLow: number;
  binaryHigh: number;
  node: number;
}

const CURVE_HEIGHT = 70;
export const LEFT = 92;
const BOTTOM = 20;
const GAP = 10;
const LABELLED_HOLES = 6;
const PLACE_MARKS = 6;
/** A label of the axis of nodes and the air around it. */
const NODE_LABEL_WIDTH = 64;

export const xOf = (frame: MapFrame, node: number) =>
  LEFT + ((node - frame.from) / Math.max(1, frame.to - frame.from)) * (frame.width - LEFT - 8);
export const nodeAt = (frame: MapFrame, x: number) =>
  frame.from + ((x - LEFT) / (frame.width - LEFT - 8)) * (frame.to - frame.from);
/** Binaries have a band of their own above the others: they lie at the far end of DRAM. */
const BAND_HEIGHT = 30;
const bandTop = CURVE_HEIGHT + GAP;
const mapTopOf = (frame: MapFrame) => (frame.view.binaries.length > 0 ? bandTop + BAND_HEIGHT + GAP : bandTop);
export const mapHeight = (frame: MapFrame) => frame.height - BOTTOM - mapTopOf(frame);
const bandY = (frame: MapFrame, address: number) =>
  bandTop + BAND_HEIGHT - ((address - frame.binaryLow) / Math.max(1, frame.binaryHigh - frame.binaryLow)) * BAND_HEIGHT;
/** The address of the band of binaries; null outside of it. */
export function binaryAt(frame: MapFrame, y: number): number | null {
  if (frame.view.binaries.length === 0 || y < bandTop || y > bandTop + BAND_HEIGHT) return null;
  return frame.binaryLow + ((bandTop + BAND_HEIGHT - y) / BAND_HEIGHT) * (frame.binaryHigh - frame.binaryLow);
}
export const yOf = (frame: MapFrame, place: number) =>
  frame.height - BOTTOM - ((place - frame.low) / Math.max(1, frame.high - frame.low)) * mapHeight(frame);
export const placeAt = (frame: MapFrame, y: number) =>
  frame.low + ((frame.height - BOTTOM - y) / mapHeight(frame)) * (frame.high - frame.low);

function paintCurve(frame: MapFrame): void {
  const { ctx, view } = frame;
  const colors = frame.palette;
  const { nodes } = view.segment.curve;
  const { joined, curve } = view.segment;
  const before0 = Math.max(0, frame.memory === "dram" ? joined.dram_before : joined.l1_before);
  const values = (frame.memory === "dram" ? curve.dram : curve.l1).map((value) => value + before0);
  const top = Math.max(1, ...values);
  const low = Math.min(0, ...values);
  const y = (value: number) => CURVE_HEIGHT - ((value - low) / (top - low)) * (CURVE_HEIGHT - 14);
  ctx.beginPath();
  ctx.moveTo(xOf(frame, frame.from), y(0));
  let before = before0;
  nodes.forEach((node, i) => {
    const x = Math.min(Math.max(xOf(frame, node), LEFT), frame.width - 8);
    ctx.lineTo(x, y(before));
    ctx.lineTo(x, y(values[i]));
    before = values[i];
  });
  ctx.lineTo(frame.width - 8, y(before));
  ctx.lineTo(frame.width - 8, y(0));
  ctx.closePath();
  ctx.globalAlpha = 0.25;
  ctx.fillStyle = colors.alloc;
  ctx.fill();
  ctx.globalAlpha = 1;
  ctx.strokeStyle = colors.alloc;
  ctx.stroke();
  ctx.fillStyle = colors.muted;
  ctx.textAlign = "right";
  ctx.fillText(bytes(top), LEFT - 6, 14);
  ctx.fillText("in use", LEFT - 6, CURVE_HEIGHT);
}

function paintAxes(frame: MapFrame): void {
  const { ctx } = frame;
  const colors = frame.palette;
  ctx.fillStyle = colors.muted;
  ctx.strokeStyle = colors.grid;
  ctx.textAlign = "right";
  for (const place of axisMarks(frame.low, frame.high, PLACE_MARKS, { whole: true })) {
    const y = Math.round(yOf(frame, place)) + 0.5;
    ctx.beginPath();
    ctx.moveTo(LEFT, y);
    ctx.lineTo(frame.width - 8, y);
    ctx.stroke();
    ctx.fillText(count(place), LEFT - 6, y + 4);
  }
  ctx.fillText("node", LEFT - 14, frame.height - 5);
  ctx.textAlign = "center";
  for (const node of axisMarks(frame.from, frame.to, (frame.width - LEFT) / NODE_LABEL_WIDTH, { whole: true })) {
    const text = count(node);
    const half = ctx.measureText(text).width / 2;
    ctx.fillText(text, Math.min(xOf(frame, node), frame.width - 2 - half), frame.height - 5);
  }
}

/** The colour of its part; where there is one part only, it tells buffers apart and nothing else. */
function colorOf({ doc, view, palette }: MapFrame, row: number): string {
  const { blocks } = view.segment;
  const tells = doc.parts.filter((part) => part !== "binary").length > 1;
  return tells ? palette.of(partColor(doc, blocks.part[row])) : palette.ranks[blocks.title[row] % palette.ranks.length];
}

function paintBand(frame: MapFrame): void {
  const { ctx, view, palette: colors } = frame;
  const { blocks } = view.segment;
  ctx.fillStyle = colors.grid;
  ctx.fillRect(LEFT, bandTop, frame.width - LEFT - 8, BAND_HEIGHT);
  ctx.fillStyle = colors.of("rank-5");
  for (const row of view.binaries) {
    if (blocks.to[row] <= frame.from || blocks.from[row] >= frame.to) continue;
    const x = Math.max(LEFT, xOf(frame, blocks.from[row]));
    const top = bandY(frame, blocks.address[row] + blocks.size[row]);
    ctx.fillRect(x, top, Math.max(1, Math.min(frame.width - 8, xOf(frame, blocks.to[row])) - x), Math.max(1, bandY(frame, blocks.address[row]) - top));
  }
  ctx.fillStyle = colors.muted;
  ctx.textAlign = "right";
  ctx.fillText("binaries", LEFT - 6, bandTop + 12);
  ctx.fillText(bytes(frame.binaryHigh - frame.binaryLow), LEFT - 6, bandTop + 26);
}

function paintBlocks(frame: MapFrame): void {
  const { ctx, view } = frame;
  const colors = frame.palette;
  const { blocks } = view.segment;
  view.rows.forEach((row, i) => {
    if (blocks.to[row] <= frame.from || blocks.from[row] >= frame.to) return;
    const x = Math.max(LEFT, xOf(frame, blocks.from[row]));
    const width = Math.max(1, Math.min(frame.width - 8, xOf(frame, blocks.to[row])) - x);
    const y = yOf(frame, view.places[i] + blocks.size[row]);
    const height = Math.max(1, yOf(frame, view.places[i]) - y);
    ctx.fillStyle = blocks.program[row] === 1 ? hatchFill(ctx, colors.unaccounted, "rising", colors.panel) : colorOf(frame, row);
    ctx.globalAlpha = blocks.older[row] === 1 ? 0.6 : 1;
    ctx.fillRect(x, y, width, height);
    ctx.globalAlpha = 1;
    if (width > 2 && height > 2) {
      ctx.strokeStyle = colors.panel;
      ctx.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
    }
  });
}

function label({ ctx, palette: colors }: Surface, text: string, x: number, y: number, right: number): void {
  const width = ctx.measureText(text).width;
  const at = Math.max(LEFT + 2, Math.min(x + 5, right - width - 4));
  ctx.globalAlpha = 0.9;
  ctx.fillStyle = colors.panel;
  ctx.fillRect(at - 2, y - 10, width + 4, 14);
  ctx.globalAlpha = 1;
  ctx.fillStyle = colors.text;
  ctx.textAlign = "left";
  ctx.fillText(text, at, y + 1);
}

function paintCursor(frame: MapFrame): void {
  const { ctx, view } = frame;
  const colors = frame.palette;
  if (frame.node < frame.from || frame.node > frame.to) return;
  const x = Math.round(xOf(frame, frame.node)) + 0.5;
  ctx.strokeStyle = colors.select;
  ctx.beginPath();
  ctx.moveTo(x, 0);
  ctx.lineTo(x, frame.height - BOTTOM);
  ctx.stroke();
  for (const hole of holesAt(view, frame.node).slice(0, LABELLED_HOLES)) {
    const top = yOf(frame, hole.to);
    const foot = yOf(frame, hole.from);
    if (foot < mapTopOf(frame) || top > frame.height - BOTTOM) continue;
    ctx.fillStyle = colors.failure;
    ctx.fillRect(x - 2, top, 5, Math.max(1, foot - top));
    if (foot - top < 12) continue;
    const text = `hole ${bytes(hole.to - hole.from)} between ${visible(titleOf(view, hole.below))} and ${visible(titleOf(view, hole.above))}`;
    label(frame, text, x, (top + foot) / 2, frame.width - 8);
  }
}

export function paintMap(frame: MapFrame): void {
  const { ctx } = frame;
  ctx.lineWidth = 1;
  paintCurve(frame);
  if (frame.view.binaries.length > 0) paintBand(frame);
  paintAxes(frame);
  ctx.save();
  ctx.beginPath();
  ctx.rect(LEFT, mapTopOf(frame), frame.width - LEFT - 8, mapHeight(frame));
  ctx.clip();
  paintBlocks(frame);
  ctx.restore();
  paintCursor(frame);
}

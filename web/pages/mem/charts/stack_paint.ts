// Draws the stack of live tensors.
import { stackTensors, visitStack } from "../data/tensor_stack";
import type { TensorStack } from "../data/tensor_stack";
import { KINDS } from "../data/rank";
import { hatchFill } from "kit/canvas/palette";
import type { Hatch } from "kit/canvas/palette";
import { axisBreak, columnsOf, drawByteAxis, drawXAxis, xOf, yOf } from "./frame";
import type { Frame } from "./frame";
import { kindFill } from "./kinds";
import { columnMoments, hiddenAt, kindId, shownAt, STACK } from "./stack_scene";
import type { StackScene } from "./stack_scene";
import { AXIS_LABEL } from "./timeline";

/** Colours of layers come round with another pattern. */
export const LAYER_COLOURS = 8;
export const LAYER_HATCHES: readonly Hatch[] = ["none", "rising", "level", "falling"];

/** One filled outline a layer: a pattern fills an outline far faster than a thousand rectangles. */
function paintLayer(frame: Frame, below: Float64Array | null, above: Float64Array, fill: CanvasPattern | string): void {
  const { ctx, left } = frame;
  const y = (value: number) => Math.min(frame.bottom, Math.max(frame.top, yOf(frame, value)));
  ctx.fillStyle = fill;
  ctx.beginPath();
  ctx.moveTo(left, y(above[0]));
  for (let c = 0; c < above.length; c++) {
    ctx.lineTo(left + c, y(above[c]));
    ctx.lineTo(left + c + 1, y(above[c]));
  }
  for (let c = above.length - 1; c >= 0; c--) {
    const base = y(below ? below[c] : 0);
    ctx.lineTo(left + c + 1, base);
    ctx.lineTo(left + c, base);
  }
  ctx.closePath();
  ctx.fill();
}

function layerFill(frame: Frame, group: number): CanvasPattern | string {
  const { ctx, palette } = frame;
  const hatch = LAYER_HATCHES[Math.floor(group / LAYER_COLOURS) % LAYER_HATCHES.length];
  return hatchFill(ctx, palette.ranks[group % LAYER_COLOURS], hatch, palette.dark ? "rgba(0,0,0,0.5)" : "rgba(255,255,255,0.6)");
}

/** Bands of kinds or layers; the top of all of them. */
function paintStackBands(scene: StackScene, frame: Frame, moments: Float64Array): Float64Array {
  const shown = scene.bands.filter((band) => !scene.hidden.has(band.id));
  const tops = shown.map(() => new Float64Array(moments.length));
  const into = new Float64Array(scene.sums.width);
  for (let c = 0; c < moments.length; c++) {
    scene.sums.at(moments[c], into);
    let total = 0;
    shown.forEach((band, layer) => {
      total += Math.max(0, into[band.group]);
      tops[layer][c] = total;
    });
  }
  shown.forEach((band, layer) => {
    const fill = scene.mode === "layer" ? layerFill(frame, band.group) : kindFill(frame.ctx, frame.palette, KINDS[band.group]);
    paintLayer(frame, layer === 0 ? null : tops[layer - 1], tops[layer], fill);
  });
  return tops[tops.length - 1] ?? new Float64Array(moments.length);
}

/** Tensors of less than this height are drawn together; a model has many of a pixel and less. */
const LEAST_PX = 0.35;

function tensorsInView(scene: StackScene, frame: Frame, moments: Float64Array): TensorStack {
  const order = Int8Array.from(KINDS, (kind) => (scene.hidden.has(kindId(kind)) ? -1 : STACK.indexOf(kind)));
  const leastBytes = (LEAST_PX * (frame.highest - frame.lowest)) / Math.max(1, frame.bottom - frame.top);
  return stackTensors(scene.rank, { memory: scene.memory, moments, leastBytes, order });
}

/** Each tensor by itself, with a hairline between neighbours; small ones together on top. */
function paintTensors(scene: StackScene, frame: Frame, moments: Float64Array, stack: TensorStack): Float64Array {
  const { ctx, palette } = frame;
  const clamp = (value: number) => Math.min(frame.bottom, Math.max(frame.top, yOf(frame, value)));
  const fills = KINDS.map((kind) => palette.of(`kind-${kind}`));
  const drawn = visitStack(scene.rank, stack, moments.length, (buffer, { from, to, low, high }) => {
    const top = clamp(high);
    const height = clamp(low) - top;
    ctx.fillStyle = fills[scene.rank.buffers.kind[buffer]];
    ctx.fillRect(frame.left + from, top, to - from, height);
    if (height < 3) return;
    ctx.fillStyle = palette.panel;
    ctx.globalAlpha = 0.6;
    ctx.fillRect(frame.left + from, top, to - from, 0.75);
    if (to - from > 4) ctx.fillRect(frame.left + to - 0.75, top, 0.75, height);
    ctx.globalAlpha = 1;
  });
  const all = Float64Array.from(moments, (moment) => shownAt(scene, moment));
  paintLayer(frame, drawn, all.map((value, c) => Math.max(value, drawn[c])), hatchFill(ctx, palette.grid, "dots", palette.muted));
  return all;
}

/** Above the stack: measured but not explained. Below its top: the model holds more than was measured. */
function paintUnaccounted(frame: Frame, top: Float64Array, measured: Float64Array): void {
  const { ctx, palette } = frame;
  const more = top.map((value, c) => Math.max(value, Number.isNaN(measured[c]) ? value : measured[c]));
  const less = top.map((value, c) => Math.min(value, Number.isNaN(measured[c]) ? value : measured[c]));
  paintLayer(frame, top, more, hatchFill(ctx, "", "falling", palette.unaccounted));
  paintLayer(frame, less, top, hatchFill(ctx, "", "cross", palette.failure));
  ctx.fillStyle = palette.text;
  let before = NaN;
  for (let c = 0; c < measured.length; c++) {
    if (Number.isNaN(measured[c])) continue;
    const y = Math.min(frame.bottom, Math.max(frame.top, yOf(frame, measured[c])));
    const other = Number.isNaN(before) ? y : before;
    ctx.fillRect(frame.left + c, Math.min(y, other) - 0.5, 1, Math.abs(y - other) + 1);
    before = y;
  }
}

/** Draws it all; the tensors that were laid out, for the pointer. */
export function paintStack(scene: StackScene, frame: Frame): { stack: TensorStack | null; moments: Float64Array } {
  drawByteAxis(frame, "per bank");
  drawXAxis(frame, AXIS_LABEL);
  axisBreak(frame);
  const { moments, measured } = columnMoments(scene, frame);
  const stack = scene.mode === "tensor" ? tensorsInView(scene, frame, moments) : null;
  const top = stack ? paintTensors(scene, frame, moments, stack) : paintStackBands(scene, frame, moments);
  if (!scene.hidden.has("unaccounted")) paintUnaccounted(frame, top, measured.map((value, c) => (Number.isNaN(value) ? value : value - hiddenAt(scene, moments[c]))));
  return { stack, moments };
}

/** The place in the stack of the tensor that is pointed at or selected. */
export function paintChosenTensor(scene: StackScene, frame: Frame, stack: TensorStack, buffer: number): void {
  if (!stack.tensors.includes(buffer)) return;
  const { ctx, palette } = frame;
  ctx.fillStyle = palette.hover;
  visitStack(scene.rank, stack, columnsOf(frame), (one, { from, to, low, high }) => {
    if (one !== buffer) return;
    const top = Math.max(frame.top, yOf(frame, high));
    ctx.fillRect(frame.left + from, top, to - from, Math.max(1, Math.min(frame.bottom, yOf(frame, low)) - top));
  });
}

export function paintPeakTick(frame: Frame, scene: StackScene): void {
  const peak = scene.rank.header.peaks[scene.memory];
  if (!peak || peak.bytes_per_bank <= 0) return;
  const x = xOf(frame, peak.moment / 2);
  if (x < frame.left || x > frame.right) return;
  const y = Math.max(frame.top, yOf(frame, peak.bytes_per_bank - hiddenAt(scene, peak.moment)));
  frame.ctx.fillStyle = frame.palette.text;
  frame.ctx.beginPath();
  frame.ctx.moveTo(x, y - 1);
  frame.ctx.lineTo(x - 4, y - 7);
  frame.ctx.lineTo(x + 4, y - 7);
  frame.ctx.fill();
}

// Both runs on one axis: ops as blocks, and ribbons from each op to what it became.
import type { Surface } from "kit/canvas/canvas";
import type { Palette } from "kit/canvas/palette";
import { axisMarks } from "kit/scale";
import { ADDED, amount, changeOfOp, CHANGED, firstBehind, MOVED, REMOVED } from "./model";
import type { Lane, Lanes, Op } from "./model";

export const HEIGHT = 236;
const AXIS = 22;
const LANE = 40;
const TOP_LANE = AXIS + 16;
const LOW_LANE = HEIGHT - LANE - 6;

export interface Scene {
  ops: Op[];
  lanes: Lanes;
  unit: string;
  from: number;
  to: number;
  /** Number of the chosen change; -1: none. */
  change: number;
}

/** Colours by what became of an op: better, worse, new, gone, moved. */
export function colourOf(op: Op, palette: Palette): string {
  if (op.kind === ADDED) return palette.of("weight-op");
  if (op.kind === REMOVED) return palette.of("unaccounted");
  if (op.kind === MOVED) return palette.of("select");
  if (op.kind === CHANGED) return changeOfOp(op) > 0 ? palette.of("critical") : palette.of("ok");
  return palette.of("band-a");
}

/** Round marks; of bytes round in the unit that they are shown in. */
function marksOf({ from, to, unit }: Scene, wanted: number): number[] {
  const factor = unit !== "bytes" ? 1 : to - from > 2 ** 20 ? 2 ** 20 : to - from > 2 ** 10 ? 2 ** 10 : 1;
  return axisMarks(from / factor, to / factor, wanted).map((mark) => mark * factor);
}

/** Marks thinner than this are not told apart where they stand in one pixel. */
const THIN = 1;

class Painter {
  private readonly perPixel: number;
  /** Ends and looks of the thin ribbons that are painted already. */
  private readonly ribboned = new Set<number>();

  constructor(
    private readonly surface: Surface,
    private readonly scene: Scene,
  ) {
    this.perPixel = (scene.to - scene.from) / surface.width;
  }

  x(at: number): number {
    return (at - this.scene.from) / this.perPixel;
  }

  axis(): void {
    const { ctx, palette, width } = this.surface;
    ctx.fillStyle = palette.muted;
    ctx.strokeStyle = palette.grid;
    ctx.textAlign = "center";
    for (const mark of marksOf(this.scene, Math.max(2, width / 140))) {
      const x = Math.round(this.x(mark)) + 0.5;
      ctx.beginPath();
      ctx.moveTo(x, AXIS - 4);
      ctx.lineTo(x, HEIGHT);
      ctx.stroke();
      const text = amount(mark, this.scene.unit);
      const half = ctx.measureText(text).width / 2;
      ctx.fillText(text, Math.min(Math.max(x, half + 2), width - half - 2), AXIS - 8);
    }
  }

  isFaded(op: Op): boolean {
    return this.scene.change >= 0 && op.change !== this.scene.change;
  }

  /** A number for all ops that are painted alike. */
  private look(op: Op): number {
    return (op.kind * 2 + Number(op.kind === CHANGED && changeOfOp(op) > 0)) * 2 + Number(this.isFaded(op));
  }

  lane(lane: Lane, top: number, name: string): void {
    const { ctx, palette, width } = this.surface;
    const painted: number[] = []; // the last pixel that has a thin op, by look
    for (let i = firstBehind(lane, this.scene.from); i < lane.ops.length && lane.begins[i] <= this.scene.to; ++i) {
      const op = this.scene.ops[lane.ops[i]];
      const x = this.x(lane.begins[i]);
      const wide = this.x(lane.ends[i]) - x;
      // Many ops in one pixel: one of those that look alike is enough.
      const look = this.look(op);
      if (wide < THIN && painted[look] === Math.floor(x)) continue;
      painted[look] = Math.floor(x);
      ctx.globalAlpha = this.isFaded(op) ? 0.3 : 1;
      ctx.fillStyle = colourOf(op, palette);
      const seen = Math.max(wide - (wide > 3 ? 1 : 0), op.kind === 0 ? 0.5 : 1.5);
      ctx.fillRect(x, top, seen, LANE);
      if (wide > 46) this.label(op, x, wide, top);
    }
    ctx.globalAlpha = 1;
    ctx.textAlign = "left";
    ctx.fillStyle = palette.muted;
    const end = this.x(lane.end);
    if (end < width - 60) ctx.fillText(`${name}: ${amount(lane.end, this.scene.unit)}`, Math.max(4, end + 6), top + LANE / 2 + 4);
  }

  private label(op: Op, x: number, wide: number, top: number): void {
    const { ctx, palette } = this.surface;
    const from = Math.max(x, 0);
    const room = Math.floor((Math.min(x + wide, this.surface.width) - from - 8) / 6);
    if (room < 5) return;
    ctx.textAlign = "left";
    ctx.fillStyle = op.kind === 0 ? palette.text : palette.panel;
    ctx.fillText(op.label.length > room ? `${op.label.slice(0, room - 1)}…` : op.label, from + 4, top + LANE / 2 + 4);
  }

  /** From each op of the earlier run to its other half. */
  ribbons(): void {
    const { before, after } = this.scene.lanes;
    for (let i = firstBehind(before, this.scene.from); i < before.ops.length && before.begins[i] <= this.scene.to; ++i) this.ribbon(i);
    // Those whose earlier half is out of sight.
    for (let i = firstBehind(after, this.scene.from); i < after.ops.length && after.begins[i] <= this.scene.to; ++i) {
      const place = before.places[after.ops[i]];
      if (place >= 0 && (before.ends[place] <= this.scene.from || before.begins[place] > this.scene.to)) this.ribbon(place);
    }
  }

  /** Whether a ribbon between these pixels was there; from now on it is. */
  private isPainted(upper: number, lower: number, look: number): boolean {
    const far = 2 ** 16; // beyond it all is out of sight
    const pixel = (x: number) => Math.min(Math.max(Math.round(x), -far), far) + far;
    const key = (pixel(upper) * 4 * far + pixel(lower)) * 32 + look;
    if (this.ribboned.has(key)) return true;
    this.ribboned.add(key);
    return false;
  }

  private ribbon(i: number): void {
    const { before, after } = this.scene.lanes;
    const op = this.scene.ops[before.ops[i]];
    const other = after.places[op.index];
    if (other < 0) return;
    const { ctx, palette } = this.surface;
    const [a, b] = [this.x(before.begins[i]), this.x(before.ends[i])];
    const [c, d] = [this.x(after.begins[other]), this.x(after.ends[other])];
    const isSame = op.kind === 0;
    if (isSame && Math.max(b - a, d - c) < 2) return;
    if (Math.max(b - a, d - c) < THIN && this.isPainted(a, c, this.look(op))) return;
    ctx.globalAlpha = this.isFaded(op) ? 0.05 : isSame ? 0.6 : 0.45;
    ctx.fillStyle = isSame ? palette.of("band-b") : colourOf(op, palette);
    const upper = TOP_LANE + LANE;
    const middle = (upper + LOW_LANE) / 2;
    ctx.beginPath();
    ctx.moveTo(a, upper);
    ctx.bezierCurveTo(a, middle, c, middle, c, LOW_LANE);
    ctx.lineTo(Math.max(d, c + 1), LOW_LANE);
    ctx.bezierCurveTo(Math.max(d, c + 1), middle, Math.max(b, a + 1), middle, Math.max(b, a + 1), upper);
    ctx.fill();
    ctx.globalAlpha = 1;
  }
}

export function paintScene(surface: Surface, scene: Scene): void {
  const painter = new Painter(surface, scene);
  painter.axis();
  painter.ribbons();
  painter.lane(scene.lanes.before, TOP_LANE, "before");
  painter.lane(scene.lanes.after, LOW_LANE, "after");
}

/** A frame around an op in both runs. */
export function paintHover(surface: Surface, scene: Scene, op: number): void {
  const { ctx, palette } = surface;
  ctx.strokeStyle = palette.hover;
  ctx.lineWidth = 2;
  const scale = surface.width / (scene.to - scene.from);
  for (const [lane, top] of [[scene.lanes.before, TOP_LANE], [scene.lanes.after, LOW_LANE]] as const) {
    const place = lane.places[op];
    if (place < 0) continue;
    const x = (lane.begins[place] - scene.from) * scale;
    ctx.strokeRect(x - 1, top - 1, Math.max(2, (lane.ends[place] - lane.begins[place]) * scale) + 1, LANE + 2);
  }
}

/** The lane at a height; null between them. */
export function laneAt(lanes: Lanes, y: number): Lane | null {
  if (y >= TOP_LANE && y <= TOP_LANE + LANE) return lanes.before;
  return y >= LOW_LANE && y <= LOW_LANE + LANE ? lanes.after : null;
}

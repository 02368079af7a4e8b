// What the timeline draws, layer by layer.
import type { Curve } from "../data/curves";
import { bandsOf, visitBands } from "../data/bands";
import type { Page } from "../data/page";
import { programName } from "../data/programs";
import { FLAG_WEIGHT, lastAtOrBelow } from "../data/rank";
import type { Memory, RankData, RankPeak } from "../data/rank";
import { bytes } from "kit/format";
import { columnsOf, drawSteps, fittedText, xOf, yOf } from "./frame";
import type { Frame } from "./frame";
import { drawLabel, rows } from "./labels";
import type { Labels, Place } from "./labels";

export const BAND_HEIGHT = 17;

/** Bands of programs above the plot; hairlines where each starts, so that runs can be told apart on the curve. */
export function paintBands(frame: Frame, page: Page, rank: RankData): void {
  const { ctx, palette } = frame;
  const step = (frame.to - frame.from) / columnsOf(frame);
  ctx.font = palette.font;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  bandsOf(rank.programs).rows.forEach((row, depth) => {
    const y = 2 + depth * BAND_HEIGHT;
    visitBands(row, { from: frame.from, to: frame.to, step }, (program, first, end) => {
      paintBand(frame, { first, end, y, constEval: (rank.programs.flags[program] & 1) !== 0, odd: rank.programs.run[program] % 2 === 1 }, () =>
        programName(page, rank, program),
      );
    });
  });
}

interface Band {
  first: number;
  end: number;
  y: number;
  constEval: boolean;
  odd: boolean;
}

function paintBand(frame: Frame, band: Band, label: () => string): void {
  const { ctx, palette } = frame;
  const left = Math.max(frame.left, xOf(frame, band.first));
  const right = Math.min(frame.right, xOf(frame, band.end));
  const width = Math.max(1, right - left - 1);
  ctx.fillStyle = band.constEval ? palette.bandConst : band.odd ? palette.bandB : palette.bandA;
  ctx.fillRect(left, band.y, width, BAND_HEIGHT - 3);
  if (width > 24) {
    ctx.fillStyle = palette.text;
    ctx.fillText(fittedText(ctx, label(), width - 8), left + 4, band.y + (BAND_HEIGHT - 3) / 2 + 0.5);
  }
  if (width > 10 && band.first >= frame.from) {
    ctx.fillStyle = palette.line;
    ctx.fillRect(Math.round(left), frame.top, 1, frame.bottom - frame.top);
  }
}

export function paintCapacity(frame: Frame, capacity: number, labels: Labels): void {
  const { ctx, palette } = frame;
  if (!(capacity > 0)) return;
  const text = `capacity ${bytes(capacity)} per bank`;
  if (capacity > frame.highest) return offScaleNote(frame, labels, `↑ ${text}`, palette.capacity);
  const y = Math.round(yOf(frame, capacity)) + 0.5;
  ctx.strokeStyle = palette.capacity;
  ctx.lineWidth = 1.5;
  ctx.setLineDash([6, 4]);
  ctx.beginPath();
  ctx.moveTo(frame.left, y);
  ctx.lineTo(frame.right, y);
  ctx.stroke();
  ctx.setLineDash([]);
  const sides = (at: number): Place[] => [{ x: frame.left + 6, y: at, align: "left" }, { x: frame.right - 6, y: at, align: "right" }];
  return drawLabel(frame, labels, { text, color: palette.capacity }, [...sides(y - 9), ...sides(y + 10)]);
}

/** Says what lies above the visible part of the axis. */
function offScaleNote(frame: Frame, labels: Labels, text: string, color: string): void {
  drawLabel(frame, labels, { text, color }, [...rows(frame.right - 6, frame.top + 10, "right"), ...rows(frame.left + 6, frame.top + 10, "left")]);
}

export function paintLargest(frame: Frame, curve: Curve | null, labels: Labels): void {
  if (!curve) return;
  const columns = curve.query(2 * frame.from, 2 * frame.to, columnsOf(frame));
  drawSteps(frame, columns, { color: frame.palette.largest, area: 0, thickness: 1.5, unit: curve.unit });
  let lowest = Infinity;
  for (const value of columns.low) if (value < lowest) lowest = value;
  if (frame.width >= 560 && lowest * curve.unit > frame.highest && Number.isFinite(lowest)) {
    offScaleNote(frame, labels, `↑ largest free block ≥ ${bytes(lowest * curve.unit)} per bank`, frame.palette.largest);
  }
}

export function paintAllocated(frame: Frame, curve: Curve, color = frame.palette.alloc, area = 0.16): void {
  const columns = curve.query(2 * frame.from, 2 * frame.to, columnsOf(frame));
  drawSteps(frame, columns, { color, area, thickness: 1.75, unit: curve.unit });
}

const weightOps = new WeakMap<RankData, Uint32Array>();

/** Weight ops in order. */
export function weightOpsOf(rank: RankData): Uint32Array {
  const known = weightOps.get(rank);
  if (known) return known;
  let total = 0;
  for (const flags of rank.flags) if (flags & FLAG_WEIGHT) total++;
  const found = new Uint32Array(total);
  let next = 0;
  for (let op = 0; op < rank.ops; op++) if (rank.flags[op] & FLAG_WEIGHT) found[next++] = op;
  weightOps.set(rank, found);
  return found;
}

/**
 * Weight (const-eval) ops: marks on the curve, at most one a pixel column. Where they are the lesser part of a column's ops,
 * a mark on the curve would hide the others: they become ticks at its foot.
 */
export function paintWeightOps(frame: Frame, rank: RankData, curve: Curve): void {
  const ops = weightOpsOf(rank);
  if (ops.length === 0) return;
  const columns = columnsOf(frame);
  const perColumn = (frame.to - frame.from) / columns;
  const figures = curve.query(2 * frame.from, 2 * frame.to, columns);
  frame.ctx.fillStyle = frame.palette.weightOp;
  let at = lastAtOrBelow(ops, Math.max(0, Math.ceil(frame.from) - 1));
  if (at < 0 || ops[at] < frame.from - 1) at++;
  while (at < ops.length && ops[at] < frame.to) {
    const x = xOf(frame, ops[at]);
    const column = Math.min(columns - 1, Math.max(0, Math.floor(x - frame.left)));
    const nextOp = frame.from + (column + 1) * perColumn;
    const next = Math.max(at + 1, lastAtOrBelow(ops, Math.max(0, Math.ceil(nextOp) - 1)) + 1);
    const value = figures.high[column] * curve.unit;
    if (x >= frame.left - 1 && Number.isFinite(value)) {
      paintWeightMark(frame, { x, value, perColumn, most: 2 * (next - at) >= perColumn });
    }
    at = next;
  }
}

interface WeightMark {
  x: number;
  value: number;
  perColumn: number;
  /** Most ops of the column are weight ops. */
  most: boolean;
}

function paintWeightMark(frame: Frame, mark: WeightMark): void {
  if (!mark.most) {
    frame.ctx.fillRect(Math.floor(mark.x), frame.bottom - 5, 1, 5);
    return;
  }
  const size = mark.perColumn < 0.15 ? 7 : mark.perColumn < 0.5 ? 5 : 4;
  const y = Math.max(frame.top, yOf(frame, mark.value));
  frame.ctx.fillRect(mark.x - size / 2 + 0.5, y - size / 2, size, size);
}

export function paintPeak(frame: Frame, peak: RankPeak | undefined, labels: Labels): void {
  if (!peak || peak.bytes_per_bank <= 0) return;
  const { ctx, palette } = frame;
  const x = xOf(frame, peak.moment / 2);
  const y = yOf(frame, peak.bytes_per_bank);
  if (x < frame.left || x > frame.right || y < frame.top - 1) return;
  ctx.fillStyle = palette.text;
  ctx.beginPath();
  ctx.moveTo(x, y - 2);
  ctx.lineTo(x - 5, y - 10);
  ctx.lineTo(x + 5, y - 10);
  ctx.closePath();
  ctx.fill();
  const sides = (at: number): Place[] => [{ x: x + 10, y: at, align: "left" }, { x: x - 10, y: at, align: "right" }];
  drawLabel(frame, labels, { text: `peak ${bytes(peak.bytes_per_bank)} per bank`, color: palette.text, strong: true }, [y - 8, y + 9, y + 24, y - 23].flatMap(sides));
}

export interface FailureMark {
  op: number;
  text: string;
}

interface MemFailure {
  op_index: number | null;
  line: number | null;
  memory: string;
  diagnosis: string;
  requested_bytes: number | null;
}

/** Out-of-memory failures of this rank in a memory: the document has no rank, but the line tells it. */
export function failuresOf(page: Page, rank: RankData, memory: Memory): FailureMark[] {
  const all = (page.mem?.failures ?? []) as MemFailure[];
  const marks: FailureMark[] = [];
  for (const failure of all) {
    const op = failure.op_index;
    if (op === null || op === undefined || failure.memory !== memory || op >= rank.ops) continue;
    if (page.header.ranks.length > 1 && rank.line[op] !== failure.line) continue;
    marks.push({ op, text: `out of memory (${failure.diagnosis.replaceAll("_", " ")})` });
  }
  return marks;
}

export function paintFailures(frame: Frame, failures: FailureMark[], labels: Labels): void {
  const { ctx, palette } = frame;
  for (const failure of failures) {
    const x = Math.round(xOf(frame, failure.op + 0.5));
    if (x < frame.left || x > frame.right) continue;
    ctx.fillStyle = palette.failure;
    ctx.fillRect(x - 1, frame.top, 2, frame.bottom - frame.top);
    ctx.beginPath();
    ctx.moveTo(x - 6, frame.top);
    ctx.lineTo(x + 6, frame.top);
    ctx.lineTo(x, frame.top + 9);
    ctx.closePath();
    ctx.fill();
    const places = [34, 50, 66, 82, 98].flatMap((down): Place[] => [{ x: x + 9, y: frame.top + down, align: "left" }, { x: x - 9, y: frame.top + down, align: "right" }]);
    drawLabel(frame, labels, { text: failure.text, color: palette.failure, strong: true }, places);
  }
}

/** Ops that a search has found: a tick at the top of the plot, one a pixel column. */
export function paintHits(frame: Frame, found: Uint8Array): void {
  const { ctx, palette } = frame;
  const columns = columnsOf(frame);
  const perColumn = (frame.to - frame.from) / columns;
  ctx.fillStyle = palette.hit;
  for (let column = 0; column < columns; column++) {
    const from = Math.max(0, Math.floor(frame.from + column * perColumn));
    const end = Math.min(found.length, Math.max(from + 1, Math.floor(frame.from + (column + 1) * perColumn)));
    const hit = found.subarray(from, end).indexOf(1);
    if (hit < 0) continue;
    const left = Math.max(frame.left + column, xOf(frame, from + hit));
    const wide = Math.max(2, Math.min(8, 1 / perColumn));
    ctx.fillRect(left, frame.top, wide, 7);
    ctx.globalAlpha = 0.22;
    ctx.fillRect(left, frame.top + 7, Math.max(1, Math.min(wide, 3)), frame.bottom - frame.top - 7);
    ctx.globalAlpha = 1;
  }
}

// Movement of the visible range. Pure functions of ranges, and the few that apply them to the store.
import type { RankData } from "./data/rank";
import { store } from "./state";

export type Range = [from: number, to: number];

const FEWEST_OPS = 3;
/** A run this short is shown whole when it jumps to its peak. */
const FEW_OPS = 80;

/** Inside [0, ops], no narrower than a few ops, the width kept where possible. */
export function clampRange(from: number, to: number, ops: number): Range {
  const all = Math.max(1, ops);
  const width = Math.min(all, Math.max(Math.min(FEWEST_OPS, all), to - from));
  const middle = (from + to) / 2;
  const start = Math.min(Math.max(0, to - from < width ? middle - width / 2 : from), all - width);
  return [start, start + width];
}

/** Scaled about `center`, which stays where it is on the screen. */
export function zoomRange([from, to]: Range, center: number, factor: number, ops: number): Range {
  const all = Math.max(1, ops);
  const width = Math.min(all, Math.max(Math.min(FEWEST_OPS, all), (to - from) * factor));
  const share = (center - from) / (to - from);
  return clampRange(center - share * width, center + (1 - share) * width, ops);
}

export function panRange([from, to]: Range, by: number, ops: number): Range {
  const width = to - from;
  const start = Math.min(Math.max(0, from + by), Math.max(0, ops - width));
  return [start, start + width];
}

export function visibleRange(): Range {
  const { from, to } = store.get();
  return [from, to];
}

export function show([from, to]: Range): void {
  store.set({ from, to });
}

export function zoomBy(factor: number, center: number, ops: number): void {
  show(zoomRange(visibleRange(), center, factor, ops));
}

export function panBy(share: number, ops: number): void {
  const [from, to] = visibleRange();
  show(panRange([from, to], (to - from) * share, ops));
}

/** Makes an op visible: unchanged when it is, else the same zoom about it. */
export function reveal(op: number, ops: number): void {
  const [from, to] = visibleRange();
  if (op >= from && op + 1 <= to) return;
  const width = to - from;
  show(clampRange(op + 0.5 - width / 2, op + 0.5 + width / 2, ops));
}

/** Selects an op everywhere: chart, table, drawer, composition. */
export function selectOp(rank: RankData, op: number): void {
  if (op < 0 || op >= rank.ops) return;
  store.set({ op, buffer: null, moment: 2 * op });
  reveal(op, rank.ops);
}

/** Selects a tensor everywhere: its details, its life on the charts. Charts and lists stay where they are. */
export function selectBuffer(rank: RankData, buffer: number): void {
  if (buffer < rank.buffers.count) store.set({ buffer, op: null });
}

/** Perfetto's F: the selection first; when it already fills the view, everything. */
export function focusOrFit(ops: number): void {
  const { range, op, from, to } = store.get();
  const wanted: Range | null = range ?? (op === null ? null : [op - 12, op + 13]);
  const target = wanted ? clampRange(wanted[0], wanted[1], ops) : null;
  const there = target !== null && Math.abs(target[0] - from) < 1e-6 && Math.abs(target[1] - to) < 1e-6;
  show(target && !there ? target : [0, Math.max(1, ops)]);
}

/** Shows the peak of a memory: its op selected, the live set of its moment, a stretch of ops around it. */
export function jumpToPeak(rank: RankData): void {
  const view = store.get();
  const peak = rank.header.peaks[view.memory];
  if (!peak || rank.ops === 0) return;
  const at = peak.moment / 2;
  const width = rank.ops <= FEW_OPS ? rank.ops : Math.min(view.to - view.from, Math.max(FEW_OPS / 2, rank.ops / 20));
  const [from, to] = clampRange(at - width / 2, at + width / 2, rank.ops);
  store.set({ from, to, op: peak.op, buffer: null, moment: null });
}

// Single tensors stacked over the pixel columns of a chart. Only those that can be seen are laid out: what is drawn grows
// with the window, not with the run.
import { lifeEnd } from "./live";
import { BUFFER_MEMORIES } from "./rank";
import type { BufferMemory, RankData } from "./rank";

export interface StackView {
  memory: BufferMemory;
  /** The moment that each column shows, ascending. */
  moments: Float64Array;
  /** Smaller tensors are not laid out. */
  leastBytes: number;
  /** Place of each kind from the bottom up; below 0: left out. */
  order: Int8Array;
}

export interface TensorStack {
  /** Bottom up: by kind, then those that live longest. */
  tensors: Uint32Array;
  /** Columns [from, to) that each is live in. */
  from: Uint32Array;
  to: Uint32Array;
}

/** No more are laid out; the others count as small ones. */
const MOST = 3000;

/** First column whose moment is at or behind the given one. */
function columnOf(moments: Float64Array, moment: number): number {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (moments[middle] >= moment) high = middle;
    else low = middle + 1;
  }
  return low;
}

function candidates(rank: RankData, view: StackView): number[] {
  const { count, born, died, bytes, memory, kind } = rank.buffers;
  const wanted = BUFFER_MEMORIES.indexOf(view.memory);
  const first = view.moments[0];
  const last = view.moments[view.moments.length - 1];
  const found: number[] = [];
  for (let i = 0; i < count; i++) {
    if (bytes[i] < view.leastBytes || memory[i] !== wanted || born[i] > last || lifeEnd(died[i]) <= first) continue;
    if (view.order[kind[i]] >= 0) found.push(i);
  }
  return found;
}

export function stackTensors(rank: RankData, view: StackView): TensorStack {
  const { born, died, bytes, kind } = rank.buffers;
  const placed = candidates(rank, view)
    .map((buffer) => ({ buffer, from: columnOf(view.moments, born[buffer]), to: columnOf(view.moments, lifeEnd(died[buffer])) }))
    .filter((one) => one.to > one.from);
  if (placed.length > MOST) {
    const area = (one: { buffer: number; from: number; to: number }) => bytes[one.buffer] * (one.to - one.from);
    placed.sort((a, b) => area(b) - area(a));
    placed.length = MOST;
  }
  placed.sort(
    (a, b) => view.order[kind[a.buffer]] - view.order[kind[b.buffer]] || b.to - b.from - (a.to - a.from) || a.buffer - b.buffer,
  );
  return {
    tensors: Uint32Array.from(placed, (one) => one.buffer),
    from: Uint32Array.from(placed, (one) => one.from),
    to: Uint32Array.from(placed, (one) => one.to),
  };
}

/** Calls back for stretches of columns in which a tensor lies at the same height; returns the top of all, for each column. */
export function visitStack(
  rank: RankData,
  stack: TensorStack,
  columns: number,
  visit: (buffer: number, stretch: { from: number; to: number; low: number; high: number }) => void,
): Float64Array {
  const tops = new Float64Array(columns);
  for (let i = 0; i < stack.tensors.length; i++) {
    const size = rank.buffers.bytes[stack.tensors[i]];
    let start = stack.from[i];
    for (let c = start; c < stack.to[i]; c++) {
      const low = tops[c];
      const isLast = c + 1 === stack.to[i];
      tops[c] = low + size;
      if (!isLast && tops[c + 1] === low) continue;
      visit(stack.tensors[i], { from: start, to: c + 1, low, high: low + size });
      start = c + 1;
    }
  }
  return tops;
}

/** The tensor that lies at a height of a column; null: none of those laid out. */
export function tensorAt(rank: RankData, stack: TensorStack, column: number, height: number): number | null {
  let low = 0;
  for (let i = 0; i < stack.tensors.length; i++) {
    if (column < stack.from[i] || column >= stack.to[i]) continue;
    const high = low + rank.buffers.bytes[stack.tensors[i]];
    if (height >= low && height < high) return stack.tensors[i];
    low = high;
  }
  return null;
}

// Memory before and after an op, from the measured (or modelled) points of a rank.

import { NONE } from "../data/rank";
import type { Memory, RankData } from "../data/rank";

/** One state of one memory, bytes per bank; NaN where it is not known. */
export interface MemoryState {
  allocated: number;
  free: number;
  largest: number;
  /** Log line of the memory block; 0 where there is none. */
  line: number;
  /** Less what changed between the op and the block that shows it. */
  adjusted: boolean;
}

const UNKNOWN: MemoryState = { allocated: NaN, free: NaN, largest: NaN, line: 0, adjusted: false };

const pointsOfRanks = new WeakMap<RankData, Uint32Array>();

/** For each op the last point at or before the moment before it; NONE where there is none. One pass, cached. */
export function pointsBefore(rank: RankData): Uint32Array {
  let result = pointsOfRanks.get(rank);
  if (result) return result;
  result = new Uint32Array(rank.ops);
  const moments = rank.points.moment;
  let point = 0;
  for (let op = 0; op < rank.ops; ++op) {
    while (point < moments.length && moments[point] <= 2 * op) ++point;
    result[op] = point === 0 ? NONE : point - 1;
  }
  pointsOfRanks.set(rank, result);
  return result;
}

/** Log line of an op; NaN where the input does not tell. */
export function lineOf(rank: RankData, op: number): number {
  const line = rank.line[op];
  return line === undefined || line === 0 || line === NONE ? NaN : line;
}

/** First entry of an ascending array that is not below `value`. */
export function lowerBound(sorted: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What came or went between ops just before `op`, bytes per bank. */
function changeBefore(rank: RankData, op: number, memory: Memory): number {
  if (memory !== "DRAM" && memory !== "L1") return 0;
  const { op: ops } = rank.changes;
  const deltas = rank.changes.bytes[memory];
  let sum = 0;
  for (let i = lowerBound(ops, op); i < ops.length && ops[i] === op; ++i) sum += deltas[i];
  return sum;
}

/** The allocated bytes per bank that a point shows; NaN when it has none. */
function allocatedAt(rank: RankData, point: number, memory: Memory): number {
  const column = rank.points.alloc[memory];
  return column === undefined || point === NONE || point >= column.length ? NaN : rank.points.toBytes(column[point]);
}

export function allocatedBefore(rank: RankData, op: number, memory: Memory): number {
  return allocatedAt(rank, pointsBefore(rank)[op], memory);
}

/** The point that shows what op left behind: the next one, when no other op ran in between. */
function pointAfter(rank: RankData, op: number): number {
  const before = pointsBefore(rank)[op];
  const next = before === NONE ? 0 : before + 1;
  return next < rank.points.moment.length && rank.points.moment[next] <= 2 * op + 2 ? next : NONE;
}

export function allocatedAfter(rank: RankData, op: number, memory: Memory): number {
  const point = pointAfter(rank, op);
  if (point === NONE) return NaN;
  const odd = (rank.points.moment[point] & 1) === 1;
  return allocatedAt(rank, point, memory) - (odd ? 0 : changeBefore(rank, op + 1, memory));
}

function stateOfPoint(rank: RankData, point: number, memory: Memory, less: number): MemoryState {
  if (point === NONE) return UNKNOWN;
  const { free, largest, line, toBytes } = rank.points;
  const adjusted = less !== 0;
  return {
    allocated: allocatedAt(rank, point, memory) - less,
    free: free[memory] && !adjusted ? toBytes(free[memory][point]) : NaN,
    largest: largest[memory] && !adjusted ? toBytes(largest[memory][point]) : NaN,
    line: line[point] ?? 0,
    adjusted,
  };
}

export function stateBefore(rank: RankData, op: number, memory: Memory): MemoryState {
  return stateOfPoint(rank, pointsBefore(rank)[op] ?? NONE, memory, 0);
}

export function stateAfter(rank: RankData, op: number, memory: Memory): MemoryState {
  const point = pointAfter(rank, op);
  if (point === NONE) return UNKNOWN;
  const odd = (rank.points.moment[point] & 1) === 1;
  return stateOfPoint(rank, point, memory, odd ? 0 : changeBefore(rank, op + 1, memory));
}

/** State at a moment: 2*i before op i, 2*i + 1 once it is done. */
export function stateAt(rank: RankData, moment: number, memory: Memory): MemoryState {
  const op = moment >>> 1;
  if (op >= rank.ops) return stateOfPoint(rank, rank.points.moment.length - 1, memory, 0);
  return (moment & 1) === 1 ? stateAfter(rank, op, memory) : stateBefore(rank, op, memory);
}

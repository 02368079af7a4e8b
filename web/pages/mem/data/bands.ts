// Program executions as bands above the curve. There may be a hundred thousand: only those that a pixel can show are visited.
import { NONE } from "./rank";
import type { Programs } from "./rank";

export interface Bands {
  /** By depth (0: outermost), programs in order of their first op. */
  rows: { program: Uint32Array; first: Uint32Array; end: Uint32Array }[];
}

const MOST_ROWS = 2;

function depthOf(programs: Programs, program: number): number {
  let depth = 0;
  let parent = programs.parent[program];
  // A damaged page may hold a circle of parents; the limit ends it.
  while (parent !== NONE && parent < programs.count && depth < MOST_ROWS - 1) {
    depth++;
    parent = programs.parent[parent];
  }
  return depth;
}

const known = new WeakMap<Programs, Bands>();

export function bandsOf(programs: Programs): Bands {
  const before = known.get(programs);
  if (before) return before;
  const rows: number[][] = [];
  for (let program = 0; program < programs.count; program++) {
    if (programs.end[program] <= programs.first[program]) continue;
    (rows[depthOf(programs, program)] ??= []).push(program);
  }
  const bands: Bands = { rows: [] };
  for (const row of rows) {
    if (!row) continue;
    row.sort((a, b) => programs.first[a] - programs.first[b] || a - b);
    bands.rows.push({
      program: Uint32Array.from(row),
      first: Uint32Array.from(row, (program) => programs.first[program]),
      end: Uint32Array.from(row, (program) => programs.end[program]),
    });
  }
  known.set(programs, bands);
  return bands;
}

/** First place in an ascending array whose value is above `limit`. */
function firstAbove(ascending: Uint32Array, limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Visits the bands of a row that touch the ops [from, to]; of several that begin within `step` ops only the first, so
 * that the cost follows the pixels and not the programs.
 */
export function visitBands(
  row: Bands["rows"][number],
  visible: { from: number; to: number; step: number },
  visit: (program: number, first: number, end: number) => void,
): void {
  let at = firstAbove(row.end, visible.from);
  while (at < row.program.length && row.first[at] < visible.to) {
    visit(row.program[at], row.first[at], row.end[at]);
    const next = firstAbove(row.first, row.first[at] + visible.step - 1e-9);
    at = Math.max(at + 1, next);
  }
}

/** The program of a row that holds the op; -1 when none does. */
export function bandAt(row: Bands["rows"][number], op: number): number {
  const at = firstAbove(row.first, op) - 1;
  return at >= 0 && op < row.end[at] ? row.program[at] : -1;
}

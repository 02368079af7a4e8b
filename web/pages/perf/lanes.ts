// Where ops lie on the time axis. Each device has a timer of its own, so a lane is laid out from its first op on.
import type { PerfData } from "./data";

export interface Lane {
  device: number;
  /** Executions [first, end). */
  first: number;
  end: number;
}

export interface Layout {
  lanes: Lane[];
  /** Start of each execution in microseconds. */
  start: Float64Array;
  /** End of the longest lane. */
  span: number;
  /** Whether long gaps are drawn shorter than they were. */
  cuts: boolean;
}

/** Gaps over this are drawn as this long unless all of them are wanted: compilation takes seconds, ops take microseconds. */
export const LONGEST_SHOWN_GAP_US = 20;

export function layOut(data: PerfData, wholeGaps: boolean): Layout {
  const { executions } = data;
  const start = new Float64Array(executions.count);
  const lanes: Lane[] = [];
  let at = 0;
  let span = 0;
  for (let i = 0; i < executions.count; i++) {
    const isNew = lanes.length === 0 || lanes[lanes.length - 1].device !== executions.device[i];
    if (isNew) {
      lanes.push({ device: executions.device[i], first: i, end: i });
      at = 0;
    }
    const gap = isNew ? 0 : Math.max(0, executions.gapNs[i]) / 1000;
    at += wholeGaps ? gap : Math.min(gap, LONGEST_SHOWN_GAP_US);
    start[i] = at;
    at += Math.max(0, executions.ns[i]) / 1000;
    lanes[lanes.length - 1].end = i + 1;
    span = Math.max(span, at);
  }
  return { lanes, start, span: Math.max(span, 1), cuts: !wholeGaps };
}

/** End of an execution on the axis. */
export function endOf(data: PerfData, layout: Layout, execution: number): number {
  return layout.start[execution] + Math.max(0, data.executions.ns[execution]) / 1000;
}

/** The last execution of a lane that starts at or before `time`; the first one when none does. */
export function executionAt(layout: Layout, lane: Lane, time: number): number {
  let low = lane.first;
  let high = lane.end - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (layout.start[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The execution of a row of the table in a lane, whose executions are in the order of the table; null: this device did not run it. */
export function executionOfRow(data: PerfData, lane: Lane, row: number): number | null {
  let low = lane.first;
  let high = lane.end - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (data.executions.row[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low < lane.end && data.executions.row[low] === row ? low : null;
}

/** A stretch of ops behind one signpost. */
export interface Band {
  signpost: number;
  /** Executions [first, end) of the first lane. */
  first: number;
  end: number;
}

export function bandsOf(data: PerfData, lane: Lane | undefined): Band[] {
  const bands: Band[] = [];
  if (!lane) return bands;
  for (let i = lane.first; i < lane.end; i++) {
    const signpost = data.executions.signpost[i];
    const last = bands[bands.length - 1];
    if (last && last.signpost === signpost) last.end = i + 1;
    else bands.push({ signpost, first: i, end: i + 1 });
  }
  return bands;
}

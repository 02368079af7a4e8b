// Where ops lie on the time axis: all devices on the clock of the run, or, without cycles, each from its first op on.
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
  /** Whether all lanes are on the clock of the run; else each begins at its first op. */
  isOneClock: boolean;
}

/** Gaps over this are drawn as this long unless all of them are wanted: compilation takes seconds, ops take microseconds. */
export const LONGEST_SHOWN_GAP_US = 20;

/** The executions of each device. */
function lanesOf({ executions }: PerfData): Lane[] {
  const lanes: Lane[] = [];
  for (let i = 0; i < executions.count; i++) {
    const last = lanes[lanes.length - 1];
    if (last && last.device === executions.device[i]) last.end = i + 1;
    else lanes.push({ device: executions.device[i], first: i, end: i + 1 });
  }
  return lanes;
}

/** Microseconds that an execution takes. */
const lengthOf = ({ executions }: PerfData, execution: number) => Math.max(0, executions.ns[execution]) / 1000;

/** Without cycles: op behind op with the recorded gaps between, each lane from 0 on. */
function byGaps(data: PerfData, lanes: Lane[], longestGap: number): Float64Array {
  const start = new Float64Array(data.executions.count);
  for (const lane of lanes) {
    let at = 0;
    for (let i = lane.first; i < lane.end; i++) {
      if (i > lane.first) at += Math.min(Math.max(0, data.executions.gapNs[i]) / 1000, longestGap);
      start[i] = at;
      at += lengthOf(data, i);
    }
  }
  return start;
}

/** On the clock of the run; an op that has no time lies behind the one before it. */
function byClock(data: PerfData, lanes: Lane[]): Float64Array {
  const start = new Float64Array(data.executions.count);
  for (const lane of lanes) {
    let at = 0;
    for (let i = lane.first; i < lane.end; i++) {
      start[i] = data.executions.startNs[i] >= 0 ? data.executions.startNs[i] / 1000 : at;
      at = start[i] + lengthOf(data, i);
    }
  }
  return start;
}

/** Takes time out of the axis in which no device works: the lanes stay on one clock. */
function cutCommonGaps(data: PerfData, lanes: Lane[], start: Float64Array): void {
  const next = lanes.map((lane) => lane.first);
  let reached = 0;
  let cut = 0;
  for (;;) {
    let first = -1;
    for (let lane = 0; lane < lanes.length; lane++) {
      if (next[lane] < lanes[lane].end && (first < 0 || start[next[lane]] < start[next[first]])) first = lane;
    }
    if (first < 0) return;
    const execution = next[first]++;
    cut += Math.max(0, start[execution] - reached - LONGEST_SHOWN_GAP_US);
    reached = Math.max(reached, start[execution] + lengthOf(data, execution));
    start[execution] -= cut;
  }
}

export function layOut(data: PerfData, wholeGaps: boolean): Layout {
  const lanes = lanesOf(data);
  const isOneClock = data.executions.startNs.some((ns) => ns >= 0);
  const start = isOneClock ? byClock(data, lanes) : byGaps(data, lanes, wholeGaps ? Infinity : LONGEST_SHOWN_GAP_US);
  if (isOneClock && !wholeGaps) cutCommonGaps(data, lanes, start);
  let span = 1;
  for (let i = 0; i < start.length; i++) span = Math.max(span, start[i] + lengthOf(data, i));
  return { lanes, start, span, cuts: !wholeGaps, isOneClock };
}

/** Whether the wait before an execution is drawn shorter than it was. */
export function isCut(data: PerfData, layout: Layout, execution: number): boolean {
  const drawn = layout.start[execution] - endOf(data, layout, execution - 1);
  return layout.cuts && data.executions.gapNs[execution] / 1000 > drawn + 1;
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

/** The execution of a row of the table in a lane; null: this device did not run it. */
export function executionOfRow(data: PerfData, lane: Lane, row: number): number | null {
  const at = data.executions.row.subarray(lane.first, lane.end).indexOf(row);
  return at < 0 ? null : lane.first + at;
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

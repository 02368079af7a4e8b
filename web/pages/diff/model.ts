// What the program put into the page, and the places of ops on the common axis.
import { bytes, count, span } from "kit/format";

export type Kind = 0 | 1 | 2 | 3 | 4;
export const SAME = 0;
export const CHANGED = 1;
export const MOVED = 2;
export const ADDED = 3;
export const REMOVED = 4;
export const KIND_WORDS = ["same", "changed", "moved", "new", "gone"] as const;

/** Label, kind, cost before and after, gaps, rows, places in the runs, confidence, number of the same op in the other report. */
type OpRow = [number, Kind, number | null, number | null, number, number, number | null, number | null, number | null, number | null, number, number | null];

export interface Change {
  kind: string;
  text: string;
  change: number;
  unannounced: boolean;
  ops: number[];
}

export interface Total {
  name: string;
  unit: string;
  before: number | null;
  after: number | null;
}

export type Sum = [string, number, number];

export interface Side {
  input: string;
  what: string;
  device: string;
}

export interface Report {
  different: boolean;
  verdict: string;
  cost: string;
  unit: string;
  row: string;
  remark: string;
  left_over_text: string;
  left_over: number;
  band: number;
  before: Side;
  after: Side;
  cautions: string[];
  warnings: string[];
  totals: Total[];
  changes: Change[];
  categories: Sum[];
  movement: Sum[];
  classes: Sum[];
  placements: Sum[];
  layers: Sum[];
  devices: Sum[];
  ops: OpRow[];
  labels: string[];
}

export interface Document {
  tool: { version: string };
  reports: Report[];
}

/** An op, or a pair of them, as the page shows it. */
export interface Op {
  index: number;
  label: string;
  kind: Kind;
  before: number | null;
  after: number | null;
  gapBefore: number;
  gapAfter: number;
  beforeRow: number | null;
  afterRow: number | null;
  confidence: number;
  /** Number of the change that it is part of; -1: of none. */
  change: number;
  /** Number of the same op in the report of the other subject; null: it has none. */
  beside: number | null;
}

export function opsOf(report: Report): Op[] {
  const changeOf = new Int32Array(report.ops.length).fill(-1);
  report.changes.forEach((change, number) => change.ops.forEach((op) => (changeOf[op] = number)));
  return report.ops.map((row, index) => ({
    index,
    label: report.labels[row[0]] ?? "",
    kind: row[1],
    before: row[2],
    after: row[3],
    gapBefore: row[4],
    gapAfter: row[5],
    beforeRow: row[6],
    afterRow: row[7],
    confidence: row[10],
    change: changeOf[index],
    beside: row[11],
  }));
}

const WORTH_TELLING_US = 0.5;

export const gapChange = (op: Op) => op.gapAfter - op.gapBefore;

/** Ops whose gap changed by half a microsecond or more, most first. */
export function opsByGapChange(ops: Op[]): Op[] {
  return ops.filter((op) => Math.abs(gapChange(op)) >= WORTH_TELLING_US).sort((a, b) => Math.abs(gapChange(b)) - Math.abs(gapChange(a)));
}

export const changeOfOp = (op: Op) => (op.after ?? 0) - (op.before ?? 0);

/** One run on the axis: where each of its ops begins and ends, in the order in which they ran. */
export interface Lane {
  /** Ops, by their number in the report. */
  ops: Uint32Array;
  begins: Float64Array;
  ends: Float64Array;
  /** Place in the arrays above, by number of the op; -1: it is not in this run. */
  places: Int32Array;
  end: number;
}

function laneOf(report: Report, cost: 2 | 3, gap: 4 | 5, place: 8 | 9): Lane {
  const present = report.ops.map((_, index) => index).filter((index) => report.ops[index][place] !== null);
  present.sort((a, b) => (report.ops[a][place] ?? 0) - (report.ops[b][place] ?? 0));
  const lane: Lane = {
    ops: Uint32Array.from(present),
    begins: new Float64Array(present.length),
    ends: new Float64Array(present.length),
    places: new Int32Array(report.ops.length).fill(-1),
    end: 0,
  };
  present.forEach((index, i) => {
    const row = report.ops[index];
    lane.end += Math.max(0, row[gap]);
    lane.begins[i] = lane.end;
    // What takes less than nothing is a correction and has no place.
    lane.end += Math.max(0, row[cost] ?? 0);
    lane.ends[i] = lane.end;
    lane.places[index] = i;
  });
  return lane;
}

export interface Lanes {
  before: Lane;
  after: Lane;
  end: number;
}

export function lanesOf(report: Report): Lanes {
  const before = laneOf(report, 2, 4, 8);
  const after = laneOf(report, 3, 5, 9);
  return { before, after, end: Math.max(before.end, after.end, 1e-9) };
}

/** The first op of a lane that ends behind `at`. */
export function firstBehind(lane: Lane, at: number): number {
  let low = 0;
  let high = lane.ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lane.ends[middle] > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The op of a lane at a place of the axis; -1: none is there. */
export function opAt(lane: Lane, at: number, slack: number): number {
  const place = firstBehind(lane, at - slack);
  return place < lane.ops.length && lane.begins[place] <= at + slack ? lane.ops[place] : -1;
}

/** The stretch of the axis that ops take in both runs, with air around; null: they take none. */
export function stretchOf(lanes: Lanes, ops: readonly number[]): [number, number] | null {
  let from = Infinity;
  let to = -Infinity;
  for (const lane of [lanes.before, lanes.after]) {
    for (const op of ops) {
      const place = lane.places[op];
      if (place < 0) continue;
      from = Math.min(from, lane.begins[place]);
      to = Math.max(to, lane.ends[place]);
    }
  }
  if (!(to >= from)) return null;
  const air = Math.max((to - from) * 0.15, lanes.end * 0.005);
  return [Math.max(0, from - air), Math.min(lanes.end, to + air)];
}

export function amount(value: number, unit: string): string {
  if (unit === "us") return value < 0 ? `-${span(-value)}` : span(value);
  if (unit === "bytes") return bytes(value);
  if (unit === "flag") return value > 0 ? "yes" : "no";
  return count(value);
}

export const signedAmount = (value: number, unit: string) => (value > 0 ? `+${amount(value, unit)}` : amount(value, unit));

/** What the address of the page keeps. */
export interface View {
  report: number;
  change: number;
  from: number;
  to: number;
}

export function viewOf(fragment: string, document: Document): View {
  const values = new URLSearchParams(fragment.replace(/^#/, ""));
  const number = (name: string) => Number.parseFloat(values.get(name) ?? "");
  const report = number("report");
  const view = { report: report > 0 && report < document.reports.length ? Math.floor(report) : 0, change: -1, from: 0, to: 0 };
  const change = number("change");
  if (change >= 0 && change < document.reports[view.report].changes.length) view.change = Math.floor(change);
  const from = number("from");
  const to = number("to");
  return to > from && from >= 0 ? { ...view, from, to } : view;
}

export function fragmentOf(view: View): string {
  const values = new URLSearchParams();
  if (view.report > 0) values.set("report", String(view.report));
  if (view.change >= 0) values.set("change", String(view.change));
  if (view.to > view.from) {
    values.set("from", view.from.toPrecision(6));
    values.set("to", view.to.toPrecision(6));
  }
  return values.toString();
}

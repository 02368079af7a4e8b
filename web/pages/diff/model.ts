// What the program put into the page, and the places of ops on the common axis.
import { Columns, NONE } from "kit/data/decode";
import type { BlobSource, ColumnInfo } from "kit/data/decode";
import { bytes, count, span } from "kit/format";

export type Kind = 0 | 1 | 2 | 3 | 4;
export const SAME = 0;
export const CHANGED = 1;
export const MOVED = 2;
export const ADDED = 3;
export const REMOVED = 4;
export const KIND_WORDS = ["same", "changed", "moved", "new", "gone"] as const;

export interface Change {
  text: string;
  change: number;
  unannounced: boolean;
}

/** The ops of a report, place by place; NONE where a number is not there. */
export interface OpColumns {
  /** As a Kind, and GAP_BIT where the gap before the op is another one. */
  kind: Uint8Array;
  label: Uint32Array;
  labels: string[];
  /** Number of the change that it is part of. */
  change: Uint32Array;
  /** Whole numbers, `scale` times what they are. */
  before: Float64Array;
  after: Float64Array;
  gapBefore: Float64Array;
  gapAfter: Float64Array;
  /** -1: it is not there. */
  beforeRow: Float64Array;
  afterRow: Float64Array;
  beforePlace: Uint32Array;
  afterPlace: Uint32Array;
  /** In percent. */
  sure: Uint8Array;
  /** Number of the same op in the report of the other subject. */
  beside: Uint32Array;
}

export const GAP_BIT = 8;

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
  /** What costs in columns are multiplied by. */
  scale: number;
  ops: OpColumns;
}

export interface Document {
  tool: { version: string };
  reports: Report[];
}

/** The document as it stands in the page: ops are columns beside it. */
export interface PageDocument {
  tool: { version: string };
  reports: Omit<Report, "ops">[];
  columns: Record<string, ColumnInfo>;
}

async function readOps(columns: Columns, prefix: string): Promise<OpColumns> {
  return {
    kind: await columns.u8(`${prefix}kind`),
    label: await columns.u32(`${prefix}label`),
    labels: await columns.strings(`${prefix}labels`),
    change: await columns.u32(`${prefix}change`),
    before: await columns.f64(`${prefix}before`),
    after: await columns.f64(`${prefix}after`),
    gapBefore: await columns.f64(`${prefix}gap_before`),
    gapAfter: await columns.f64(`${prefix}gap_after`),
    beforeRow: await columns.f64(`${prefix}before_row`),
    afterRow: await columns.f64(`${prefix}after_row`),
    beforePlace: await columns.u32(`${prefix}before_place`),
    afterPlace: await columns.u32(`${prefix}after_place`),
    sure: await columns.u8(`${prefix}sure`),
    beside: await columns.u32(`${prefix}beside`),
  };
}

export async function readDocument(page: PageDocument, source: BlobSource): Promise<Document> {
  const columns = new Columns(source, page.columns);
  const reports: Report[] = [];
  for (const [number, report] of page.reports.entries()) reports.push({ ...report, ops: await readOps(columns, `ops${number}.`) });
  return { tool: page.tool, reports };
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
  /** The gap before it is another one, beyond noise. */
  isOtherGap: boolean;
  /** How far the pair can be relied on, in percent. */
  sure: number;
  /** Number of the change that it is part of; -1: of none. */
  change: number;
  /** Number of the same op in the report of the other subject; null: it has none. */
  beside: number | null;
}

export function opsOf({ ops, scale }: Report): Op[] {
  const orNull = (value: number, missing: number) => (value === missing ? null : value);
  return Array.from(ops.kind, (kind, index) => ({
    index,
    label: ops.labels[ops.label[index]] ?? "",
    kind: (kind & (GAP_BIT - 1)) as Kind,
    before: ops.beforePlace[index] === NONE ? null : ops.before[index] / scale,
    after: ops.afterPlace[index] === NONE ? null : ops.after[index] / scale,
    gapBefore: ops.gapBefore[index] / scale,
    gapAfter: ops.gapAfter[index] / scale,
    beforeRow: orNull(ops.beforeRow[index], -1),
    afterRow: orNull(ops.afterRow[index], -1),
    isOtherGap: (kind & GAP_BIT) !== 0,
    sure: ops.sure[index],
    change: ops.change[index] === NONE ? -1 : ops.change[index],
    beside: orNull(ops.beside[index], NONE),
  }));
}

/** The ops of a change. */
export const opsOfChange = (ops: Op[], change: number) => ops.filter((op) => op.change === change).map((op) => op.index);

const WORTH_TELLING_US = 0.5;

export const gapChange = (op: Op) => op.gapAfter - op.gapBefore;

/** Ops whose gap is another one, or came or went with them, most first. */
export function opsByGapChange(ops: Op[]): Op[] {
  const isSingle = (op: Op) => op.before === null || op.after === null;
  return ops.filter((op) => op.isOtherGap || (isSingle(op) && Math.abs(gapChange(op)) >= WORTH_TELLING_US)).sort((a, b) => Math.abs(gapChange(b)) - Math.abs(gapChange(a)));
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

function laneOf(places: Uint32Array, costs: Float64Array, gaps: Float64Array, scale: number): Lane {
  const present = places.reduce((all, place) => all + Number(place !== NONE), 0);
  const lane: Lane = {
    ops: new Uint32Array(present),
    begins: new Float64Array(present),
    ends: new Float64Array(present),
    places: new Int32Array(places.length).fill(-1),
    end: 0,
  };
  const last = places.reduce((most, place) => (place === NONE ? most : Math.max(most, place)), -1);
  const opAtPlace = new Int32Array(last + 1).fill(-1);
  places.forEach((place, index) => place !== NONE && (opAtPlace[place] = index));
  let i = 0;
  for (const index of opAtPlace) {
    if (index < 0) continue;
    lane.end += Math.max(0, gaps[index]) / scale;
    lane.ops[i] = index;
    lane.begins[i] = lane.end;
    // What takes less than nothing is a correction and has no place.
    lane.end += Math.max(0, costs[index]) / scale;
    lane.ends[i] = lane.end;
    lane.places[index] = i++;
  }
  return lane;
}

export interface Lanes {
  before: Lane;
  after: Lane;
  end: number;
}

export function lanesOf(report: Report): Lanes {
  const { ops, scale } = report;
  const before = laneOf(ops.beforePlace, ops.before, ops.gapBefore, scale);
  const after = laneOf(ops.afterPlace, ops.after, ops.gapAfter, scale);
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

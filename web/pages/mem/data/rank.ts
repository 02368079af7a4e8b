// The columns of one rank, as typed arrays; docs/formats/report_page.md says what each holds.
import { Columns } from "kit/data/decode";
import type { Figures } from "kit/data/decode";
import { lastAtOrBelow } from "kit/data/pyramid";

export type Memory = "DRAM" | "L1" | "L1_SMALL" | "TRACE";
export type BufferMemory = "DRAM" | "L1";

export const MEMORIES: readonly Memory[] = ["DRAM", "L1", "L1_SMALL", "TRACE"];
export const BUFFER_MEMORIES: readonly BufferMemory[] = ["DRAM", "L1"];

/** "None" in every index column. */
export { NONE } from "kit/data/decode";
export type { Figures } from "kit/data/decode";
export { lastAtOrBelow } from "kit/data/pyramid";

export const FLAG_COUNTED = 1;
export const FLAG_WEIGHT = 2;
export const FLAG_RETAINED = 4;
export const FLAG_CACHE_HIT = 8;
export const FLAG_CACHE_MISS = 16;

/** In the order of `buf.kind`. */
export const KINDS = ["unknown", "weight", "const_eval", "activation", "input"] as const;
export type Kind = (typeof KINDS)[number];
export const KIND_LABELS: Record<Kind, string> = {
  unknown: "unknown",
  weight: "weights",
  const_eval: "const-eval copies",
  activation: "activations",
  input: "inputs",
};

/** In the order of `op.conf.*`. */
export const CONFIDENCES = ["none", "measured", "derived", "modelled"] as const;

export interface RankPeak {
  bytes_per_bank: number;
  op: number | null;
  moment: number;
  at_program_start: boolean;
  confidence: string;
}

export interface RankHeader {
  number: number;
  label: string;
  file: number;
  ops: number;
  counted_ops: number;
  points: number;
  buffers: number;
  programs: number;
  changes: number;
  measured: boolean;
  has_op_lines: boolean;
  memory_unit: "milli_mib" | "bytes";
  capacity: Partial<Record<Memory, number>>;
  banks: Partial<Record<Memory, number>>;
  peaks: Partial<Record<Memory, RankPeak>>;
}

/** States of memory, ascending by moment. Figures are per bank, in the rank's unit: `toBytes` converts. */
export interface Points {
  count: number;
  moment: Uint32Array;
  line: Uint32Array;
  alloc: Partial<Record<Memory, Figures>>;
  free: Partial<Record<Memory, Figures>>;
  largest: Partial<Record<Memory, Figures>>;
  toBytes(value: number): number;
}

/** Tensors on the device. Live at moment t when born <= t < died. */
export interface Buffers {
  count: number;
  type: Uint32Array;
  name: Uint32Array;
  program: Uint32Array;
  op: Uint32Array;
  arg: Uint32Array;
  born: Uint32Array;
  died: Uint32Array;
  bytes: Float64Array;
  memory: Uint8Array;
  kind: Uint8Array;
}

/** Program instances: ops [first, end). flags: 1 const-eval. peak: DRAM bytes per bank. */
export interface Programs {
  count: number;
  name: Uint32Array;
  graph: Uint32Array;
  run: Uint32Array;
  parent: Uint32Array;
  caller: Uint32Array;
  first: Uint32Array;
  end: Uint32Array;
  line: Uint32Array;
  endLine: Uint32Array;
  flags: Uint8Array;
  peak: Float64Array;
}

/** Changes that no op made. cause: 0 program start, 1 program end, 2 unattributed. */
export interface Changes {
  count: number;
  cause: Uint8Array;
  op: Uint32Array;
  program: Uint32Array;
  bytes: Record<BufferMemory, Float64Array>;
}

/** Live totals before each op, of whole tensors; only where there are no buffers. */
export interface Totals {
  logical: Float64Array;
  padded: Float64Array;
  tensors: Float64Array;
}

/** Columns that the page lacks are filled with NONE (u32) or 0 (u8, i64), so that readers need no special case. */
export interface RankData {
  index: number;
  header: RankHeader;
  ops: number;
  /** False while only ops and curve are there. */
  complete: boolean;
  text: Uint32Array;
  loc: Uint32Array;
  program: Uint32Array;
  line: Uint32Array;
  flags: Uint8Array;
  grow: Record<BufferMemory, Float64Array>;
  conf: Record<BufferMemory, Uint8Array>;
  points: Points;
  buffers: Buffers;
  programs: Programs;
  changes: Changes;
  dupWeight: Uint32Array;
  dupCopy: Uint32Array;
  totals: Partial<Record<BufferMemory, Totals>> | null;
}

const BYTES_PER_MILLI_MIB = 1048576 / 1000;
const NO_LINES = new Uint32Array(0);

/** Moments, and what is allocated in DRAM: what is needed first. */
export async function loadCurve(columns: Columns, index: number, header: RankHeader): Promise<Points> {
  const prefix = `r${index}.`;
  const milli = header.memory_unit === "milli_mib";
  const moment = await columns.u32(`${prefix}pt.moment`);
  const points: Points = {
    count: moment.length,
    moment,
    line: NO_LINES,
    alloc: {},
    free: {},
    largest: {},
    toBytes: (value) => (milli ? value * BYTES_PER_MILLI_MIB : value),
  };
  const figures = await columns.figures(`${prefix}pt.DRAM.alloc`);
  if (figures) points.alloc.DRAM = figures;
  return points;
}

/** The curve of every memory: all that an overlay of ranks needs. */
export async function loadAllocated(columns: Columns, index: number, curve: Points): Promise<Points> {
  const points: Points = { ...curve, alloc: { ...curve.alloc } };
  for (const memory of MEMORIES) {
    if (points.alloc[memory]) continue;
    const figures = await columns.figures(`r${index}.pt.${memory}.alloc`);
    if (figures) points.alloc[memory] = figures;
  }
  return points;
}

/** Everything else that a memory line says. */
async function loadPoints(columns: Columns, prefix: string, allocated: Points): Promise<Points> {
  const points: Points = { ...allocated, line: await columns.u32(`${prefix}pt.line`, allocated.count), free: {}, largest: {} };
  for (const memory of MEMORIES) {
    for (const what of ["free", "largest"] as const) {
      const figures = await columns.figures(`${prefix}pt.${memory}.${what}`);
      if (figures) points[what][memory] = figures;
    }
  }
  return points;
}

async function loadBuffers(columns: Columns, prefix: string): Promise<Buffers> {
  const born = await columns.u32(`${prefix}buf.born`);
  const count = born.length;
  const index = (name: string) => columns.u32(`${prefix}buf.${name}`, count);
  return {
    count,
    born,
    type: await index("type"),
    name: await index("name"),
    program: await index("program"),
    op: await index("op"),
    arg: await index("arg"),
    died: await index("died"),
    bytes: await columns.f64(`${prefix}buf.bytes`, count),
    memory: await columns.u8(`${prefix}buf.memory`, count),
    kind: await columns.u8(`${prefix}buf.kind`, count),
  };
}

async function loadPrograms(columns: Columns, prefix: string): Promise<Programs> {
  const first = await columns.u32(`${prefix}prog.first`);
  const count = first.length;
  const index = (name: string) => columns.u32(`${prefix}prog.${name}`, count);
  return {
    count,
    first,
    name: await index("name"),
    graph: await index("graph"),
    run: await index("run"),
    parent: await index("parent"),
    caller: await index("caller"),
    end: await index("end"),
    line: await index("line"),
    endLine: await index("end_line"),
    flags: await columns.u8(`${prefix}prog.flags`, count),
    peak: await columns.f64(`${prefix}prog.peak`, count),
  };
}

async function loadChanges(columns: Columns, prefix: string): Promise<Changes> {
  const cause = await columns.u8(`${prefix}chg.cause`);
  const count = cause.length;
  return {
    count,
    cause,
    op: await columns.u32(`${prefix}chg.op`, count),
    program: await columns.u32(`${prefix}chg.program`, count),
    bytes: {
      DRAM: await columns.f64(`${prefix}chg.DRAM`, count),
      L1: await columns.f64(`${prefix}chg.L1`, count),
    },
  };
}

async function loadTotals(columns: Columns, prefix: string, ops: number): Promise<RankData["totals"]> {
  const totals: Partial<Record<BufferMemory, Totals>> = {};
  for (const memory of BUFFER_MEMORIES) {
    if (!columns.has(`${prefix}tot.padded.${memory}`)) continue;
    totals[memory] = {
      logical: await columns.f64(`${prefix}tot.logical.${memory}`, ops),
      padded: await columns.f64(`${prefix}tot.padded.${memory}`, ops),
      tensors: await columns.f64(`${prefix}tot.tensors.${memory}`, ops),
    };
  }
  return Object.keys(totals).length > 0 ? totals : null;
}

const NOTHING = new Columns(() => null, {});

/** Ops and the DRAM curve, without L1, tensors, free blocks: enough for the timeline and the table to appear. */
export async function loadEarly(columns: Columns, index: number, header: RankHeader, curve: Points): Promise<RankData> {
  const prefix = `r${index}.`;
  const ops = header.ops;
  return {
    index,
    header,
    ops,
    complete: false,
    points: curve,
    text: await columns.u32(`${prefix}op.text`, ops),
    loc: await columns.u32(`${prefix}op.loc`, ops),
    program: await columns.u32(`${prefix}op.program`, ops),
    line: await columns.u32(`${prefix}op.line`, ops),
    flags: await columns.u8(`${prefix}op.flags`, ops),
    grow: { DRAM: await columns.f64(`${prefix}op.grow.DRAM`, ops), L1: new Float64Array(ops) },
    // "None" says of the growth in L1 that it is not known, which is true until the rest is there.
    conf: { DRAM: await columns.u8(`${prefix}op.conf.DRAM`, ops), L1: new Uint8Array(ops) },
    programs: await loadPrograms(columns, prefix),
    changes: await loadChanges(columns, prefix),
    buffers: await loadBuffers(NOTHING, prefix),
    dupWeight: NO_LINES,
    dupCopy: NO_LINES,
    totals: null,
  };
}

/** The rest. */
export async function loadRank(columns: Columns, early: RankData, allocated: Points): Promise<RankData> {
  const prefix = `r${early.index}.`;
  return {
    ...early,
    complete: true,
    grow: { DRAM: early.grow.DRAM, L1: await columns.f64(`${prefix}op.grow.L1`, early.ops) },
    conf: { DRAM: early.conf.DRAM, L1: await columns.u8(`${prefix}op.conf.L1`, early.ops) },
    points: await loadPoints(columns, prefix, allocated),
    buffers: await loadBuffers(columns, prefix),
    dupWeight: await columns.u32(`${prefix}dup.weight`),
    dupCopy: await columns.u32(`${prefix}dup.copy`),
    totals: await loadTotals(columns, prefix, early.ops),
  };
}

/** The last point at or before the moment; -1 if none. */
export function pointAt(rank: RankData, moment: number): number {
  return lastAtOrBelow(rank.points.moment, moment);
}

/** Bytes per bank allocated at a point; NaN where the memory has no figures or the point is none. */
export function allocatedAt(rank: RankData, memory: Memory, point: number): number {
  const figures = rank.points.alloc[memory];
  return figures && point >= 0 ? rank.points.toBytes(figures[point]) : NaN;
}

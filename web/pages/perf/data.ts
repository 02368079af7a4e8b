// What the page holds: a header, the JSON document without its ops, and the ops as columns.
import { Columns, NONE } from "kit/data/decode";
import type { ColumnInfo } from "kit/data/decode";

export interface PageHeader {
  name: string;
  categories: string[];
  colors: string[];
  causes: string[];
  limits: string[];
  models: string[];
  riscs: string[];
  signposts: string[];
  /** Device, x, y, busy cycles, runs. */
  cores: [number, number, number, number, number][];
  columns: Record<string, ColumnInfo>;
}

export interface Advice {
  key: string;
  title: string;
  detail: string;
  gain_us: number;
  once: boolean;
  basis: string;
  rows: number;
  first_rows: number[];
}

/** How the times of devices came about: nothing measured those of simulated chips. */
export function timeTag(document: PerfDocument): "measured" | "modelled" {
  return document.trust.capture_problems?.simulated_chips ? "modelled" : "measured";
}

export interface PerfDocument {
  tool?: { version: string };
  trust: {
    recognised: { rows: number; distinct_ops: number };
    /** What the figures lack because files or rows are not whole. */
    lost?: string[];
    problems: Record<string, { count: number; what: string; first_rows?: number[] }>;
    /** Of the profiler's files that the report was just made from. */
    capture_problems?: Record<string, { count: number; what: string; first_places: string[] }>;
    notes: string[];
    unclassified_ops?: string[];
  };
  device: {
    arch: string | null;
    clock_mhz: number | null;
    worker_cores: number | null;
    peak_dram_gb_s: number | null;
    peak_tflops_per_core: Record<string, number | null>;
    devices: number;
  };
  totals: { device_ops: number; host_ops: number; signposts: number; device_us: number; gap_us: number; compile_gap_us: number; counted_us: number; without_duration?: number };
  bounds: { bound: string; ops: number; device_us: number; ideal_us: number | null }[];
  gaps: { cause: string; what: string; ops: number; gap_us: number }[];
  categories: { category: string; ops: number; device_us: number; percent: number }[];
  modules?: { module: string; ops: number; device_us: number; percent: number }[];
  skew: {
    slowest_over_median_us: number;
    collective_wait_us: number;
    collective_late_us: number | null;
    devices: { device: number; ops: number; device_us: number; collective_us: number; collective_overlap_us: number | null; behind_us: number; slowest_ops: number }[];
    ops: { id: number; op: string; fastest_us: number; median_us: number; slowest_us: number; slowest_device: number }[];
  };
  advice: Advice[];
  zones?: Zone[];
  noc?: { op: string; call_count: number; device: number; transfers: number; bytes: number; cores: number }[];
  /** Of the window shown; null without cycles. */
  devices?: { device: number | null; wall_ns: number | null; busy_ns: number | null; idle_ns: number | null; compile_ns?: number | null }[];
  /** What computes and what only moves or converts data. */
  movement?: {
    classes: { class: string; device_us: number; percent: number | null }[];
    conversions: { op: string; class: string; ops: number; device_us: number; bytes: number | null; gb_s: number | null }[];
  };
  iterations?: { kind: string; name: string; count: number; cut?: number; mean_ns: number; spread_ns: number | null; least_ns: number; most_ns: number; times: { number: number; device: number | null; first_id: number }[] }[];
  /** Its parts are marks of executions. */
  critical_path?: { device: number | null; wall_us: number; part_count: number; mesh?: MeshAxis[] } | null;
}

/** Devices that meet in collectives, where not all do. */
export interface MeshAxis {
  cluster_axis: number | null;
  /** Of collectives that name no axis. */
  op: string | null;
  groups: number[][];
}

/** A zone of the device log on the processors of one name. */
export interface Zone {
  device: number;
  risc: string;
  zone: string;
  kind: string;
  count: number;
  cores: number;
  total_cycles: number;
  total_us: number | null;
  self_cycles: number | null;
  self_us: number | null;
  self_percent: number | null;
  min_value: number | null;
  max_value: number | null;
  source_file: string | null;
  source_line: string | null;
  /** Of what authors of kernels marked: the ops that it is longest in. */
  ops?: { call_count: number; count: number; cycles: number; us: number | null }[];
}

/** The ops of the run on each device: what the timeline draws. */
export interface Executions {
  count: number;
  device: Uint32Array;
  kind: Uint32Array;
  /** Id of its own row in the report; that of the table is of the device that stands for all. */
  id: Uint32Array;
  row: Uint32Array;
  signpost: Uint32Array;
  /** On the clock of the run; -1 where the report has no cycles. */
  startNs: Float64Array;
  /** ON_PATH, WAIT_ON_PATH. */
  path: Uint8Array;
  ns: Float64Array;
  gapNs: Float64Array;
  riscNs: Uint32Array[];
  /** Shortest, longest and mean kernel time of a core. */
  coreNs: Uint32Array[];
}

/** The rows of the table. Figures are -1 where there are none. */
export interface Rows {
  count: number;
  id: Uint32Array;
  x: Uint32Array;
  kind: Uint32Array;
  form: Uint8Array;
  cause: Uint8Array;
  limit: Uint8Array;
  model: Uint8Array;
  idealNs: Float64Array;
  deviceNs: Float64Array;
  gapNs: Float64Array;
  total: Float64Array;
  flops: Float64Array;
  tflops: Float64Array;
  dram: Float64Array;
  /** GLOBAL CALL COUNT of the device that stands for the op. */
  call: Float64Array;
}

export interface Kinds {
  label: string[];
  fidelity: string[];
  /** A tensor a line. */
  tensors: string[];
  attributes: string[];
  /** Where the model asks for it, as a compiler wrote it; empty where the report has none. */
  location: string[];
  computeKernels: string[];
  dataKernels: string[];
  category: Uint8Array;
  cores: Uint32Array;
  flops: Float64Array;
  bytes: Float64Array;
}

export interface PerfData {
  header: PageHeader;
  document: PerfDocument;
  executions: Executions;
  rows: Rows;
  kinds: Kinds;
}

function many(columns: Columns, name: string, count: number, length: number): Promise<Uint32Array[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => columns.u32(`${name}${i}`, length)));
}

async function readExecutions(columns: Columns, header: PageHeader): Promise<Executions> {
  const device = await columns.u32("x.device");
  return {
    count: device.length,
    device,
    kind: await columns.u32("x.kind"),
    id: await columns.u32("x.id"),
    row: await columns.u32("x.row"),
    signpost: await columns.u32("x.signpost"),
    startNs: await columns.f64("x.start_ns"),
    path: await columns.u8("x.path"),
    ns: await columns.f64("x.ns"),
    gapNs: await columns.f64("x.gap_ns"),
    riscNs: await many(columns, "x.risc", header.riscs.length, device.length),
    coreNs: await many(columns, "x.core", 3, device.length),
  };
}

async function readRows(columns: Columns): Promise<Rows> {
  const id = await columns.u32("t.id");
  return {
    count: id.length,
    id,
    x: await columns.u32("t.x"),
    kind: await columns.u32("t.kind"),
    form: await columns.u8("t.form"),
    cause: await columns.u8("t.cause"),
    limit: await columns.u8("t.limit"),
    model: await columns.u8("t.model"),
    idealNs: await columns.f64("t.ideal_ns"),
    deviceNs: await columns.f64("t.device_ns"),
    gapNs: await columns.f64("t.gap_ns"),
    total: await columns.f64("t.total"),
    flops: await columns.f64("t.flops"),
    tflops: await columns.f64("t.tflops"),
    dram: await columns.f64("t.dram"),
    call: await columns.f64("t.call"),
  };
}

export async function readData(header: PageHeader, document: PerfDocument, source: (id: string) => string | null): Promise<PerfData> {
  const columns = new Columns(source, header.columns);
  const kinds: Kinds = {
    label: await columns.strings("k.label"),
    fidelity: await columns.strings("k.fidelity"),
    tensors: await columns.strings("k.tensors"),
    attributes: await columns.strings("k.attributes"),
    location: await columns.strings("k.location"),
    computeKernels: await columns.strings("k.compute"),
    dataKernels: await columns.strings("k.data"),
    category: await columns.u8("k.category"),
    cores: await columns.u32("k.cores"),
    flops: await columns.f64("k.flops"),
    bytes: await columns.f64("k.bytes"),
  };
  return { header, document, executions: await readExecutions(columns, header), rows: await readRows(columns), kinds };
}

export { NONE };

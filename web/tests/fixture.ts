// A made-up run with everything a page can show: weights, const-eval programs, several runs, L1, views without growth.
import type { GraphHeader, PageHeader } from "../pages/mem/data/page";
import { NONE } from "../pages/mem/data/rank";
import { PageWriter } from "./encoder";

export interface FixtureOptions {
  layers: number;
  runs: number;
  ranks: number;
  seed: number;
  name: string;
}

export interface Fixture {
  header: PageHeader;
  mem: Record<string, unknown>;
  writer: PageWriter;
}

const MIB = 1048576;
const SHAPES = [
  ["768x768", "768x768", "bf16", 1179648, 1179648],
  ["1x197x768", "224x768", "bf16", 302592, 344064],
  ["768x3072", "768x3072", "bf16", 4718592, 4718592],
  ["1x197x3072", "224x3072", "bf16", 1210368, 1376256],
  ["1x197x1", "224x32", "f32", 788, 28672],
] as const;
const OPS = ["ttnn.matmul", "ttnn.add", "ttnn.gelu", "ttnn.layer_norm", "ttnn.deallocate", "ttnn.typecast", "ttnn.load_cached"];

export function random(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

interface Buffer {
  type: number;
  name: number;
  program: number;
  op: number;
  arg: number;
  born: number;
  died: number;
  bytes: number;
  memory: number;
  kind: number;
}

/** Executes the made-up model and notes what a log of it would tell. */
class Run {
  readonly op = { text: [] as number[], loc: [] as number[], program: [] as number[], line: [] as number[], flags: [] as number[], dram: [] as number[], l1: [] as number[] };
  readonly state = { DRAM: [] as number[], L1: [] as number[] };
  readonly buffers: Buffer[] = [];
  readonly programs: { name: number; graph: number; run: number; parent: number; caller: number; first: number; end: number; flags: number; peak: number }[] = [];
  readonly changes: { cause: number; op: number; program: number; dram: number }[] = [];
  private readonly now = { DRAM: 0, L1: 0 };
  private readonly next: () => number;

  constructor(
    private readonly options: FixtureOptions,
    seed: number,
  ) {
    this.next = random(seed);
  }

  private allocate(type: number, kind: number, memory: number, op: number, bytes: number): Buffer {
    const moment = op === NONE ? 2 * this.op.text.length : 2 * op + 1;
    const buffer = { type, name: 9 + (this.buffers.length % 40), program: this.programs.length - 1, op, arg: op === NONE ? this.buffers.length : NONE, born: moment, died: NONE, bytes, memory, kind };
    this.buffers.push(buffer);
    this.now[memory === 0 ? "DRAM" : "L1"] += bytes;
    return buffer;
  }

  private free(buffer: Buffer, op: number): void {
    buffer.died = 2 * op + 1;
    this.now[buffer.memory === 0 ? "DRAM" : "L1"] -= buffer.bytes;
  }

  /** One op: `act` changes memory on its behalf. */
  private step(text: number, loc: number, flags: number, act: (op: number) => void): void {
    const op = this.op.text.length;
    const before = { ...this.now };
    this.state.DRAM.push(before.DRAM);
    this.state.L1.push(before.L1);
    this.op.text.push(text);
    this.op.loc.push(loc);
    this.op.program.push(this.programs.length - 1);
    this.op.line.push(20 + op * 7);
    this.op.flags.push(flags);
    act(op);
    this.op.dram.push(this.now.DRAM - before.DRAM);
    this.op.l1.push(this.now.L1 - before.L1);
  }

  private begin(name: number, graph: number, run: number, flags: number): void {
    const first = this.op.text.length;
    this.programs.push({ name, graph, run, parent: NONE, caller: NONE, first, end: first, flags, peak: 0 });
  }

  private end(): void {
    const program = this.programs[this.programs.length - 1];
    program.end = this.op.text.length;
    for (let i = program.first; i < program.end; i++) program.peak = Math.max(program.peak, this.state.DRAM[i]);
  }

  private constEval(layer: number, weights: Buffer[]): void {
    this.begin(8, 1, 0, 1);
    for (const weight of weights) {
      this.step(5, layer * 4, 1 | 2, (op) => this.allocate(weight.type, 2, 0, op, weight.bytes));
      if (layer % 3 === 0) this.step(4, layer * 4, 0, (op) => this.free(weight, op));
    }
    this.end();
  }

  private layer(layer: number): void {
    const perBank = (type: number) => Math.ceil(SHAPES[type][4] / 12 / 32) * 32;
    let hidden: Buffer | null = null;
    for (let part = 0; part < 4; part++) {
      const type = part === 1 ? 3 : 1;
      const temporary: Buffer[] = [];
      this.step(part % 4, layer * 4 + part, 1, (op) => {
        temporary.push(this.allocate(type, 3, 0, op, perBank(type)));
        if (this.next() < 0.3) temporary.push(this.allocate(4, 3, 1, op, 28672));
        if (this.next() < 0.02) temporary.push(this.allocate(2, 3, 0, op, perBank(2) * 3));
      });
      const kept: Buffer | null = hidden;
      if (kept) this.step(4, layer * 4 + part, 0, (op) => this.free(kept, op));
      for (const extra of temporary.slice(1)) this.step(4, layer * 4 + part, 0, (op) => this.free(extra, op));
      hidden = temporary[0];
    }
    if (hidden && this.next() > 0.05) {
      const last = hidden;
      this.step(4, layer * 4 + 3, 0, (op) => this.free(last, op));
    }
  }

  execute(): void {
    this.begin(7, 0, 0, 0);
    const perBank = Math.ceil(SHAPES[2][4] / 12 / 32) * 32;
    const weights: Buffer[][] = [];
    for (let layer = 0; layer < Math.min(48, this.options.layers); layer++) {
      weights.push([this.allocate(2, 1, 0, NONE, perBank), this.allocate(0, 1, 0, NONE, perBank / 4)]);
    }
    this.allocate(1, 4, 0, NONE, perBank / 16);
    this.changes.push({ cause: 0, op: 0, program: 0, dram: this.now.DRAM });
    this.end();
    weights.forEach((pair, layer) => this.constEval(layer, pair));
    for (let run = 0; run < this.options.runs; run++) {
      this.begin(7, 0, run, 0);
      for (let layer = 0; layer < this.options.layers; layer++) this.layer(layer);
      this.end();
    }
  }
}

const milli = (bytes: number) => Math.round((bytes * 1000) / MIB);

function overview(writer: PageWriter, prefix: string, memory: string, values: number[], ops: number): void {
  const parts = Math.min(2048, Math.max(1, ops));
  const low = new Array<number>(parts).fill(Infinity);
  const high = new Array<number>(parts).fill(0);
  for (let i = 0; i < values.length; i++) {
    const part = Math.min(parts - 1, Math.floor((i * parts) / ops));
    low[part] = Math.min(low[part], values[i]);
    high[part] = Math.max(high[part], values[i]);
  }
  writer.column(`${prefix}ov.${memory}.min`, "u32", low.map((value) => (Number.isFinite(value) ? value : 0)));
  writer.column(`${prefix}ov.${memory}.max`, "u32", high);
}

function writePoints(writer: PageWriter, prefix: string, run: Run, capacity: Record<string, number>): void {
  const ops = run.op.text.length;
  writer.column(`${prefix}pt.moment`, "u32", run.op.text.map((_, i) => 2 * i), true);
  writer.column(`${prefix}pt.line`, "u32", run.op.line.map((line) => line - 6), true);
  for (const memory of ["DRAM", "L1", "L1_SMALL", "TRACE"] as const) {
    const alloc = memory === "DRAM" || memory === "L1" ? run.state[memory].map(milli) : new Array<number>(ops).fill(0);
    const total = milli(capacity[memory]);
    const free = alloc.map((value) => total - value);
    writer.column(`${prefix}pt.${memory}.alloc`, "u32", alloc, true);
    writer.column(`${prefix}pt.${memory}.free`, "u32", free, true);
    writer.column(`${prefix}pt.${memory}.largest`, "u32", free.map((value, i) => Math.floor(value * (1 - 0.2 * ((i % 1000) / 1000)))), true);
    overview(writer, prefix, memory, alloc, ops);
  }
}

function writeOps(writer: PageWriter, prefix: string, run: Run): void {
  const { op } = run;
  writer.column(`${prefix}op.text`, "u32", op.text);
  writer.column(`${prefix}op.loc`, "u32", op.loc);
  writer.column(`${prefix}op.program`, "u32", op.program);
  writer.column(`${prefix}op.line`, "u32", op.line, true);
  writer.column(`${prefix}op.flags`, "u8", op.flags);
  writer.column(`${prefix}op.grow.DRAM`, "i64", op.dram);
  writer.column(`${prefix}op.grow.L1`, "i64", op.l1);
  writer.column(`${prefix}op.conf.DRAM`, "u8", op.dram.map(() => 2));
  writer.column(`${prefix}op.conf.L1`, "u8", op.l1.map(() => 2));
}

function writeBuffers(writer: PageWriter, prefix: string, run: Run): void {
  for (const key of ["type", "name", "program", "op", "arg", "born", "died"] as const) {
    writer.column(`${prefix}buf.${key}`, "u32", run.buffers.map((buffer) => buffer[key]));
  }
  writer.column(`${prefix}buf.bytes`, "i64", run.buffers.map((buffer) => buffer.bytes));
  writer.column(`${prefix}buf.memory`, "u8", run.buffers.map((buffer) => buffer.memory));
  writer.column(`${prefix}buf.kind`, "u8", run.buffers.map((buffer) => buffer.kind));
}

function writePrograms(writer: PageWriter, prefix: string, run: Run): void {
  for (const key of ["name", "graph", "run", "parent", "caller", "first", "end"] as const) {
    writer.column(`${prefix}prog.${key}`, "u32", run.programs.map((program) => program[key]));
  }
  const line = (op: number) => 20 + op * 7;
  writer.column(`${prefix}prog.line`, "u32", run.programs.map((program) => line(program.first) - 8));
  writer.column(`${prefix}prog.end_line`, "u32", run.programs.map((program) => line(program.end) - 9));
  writer.column(`${prefix}prog.flags`, "u8", run.programs.map((program) => program.flags));
  writer.column(`${prefix}prog.peak`, "i64", run.programs.map((program) => program.peak));
  writer.column(`${prefix}chg.cause`, "u8", run.changes.map((change) => change.cause));
  writer.column(`${prefix}chg.op`, "u32", run.changes.map((change) => change.op));
  writer.column(`${prefix}chg.program`, "u32", run.changes.map((change) => change.program));
  writer.column(`${prefix}chg.DRAM`, "i64", run.changes.map((change) => change.dram));
  writer.column(`${prefix}chg.L1`, "i64", run.changes.map(() => 0));
}

function writeShared(writer: PageWriter, layers: number): void {
  const names = [...OPS, "main", "main_const_eval_0", ...Array.from({ length: 40 }, (_, i) => `%${i}`)];
  writer.strings("names", names);
  const parts = ["attention/q_proj", "attention/out", "mlp/fc1", "mlp/fc2"];
  const locs = Array.from({ length: layers * 4 }, (_, i) => `layers.${Math.floor(i / 4)}/${parts[i % 4]}`);
  writer.strings("locs", locs);
  writer.strings("locraw", locs.map((loc) => `"${loc}"`));
  writer.column("text.name", "u32", OPS.map((_, i) => i));
  writer.column("text.first_in", "u32", OPS.map(() => 1));
  writer.column("text.first_out", "u32", OPS.map((_, i) => (i === 4 ? NONE : i === 1 ? 3 : 1)));
  writer.json("text.chunk.0", OPS.map((name, i) => ({ text: `%${i + 1} = "${name}"(%0) : (tensor<1x197x768xbf16>) -> tensor<1x197x768xbf16>`, attributes: null, results: [`%${i + 1}`], operands: ["%0"], in: [1], out: i === 4 ? [] : [1] })));
  writer.strings("shape", SHAPES.map((shape) => shape[0]));
  writer.strings("padshape", SHAPES.map((shape) => shape[1]));
  writer.strings("dtype", SHAPES.map((shape) => shape[2]));
  writer.strings("layout", SHAPES.map(() => "dram interleaved, tile 32x32, grid 8x8"));
  writer.column("type.logical", "i64", SHAPES.map((shape) => shape[3]));
  writer.column("type.padded", "i64", SHAPES.map((shape) => shape[4]));
  writer.json("args", []);
  writer.blob("module.0", "module {\n  func.func @main() {\n    return\n  }\n}");
  writer.json("module.0.locs", { "layers.0/attention/q_proj": 2 });
}

function peakOf(run: Run, memory: "DRAM" | "L1") {
  let at = 0;
  run.state[memory].forEach((value, i) => {
    if (milli(value) > milli(run.state[memory][at])) at = i;
  });
  const bytes = milli(run.state[memory][at] ?? 0) * (MIB / 1000);
  return { bytes_per_bank: bytes, op: Math.max(0, at - 1), moment: 2 * at, at_program_start: at === 0, confidence: "measured" };
}

function writeRank(writer: PageWriter, options: FixtureOptions, index: number): PageHeader["ranks"][number] {
  const run = new Run(options, options.seed + index);
  run.execute();
  const prefix = `r${index}.`;
  const capacity = { DRAM: 1021.173 * MIB, L1: 1.27 * MIB, L1_SMALL: 0.031 * MIB, TRACE: 0 };
  writePoints(writer, prefix, run, capacity);
  writeOps(writer, prefix, run);
  writeBuffers(writer, prefix, run);
  writePrograms(writer, prefix, run);
  const empty = { bytes_per_bank: 0, op: null, moment: 0, at_program_start: false, confidence: "measured" };
  return {
    number: index, label: `rank ${index}`, file: 0, ops: run.op.text.length,
    counted_ops: run.op.flags.filter((flags) => flags & 1).length, points: run.op.text.length,
    buffers: run.buffers.length, programs: run.programs.length, changes: run.changes.length, measured: true,
    has_op_lines: true, memory_unit: "milli_mib", capacity, banks: { DRAM: 12, L1: 64, L1_SMALL: 64, TRACE: 12 },
    peaks: { DRAM: peakOf(run, "DRAM"), L1: peakOf(run, "L1"), L1_SMALL: empty, TRACE: empty },
  };
}

export function makeFixture(changes: Partial<FixtureOptions> = {}): Fixture {
  const options: FixtureOptions = { layers: 12, runs: 3, ranks: 1, seed: 7, name: "fixture", ...changes };
  const writer = new PageWriter();
  writeShared(writer, options.layers);
  const ranks = Array.from({ length: options.ranks }, (_, index) => writeRank(writer, options, index));
  const graphs: GraphHeader[] = [
    { name: "main", runs: options.runs, const_eval: false, modules: [0] },
    { name: "main_const_eval_0", runs: 1, const_eval: true, modules: [] },
  ];
  const header: PageHeader = {
    format: "ttscope.page/1", name: options.name, generated: null, tool_version: "0.1.0", main_rank: 0, ranks,
    columns: writer.columns, texts: { count: OPS.length, per_chunk: 256, kept: OPS.length },
    modules: [{ stage: "ttnn", rank: 0, file: 0, line: 3, complete: true, lines: 5, kept: true }],
    graphs, absent: {},
  };
  return { header, mem: { schema: "ttscope.mem/1", failures: [], verdict: { severity: "ok", findings: [] } }, writer };
}

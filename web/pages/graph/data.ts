// What the page stores: figures of each segment as JSON, and the rows of declared tables as columns, segment after segment.
import { Columns, NONE } from "kit/data/decode";
import type { BlobSource, ColumnInfo } from "kit/data/decode";
import type { Blocks, CallGroups, Calls, GraphDocument, Segment } from "./model";

/** A segment as it is stored: how many rows of the columns are its own. */
interface StoredSegment extends Omit<Segment, "blocks" | "calls" | "groups" | "texts"> {
  buffers: number;
  programs: number;
  calls: number;
  groups: Omit<CallGroups, "name"> & { name: string[] };
}

export interface StoredDocument extends Omit<GraphDocument, "segments"> {
  segments: StoredSegment[];
  columns: Record<string, ColumnInfo>;
}

const OLDER = 1;
const BINARY = 2;

/** The texts of a segment, each once. */
class Texts {
  readonly list: string[] = [];
  private readonly places = new Map<string, number>();

  place(text: string): number {
    const known = this.places.get(text);
    if (known !== undefined) return known;
    this.places.set(text, this.list.length);
    return this.list.push(text) - 1;
  }
}

async function readColumns(columns: Columns) {
  const [names, paths, kinds, cores, calls] = await Promise.all(["buffer.name", "maker.path", "program.kind", "program.cores", "call.name"].map((id) => columns.strings(id)));
  const makers = await columns.u32("maker.op");
  return {
    buffer: {
      name: names,
      inDram: await columns.u8("buffer.in_dram"),
      address: await columns.f64("buffer.address"),
      bank: await columns.f64("buffer.bank"),
      whole: await columns.f64("buffer.whole"),
      device: await columns.f64("buffer.device"),
      from: await columns.u32("buffer.from"),
      to: await columns.u32("buffer.to"),
      maker: await columns.u32("buffer.maker"),
      part: await columns.u32("buffer.part"),
      marks: await columns.u8("buffer.marks"),
    },
    pathOf: new Map(Array.from(makers, (op, i) => [op, paths[i]])),
    program: {
      kind: kinds,
      cores,
      address: await columns.f64("program.address"),
      bytes: await columns.f64("program.bytes"),
      device: await columns.f64("program.device"),
      from: await columns.u32("program.from"),
      to: await columns.u32("program.to"),
    },
    call: {
      name: calls,
      level: await columns.u8("call.level"),
      start: await columns.u32("call.start"),
      end: await columns.u32("call.end"),
      allocated: await columns.f64("call.allocated"),
      freed: await columns.f64("call.freed"),
      l1: await columns.f64("call.l1"),
      cb: await columns.f64("call.cb"),
      ns: await columns.f64("call.ns"),
    },
  };
}

type Stored = Awaited<ReturnType<typeof readColumns>>;
type Block = { [key in keyof Blocks]: number };

function blocksOf(blocks: Block[]): Blocks {
  const column = (key: keyof Blocks) => blocks.map((block) => block[key]);
  return {
    memory: column("memory"), program: column("program"), address: column("address"), size: column("size"), whole: column("whole"), from: column("from"), to: column("to"),
    device: column("device"), title: column("title"), call: column("call"), part: column("part"), binary: column("binary"), older: column("older"),
  };
}

function bufferBlock({ buffer }: Stored, row: number, texts: Texts): Block {
  const isOlder = (buffer.marks[row] & OLDER) !== 0;
  return {
    memory: buffer.inDram[row] === 1 ? 0 : 1,
    program: 0,
    address: Math.max(0, buffer.address[row]),
    size: buffer.bank[row],
    whole: buffer.whole[row],
    from: isOlder ? 0 : buffer.from[row],
    to: buffer.to[row],
    device: buffer.device[row],
    title: texts.place(buffer.name[row]),
    call: -1,
    part: buffer.part[row],
    binary: (buffer.marks[row] & BINARY) !== 0 ? 1 : 0,
    older: isOlder ? 1 : 0,
  };
}

/** A circular buffer or the like. */
function programBlock({ program }: Stored, row: number, nodes: number, texts: Texts): Block {
  const size = Math.max(0, program.bytes[row]);
  return {
    memory: 1,
    program: 1,
    address: Math.max(0, program.address[row]),
    size,
    whole: size,
    from: program.from[row],
    to: program.to[row] === NONE ? nodes : program.to[row],
    device: program.device[row],
    title: texts.place(`${program.kind[row]} ${program.cores[row]}`),
    call: -1,
    part: 0,
    binary: 0,
    older: 0,
  };
}

function callsOf({ call }: Stored, first: number, count: number, nodes: number, texts: Texts): Calls {
  const part = (values: Uint8Array | Uint32Array | Float64Array) => Array.from(values.subarray(first, first + count));
  return {
    name: call.name.slice(first, first + count).map((name) => texts.place(name)),
    level: part(call.level),
    start: part(call.start),
    end: part(call.end).map((end) => (end === NONE ? nodes : end)),
    allocated: part(call.allocated),
    freed: part(call.freed),
    l1: part(call.l1),
    cb: part(call.cb),
    ns: part(call.ns),
  };
}

/** The document as the page shows it, of what it stores. */
export async function readDocument({ columns: infos, ...document }: StoredDocument, source: BlobSource): Promise<GraphDocument> {
  const stored = await readColumns(new Columns(source, infos));
  let buffers = 0;
  let programs = 0;
  let calls = 0;
  const segments = document.segments.map((one): Segment => {
    const texts = new Texts();
    const blocks: Block[] = [];
    const makers: number[] = [];
    for (let row = buffers; row < buffers + one.buffers; row++) {
      blocks.push(bufferBlock(stored, row, texts));
      makers.push(stored.buffer.maker[row]);
    }
    for (let row = programs; row < programs + one.programs; row++) blocks.push(programBlock(stored, row, one.nodes, texts));
    // The buffer of an earlier segment was made by a call that this one does not have.
    makers.forEach((maker, i) => {
      const path = blocks[i].older === 1 ? undefined : stored.pathOf.get(maker);
      if (path !== undefined) blocks[i].call = texts.place(path);
    });
    if (one.all_blocks > blocks.length) blocks.sort((a, b) => a.from - b.from);
    const shown = callsOf(stored, calls, one.calls, one.nodes, texts);
    buffers += one.buffers;
    programs += one.programs;
    calls += one.calls;
    return { ...one, blocks: blocksOf(blocks), calls: shown, groups: { ...one.groups, name: one.groups.name.map((name) => texts.place(name)) }, texts: texts.list };
  });
  return { ...document, segments };
}

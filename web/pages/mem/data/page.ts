// The page's own data: header, the document ttscope.mem/1, strings, op texts, modules. Large parts are read when asked for.
import { Columns } from "kit/data/decode";
import type { BlobSource, ColumnInfo } from "kit/data/decode";
import type { FitDoc } from "kit/fit";
import { loadAllocated, loadCurve, loadEarly, loadRank, NONE } from "./rank";
import type { Points, RankData, RankHeader } from "./rank";

export interface ModuleHeader {
  stage: string;
  rank: number;
  file: number;
  line: number;
  complete: boolean;
  lines: number;
  kept: boolean;
}

export interface GraphHeader {
  name: string;
  runs: number;
  const_eval: boolean;
  modules: number[];
}

/** What the page shows of ttscope.fit/1. */
export interface PageHeader {
  format: string;
  name: string;
  generated: string | null;
  tool_version: string;
  main_rank: number;
  ranks: RankHeader[];
  columns: Record<string, ColumnInfo>;
  texts: { count: number; per_chunk: number; kept: number };
  modules: ModuleHeader[];
  graphs: GraphHeader[];
  absent: Partial<Record<string, string>>;
}

/** A distinct op text; `in` and `out` are types. */
export interface OpText {
  text: string;
  attributes: string | null;
  results: string[];
  operands: string[];
  in: number[];
  out: number[];
}

export interface Argument {
  graph: number;
  ssa: string;
  name: string;
  role: "parameter" | "constant" | "input" | "unknown";
  kv_cache: boolean;
  shape: string;
  dtype: string;
  bytes: number;
  is_weight: boolean;
  counted: boolean;
  const_eval_graphs: (number | string)[];
}

/** Strings by number, decoded when first asked for; "" for none. */
export interface Strings {
  count: number;
  get(id: number): string;
}

export interface Page {
  header: PageHeader;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  mem: any;
  names: Strings;
  locs: Strings;
  locraw: Strings;
  shapes: Strings;
  padshapes: Strings;
  dtypes: Strings;
  layouts: Strings;
  textName: Uint32Array;
  textFirstIn: Uint32Array;
  textFirstOut: Uint32Array;
  typeLogical: Float64Array;
  typePadded: Float64Array;
  /** A rank by steps: the DRAM curve; that and the ops; everything. */
  curve(index: number): Promise<Points>;
  early(index: number): Promise<RankData>;
  rank(index: number): Promise<RankData>;
  /** The curves of all memories, for an overlay. */
  allocated(index: number): Promise<Points>;
  /** A text that the page leaves out, or NONE, reads as an empty one. */
  text(id: number): Promise<OpText>;
  allTexts(): Promise<OpText[]>;
  args(): Promise<Argument[]>;
  /** The document ttscope.fit/1 of the run's own device and of all products; null where the page has none. */
  fit(): Promise<FitDoc | null>;
  moduleText(k: number): Promise<string[]>;
  moduleLocs(k: number): Promise<Map<string, number>>;
}

const EMPTY_TEXT: OpText = { text: "", attributes: null, results: [], operands: [], in: [], out: [] };

class StringTable implements Strings {
  readonly count: number;
  private readonly starts: Uint32Array;
  private readonly cache: (string | undefined)[];
  private readonly decoder = new TextDecoder();

  constructor(
    lengths: Uint32Array,
    private readonly bytes: Uint8Array,
  ) {
    this.count = lengths.length;
    this.starts = new Uint32Array(lengths.length + 1);
    for (let i = 0; i < lengths.length; i++) this.starts[i + 1] = this.starts[i] + lengths[i];
    this.cache = new Array<string | undefined>(lengths.length);
  }

  get(id: number): string {
    if (id >= this.count) return "";
    const known = this.cache[id];
    if (known !== undefined) return known;
    const text = this.decoder.decode(this.bytes.subarray(this.starts[id], this.starts[id + 1]));
    this.cache[id] = text;
    return text;
  }
}

async function loadStrings(columns: Columns, name: string): Promise<Strings> {
  return new StringTable(await columns.u32(`${name}.len`), await columns.blob(`${name}.bytes`));
}

/** Remembers the answers of an asynchronous question; a failed one may be asked again. */
function remembered<T>(ask: (key: number) => Promise<T>): (key: number) => Promise<T> {
  const answers = new Map<number, Promise<T>>();
  return (key) => {
    let answer = answers.get(key);
    if (!answer) {
      answer = ask(key);
      answer.catch(() => answers.delete(key));
      answers.set(key, answer);
    }
    return answer;
  };
}

function textReader(columns: Columns, header: PageHeader) {
  const { per_chunk: perChunk, kept } = header.texts;
  const chunk = remembered((k) => columns.json<OpText[]>(`text.chunk.${k}`, []));
  const text = async (id: number): Promise<OpText> => {
    if (id === NONE || id >= kept) return EMPTY_TEXT;
    const texts = await chunk(Math.floor(id / perChunk));
    return texts[id % perChunk] ?? EMPTY_TEXT;
  };
  const allTexts = async (): Promise<OpText[]> => {
    const all: OpText[] = [];
    for (let k = 0; k * perChunk < kept; k++) all.push(...(await chunk(k)));
    return all;
  };
  return { text, allTexts };
}

function moduleReader(columns: Columns) {
  const moduleText = remembered(async (k) => {
    const bytes = await columns.blob(`module.${k}`);
    return bytes.length === 0 ? [] : new TextDecoder().decode(bytes).split("\n");
  });
  const moduleLocs = remembered(async (k) => {
    const lines = await columns.json<Record<string, number>>(`module.${k}.locs`, {});
    return new Map(Object.entries(lines));
  });
  return { moduleText, moduleLocs };
}

/** Opens the data of a page whose blobs are all there (after DOMContentLoaded). */
export async function openPage(header: PageHeader, mem: unknown, source: BlobSource): Promise<Page> {
  const columns = new Columns(source, header.columns);
  const texts = header.texts.count;
  const curve = remembered((index) => loadCurve(columns, index, header.ranks[index]));
  const early = remembered(async (index) => loadEarly(columns, index, header.ranks[index], await curve(index)));
  const allocated = remembered(async (index) => loadAllocated(columns, index, await curve(index)));
  const typeLogical = await columns.f64("type.logical");
  return {
    header,
    mem,
    names: await loadStrings(columns, "names"),
    locs: await loadStrings(columns, "locs"),
    locraw: await loadStrings(columns, "locraw"),
    shapes: await loadStrings(columns, "shape"),
    padshapes: await loadStrings(columns, "padshape"),
    dtypes: await loadStrings(columns, "dtype"),
    layouts: await loadStrings(columns, "layout"),
    textName: await columns.u32("text.name", texts),
    textFirstIn: await columns.u32("text.first_in", texts),
    textFirstOut: await columns.u32("text.first_out", texts),
    typeLogical,
    typePadded: await columns.f64("type.padded", typeLogical.length),
    curve,
    early,
    allocated,
    rank: remembered(async (index) => loadRank(columns, await early(index), await allocated(index))),
    ...textReader(columns, header),
    args: (() => {
      const all = remembered(() => columns.json<Argument[]>("args", []));
      return () => all(0);
    })(),
    fit: (() => {
      const doc = remembered(() => columns.json<FitDoc | null>("fit.document", null));
      return () => doc(0);
    })(),
    ...moduleReader(columns),
  };
}

/** Name of an op ("ttnn.matmul"); "" when the log has only its memory block. */
export function opName(page: Page, rank: RankData, op: number): string {
  const text = rank.text[op];
  return text === NONE ? "" : page.names.get(page.textName[text] ?? NONE);
}

/** `1x32x768 bf16` of a type; "" for none. */
export function typeLabel(page: Page, type: number): string {
  if (type === NONE) return "";
  return `${page.shapes.get(type) || "scalar"} ${page.dtypes.get(type)}`.trim();
}

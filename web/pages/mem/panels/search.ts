// Search over ops, tensors, layers and log lines: first the distinct names, locations and texts, then one pass over the ops.

import { NONE } from "../data/rank";
import type { RankData } from "../data/rank";
import { dottedName } from "../data/names";
import type { Argument, Page } from "../data/page";
import { programText } from "../data/programs";
import { textCondition } from "./ops/filter";
import type { Slicer } from "kit/slices";
import type { Hits, LayerHit, LineHit, TensorHit } from "../hits";
import { pathOfArgument, pathOfLocation } from "./layer_tree";
import { lineOf } from "./states";

/** The op that a log line belongs to: the last one at or before it; null before the first. */
function opOfLine(rank: RankData, wanted: number): number | null {
  let best: number | null = null;
  for (let op = 0; op < rank.ops; ++op) {
    if (lineOf(rank, op) <= wanted && (best === null || rank.line[op] > rank.line[best])) best = op;
  }
  return best;
}

/** `#12` asks for an op, `:345` for a log line; everything else for text. */
export function directTarget(rank: RankData, query: string): number | null {
  const match = /^([#:])\s*(\d+)$/.exec(query.trim());
  if (!match) return null;
  const wanted = Number(match[2]);
  if (match[1] === "#") return wanted < rank.ops ? wanted : null;
  return opOfLine(rank, wanted);
}

/** A number alone may be an op or a log line: both are offered. */
function linesOf(rank: RankData, query: string): LineHit[] {
  const match = /^([#:]?)\s*(\d{1,10})$/.exec(query.trim());
  if (!match) return [];
  const number = Number(match[2]);
  const hits: LineHit[] = [];
  if (match[1] !== ":" && number < rank.ops) hits.push({ what: "op", number, op: number });
  const op = match[1] !== "#" ? opOfLine(rank, number) : null;
  if (op !== null) hits.push({ what: "line", number, op });
  return hits;
}

async function matchesOf(
  count: number,
  get: (id: number) => string,
  matches: (text: string) => boolean,
  slicer: Slicer,
): Promise<Uint8Array> {
  const found = new Uint8Array(count);
  await slicer.steps(count, 256, (from, to) => {
    for (let i = from; i < to; ++i) found[i] = matches(get(i)) ? 1 : 0;
  });
  return found;
}

/** Ops whose name, location, program or text contains every word; the words may be spread over one of these, not over several. */
async function opsOf(page: Page, rank: RankData, query: string, slicer: Slicer): Promise<{ found: Uint8Array; count: number }> {
  const found = new Uint8Array(rank.ops);
  const direct = directTarget(rank, query);
  if (direct !== null) {
    found[direct] = 1;
    return { found, count: 1 };
  }
  const matches = textCondition(query);
  const texts = await page.allTexts();
  const inText = await matchesOf(
    page.textName.length,
    (id) => `${page.names.get(page.textName[id])} ${texts[id]?.text ?? ""}`,
    matches,
    slicer,
  );
  const inLoc = await matchesOf(page.locs.count, (id) => page.locs.get(id), matches, slicer);
  const inProgram = await matchesOf(rank.programs.count, (id) => programText(page, rank, id), matches, slicer);
  let count = 0;
  await slicer.steps(rank.ops, 1 << 16, (from, to) => {
    for (let op = from; op < to; ++op) {
      // NONE lies outside every array and reads as undefined: no match.
      if (inText[rank.text[op]] === 1 || inLoc[rank.loc[op]] === 1 || inProgram[rank.program[op]] === 1) {
        found[op] = 1;
        ++count;
      }
    }
  });
  return { found, count };
}

/** Tensors by their model names, as written and as shown; by their SSA names where a % is asked for. The largest first. */
async function tensorsOf(page: Page, rank: RankData, args: Argument[], query: string, slicer: Slicer): Promise<{ all: number[]; named: TensorHit[] }> {
  const matches = textCondition(query);
  const wanted = query.includes("%");
  const ofArgument = args.map(({ name }) => name !== "" && (matches(name) || matches(dottedName(name))));
  const ofName = await matchesOf(wanted ? page.names.count : 0, (id) => page.names.get(id), matches, slicer);
  const { count, arg, name, bytes } = rank.buffers;
  const all: number[] = [];
  const named = new Map<string, TensorHit>();
  await slicer.steps(count, 1 << 15, (from, to) => {
    for (let i = from; i < to; ++i) {
      const isArgument = arg[i] !== NONE;
      if (isArgument ? !ofArgument[arg[i]] : ofName[name[i]] !== 1) continue;
      all.push(i);
      const key = isArgument ? `a${args[arg[i]].name}` : `n${name[i]}`;
      const known = named.get(key);
      if (!known) named.set(key, { buffer: i, tensors: 1 });
      else named.set(key, { buffer: bytes[i] > bytes[known.buffer] ? i : known.buffer, tensors: known.tensors + 1 });
    }
  });
  return { all, named: [...named.values()].sort((a, b) => bytes[b.buffer] - bytes[a.buffer]) };
}

const layersKnown = new WeakMap<Page, string[]>();

/** Every layer that a location or a name of an argument lies in, each once. */
async function allLayers(page: Page, args: Argument[], slicer: Slicer): Promise<string[]> {
  const known = layersKnown.get(page);
  if (known) return known;
  const found = new Set<string>();
  const add = (path: string[]) => {
    for (let depth = path.length - 1; depth > 0; depth--) {
      const layer = path.slice(0, depth).join("/");
      if (found.has(layer)) return;
      found.add(layer);
    }
  };
  for (const { name } of args) add(pathOfArgument(name));
  await slicer.steps(page.locs.count, 256, (from, to) => {
    for (let i = from; i < to; ++i) add(pathOfLocation(page.locs.get(i)));
  });
  const layers = [...found].filter((layer) => !layer.startsWith("("));
  layersKnown.set(page, layers);
  return layers;
}

/** Layers that match while the one above them does not: what lies inside of a hit is no hit of its own. */
async function layersOf(page: Page, args: Argument[], query: string, slicer: Slicer): Promise<LayerHit[]> {
  // People write layers with dots too.
  const conditions = [textCondition(query), textCondition(query.replaceAll(".", "/"))];
  const matches = (layer: string) => conditions.some((condition) => condition(layer) || condition(layer.replaceAll(".", "/")));
  const layers = await allLayers(page, args, slicer);
  return layers.filter((layer) => matches(layer) && !matches(layer.slice(0, Math.max(0, layer.lastIndexOf("/"))))).map((path) => ({ path }));
}

/** Everything that a query finds. */
export async function findAll(page: Page, rank: RankData, query: string, slicer: Slicer): Promise<Hits> {
  const { found, count } = await opsOf(page, rank, query, slicer);
  const args = await page.args();
  const isDirect = directTarget(rank, query) !== null;
  const tensors = isDirect ? { all: [], named: [] } : await tensorsOf(page, rank, args, query, slicer);
  const layers = isDirect ? [] : await layersOf(page, args, query, slicer);
  const marks = tensors.all.length === 0 ? found : found.slice();
  for (const buffer of tensors.all) {
    const op = rank.buffers.born[buffer] >>> 1;
    if (op < rank.ops) marks[op] = 1;
  }
  return { query, rank: rank.index, count, found, marks, tensors: tensors.named, layers, lines: linesOf(rank, query) };
}

/** The next op that matches behind (or before) `from`, round the end; null without any. */
export function nextHit(hits: Pick<Hits, "found" | "count">, from: number | null, backward: boolean): number | null {
  const { found, count } = hits;
  if (count === 0) return null;
  const step = backward ? found.length - 1 : 1;
  let op = from ?? (backward ? 0 : found.length - 1);
  for (let i = 0; i < found.length; ++i) {
    op = (op + step) % found.length;
    if (found[op] === 1) return op;
  }
  return null;
}

/** How many matches lie at or before `op`: "3rd of 17". */
export function placeOfHit(hits: Pick<Hits, "found">, op: number | null): number {
  if (op === null || hits.found[op] !== 1) return 0;
  let place = 0;
  for (let i = 0; i <= op; ++i) place += hits.found[i];
  return place;
}

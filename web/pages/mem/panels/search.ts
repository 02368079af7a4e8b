// Search over all ops: first the distinct names, locations and texts, then one pass over the ops.

import type { RankData } from "../data/rank";
import type { Page } from "../data/page";
import { textCondition } from "./ops/filter";
import type { Slicer } from "kit/slices";
import { lineOf } from "./states";

export interface Hits {
  query: string;
  rank: number;
  count: number;
  /** One byte for each op. */
  found: Uint8Array;
}

/** `#12` asks for an op, `:345` for a log line; everything else for text. */
export function directTarget(rank: RankData, query: string): number | null {
  const match = /^([#:])\s*(\d+)$/.exec(query.trim());
  if (!match) return null;
  const wanted = Number(match[2]);
  if (match[1] === "#") return wanted < rank.ops ? wanted : null;
  let best: number | null = null;
  for (let op = 0; op < rank.ops; ++op) {
    if (lineOf(rank, op) <= wanted && (best === null || rank.line[op] > rank.line[best])) best = op;
  }
  return best;
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

/**
 * Ops whose name, location, program or text contains every word of the query; the words may be spread over
 * one of these, not over several.
 */
export async function findOps(page: Page, rank: RankData, query: string, slicer: Slicer): Promise<Hits> {
  const found = new Uint8Array(rank.ops);
  const direct = directTarget(rank, query);
  if (direct !== null) {
    found[direct] = 1;
    return { query, rank: rank.index, count: 1, found };
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
  const inProgram = await matchesOf(rank.programs.count, (id) => page.names.get(rank.programs.name[id]), matches, slicer);
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
  return { query, rank: rank.index, count, found };
}

/** The next op that matches behind (or before) `from`, round the end; null without any. */
export function nextHit(hits: Hits, from: number | null, backward: boolean): number | null {
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
export function placeOfHit(hits: Hits, op: number | null): number {
  if (op === null || hits.found[op] !== 1) return 0;
  let place = 0;
  for (let i = 0; i <= op; ++i) place += hits.found[i];
  return place;
}

type Listener = () => void;
let current: Hits | null = null;
const listeners = new Set<Listener>();

/** The latest result, shared by the search box, the table and the charts. */
export const hits = {
  get: (): Hits | null => current,
  set(value: Hits | null): void {
    current = value;
    for (const listener of [...listeners]) listener();
  },
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

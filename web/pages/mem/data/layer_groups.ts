// Tensors by layer of the model, coarse enough for a stack: as deep in the paths as a handful of layers allows.
import { NO_GROUP } from "./live";
import { BUFFER_MEMORIES } from "./rank";
import type { BufferMemory, RankData } from "./rank";

/** Whatever tells the layer of a tensor: a number that is the same for tensors of one path, and the path. */
export interface Paths {
  keyOf(buffer: number): number;
  pathOf(key: number): string[];
}

export interface LayerGroups {
  /** In the order of the model; the last may be the others. */
  labels: string[];
  /** For each buffer its layer, NO_GROUP in another memory. */
  groupOf: Uint8Array;
}

/** Deeper paths are shown while they are no more than these. */
const FEW = 14;
const MOST = 32;
const DEEPEST = 4;
export const OTHER_LAYERS = "other layers";
const NO_LAYER = "(no layer path)";

/** How many parts all paths share at their start. */
function sharedDepth(paths: string[][]): number {
  const [first] = paths;
  let depth = 0;
  while (first && depth < first.length && paths.every((path) => path.length > depth && path[depth] === first[depth])) depth++;
  return depth;
}

const nameAt = (path: string[], from: number, depth: number) => path.slice(from, from + depth).join("/");

function depthFor(paths: string[][], from: number): number {
  let depth = 1;
  while (depth < DEEPEST && new Set(paths.map((path) => nameAt(path, from, depth + 1))).size <= FEW) depth++;
  return depth;
}

const byName = new Intl.Collator("en", { numeric: true });

/** Bytes that were ever made by path key, for the buffers of a memory. */
function bytesByKey(rank: RankData, memory: BufferMemory, paths: Paths): Map<number, number> {
  const wanted = BUFFER_MEMORIES.indexOf(memory);
  const sums = new Map<number, number>();
  for (let i = 0; i < rank.buffers.count; i++) {
    if (rank.buffers.memory[i] !== wanted) continue;
    const key = paths.keyOf(i);
    sums.set(key, (sums.get(key) ?? 0) + rank.buffers.bytes[i]);
  }
  return sums;
}

/** The largest in the order of their names. */
function largestNames(sums: Map<string, number>): string[] {
  const names = [...sums.keys()];
  if (names.length <= MOST) return names.sort(byName.compare);
  const largest = names.sort((a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0)).slice(0, MOST - 1);
  return [...largest.sort(byName.compare), OTHER_LAYERS];
}

export function layerGroups(rank: RankData, memory: BufferMemory, paths: Paths): LayerGroups {
  const byKey = bytesByKey(rank, memory, paths);
  // The last part is the op or the parameter itself.
  const layerOf = (key: number) => paths.pathOf(key).slice(0, -1);
  const all = [...byKey.keys()].map(layerOf).filter((path) => path.length > 0);
  // Names without a path ("(no layer path)/x") must not keep the shared start of the others.
  const real = all.filter((path) => !path[0].startsWith("("));
  const from = sharedDepth(real);
  const depth = depthFor(real, from);
  const nameOf = (key: number) => {
    const path = layerOf(key);
    return path.length === 0 || path[0].startsWith("(") ? NO_LAYER : nameAt(path, from, depth) || path.join("/");
  };
  const sums = new Map<string, number>();
  for (const [key, bytes] of byKey) {
    const name = nameOf(key);
    sums.set(name, (sums.get(name) ?? 0) + bytes);
  }
  const labels = largestNames(sums);
  const places = new Map(labels.map((label, index) => [label, index]));
  const groupOfKey = new Map<number, number>();
  for (const key of byKey.keys()) groupOfKey.set(key, places.get(nameOf(key)) ?? labels.length - 1);
  const wanted = BUFFER_MEMORIES.indexOf(memory);
  const groupOf = new Uint8Array(rank.buffers.count).fill(NO_GROUP);
  for (let i = 0; i < rank.buffers.count; i++) if (rank.buffers.memory[i] === wanted) groupOf[i] = groupOfKey.get(paths.keyOf(i)) ?? NO_GROUP;
  return { labels, groupOf };
}

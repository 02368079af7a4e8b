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
const MOST = 64;
/** A layer that holds more than this is looked into, however many lie inside. */
const MAIN_SHARE = 0.5;
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

interface Weighed {
  path: string[];
  bytes: number;
}

function depthFor(layers: Weighed[], from: number): number {
  const sumsAt = (depth: number) => {
    const sums = new Map<string, number>();
    for (const { path, bytes } of layers) sums.set(nameAt(path, from, depth), (sums.get(nameAt(path, from, depth)) ?? 0) + bytes);
    return sums;
  };
  let depth = 1;
  while (depth < DEEPEST && sumsAt(depth + 1).size <= FEW) depth++;
  const sums = [...sumsAt(depth).values()];
  const isOneMain = Math.max(...sums) > MAIN_SHARE * sums.reduce((all, one) => all + one, 0);
  return isOneMain && sums.length < FEW && depth < DEEPEST && sumsAt(depth + 1).size > FEW ? depth + 1 : depth;
}

const byName = new Intl.Collator("en", { numeric: true });

/** Not a key of a path. */
const ELSEWHERE = -2;

/** The path key of each buffer of a memory, and the bytes that were ever made under each. Keys are dense, so that columns do. */
function bytesByKey(rank: RankData, memory: BufferMemory, paths: Paths): { keys: Int32Array; sums: Map<number, number> } {
  const wanted = BUFFER_MEMORIES.indexOf(memory);
  const { count, memory: memories, bytes } = rank.buffers;
  const keys = new Int32Array(count);
  let most = -1;
  for (let i = 0; i < count; i++) {
    const key = memories[i] === wanted ? paths.keyOf(i) : ELSEWHERE;
    keys[i] = key;
    if (key > most) most = key;
  }
  const sizes = new Float64Array(most + 2);
  const seen = new Uint8Array(most + 2);
  for (let i = 0; i < count; i++) {
    if (keys[i] === ELSEWHERE) continue;
    sizes[keys[i] + 1] += bytes[i];
    seen[keys[i] + 1] = 1;
  }
  const sums = new Map<number, number>();
  for (let place = 0; place < seen.length; place++) if (seen[place]) sums.set(place - 1, sizes[place]);
  return { keys, sums };
}

/** The largest in the order of their names. */
function largestNames(sums: Map<string, number>): string[] {
  const names = [...sums.keys()];
  if (names.length <= MOST) return names.sort(byName.compare);
  const largest = names.sort((a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0)).slice(0, MOST - 1);
  return [...largest.sort(byName.compare), OTHER_LAYERS];
}

export function layerGroups(rank: RankData, memory: BufferMemory, paths: Paths): LayerGroups {
  const { keys, sums: byKey } = bytesByKey(rank, memory, paths);
  // The last part is the op or the parameter itself.
  const layerOf = (key: number) => paths.pathOf(key).slice(0, -1);
  // Names without a path ("(no layer path)/x") must not keep the shared start of the others.
  const real = [...byKey].map(([key, bytes]) => ({ path: layerOf(key), bytes })).filter(({ path }) => path.length > 0 && !path[0].startsWith("("));
  const from = sharedDepth(real.map(({ path }) => path));
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
  const highest = Math.max(-1, [...byKey.keys()].pop() ?? -1); // they are in order
  const groupOfKey = new Uint8Array(highest - ELSEWHERE + 1).fill(NO_GROUP);
  for (const key of byKey.keys()) groupOfKey[key - ELSEWHERE] = places.get(nameOf(key)) ?? labels.length - 1;
  const groupOf = new Uint8Array(keys.length);
  for (let i = 0; i < keys.length; i++) groupOf[i] = groupOfKey[keys[i] - ELSEWHERE];
  return { labels, groupOf };
}

// Which layer each tensor belongs to, and the bytes of each layer for the live set or for all allocations.

import { BUFFER_MEMORIES, KINDS, NONE } from "../data/rank";
import type { BufferMemory, RankData } from "../data/rank";
import type { Argument, Page } from "../data/page";
import { FAILING_OP, LayerTree, NO_LAYER, pathOfArgument, pathOfLocation, UNACCOUNTED } from "./layer_tree";
import type { LiveSet } from "./live_model";
import type { Slicer } from "kit/slices";

/** Path of a tensor: an argument's model name, else the location of the op that made it. */
export class LayerPaths {
  private readonly ofLocation = new Map<number, string[]>();
  private readonly ofArgument = new Map<number, string[]>();
  /** For each buffer the one whose path it has: a const-eval copy has no location of its own, and belongs where the weight does. */
  private readonly source: Uint32Array;

  constructor(
    private readonly page: Page,
    private readonly rank: RankData,
    private readonly args: Argument[],
  ) {
    this.source = new Uint32Array(rank.buffers.count);
    for (let i = 0; i < this.source.length; i++) this.source[i] = i;
    rank.dupCopy.forEach((copy, index) => (this.source[copy] = rank.dupWeight[index]));
  }

  /** Number that is the same for tensors of the same path: argument or location. */
  keyOf(buffer: number): number {
    const { arg, op } = this.rank.buffers;
    const source = this.source[buffer];
    if (arg[source] !== NONE) return 2 * arg[source];
    const location = op[source] === NONE ? NONE : this.rank.loc[op[source]];
    return location === NONE ? -1 : 2 * location + 1;
  }

  pathOf(key: number): string[] {
    if (key < 0) return [NO_LAYER, "(no location)"];
    const id = Math.floor(key / 2);
    const known = key % 2 === 0 ? this.ofArgument : this.ofLocation;
    let path = known.get(id);
    if (!path) {
      path = key % 2 === 0 ? pathOfArgument(this.args[id]?.name ?? "") : pathOfLocation(this.page.locs.get(id));
      known.set(id, path);
    }
    return path;
  }
}

/** The live set by layer; with the unaccounted rest the root is the measured figure. */
export function layersOfLive(paths: LayerPaths, rank: RankData, live: LiveSet): LayerTree {
  const tree = new LayerTree();
  for (const buffer of live.buffers) tree.add(paths.pathOf(paths.keyOf(buffer)), rank.buffers.bytes[buffer], rank.buffers.kind[buffer]);
  if (live.failingBytes > 0) tree.add([FAILING_OP], live.failingBytes, KINDS.indexOf("activation"), live.failing);
  if (live.unaccounted > 0) tree.add([UNACCOUNTED], live.unaccounted, 0, 0);
  tree.finish();
  return tree;
}

/** All tensors ever made in a memory, by layer: sums by path and kind first, so that the tree stays small. */
export async function layersOfAll(paths: LayerPaths, rank: RankData, memory: BufferMemory, slicer: Slicer): Promise<LayerTree> {
  const wanted = BUFFER_MEMORIES.indexOf(memory);
  const sums = new Map<number, { bytes: number; tensors: number }>();
  const { kind, bytes, memory: memories, count } = rank.buffers;
  await slicer.steps(count, 1 << 14, (from, to) => {
    for (let i = from; i < to; ++i) {
      if (memories[i] !== wanted) continue;
      const key = paths.keyOf(i) * 8 + kind[i];
      const sum = sums.get(key);
      if (sum) {
        sum.bytes += bytes[i];
        sum.tensors += 1;
      } else {
        sums.set(key, { bytes: bytes[i], tensors: 1 });
      }
    }
  });
  const tree = new LayerTree();
  for (const [key, sum] of sums) tree.add(paths.pathOf(Math.floor(key / 8)), sum.bytes, ((key % 8) + 8) % 8, sum.tensors);
  tree.finish();
  return tree;
}

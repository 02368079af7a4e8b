// Ops that added most, and what came onto the device between ops.

import type { BufferMemory, RankData } from "../data/rank";
import { NONE } from "../data/rank";
import type { Slicer } from "kit/slices";

/** One op of the model over all its executions: same text, same location. */
export interface GrowthGroup {
  /** First execution with the largest growth. */
  op: number;
  /** Largest growth of one execution, bytes per bank. */
  bytes: number;
  times: number;
  sum: number;
}

export interface Growth {
  /** Largest growth first, ties in order of execution. */
  groups: GrowthGroup[];
  /** Executions that grew, and their growths together. */
  times: number;
  sum: number;
}

function add(groups: Map<number, GrowthGroup>, key: number, op: number, bytes: number): void {
  const group = groups.get(key);
  if (!group) {
    groups.set(key, { op, bytes, times: 1, sum: bytes });
    return;
  }
  group.times += 1;
  group.sum += bytes;
  if (bytes > group.bytes) {
    group.bytes = bytes;
    group.op = op;
  }
}

/** Ops that grew a memory, each op of the model once. */
export async function growthOf(rank: RankData, memory: BufferMemory, limit: number, slicer: Slicer): Promise<Growth> {
  const groups = new Map<number, GrowthGroup>();
  const values = rank.grow[memory];
  const texts = NONE + 1;
  await slicer.steps(rank.ops, 1 << 14, (from, to) => {
    // Exact in a double as long as there are fewer than two million texts; beyond that groups could only merge.
    for (let op = from; op < to; ++op) if (values[op] > 0) add(groups, (rank.text[op] % 0x1fffff) * texts + rank.loc[op], op, values[op]);
  });
  const all = [...groups.values()].sort((a, b) => b.bytes - a.bytes || a.op - b.op);
  return {
    groups: all.slice(0, limit),
    times: all.reduce((sum, group) => sum + group.times, 0),
    sum: all.reduce((sum, group) => sum + group.sum, 0),
  };
}

export const CAUSES = ["program start", "program end", "unattributed"];

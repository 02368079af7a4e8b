// Worst moments of fragmentation: 1 - largest free block / free.

import type { Memory, RankData } from "../data/rank";
import type { Slicer } from "kit/slices";

/** A stretch of points with the same fragmentation. */
export interface FragmentedStretch {
  fraction: number;
  /** First point of it. */
  point: number;
  points: number;
}

/** 0 when nothing is free: there is no free byte that could lie apart. */
export function fragmentationOf(free: number, largest: number): number {
  return free > 0 ? 1 - largest / free : 0;
}

/** Keeps the `limit` worst, worst first; earlier ones win ties. */
function keep(worst: FragmentedStretch[], one: FragmentedStretch, limit: number): void {
  if (one.fraction <= 0) return;
  const last = worst[worst.length - 1];
  if (worst.length === limit && one.fraction <= last.fraction) return;
  let place = worst.length;
  while (place > 0 && worst[place - 1].fraction < one.fraction) --place;
  worst.splice(place, 0, one);
  if (worst.length > limit) worst.pop();
}

/** The worst stretches of a memory; equal neighbours count as one. */
export async function worstFragmentation(rank: RankData, memory: Memory, limit: number, slicer: Slicer): Promise<FragmentedStretch[]> {
  const free = rank.points.free[memory];
  const largest = rank.points.largest[memory];
  const worst: FragmentedStretch[] = [];
  if (!free || !largest) return worst;
  let current: FragmentedStretch = { fraction: -1, point: 0, points: 0 };
  await slicer.steps(free.length, 1 << 16, (from, to) => {
    for (let point = from; point < to; ++point) {
      const fraction = fragmentationOf(free[point], largest[point]);
      if (fraction === current.fraction) {
        current.points += 1;
        continue;
      }
      keep(worst, current, limit);
      current = { fraction, point, points: 1 };
    }
  });
  keep(worst, current, limit);
  return worst;
}

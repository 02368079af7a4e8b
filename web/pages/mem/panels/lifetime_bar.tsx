// The life of a tensor as a bar of the run.

import { count } from "kit/format";
import { NONE } from "../data/rank";
import type { RankData } from "../data/rank";

/** First and last op of a life, and a bar of its place in the run. */
export function Lifetime({ rank, buffer }: { rank: RankData; buffer: number }) {
  const born = rank.buffers.born[buffer];
  const died = rank.buffers.died[buffer];
  const all = Math.max(1, 2 * rank.ops);
  const end = died === NONE ? all : Math.min(all, died);
  const left = (100 * Math.min(born, all)) / all;
  const width = Math.max(1.5, (100 * (end - born)) / all);
  return (
    <span class="lifetime">
      <span class="lifetime-text">
        {count(born >>> 1)} – {died === NONE ? "end" : count(died >>> 1)}
      </span>
      <span class="lifetime-bar" aria-hidden="true">
        <i style={{ left: `${Math.min(left, 98.5)}%`, width: `${width}%` }} />
      </span>
    </span>
  );
}

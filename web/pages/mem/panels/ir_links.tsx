// From an op to its lines in the IR modules: by the location, in the modules of the op's graph.

import type { Page } from "../data/page";
import { NONE } from "../data/rank";
import type { RankData } from "../data/rank";
import { count, visible } from "kit/format";
import { goTo } from "kit/sections";
import { store } from "../state";
import { useLoaded } from "./parts";

export interface IrTarget {
  module: number;
  stage: string;
  line: number;
}

/** Modules in which an op may be found: those of its graph, the last stage first; without a graph, all kept ones. */
function modulesOf(page: Page, rank: RankData, op: number): number[] {
  const program = rank.program[op];
  const graph = program === NONE ? undefined : page.header.graphs[rank.programs.graph[program]];
  const known = graph?.modules ?? [];
  const modules = known.length > 0 ? known : page.header.modules.map((_, index) => index);
  return modules.filter((index) => page.header.modules[index]?.kept).reverse();
}

/** Every line that the op's location names, the stage nearest to the device first. */
export async function irTargets(page: Page, rank: RankData, op: number): Promise<IrTarget[]> {
  const loc = rank.loc[op];
  if (loc === NONE) return [];
  const names = [page.locs.get(loc), page.locraw.get(loc), page.locraw.get(loc).replace(/^"|"$/g, "")].filter((name) => name !== "");
  const targets: IrTarget[] = [];
  for (const module of modulesOf(page, rank, op)) {
    const lines = await page.moduleLocs(module);
    const line = names.map((name) => lines.get(name)).find((found) => found !== undefined);
    if (line !== undefined) targets.push({ module, stage: page.header.modules[module].stage, line });
  }
  return targets;
}

function openIr(module: number, line: number | null): void {
  store.set({ module, line });
  goTo("ir");
}

/** Buttons that jump into the IR view; a disabled one says why there is no line. */
export function IrLinks({ page, rank, op }: { page: Page; rank: RankData; op: number }) {
  const targets = useLoaded(() => irTargets(page, rank, op), `${rank.index} ${op}`);
  if (targets === null) return null;
  if (targets.length === 0) {
    const why = rank.loc[op] === NONE ? "The log gives no location for this op" : "No module in this report names this location";
    return (
      <button type="button" disabled title={why}>
        No IR line
      </button>
    );
  }
  return (
    <>
      {targets.slice(0, 4).map((target) => (
        <button key={target.module} type="button" class="ir-link" onClick={() => openIr(target.module, target.line)}>
          {visible(target.stage)} line {count(target.line)}
        </button>
      ))}
    </>
  );
}

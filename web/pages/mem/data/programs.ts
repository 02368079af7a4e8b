// Programs and graphs by name: several graphs may be called "main", so they are numbered as the other outputs do.
import { visible } from "kit/format";
import type { Page, PageHeader } from "./page";
import { NONE } from "./rank";
import type { RankData } from "./rank";

const labels = new WeakMap<PageHeader, string[]>();

/** Of every graph: "main" where it is the only one, else "main#1", "main#2" in the order of the log. */
export function graphLabels(header: PageHeader): string[] {
  const known = labels.get(header);
  if (known) return known;
  const all = new Map<string, number>();
  for (const { name } of header.graphs) all.set(name, (all.get(name) ?? 0) + 1);
  const seen = new Map<string, number>();
  const made = header.graphs.map(({ name }) => {
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    return (all.get(name) ?? 0) > 1 ? `${name}#${number}` : name;
  });
  labels.set(header, made);
  return made;
}

const runs = new WeakMap<RankData["programs"], Map<number, number>>();

/** How often a rank runs each graph. */
function runsOf({ programs }: RankData): Map<number, number> {
  let known = runs.get(programs);
  if (!known) {
    known = new Map();
    for (let i = 0; i < programs.count; i++) known.set(programs.graph[i], (known.get(programs.graph[i]) ?? 0) + 1);
    runs.set(programs, known);
  }
  return known;
}

/** The graph of a program instance, told apart from others of its name; not yet safe to show. */
export function graphOfProgram(page: Page, rank: RankData, program: number): string {
  if (program >= rank.programs.count) return "";
  return graphLabels(page.header)[rank.programs.graph[program]] ?? page.names.get(rank.programs.name[program]);
}

/** "main#2, run 2 of 3"; "" for none. Not yet safe to show. */
export function programText(page: Page, rank: RankData, program: number): string {
  if (program === NONE || program >= rank.programs.count) return "";
  const all = runsOf(rank).get(rank.programs.graph[program]) ?? 1;
  const name = graphOfProgram(page, rank, program);
  return all > 1 ? `${name}, run ${rank.programs.run[program] + 1} of ${all}` : name;
}

/** The same, safe to show. */
export const programName = (page: Page, rank: RankData, program: number): string => visible(programText(page, rank, program));

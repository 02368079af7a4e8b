// What decides the wall time, and where runs repeat, as executions of the timeline.
import type { PerfData } from "./data";
import type { Lane } from "./lanes";

function executionsById({ executions }: PerfData, idOf: (execution: number) => number): Map<string, number> {
  const found = new Map<string, number>();
  for (let i = 0; i < executions.count; i++) found.set(`${executions.device[i]}:${idOf(i)}`, i);
  return found;
}

/** Bits of a mark: the op is a part of the path, the wait before it is one. */
export const ON_PATH = 1;
export const WAIT_ON_PATH = 2;

/** Executions that begin a replay or an iteration, by what repeats. */
export function repeatStarts(data: PerfData, lanes: Lane[]): Map<number, string> {
  const starts = new Map<number, string>();
  const iterations = data.document.iterations ?? [];
  if (iterations.length === 0 || lanes.length === 0) return starts;
  const byId = executionsById(data, (i) => data.executions.id[i]);
  for (const series of iterations) {
    for (const time of series.times) {
      const execution = byId.get(`${time.device}:${time.first_id}`);
      if (execution !== undefined) starts.set(execution, `${series.kind} ${time.number}`);
    }
  }
  return starts;
}

// What decides the wall time, and where runs repeat, as executions of the timeline.
import type { PerfData } from "./data";
import type { Lane } from "./lanes";

/** Executions of the critical path, and those of them before which the device waited. */
export interface PathMarks {
  ops: Set<number>;
  gaps: Set<number>;
}

function executionsById(data: PerfData): Map<string, number> {
  const { executions, rows } = data;
  const found = new Map<string, number>();
  for (let i = 0; i < executions.count; i++) found.set(`${executions.device[i]}:${rows.id[executions.row[i]]}`, i);
  return found;
}

export function pathMarks(data: PerfData): PathMarks {
  const marks: PathMarks = { ops: new Set(), gaps: new Set() };
  const parts = data.document.critical_path?.parts ?? [];
  if (parts.length === 0) return marks;
  const byId = executionsById(data);
  for (const part of parts) {
    const execution = byId.get(`${part.device}:${part.row}`);
    if (execution !== undefined) (part.kind === "gap" ? marks.gaps : marks.ops).add(execution);
  }
  return marks;
}

/** Executions that begin a replay or an iteration, by what repeats. */
export function repeatStarts(data: PerfData, lanes: Lane[]): Map<number, string> {
  const starts = new Map<number, string>();
  const iterations = data.document.iterations ?? [];
  if (iterations.length === 0 || lanes.length === 0) return starts;
  const byId = executionsById(data);
  for (const series of iterations) {
    for (const time of series.times) {
      const execution = byId.get(`${time.device}:${time.first_id}`);
      if (execution !== undefined) starts.set(execution, `${series.kind} ${time.number}`);
    }
  }
  return starts;
}

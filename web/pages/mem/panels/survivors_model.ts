// What outlives the run of a program that made it: kept once, replaced by the next run, or one more with each run.

import { accounted, lifeEnd, liveSums } from "../data/live";
import type { TypeSizes } from "../data/live";
import { allocatedAt, BUFFER_MEMORIES, KINDS, NONE, pointAt } from "../data/rank";
import type { BufferMemory, Programs, RankData } from "../data/rank";
import type { Slicer } from "kit/slices";

/** Outermost programs in order of execution; const-eval belongs to the program that calls it. */
export function passesOf({ programs }: { programs: Programs }): number[] {
  const { count, parent, first, end, flags } = programs;
  const passes: number[] = [];
  for (let i = 0; i < count; i++) if (parent[i] === NONE && end[i] > first[i] && (flags[i] & 1) === 0) passes.push(i);
  return passes.sort((a, b) => end[a] - end[b] || a - b);
}

export const FATES = ["adds_up", "replaced", "stays", "freed_later", "from_outside"] as const;
/**
 * adds_up: several runs made one each and none was freed. replaced: several made one each, the ones before are gone.
 * stays: made once, there to the end. freed_later: made once, freed in a later run. from_outside: weights and inputs.
 */
export type Fate = (typeof FATES)[number];

export interface Survivor {
  fate: Fate;
  /** The last of them. */
  example: number;
  kind: number;
  /** How many outlived the run that made them, and how many of these were never freed. */
  tensors: number;
  alive: number;
  /** How many runs made them, and how many made those that were never freed. */
  madeIn: number;
  keptOf: number;
  /** Per bank: of one, and of those that were never freed. */
  bytes: number;
  aliveBytes: number;
  /** Most runs that one of them outlived. */
  runs: number;
}

/** Memory after a pass, bytes per bank. */
export interface AfterPass {
  program: number;
  /** NaN where no memory line shows it. */
  measured: number;
  live: number;
  /** Of tensors that the pass made and left behind; NaN for a run that the log ends with. */
  left: number;
}

export interface Survivors {
  survivors: Survivor[];
  passes: AfterPass[];
  /** What each further run keeps, per bank; 0: nothing piles up. */
  growth: number;
}

/** Index of the first pass that ends behind the moment. */
function passOf(ends: Uint32Array, moment: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ends[middle] > moment) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Tensors of the same origin: the same argument, or the same op text, location and type. */
function originOf(rank: RankData, buffer: number): string {
  const { arg, op, type, kind } = rank.buffers;
  if (op[buffer] === NONE) return arg[buffer] === NONE ? `o${kind[buffer]}.${type[buffer]}` : `a${arg[buffer]}`;
  return `t${rank.text[op[buffer]]}.${rank.loc[op[buffer]]}.${type[buffer]}`;
}

function fateOf(rank: RankData, one: Survivor): Fate {
  if (rank.buffers.op[one.example] === NONE) return "from_outside";
  if (one.madeIn === 1) return one.alive > 0 ? "stays" : "freed_later";
  return one.keptOf > 1 && one.alive === one.tensors ? "adds_up" : "replaced";
}

/** While they are counted: the last pass that made one, and that made one which stays. */
interface Counted extends Survivor {
  lastPass: number;
  lastKept: number;
}

const NOTHING = { fate: "stays", tensors: 0, alive: 0, madeIn: 0, keptOf: 0, bytes: 0, aliveBytes: 0, runs: 0, lastPass: -1, lastKept: -1 } as const;

/** Buffers come in the order of their birth, so runs are counted by their changes. */
function countIn(groups: Map<string, Counted>, rank: RankData, buffer: number, pass: number, runs: number): void {
  const { bytes, died, kind } = rank.buffers;
  const key = originOf(rank, buffer);
  let one = groups.get(key);
  if (!one) groups.set(key, (one = { ...NOTHING, example: buffer, kind: kind[buffer] }));
  one.example = buffer;
  if (one.lastPass !== pass) one.madeIn++;
  one.lastPass = pass;
  one.tensors++;
  one.bytes = Math.max(one.bytes, bytes[buffer]);
  one.runs = Math.max(one.runs, runs);
  if (died[buffer] !== NONE) return;
  if (one.lastKept !== pass) one.keptOf++;
  one.lastKept = pass;
  one.alive++;
  one.aliveBytes += bytes[buffer];
}

function afterPasses(rank: RankData, memory: BufferMemory, passes: number[], sizes: TypeSizes): AfterPass[] {
  const sums = liveSums(rank, memory, sizes);
  const into = new Float64Array(KINDS.length + 3);
  return passes.map((program) => {
    const moment = 2 * rank.programs.end[program];
    const point = pointAt(rank, moment);
    // A state that was printed before the last op of a run is none of what the run left.
    const measured = point >= 0 && rank.points.moment[point] === moment ? allocatedAt(rank, memory, point) : NaN;
    return { program, measured, live: accounted(sums.at(moment, into)), left: moment >= 2 * rank.ops ? NaN : 0 };
  });
}

/** Null where there are not two runs to compare. */
export async function findSurvivors(rank: RankData, memory: BufferMemory, sizes: TypeSizes, slicer: Slicer): Promise<Survivors | null> {
  const programs = passesOf(rank);
  if (programs.length < 2) return null;
  const ends = Uint32Array.from(programs, (program) => 2 * rank.programs.end[program]);
  const passes = afterPasses(rank, memory, programs, sizes);
  const groups = new Map<string, Counted>();
  const wanted = BUFFER_MEMORIES.indexOf(memory);
  const { born, died, memory: memories, bytes, op, count } = rank.buffers;
  await slicer.steps(count, 1 << 14, (from, to) => {
    for (let i = from; i < to; ++i) {
      if (memories[i] !== wanted) continue;
      const pass = passOf(ends, born[i]);
      // Behind the last run nothing shows what it keeps.
      if (pass >= ends.length || ends[pass] >= 2 * rank.ops || lifeEnd(died[i]) <= ends[pass]) continue;
      const last = died[i] === NONE ? ends.length : passOf(ends, died[i] - 1);
      countIn(groups, rank, i, pass, last - pass);
      if (op[i] !== NONE) passes[pass].left += bytes[i];
    }
  });
  const survivors: Survivor[] = [...groups.values()];
  for (const one of survivors) one.fate = fateOf(rank, one);
  survivors.sort((a, b) => FATES.indexOf(a.fate) - FATES.indexOf(b.fate) || b.aliveBytes - a.aliveBytes || b.bytes - a.bytes);
  const growth = survivors.reduce((sum, one) => sum + (one.fate === "adds_up" ? one.aliveBytes / one.keptOf : 0), 0);
  return { survivors, passes, growth };
}

// The tensors of one moment, and the sum that they and the unaccounted rest make.

import { liveBuffers } from "../data/live";
import { KINDS, NONE } from "../data/rank";
import type { BufferMemory, RankData } from "../data/rank";
import type { Argument, Page } from "../data/page";
import { opName } from "../data/page";
import { shortNames } from "../data/names";
import { programText } from "../data/programs";
import { memDoc } from "./mem_doc";
import { stateAt } from "./states";

/** Parts that add up: kinds + unaccounted = measured, all bytes per bank. */
export interface LiveSet {
  moment: number;
  memory: BufferMemory;
  /** Largest first. */
  buffers: Uint32Array;
  kinds: Float64Array;
  accounted: number;
  /** NaN where no memory line shows the moment. */
  measured: number;
  unaccounted: number;
  /** Whole tensors. */
  logical: number;
  padded: number;
  /** Log line of the memory block behind `measured`; 0 for none. */
  line: number;
  /** Results that a failing op had got already; they are among the activations and in no list. */
  failing: number;
  failingBytes: number;
}

/** Moment on show: the one chosen, else the peak of the memory. */
export function momentOf(rank: RankData, memory: BufferMemory, chosen: number | null): number {
  return chosen ?? rank.header.peaks[memory]?.moment ?? 0;
}

function measuredAt(rank: RankData, memory: BufferMemory, moment: number): { bytes: number; line: number } {
  const peak = rank.header.peaks[memory];
  const state = stateAt(rank, moment, memory);
  if (peak && peak.moment === moment && peak.op !== null) return { bytes: peak.bytes_per_bank, line: state.line };
  return { bytes: state.allocated, line: state.line };
}

/** Known of the peak alone, where the message of the failure is what shows it. */
function failingResults(page: Page, rank: RankData, memory: BufferMemory, moment: number): { tensors: number; bytes: number } {
  const peak = rank.header.peaks[memory];
  const known = memDoc(page).live_at_peak?.[memory];
  const isIt = peak !== undefined && known !== undefined && peak.moment === moment && peak.bytes_per_bank === known.bytes_per_bank;
  return { tensors: isIt ? (known.failing_results ?? 0) : 0, bytes: isIt ? (known.failing_result_bytes_per_bank ?? 0) : 0 };
}

export function liveSet(page: Page, rank: RankData, memory: BufferMemory, moment: number): LiveSet {
  const buffers = liveBuffers(rank, memory, moment);
  const kinds = new Float64Array(KINDS.length);
  let accounted = 0;
  let logical = 0;
  let padded = 0;
  for (const buffer of buffers) {
    const type = rank.buffers.type[buffer];
    kinds[rank.buffers.kind[buffer]] += rank.buffers.bytes[buffer];
    accounted += rank.buffers.bytes[buffer];
    logical += page.typeLogical[type] ?? 0;
    padded += page.typePadded[type] ?? 0;
  }
  const failing = failingResults(page, rank, memory, moment);
  kinds[KINDS.indexOf("activation")] += failing.bytes;
  accounted += failing.bytes;
  const { bytes: measured, line } = measuredAt(rank, memory, moment);
  return { moment, memory, buffers, kinds, accounted, measured, unaccounted: measured - accounted, logical, padded, line, failing: failing.tensors, failingBytes: failing.bytes };
}

/** "before op 12", "after op 12" of a moment. */
export function momentWords(moment: number): { side: "before" | "after"; op: number } {
  return { side: (moment & 1) === 1 ? "after" : "before", op: moment >>> 1 };
}

const short = new WeakMap<Argument[], string[]>();

/** Short names of all arguments, made once. */
function shortNamesOf(args: Argument[]): string[] {
  let names = short.get(args);
  if (!names) short.set(args, (names = shortNames(args)));
  return names;
}

/** What a person calls a tensor: its model name without what all share, else its SSA name. */
export function bufferName(page: Page, rank: RankData, args: Argument[] | null, buffer: number): string {
  const argument = args ? shortNamesOf(args)[rank.buffers.arg[buffer]] : undefined;
  return argument || page.names.get(rank.buffers.name[buffer]) || "(no name)";
}

/** Everything that names a tensor: its model name in full, its SSA name, its program. */
export function fullBufferName(page: Page, rank: RankData, args: Argument[] | null, buffer: number): string {
  const { arg, name, program } = rank.buffers;
  const known = args?.[arg[buffer]]?.name ?? "";
  const ssa = page.names.get(name[buffer]);
  const graph = programText(page, rank, program[buffer]);
  return [known, `${ssa || "no SSA name"}${graph ? ` of ${graph}` : ""}`].filter((part) => part !== "").join(" · ");
}

export function makerName(page: Page, rank: RankData, buffer: number): string {
  const op = rank.buffers.op[buffer];
  return op === NONE ? "" : opName(page, rank, op) || `op ${op}`;
}

/** Padded less logical bytes of the whole tensor. */
export function paddingOf(page: Page, rank: RankData, buffer: number): number {
  const type = rank.buffers.type[buffer];
  return type === NONE ? NaN : page.typePadded[type] - page.typeLogical[type];
}

/** Tensors alike: same maker and same type; where one is worth looking at, all of them are. */
export interface TensorGroup {
  maker: string;
  type: number;
  kind: number;
  tensors: number;
  bytes: number;
  /** The largest of them. */
  example: number;
}

/** The live set by maker and type, most bytes per bank first. */
export function groupsOf(page: Page, rank: RankData, live: LiveSet): TensorGroup[] {
  const groups = new Map<string, TensorGroup>();
  for (const buffer of live.buffers) {
    const { kind, type, bytes } = rank.buffers;
    const maker = makerName(page, rank, buffer);
    const key = `${kind[buffer]} ${type[buffer]} ${maker}`;
    const group = groups.get(key);
    if (group) {
      group.tensors += 1;
      group.bytes += bytes[buffer];
    } else {
      groups.set(key, { maker, type: type[buffer], kind: kind[buffer], tensors: 1, bytes: bytes[buffer], example: buffer });
    }
  }
  return [...groups.values()].sort((a, b) => b.bytes - a.bytes);
}

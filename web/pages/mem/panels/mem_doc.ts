// The parts of the document ttscope.mem/1 (docs/formats/mem_json.md) that panels read. Fields may be absent in pages
// made from other inputs than a log, hence all of them are optional.

import type { Memory } from "../data/rank";
import type { Page } from "../data/page";

export interface MemPeak {
  bytes_per_bank: number;
  bytes_total: number;
  percent_of_capacity: number | null;
  op_index: number | null;
  line: number | null;
  op: string | null;
  loc: string | null;
  event: string | null;
  program: string | null;
  seen_at_line: number | null;
  confidence: string;
  includes: string[];
  excludes: string[];
}

export interface MemMemory {
  banks: number;
  capacity_bytes_per_bank: number;
  peak: MemPeak;
}

export interface Problem {
  count: number;
  what: string;
  first_places: { line: number; file?: number }[];
}

/** On the device, though nothing used it any more. */
export interface IdleTensor {
  name: string;
  shape: number[];
  dtype: string;
  bytes_per_bank: number;
  last_used_line: number | null;
  idle_ops: number;
  proof: string;
  freed_line: number | null;
}

export interface Failure {
  diagnosis: string;
  memory: string | null;
  message_line: number;
  requested_bytes: number | null;
  banks: number | null;
  bytes_per_bank: number | null;
  bank_size_bytes: number | null;
  allocated_bytes_per_bank: number | null;
  free_bytes_per_bank: number | null;
  largest_free_bytes_per_bank: number | null;
  state_from: string | null;
  op_index: number | null;
  line: number | null;
  op: string | null;
  loc: string | null;
  program: string | null;
  verdict?: string;
  /** What was asked for, and why it failed, in words. */
  what?: string;
  text?: string;
  /** What the tensor can be that found no room, likeliest first. */
  candidates?: { text: string }[];
  /** Who held the memory then; they add up to what was held. */
  held_bytes_per_bank?: number | null;
  holders?: { kind: string; bytes_per_bank: number; tensors: number }[];
  freed_late?: { bytes_per_bank: number; tensor_count: number; tensors: IdleTensor[] } | null;
  grew?: { text: string; bytes_per_bank: number } | null;
  /** Index of the failure that this one repeats. */
  repeats?: number | null;
}

export interface PaddingRecord {
  rank: number;
  op_index: number;
  line: number;
  op: string;
  loc: string | null;
  shape: number[];
  dtype: string;
  logical_bytes: number;
  padded_bytes: number;
  padded_shape: number[];
  waste_bytes: number;
  waste_percent: number;
}

export interface KindRecord {
  op: string;
  executed: number;
  counted: boolean;
  weight_ops: number;
  growth_bytes_per_bank: { DRAM: number; L1: number };
}

export interface MemRank {
  rank: number;
  tag: string | null;
  ops: number;
  executed_ops: number;
  weight_ops: number;
  programs: number;
  memory_blocks: number;
  failures: number;
  duplicated_by_const_eval_bytes: number;
  device: { arch: string | null; source: string };
  memory: Partial<Record<Memory, MemMemory>>;
}

interface Detail {
  text?: string;
  /** The reason as a word. */
  why?: string;
}

export interface MemVerdict {
  severity: "ok" | "warning" | "critical";
  findings: { severity: string; text: string }[];
  outcome?: string;
  outcome_detail?: Detail;
  fit?: string;
  fit_detail?: Detail;
  trust?: string;
  trust_detail?: Detail;
}

/** What would save memory; the saving is that of the peak. */
export interface Fix {
  kind?: string;
  what: string;
  /** What the peak becomes. */
  effect?: string;
  saves_bytes_per_bank: number;
  enough?: boolean | null;
  evidence?: { largest?: { name: string; bytes_per_bank: number }[] };
}

export interface MemDoc {
  inputs?: { path: string; lines: number }[];
  trust?: {
    recognised?: Record<string, number>;
    skipped?: Record<string, Problem>;
    repaired?: Record<string, Problem>;
    missing?: string[];
    notes?: string[];
  };
  verdict?: MemVerdict;
  fixes?: Fix[];
  ops?: number;
  executed_ops?: number;
  weight_ops?: number;
  activation_ops?: number;
  device?: { arch: string | null; source: string };
  memory?: Partial<Record<Memory, MemMemory>>;
  padding?: {
    waste_bytes_at_peak: number | null;
    waste_percent_at_peak: number | null;
    waste_bytes_at_l1_peak: number | null;
    worst: PaddingRecord[];
  };
  fragmentation?: Partial<Record<Memory, { worst_fraction: number | null; before_op_index: number | null; line: number | null }>>;
  weights?: { count: number; bytes: number; duplicated_by_const_eval_bytes: number; duplicated_by_const_eval_bytes_highest: number };
  operations_by_kind?: KindRecord[];
  failures?: Failure[];
  ranks?: MemRank[];
  /** Of the main rank. */
  live_at_peak?: Partial<Record<Memory, { bytes_per_bank: number; failing_results?: number; failing_result_bytes_per_bank?: number }>>;
}

export function memDoc(page: Page): MemDoc {
  return (page.mem ?? {}) as MemDoc;
}

/** Memory figures of a rank; those of the whole document where it lists no ranks. */
export function memoryOfRank(page: Page, index: number): Partial<Record<Memory, MemMemory>> {
  const doc = memDoc(page);
  return doc.ranks?.[index]?.memory ?? doc.memory ?? {};
}

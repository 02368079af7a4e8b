// The document of `ttscope phases --json` as the page uses it, and the figures that the page derives from it.
import { axisMarks } from "kit/scale";

export interface Component {
  kind: string;
  label: string;
  color: string;
  bytes: number;
  measured_bytes: number;
  confidence: string;
  meaning: string;
}

export interface Phase {
  name: string;
  role: string;
  micro_step: number | null;
  line: number;
  start_bytes: number;
  segment_peak_bytes: number;
  reached_bytes: number;
  allocations_bytes: number | null;
  deallocations_bytes: number | null;
  change_bytes: number;
  current_bytes: number;
  all_figures_printed: boolean;
  l1: { peak_cb_mb: number; peak_buffer_mb: number; peak_total_mb: number } | null;
}

export interface SizeCheck {
  actual_bytes: number | null;
  expected_bytes: number | null;
}

export interface Run {
  name: string;
  file: number;
  line: number;
  severity: string;
  verdict: string | null;
  parameters: number | null;
  device: { bytes: number | null; devices: number; origin: string };
  peak: { bytes: number; phase: number | null; share_of_device: number | null; fits: boolean | null };
  final_bytes: number;
  sizes: { model: SizeCheck; optimizer: SizeCheck; gradients: SizeCheck; activations_bytes: number | null };
  actual_sizes: boolean;
  components: Component[];
  phases: Phase[];
  steps: { micro_step: number | null; activations_bytes: number; net_bytes: number; peak_bytes: number }[];
  violations: { text: string }[];
  advice: { kind: string; bytes: number; confidence: string; text: string }[];
  notes: string[];
}

/** A run whose figures do not tell whether it fits. */
export interface NoVerdict {
  run: string;
  reason: string;
}

export interface Document {
  schema: string;
  tool: { version: string };
  title: string | null;
  inputs: { path: string; lines: number }[];
  trust: {
    scope: string;
    problems: { count: number; what: string; first_places: { file: number; line: number }[] }[];
    no_verdict: NoVerdict[];
    warnings: string[];
  };
  verdict: string | null;
  configurations: Run[];
}

const MB = 1024 * 1024;

export type Sizes = "measured" | "expected";

export interface Part {
  kind: string;
  label: string;
  color: string;
  bytes: number;
  confidence: string;
  meaning: string;
}

/** What of the peak each part is. With expected sizes the difference to what was measured is in "Other". */
export function partsOf(run: Run, sizes: Sizes): Part[] {
  const expected: Record<string, number | null> =
    sizes === "expected" ? { model: run.sizes.model.expected_bytes, optimizer: run.sizes.optimizer.expected_bytes } : {};
  const parts = run.components.map((part) => {
    const replaced = expected[part.kind] ?? null;
    const confidence = replaced !== null ? "modelled" : part.kind === "model" || part.kind === "optimizer" ? "measured" : part.confidence;
    return { ...part, bytes: replaced ?? part.measured_bytes, confidence };
  });
  const known = parts.filter((part) => part.kind !== "other").reduce((sum, part) => sum + part.bytes, 0);
  return parts.map((part) => (part.kind === "other" ? { ...part, bytes: run.peak.bytes - known } : part));
}

/** The two decimals of all figures add up to this at most. */
function roundingOf(run: Run): number {
  return 0.01 * MB * (run.phases.length + 2);
}

/** Parts that are drawn: more than nothing, and more than rounding where they are what is left over. */
export function drawnParts(run: Run, sizes: Sizes): Part[] {
  return partsOf(run, sizes).filter((part) => part.bytes > (part.kind === "other" ? roundingOf(run) : 0));
}

/** Every kind of part that some run has, in stacking order. */
export function kindsOf(runs: Run[], sizes: Sizes): Part[] {
  const order = ["other", "model", "gradients_overhead", "optimizer", "activations", "gradients", "other_phases", "temporaries"];
  const found = new Map<string, Part>();
  for (const run of runs) {
    for (const part of partsOf(run, sizes)) {
      const seen = found.get(part.kind);
      if (!seen) found.set(part.kind, part);
    }
  }
  return order.flatMap((kind) => found.get(kind) ?? []);
}

/** The upper end of a scale for these runs, in bytes. */
export function scaleOf(runs: Run[], sizes: Sizes): number {
  let most = MB;
  for (const run of runs) {
    const stacked = drawnParts(run, sizes).reduce((sum, part) => sum + part.bytes, 0);
    const reached = run.phases.reduce((top, phase) => Math.max(top, phase.reached_bytes), 0);
    most = Math.max(most, run.peak.bytes, stacked, reached, run.device.bytes ?? 0);
  }
  return most * 1.08;
}

/** Quarters of thousands are round enough for memory. */
const FACTORS = [1, 2, 2.5, 5];

/** Marks of an axis up to `most` bytes. */
export function marksOf(most: number, wanted: number): number[] {
  return axisMarks(0, most / MB, wanted, { factors: FACTORS }).map((mark) => mark * MB);
}

export interface View {
  run: number;
  base: number;
  sizes: Sizes;
}

/** What a link says; anything else is left out. */
export function viewOf(fragment: string, runs: number, usual: View): View {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const index = (key: string, otherwise: number) => {
    const text = fields.get(key);
    const value = text === null ? NaN : Number(text);
    return Number.isInteger(value) && value >= 0 && value < runs ? value : otherwise;
  };
  const sizes = fields.get("sizes");
  return { run: index("run", usual.run), base: index("base", usual.base), sizes: sizes === "measured" || sizes === "expected" ? sizes : usual.sizes };
}

export function fragmentOf(view: View): string {
  return `run=${view.run}&base=${view.base}&sizes=${view.sizes}`;
}

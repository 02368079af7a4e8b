// What the user looks at. One store; its state is the URL fragment, so that a link reopens the exact view.
import { observable, useObservable } from "kit/observable";
import type { Observable } from "kit/observable";
import type { SectionLink } from "kit/sections";
import type { Theme } from "kit/theme";
import { MEMORIES } from "./data/rank";
import type { Memory } from "./data/rank";

export interface View {
  /** Index in header.ranks. */
  rank: number;
  /** All ranks on the curve. */
  overlay: boolean;
  memory: Memory;
  /** Height of the timeline: up to the capacity, the peak, what is in view; or only the changes in view, axis not from 0. */
  scale: "auto" | "capacity" | "peak" | "view" | "changes";
  /** Visible range in op units, fractional. */
  from: number;
  to: number;
  /** Selected op: details drawer, table row, mark on the charts. */
  op: number | null;
  /** Selected tensor: its details, its life on the charts. At most one of op and tensor is selected. */
  buffer: number | null;
  /** What the stack of live tensors is made of. */
  stack: Stack;
  /** What of the charts is hidden: ids of legend entries, in alphabetical order, with blanks between. */
  hide: string;
  /** Path of the layer on show. */
  layer: string;
  /** Chosen moment of the composition list (2*i before op i, 2*i+1 after); null: the peak. */
  moment: number | null;
  /** Area selected by dragging, in ops. */
  range: [number, number] | null;
  query: string;
  section: string;
  theme: Theme;
  /** Of the ops table, as short strings. */
  sort: string;
  columns: string;
  filter: string;
  /** Of the IR view. */
  module: number | null;
  line: number | null;
}

export const STACKS = ["kind", "tensor", "layer"] as const;
export type Stack = (typeof STACKS)[number];

export interface Hover {
  op: number | null;
  buffer: number | null;
}

/** Sections in page order: keys 1..9 of the navigation. */
export const SECTIONS: readonly SectionLink[] = [
  { id: "verdict", label: "Verdict" },
  { id: "timeline", label: "Memory over time" },
  { id: "composition", label: "Composition" },
  { id: "figures", label: "Figures and trust" },
  { id: "padding", label: "Tile padding" },
  { id: "fragmentation", label: "Fragmentation" },
  { id: "survivors", label: "From run to run" },
  { id: "peaks", label: "Peaks and growth" },
  { id: "ops", label: "All ops" },
  { id: "fit", label: "Does it fit?" },
  { id: "ir", label: "IR modules" },
  { id: "layers", label: "Model layers" },
  { id: "ranks", label: "Ranks" },
];

/** Of a text that holds messages alone: all that they can tell. */
const SECTIONS_OF_MESSAGES = ["verdict", "figures", "fit"];

/** Those of a page: one rank needs no list of ranks. */
export function sectionsOf(ranks: number, hasRun = true): readonly SectionLink[] {
  if (!hasRun) return SECTIONS.filter((one) => SECTIONS_OF_MESSAGES.includes(one.id));
  return ranks > 1 ? SECTIONS : SECTIONS.filter((one) => one.id !== "ranks");
}

const SCALES = ["capacity", "peak", "view", "changes"] as const;

const START: View = {
  rank: 0,
  overlay: false,
  memory: "DRAM",
  scale: "auto",
  from: 0,
  to: 1,
  op: null,
  buffer: null,
  stack: "kind",
  hide: "",
  layer: "",
  moment: null,
  range: null,
  query: "",
  section: "verdict",
  theme: "auto",
  sort: "",
  columns: "",
  filter: "",
  module: null,
  line: null,
};

/** The rank that a link without one means: the one with the highest peak. */
export function setUsualRank(rank: number): void {
  START.rank = rank;
}

export const store: Observable<View> = observable({ ...START });
export const hover: Observable<Hover> = observable<Hover>({ op: null, buffer: null });

/** The part of the view a component shows; it renders again when that part changes (compared by identity). */
export function useView<T>(select: (view: View) => T): T {
  return useObservable(store, select);
}

export function useHover<T>(select: (state: Hover) => T): T {
  return useObservable(hover, select);
}

function range(text: string): [number, number] | null {
  const match = /^(-?[\d.]+)~(-?[\d.]+)$/.exec(text);
  if (!match) return null;
  const from = Number(match[1]);
  const to = Number(match[2]);
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? [from, to] : null;
}

/** Each once, in order, so that equal choices have equal links. */
function hiddenIds(text: string): string {
  return [...new Set(text.split(" ").filter((id) => /^[\w.-]{1,80}$/.test(id)))].sort().join(" ");
}

/** What is hidden now. */
export function hiddenOf(hide: string): ReadonlySet<string> {
  return new Set(hide.split(" ").filter((id) => id !== ""));
}

/** Hides these, or shows them where all of them are hidden. */
export function toggleHidden(...ids: string[]): void {
  const hidden = new Set(hiddenOf(store.get().hide));
  const all = ids.every((id) => hidden.has(id));
  for (const id of ids) {
    if (all) hidden.delete(id);
    else hidden.add(id);
  }
  store.set({ hide: hiddenIds([...hidden].join(" ")) });
}

function index(text: string | null): number | null {
  return text !== null && /^\d{1,10}$/.test(text) ? Number(text) : null;
}

const short = (value: number) => Number(value.toFixed(3)).toString();

/** The view as a URL fragment without `#`; what has its usual value is left out. `ops`: of the chosen rank. */
export function toFragment(view: View, ops: number): string {
  const parts = new URLSearchParams();
  if (view.rank !== START.rank) parts.set("rank", String(view.rank));
  if (view.overlay) parts.set("overlay", "1");
  if (view.memory !== START.memory) parts.set("mem", view.memory);
  if (view.scale !== START.scale) parts.set("scale", view.scale);
  if (view.from > 0 || view.to < ops) parts.set("view", `${short(view.from)}~${short(view.to)}`);
  if (view.op !== null) parts.set("op", String(view.op));
  if (view.buffer !== null) parts.set("tensor", String(view.buffer));
  if (view.stack !== START.stack) parts.set("stack", view.stack);
  if (view.moment !== null) parts.set("moment", String(view.moment));
  if (view.range) parts.set("range", `${short(view.range[0])}~${short(view.range[1])}`);
  if (view.query) parts.set("q", view.query);
  if (view.section !== START.section) parts.set("at", view.section);
  if (view.theme !== START.theme) parts.set("theme", view.theme);
  for (const key of ["hide", "layer", "sort", "columns", "filter"] as const) if (view[key]) parts.set(key, view[key]);
  if (view.module !== null) parts.set("module", String(view.module));
  if (view.line !== null) parts.set("line", String(view.line));
  return parts.toString();
}

/** The view that a fragment describes; what it does not name, or names wrongly, has its usual value. */
export function fromFragment(fragment: string, ops: (rank: number) => number, ranks: number): View {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const rank = Math.min(index(parts.get("rank")) ?? START.rank, Math.max(0, ranks - 1));
  const count = Math.max(1, ops(rank));
  const visible = range(parts.get("view") ?? "") ?? [0, count];
  const memory = parts.get("mem") as Memory;
  const theme = parts.get("theme");
  const scale = parts.get("scale");
  const section = parts.get("at") ?? "";
  const op = index(parts.get("op"));
  const moment = index(parts.get("moment"));
  return {
    ...START,
    rank,
    overlay: parts.get("overlay") === "1",
    memory: MEMORIES.includes(memory) ? memory : START.memory,
    scale: SCALES.find((one) => one === scale) ?? "auto",
    from: Math.max(0, Math.min(visible[0], count - 0.001)),
    to: Math.min(count, Math.max(visible[1], 0.001)),
    op: op !== null && op < count ? op : null,
    buffer: op === null ? index(parts.get("tensor")) : null,
    stack: STACKS.find((one) => one === parts.get("stack")) ?? START.stack,
    hide: hiddenIds(parts.get("hide") ?? ""),
    layer: parts.get("layer") ?? "",
    moment: moment !== null && moment <= 2 * count ? moment : null,
    range: range(parts.get("range") ?? ""),
    query: parts.get("q") ?? "",
    section: SECTIONS.some((one) => one.id === section) ? section : START.section,
    theme: theme === "light" || theme === "dark" ? theme : "auto",
    sort: parts.get("sort") ?? "",
    columns: parts.get("columns") ?? "",
    filter: parts.get("filter") ?? "",
    module: index(parts.get("module")),
    line: index(parts.get("line")),
  };
}

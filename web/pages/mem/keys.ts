// The keyboard: Perfetto's keys where it has them.
import type { RankData } from "./data/rank";
import { goTo, hover, SECTIONS, store, ui } from "./state";
import { isTyping, ownsArrows } from "kit/typing";
import { focusOrFit, jumpToPeak, panBy, selectOp, zoomBy } from "./viewport";

/** What the help lists, in its order. */
export const KEYS: readonly { keys: string[]; what: string }[] = [
  { keys: ["W", "S"], what: "zoom in and out at the cursor" },
  { keys: ["A", "D"], what: "pan left and right (also ← →)" },
  { keys: ["F"], what: "focus the selection; again: the whole run" },
  { keys: ["+", "-", "0"], what: "zoom in, zoom out, whole run" },
  { keys: [".", ","], what: "next and previous op" },
  { keys: ["P"], what: "jump to the peak of the memory shown" },
  { keys: ["["], what: "next memory tab" },
  { keys: ["/"], what: "search (Enter, Shift+Enter: next and previous hit)" },
  { keys: ["1 … 9"], what: "go to a section" },
  { keys: ["Y"], what: "copy the selection as markdown" },
  { keys: ["T"], what: "light or dark" },
  { keys: ["Esc"], what: "close, clear the selection" },
  { keys: ["?"], what: "this list" },
  { keys: ["Ctrl + wheel"], what: "zoom the charts" },
  { keys: ["drag"], what: "select a range" },
  { keys: ["Shift + drag"], what: "pan" },
];

/** Actions of panels that a key starts; a panel puts its own in. */
export const actions = {
  copySelection: (): void => undefined,
  /** Where Escape closes something of a panel first: true when it did. */
  close: (): boolean => false,
};

export const SEARCH_ID = "search-input";

function zoomCenter(): number {
  const { from, to, op } = store.get();
  const under = hover.get().op ?? op;
  return under !== null && under >= from && under <= to ? under + 0.5 : (from + to) / 2;
}

function stepOp(rank: RankData, by: number): void {
  const { op, from } = store.get();
  const next = op === null ? Math.ceil(from) : op + by;
  selectOp(rank, Math.min(rank.ops - 1, Math.max(0, next)));
}

function nextMemory(rank: RankData): void {
  const memories = (["DRAM", "L1", "L1_SMALL", "TRACE"] as const).filter((memory) => rank.points.alloc[memory]);
  if (memories.length === 0) return;
  const at = memories.indexOf(store.get().memory);
  store.set({ memory: memories[(at + 1) % memories.length] });
}

export function toggleTheme(): void {
  const { theme } = store.get();
  const dark = theme === "auto" ? window.matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
  store.set({ theme: dark ? "light" : "dark" });
}

function escape(): void {
  if (ui.get().help) ui.set({ help: false });
  else if (actions.close()) return;
  else if (store.get().op !== null) store.set({ op: null });
  else store.set({ range: null, moment: null });
}

function chartAction(key: string, rank: RankData): (() => void) | undefined {
  const zoom = (factor: number) => () => zoomBy(factor, zoomCenter(), rank.ops);
  const map: Record<string, () => void> = {
    w: zoom(0.8),
    s: zoom(1.25),
    "+": zoom(0.8),
    "=": zoom(0.8),
    "-": zoom(1.25),
    "0": () => store.set({ from: 0, to: Math.max(1, rank.ops) }),
    a: () => panBy(-0.12, rank.ops),
    d: () => panBy(0.12, rank.ops),
    f: () => focusOrFit(rank.ops),
    p: () => jumpToPeak(rank),
    ".": () => stepOp(rank, 1),
    ",": () => stepOp(rank, -1),
    "[": () => nextMemory(rank),
  };
  return map[key];
}

function pageAction(key: string): (() => void) | undefined {
  if (/^[1-9]$/.test(key)) return () => goTo(SECTIONS[Number(key) - 1].id);
  const map: Record<string, () => void> = {
    "/": () => document.getElementById(SEARCH_ID)?.focus(),
    "?": () => ui.set({ help: !ui.get().help }),
    t: toggleTheme,
    y: () => actions.copySelection(),
    escape,
  };
  return map[key];
}

/** `rank` gives the data on show, or null while it loads. Returns how to stop listening. */
export function listenToKeys(rank: () => RankData | null): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (isTyping(event.target) && key !== "escape") return;
    if (isTyping(event.target)) (event.target as HTMLElement).blur();
    const arrow = { arrowleft: "a", arrowright: "d" }[key];
    if (arrow && ownsArrows(event.target)) return;
    const data = rank();
    const action = pageAction(key) ?? (data ? chartAction(arrow ?? key, data) : undefined);
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

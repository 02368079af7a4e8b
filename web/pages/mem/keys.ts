// What keys do on this page beside those of every page.
import { CHART_HELP, chartKeys } from "kit/keys";
import type { KeyHelp, KeyMap } from "kit/keys";
import { MEMORIES } from "./data/rank";
import type { RankData } from "./data/rank";
import { hover, store } from "./state";
import { focusOrFit, jumpToPeak, panBy, selectBuffer, selectOp, zoomBy } from "./viewport";

/** What the help lists, in its order. */
export const HELP: readonly KeyHelp[] = [
  ...CHART_HELP,
  { keys: ["F", "F"], what: "the whole run" },
  { keys: [".", ","], what: "next and previous op, or tensor where one is selected" },
  { keys: ["P"], what: "jump to the peak of the memory shown" },
  { keys: ["["], what: "next memory tab" },
  { keys: ["/"], what: "search (Enter, Shift+Enter: next and previous hit)" },
  { keys: ["Y"], what: "copy the selection as markdown" },
  { keys: ["Ctrl + wheel"], what: "zoom the charts" },
  { keys: ["drag"], what: "select a range" },
  { keys: ["Shift + drag"], what: "pan" },
  { keys: ["↑", "↓", "PgUp", "PgDn", "Home", "End"], what: "move in a table that has the focus" },
  { keys: ["Enter"], what: "open the row: op, layer or maker of a tensor" },
  { keys: ["Backspace"], what: "one layer up in the model layers" },
  { keys: ["Tab"], what: "next control; every table and button can be reached" },
];

/** Actions of panels that a key starts; a panel puts its own in. */
export const actions = {
  copySelection: (): void => undefined,
};

export const SEARCH_ID = "search-input";

function zoomCenter(): number {
  const { from, to, op } = store.get();
  const under = hover.get().op ?? op;
  return under !== null && under >= from && under <= to ? under + 0.5 : (from + to) / 2;
}

function stepOp(rank: RankData, by: number): void {
  const { op, buffer, from } = store.get();
  if (buffer !== null) return selectBuffer(rank, Math.min(rank.buffers.count - 1, Math.max(0, buffer + by)));
  const next = op === null ? Math.ceil(from) : op + by;
  return selectOp(rank, Math.min(rank.ops - 1, Math.max(0, next)));
}

function nextMemory(rank: RankData): void {
  const memories = MEMORIES.filter((memory) => rank.points.alloc[memory]);
  if (memories.length === 0) return;
  const at = memories.indexOf(store.get().memory);
  store.set({ memory: memories[(at + 1) % memories.length] });
}

function escape(): void {
  const { op, buffer } = store.get();
  if (op !== null || buffer !== null) store.set({ op: null, buffer: null });
  else store.set({ range: null, moment: null });
}

function rankKeys(rank: RankData): KeyMap {
  const chart = {
    zoom: (factor: number) => zoomBy(factor, zoomCenter(), rank.ops),
    pan: (share: number) => panBy(share, rank.ops),
    all: () => store.set({ from: 0, to: Math.max(1, rank.ops) }),
    focus: () => focusOrFit(rank.ops),
  };
  return {
    ...chartKeys(() => chart),
    p: () => jumpToPeak(rank),
    ".": () => stepOp(rank, 1),
    ",": () => stepOp(rank, -1),
    "[": () => nextMemory(rank),
  };
}

/** `rank`: the data on show, or null while it loads. */
export function keysOf(rank: RankData | null): KeyMap {
  return {
    ...(rank ? rankKeys(rank) : {}),
    "/": () => document.getElementById(SEARCH_ID)?.focus(),
    y: () => actions.copySelection(),
    escape,
  };
}

// The view as text in the address of the page: a link leads to the same picture.
import type { Area, Chosen, Shown } from "./state";

export interface View {
  range: { from: number; to: number } | null;
  scroll: number;
  zone: number | null;
  message: number | null;
  area: Area | null;
  mark: { from: number; to: number } | null;
  find: string;
  /** Groups that are not as they are at first. */
  turned: number[];
  flat: number[];
  pinned: string[];
}

/** How many of each there are: an address is typed and mailed, and may name what is not there. */
export interface Sizes {
  zones: number;
  tracks: number;
  groups: number;
  plots: number;
  messages: number;
}

/** Ascending numbers as stretches: 0-4.7.9-10 */
export function stretchesText(numbers: readonly number[]): string {
  const parts: string[] = [];
  const sorted = [...numbers].sort((a, b) => a - b);
  for (let i = 0; i < sorted.length; ) {
    let end = i;
    while (end + 1 < sorted.length && sorted[end + 1] <= sorted[end] + 1) end++;
    parts.push(sorted[i] === sorted[end] ? String(sorted[i]) : `${sorted[i]}-${sorted[end]}`);
    i = end + 1;
  }
  return parts.join(".");
}

export function readStretches(text: string | null, below: number): number[] {
  const numbers: number[] = [];
  for (const part of (text ?? "").split(".")) {
    const found = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part);
    if (!found) continue;
    const last = Math.min(below - 1, Number(found[2] ?? found[1]));
    for (let number = Number(found[1]); number <= last; number++) numbers.push(number);
  }
  return numbers;
}

const pairText = ({ from, to }: { from: number; to: number }) => `${from.toFixed(1)}_${to.toFixed(1)}`;

function readPair(text: string | null): { from: number; to: number } | null {
  const [from, to] = (text ?? "").split("_").map((part) => (part === "" ? NaN : Number(part)));
  return Number.isFinite(from) && Number.isFinite(to) && to >= from ? { from, to } : null;
}

/** `atFirst`: groups that begin folded. */
export function fragmentOf(shown: Pick<Shown, "from" | "to" | "scroll">, chosen: Omit<Chosen, "hits" | "found">, atFirst: ReadonlySet<number>, span: number): string {
  const parts = new URLSearchParams();
  const put = (key: string, text: string) => text !== "" && parts.set(key, text);
  if (shown.from > 0 || shown.to < span) {
    put("from", shown.from.toFixed(1));
    put("to", shown.to.toFixed(1));
  }
  if (shown.scroll > 0) put("scroll", shown.scroll.toFixed(0));
  if (chosen.zone !== null) put("zone", String(chosen.zone));
  if (chosen.message !== null) put("message", String(chosen.message));
  if (chosen.area) put("area", `${pairText(chosen.area)}_${stretchesText(chosen.area.tracks)}`);
  if (chosen.mark) put("mark", pairText(chosen.mark));
  put("find", chosen.find);
  put("fold", stretchesText([...chosen.folded].filter((group) => !atFirst.has(group)).concat([...atFirst].filter((group) => !chosen.folded.has(group)))));
  put("flat", stretchesText([...chosen.flat]));
  put("pin", chosen.pinned.join("."));
  return parts.toString();
}

export function readFragment(fragment: string, sizes: Sizes): View {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const number = (key: string) => (given.get(key) ? Number(given.get(key)) : NaN);
  const from = number("from");
  const to = number("to");
  const isPlace = (place: number, below: number) => Number.isInteger(place) && place >= 0 && place < below;
  const zone = number("zone");
  const message = number("message");
  const scroll = number("scroll");
  const area = readPair(given.get("area"));
  const areaTracks = readStretches(given.get("area")?.split("_")[2] ?? null, sizes.tracks);
  const isLine = (key: string) => /^[tp]\d{1,9}$/.test(key) && Number(key.slice(1)) < (key[0] === "t" ? sizes.tracks : sizes.plots);
  return {
    range: Number.isFinite(from) && Number.isFinite(to) && to > from ? { from, to } : null,
    scroll: scroll > 0 ? scroll : 0,
    zone: isPlace(zone, sizes.zones) ? zone : null,
    message: isPlace(message, sizes.messages) ? message : null,
    area: area && areaTracks.length > 0 ? { ...area, tracks: areaTracks } : null,
    mark: readPair(given.get("mark")),
    find: given.get("find") ?? "",
    turned: readStretches(given.get("fold"), sizes.groups),
    flat: readStretches(given.get("flat"), sizes.tracks),
    pinned: [...new Set((given.get("pin") ?? "").split(".").filter(isLine))],
  };
}

// What is seen and chosen. The view is not part of components: moving it repaints a canvas and renders nothing.
import { observable } from "kit/observable";
import type { Hits } from "./rows";

export interface Area {
  from: number;
  to: number;
  tracks: number[];
}

export interface Shown {
  from: number;
  to: number;
  /** Pixels from the top of all lines. */
  scroll: number;
  /** Where the pointer is, in time; null: outside. */
  cursor: number | null;
  hovered: number | null;
  /** An area that is being drawn. */
  draft: { from: number; to: number; top: number; bottom: number } | null;
}

export const shown = observable<Shown>({ from: 0, to: 1, scroll: 0, cursor: null, hovered: null, draft: null });

export interface Chosen {
  zone: number | null;
  area: Area | null;
  mark: { from: number; to: number } | null;
  find: string;
  hits: Hits | null;
  folded: ReadonlySet<number>;
}

export const chosen = observable<Chosen>({ zone: null, area: null, mark: null, find: "", hits: null, folded: new Set() });

/** No less is shown: a cycle of a device is about a nanosecond. */
const LEAST_NS = 4;

export function setRange(from: number, to: number, span: number): void {
  const air = span * 0.02;
  const length = Math.min(span + 2 * air, Math.max(to - from, LEAST_NS));
  const start = Math.min(Math.max(-air, from), span + air - length);
  shown.set({ from: start, to: start + length });
}

export function fragmentOf(find: string, zone: number | null, range: { from: number; to: number } | null): string {
  const parts = new URLSearchParams();
  if (range) {
    parts.set("from", range.from.toFixed(1));
    parts.set("to", range.to.toFixed(1));
  }
  if (zone !== null) parts.set("zone", String(zone));
  if (find !== "") parts.set("find", find);
  return parts.toString();
}

export function readFragment(fragment: string, zones: number): { range: { from: number; to: number } | null; zone: number | null; find: string } {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const number = (key: string) => (given.has(key) ? Number(given.get(key)) : NaN);
  const from = number("from");
  const to = number("to");
  const zone = number("zone");
  return {
    range: Number.isFinite(from) && Number.isFinite(to) && to > from ? { from, to } : null,
    zone: Number.isInteger(zone) && zone >= 0 && zone < zones ? zone : null,
    find: given.get("find") ?? "",
  };
}

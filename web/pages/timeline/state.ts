// What is seen and chosen. The view is not part of components: moving it repaints a canvas and renders nothing.
import { observable } from "kit/observable";

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
  /** And in the picture. */
  pointer: { x: number; y: number } | null;
  hovered: number | null;
  /** The message whose mark is under the pointer. */
  message: number | null;
  /** An area that is being drawn. */
  draft: { from: number; to: number; top: number; bottom: number } | null;
}

export const shown = observable<Shown>({ from: 0, to: 1, scroll: 0, cursor: null, pointer: null, hovered: null, message: null, draft: null });

/** What lines look like: groups that are folded, tracks that show one row, lines that stay on top. */
export interface Arrangement {
  folded: ReadonlySet<number>;
  flat: ReadonlySet<number>;
  /** Keys of lines in their order: t3 (a track), p0 (a plot). */
  pinned: readonly string[];
}

export interface Chosen extends Arrangement {
  zone: number | null;
  message: number | null;
  area: Area | null;
  mark: { from: number; to: number } | null;
  find: string;
  /** Places of all zones that are found, ascending; null: nothing is looked for. */
  hits: Uint32Array | null;
  /** How many there are in all, and which one of them is chosen (0: none), where the server says it. */
  found: { hits: number; rank: number } | null;
}

export const chosen = observable<Chosen>({ zone: null, message: null, area: null, mark: null, find: "", hits: null, found: null, folded: new Set(), flat: new Set(), pinned: [] });

/** No less is shown: a cycle of a device is about a nanosecond. */
const LEAST_NS = 4;

export function setRange(from: number, to: number, span: number): void {
  const air = Math.max(1, span * 0.02);
  const length = Math.min(Math.max(LEAST_NS, span + 2 * air), Math.max(to - from, LEAST_NS));
  const start = Math.min(Math.max(-air, from), Math.max(-air, span + air - length));
  const { from: before, to: until, cursor } = shown.get();
  // The pointer stays where it is; what is under it is another time.
  const under = cursor === null ? null : start + ((cursor - before) / (until - before)) * length;
  if (start !== before || start + length !== until) shown.set({ from: start, to: start + length, cursor: under, hovered: null, message: null });
}

export function toggled<T>(set: ReadonlySet<T>, item: T): Set<T> {
  const changed = new Set(set);
  if (!changed.delete(item)) changed.add(item);
  return changed;
}

export function togglePin(key: string): void {
  const { pinned } = chosen.get();
  chosen.set({ pinned: pinned.includes(key) ? pinned.filter((one) => one !== key) : [...pinned, key] });
}

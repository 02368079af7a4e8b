// The lines of the picture: groups that fold, tracks, plots; pinned ones stand above and do not scroll.
import type { Plot, TimelineData } from "./data";
import type { Arrangement } from "./state";

export const ROW = 17;
export const GROUP = 20;
export const PLOT = 46;
const GAP = 4;

export interface Line {
  kind: "group" | "track" | "plot";
  /** Of the group, the track or the plot. */
  index: number;
  /** How many groups it is in. */
  level: number;
  top: number;
  height: number;
  isFolded: boolean;
}

export interface Layout {
  lines: Line[];
  height: number;
  pinned: Line[];
  pinnedHeight: number;
}

export const keyOf = (line: Line) => `${line.kind === "plot" ? "p" : "t"}${line.index}`;

/** Groups with many others beside them begin folded: a device has a core for each of them. */
const FEW = 12;
/** Of many devices the first few begin open. */
const OPEN_ROOTS = 4;

export function foldedAtFirst(data: TimelineData): Set<number> {
  const beside = new Map<number | null, number[]>();
  data.groups.forEach((group, index) => {
    const list = beside.get(group.parent) ?? [];
    list.push(index);
    beside.set(group.parent, list);
  });
  const folded = new Set<number>();
  for (const [parent, list] of beside) if (list.length > FEW) list.slice(parent === null ? OPEN_ROOTS : 2).forEach((group) => folded.add(group));
  return folded;
}

/** Lines one below the other. */
class Stack {
  readonly lines: Line[] = [];
  top = 0;

  add(line: Omit<Line, "top">): void {
    this.lines.push({ ...line, top: this.top });
    this.top += line.height;
  }

  cutTo(count: number, top: number): void {
    this.lines.length = count;
    this.top = top;
  }
}

function trackLine(data: TimelineData, { flat }: Arrangement, index: number, level: number): Omit<Line, "top"> {
  const rows = flat.has(index) ? 1 : Math.max(1, data.tracks[index].rows.length);
  return { kind: "track", index, level, height: rows * ROW + GAP, isFolded: flat.has(index) };
}

const plotLine = (index: number, level: number): Omit<Line, "top"> => ({ kind: "plot", index, level, height: PLOT, isFolded: false });

/** Members of each group. */
function membersOf(data: TimelineData): { below: number[][]; roots: number[]; tracks: number[][]; plots: number[][] } {
  const lists = () => data.groups.map(() => [] as number[]);
  const members = { below: lists(), roots: [] as number[], tracks: lists(), plots: lists() };
  data.groups.forEach(({ parent }, index) => (parent === null ? members.roots : members.below[parent]).push(index));
  data.tracks.forEach((track, index) => members.tracks[track.group].push(index));
  data.plots.forEach((plot, index) => members.plots[plot.group ?? 0]?.push(index));
  return members;
}

export function layOut(data: TimelineData, arrangement: Arrangement): Layout {
  const stack = new Stack();
  const { below, roots, tracks, plots } = membersOf(data);
  const visit = (group: number, level: number): boolean => {
    const before = { count: stack.lines.length, top: stack.top };
    const isFolded = arrangement.folded.has(group);
    stack.add({ kind: "group", index: group, level, height: GROUP, isFolded });
    const own = { count: stack.lines.length, top: stack.top };
    plots[group].forEach((plot) => stack.add(plotLine(plot, level + 1)));
    tracks[group].forEach((track) => stack.add(trackLine(data, arrangement, track, level + 1)));
    let hasContent = plots[group].length + tracks[group].length > 0;
    for (const inner of below[group]) hasContent = visit(inner, level + 1) || hasContent;
    if (isFolded) stack.cutTo(own.count, own.top);
    // A group without anything in it has no line.
    if (!hasContent) stack.cutTo(before.count, before.top);
    return hasContent;
  };
  // Curves of memory stand above the devices: below hundreds of processors nobody would see them.
  const isCurves = (group: number) => plots[group].length > 0 && tracks[group].length === 0 && below[group].length === 0;
  for (const group of [...roots.filter(isCurves), ...roots.filter((root) => !isCurves(root))]) visit(group, 0);
  const pinned = new Stack();
  for (const key of arrangement.pinned) pinned.add(key[0] === "p" ? plotLine(Number(key.slice(1)), 0) : trackLine(data, arrangement, Number(key.slice(1)), 0));
  return { lines: stack.lines, height: stack.top, pinned: pinned.lines, pinnedHeight: pinned.top };
}

/** Pinned lines leave room for the others. */
export const pinnedRoom = (layout: Layout, height: number) => Math.min(layout.pinnedHeight, Math.floor(height * 0.6));

/** The line at a height. */
export function lineAt(lines: readonly Line[], y: number): Line | null {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle].top + lines[middle].height <= y) low = middle + 1;
    else high = middle;
  }
  return low < lines.length && y >= 0 ? lines[low] : null;
}

/** Tracks of the lines between two heights. */
export function tracksBetween(data: TimelineData, lines: readonly Line[], from: number, to: number): number[] {
  const tracks = new Set<number>();
  for (const line of lines) {
    if (line.top + line.height <= from || line.top >= to) continue;
    if (line.kind === "track") tracks.add(line.index);
    if (line.kind === "group" && line.isFolded) tracksBelow(data, line.index).forEach((track) => tracks.add(track));
  }
  return [...tracks];
}

export function tracksBelow(data: TimelineData, group: number): number[] {
  const isBelow = (at: number | null): boolean => at !== null && (at === group || isBelow(data.groups[at].parent));
  return data.tracks.flatMap((track, index) => (isBelow(track.group) ? [index] : []));
}

/** The curve that a folded group of curves alone shows; null: it has tracks, or no curve. */
export function curveOf(data: TimelineData, group: number): Plot | null {
  return tracksBelow(data, group).length > 0 ? null : (data.plots.find((plot) => plot.group === group) ?? null);
}

const speakers = new WeakMap<TimelineData, Map<number, number>>();

/** The track that a folded group shows: its ops, or the first that has zones; -1: none has. */
export function speakerOf(data: TimelineData, group: number): number {
  let known = speakers.get(data);
  if (!known) speakers.set(data, (known = new Map()));
  let track = known.get(group);
  if (track === undefined) {
    const filled = tracksBelow(data, group).filter((index) => (data.tracks[index].rows[0] ?? 0) > 0);
    track = filled.find((index) => data.tracks[index].kind === "ops") ?? filled[0] ?? -1;
    known.set(group, track);
  }
  return track;
}

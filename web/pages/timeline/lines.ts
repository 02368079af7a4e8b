// The lines of the picture: groups that fold, tracks, plots.
import type { TimelineData } from "./data";

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

/** Groups with many others beside them begin folded: a device has a core for each of them. */
const FEW = 12;

export function foldedAtFirst(data: TimelineData): Set<number> {
  const beside = new Map<number | null, number[]>();
  data.groups.forEach((group, index) => {
    if (group.parent === null) return;
    const list = beside.get(group.parent) ?? [];
    list.push(index);
    beside.set(group.parent, list);
  });
  const folded = new Set<number>();
  for (const list of beside.values()) if (list.length > FEW) list.slice(2).forEach((group) => folded.add(group));
  return folded;
}

export function layOut(data: TimelineData, folded: ReadonlySet<number>): { lines: Line[]; height: number } {
  const lines: Line[] = [];
  let top = 0;
  const add = (line: Omit<Line, "top">) => {
    lines.push({ ...line, top });
    top += line.height;
  };
  const below = data.groups.map(() => [] as number[]);
  const roots: number[] = [];
  data.groups.forEach(({ parent }, index) => (parent === null ? roots : below[parent]).push(index));
  const tracks = data.groups.map(() => [] as number[]);
  data.tracks.forEach((track, index) => tracks[track.group].push(index));
  const plots = data.groups.map(() => [] as number[]);
  data.plots.forEach((plot, index) => plots[plot.group ?? 0]?.push(index));
  const visit = (group: number, level: number): boolean => {
    const at = lines.length;
    const isFolded = folded.has(group);
    add({ kind: "group", index: group, level, height: GROUP, isFolded });
    let hasContent = false;
    for (const plot of plots[group]) {
      hasContent = true;
      if (!isFolded) add({ kind: "plot", index: plot, level: level + 1, height: PLOT, isFolded: false });
    }
    for (const track of tracks[group]) {
      hasContent = true;
      if (!isFolded) add({ kind: "track", index: track, level: level + 1, height: data.tracks[track].rows.length * ROW + GAP, isFolded: false });
    }
    const kept = lines.length;
    const keptTop = top;
    for (const inner of below[group]) hasContent = visit(inner, level + 1) || hasContent;
    if (isFolded) {
      lines.length = kept;
      top = keptTop;
    }
    // A group without anything in it has no line.
    if (!hasContent) {
      lines.length = at;
      top -= GROUP;
    }
    return hasContent;
  };
  for (const group of roots) visit(group, 0);
  return { lines, height: top };
}

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

function tracksBelow(data: TimelineData, group: number): number[] {
  const isBelow = (at: number | null): boolean => at !== null && (at === group || isBelow(data.groups[at].parent));
  return data.tracks.flatMap((track, index) => (isBelow(track.group) ? [index] : []));
}

// What the program put into the page: tracks with rows of zones, messages, plots, arrows. Times are nanoseconds from the first thing on.
import { Columns, NONE } from "kit/data/decode";
import type { BlobSource, ColumnInfo } from "kit/data/decode";
import { Pyramid } from "kit/data/pyramid";

export interface Group {
  name: string;
  parent: number | null;
}

export interface TrackHeader {
  name: string;
  kind: "thread" | "frames" | "lane" | "ops" | "gaps";
  group: number;
  first: number;
  /** Zones of each depth. */
  rows: number[];
}

export interface PlotHeader {
  name: string;
  unit: "number" | "bytes" | "percent";
  derived: boolean;
  group: number | null;
  points: number;
}

export interface PageHeader {
  format: string;
  name: string;
  version: string;
  first_ns: number;
  last_ns: number;
  content: string;
  /** The zones are at the server. */
  windows: boolean;
  /** Devices were simulated chips: their times are modelled. */
  simulated: boolean;
  groups: Group[];
  tracks: TrackHeader[];
  plots: PlotHeader[];
  sources: string[];
  alignments: string[];
  problems: string[];
  warnings: string[];
  columns: Record<string, ColumnInfo>;
}

/** Zones of one depth of a track: a stretch in order of time, none over another. */
export interface Row {
  first: number;
  end: number;
}

export interface Track extends TrackHeader {
  stretches: Row[];
}

export interface Zones {
  count: number;
  start: Float64Array;
  length: Float64Array;
  location: Uint32Array;
  detail: Uint32Array;
  /** The zone and those that it stands for, in a window; else its length. */
  busy: Float64Array;
  /** Those of all zones before each block of BLOCK: how much of a pixel is busy costs no walk over its zones. */
  before: Float64Array;
}

export const BLOCK = 16;

export interface Plot extends PlotHeader {
  times: Float64Array;
  values: Float64Array;
  pyramid: Pyramid;
}

export interface TimelineData {
  header: PageHeader;
  /** From the first thing to the end. */
  span: number;
  groups: Group[];
  tracks: Track[];
  zones: Zones;
  /** In a window: the numbers of its zones in the whole timeline, ascending. */
  ids: Uint32Array | null;
  plots: Plot[];
  messages: { time: Float64Array; text: Uint32Array; track: Uint32Array };
  links: { from: Uint32Array; to: Uint32Array };
  locations: { name: Uint32Array; file: Uint32Array; line: Uint32Array };
  details: { text: Uint32Array; name: Uint32Array; op: Float64Array };
  texts: string[];
}

function stretchesOf(track: TrackHeader): Row[] {
  let first = track.first;
  return track.rows.map((count) => {
    const row = { first, end: first + count };
    first += count;
    return row;
  });
}

export function lengthsBefore(length: Float64Array): Float64Array {
  const before = new Float64Array(Math.floor(length.length / BLOCK) + 1);
  let sum = 0;
  for (let i = 0; i < length.length; i++) {
    if (i % BLOCK === 0) before[i / BLOCK] = sum;
    sum += length[i];
  }
  if (length.length % BLOCK === 0) before[length.length / BLOCK] = sum;
  return before;
}

export function plotsOf(headers: readonly PlotHeader[], times: Float64Array, values: Float64Array): Plot[] {
  let first = 0;
  return headers.map((header) => {
    const own = { times: times.subarray(first, first + header.points), values: values.subarray(first, first + header.points) };
    first += header.points;
    return { ...header, ...own, pyramid: new Pyramid(own.times, own.values) };
  });
}

export async function readData(header: PageHeader, source: BlobSource): Promise<TimelineData> {
  const columns = new Columns(source, header.columns);
  const start = await columns.f64("z.start");
  const length = await columns.f64("z.length");
  return {
    header,
    span: Math.max(1, header.last_ns - header.first_ns),
    groups: header.groups,
    tracks: header.tracks.map((track) => (header.windows ? { ...track, first: 0, stretches: track.rows.map(() => ({ first: 0, end: 0 })) } : { ...track, stretches: stretchesOf(track) })),
    ids: header.windows ? new Uint32Array(0) : null,
    zones: {
      count: start.length,
      start,
      length,
      location: await columns.u32("z.location"),
      detail: await columns.u32("z.detail"),
      busy: length,
      before: lengthsBefore(length),
    },
    plots: plotsOf(header.plots, await columns.f64("p.time"), await columns.doubles("p.value")),
    messages: { time: await columns.f64("m.time"), text: await columns.u32("m.text"), track: await columns.u32("m.track") },
    links: { from: await columns.u32("k.from"), to: await columns.u32("k.to") },
    locations: { name: await columns.u32("l.name"), file: await columns.u32("l.file"), line: await columns.u32("l.line") },
    details: { text: await columns.u32("d.text"), name: await columns.u32("d.name"), op: await columns.f64("d.op") },
    texts: await columns.strings("text"),
  };
}

/** The text that a zone is called by. */
export function nameId(data: TimelineData, zone: number): number {
  return data.details.name[data.zones.detail[zone]] || data.locations.name[data.zones.location[zone]];
}

export function zoneName(data: TimelineData, zone: number): string {
  return data.texts[nameId(data, zone)];
}

/** The track of a zone and the depth that it lies at. */
export function placeOf(data: TimelineData, zone: number): { track: number; depth: number } {
  let low = 0;
  let high = data.tracks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (data.tracks[middle].first <= zone) low = middle;
    else high = middle - 1;
  }
  while (low > 0 && data.tracks[low].stretches.every((row) => row.end === row.first)) low--;
  const depth = data.tracks[low].stretches.findIndex((row) => zone < row.end);
  return { track: low, depth: Math.max(0, depth) };
}

/** A group and those that it lies in, from the inside out. */
export function groupsAround(data: TimelineData, group: number): number[] {
  const groups: number[] = [];
  for (let at: number | null = group; at !== null; at = data.groups[at].parent) groups.push(at);
  return groups;
}

export function groupPath(data: TimelineData, group: number): string {
  return groupsAround(data, group).reverse().map((at) => data.groups[at].name).join(" / ");
}

/** The groups of a track and its name; empty: there is no such track. */
export function trackPath(data: TimelineData, track: number): string {
  const found = data.tracks[track];
  return found ? `${groupPath(data, found.group)} / ${found.name}` : "";
}

export { NONE };

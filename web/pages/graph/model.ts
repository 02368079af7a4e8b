// The data of the page, and what is worked out from it: what is live at a moment, the holes between, places where a capture has none.

import type { FitDoc } from "kit/fit";

export type Memory = "dram" | "l1";

export interface Blocks {
  memory: number[];
  program: number[];
  address: number[];
  size: number[];
  whole: number[];
  from: number[];
  to: number[];
  device: number[];
  title: number[];
  call: number[];
  /** In GraphDocument.parts. */
  part: number[];
  binary: number[];
  /** 1: older than this capture. */
  older: number[];
}

/** Calls of one name together. */
export interface CallGroups {
  name: number[];
  calls: number[];
  allocated: number[];
  freed: number[];
  l1: number[];
  cb: number[];
  ns: number[];
}

export interface Calls {
  name: number[];
  level: number[];
  start: number[];
  end: number[];
  allocated: number[];
  freed: number[];
  l1: number[];
  cb: number[];
  ns: number[];
}

export interface Segment {
  name: string;
  file: number;
  nodes: number;
  mode: string;
  dram: { peak: number; allocations: number; deallocations: number; node: number; call: string };
  l1: { peak: number; cb: number; buffers: number; node: number; call: string };
  /** With what earlier segments left: the DRAM peak, its parts, and what was there before. */
  joined: { dram: number; dram_before: number; l1_before: number; part: number[]; bytes: number[]; buffers: number[] };
  notes: string[];
  devices: { id: number; dram: number; l1: number; cb: number }[];
  curve: { nodes: number[]; dram: number[]; l1: number[] };
  all_blocks: number;
  blocks: Blocks;
  all_calls: number;
  calls: Calls;
  groups: CallGroups;
  texts: string[];
}

/** The highest sum of a memory over all segments; segment -1: it never rose. */
export interface OverallPeak {
  bytes: number;
  segment: number;
  node: number;
  call: string;
  live: number;
  older_freed: number;
}

export interface Owner {
  kind: string;
  owner: string;
  buffers: number;
  bytes: number;
}

export interface GraphDocument {
  name: string;
  tool_version: string;
  generated: string;
  accounting: string;
  files: string[];
  parts_by: "kind" | "segment";
  /** Whether the blocks of a segment hold what earlier ones left. */
  joined: boolean;
  parts: string[];
  dram_peak: OverallPeak;
  l1_peak: OverallPeak;
  all_owners: number;
  owners: Owner[];
  findings: { segment: number; text: string }[];
  segments: Segment[];
  /** On the devices that were asked for; null: none was. */
  fit: FitDoc | null;
}

const KIND_COLORS: Record<string, string> = { weight: "rank-0", moment: "rank-3", gradient: "rank-2", activation: "rank-1", input: "rank-4", binary: "rank-5" };
const SEGMENT_COLORS = ["rank-0", "rank-1", "rank-2", "rank-3", "rank-4", "rank-7"];

/** The colour variable of a part. */
export function partColor(doc: GraphDocument, part: number): string {
  const name = doc.parts[part] ?? "";
  if (name === "binary") return KIND_COLORS.binary;
  if (doc.parts_by === "kind") return KIND_COLORS[name] ?? "rank-6";
  return SEGMENT_COLORS[part % SEGMENT_COLORS.length];
}

/** Blocks of one memory and device (null: all), with their places. */
export interface MapView {
  segment: Segment;
  rows: number[];
  /** Binaries of kernels, which lie at the other end of DRAM: rows and addresses, apart from the others. */
  binaries: number[];
  /** Of the rows; modelled where the capture has no addresses. */
  places: number[];
  modelled: boolean;
}

/** An address range between two live blocks; -1: the edge of what is used. */
export interface Hole {
  from: number;
  to: number;
  below: number;
  above: number;
}

/** Where blocks would lie if each took the lowest place that is free when it is made. */
export function firstFit(blocks: Blocks, rows: number[]): number[] {
  const places: number[] = new Array<number>(rows.length).fill(0);
  const order = rows.map((_, i) => i).sort((a, b) => blocks.from[rows[a]] - blocks.from[rows[b]] || a - b);
  let live: number[] = []; // indices into rows, by place
  for (const i of order) {
    const row = rows[i];
    live = live.filter((other) => blocks.to[rows[other]] > blocks.from[row]);
    let place = 0;
    let at = 0;
    while (at < live.length && places[live[at]] - place < blocks.size[row]) {
      place = Math.max(place, places[live[at]] + blocks.size[rows[live[at]]]);
      at++;
    }
    places[i] = place;
    live.splice(at, 0, i);
  }
  return places;
}

export function mapView(segment: Segment, memory: Memory, device: number | null): MapView {
  const wanted = memory === "dram" ? 0 : 1;
  const rows: number[] = [];
  const binaries: number[] = [];
  const { blocks } = segment;
  for (let row = 0; row < blocks.from.length; row++) {
    if (blocks.memory[row] !== wanted || blocks.size[row] <= 0) continue;
    if (device !== null && blocks.device[row] !== device) continue;
    (blocks.binary[row] === 1 && blocks.address[row] > 0 ? binaries : rows).push(row);
  }
  const modelled = rows.length > 0 && rows.every((row) => blocks.address[row] === 0);
  const places = modelled ? firstFit(blocks, rows) : rows.map((row) => blocks.address[row]);
  return { segment, rows, binaries, places, modelled };
}

/** Indices into view.rows of what is live just after a node, lowest first. */
export function liveAt(view: MapView, node: number): number[] {
  const { from, to } = view.segment.blocks;
  const live: number[] = [];
  view.rows.forEach((row, i) => {
    if (from[row] <= node && node < to[row]) live.push(i);
  });
  return live.sort((a, b) => view.places[a] - view.places[b]);
}

/** The free ranges between what is live just after a node, largest first. */
export function holesAt(view: MapView, node: number): Hole[] {
  const holes: Hole[] = [];
  let below = -1;
  let reached = 0;
  for (const i of liveAt(view, node)) {
    const start = view.places[i];
    if (below >= 0 && start > reached) holes.push({ from: reached, to: start, below, above: i });
    const end = start + view.segment.blocks.size[view.rows[i]];
    if (end > reached || below < 0) {
      reached = end;
      below = i;
    }
  }
  return holes.sort((a, b) => b.to - b.from - (a.to - a.from));
}

export function titleOf(view: MapView, i: number): string {
  return view.segment.texts[view.segment.blocks.title[view.rows[i]]] ?? "";
}

/** Of a row of the blocks. */
export function callOf(view: MapView, row: number): string {
  const call = view.segment.blocks.call[row];
  return call < 0 ? "" : (view.segment.texts[call] ?? "");
}

/** The lowest and highest address of the binaries. */
export function binaryRange(view: MapView): [number, number] {
  const { address, size } = view.segment.blocks;
  let low = Infinity;
  let high = -Infinity;
  for (const row of view.binaries) {
    low = Math.min(low, address[row]);
    high = Math.max(high, address[row] + size[row]);
  }
  return low < high ? [low, high] : [0, 1];
}

/** A range of `width` around a point that keeps its share, inside of the whole; no narrower than `least`. */
export function zoomed(range: [number, number], whole: [number, number], factor: number, around: number, least: number): [number, number] {
  const most = whole[1] - whole[0];
  const width = Math.min(most, Math.max(Math.min(least, most), (range[1] - range[0]) * factor));
  const share = (around - range[0]) / Math.max(1e-9, range[1] - range[0]);
  return moved([around - width * share, around - width * share + width], whole, 0);
}

/** The same range elsewhere, as far as the whole goes. */
export function moved(range: [number, number], whole: [number, number], by: number): [number, number] {
  const width = range[1] - range[0];
  const start = Math.min(Math.max(whole[0], range[0] + by), whole[1] - width);
  return [start, start + width];
}

/** The lowest and highest place used in a range of nodes. */
export function placeRange(view: MapView, from: number, to: number): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  const { blocks } = view.segment;
  view.rows.forEach((row, i) => {
    if (blocks.to[row] <= from || blocks.from[row] >= to) return;
    low = Math.min(low, view.places[i]);
    high = Math.max(high, view.places[i] + blocks.size[row]);
  });
  return low < high ? [low, high] : [0, 1];
}

export interface View {
  segment: number;
  memory: Memory;
  device: number | null;
  node: number;
}

/** The memory that has blocks and a peak is shown first. */
export function usualView(doc: GraphDocument, segment: number): View {
  const one = doc.segments[segment];
  const memory: Memory = one && one.dram.node < 0 && one.l1.node >= 0 ? "l1" : "dram";
  const node = one ? Math.max(0, memory === "dram" ? one.dram.node : one.l1.node) : 0;
  return { segment, memory, device: null, node };
}

export function viewOf(fragment: string, doc: GraphDocument): View {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const number = (key: string): number | null => {
    const text = given.get(key);
    return text !== null && /^\d+$/.test(text) ? Number(text) : null;
  };
  const fullest = Math.max(0, doc.dram_peak.segment >= 0 ? doc.dram_peak.segment : doc.l1_peak.segment);
  const segment = Math.min(number("segment") ?? fullest, Math.max(0, doc.segments.length - 1));
  const view = usualView(doc, segment);
  const memory = given.get("memory");
  if (memory === "dram" || memory === "l1") view.memory = memory;
  view.device = number("device");
  view.node = Math.min(number("node") ?? view.node, Math.max(0, (doc.segments[segment]?.nodes ?? 1) - 1));
  return view;
}

export function fragmentOf(view: View): string {
  const parts = new URLSearchParams({ segment: String(view.segment), memory: view.memory, node: String(view.node) });
  if (view.device !== null) parts.set("device", String(view.device));
  return parts.toString();
}

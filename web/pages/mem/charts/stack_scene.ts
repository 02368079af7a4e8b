// What the stack of live tensors shows: kinds, layers or single tensors; what is hidden; the moment of each pixel column.
import { allocCurve } from "../data/curves";
import type { PyramidCurve } from "../data/curves";
import { layerGroups } from "../data/layer_groups";
import type { LayerGroups, Paths } from "../data/layer_groups";
import { accounted, GroupSums, liveSums, NO_GROUP } from "../data/live";
import type { LiveSums } from "../data/live";
import type { Page } from "../data/page";
import { KIND_LABELS, KINDS } from "../data/rank";
import type { BufferMemory, Kind, RankData } from "../data/rank";
import { store } from "../state";
import type { Stack } from "../state";
import { columnsOf } from "./frame";
import type { Frame } from "./frame";
import { axisValues } from "./value_scale";
import type { Values } from "./value_scale";

/** Kinds from the bottom up: what stays longest lies lowest. */
export const STACK: readonly Kind[] = ["weight", "const_eval", "input", "activation", "unknown"];

/** One layer of the stack. */
export interface StackBand {
  /** In the legend and in links. */
  id: string;
  label: string;
  /** Place in the sums of the scene. */
  group: number;
}

export interface StackScene {
  page: Page;
  rank: RankData;
  memory: BufferMemory;
  mode: Stack;
  curve: PyramidCurve | null;
  kinds: LiveSums;
  /** Sums of the bands: by kind, or by layer without the kinds that are hidden. */
  sums: LiveSums | GroupSums;
  /** All of them, from the bottom up. */
  bands: StackBand[];
  hidden: ReadonlySet<string>;
  highest: number;
}

export const kindId = (kind: Kind) => `kind-${kind}`;
const layerId = (memory: BufferMemory, index: number) => `layer-${memory}-${index}`;

export interface SceneInput {
  page: Page;
  rank: RankData;
  memory: BufferMemory;
  mode: Stack;
  hidden: ReadonlySet<string>;
  /** Null until they are there: then kinds are shown. */
  paths: Paths | null;
}

const groupsKnown = new WeakMap<Paths, Map<BufferMemory, LayerGroups>>();

function groupsOf(rank: RankData, memory: BufferMemory, paths: Paths): LayerGroups {
  let known = groupsKnown.get(paths);
  if (!known) groupsKnown.set(paths, (known = new Map()));
  let groups = known.get(memory);
  if (!groups) known.set(memory, (groups = layerGroups(rank, memory, paths)));
  return groups;
}

function layerSums({ rank, memory, hidden }: SceneInput, { groupOf, labels }: LayerGroups): GroupSums {
  const shown = KINDS.map((kind) => !hidden.has(kindId(kind)));
  if (shown.every(Boolean)) return new GroupSums(rank, memory, groupOf, labels.length);
  return new GroupSums(rank, memory, groupOf.map((group, i) => (shown[rank.buffers.kind[i]] ? group : NO_GROUP)), labels.length);
}

/** Whether some of the live tensors are not shown. */
export function hidesTensors({ bands, hidden }: Pick<StackScene, "bands" | "hidden">): boolean {
  return bands.some((band) => hidden.has(band.id)) || KINDS.some((kind) => hidden.has(kindId(kind)));
}

/** The most that is ever shown, from a few thousand moments. */
function highestOf(scene: Omit<StackScene, "highest">): number {
  const { kinds, curve, rank, memory } = scene;
  const nothingHidden = !hidesTensors(scene);
  let highest = nothingHidden && curve ? curve.highest * curve.unit : 0;
  if (nothingHidden) highest = Math.max(highest, rank.header.peaks[memory]?.bytes_per_bank ?? 0);
  const step = Math.max(1, Math.floor(kinds.moment.length / 4000));
  for (let i = 0; i < kinds.moment.length; i += step) highest = Math.max(highest, shownAt(scene, kinds.moment[i]));
  return Math.max(highest, 1) * 1.06;
}

export function sceneOf(input: SceneInput): StackScene {
  const { page, rank, memory, hidden, paths } = input;
  const mode = input.mode === "layer" && !paths ? "kind" : input.mode;
  const kinds = liveSums(rank, memory, page);
  const curve = allocCurve(rank.points, memory);
  const byKind = STACK.map((kind) => ({ id: kindId(kind), label: KIND_LABELS[kind], group: KINDS.indexOf(kind) }));
  const scene = { page, rank, memory, mode, curve, kinds, hidden, sums: kinds as LiveSums | GroupSums, bands: byKind };
  if (mode === "layer" && paths) {
    const groups = groupsOf(rank, memory, paths);
    scene.sums = layerSums(input, groups);
    scene.bands = groups.labels.map((label, index) => ({ id: layerId(memory, index), label, group: index }));
  }
  return { ...scene, highest: highestOf(scene) };
}

const INTO = { kinds: new Float64Array(KINDS.length + 3), groups: new Float64Array(256) };

/** Bytes per bank of what is shown at a moment. */
export function shownAt(scene: Omit<StackScene, "highest">, moment: number): number {
  const sums = scene.sums.at(moment, INTO.groups);
  let total = 0;
  for (const band of scene.bands) if (!scene.hidden.has(band.id)) total += Math.max(0, sums[band.group]);
  return total;
}

/** Bytes per bank of live tensors that are hidden at a moment. */
export function hiddenAt(scene: StackScene, moment: number): number {
  return accounted(scene.kinds.at(moment, INTO.kinds)) - shownAt(scene, moment);
}

/** A column shows the moment of its highest allocation: the curve's peaks keep their composition. */
export function columnMoments(scene: StackScene, frame: Frame): { moments: Float64Array; measured: Float64Array } {
  const columns = columnsOf(frame);
  const moments = new Float64Array(columns);
  const measured = new Float64Array(columns).fill(NaN);
  const { curve, rank } = scene;
  const figures = curve?.query(2 * frame.from, 2 * frame.to, columns);
  for (let c = 0; c < columns; c++) {
    moments[c] = 2 * (frame.from + ((c + 0.5) / columns) * (frame.to - frame.from));
    if (!curve || !figures || !(figures.low[c] <= figures.high[c])) continue;
    // A state that began before the column may have outlived tensors: the moment is not before the column's start.
    moments[c] = Math.max(rank.points.moment[figures.highAt[c]], 0);
    measured[c] = figures.high[c] * curve.unit;
  }
  return { moments, measured };
}

/** Zooms with the timeline when that shows changes only; else from 0, since a stack is a sum. */
export function valuesOf(scene: StackScene, from: number, to: number): Values {
  const { scale } = store.get();
  if (scale !== "changes" || hidesTensors(scene)) return { lowest: 0, highest: scene.highest };
  return axisValues({ scale, curve: scene.curve, capacity: 0, peak: scene.highest, from, to });
}

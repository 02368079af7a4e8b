// Draws the timeline: bands of signposts, a lane of ops and gaps for each device, the axis.
import { shortened, span, visible } from "kit/format";
import { axisMarks } from "kit/scale";
import type { PerfData } from "./data";
import { endOf, executionAt, executionOfRow, isCut } from "./lanes";
import type { Band, Lane, Layout } from "./lanes";
import { readable } from "./names";
import { ON_PATH, WAIT_ON_PATH } from "./path";
import type { Surface } from "kit/canvas/canvas";

export interface Range {
  from: number;
  to: number;
}

export interface Scene {
  data: PerfData;
  layout: Layout;
  bands: Band[];
  range: Range;
  /** Rows that the filter lets through; the others are pale. */
  matches: Uint8Array | null;
  selected: number | null;
  laneHeight: number;
  /** Executions that begin a replay or an iteration. */
  repeats: Map<number, string>;
}

const BAND = 20;
/** A label of the axis and the air behind it. */
const LABEL_WIDTH = 62;
export const AXIS = 22;
export const LEFT = 66;
/** Between lanes. */
const AIR = 6;
/** How many ops of a pixel are looked at for the longest one, which gives it its colour. */
const LOOKED_AT = 16;
const PALE = 0.18;

/** Colours of the theme for causes of gaps; usual launches have none, and compiling, which is not counted, is no problem. */
export const CAUSE_COLORS: Record<string, string> = {
  compile: "kind-unknown",
  dispatch: "failure",
  sync: "fragmentation",
  trace: "capacity",
  unknown: "padded",
};

export const hasBands = (scene: Scene) => scene.bands.some((band) => band.signpost > 0);
export const bandHeight = (scene: Scene) => (hasBands(scene) ? BAND : 0);

export function laneHeightFor(lanes: number): number {
  return lanes <= 8 ? 32 : lanes <= 16 ? 24 : lanes <= 32 ? 16 : Math.max(9, Math.floor(512 / lanes));
}

function scaleOf(surface: Surface, scene: Scene): number {
  return (surface.width - LEFT) / (scene.range.to - scene.range.from);
}

function paintBands(surface: Surface, scene: Scene): void {
  const { ctx, width, height } = surface;
  const { data, layout, range } = scene;
  const scale = scaleOf(surface, scene);
  let last = -Infinity;
  scene.bands.forEach((band, index) => {
    const from = LEFT + (layout.start[band.first] - range.from) * scale;
    const next = scene.bands[index + 1];
    const to = next ? LEFT + (layout.start[next.first] - range.from) * scale : LEFT + (layout.span - range.from) * scale;
    if (to <= LEFT || from >= width || Math.round(to) === last) return;
    last = Math.round(to);
    const left = Math.max(from, LEFT);
    const right = Math.min(to, width);
    ctx.fillStyle = surface.palette.of(index % 2 === 0 ? "band-b" : "band-a");
    ctx.fillRect(left, 0, right - left, BAND - 4);
    if (from >= LEFT && to - from >= 3) {
      ctx.fillStyle = surface.palette.capacity;
      ctx.fillRect(Math.round(from), 0, 1, height - AXIS);
    }
    const name = visible(data.header.signposts[band.signpost] ?? "");
    if (right - left <= 46 || name === "") return;
    ctx.fillStyle = surface.palette.text;
    ctx.fillText(shortened(name, Math.floor((right - left - 8) / 7)), left + 4, 12);
  });
}

/** The wait before an op, in the colour of its cause; one that is drawn too short has a break in it. */
function paintGap(surface: Surface, scene: Scene, execution: number, top: number): void {
  const { data, layout, range } = scene;
  const gap = data.executions.gapNs[execution] / 1000;
  const cause = data.header.causes[data.rows.cause[data.executions.row[execution]]];
  const ink = CAUSE_COLORS[cause];
  if (gap <= 6.5 || ink === undefined || layout.start[execution] === 0) return;
  const scale = scaleOf(surface, scene);
  const left = Math.max(LEFT, LEFT + (endOf(data, layout, execution - 1) - range.from) * scale);
  const right = LEFT + (layout.start[execution] - range.from) * scale;
  if (right - left < 1) return;
  const { ctx } = surface;
  const middle = top + (scene.laneHeight - AIR) / 2;
  ctx.fillStyle = surface.palette.of(ink);
  ctx.fillRect(left, middle - 1.5, right - left, 3);
  if (isCut(data, layout, execution) && right - left >= 10) {
    const centre = (left + right) / 2;
    ctx.clearRect(centre - 2, middle - 4, 4, 8);
    ctx.fillRect(centre - 3, middle - 5, 1.5, 10);
    ctx.fillRect(centre + 2, middle - 5, 1.5, 10);
  }
}

function paintOp(surface: Surface, scene: Scene, execution: number, place: { left: number; to: number; top: number }): void {
  const { ctx } = surface;
  const { data } = scene;
  const kind = data.executions.kind[execution];
  const width = Math.max(1, place.to - place.left - 0.5);
  ctx.fillStyle = data.header.colors[data.kinds.category[kind]];
  ctx.fillRect(place.left, place.top, width, scene.laneHeight - AIR);
  if (width <= 40 || scene.laneHeight < 20) return;
  ctx.fillStyle = "#ffffff";
  const right = Math.min(place.to, surface.width);
  ctx.fillText(shortened(visible(readable(data.kinds.label[kind])), Math.floor((right - place.left - 8) / 7)), place.left + 4, place.top + (scene.laneHeight - AIR) / 2 + 4);
}

/** Ops of less than a pixel are drawn together: what is painted grows with the width of the window, not with the run. */
function paintLane(surface: Surface, scene: Scene, lane: Lane, top: number): void {
  const { ctx, width } = surface;
  const { data, layout, range, matches } = scene;
  const { executions, kinds, header } = data;
  const scale = scaleOf(surface, scene);
  const isMatch = (execution: number) => matches === null || matches[executions.row[execution]] === 1;
  for (let i = executionAt(layout, lane, range.from); i < lane.end; ) {
    const from = LEFT + (layout.start[i] - range.from) * scale;
    if (i > lane.first) paintGap(surface, scene, i, top);
    if (from > width) break;
    const to = from + (Math.max(0, executions.ns[i]) / 1000) * scale;
    if (to - from >= 1) {
      ctx.globalAlpha = isMatch(i) ? 1 : PALE;
      if (to >= LEFT) paintOp(surface, scene, i, { left: Math.max(from, LEFT), to, top });
      ctx.globalAlpha = 1;
      i++;
      continue;
    }
    const pixel = Math.floor(from);
    const next = Math.max(i + 1, executionAt(layout, lane, range.from + (pixel + 1 - LEFT) / scale));
    let shown = i;
    for (let other = i + 1; other < Math.min(next, i + LOOKED_AT); other++) {
      const better = isMatch(other) === isMatch(shown) ? executions.ns[other] > executions.ns[shown] : isMatch(other);
      if (better) shown = other;
    }
    if (pixel >= LEFT) {
      ctx.globalAlpha = isMatch(shown) ? 1 : PALE;
      ctx.fillStyle = header.colors[kinds.category[executions.kind[shown]]];
      ctx.fillRect(pixel, top, 1, scene.laneHeight - AIR);
      ctx.globalAlpha = 1;
    }
    i = next;
  }
}

/** A line below the ops and waits of the critical path; one pixel is painted once. */
function paintPath(surface: Surface, scene: Scene, lane: Lane, top: number): void {
  const { data, layout, range } = scene;
  const { path } = data.executions;
  if ((data.document.critical_path?.part_count ?? 0) === 0) return;
  const { ctx, width } = surface;
  const scale = scaleOf(surface, scene);
  const at = (time: number) => LEFT + (time - range.from) * scale;
  const y = top + scene.laneHeight - AIR + 1;
  ctx.fillStyle = surface.palette.select;
  let done = LEFT;
  const mark = (from: number, to: number) => {
    const left = Math.max(done, Math.floor(at(from)));
    const right = Math.min(width, Math.max(left + 1, Math.ceil(at(to))));
    if (right <= left || at(to) < LEFT || at(from) > width) return;
    ctx.fillRect(left, y, right - left, 3);
    done = right;
  };
  for (let i = executionAt(layout, lane, range.from); i < lane.end && at(layout.start[i]) <= width; i++) {
    if (path[i] & WAIT_ON_PATH && i > lane.first) mark(endOf(data, layout, i - 1), layout.start[i]);
    if (path[i] & ON_PATH) mark(layout.start[i], endOf(data, layout, i));
  }
}

/** Where a replay or an iteration begins. */
function paintRepeats(surface: Surface, scene: Scene, lane: Lane, top: number): void {
  if (scene.repeats.size === 0) return;
  const { ctx, width } = surface;
  const scale = scaleOf(surface, scene);
  let last = -Infinity;
  ctx.fillStyle = surface.palette.text;
  for (const execution of scene.repeats.keys()) {
    if (execution < lane.first || execution >= lane.end) continue;
    const x = Math.round(LEFT + (scene.layout.start[execution] - scene.range.from) * scale);
    if (x < LEFT || x > width || x - last < 3) continue;
    ctx.fillRect(x, top - 2, 1, scene.laneHeight);
    last = x;
  }
}

function paintSelection(surface: Surface, scene: Scene, lane: Lane, top: number): void {
  if (scene.selected === null) return;
  const execution = executionOfRow(scene.data, lane, scene.selected);
  if (execution === null) return;
  const { ctx } = surface;
  const scale = scaleOf(surface, scene);
  const from = LEFT + (scene.layout.start[execution] - scene.range.from) * scale;
  const to = Math.max(from + 3, LEFT + (endOf(scene.data, scene.layout, execution) - scene.range.from) * scale);
  if (to < LEFT || from > surface.width) return;
  ctx.strokeStyle = surface.palette.select;
  ctx.lineWidth = 3;
  const left = Math.max(from, LEFT + 1);
  ctx.strokeRect(left, top - 1, Math.max(2, Math.min(to, surface.width - 1) - left), scene.laneHeight - AIR + 2);
}

function paintAxis(surface: Surface, scene: Scene, top: number): void {
  const { ctx, width } = surface;
  const { range } = scene;
  ctx.fillStyle = surface.palette.muted;
  let free = 0;
  for (const at of axisMarks(range.from, range.to, (width - LEFT) / LABEL_WIDTH)) {
    const x = LEFT + ((at - range.from) / (range.to - range.from)) * (width - LEFT);
    ctx.fillRect(x, top, 1, 4);
    const text = span(Math.max(0, Number(at.toPrecision(6))));
    const wide = ctx.measureText(text).width;
    // The last label stands before its mark where it has no room behind it: there the one before may be in its way.
    const left = x + 3 + wide <= width ? x + 3 : x - 3 - wide;
    if (left < free) continue;
    ctx.fillText(text, left, top + 14);
    free = left + wide + 6;
  }
}

export function paintTimeline(surface: Surface, scene: Scene): void {
  const { ctx, width } = surface;
  if (hasBands(scene)) paintBands(surface, scene);
  const { lanes } = scene.layout;
  lanes.forEach((lane, index) => {
    const top = bandHeight(scene) + index * scene.laneHeight;
    ctx.fillStyle = surface.palette.muted;
    ctx.fillText(`device ${lane.device}`, 2, top + (scene.laneHeight - AIR) / 2 + 4);
    ctx.fillStyle = surface.palette.grid;
    ctx.fillRect(LEFT, top + scene.laneHeight - AIR, width - LEFT, 1);
    paintLane(surface, scene, lane, top);
    paintPath(surface, scene, lane, top);
    paintRepeats(surface, scene, lane, top);
    paintSelection(surface, scene, lane, top);
  });
  paintAxis(surface, scene, bandHeight(scene) + lanes.length * scene.laneHeight - 2);
}

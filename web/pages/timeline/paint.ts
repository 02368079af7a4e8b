// The picture: axis, groups, rows of zones, plots, arrows. It costs about what has pixels.
import type { Surface } from "kit/canvas/canvas";
import { shortened, visible } from "kit/format";
import { axisMarks, niceStep } from "kit/scale";
import { groupPath, groupsAround, placeOf } from "./data";
import { curveOf, GROUP, keyOf, ROW } from "./lines";
import { forEachMark, marksOf } from "./marks";
import type { Marks } from "./marks";
import { paintPlot, plotText, rangeOf } from "./paint_plots";
import { paintRows } from "./paint_rows";
import type { Shown } from "./state";
import { markText } from "./time";
import { AXIS, LEFT, PIN, placedLines, xOf } from "./view";
import type { Placed, Scene } from "./view";

/** Marks say the time that the terminal and the files say, from the sources' own zero on. */
function paintAxis({ ctx, palette, width, height }: Surface, shown: Shown, first: number): void {
  const span = shown.to - shown.from;
  // Times far from zero that differ by nanoseconds have long texts.
  const long = 30 + 6.5 * markText(first + shown.from, niceStep(span, 8)).length;
  const wanted = Math.max(2, (width - LEFT) / Math.max(100, long));
  const step = niceStep(span, wanted);
  ctx.textBaseline = "middle";
  ctx.textAlign = "center";
  const marks = axisMarks(first + shown.from, first + shown.to, wanted).filter((mark) => mark - first >= shown.from);
  ctx.fillStyle = palette.grid;
  for (const mark of marks) ctx.fillRect(Math.round(xOf(shown, width, mark - first)), AXIS - 4, 1, height - AXIS + 4);
  ctx.fillStyle = palette.muted;
  for (const mark of marks) {
    const x = xOf(shown, width, mark - first);
    const text = markText(mark, step);
    const half = ctx.measureText(text).width / 2;
    if (x > LEFT + half + 3 && x < width - half) ctx.fillText(text, x, 10);
  }
}

interface Label {
  text: string;
  level: number;
  y: number;
  height: number;
  strong?: boolean;
}

function paintLabel({ ctx, palette }: Surface, { text, level, y, height, strong = false }: Label): void {
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.fillStyle = strong ? palette.text : palette.muted;
  const indent = 8 + Math.min(8, level) * 10;
  ctx.fillText(shortened(visible(text.slice(0, 400)), Math.max(6, Math.floor((LEFT - indent - PIN - 4) / 6.2))), indent, y + height / 2);
}

function paintGroup(surface: Surface, scene: Scene, { line, y }: Placed): void {
  const { ctx, palette, width } = surface;
  ctx.fillStyle = palette.bandB;
  ctx.fillRect(0, y, line.isFolded ? LEFT - 1 : width, GROUP - 2);
  const { data } = scene;
  const text = `${line.isFolded ? "▸" : "▾"} ${line.level === 0 ? groupPath(data, line.index) : data.groups[line.index].name}`;
  paintLabel(surface, { text, level: line.level, y, height: GROUP - 2, strong: true });
}

/** A pin where the line is pinned or the pointer is on its label. */
function paintPin({ ctx, palette }: Surface, scene: Scene, { line, y }: Placed): void {
  const isPinned = scene.chosen.pinned.includes(keyOf(line));
  if (!isPinned) return;
  ctx.fillStyle = palette.select;
  ctx.textAlign = "center";
  ctx.fillText("★", LEFT - PIN / 2, y + ROW / 2);
}

function paintLineLabel(surface: Surface, scene: Scene, placed: Placed, isPinnedCopy: boolean): void {
  const { line, y } = placed;
  const { data } = scene;
  if (line.kind === "plot") {
    const plot = data.plots[line.index];
    const isShared = isPinnedCopy && plot.group !== null;
    paintLabel(surface, { text: isShared ? `${groupPath(data, plot.group ?? 0)} / ${plot.name}` : plot.name, level: line.level, y, height: ROW });
    paintLabel(surface, { text: `up to ${plotText(plot, rangeOf(plot).high)}`, level: line.level, y: y + ROW - 2, height: ROW });
  } else {
    const track = data.tracks[line.index];
    const fold = track.rows.length > 1 ? (line.isFolded ? "▸ " : "▾ ") : "";
    const text = isPinnedCopy ? `${data.groups[track.group].name} / ${track.name}` : track.name;
    paintLabel(surface, { text: fold + text, level: line.level, y, height: ROW });
  }
  paintPin(surface, scene, placed);
}

/** A title with less room would be a few letters. */
const LEAST_TITLE_PX = 40;
/** How far from its middle a mark of a message reaches. */
export const MARK_PX = 5;

/** Marks of messages as triangles that point down to `tip`. */
function paintMarks({ ctx, palette, width }: Surface, { shown, chosen, data }: Scene, marks: Marks | undefined, tip: number): void {
  if (!marks) return;
  const perPixel = (shown.to - shown.from) / Math.max(1, width - LEFT);
  const triangle = (ns: number) => {
    const x = Math.round(xOf(shown, width, ns));
    ctx.moveTo(x - MARK_PX + 1, tip - 6);
    ctx.lineTo(x + MARK_PX - 1, tip - 6);
    ctx.lineTo(x, tip);
    ctx.closePath();
  };
  ctx.beginPath();
  forEachMark(marks, shown, 3 * perPixel, triangle);
  ctx.fillStyle = palette.capacity;
  ctx.fill();
  if (chosen.message === null || !marks.messages.includes(chosen.message)) return;
  ctx.beginPath();
  triangle(data.messages.time[chosen.message]);
  ctx.fillStyle = ctx.strokeStyle = palette.select;
  ctx.fill();
  ctx.stroke();
}

/** Messages of tracks, each at the top of the line. */
function paintTrackMarks(surface: Surface, scene: Scene, placed: readonly Placed[], span: { top: number; bottom: number }): void {
  const { tracks } = marksOf(scene.data);
  if (tracks.size === 0) return;
  within(surface.ctx, [LEFT, span.top, surface.width - LEFT, span.bottom - span.top], () => {
    for (const { line, y } of placed) if (line.kind === "track") paintMarks(surface, scene, tracks.get(line.index), y + 7);
  });
}

/** Signposts are lines through the picture, with their titles on the axis where there is room: behind the line, else before it. */
function paintSignposts({ ctx, palette, width, height }: Surface, { shown, data }: Scene): void {
  // Hosts of one run set the same ones at about the same time.
  const seen: { x: number; title: string }[] = [];
  for (const { time, title } of marksOf(data).signposts) {
    const x = Math.round(xOf(shown, width, time));
    if (x >= LEFT && x <= width && x - (seen.at(-1)?.x ?? -Infinity) >= 2) seen.push({ x, title });
  }
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  let taken = LEFT;
  seen.forEach(({ x, title }, index) => {
    ctx.fillStyle = palette.select;
    ctx.globalAlpha = 0.55;
    ctx.fillRect(x, AXIS - 14, 1, height - AXIS + 14);
    ctx.globalAlpha = 1;
    const behind = (seen[index + 1]?.x ?? width) - x;
    const before = x - taken;
    const room = Math.max(behind, before) - 12;
    if (room < LEAST_TITLE_PX) return;
    const text = shortened(visible(title.slice(0, 200)), Math.floor(room / 6.5));
    const wide = ctx.measureText(text).width + 8;
    const left = wide < behind || behind >= before ? x + 1 : x - wide;
    taken = Math.max(x, left + wide);
    ctx.fillStyle = palette.panel;
    ctx.fillRect(left, AXIS - 14, wide, 13);
    ctx.fillStyle = palette.select;
    ctx.fillText(text, left + 4, AXIS - 7);
  });
}

/** Where a zone is in the picture: on its line, else on that of the folded group that it is in. */
function pointOf(scene: Scene, surface: Surface, zone: number, border: number): { x: number; y: number } | null {
  const { track, depth } = placeOf(scene.data, zone);
  const isIts = (line: { kind: string; index: number }) => line.kind === "track" && line.index === track;
  const shift = (line: { isFolded: boolean }) => (line.isFolded ? 0 : depth) * ROW + ROW / 2;
  const x = xOf(scene.shown, surface.width, scene.data.zones.start[zone]);
  const line = scene.layout.lines.find(isIts);
  if (line) return { x, y: border + line.top - scene.shown.scroll + shift(line) };
  const pinned = scene.layout.pinned.find(isIts);
  if (pinned) return { x, y: AXIS + pinned.top + shift(pinned) };
  const groups = groupsAround(scene.data, scene.data.tracks[track].group);
  const folded = scene.layout.lines.find((one) => one.kind === "group" && one.isFolded && groups.includes(one.index));
  return folded ? { x, y: border + folded.top - scene.shown.scroll + GROUP / 2 } : null;
}

function paintLinks(surface: Surface, scene: Scene, border: number): void {
  const { ctx, palette } = surface;
  ctx.strokeStyle = palette.select;
  ctx.lineWidth = 1.5;
  for (const link of scene.links) {
    const from = pointOf(scene, surface, link.from, border);
    const to = pointOf(scene, surface, link.to, border);
    if (!from || !to) continue;
    const bend = Math.min(160, Math.max(20, Math.abs(to.x - from.x) / 3));
    ctx.beginPath();
    ctx.moveTo(from.x, from.y);
    ctx.bezierCurveTo(from.x + bend, from.y, to.x - bend, to.y, to.x, to.y);
    ctx.moveTo(to.x - 6, to.y - 4);
    ctx.lineTo(to.x, to.y);
    ctx.lineTo(to.x - 6, to.y + 4);
    ctx.stroke();
  }
  ctx.lineWidth = 1;
}

/** Paints inside of a part of the canvas only. */
function within(ctx: CanvasRenderingContext2D, [x, y, width, height]: [number, number, number, number], paint: () => void): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, width, height);
  ctx.clip();
  paint();
  ctx.restore();
}

function paintLines(surface: Surface, scene: Scene, placed: readonly Placed[], span: { top: number; bottom: number }, isPinned: boolean): void {
  const { ctx, width } = surface;
  within(ctx, [0, span.top, width, span.bottom - span.top], () => {
    for (const one of placed) {
      if (one.line.kind === "group") paintGroup(surface, scene, one);
      else paintLineLabel(surface, scene, one, isPinned);
      const curve = one.line.kind === "group" && one.line.isFolded ? curveOf(scene.data, one.line.index) : null;
      if (curve) paintPlot(surface, scene, curve, { y: one.y, height: GROUP });
      if (one.line.kind === "plot") paintPlot(surface, scene, scene.data.plots[one.line.index], { y: one.y, height: one.line.height });
    }
    paintRows(surface, scene, placed, span);
    paintTrackMarks(surface, scene, placed, span);
  });
}

export function paintTimeline(surface: Surface, scene: Scene): void {
  const { ctx, palette, width, height } = surface;
  paintAxis(surface, scene.shown, scene.data.header.first_ns);
  const { pinned, rest, border } = placedLines(scene.layout, scene.shown.scroll, height);
  paintLines(surface, scene, rest, { top: border, bottom: height }, false);
  if (pinned.length > 0) {
    paintLines(surface, scene, pinned, { top: AXIS, bottom: border }, true);
    ctx.fillStyle = palette.muted;
    ctx.fillRect(0, border - 1, width, 1);
  }
  within(ctx, [LEFT, AXIS, width - LEFT, height - AXIS], () => paintLinks(surface, scene, border));
  within(ctx, [LEFT, 0, width - LEFT, AXIS], () => paintMarks(surface, scene, marksOf(scene.data).axis, AXIS - 2));
  within(ctx, [LEFT, 0, width - LEFT, height], () => paintSignposts(surface, scene));
  ctx.fillStyle = palette.line;
  ctx.fillRect(LEFT - 1, 0, 1, height);
  if (scene.layout.height > height - border) paintScrollbar(surface, scene, border);
}

function paintScrollbar({ ctx, palette, width, height }: Surface, { layout, shown }: Scene, border: number): void {
  const room = height - border;
  const long = Math.max(16, (room * room) / layout.height);
  ctx.fillStyle = palette.muted;
  ctx.globalAlpha = 0.45;
  ctx.fillRect(width - 5, border + (shown.scroll / Math.max(1, layout.height - room)) * (room - long), 4, long);
  ctx.globalAlpha = 1;
}

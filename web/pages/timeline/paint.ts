// The picture: axis, groups, rows of zones, plots, arrows. It costs about what has pixels.
import type { Surface } from "kit/canvas/canvas";
import { bytes, fixed, shortened, visible } from "kit/format";
import { axisMarks, niceStep } from "kit/scale";
import { groupPath, nameId, placeOf } from "./data";
import type { Plot, TimelineData } from "./data";
import { GROUP, ROW } from "./lines";
import type { Line } from "./lines";
import { forEachShown, lowerBound } from "./rows";
import type { Hits } from "./rows";
import type { Chosen, Shown } from "./state";
import { markText, time } from "./time";

export const LEFT = 190;
export const AXIS = 24;

export interface Scene {
  data: TimelineData;
  lines: readonly Line[];
  shown: Shown;
  chosen: Chosen;
  /** Arrows of the chosen zone. */
  links: readonly { from: number; to: number }[];
}

const hues = new Map<string, string>();

/** A colour of its own for each name, readable under its text in both themes. */
export function zoneColor(name: string, dark: boolean): string {
  const key = `${dark ? "d" : "l"}${name}`;
  let color = hues.get(key);
  if (color === undefined) {
    let hash = 2166136261;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
    const hue = (hash >>> 0) % 360;
    const depth = ((hash >>> 9) % 3) * 5;
    color = dark ? `hsl(${hue} 42% ${32 + depth}%)` : `hsl(${hue} 62% ${72 + depth}%)`;
    hues.set(key, color);
  }
  return color;
}

export const xOf = (shown: Shown, width: number, ns: number) => LEFT + ((ns - shown.from) / (shown.to - shown.from)) * (width - LEFT);
export const timeOf = (shown: Shown, width: number, x: number) => shown.from + ((x - LEFT) / Math.max(1, width - LEFT)) * (shown.to - shown.from);

function paintAxis({ ctx, palette, width, height }: Surface, shown: Shown): void {
  const wanted = Math.max(2, (width - LEFT) / 110);
  const step = niceStep(shown.to - shown.from, wanted);
  ctx.textBaseline = "middle";
  ctx.textAlign = "center";
  for (const mark of axisMarks(shown.from, shown.to, wanted)) {
    const x = Math.round(xOf(shown, width, mark)) + 0.5;
    if (x < LEFT) continue;
    ctx.strokeStyle = palette.grid;
    ctx.beginPath();
    ctx.moveTo(x, AXIS - 4);
    ctx.lineTo(x, height);
    ctx.stroke();
    ctx.fillStyle = palette.muted;
    if (x > LEFT + 24 && x < width - 30) ctx.fillText(markText(mark, step), x, AXIS / 2);
  }
}

function paintLabel({ ctx, palette }: Surface, text: string, level: number, y: number, height: number, strong: boolean): void {
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.fillStyle = strong ? palette.text : palette.muted;
  const indent = 8 + level * 10;
  ctx.fillText(shortened(visible(text), Math.max(6, Math.floor((LEFT - indent - 6) / 6.4))), indent, y + height / 2);
}

function paintGroup(surface: Surface, scene: Scene, line: Line, y: number): void {
  const { ctx, palette, width } = surface;
  ctx.fillStyle = palette.bandA;
  ctx.fillRect(0, y, width, GROUP - 2);
  const { data } = scene;
  const text = `${line.isFolded ? "▸" : "▾"} ${line.level === 0 ? groupPath(data, line.index) : data.groups[line.index].name}`;
  paintLabel(surface, text, line.level, y, GROUP - 2, true);
}

/** Hits of a row stand together among all of them. */
function paintHits({ ctx, palette, width }: Surface, scene: Scene, hits: Hits, first: number, end: number, y: number): void {
  const { zones } = scene.data;
  const from = lowerBound(hits.zones, first);
  const to = lowerBound(hits.zones, end);
  const scale = (width - LEFT) / (scene.shown.to - scene.shown.from);
  ctx.fillStyle = palette.hit;
  let last = -1;
  let at = from;
  // By halving to the first that is in sight: they are in order of time.
  let high = to;
  while (at < high) {
    const middle = (at + high) >> 1;
    if (zones.start[hits.zones[middle]] + zones.length[hits.zones[middle]] <= scene.shown.from) at = middle + 1;
    else high = middle;
  }
  for (; at < to && zones.start[hits.zones[at]] < scene.shown.to; at++) {
    const x = (zones.start[hits.zones[at]] - scene.shown.from) * scale;
    const wide = Math.max(2, zones.length[hits.zones[at]] * scale);
    if (x + wide <= last) continue; // under what is there
    ctx.fillRect(LEFT + Math.max(0, x), y + ROW - 5, Math.min(wide, width), 3);
    last = Math.floor(x) + 2;
  }
}

function paintTrack(surface: Surface, scene: Scene, line: Line, y: number): void {
  const { ctx, palette, width, height } = surface;
  const { data, shown, chosen } = scene;
  const track = data.tracks[line.index];
  paintLabel(surface, track.name, line.level, y, ROW, false);
  const scale = (width - LEFT) / (shown.to - shown.from);
  track.stretches.forEach((row, depth) => {
    const top = y + depth * ROW;
    if (top + ROW < AXIS || top > height) return;
    let color = "";
    const texts: { text: string; x: number; width: number }[] = [];
    ctx.globalAlpha = chosen.hits ? 0.45 : 1;
    forEachShown(data.zones, row, shown.from, shown.to, scale, (zone, x, wide) => {
      const name = data.texts[nameId(data, zone)];
      const own = zoneColor(name, palette.dark);
      if (own !== color) ctx.fillStyle = color = own;
      const left = Math.max(0, x);
      const seen = Math.min(width - LEFT, x + wide) - left;
      // Neighbours are told apart by a gap where there is room for one.
      ctx.fillRect(LEFT + left, top + 1, seen > 3 ? seen - 0.75 : seen, ROW - 2);
      if (seen > 28) texts.push({ text: name, x: left, width: seen });
    });
    ctx.globalAlpha = 1;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    ctx.fillStyle = palette.text;
    for (const one of texts) ctx.fillText(shortened(visible(one.text), Math.max(2, Math.floor((one.width - 6) / 5.9))), LEFT + one.x + 3, top + ROW / 2 + 0.5);
    if (chosen.hits) paintHits(surface, scene, chosen.hits, row.first, row.end, top);
  });
  if (chosen.zone !== null && placeOf(data, chosen.zone).track === line.index) paintChosen(surface, scene, chosen.zone, y);
}

function paintChosen({ ctx, palette, width }: Surface, { data, shown }: Scene, zone: number, y: number): void {
  const x = xOf(shown, width, data.zones.start[zone]);
  const end = xOf(shown, width, data.zones.start[zone] + data.zones.length[zone]);
  ctx.strokeStyle = palette.select;
  ctx.lineWidth = 2;
  ctx.strokeRect(Math.max(LEFT - 2, x), y + placeOf(data, zone).depth * ROW + 1, Math.max(2, Math.min(width + 4, end) - Math.max(LEFT - 2, x)), ROW - 2);
  ctx.lineWidth = 1;
}

export function plotText(plot: Plot, value: number): string {
  if (plot.unit === "bytes") return bytes(value);
  return `${fixed(value, Number.isInteger(value) ? 0 : 3)}${plot.unit === "percent" ? " %" : ""}`;
}

/** The last point that is not behind a time; -1: none. */
export function pointAt(plot: Plot, ns: number): number {
  let low = 0;
  let high = plot.times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (plot.times[middle] <= ns) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function paintPlot(surface: Surface, scene: Scene, line: Line, y: number): void {
  const { ctx, palette, width } = surface;
  const { shown } = scene;
  const plot = scene.data.plots[line.index];
  paintLabel(surface, plot.name, line.level, y, ROW, false);
  let least = 0;
  let most = 0;
  for (const value of plot.values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  paintLabel(surface, `up to ${plotText(plot, most)}`, line.level, y + ROW, ROW, false);
  const bottom = y + line.height - 4;
  const heightOf = (value: number) => bottom - ((value - least) / Math.max(1e-30, most - least)) * (line.height - 10);
  ctx.beginPath();
  const first = Math.max(0, pointAt(plot, shown.from));
  let x = Math.max(LEFT, xOf(shown, width, plot.times[first] ?? 0));
  ctx.moveTo(x, bottom);
  for (let at = first; at < plot.times.length && plot.times[at] <= shown.to; ) {
    // Of points that share a pixel the lowest and the highest.
    let low = plot.values[at];
    let high = low;
    x = Math.max(LEFT, xOf(shown, width, plot.times[at]));
    let next = at + 1;
    while (next < plot.times.length && xOf(shown, width, plot.times[next]) < x + 1) {
      low = Math.min(low, plot.values[next]);
      high = Math.max(high, plot.values[next]);
      next++;
    }
    ctx.lineTo(x, heightOf(high));
    if (next > at + 1) ctx.lineTo(x, heightOf(low));
    ctx.lineTo(x, heightOf(plot.values[next - 1]));
    const until = next < plot.times.length ? Math.min(width, xOf(shown, width, plot.times[next])) : width;
    ctx.lineTo(until, heightOf(plot.values[next - 1]));
    x = until;
    at = next;
  }
  ctx.lineTo(x, bottom);
  ctx.fillStyle = palette.alloc;
  ctx.globalAlpha = 0.35;
  ctx.fill();
  ctx.globalAlpha = 1;
  ctx.strokeStyle = palette.alloc;
  ctx.stroke();
}

function paintMessages(surface: Surface, scene: Scene): void {
  const { ctx, palette, width } = surface;
  const { time: times } = scene.data.messages;
  ctx.fillStyle = palette.capacity;
  let last = -1;
  for (let i = 0; i < times.length; i++) {
    const x = Math.round(xOf(scene.shown, width, times[i]));
    if (x < LEFT || x > width || x === last) continue;
    last = x;
    ctx.beginPath();
    ctx.moveTo(x - 4, AXIS - 8);
    ctx.lineTo(x + 4, AXIS - 8);
    ctx.lineTo(x, AXIS - 2);
    ctx.fill();
  }
}

/** Where a zone is in the picture; null: its line is not there. */
function pointOf(scene: Scene, width: number, zone: number): { x: number; y: number } | null {
  const { track, depth } = placeOf(scene.data, zone);
  const line = scene.lines.find((one) => one.kind === "track" && one.index === track);
  if (!line) return null;
  return { x: xOf(scene.shown, width, scene.data.zones.start[zone]), y: AXIS + line.top - scene.shown.scroll + depth * ROW + ROW / 2 };
}

function paintLinks({ ctx, palette, width }: Surface, scene: Scene): void {
  ctx.strokeStyle = palette.select;
  for (const link of scene.links) {
    const from = pointOf(scene, width, link.from);
    const to = pointOf(scene, width, link.to);
    if (!from || !to) continue;
    const bend = Math.max(20, Math.abs(to.x - from.x) / 3);
    ctx.beginPath();
    ctx.moveTo(from.x, from.y);
    ctx.bezierCurveTo(from.x + bend, from.y, to.x - bend, to.y, to.x, to.y);
    ctx.lineTo(to.x - 5, to.y - 4);
    ctx.moveTo(to.x, to.y);
    ctx.lineTo(to.x - 5, to.y + 4);
    ctx.stroke();
  }
}

export function paintTimeline(surface: Surface, scene: Scene): void {
  const { ctx, palette, width, height } = surface;
  paintAxis(surface, scene.shown);
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, AXIS, width, height - AXIS);
  ctx.clip();
  for (const line of scene.lines) {
    const y = AXIS + line.top - scene.shown.scroll;
    if (y + line.height < AXIS) continue;
    if (y > height) break;
    if (line.kind === "group") paintGroup(surface, scene, line, y);
    else if (line.kind === "track") paintTrack(surface, scene, line, y);
    else paintPlot(surface, scene, line, y);
  }
  ctx.save();
  ctx.beginPath();
  ctx.rect(LEFT, AXIS, width - LEFT, height - AXIS);
  ctx.clip();
  paintLinks(surface, scene);
  ctx.restore();
  ctx.restore();
  paintMessages(surface, scene);
  ctx.fillStyle = palette.line;
  ctx.fillRect(LEFT - 1, 0, 1, height);
}

function paintSpan({ ctx, palette, width, height }: Surface, shown: Shown, from: number, to: number, color: string): void {
  const left = Math.max(LEFT, xOf(shown, width, from));
  const right = Math.min(width, xOf(shown, width, to));
  if (right < LEFT || left > width) return;
  ctx.fillStyle = color;
  ctx.globalAlpha = 0.16;
  ctx.fillRect(left, AXIS, right - left, height - AXIS);
  ctx.globalAlpha = 1;
  ctx.fillRect(left, 0, 1, height);
  ctx.fillRect(right - 1, 0, 1, height);
  ctx.fillStyle = palette.panel;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  const text = time(to - from);
  const room = ctx.measureText(text).width + 8;
  const middle = Math.min(width - room / 2, Math.max(LEFT + room / 2, (left + right) / 2));
  ctx.fillRect(middle - room / 2, 2, room, AXIS - 6);
  ctx.fillStyle = palette.text;
  ctx.fillText(text, middle, AXIS / 2 - 1);
}

/** What follows the pointer, and the marked stretches. */
export function paintOver(surface: Surface, { shown, chosen }: Scene): void {
  const { ctx, palette, width, height } = surface;
  if (chosen.mark) paintSpan(surface, shown, chosen.mark.from, chosen.mark.to, palette.capacity);
  if (chosen.area && !shown.draft) paintSpan(surface, shown, chosen.area.from, chosen.area.to, palette.select);
  if (shown.draft) {
    paintSpan(surface, shown, shown.draft.from, shown.draft.to, palette.select);
    const left = Math.max(LEFT, xOf(shown, width, shown.draft.from));
    ctx.strokeStyle = palette.select;
    ctx.strokeRect(left, shown.draft.top, xOf(shown, width, shown.draft.to) - left, shown.draft.bottom - shown.draft.top);
  }
  if (shown.cursor === null) return;
  const x = Math.round(xOf(shown, width, shown.cursor)) + 0.5;
  if (x < LEFT) return;
  ctx.strokeStyle = palette.muted;
  ctx.globalAlpha = 0.7;
  ctx.beginPath();
  ctx.moveTo(x, AXIS);
  ctx.lineTo(x, height);
  ctx.stroke();
  ctx.globalAlpha = 1;
}

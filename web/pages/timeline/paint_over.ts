// What follows the pointer, and the marked stretches.
import type { Surface } from "kit/canvas/canvas";
import { shortened, visible } from "kit/format";
import { zoneName } from "./data";
import type { TimelineData } from "./data";
import { tracksBelow } from "./lines";
import { paintPlotCursor } from "./paint_plots";
import type { Area, Shown } from "./state";
import { momentText, time } from "./time";
import { AXIS, LEFT, nsPerPixel, placedLines, xOf } from "./view";
import type { Placed, Scene } from "./view";

/** A text on a ground of its own. */
function paintTag({ ctx, palette, width }: Surface, text: string, middle: number, y: number): void {
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  const room = ctx.measureText(text).width + 10;
  const x = Math.min(width - room / 2, Math.max(LEFT + room / 2, middle));
  ctx.fillStyle = palette.panel;
  ctx.fillRect(x - room / 2, y, room, 17);
  ctx.fillStyle = palette.text;
  ctx.fillText(text, x, y + 9);
}

type Band = readonly [top: number, bottom: number];

/** A stretch of time with its length; it is filled in bands of the picture, mostly in one. */
function paintSpan(surface: Surface, shown: Shown, { from, to }: { from: number; to: number }, ink: string, bands?: readonly Band[]): void {
  const { ctx, width, height } = surface;
  const left = Math.max(LEFT, xOf(shown, width, from));
  const right = Math.min(width, xOf(shown, width, to));
  if (right < LEFT || left > width) return;
  ctx.fillStyle = ink;
  ctx.globalAlpha = 0.14;
  for (const [top, bottom] of bands ?? [[AXIS, height]]) ctx.fillRect(left, top, right - left, bottom - top);
  ctx.globalAlpha = 1;
  ctx.fillRect(left, 0, 1, height);
  ctx.fillRect(right - 1, 0, 1, height);
  ctx.fillRect(left, AXIS - 3, right - left, 2);
  paintTag(surface, time(to - from), (left + right) / 2, 2);
}

/** The lines of the tracks of an area. */
function bandsOf({ data, layout, shown }: Scene, area: Area, height: number): Band[] {
  const tracks = new Set(area.tracks);
  const { pinned, rest, border } = placedLines(layout, shown.scroll, height);
  const isIn = ({ line }: Placed) => (line.kind === "track" ? tracks.has(line.index) : line.kind === "group" && line.isFolded && tracksBelow(data, line.index).some((track) => tracks.has(track)));
  const band = (top: number) => ({ line, y }: Placed): Band => [Math.max(top, y), y + line.height];
  return [...pinned.filter(isIn).map(band(AXIS)), ...rest.filter(isIn).map(band(border))];
}

/** Of the message or the zone under the pointer. */
function tipOf(data: TimelineData, { hovered, message }: Shown): { name: string; length: string } | null {
  const short = (text: string) => shortened(visible(text.slice(0, 400)), 70);
  if (message !== null) return { name: short(data.texts[data.messages.text[message]]), length: time(data.messages.time[message] + data.header.first_ns) };
  return hovered === null ? null : { name: short(zoneName(data, hovered)), length: time(data.zones.length[hovered]) };
}

/** What is under the pointer, beside it. */
function paintTip(surface: Surface, { data, shown }: Scene): void {
  const { ctx, palette, width, height } = surface;
  const words = tipOf(data, shown);
  if (!shown.pointer || !words || shown.draft) return;
  const { name, length } = words;
  const wide = Math.max(ctx.measureText(name).width, ctx.measureText(length).width) + 16;
  const x = Math.max(LEFT, Math.min(shown.pointer.x + 14, width - wide - 2));
  const y = shown.pointer.y + 54 > height ? shown.pointer.y - 50 : shown.pointer.y + 16;
  ctx.fillStyle = palette.panel;
  ctx.strokeStyle = palette.line;
  ctx.fillRect(x, y, wide, 36);
  ctx.strokeRect(x + 0.5, y + 0.5, wide - 1, 35);
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.fillStyle = palette.text;
  ctx.fillText(name, x + 8, y + 11);
  ctx.fillStyle = palette.muted;
  ctx.fillText(length, x + 8, y + 26);
}

function paintCursor(surface: Surface, scene: Scene): void {
  const { ctx, palette, width, height } = surface;
  const { shown } = scene;
  if (shown.cursor === null) return;
  const x = Math.round(xOf(shown, width, shown.cursor));
  if (x < LEFT) return;
  ctx.fillStyle = palette.muted;
  ctx.globalAlpha = 0.7;
  ctx.fillRect(x, AXIS - 4, 1, height - AXIS + 4);
  ctx.globalAlpha = 1;
  const { pinned, rest } = placedLines(scene.layout, shown.scroll, height);
  for (const { line, y } of [...pinned, ...rest]) {
    if (line.kind === "plot") paintPlotCursor(surface, scene, scene.data.plots[line.index], { x: x + 0.5, y, height: line.height });
  }
  if (!shown.draft) paintTag(surface, momentText(shown.cursor + scene.data.header.first_ns, nsPerPixel(shown, width)), x, 2);
}

export function paintOver(surface: Surface, scene: Scene): void {
  const { ctx, palette, width } = surface;
  const { shown, chosen } = scene;
  if (chosen.mark) paintSpan(surface, shown, chosen.mark, palette.capacity);
  if (chosen.area && !shown.draft) paintSpan(surface, shown, chosen.area, palette.select, bandsOf(scene, chosen.area, surface.height));
  paintCursor(surface, scene);
  if (shown.draft) {
    paintSpan(surface, shown, shown.draft, palette.select);
    const left = Math.max(LEFT, xOf(shown, width, shown.draft.from));
    ctx.strokeStyle = palette.select;
    ctx.strokeRect(left, shown.draft.top, xOf(shown, width, shown.draft.to) - left, shown.draft.bottom - shown.draft.top);
  }
  paintTip(surface, scene);
}

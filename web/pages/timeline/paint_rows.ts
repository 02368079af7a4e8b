// Rows of zones. What has a few pixels at most is written into strips of pixels, one for each row, and put on the canvas at once: a picture of
// ten million zones is as many calls as one of a thousand.
import type { Surface } from "kit/canvas/canvas";
import { shortened } from "kit/format";
import type { NameInks } from "./colours";
import { nameId, placeOf } from "./data";
import type { Row } from "./data";
import { GROUP, ROW, speakerOf, tracksBelow } from "./lines";
import { coverHits, forEachHit, forEachShown } from "./rows";
import { LEFT, xOf } from "./view";
import type { Placed, Scene } from "./view";

/** Zones from so many pixels on are rectangles. */
const WIDE_PX = 6;
const TEXT_PX = 34;
/** Of a pixel that is hardly busy. */
const LEAST_ALPHA = 0.32;

interface Wide {
  name: number;
  x: number;
  width: number;
}

interface PaintedRow {
  row: Row;
  top: number;
  height: number;
  wide: Wide[];
}

/** Pixels of rows, kept from picture to picture. */
class Strips {
  private canvas = document.createElement("canvas");
  private image: ImageData | null = null;
  private pixels = new Uint32Array(0);
  width = 0;

  prepare(width: number, rows: number): void {
    this.width = width;
    if (!this.image || this.image.width !== width || this.image.height < rows) {
      const height = Math.max(32, rows + 16);
      this.canvas.width = width;
      this.canvas.height = height;
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    } else {
      this.pixels.fill(0, 0, width * rows);
    }
  }

  row(index: number): Uint32Array {
    return this.pixels.subarray(index * this.width, (index + 1) * this.width);
  }

  finish(rows: number): HTMLCanvasElement {
    const brush = this.canvas.getContext("2d");
    if (brush && this.image) brush.putImageData(this.image, 0, 0, 0, 0, this.width, rows);
    return this.canvas;
  }
}

const strips = new Strips();

/** Collects what is wide, writes what is not. Coordinates are pixels of the screen. */
function fillStrip(scene: Scene, inks: NameInks, painted: PaintedRow, strip: Uint32Array): void {
  const { data, shown } = scene;
  const width = strip.length;
  const scale = width / (shown.to - shown.from);
  forEachShown(data.zones, painted.row, { from: shown.from, to: shown.to, scale }, {
    zone(zone, x, wide) {
      const left = Math.max(0, Math.floor(x));
      const right = Math.min(width, Math.max(left + 1, Math.floor(x + wide)));
      const name = nameId(data, zone);
      // Neighbours are told apart by a gap where there is room for one.
      const seen = right - left > 3 ? right - left - 1 : right - left;
      if (wide >= WIDE_PX) painted.wide.push({ name, x: left, width: seen });
      else strip.fill(inks.pixel(name), left, left + seen);
    },
    pixel(zone, x, share) {
      if (x < 0 || x >= width) return;
      const alpha = Math.round(255 * Math.min(1, LEAST_ALPHA + (1 - LEAST_ALPHA) * share));
      strip[x] = ((inks.pixel(nameId(data, zone)) & 0xffffff) | (alpha << 24)) >>> 0;
    },
  });
}

function rowsOf(scene: Scene, placed: readonly Placed[], top: number, bottom: number): PaintedRow[] {
  const rows: PaintedRow[] = [];
  const add = (row: Row | undefined, y: number, height: number) => {
    if (row && row.end > row.first && y + height > top && y < bottom) rows.push({ row, top: y, height, wide: [] });
  };
  for (const { line, y } of placed) {
    if (line.kind === "track") {
      const { stretches } = scene.data.tracks[line.index];
      const shownRows = line.isFolded ? 1 : stretches.length;
      for (let depth = 0; depth < shownRows; depth++) add(stretches[depth], y + depth * ROW + 1, ROW - 2);
    } else if (line.kind === "group" && line.isFolded) {
      const speaker = speakerOf(scene.data, line.index);
      if (speaker >= 0) add(scene.data.tracks[speaker].stretches[0], y + 3, GROUP - 8);
    }
  }
  return rows;
}

function paintTexts({ ctx, palette }: Surface, inks: NameInks, painted: PaintedRow, ratio: number): void {
  ctx.fillStyle = palette.text;
  for (const { name, x, width } of painted.wide) {
    if (width / ratio < TEXT_PX || painted.height < ROW - 2) continue;
    const room = Math.max(2, Math.floor((width / ratio - 7) / inks.characterWidth(name, ctx)));
    const text = shortened(inks.text(name), room);
    const [left, middle] = [LEFT + x / ratio + 3, painted.top + painted.height / 2 + 0.5];
    // What is left of a name may be its wide letters: it stays in its zone.
    if (text.length < inks.text(name).length) ctx.fillText(text, left, middle, width / ratio - 5);
    else ctx.fillText(text, left, middle);
  }
}

function paintRow(surface: Surface, scene: Scene, painted: PaintedRow, ratio: number): void {
  const { ctx } = surface;
  let ink = "";
  for (const { name, x, width } of painted.wide) {
    const own = scene.inks.css(name);
    if (own !== ink) ctx.fillStyle = ink = own;
    ctx.fillRect(LEFT + x / ratio, painted.top, width / ratio, painted.height);
  }
}

function paintHits({ ctx, palette }: Surface, scene: Scene, painted: PaintedRow, scale: number, room: number): void {
  if (!scene.chosen.hits) return;
  ctx.fillStyle = palette.hit;
  forEachHit(scene.data.zones, scene.chosen.hits, painted.row, { from: scene.shown.from, to: scene.shown.to, scale }, (x, width) => {
    const left = Math.max(0, x);
    ctx.fillRect(LEFT + left, painted.top + painted.height - 3, Math.max(2, Math.min(room, x + width) - left), 3);
  });
}

/** A folded group shows one track, but the hits of all that are in it. */
function paintFoldedHits({ ctx, palette }: Surface, { data, shown, chosen }: Scene, { line, y }: Placed, room: number): void {
  const { hits } = chosen;
  if (!hits || line.kind !== "group" || !line.isFolded) return;
  const mask = new Uint8Array(room);
  const view = { from: shown.from, to: shown.to, scale: room / (shown.to - shown.from) };
  for (const track of tracksBelow(data, line.index)) {
    for (const row of data.tracks[track].stretches) coverHits(data.zones, hits, row, view, mask);
  }
  ctx.fillStyle = palette.hit;
  for (let first = mask.indexOf(1); first >= 0; ) {
    const gap = mask.indexOf(0, first);
    const end = gap < 0 ? room : gap;
    ctx.fillRect(LEFT + first, y + GROUP - 9, Math.max(2, end - first), 4);
    first = mask.indexOf(1, end);
  }
}

function paintChosen({ ctx, palette, width }: Surface, { data, shown, chosen }: Scene, placed: readonly Placed[]): void {
  const zone = chosen.zone;
  if (zone === null) return;
  const { track, depth } = placeOf(data, zone);
  const x = Math.max(LEFT - 2, xOf(shown, width, data.zones.start[zone]));
  const end = Math.min(width + 4, xOf(shown, width, data.zones.start[zone] + data.zones.length[zone]));
  ctx.strokeStyle = palette.select;
  ctx.lineWidth = 2;
  for (const { line, y } of placed) {
    if (line.kind !== "track" || line.index !== track || (line.isFolded && depth > 0) || end < LEFT) continue;
    ctx.strokeRect(x, y + depth * ROW + 1, Math.max(2, end - x), ROW - 2);
  }
  ctx.lineWidth = 1;
}

/** Zones of the lines between two heights; the canvas is clipped to them. */
export function paintRows(surface: Surface, scene: Scene, placed: readonly Placed[], span: { top: number; bottom: number }): void {
  const { ctx, width } = surface;
  const ratio = ctx.getTransform().a || 1;
  const room = Math.max(1, Math.round((width - LEFT) * ratio));
  const rows = rowsOf(scene, placed, span.top, span.bottom);
  strips.prepare(room, rows.length);
  rows.forEach((painted, index) => fillStrip(scene, scene.inks, painted, strips.row(index)));
  const pixels = strips.finish(rows.length);
  ctx.imageSmoothingEnabled = false;
  ctx.globalAlpha = scene.chosen.hits ? 0.45 : 1;
  rows.forEach((painted, index) => {
    ctx.drawImage(pixels, 0, index, room, 1, LEFT, painted.top, width - LEFT, painted.height);
    paintRow(surface, scene, painted, ratio);
  });
  ctx.globalAlpha = 1;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  for (const painted of rows) paintTexts(surface, scene.inks, painted, ratio);
  const scale = (width - LEFT) / (scene.shown.to - scene.shown.from);
  for (const painted of rows) paintHits(surface, scene, painted, scale, width - LEFT);
  for (const one of placed) paintFoldedHits(surface, scene, one, Math.max(1, Math.round(width - LEFT)));
  paintChosen(surface, scene, placed);
}

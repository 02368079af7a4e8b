// Curves: what memory and other figures were over time.
import type { Surface } from "kit/canvas/canvas";
import { bytes, fixed } from "kit/format";
import { lastAtOrBelow } from "kit/data/pyramid";
import type { Plot } from "./data";
import { LEFT } from "./view";
import type { Scene } from "./view";

export function plotText(plot: Plot, value: number): string {
  if (plot.unit === "bytes") return bytes(value);
  return `${fixed(value, Number.isInteger(value) ? 0 : 3)}${plot.unit === "percent" ? " %" : ""}`;
}

/** The last point that is not behind a time; -1: none. */
export const pointAt = (plot: Plot, ns: number) => lastAtOrBelow(plot.times, ns);

const ranges = new WeakMap<Plot, { low: number; high: number }>();

/** Of all values, and zero. */
export function rangeOf(plot: Plot): { low: number; high: number } {
  let range = ranges.get(plot);
  if (!range) {
    const { low, high } = plot.values.length > 0 ? plot.pyramid.range(0, plot.values.length) : { low: 0, high: 0 };
    ranges.set(plot, (range = { low: Math.min(0, low), high: Math.max(0, high) }));
  }
  return range;
}

export function paintPlot(surface: Surface, scene: Scene, plot: Plot, place: { y: number; height: number }): void {
  const { ctx, palette, width } = surface;
  const { shown } = scene;
  const { low, high } = rangeOf(plot);
  const bottom = place.y + place.height - 4;
  const heightOf = (value: number) => bottom - ((value - low) / Math.max(1e-30, high - low)) * (place.height - 10);
  const base = heightOf(0);
  const columns = Math.max(1, Math.round(width - LEFT));
  const found = plot.pyramid.query(shown.from, shown.to, columns);
  const shape = new Path2D();
  const outline = new Path2D();
  let isOpen = false;
  for (let i = 0; i < columns; i++) {
    if (!(found.low[i] <= found.high[i]) || Number.isNaN(found.last[i])) continue;
    const x = LEFT + i + 0.5;
    if (!isOpen) {
      shape.moveTo(x, base);
      outline.moveTo(x, heightOf(Number.isNaN(found.first[i]) ? found.last[i] : found.first[i]));
      isOpen = true;
    }
    const top = heightOf(found.high[i]);
    shape.lineTo(x, top);
    if (found.low[i] !== found.high[i]) {
      outline.lineTo(x, top);
      outline.lineTo(x, heightOf(found.low[i]));
    }
    outline.lineTo(x, heightOf(found.last[i]));
  }
  if (!isOpen) return;
  shape.lineTo(width, heightOf(found.last[columns - 1]));
  shape.lineTo(width, base);
  ctx.fillStyle = palette.alloc;
  ctx.globalAlpha = 0.3;
  ctx.fill(shape);
  ctx.globalAlpha = 1;
  ctx.strokeStyle = palette.alloc;
  ctx.lineWidth = 1.25;
  ctx.stroke(outline);
  ctx.lineWidth = 1;
}

/** The value under the pointer, as a dot on the curve. */
export function paintPlotCursor({ ctx, palette }: Surface, scene: Scene, plot: Plot, place: { x: number; y: number; height: number }): void {
  if (scene.shown.cursor === null) return;
  const point = pointAt(plot, scene.shown.cursor);
  if (point < 0) return;
  const { low, high } = rangeOf(plot);
  const value = plot.values[point];
  const y = place.y + place.height - 4 - ((value - low) / Math.max(1e-30, high - low)) * (place.height - 10);
  ctx.fillStyle = palette.alloc;
  ctx.beginPath();
  ctx.arc(place.x, y, 3, 0, 7);
  ctx.fill();
  const text = plotText(plot, value);
  const room = ctx.measureText(text).width + 8;
  const left = place.x + 6 + room > ctx.canvas.clientWidth ? place.x - 6 - room : place.x + 6;
  ctx.fillStyle = palette.panel;
  ctx.globalAlpha = 0.88;
  ctx.fillRect(left, place.y + 2, room, 15);
  ctx.globalAlpha = 1;
  ctx.fillStyle = palette.text;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.fillText(text, left + 4, place.y + 10);
}

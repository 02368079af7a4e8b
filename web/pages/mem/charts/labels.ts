// Labels inside of a plot: each takes the first of its places that no other label has.
import type { Frame } from "./frame";

export interface Place {
  x: number;
  /** Of the middle of the text. */
  y: number;
  align: "left" | "right";
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const HEIGHT = 14;
const AIR = 3;

function boxOf({ x, y, align }: Place, width: number): Box {
  const left = align === "left" ? x : x - width;
  return { left: left - AIR, right: left + width + AIR, top: y - HEIGHT / 2, bottom: y + HEIGHT / 2 };
}

const overlaps = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** The labels of one picture. */
export class Labels {
  private readonly taken: Box[] = [];

  constructor(private readonly frame: Pick<Frame, "left" | "right" | "top" | "bottom">) {}

  /** The first place inside of the plot where a text of this width meets no other; null: there is none. */
  take(width: number, places: readonly Place[]): Place | null {
    const { left, right, top, bottom } = this.frame;
    for (const place of places) {
      const box = boxOf(place, width);
      const isInside = box.left >= left && box.right <= right && box.top >= top - 2 && box.bottom <= bottom;
      if (!isInside || this.taken.some((other) => overlaps(box, other))) continue;
      this.taken.push(box);
      return place;
    }
    return null;
  }
}

/** Draws a text at the first free place, on the ground of the panel; without one it is left out. */
export function drawLabel(frame: Frame, labels: Labels, label: { text: string; color: string; strong?: boolean }, places: readonly Place[]): void {
  const { ctx, palette } = frame;
  ctx.font = label.strong ? `600 ${palette.font}` : palette.font;
  const width = ctx.measureText(label.text).width;
  const place = labels.take(width, places);
  if (!place) return;
  const { left, top } = boxOf(place, width);
  ctx.globalAlpha = 0.85;
  ctx.fillStyle = palette.panel;
  ctx.fillRect(left, top, width + 2 * AIR, HEIGHT);
  ctx.globalAlpha = 1;
  ctx.fillStyle = label.color;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.fillText(label.text, left + AIR, place.y);
}

/** Rows below each other at one side, from `y` down. */
export function rows(x: number, y: number, align: Place["align"], count = 4): Place[] {
  return Array.from({ length: count }, (_, i) => ({ x, y: y + i * (HEIGHT + 1), align }));
}

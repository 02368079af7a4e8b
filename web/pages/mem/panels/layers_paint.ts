// The icicle of layers on a canvas: a box's width is its bytes, the strip at its foot the kinds of tensors in it.

import { hatchFill, KIND_HATCH, palette } from "kit/canvas/palette";
import { KINDS } from "../data/rank";
import { bytes, visible } from "kit/format";
import type { IcicleBox, LayerNode } from "./layer_tree";

export const LEVEL_HEIGHT = 34;
const STRIP = 6;
const LABEL_LEAST = 36;

export interface Picture {
  boxes: IcicleBox[];
  width: number;
  height: number;
  hovered: LayerNode | null;
}

/** The text cut so that it fits; "" when hardly anything would. */
function fitting(ctx: CanvasRenderingContext2D, text: string, room: number): string {
  if (ctx.measureText(text).width <= room) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (ctx.measureText(`${text.slice(0, middle)}…`).width <= room) low = middle;
    else high = middle - 1;
  }
  return low < 2 ? "" : `${text.slice(0, low)}…`;
}

function paintStrip(ctx: CanvasRenderingContext2D, node: LayerNode, left: number, top: number, width: number): void {
  const colours = palette();
  const ink = colours.dark ? "rgba(0,0,0,0.45)" : "rgba(255,255,255,0.7)";
  let x = left;
  KINDS.forEach((kind, index) => {
    const part = (width * Math.max(0, node.kinds[index])) / Math.max(1, node.bytes);
    if (part <= 0) return;
    ctx.fillStyle = hatchFill(ctx, colours.kinds[kind], KIND_HATCH[kind], ink);
    ctx.fillRect(x, top, part, STRIP);
    x += part;
  });
}

function paintLabel(ctx: CanvasRenderingContext2D, box: IcicleBox, left: number, top: number, width: number): void {
  if (width < LABEL_LEAST) return;
  const colours = palette();
  const room = width - 10;
  const size = bytes(box.node.bytes);
  const name = visible(box.node.name);
  ctx.fillStyle = colours.text;
  const both = `${name}  `;
  const nameWidth = ctx.measureText(both).width;
  ctx.fillText(fitting(ctx, name, room), left + 5, top + (LEVEL_HEIGHT - STRIP) / 2);
  if (nameWidth + ctx.measureText(size).width > room) return;
  ctx.fillStyle = colours.muted;
  ctx.fillText(size, left + 5 + nameWidth, top + (LEVEL_HEIGHT - STRIP) / 2);
}

function paintBox(ctx: CanvasRenderingContext2D, picture: Picture, box: IcicleBox): void {
  const colours = palette();
  const left = box.left * picture.width;
  const width = Math.max(1, box.width * picture.width - 1);
  const top = box.level * LEVEL_HEIGHT;
  ctx.fillStyle = box.node === picture.hovered ? colours.hover : box.level % 2 === 0 ? colours.bandA : colours.bandB;
  ctx.globalAlpha = box.node === picture.hovered ? 0.35 : 1;
  ctx.fillRect(left, top, width, LEVEL_HEIGHT - 1);
  ctx.globalAlpha = 1;
  ctx.strokeStyle = colours.line;
  ctx.strokeRect(left + 0.5, top + 0.5, width - 1, LEVEL_HEIGHT - 2);
  paintStrip(ctx, box.node, left, top + LEVEL_HEIGHT - STRIP - 1, width);
  paintLabel(ctx, box, left, top, width);
}

export function paintLayers(canvas: HTMLCanvasElement, picture: Picture): void {
  const ctx = canvas.getContext("2d");
  if (!ctx) return;
  const ratio = window.devicePixelRatio || 1;
  const wide = Math.max(1, Math.round(picture.width * ratio));
  const high = Math.max(1, Math.round(picture.height * ratio));
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, picture.width, picture.height);
  ctx.font = palette().font;
  ctx.textBaseline = "middle";
  ctx.lineWidth = 1;
  for (const box of picture.boxes) paintBox(ctx, picture, box);
}

export function boxAt(picture: Picture, x: number, y: number): IcicleBox | null {
  const level = Math.floor(y / LEVEL_HEIGHT);
  const at = x / picture.width;
  return picture.boxes.find((box) => box.level === level && at >= box.left && at < box.left + box.width) ?? null;
}

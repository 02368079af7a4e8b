// The icicle of layers on a canvas: a box's width is its bytes, the strip at its foot the kinds of tensors in it.

import { palette } from "kit/canvas/palette";
import { kindFill } from "../charts/kinds";
import type { Surface } from "kit/canvas/canvas";
import { fittedText } from "../charts/frame";
import { KINDS } from "../data/rank";
import { bytes, visible } from "kit/format";
import type { IcicleBox, LayerNode } from "./layer_tree";

export const LEVEL_HEIGHT = 34;
const STRIP = 6;
const LABEL_LEAST = 36;

/** The boxes below a layer, for a width of the canvas. */
export interface Picture {
  node: LayerNode;
  boxes: IcicleBox[];
  width: number;
}

function paintStrip(ctx: CanvasRenderingContext2D, node: LayerNode, left: number, top: number, width: number): void {
  const colours = palette();
  let x = left;
  KINDS.forEach((kind, index) => {
    const part = (width * Math.max(0, node.kinds[index])) / Math.max(1, node.bytes);
    if (part <= 0) return;
    ctx.fillStyle = kindFill(ctx, colours, kind);
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
  ctx.fillText(fittedText(ctx, name, room), left + 5, top + (LEVEL_HEIGHT - STRIP) / 2);
  if (nameWidth + ctx.measureText(size).width > room) return;
  ctx.fillStyle = colours.muted;
  ctx.fillText(size, left + 5 + nameWidth, top + (LEVEL_HEIGHT - STRIP) / 2);
}

function paintBox(ctx: CanvasRenderingContext2D, picture: Picture, box: IcicleBox, isHovered: boolean): void {
  const colours = palette();
  const left = box.left * picture.width;
  const width = Math.max(1, box.width * picture.width - 1);
  const top = box.level * LEVEL_HEIGHT;
  ctx.fillStyle = isHovered ? colours.hover : box.level % 2 === 0 ? colours.bandA : colours.bandB;
  ctx.globalAlpha = isHovered ? 0.35 : 1;
  ctx.fillRect(left, top, width, LEVEL_HEIGHT - 1);
  ctx.globalAlpha = 1;
  ctx.strokeStyle = colours.line;
  ctx.strokeRect(left + 0.5, top + 0.5, width - 1, LEVEL_HEIGHT - 2);
  paintStrip(ctx, box.node, left, top + LEVEL_HEIGHT - STRIP - 1, width);
  paintLabel(ctx, box, left, top, width);
}

export function paintLayers({ ctx }: Surface, picture: Picture, hovered: LayerNode | null): void {
  ctx.textBaseline = "middle";
  ctx.lineWidth = 1;
  for (const box of picture.boxes) paintBox(ctx, picture, box, box.node === hovered);
}

export function boxAt(picture: Picture, x: number, y: number): IcicleBox | null {
  const level = Math.floor(y / LEVEL_HEIGHT);
  const at = x / picture.width;
  return picture.boxes.find((box) => box.level === level && at >= box.left && at < box.left + box.width) ?? null;
}

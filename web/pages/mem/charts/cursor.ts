// What every chart shows above its picture: the selected range and op, and the line under the mouse.
import { hover, store } from "../state";
import { xOf } from "./frame";
import type { Frame } from "./frame";

function paintRange(frame: Frame, [from, to]: [number, number]): void {
  const { ctx, palette } = frame;
  const left = Math.max(frame.left, xOf(frame, from));
  const right = Math.min(frame.right, xOf(frame, to));
  if (right <= left) return;
  ctx.fillStyle = palette.select;
  ctx.globalAlpha = 0.14;
  ctx.fillRect(left, frame.top, right - left, frame.bottom - frame.top);
  ctx.globalAlpha = 1;
  ctx.fillRect(left, frame.top, 1, frame.bottom - frame.top);
  ctx.fillRect(right - 1, frame.top, 1, frame.bottom - frame.top);
}

function paintOp(frame: Frame, op: number, color: string, strong: boolean): void {
  const { ctx } = frame;
  const left = xOf(frame, op);
  const width = xOf(frame, op + 1) - left;
  if (left + width < frame.left || left > frame.right) return;
  ctx.fillStyle = color;
  if (width > 3) {
    ctx.globalAlpha = strong ? 0.22 : 0.12;
    ctx.fillRect(Math.max(frame.left, left), frame.top, Math.min(width, frame.right - left), frame.bottom - frame.top);
  }
  ctx.globalAlpha = strong ? 1 : 0.8;
  ctx.fillRect(Math.max(frame.left, Math.round(left)), frame.top, strong ? 1.5 : 1, frame.bottom - frame.top);
  ctx.globalAlpha = 1;
}

export function paintCursor(frame: Frame): void {
  const { range, op } = store.get();
  const under = hover.get().op;
  if (range) paintRange(frame, range);
  if (op !== null) paintOp(frame, op, frame.palette.select, true);
  if (under !== null && under !== op) paintOp(frame, under, frame.palette.text, false);
}

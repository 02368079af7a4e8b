// The life of the tensor that a list points at, over any chart.
import { lifeEnd } from "../data/live";
import { typeLabel } from "../data/page";
import type { Page } from "../data/page";
import { BUFFER_MEMORIES } from "../data/rank";
import type { RankData } from "../data/rank";
import { bytes, visible } from "kit/format";
import { hover, store } from "../state";
import { fittedText, xOf } from "./frame";
import type { Frame } from "./frame";
import { hatchFill } from "kit/canvas/palette";

/** The tensor under the pointer, else the selected one. */
export function paintBufferLives(frame: Frame, page: Page, rank: RankData): void {
  const buffer = hover.get().buffer ?? store.get().buffer;
  if (buffer === null || buffer >= rank.buffers.count) return;
  const { born, died, type, name, bytes: sizes, memory } = rank.buffers;
  const what = `${visible(page.names.get(name[buffer]))} ${visible(typeLabel(page, type[buffer]))}`;
  const where = BUFFER_MEMORIES[memory[buffer]] ?? "";
  paintLifetime(frame, born[buffer], lifeEnd(died[buffer]), `${what} · ${bytes(sizes[buffer])} per bank, ${where}`);
}

/** The life of a tensor: a hatched stretch over the plot with its two ends. */
function paintLifetime(frame: Frame, born: number, died: number, label: string): void {
  const { ctx, palette } = frame;
  const left = Math.max(frame.left, xOf(frame, born / 2));
  const right = Math.min(frame.right, Number.isFinite(died) ? xOf(frame, died / 2) : frame.right);
  if (right < frame.left || left > frame.right) {
    lifetimeOutside(frame, right < frame.left, label);
    return;
  }
  const width = Math.max(2, right - left);
  ctx.fillStyle = hatchFill(ctx, "", "rising", palette.hover);
  ctx.globalAlpha = 0.55;
  ctx.fillRect(left, frame.top, width, frame.bottom - frame.top);
  ctx.globalAlpha = 1;
  ctx.fillStyle = palette.hover;
  ctx.fillRect(left, frame.top, 2, frame.bottom - frame.top);
  ctx.fillRect(left + width - 2, frame.top, 2, frame.bottom - frame.top);
  ctx.fillRect(left, frame.top, width, 3);
  labelAt(frame, label, Math.min(left + 6, frame.right - 220));
}

function lifetimeOutside(frame: Frame, before: boolean, label: string): void {
  labelAt(frame, before ? `← ${label}` : `${label} →`, before ? frame.left + 6 : frame.right - 220);
}

function labelAt(frame: Frame, label: string, x: number): void {
  const { ctx, palette } = frame;
  ctx.font = `600 ${palette.font}`;
  ctx.textAlign = "left";
  ctx.textBaseline = "top";
  const text = fittedText(ctx, label, Math.max(120, frame.right - x));
  const width = ctx.measureText(text).width;
  ctx.fillStyle = palette.panel;
  ctx.globalAlpha = 0.9;
  ctx.fillRect(x - 3, frame.top + 6, width + 6, 16);
  ctx.globalAlpha = 1;
  ctx.fillStyle = palette.text;
  ctx.fillText(text, x, frame.top + 8);
}

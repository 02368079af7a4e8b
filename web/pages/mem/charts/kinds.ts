// Kinds of tensors as fills of canvases.
import { hatchFill } from "kit/canvas/palette";
import type { Hatch, Palette } from "kit/canvas/palette";
import type { Kind } from "../data/rank";

/** Kinds differ in pattern too: colour alone would leave out who cannot tell the colours apart. */
const HATCHES: Record<Kind, Hatch> = {
  weight: "none",
  const_eval: "rising",
  activation: "dots",
  input: "level",
  unknown: "falling",
};

export function kindFill(ctx: CanvasRenderingContext2D, palette: Palette, kind: Kind): CanvasPattern | string {
  return hatchFill(ctx, palette.of(`kind-${kind}`), HATCHES[kind], palette.dark ? "rgba(0,0,0,0.45)" : "rgba(255,255,255,0.65)");
}

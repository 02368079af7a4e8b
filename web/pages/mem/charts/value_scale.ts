// The height of the timeline and of the strip below it: from 0 to the capacity, to the peak, or only where the curve moves.
import type { Curve } from "../data/curves";
import type { View } from "../state";

export interface Values {
  lowest: number;
  highest: number;
}

export interface ScaleInput {
  scale: View["scale"];
  curve: Curve | null;
  /** Bytes per bank; 0: unknown. */
  capacity: number;
  /** Highest of all curves shown, bytes per bank. */
  peak: number;
  from: number;
  to: number;
}

/** From this share of the capacity on, "does it fit" is the question, and the axis ends at the capacity. */
const NOTABLE_SHARE = 0.25;
/** A curve that never falls below this share of its peak shows nothing on an axis from 0. */
const FLAT_SHARE = 0.6;

type Resolved = Exclude<View["scale"], "auto"> | "run";

function resolve({ scale, curve, capacity, peak }: ScaleInput): Resolved {
  if (scale !== "auto") return scale;
  if (capacity > 0 && (peak >= NOTABLE_SHARE * capacity || peak === 0)) return "capacity";
  return curve && curve.lowest > FLAT_SHARE * curve.highest && curve.lowest < curve.highest ? "run" : "peak";
}

function around(low: number, high: number): Values {
  const span = Math.max(1, high - low);
  return { lowest: Math.max(0, low - span * 0.12), highest: high + span * 0.3 };
}

/** Values at the foot and at the top of the axis, bytes per bank. */
export function axisValues(input: ScaleInput): Values {
  const { curve, capacity, peak, from, to } = input;
  const kind = resolve(input);
  if (kind === "capacity" && capacity > 0) return { lowest: 0, highest: Math.max(capacity, peak) * 1.08 };
  if (curve && kind === "run") return around(curve.lowest * curve.unit, Math.max(peak, curve.highest * curve.unit));
  if (curve && (kind === "changes" || kind === "view")) {
    const { low, high } = curve.between(2 * from, 2 * to);
    if (low <= high && kind === "changes") return around(low * curve.unit, high * curve.unit);
    if (low <= high && high > 0) return { lowest: 0, highest: high * curve.unit * 1.2 };
  }
  return { lowest: 0, highest: peak > 0 ? peak * 1.2 : Math.max(1, capacity) };
}

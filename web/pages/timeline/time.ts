// Text of times.
import { fixed } from "kit/format";
import { niceStep } from "kit/scale";

const UNITS = [
  { ns: 1e9, name: "s" },
  { ns: 1e6, name: "ms" },
  { ns: 1e3, name: "µs" },
];

/** Nanoseconds in a fitting unit, to the nanosecond where that is worth it: 12 ns, 3.456 µs, 1.234 s. */
export function time(ns: number): string {
  const size = Math.abs(ns);
  const unit = UNITS.find((one) => size >= one.ns);
  return unit ? `${fixed(ns / unit.ns, 3)} ${unit.name}` : `${fixed(ns, Number.isInteger(ns) ? 0 : 1)} ns`;
}

/** A moment of the picture: as many decimals as tell it from the next pixel. */
export function momentText(ns: number, perPixel: number): string {
  return markText(ns, niceStep(perPixel, 1));
}

/** A moment to the nanosecond: 5,982,555 ns. */
export const exactTime = (ns: number) => `${fixed(ns, 0)} ns`;

/** A mark of an axis whose marks are `step` apart: as many decimals as tell it from the next one. */
export function markText(ns: number, step: number): string {
  const unit = UNITS.find((one) => Math.max(Math.abs(ns), step) >= one.ns) ?? { ns: 1, name: "ns" };
  const decimals = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / unit.ns) - 1e-9)));
  return `${fixed(ns / unit.ns, decimals)} ${unit.name}`;
}

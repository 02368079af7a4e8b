// Where bars and their labels lie: as wide as the window allows, no label under the line of the device.

export interface BarLayout {
  left: number;
  slot: number;
  bar: number;
  /** Of the whole picture. */
  width: number;
}

const RIGHT = 8;
/** A total such as "116,573.97" needs this. */
const LEAST_SLOT = 92;
const MOST_SLOT = 170;
const NARROW = 560;

/** Bars share the room there is; more than fit scroll. */
export function layOutBars(runs: number, room: number): BarLayout {
  const left = room < NARROW ? 58 : 78;
  const slot = Math.max(LEAST_SLOT, Math.min(MOST_SLOT, Math.floor((room - left - RIGHT) / Math.max(1, runs))));
  return { left, slot, bar: Math.round(slot * 0.56), width: left + slot * runs + RIGHT };
}

const TEXT_HEIGHT = 13;
const AIR = 4;

/** The baseline of a bar's total: above the bar, and above the line of the device where that would strike it through. */
export function totalBaseline(top: number, line: number | null): number {
  const usual = top - 6;
  if (line === null || line > usual + AIR || line < usual - TEXT_HEIGHT) return usual;
  return line - 6;
}

/** The baseline of a label inside of a part, beside the line of the device; null where there is no room. */
export function partBaseline(top: number, bottom: number, line: number | null): number | null {
  const fits = (from: number, to: number) => (to - from >= TEXT_HEIGHT + AIR ? (from + to) / 2 + AIR : null);
  if (line === null || line <= top || line >= bottom) return fits(top, bottom);
  const middle = fits(top, bottom);
  if (middle !== null && (line > middle + AIR || line < middle - TEXT_HEIGHT)) return middle;
  return bottom - line > line - top ? fits(line + 1, bottom) : fits(top, line - 1);
}

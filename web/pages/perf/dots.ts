// Points of the roofline as pixels. A million of them are placed once for a width of the window; a filter or a choice only picks among them.
import type { PerfData } from "./data";
import { HEIGHT } from "./plot";
import type { Plot } from "./plot";

/** Columns rather than objects: a run can have a million ops. */
export interface Points {
  count: number;
  row: Uint32Array;
  x: Float64Array;
  y: Float64Array;
}

/** Where each point lies, in whole pixels. */
export interface Pixels {
  x: Int16Array;
  y: Int16Array;
}

export function pixelsOf(points: Points, plot: Plot): Pixels {
  const pixels = { x: new Int16Array(points.count), y: new Int16Array(points.count) };
  for (let i = 0; i < points.count; i++) {
    pixels.x[i] = Math.round(plot.px(points.x[i]));
    pixels.y[i] = Math.round(plot.py(points.y[i]));
  }
  return pixels;
}

/** Indices of points, one for each pixel that has any: first those the filter leaves out, from `matching` on the others. */
export interface Dots {
  of: number[];
  matching: number;
}

export function dotsOf(points: Points, pixels: Pixels, width: number, matches: Uint8Array | null): Dots {
  const dots: Dots = { of: [], matching: 0 };
  for (const wanted of matches === null ? [1] : [0, 1]) {
    if (wanted === 1) dots.matching = dots.of.length;
    const taken = new Uint8Array((width + 1) * HEIGHT);
    for (let i = 0; i < points.count; i++) {
      if (matches !== null && matches[points.row[i]] !== wanted) continue;
      const place = pixels.y[i] * (width + 1) + pixels.x[i];
      if (taken[place] !== 0) continue;
      taken[place] = 1;
      dots.of.push(i);
    }
  }
  return dots;
}

/** The row whose dot is nearest, among those the filter lets through. */
export function nearestRow(points: Points, pixels: Pixels, dots: Dots, at: { x: number; y: number }): number | null {
  let best: number | null = null;
  let distance = 12 * 12;
  for (let k = dots.matching; k < dots.of.length; k++) {
    const i = dots.of[k];
    const away = (pixels.x[i] - at.x) ** 2 + (pixels.y[i] - at.y) ** 2;
    if (away >= distance) continue;
    distance = away;
    best = points.row[i];
  }
  return best;
}

/** Device time of each kind as a share of that of all. */
function sharesOf({ rows, kinds }: PerfData): Float64Array {
  const shares = new Float64Array(kinds.label.length);
  let whole = 0;
  for (let row = 0; row < rows.count; row++) {
    const time = Math.max(0, rows.deviceNs[row]);
    shares[rows.kind[row]] += time;
    whole += time;
  }
  return shares.map((time) => (whole > 0 ? time / whole : 0));
}

/** `leastShare`: ops of kinds with less of the device time are left out. */
export function pointsOf(data: PerfData, mode: "time" | "flops", leastShare = 0): Points {
  const { rows, kinds } = data;
  const shares = leastShare > 0 ? sharesOf(data) : null;
  const points: Points = { count: 0, row: new Uint32Array(rows.count), x: new Float64Array(rows.count), y: new Float64Array(rows.count) };
  const add = (row: number, x: number, y: number) => {
    points.row[points.count] = row;
    points.x[points.count] = x;
    points.y[points.count++] = y;
  };
  for (let row = 0; row < rows.count; row++) {
    if (shares !== null && shares[rows.kind[row]] < leastShare) continue;
    if (mode === "time") {
      if (rows.idealNs[row] > 0 && rows.deviceNs[row] > 0) add(row, rows.idealNs[row] / 1000, rows.deviceNs[row] / 1000);
      continue;
    }
    const flops = kinds.flops[rows.kind[row]];
    const bytes = kinds.bytes[rows.kind[row]];
    if (flops > 0 && bytes > 0 && rows.tflops[row] > 0) add(row, flops / bytes, rows.tflops[row] / 1e6);
  }
  return points;
}

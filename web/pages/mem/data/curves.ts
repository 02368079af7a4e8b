// The curves of a rank, ready to be drawn: pyramids over its points, built when first asked for.
import type { Columns } from "kit/data/decode";
import { Pyramid } from "kit/data/pyramid";
import type { ColumnsOf } from "kit/data/pyramid";
import { lastAtOrBelow } from "./rank";
import type { Figures, Memory, Points, RankHeader } from "./rank";

/** What a chart needs of a curve. Figures times `unit` are bytes (or fractions). */
export interface Curve {
  unit: number;
  lowest: number;
  highest: number;
  query(fromMoment: number, toMoment: number, columns: number): ColumnsOf;
  /** Extremes between two moments; low > high when nothing is known. */
  between(fromMoment: number, toMoment: number): { low: number; high: number };
}

export class PyramidCurve implements Curve {
  private asked: { from: number; to: number; columns: number; answer: ColumnsOf } | null = null;
  readonly pyramid: Pyramid;
  readonly lowest: number;
  readonly highest: number;

  constructor(
    moments: Uint32Array,
    values: Figures | Float32Array,
    readonly unit: number,
  ) {
    this.pyramid = new Pyramid(moments, values);
    const { low, high } = this.pyramid.range(0, values.length);
    this.lowest = Number.isFinite(low) ? low : 0;
    this.highest = Math.max(0, high);
  }

  /** Several layers and charts ask for the same columns in one frame: the latest answer is kept. */
  query(fromMoment: number, toMoment: number, columns: number): ColumnsOf {
    let { asked } = this;
    if (!asked || asked.from !== fromMoment || asked.to !== toMoment || asked.columns !== columns) {
      asked = { from: fromMoment, to: toMoment, columns, answer: this.pyramid.query(fromMoment, toMoment, columns) };
      this.asked = asked;
    }
    return asked.answer;
  }

  between(fromMoment: number, toMoment: number): { low: number; high: number } {
    const { moments } = this.pyramid;
    const first = Math.max(0, lastAtOrBelow(moments, fromMoment));
    return this.pyramid.range(first, lastAtOrBelow(moments, toMoment) + 1);
  }
}

/** The coarse curve of the page's head: a part of the moments a pair of figures. */
export class OverviewCurve implements Curve {
  readonly lowest: number;
  readonly highest: number;

  constructor(
    private readonly low: Figures,
    private readonly high: Figures,
    private readonly moments: number,
    readonly unit: number,
  ) {
    let highest = 0;
    for (const value of high) if (value > highest) highest = value;
    this.highest = highest;
    let lowest = highest;
    for (const value of low) if (value < lowest) lowest = value;
    this.lowest = lowest;
  }

  query(fromMoment: number, toMoment: number, columns: number): ColumnsOf {
    const parts = this.high.length;
    const low = new Float64Array(columns).fill(Infinity);
    const high = new Float64Array(columns).fill(-Infinity);
    for (let column = 0; column < columns; column++) {
      const start = fromMoment + ((toMoment - fromMoment) * column) / columns;
      const end = fromMoment + ((toMoment - fromMoment) * (column + 1)) / columns;
      const first = Math.max(0, Math.floor((start / this.moments) * parts));
      const last = Math.min(parts, Math.max(first + 1, Math.ceil((end / this.moments) * parts)));
      for (let part = first; part < last; part++) {
        if (this.low[part] < low[column]) low[column] = this.low[part];
        if (this.high[part] > high[column]) high[column] = this.high[part];
      }
    }
    return { low, high, highAt: new Uint32Array(columns), first: low, last: high };
  }

  between(fromMoment: number, toMoment: number): { low: number; high: number } {
    const { low, high } = this.query(fromMoment, toMoment, 1);
    return { low: low[0], high: high[0] };
  }
}

const curves = new WeakMap<Figures | Float32Array, PyramidCurve>();

function curveOf(points: Points, figures: Figures | undefined): PyramidCurve | null {
  if (!figures || figures.length === 0) return null;
  let curve = curves.get(figures);
  if (!curve) curves.set(figures, (curve = new PyramidCurve(points.moment, figures, points.toBytes(1))));
  return curve;
}

export function allocCurve(points: Points, memory: Memory): PyramidCurve | null {
  return curveOf(points, points.alloc[memory]);
}

export function largestCurve(points: Points, memory: Memory): PyramidCurve | null {
  return curveOf(points, points.largest[memory]);
}

/** 1 - largest free block / free; 0 where nothing is free. */
export function fragmentationAt(points: Points, memory: Memory, point: number): number {
  const free = points.free[memory]?.[point] ?? 0;
  const largest = points.largest[memory]?.[point] ?? 0;
  return free > 0 ? Math.max(0, 1 - largest / free) : 0;
}

const fragmentation = new WeakMap<Figures, PyramidCurve>();

export function fragmentationCurve(points: Points, memory: Memory): PyramidCurve | null {
  const largest = points.largest[memory];
  if (!largest || !points.free[memory] || largest.length === 0) return null;
  let curve = fragmentation.get(largest);
  if (!curve) {
    const values = new Float32Array(largest.length);
    for (let i = 0; i < values.length; i++) values[i] = fragmentationAt(points, memory, i);
    fragmentation.set(largest, (curve = new PyramidCurve(points.moment, values, 1)));
  }
  return curve;
}

/** The coarse curve of a rank's memory, from the page's head; null when the page has none. */
export async function overviewCurve(columns: Columns, index: number, header: RankHeader, memory: Memory): Promise<Curve | null> {
  const low = await columns.figures(`r${index}.ov.${memory}.min`);
  const high = await columns.figures(`r${index}.ov.${memory}.max`);
  if (!low || !high || high.length === 0) return null;
  const unit = header.memory_unit === "milli_mib" ? 1048576 / 1000 : 1;
  return new OverviewCurve(low, high, Math.max(1, 2 * header.ops), unit);
}

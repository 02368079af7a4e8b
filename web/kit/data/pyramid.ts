// A step function with its lowest and highest values at every zoom. Drawing asks for pixel columns, never for points:
// a spike of one op stays visible however far out the view is.

const FANOUT = 16;

type Numbers = Uint32Array | Float64Array | Float32Array;
/** Whole numbers. */
type Moments = Uint32Array | Float64Array;

/** Index of the last value at or below `limit` in an ascending array; -1 if there is none. */
export function lastAtOrBelow(ascending: Moments, limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

interface Level {
  /** Points that one block covers. */
  size: number;
  low: Float64Array;
  high: Float64Array;
  /** Point of the (first) highest value. */
  highAt: Uint32Array;
}

/** Figures of pixel columns; a column before the first point has low > high (nothing known). */
export interface ColumnsOf {
  low: Float64Array;
  high: Float64Array;
  /** Point that has the highest value of the column. */
  highAt: Uint32Array;
  /** Value at the start and at the end of the column. */
  first: Float64Array;
  last: Float64Array;
}

function firstLevel(values: Numbers): Level {
  const blocks = Math.ceil(values.length / FANOUT);
  const level = emptyLevel(FANOUT, blocks);
  for (let block = 0; block < blocks; block++) {
    const end = Math.min(values.length, (block + 1) * FANOUT);
    let lowest = Infinity;
    let highest = -Infinity;
    let at = block * FANOUT;
    for (let i = block * FANOUT; i < end; i++) {
      const value = values[i];
      if (value < lowest) lowest = value;
      if (value > highest) {
        highest = value;
        at = i;
      }
    }
    level.low[block] = lowest;
    level.high[block] = highest;
    level.highAt[block] = at;
  }
  return level;
}

function emptyLevel(size: number, blocks: number): Level {
  return { size, low: new Float64Array(blocks), high: new Float64Array(blocks), highAt: new Uint32Array(blocks) };
}

function nextLevel(below: Level): Level {
  const blocks = Math.ceil(below.low.length / FANOUT);
  const level = emptyLevel(below.size * FANOUT, blocks);
  for (let block = 0; block < blocks; block++) {
    const start = block * FANOUT;
    const end = Math.min(below.low.length, start + FANOUT);
    let best = start;
    let lowest = Infinity;
    for (let i = start; i < end; i++) {
      if (below.low[i] < lowest) lowest = below.low[i];
      if (below.high[i] > below.high[best]) best = i;
    }
    level.low[block] = lowest;
    level.high[block] = below.high[best];
    level.highAt[block] = below.highAt[best];
  }
  return level;
}

export class Pyramid {
  private readonly levels: Level[] = [];
  // The answer of the latest `extremes`: fields instead of an object, since it is asked for every pixel column.
  private lowest = Infinity;
  private highest = -Infinity;
  private highestAt = 0;

  /** `moments` ascending; value i holds from moments[i] to the next one. */
  constructor(
    readonly moments: Moments,
    readonly values: Numbers,
  ) {
    if (values.length === 0) return;
    let level = firstLevel(values);
    this.levels.push(level);
    while (level.low.length > 1) {
      level = nextLevel(level);
      this.levels.push(level);
    }
  }

  get count(): number {
    return this.values.length;
  }

  /** Value at a moment; NaN before the first point. */
  at(moment: number): number {
    const point = lastAtOrBelow(this.moments, moment);
    return point < 0 ? NaN : this.values[point];
  }

  /** Lowest and highest value of the points [from, to). */
  range(from: number, to: number): { low: number; high: number; highAt: number } {
    this.extremes(from, to);
    return { low: this.lowest, high: this.highest, highAt: this.highestAt };
  }

  /**
   * The moments [from, to] cut into `columns` equal parts. A part includes the value that holds when it starts.
   * Cost: columns * log(points), whatever the zoom.
   */
  query(from: number, to: number, columns: number): ColumnsOf {
    const answer: ColumnsOf = {
      low: new Float64Array(columns),
      high: new Float64Array(columns),
      highAt: new Uint32Array(columns),
      first: new Float64Array(columns),
      last: new Float64Array(columns),
    };
    const width = (to - from) / columns;
    let start = lastAtOrBelow(this.moments, from);
    for (let column = 0; column < columns; column++) {
      // A state that begins exactly at the border belongs to the next column only.
      const limit = from + (column + 1) * width;
      const end = this.advance(start, column === columns - 1 ? limit : Math.ceil(limit) - 1);
      this.extremes(Math.max(0, start), end + 1);
      answer.low[column] = this.lowest;
      answer.high[column] = this.highest;
      answer.highAt[column] = this.highestAt;
      answer.first[column] = start < 0 ? NaN : this.values[start];
      answer.last[column] = end < 0 ? NaN : this.values[end];
      start = this.advance(end, limit);
    }
    return answer;
  }

  /** The last point at or before `moment`, not before `point`: steps when near, searches when far. */
  private advance(point: number, moment: number): number {
    const moments = this.moments;
    let next = point;
    for (let step = 0; step < 8; step++) {
      if (next + 1 >= moments.length || moments[next + 1] > moment) return next;
      next++;
    }
    return Math.max(next, lastAtOrBelow(moments, moment));
  }

  private extremes(from: number, to: number): void {
    this.lowest = Infinity;
    this.highest = -Infinity;
    this.highestAt = from;
    let point = from;
    const end = Math.min(to, this.values.length);
    while (point < end) {
      const level = this.largestBlock(point, end);
      if (level < 0) {
        this.take(this.values[point], this.values[point], point);
        point++;
      } else {
        const { size, low, high, highAt } = this.levels[level];
        const block = point / size;
        this.take(low[block], high[block], highAt[block]);
        point += size;
      }
    }
  }

  private take(low: number, high: number, at: number): void {
    if (low < this.lowest) this.lowest = low;
    if (high > this.highest) {
      this.highest = high;
      this.highestAt = at;
    }
  }

  /** The highest level that has a whole block starting at `point` and ending by `end`; -1: none. */
  private largestBlock(point: number, end: number): number {
    let level = -1;
    while (level + 1 < this.levels.length) {
      const size = this.levels[level + 1].size;
      if (point % size !== 0 || point + size > end) break;
      level++;
    }
    return level;
  }
}

// Sorting of millions of rows by one figure: a stable radix sort over index arrays, done in slices.

import type { Slicer } from "../slices";

const STEP = 1 << 16;
const DIGITS = 1 << 16;

interface Words {
  low: Uint32Array;
  /** Null when every key is a whole number below 2^32. */
  high: Uint32Array | null;
}

function fitsWord(values: Float64Array, count: number): boolean {
  for (let i = 0; i < count; ++i) {
    const value = values[i];
    if (value < 0 || value > 0xffffffff || value !== Math.floor(value)) return false;
  }
  return true;
}

/** Unsigned words that sort as the numbers do: negative doubles have all bits turned, others the sign. */
function wordsOf(values: Float64Array, count: number): Words {
  if (fitsWord(values, count)) {
    const low = new Uint32Array(count);
    for (let i = 0; i < count; ++i) low[i] = values[i];
    return { low, high: null };
  }
  const raw = new Uint32Array(values.buffer, values.byteOffset, count * 2);
  const low = new Uint32Array(count);
  const high = new Uint32Array(count);
  for (let i = 0; i < count; ++i) {
    const top = raw[2 * i + 1];
    const negative = top >>> 31 === 1;
    high[i] = negative ? ~top : top ^ 0x80000000;
    low[i] = negative ? ~raw[2 * i] : raw[2 * i];
  }
  return { low, high };
}

/** One pass over 16 bits; null when all keys share them, so that the order stays. */
async function pass(order: Uint32Array, words: Uint32Array, shift: number, flip: number, slicer: Slicer): Promise<Uint32Array | null> {
  const starts = new Uint32Array(DIGITS + 1);
  await slicer.steps(order.length, STEP, (from, to) => {
    for (let i = from; i < to; ++i) starts[(((words[i] >>> shift) ^ flip) & 0xffff) + 1]++;
  });
  for (let digit = 0; digit < DIGITS; ++digit) {
    if (starts[digit + 1] === order.length) return null;
    starts[digit + 1] += starts[digit];
  }
  const result = new Uint32Array(order.length);
  await slicer.steps(order.length, STEP, (from, to) => {
    for (let i = from; i < to; ++i) {
      const entry = order[i];
      const digit = ((words[entry] >>> shift) ^ flip) & 0xffff;
      result[starts[digit]++] = entry;
    }
  });
  return result;
}

async function sortPositions(words: Words, count: number, descending: boolean, slicer: Slicer): Promise<Uint32Array> {
  let order: Uint32Array = new Uint32Array(count);
  for (let i = 0; i < count; ++i) order[i] = i;
  const flip = descending ? 0xffff : 0;
  for (const word of words.high === null ? [words.low] : [words.low, words.high]) {
    for (const shift of [0, 16]) order = (await pass(order, word, shift, flip, slicer)) ?? order;
  }
  return order;
}

/**
 * `rows` by `key`, ties in the order they have; rows whose key is NaN (not known) come last either way.
 */
export async function sortRows(rows: Uint32Array, key: (row: number) => number, descending: boolean, slicer: Slicer): Promise<Uint32Array> {
  const values = new Float64Array(rows.length);
  const known = new Uint32Array(rows.length);
  const unknown: number[] = [];
  let count = 0;
  await slicer.steps(rows.length, STEP, (from, to) => {
    for (let i = from; i < to; ++i) {
      const value = key(rows[i]);
      if (Number.isNaN(value)) {
        unknown.push(rows[i]);
        continue;
      }
      values[count] = value + 0;
      known[count++] = rows[i];
    }
  });
  const order = await sortPositions(wordsOf(values, count), count, descending, slicer);
  const result = new Uint32Array(rows.length);
  for (let i = 0; i < count; ++i) result[i] = known[order[i]];
  for (const row of unknown) result[count++] = row;
  return result;
}

/** Merges two sorted neighbours [from, middle) and [middle, to) of `source` into `target`. */
async function merge(
  source: Uint32Array,
  target: Uint32Array,
  bounds: [number, number, number],
  text: string[],
  slicer: Slicer,
): Promise<void> {
  const [from, middle, to] = bounds;
  let left = from;
  let right = middle;
  await slicer.steps(to - from, STEP, (first, last) => {
    for (let i = from + first; i < from + last; ++i) {
      const takeLeft = left < middle && (right >= to || text[source[left]] <= text[source[right]]);
      target[i] = takeLeft ? source[left++] : source[right++];
    }
  });
}

/** For each of `count` strings its place among all of them in alphabetical order, equal ones together. */
export async function alphabeticRanks(count: number, get: (id: number) => string, slicer: Slicer): Promise<Uint32Array> {
  const text = new Array<string>(count);
  await slicer.steps(count, 2048, (from, to) => {
    for (let i = from; i < to; ++i) text[i] = get(i).toLowerCase();
  });
  const chunk = 4096;
  let source = new Uint32Array(count);
  for (let i = 0; i < count; ++i) source[i] = i;
  await slicer.steps(count, chunk, (from, to) => {
    source.subarray(from, to).sort((a, b) => (text[a] < text[b] ? -1 : text[a] > text[b] ? 1 : a - b));
  });
  let target = new Uint32Array(count);
  for (let width = chunk; width < count; width *= 2) {
    for (let from = 0; from < count; from += 2 * width) {
      const bounds: [number, number, number] = [from, Math.min(count, from + width), Math.min(count, from + 2 * width)];
      await merge(source, target, bounds, text, slicer);
    }
    [source, target] = [target, source];
  }
  const ranks = new Uint32Array(count);
  for (let i = 1; i < count; ++i) {
    const same = text[source[i]] === text[source[i - 1]];
    ranks[source[i]] = ranks[source[i - 1]] + (same ? 0 : 1);
  }
  return ranks;
}

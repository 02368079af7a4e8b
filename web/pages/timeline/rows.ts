// Rows of zones: found by halving, so that a picture costs what it shows and not what there is.
import { BLOCK } from "./data";
import type { Row, Zones } from "./data";

/** The first zone of a row from `from` on that ends behind a time. */
export function firstEndingBehind(zones: Zones, from: number, end: number, time: number): number {
  const { start, length } = zones;
  // Mostly it is near: the steps double before they halve.
  let step = 1;
  let low = from;
  while (low + step < end && start[low + step - 1] + length[low + step - 1] <= time) {
    low += step;
    step *= 2;
  }
  let high = Math.min(end, low + step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[middle] + length[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first zone of a row from `from` on that begins at a time or behind it. */
export function firstStartingAt(zones: Zones, from: number, end: number, time: number): number {
  let step = 1;
  let low = from;
  while (low + step < end && zones.start[low + step - 1] < time) {
    low += step;
    step *= 2;
  }
  let high = Math.min(end, low + step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (zones.start[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The zone of a row at a time; of zones without a length one within `slack`. */
export function zoneAt(zones: Zones, row: Row, time: number, slack: number): number | null {
  const zone = firstEndingBehind(zones, row.first, row.end, time - slack);
  return zone < row.end && zones.start[zone] <= time + slack ? zone : null;
}

/** The time that zones [from, end) take together. */
export function lengthsOf(zones: Zones, from: number, end: number): number {
  const { before, busy } = zones;
  const block = Math.ceil(from / BLOCK);
  const last = Math.floor(end / BLOCK);
  let sum = 0;
  if (block >= last) {
    for (let zone = from; zone < end; zone++) sum += busy[zone];
    return sum;
  }
  for (let zone = from; zone < block * BLOCK; zone++) sum += busy[zone];
  for (let zone = last * BLOCK; zone < end; zone++) sum += busy[zone];
  return sum + before[last] - before[block];
}

/** What a row shows at a scale: zones that have a pixel or more, and pixels that zones share. */
export interface RowPainter {
  zone(zone: number, x: number, width: number): void;
  /** The first of the zones that begin in a pixel, and the share of it that they fill. */
  pixel(zone: number, x: number, share: number): void;
}

/** `scale` is in pixels a nanosecond. */
export function forEachShown(zones: Zones, row: Row, view: { from: number; to: number; scale: number }, painter: RowPainter): void {
  const { from, to, scale } = view;
  const { start, length } = zones;
  let zone = firstEndingBehind(zones, row.first, row.end, from);
  while (zone < row.end && start[zone] < to) {
    const x = (start[zone] - from) * scale;
    const width = length[zone] * scale;
    if (width >= 1) {
      painter.zone(zone, x, width);
      zone++;
      continue;
    }
    const pixel = Math.floor(x);
    const border = from + (pixel + 1) / scale;
    let next = firstStartingAt(zones, zone + 1, row.end, border);
    // The last of them may be one with room of its own: it is drawn as such.
    if (next - 1 > zone && length[next - 1] * scale >= 1) next--;
    painter.pixel(zone, pixel, lengthsOf(zones, zone, next) * scale);
    zone = next;
  }
}

/** The first of ascending numbers from `from` on that is not below. */
export function lowerBound(numbers: Uint32Array, number: number, from = 0, end = numbers.length): number {
  let low = from;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sets the pixels of a mask that hits of a row lie in. What is set already costs nothing: many rows share a mask. */
export function coverHits(zones: Zones, hits: Uint32Array, row: Row, view: { from: number; to: number; scale: number }, mask: Uint8Array): void {
  const end = lowerBound(hits, row.end);
  let at = lowerBound(hits, row.first, 0, end);
  let pixel = mask.indexOf(0);
  while (pixel >= 0 && at < end) {
    const border = view.from + pixel / view.scale;
    at = lowerBound(hits, firstEndingBehind(zones, hits[at], row.end, border - 1e-3), at, end);
    if (at >= end || zones.start[hits[at]] >= view.to) return;
    const x = (zones.start[hits[at]] - view.from) * view.scale;
    const first = Math.max(pixel, Math.floor(x));
    const last = Math.max(first + 1, Math.ceil(x + zones.length[hits[at]] * view.scale));
    mask.fill(1, first, last);
    pixel = mask.indexOf(0, last);
    at++;
  }
}

/** Calls back for what can be told apart of the hits in a row: `at` are places in `hits`, which stand in order of time inside of a row. */
export function forEachHit(zones: Zones, hits: Uint32Array, row: Row, view: { from: number; to: number; scale: number }, take: (x: number, width: number) => void): void {
  const end = lowerBound(hits, row.end);
  const first = firstEndingBehind(zones, row.first, row.end, view.from);
  let at = lowerBound(hits, first, 0, end);
  while (at < end) {
    const zone = hits[at];
    if (zones.start[zone] >= view.to) return;
    const x = (zones.start[zone] - view.from) * view.scale;
    const width = Math.max(1, zones.length[zone] * view.scale);
    take(x, width);
    const border = view.from + (Math.floor(x + width - 1) + 1) / view.scale;
    at = Math.max(at + 1, lowerBound(hits, firstEndingBehind(zones, zone + 1, row.end, border), at, end));
  }
}

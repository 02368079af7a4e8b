// Rows of zones: found by halving, so that a picture costs what it shows and not what there is.
import type { Row, TimelineData, Zones } from "./data";
import { nameId } from "./data";

/** The first zone of a row from `from` on that ends behind a time. */
export function firstEndingBehind(zones: Zones, from: number, end: number, time: number): number {
  // Mostly it is near: the steps double before they halve.
  let step = 1;
  let low = from;
  while (low + step < end && zones.start[low + step - 1] + zones.length[low + step - 1] <= time) {
    low += step;
    step *= 2;
  }
  let high = Math.min(end, low + step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (zones.start[middle] + zones.length[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The zone of a row at a time; of zones without a length one within `slack`. */
export function zoneAt(zones: Zones, row: Row, time: number, slack: number): number | null {
  const zone = firstEndingBehind(zones, row.first, row.end, time - slack);
  return zone < row.end && zones.start[zone] <= time + slack ? zone : null;
}

/** Calls back for what can be told apart in a row at a scale (pixels a nanosecond): zones, or the first one of those that share a pixel. */
export function forEachShown(zones: Zones, row: Row, from: number, to: number, scale: number, take: (zone: number, x: number, width: number) => void): void {
  let zone = firstEndingBehind(zones, row.first, row.end, from);
  while (zone < row.end && zones.start[zone] < to) {
    const x = (zones.start[zone] - from) * scale;
    const width = zones.length[zone] * scale;
    if (width >= 1) {
      take(zone, x, width);
      zone++;
    } else {
      const pixel = Math.floor(x);
      take(zone, pixel, 1);
      zone = firstEndingBehind(zones, zone + 1, row.end, from + (pixel + 1) / scale);
    }
  }
}

export interface NameSum {
  name: string;
  count: number;
  /** Inside of the stretch of time. */
  total: number;
  longest: number;
}

/** Zones of tracks inside of a stretch of time, by name, the longest first. */
export function sumsOf(data: TimelineData, tracks: readonly number[], from: number, to: number): { sums: NameSum[]; count: number } {
  const { zones } = data;
  const byName = new Map<number, NameSum>();
  let count = 0;
  for (const track of tracks) {
    for (const row of data.tracks[track].stretches) {
      for (let zone = firstEndingBehind(zones, row.first, row.end, from); zone < row.end && zones.start[zone] < to; zone++) {
        const inside = Math.min(to, zones.start[zone] + zones.length[zone]) - Math.max(from, zones.start[zone]);
        const id = nameId(data, zone);
        let sum = byName.get(id);
        if (!sum) byName.set(id, (sum = { name: data.texts[id], count: 0, total: 0, longest: 0 }));
        sum.count++;
        sum.total += inside;
        sum.longest = Math.max(sum.longest, zones.length[zone]);
        count++;
      }
    }
  }
  return { sums: [...byName.values()].sort((a, b) => b.total - a.total), count };
}

/** Zones whose name, text or op is what is looked for: their places in ascending order, and in order of time. */
export interface Hits {
  zones: Uint32Array;
  byTime: Uint32Array;
}

export function findHits(data: TimelineData, wanted: string): Hits | null {
  const word = wanted.trim().toLowerCase();
  if (word === "") return null;
  const { zones, details, locations } = data;
  const isText = new Uint8Array(data.texts.length);
  data.texts.forEach((text, id) => {
    if (id > 0 && text.toLowerCase().includes(word)) isText[id] = 1;
  });
  const op = /^\d+$/.test(word) ? Number(word) : -1;
  const isDetail = new Uint8Array(details.text.length);
  for (let i = 0; i < isDetail.length; i++) {
    isDetail[i] = isText[details.text[i]] || isText[details.name[i]] || (op >= 0 && details.op[i] === op) ? 1 : 0;
  }
  const found: number[] = [];
  for (let zone = 0; zone < zones.count; zone++) {
    const detail = zones.detail[zone];
    if (isDetail[detail] || (details.name[detail] === 0 && isText[locations.name[zones.location[zone]]])) found.push(zone);
  }
  const places = Uint32Array.from(found);
  return { zones: places, byTime: places.slice().sort((a, b) => zones.start[a] - zones.start[b] || a - b) };
}

/** The first of ascending numbers that is not below. */
export function lowerBound(numbers: Uint32Array, number: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

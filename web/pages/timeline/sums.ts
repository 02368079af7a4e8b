// What takes a walk over zones: sums by name and what is looked for. In slices, so that the page answers meanwhile.
import type { Slicer } from "kit/slices";
import type { TimelineData } from "./data";
import { nameId } from "./data";
import { firstEndingBehind, firstStartingAt, lowerBound } from "./rows";

export interface NameSum {
  name: string;
  count: number;
  /** Inside of the stretch of time. */
  total: number;
  shortest: number;
  longest: number;
}

export interface Sums {
  sums: NameSum[];
  count: number;
  total: number;
}

const STEP = 100_000;

/** Zones of tracks inside of a stretch of time, by name, the longest first. */
export async function sumsOf(data: TimelineData, area: { tracks: readonly number[]; from: number; to: number }, slicer: Slicer): Promise<Sums> {
  const { start, length } = data.zones;
  const { from, to } = area;
  const counts = new Uint32Array(data.texts.length);
  const totals = new Float64Array(data.texts.length);
  const longest = new Float64Array(data.texts.length);
  const shortest = new Float64Array(data.texts.length).fill(Infinity);
  for (const track of area.tracks) {
    for (const row of data.tracks[track].stretches) {
      const first = firstEndingBehind(data.zones, row.first, row.end, from);
      const end = firstStartingAt(data.zones, first, row.end, to);
      await slicer.steps(end - first, STEP, (low, high) => {
        for (let zone = first + low; zone < first + high; zone++) {
          const id = nameId(data, zone);
          counts[id]++;
          totals[id] += Math.max(0, Math.min(to, start[zone] + length[zone]) - Math.max(from, start[zone]));
          if (length[zone] > longest[id]) longest[id] = length[zone];
          if (length[zone] < shortest[id]) shortest[id] = length[zone];
        }
      });
    }
  }
  const sums: NameSum[] = [];
  let count = 0;
  let total = 0;
  counts.forEach((number, id) => {
    if (number === 0) return;
    count += number;
    total += totals[id];
    sums.push({ name: data.texts[id], count: number, total: totals[id], shortest: shortest[id], longest: longest[id] });
  });
  return { sums: sums.sort((a, b) => b.total - a.total), count, total };
}

/** Which texts contain what is looked for. */
function textsWith(texts: readonly string[], word: string): Uint8Array {
  const has = new Uint8Array(texts.length);
  texts.forEach((text, id) => {
    if (id > 0 && text.toLowerCase().includes(word)) has[id] = 1;
  });
  return has;
}

/** Zones whose name, text or op is what is looked for, in ascending order; null: nothing is looked for. */
export async function findHits(data: TimelineData, wanted: string, slicer: Slicer): Promise<Uint32Array | null> {
  const word = wanted.trim().toLowerCase();
  if (word === "") return null;
  const { zones, details, locations } = data;
  const isText = textsWith(data.texts, word);
  const op = /^\d+$/.test(word) ? Number(word) : -1;
  const isDetail = new Uint8Array(details.text.length);
  for (let i = 0; i < isDetail.length; i++) {
    isDetail[i] = isText[details.text[i]] || isText[details.name[i]] || (op >= 0 && details.op[i] === op) ? 1 : 0;
  }
  const isLocation = new Uint8Array(locations.name.length);
  for (let i = 0; i < isLocation.length; i++) isLocation[i] = isText[locations.name[i]];
  let found = new Uint32Array(1024);
  let count = 0;
  await slicer.steps(zones.count, STEP, (from, to) => {
    for (let zone = from; zone < to; zone++) {
      const detail = zones.detail[zone];
      if (!isDetail[detail] && !(isLocation[zones.location[zone]] && details.name[detail] === 0)) continue;
      if (count === found.length) {
        const larger = new Uint32Array(2 * count);
        larger.set(found);
        found = larger;
      }
      found[count++] = zone;
    }
  });
  return found.slice(0, count);
}

/** The hit before or behind a zone in order of time, round the end; null: there is none. */
export function nextHit(data: TimelineData, hits: Uint32Array, zone: number | null, step: 1 | -1): number | null {
  const { start } = data.zones;
  const isBefore = (a: number, b: number) => start[a] < start[b] || (start[a] === start[b] && a < b);
  let best: number | null = null;
  let around: number | null = null;
  for (const hit of hits) {
    if (around === null || (step > 0 ? isBefore(hit, around) : isBefore(around, hit))) around = hit;
    if (zone === null || !(step > 0 ? isBefore(zone, hit) : isBefore(hit, zone))) continue;
    if (best === null || (step > 0 ? isBefore(hit, best) : isBefore(best, hit))) best = hit;
  }
  return best ?? around;
}

/** Which hit a zone is in order of time, from 1 on; 0: it is none. */
export function rankOfHit(data: TimelineData, hits: Uint32Array, zone: number): number {
  const at = lowerBound(hits, zone);
  if (hits[at] !== zone) return 0;
  const { start } = data.zones;
  let rank = 1;
  for (const hit of hits) if (start[hit] < start[zone] || (start[hit] === start[zone] && hit < zone)) rank++;
  return rank;
}

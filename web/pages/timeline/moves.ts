// What keys and clicks do to the view.
import { Latest } from "kit/slices";
import { groupsAround, placeOf } from "./data";
import type { TimelineData } from "./data";
import { layOut, pinnedRoom, ROW } from "./lines";
import { zoneAt, firstEndingBehind } from "./rows";
import { source } from "./source";
import { chosen, setRange, shown, togglePin } from "./state";
import { findHits, nextHit } from "./sums";
import { AXIS } from "./view";
import type { Feed } from "./windows";

/** Opens what a track lies in and brings its row into sight. */
export function showTrack(data: TimelineData, track: number, depth: number): void {
  const folded = new Set(chosen.get().folded);
  groupsAround(data, data.tracks[track].group).forEach((group) => folded.delete(group));
  const flat = new Set(chosen.get().flat);
  if (depth > 0) flat.delete(track);
  chosen.set({ folded, flat });
  const layout = layOut(data, chosen.get());
  const line = layout.lines.find((one) => one.kind === "track" && one.index === track);
  const height = document.getElementById("timeline-canvas")?.clientHeight ?? 400;
  const room = height - AXIS - pinnedRoom(layout, height - AXIS);
  if (!line || layout.pinned.some((one) => one.kind === "track" && one.index === track)) return;
  const { scroll } = shown.get();
  const top = line.top + depth * ROW;
  if (top < scroll || top + ROW > scroll + room) shown.set({ scroll: Math.max(0, Math.min(layout.height - room, top - room / 3)) });
}

/** Shows a zone: its line open and in sight, its time too. */
export function reveal(data: TimelineData, zone: number): void {
  const { track, depth } = placeOf(data, zone);
  showTrack(data, track, depth);
  chosen.set({ zone, message: null, area: null });
  showStretch(data, data.zones.start[zone], data.zones.start[zone] + data.zones.length[zone]);
}

/** A message: its line in sight, and its time. */
export function showMessage(data: TimelineData, message: number): void {
  const track = data.messages.track[message];
  if (track < data.tracks.length) showTrack(data, track, 0);
  chosen.set({ message, zone: null, area: null });
  showStretch(data, data.messages.time[message], data.messages.time[message]);
}

/** Moves the view, as wide as it is, to a stretch of time that is out of sight. */
function showStretch(data: TimelineData, start: number, end: number): void {
  const { from, to } = shown.get();
  if (end >= from && start <= to) return;
  const half = (to - from) / 2;
  setRange((start + end) / 2 - half, (start + end) / 2 + half, data.span);
}

/** The stretch of what is chosen; null: nothing is. */
function chosenRange(data: TimelineData): { from: number; to: number } | null {
  const { zone, area } = chosen.get();
  if (zone !== null) return { from: data.zones.start[zone], to: data.zones.start[zone] + data.zones.length[zone] };
  return area;
}

/** What is chosen fills the picture; once it does, everything is shown again. */
export function focus(data: TimelineData): void {
  const range = chosenRange(data);
  const { from, to } = shown.get();
  const air = range ? Math.max(2, (range.to - range.from) * 0.1) : 0;
  const isThere = range !== null && Math.abs(from - (range.from - air)) < air && Math.abs(to - (range.to + air)) < air;
  if (range && !isThere) setRange(range.from - air, range.to + air, data.span);
  else setRange(0, data.span, data.span);
}

/** The ruler lies on what is chosen, else it goes. */
export function mark(data: TimelineData): void {
  const range = chosenRange(data);
  chosen.set({ mark: range ? { from: range.from, to: range.to } : null });
}

/** The zone before or behind, of the same row. */
export function stepInRow(data: TimelineData, step: number): void {
  const { zone } = chosen.get();
  if (zone === null) return;
  const { track, depth } = placeOf(data, zone);
  const row = data.tracks[track].stretches[depth];
  const next = zone + step;
  if (next >= row.first && next < row.end) reveal(data, next);
}

/** The zone around the chosen one, or the first inside of it. Without one: the first in sight. */
export function stepInDepth(data: TimelineData, step: 1 | -1): void {
  const { zone } = chosen.get();
  const { zones } = data;
  if (zone === null) {
    const rows = data.tracks.flatMap((track) => track.stretches.slice(0, 1)).filter((row) => row.end > row.first);
    const first = rows.map((row) => ({ row, zone: firstEndingBehind(zones, row.first, row.end, shown.get().from) })).find((one) => one.zone < one.row.end);
    if (first) reveal(data, first.zone);
    return;
  }
  const { track, depth } = placeOf(data, zone);
  const row = data.tracks[track].stretches[depth + step];
  if (!row) return;
  const found = step < 0 ? zoneAt(zones, row, zones.start[zone], 0) : firstEndingBehind(zones, row.first, row.end, zones.start[zone]);
  if (found !== null && found < row.end && zones.start[found] <= zones.start[zone] + zones.length[zone]) reveal(data, found);
}

export function pinChosen(data: TimelineData): void {
  const { zone } = chosen.get();
  if (zone !== null) togglePin(`t${placeOf(data, zone).track}`);
}

const search = new Latest();

function complain(error: unknown): void {
  source.set({ trouble: String(error) });
}

/** Marks those among the zones that are here. */
export function markHits(data: TimelineData, text: string): void {
  void search.run((slicer) => findHits(data, text, slicer), (hits) => chosen.set({ hits }));
}

/** Looks for zones; the newest question alone is answered. */
export function find(data: TimelineData, text: string): void {
  const { feed } = source.get();
  chosen.set({ find: text, found: null });
  markHits(data, text);
  if (!feed || text.trim() === "") return;
  feed.hit(text, null).then(({ hits }) => chosen.get().find === text && chosen.set({ found: { hits, rank: 0 } }), complain);
}

/** Where the server has the zones: it says which is next, and the window with it follows. */
async function stepByServer(data: TimelineData, feed: Feed, step: 1 | -1): Promise<void> {
  const { hits, zone } = await feed.hit(chosen.get().find, step);
  if (!zone) return;
  chosen.set({ found: { hits, rank: zone.rank } });
  showTrack(data, zone.track, zone.row);
  showStretch(data, zone.start, zone.start + zone.length);
  feed.choose(zone.id);
}

export function stepToHit(data: TimelineData, step: 1 | -1): void {
  const { hits, zone } = chosen.get();
  const { feed } = source.get();
  if (feed) return void stepByServer(data, feed, step).catch(complain);
  const next = hits && nextHit(data, hits, zone, step);
  if (next !== null) reveal(data, next);
}

// A timeline that is too large for a file: `ttscope serve` answers with the zones that have room in the picture, and with sums and hits.
import { Columns } from "kit/data/decode";
import type { ColumnInfo } from "kit/data/decode";
import { stretchesText } from "./address";
import { lengthsBefore } from "./data";
import type { TimelineData } from "./data";
import { layOut, speakerOf, tracksBelow } from "./lines";
import type { Layout } from "./lines";
import { lowerBound } from "./rows";
import { chosen, shown } from "./state";
import type { Area } from "./state";
import type { NameSum, Sums } from "./sums";
import { AXIS, LEFT } from "./view";

/** `ttscope.timeline_window/1`. */
export interface WindowAnswer {
  from: number;
  to: number;
  pixel: number;
  hits: number;
  /** Zones of each row of each track. */
  rows: number[][];
  columns: Record<string, ColumnInfo>;
  blobs: Record<string, string>;
}

export interface HitAnswer {
  hits: number;
  zone: { id: number; track: number; row: number; start: number; length: number; rank: number } | null;
}

/** The data of a page with the zones of a window. */
export async function withWindow(base: TimelineData, answer: WindowAnswer): Promise<TimelineData> {
  const columns = new Columns((id) => answer.blobs[id] ?? null, answer.columns);
  const [start, length, busy] = [await columns.f64("z.start"), await columns.f64("z.length"), await columns.f64("z.busy")];
  let first = 0;
  const tracks = base.tracks.map((track, index) => {
    const own = { ...track, first, stretches: answer.rows[index].map((count) => ({ first, end: (first += count) })) };
    return own;
  });
  return {
    ...base,
    tracks,
    ids: await columns.u32("z.id"),
    zones: { count: start.length, start, length, busy, location: await columns.u32("z.location"), detail: await columns.u32("z.detail"), before: lengthsBefore(busy) },
    links: { from: await columns.u32("k.from"), to: await columns.u32("k.to") },
  };
}

/** What a window has to hold. */
export interface Wanted {
  from: number;
  to: number;
  /** Nanoseconds that a pixel stands for. */
  pixel: number;
  tracks: number[];
  find: string;
  keep: number | null;
}

/** Tracks whose lines are in sight, or a screen above or below. */
export function tracksNear(data: TimelineData, layout: Layout, scroll: number, height: number): number[] {
  const tracks = new Set<number>();
  for (const line of [...layout.pinned, ...layout.lines.filter((one) => one.top + one.height > scroll - height && one.top < scroll + 2 * height)]) {
    if (line.kind === "track") tracks.add(line.index);
    if (line.kind === "group" && line.isFolded && tracksBelow(data, line.index).length > 0) tracks.add(speakerOf(data, line.index));
  }
  tracks.delete(-1);
  return [...tracks].sort((a, b) => a - b);
}

/** Whether a window that was asked for as `has` shows what is wanted as sharp as it can be. */
export function suffices(has: Wanted, wanted: Wanted): boolean {
  const tracks = new Set(has.tracks);
  const covers = has.from <= wanted.from && has.to >= wanted.to && wanted.tracks.every((track) => tracks.has(track));
  return covers && (has.pixel <= 1 || has.pixel <= wanted.pixel * 1.001) && has.find === wanted.find && (wanted.keep === null || has.keep === wanted.keep);
}

/** As much again is asked for on both sides, so that panning has something to show. */
export function queryOf(wanted: Wanted): { asked: Wanted; query: string } {
  const span = wanted.to - wanted.from;
  const asked = { ...wanted, from: Math.floor(wanted.from - span), to: Math.ceil(wanted.to + span) };
  const pixels = Math.min(32768, Math.max(1, Math.ceil((asked.to - asked.from) / wanted.pixel)));
  const query = new URLSearchParams({ from: String(asked.from), to: String(asked.to), pixels: String(pixels), tracks: stretchesText(asked.tracks) });
  if (asked.find !== "") query.set("find", asked.find);
  if (asked.keep !== null) query.set("keep", String(asked.keep));
  return { asked, query: query.toString() };
}

async function ask<T>(what: string): Promise<T> {
  const answer = await fetch(what);
  if (!answer.ok) throw new Error(`the server answers ${answer.status} to ${what.split("?")[0]}`);
  return (await answer.json()) as T;
}

/** The zone that is chosen once an answer is there, by its number in the whole timeline: what was chosen while it was under way counts. */
export function chosenThen(asked: number | null, pending: number | null, before: number | null, now: number | null): number | null {
  if (pending !== null && pending !== asked) return pending;
  return now === before ? asked : now;
}

/** Asks for a window whenever the picture shows what the last one does not hold. */
export class Feed {
  private has: Wanted | null = null;
  private isAsking = false;
  /** To be chosen: it may be in no window yet. */
  private keep: number | null = null;
  private data: TimelineData;

  constructor(
    base: TimelineData,
    private readonly show: (data: TimelineData) => void,
    private readonly complain: (text: string) => void,
  ) {
    this.data = base;
  }

  start(): () => void {
    const stops = [shown.subscribe(() => void this.refresh()), chosen.subscribe(() => void this.refresh())];
    void this.refresh();
    return () => stops.forEach((stop) => stop());
  }

  /** The zone will be chosen as soon as it is there. */
  choose(id: number): void {
    this.keep = id;
    chosen.set({ message: null, area: null });
    void this.refresh();
  }

  private wanted(): Wanted {
    const { from, to, scroll } = shown.get();
    const canvas = document.getElementById("timeline-canvas");
    const wide = Math.max(100, (canvas?.clientWidth ?? 1200) - LEFT) * Math.min(2, window.devicePixelRatio || 1);
    const height = (canvas?.clientHeight ?? 600) - AXIS;
    const { find } = chosen.get();
    return { from, to, pixel: (to - from) / wide, tracks: tracksNear(this.data, layOut(this.data, chosen.get()), scroll, height), find: find.trim(), keep: this.keep ?? this.chosenId() };
  }

  private chosenId(): number | null {
    const { zone } = chosen.get();
    return zone !== null && this.data.ids ? this.data.ids[zone] : null;
  }

  private async refresh(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      for (let wanted = this.wanted(); this.has === null || !suffices(this.has, wanted); wanted = this.wanted()) {
        const { asked, query } = queryOf(wanted);
        const before = this.chosenId();
        const answer = await ask<WindowAnswer>(`window?${query}`);
        this.take({ ...asked, pixel: answer.pixel }, await withWindow(this.data, answer), before);
      }
    } catch (error) {
      this.complain(String(error));
    } finally {
      this.isAsking = false;
    }
  }

  /** The chosen zone has another number in every window; `before` was chosen when it was asked for. */
  private take(asked: Wanted, data: TimelineData, before: number | null): void {
    const id = chosenThen(asked.keep, this.keep, before, this.chosenId());
    const at = id === null || !data.ids ? -1 : lowerBound(data.ids, id);
    const isThere = at >= 0 && data.ids?.[at] === id;
    this.has = asked;
    this.data = data;
    // Not there yet: the next window is asked to hold it.
    this.keep = isThere || id === asked.keep ? null : id;
    this.show(data);
    chosen.set({ zone: isThere ? at : null });
    if (isThere) this.has = { ...asked, keep: id };
  }

  async sums(area: Area): Promise<Sums> {
    const query = new URLSearchParams({ from: String(Math.floor(area.from)), to: String(Math.ceil(area.to)), tracks: stretchesText(area.tracks) });
    const sums = await ask<NameSum[]>(`sums?${query.toString()}`);
    return { sums, count: sums.reduce((sum, one) => sum + one.count, 0), total: sums.reduce((sum, one) => sum + one.total, 0) };
  }

  /** How many there are; with a direction also the next one from the chosen zone. */
  async hit(find: string, step: 1 | -1 | null): Promise<HitAnswer> {
    const query = new URLSearchParams({ find: find.trim() });
    const { zone } = chosen.get();
    const id = zone !== null && this.data.ids ? this.data.ids[zone] : -1;
    if (step !== null) query.set(step > 0 ? "behind" : "before", String(id));
    return ask<HitAnswer>(`hit?${query.toString()}`);
  }
}

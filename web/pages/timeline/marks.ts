// Messages as marks in the picture: signposts and what threads said on the axis, and each on the line of its track too.
import { NONE } from "./data";
import type { TimelineData } from "./data";

/** Messages in order of time. */
export interface Marks {
  times: Float64Array;
  /** Places among all messages. */
  messages: Uint32Array;
}

export interface Signpost {
  time: number;
  title: string;
}

interface AllMarks {
  axis: Marks;
  /** Those that the author of the program set, in order of time. */
  signposts: readonly Signpost[];
  tracks: ReadonlyMap<number, Marks>;
}

const known = new WeakMap<TimelineData["messages"], AllMarks>();

function marksAt(times: Float64Array, places: readonly number[]): Marks {
  return { times: Float64Array.from(places, (place) => times[place]), messages: Uint32Array.from(places) };
}

/** `` `TT_SIGNPOST: Measure\nten runs` ``: what stands on its first line. */
export function signpostTitle(text: string): string | null {
  const found = /^`?TT_SIGNPOST: ?([^\n`]*)/.exec(text);
  return found ? found[1] : null;
}

/** Processors say so much (transfers, marks of kernels) that on the axis nothing else could be seen. */
export function marksOf(data: TimelineData): AllMarks {
  const { messages, tracks } = data;
  let marks = known.get(messages);
  if (!marks) {
    const axis: number[] = [];
    const signposts: Signpost[] = [];
    const lists = new Map<number, number[]>();
    messages.track.forEach((track, place) => {
      const isOfTrack = track !== NONE && track < tracks.length;
      if (!isOfTrack || tracks[track].kind === "thread" || tracks[track].kind === "frames") {
        axis.push(place);
        const title = signpostTitle(data.texts[messages.text[place]]);
        if (title !== null) signposts.push({ time: messages.time[place], title });
      }
      if (!isOfTrack) return;
      const list = lists.get(track);
      if (list) list.push(place);
      else lists.set(track, [place]);
    });
    marks = { axis: marksAt(messages.time, axis), signposts, tracks: new Map([...lists].map(([track, list]) => [track, marksAt(messages.time, list)])) };
    known.set(messages, marks);
  }
  return marks;
}

/** The first mark at a time or behind it. */
function firstFrom({ times }: Marks, ns: number, from = 0): number {
  let low = from;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < ns) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Calls back for marks that can be told apart: of neighbours within `apart` nanoseconds the first one. */
export function forEachMark(marks: Marks, view: { from: number; to: number }, apart: number, take: (ns: number) => void): void {
  for (let at = firstFrom(marks, view.from); at < marks.times.length && marks.times[at] <= view.to; ) {
    take(marks.times[at]);
    at = Math.max(at + 1, firstFrom(marks, marks.times[at] + apart, at));
  }
}

/** The message whose mark is the nearest to a time, no further than `slack`; null: there is none. */
export function messageAt(marks: Marks | undefined, ns: number, slack: number): number | null {
  if (!marks) return null;
  const behind = firstFrom(marks, ns);
  let best: number | null = null;
  for (const at of [behind, behind - 1]) {
    if (at < 0 || at >= marks.times.length || Math.abs(marks.times[at] - ns) > slack) continue;
    if (best === null || Math.abs(marks.times[at] - ns) < Math.abs(marks.times[best] - ns)) best = at;
  }
  return best === null ? null : marks.messages[best];
}

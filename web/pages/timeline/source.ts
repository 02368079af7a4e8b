// The data on show: all of a file, or the window that the server sent last.
import { observable } from "kit/observable";
import type { Observable } from "kit/observable";
import type { TimelineData } from "./data";
import type { Feed } from "./windows";

export interface Source {
  data: TimelineData | null;
  /** Null: everything is in the page. */
  feed: Feed | null;
  /** What the server could not answer. */
  trouble: string;
}

export const source: Observable<Source> = observable<Source>({ data: null, feed: null, trouble: "" });

/** The number of a zone in the whole timeline. */
export const idOf = (data: TimelineData, zone: number) => (data.ids ? data.ids[zone] : zone);

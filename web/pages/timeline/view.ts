// Where times and lines are in the picture.
import type { TimelineData } from "./data";
import type { NameInks } from "./colours";
import { pinnedRoom } from "./lines";
import type { Layout, Line } from "./lines";
import type { Chosen, Shown } from "./state";

export const LEFT = 210;
export const AXIS = 30;
/** Where a click on a label pins its line. */
export const PIN = 20;

export interface Scene {
  data: TimelineData;
  layout: Layout;
  shown: Shown;
  chosen: Chosen;
  inks: NameInks;
  /** Arrows of the chosen zone. */
  links: readonly { from: number; to: number }[];
}

export const xOf = (shown: Shown, width: number, ns: number) => LEFT + ((ns - shown.from) / (shown.to - shown.from)) * (width - LEFT);
export const timeOf = (shown: Shown, width: number, x: number) => shown.from + ((x - LEFT) / Math.max(1, width - LEFT)) * (shown.to - shown.from);

export const nsPerPixel = (shown: Pick<Shown, "from" | "to">, width: number) => (shown.to - shown.from) / Math.max(1, width - LEFT);

/** A line and where it is drawn. */
export interface Placed {
  line: Line;
  y: number;
}

/** Lines in sight: those that are pinned, and below them those that scroll. */
export function placedLines(layout: Layout, scroll: number, height: number): { pinned: Placed[]; rest: Placed[]; border: number } {
  const border = AXIS + pinnedRoom(layout, height - AXIS);
  const pinned = layout.pinned.filter((line) => AXIS + line.top < border).map((line) => ({ line, y: AXIS + line.top }));
  const rest: Placed[] = [];
  for (const line of layout.lines) {
    const y = border + line.top - scroll;
    if (y + line.height <= border) continue;
    if (y >= height) break;
    rest.push({ line, y });
  }
  return { pinned, rest, border };
}

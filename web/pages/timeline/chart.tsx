// The canvas with the pointer and the wheel on it.
import { useCallback, useEffect, useMemo } from "preact/hooks";
import { Canvas } from "kit/canvas/canvas";
import type { Surface } from "kit/canvas/canvas";
import { useObservable } from "kit/observable";
import { NameInks } from "./colours";
import type { TimelineData } from "./data";
import { keyOf, layOut, lineAt, pinnedRoom, ROW, tracksBetween } from "./lines";
import type { Layout, Line } from "./lines";
import { marksOf, messageAt } from "./marks";
import { MARK_PX, paintTimeline } from "./paint";
import { paintOver } from "./paint_over";
import { zoneAt } from "./rows";
import { chosen, setRange, shown, toggled, togglePin } from "./state";
import { AXIS, LEFT, PIN, timeOf } from "./view";
import type { Scene } from "./view";

const CLICK_SLACK_PX = 4;
/** A click that is so near chooses a zone that is thinner than a pixel. */
const NEAR_PX = 2;

export function zoom(factor: number, span: number, share = 0.5): void {
  const { from, to } = shown.get();
  const centre = from + (to - from) * share;
  setRange(centre - (to - from) * factor * share, centre + (to - from) * factor * (1 - share), span);
}

export function pan(share: number, span: number): void {
  const { from, to } = shown.get();
  setRange(from + share * (to - from), to + share * (to - from), span);
}

export function linksOf(data: TimelineData, zone: number | null): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  if (zone === null) return found;
  const { from, to } = data.links;
  for (let i = 0; i < from.length && found.length < 64; i++) if (from[i] === zone || to[i] === zone) found.push({ from: from[i], to: to[i] });
  return found;
}

interface Props {
  data: TimelineData;
  height: number;
}

interface Under {
  line: Line | null;
  zone: number | null;
  message: number | null;
}

/** The message whose mark is at a point: on the axis, or at the top of a line. */
function messageUnder(data: TimelineData, line: Line | null, perPixel: number, ns: number, y: number): number | null {
  const { axis, tracks } = marksOf(data);
  const slack = MARK_PX * perPixel;
  if (line === null) return messageAt(axis, ns, slack);
  return line.kind === "track" && y <= MARK_PX + 2 ? messageAt(tracks.get(line.index), ns, slack) : null;
}

/** What is at a point of the picture. */
function under(data: TimelineData, layout: Layout, canvas: HTMLCanvasElement, x: number, y: number): Under {
  const width = canvas.clientWidth;
  const perPixel = (shown.get().to - shown.get().from) / Math.max(1, width - LEFT);
  const ns = timeOf(shown.get(), width, x);
  if (y < AXIS) return { line: null, zone: null, message: x < LEFT ? null : messageUnder(data, null, perPixel, ns, y) };
  const border = AXIS + pinnedRoom(layout, canvas.clientHeight - AXIS);
  const at = y < border ? y - AXIS : y - border + shown.get().scroll;
  const line = lineAt(y < border ? layout.pinned : layout.lines, at);
  if (!line || line.kind !== "track" || x < LEFT) return { line, zone: null, message: null };
  const message = messageUnder(data, line, perPixel, ns, at - line.top);
  const row = data.tracks[line.index].stretches[line.isFolded ? 0 : Math.floor((at - line.top) / ROW)];
  return { line, zone: row && message === null ? zoneAt(data.zones, row, ns, NEAR_PX * perPixel) : null, message };
}

function click(data: TimelineData, { line, zone, message }: Under, x: number): void {
  if (line?.kind === "group") return chosen.set({ folded: toggled(chosen.get().folded, line.index) });
  if (line && x < LEFT && x >= LEFT - PIN) return togglePin(keyOf(line));
  if (line?.kind === "track" && x < LEFT) {
    if (data.tracks[line.index].rows.length > 1) chosen.set({ flat: toggled(chosen.get().flat, line.index) });
    return undefined;
  }
  return chosen.set({ zone, message, area: null });
}

/** Moves the lines; false when they cannot move any further. */
export function scrollBy(layout: Layout, height: number, pixels: number): boolean {
  const room = height - AXIS - pinnedRoom(layout, height - AXIS);
  const scroll = Math.min(Math.max(0, layout.height - room), Math.max(0, shown.get().scroll + pixels));
  if (scroll === shown.get().scroll) return false;
  shown.set({ scroll });
  return true;
}

/** The area that was drawn is chosen. */
function chooseDraft(data: TimelineData, layout: Layout, canvas: HTMLCanvasElement): void {
  const { draft, scroll } = shown.get();
  if (!draft) return;
  const border = AXIS + pinnedRoom(layout, canvas.clientHeight - AXIS);
  const tracks = new Set(tracksBetween(data, layout.pinned, draft.top - AXIS, Math.min(draft.bottom, border) - AXIS));
  const from = Math.max(draft.top, border) - border + scroll;
  if (draft.bottom > border) tracksBetween(data, layout.lines, from, draft.bottom - border + scroll).forEach((track) => tracks.add(track));
  shown.set({ draft: null });
  chosen.set({ area: { from: draft.from, to: draft.to, tracks: [...tracks].sort((a, b) => a - b) }, zone: null, message: null });
}

/** Dragging chooses an area; with Shift, or on the labels, it moves the view. */
function attach(canvas: HTMLCanvasElement, latest: { data: TimelineData; layout: Layout }): () => void {
  const layout = () => latest.layout;
  const { span } = latest.data;
  let drag: { x: number; y: number; lastX: number; lastY: number; moved: boolean; pans: boolean } | null = null;
  const width = () => canvas.clientWidth;
  const at = (x: number) => timeOf(shown.get(), width(), Math.max(LEFT, x));
  const moved = (event: PointerEvent) => {
    const { offsetX: x, offsetY: y } = event;
    const cursor = x < LEFT ? null : timeOf(shown.get(), width(), x);
    if (!drag) {
      const found = under(latest.data, layout(), canvas, x, y);
      canvas.style.cursor = x < LEFT && found.line ? "pointer" : "";
      canvas.title = x < LEFT && x >= LEFT - PIN && found.line && found.line.kind !== "group" ? "Pin to the top, or let go" : "";
      return shown.set({ cursor, pointer: { x, y }, hovered: found.zone, message: found.message });
    }
    if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < CLICK_SLACK_PX) return undefined;
    drag.moved = true;
    if (drag.pans) {
      pan(-(event.clientX - drag.lastX) / Math.max(1, width() - LEFT), span);
      scrollBy(layout(), canvas.clientHeight, drag.lastY - event.clientY);
      drag.lastX = event.clientX;
      drag.lastY = event.clientY;
      return undefined;
    }
    const times = [at(drag.x), at(x)].sort((a, b) => a - b);
    const heights = [drag.y, Math.max(AXIS, y)].sort((a, b) => a - b);
    return shown.set({ cursor, pointer: { x, y }, draft: { from: times[0], to: times[1], top: heights[0], bottom: heights[1] } });
  };
  const listeners: Partial<Record<keyof HTMLElementEventMap, (event: never) => void>> = {
    pointerdown: (event: PointerEvent) => {
      drag = { x: event.offsetX, y: event.offsetY, lastX: event.clientX, lastY: event.clientY, moved: false, pans: event.shiftKey || event.button === 1 || event.offsetX < LEFT };
      canvas.setPointerCapture(event.pointerId);
    },
    pointermove: moved,
    pointerup: (event: PointerEvent) => {
      const clicked = drag !== null && !drag.moved;
      drag = null;
      if (!clicked) return chooseDraft(latest.data, layout(), canvas);
      return click(latest.data, under(latest.data, layout(), canvas, event.offsetX, event.offsetY), event.offsetX);
    },
    pointercancel: () => {
      drag = null;
      shown.set({ draft: null });
    },
    pointerleave: () => shown.set({ cursor: null, pointer: null, hovered: null, message: null }),
    wheel: (event: WheelEvent) => {
      const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
      if (event.ctrlKey || event.metaKey) zoom(Math.exp(Math.max(-200, Math.min(200, pixels)) / 300), span, Math.max(0, (event.offsetX - LEFT) / Math.max(1, width() - LEFT)));
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan((event.deltaX || pixels) / Math.max(1, width() - LEFT), span);
      else if (!scrollBy(layout(), canvas.clientHeight, pixels)) return;
      event.preventDefault();
    },
  };
  const all = Object.entries(listeners) as [string, EventListener][];
  for (const [name, listener] of all) canvas.addEventListener(name, listener, { passive: false });
  return () => {
    for (const [name, listener] of all) canvas.removeEventListener(name, listener);
  };
}

/** Repaints the picture when the view moves, and only what lies above it when the pointer does. */
function follow(repaint: () => void, repaintOver: () => void): () => void {
  let before = shown.get();
  const stops = [
    shown.subscribe(() => {
      const { from, to, scroll } = shown.get();
      const moved = from !== before.from || to !== before.to || scroll !== before.scroll;
      before = shown.get();
      if (moved) repaint();
      else repaintOver();
    }),
    chosen.subscribe(repaint),
  ];
  return () => stops.forEach((stop) => stop());
}

export const FIRST_PICTURE = "ttscope-first-picture";

/** When there was something to see, for whoever measures it. */
function noteFirstPicture(): void {
  if (performance.getEntriesByName(FIRST_PICTURE).length > 0) return;
  requestAnimationFrame(() => performance.getEntriesByName(FIRST_PICTURE).length === 0 && performance.mark(FIRST_PICTURE));
}

export function Chart({ data, height }: Props) {
  const folded = useObservable(chosen, (state) => state.folded);
  const flat = useObservable(chosen, (state) => state.flat);
  const pinned = useObservable(chosen, (state) => state.pinned);
  const zone = useObservable(chosen, (state) => state.zone);
  const layout = useMemo(() => layOut(data, { folded, flat, pinned }), [data, folded, flat, pinned]);
  const links = useMemo(() => linksOf(data, zone), [data, zone]);
  const latest = useMemo(() => ({ data, layout, inks: new NameInks(data.texts, false) }), []);
  latest.data = data;
  latest.layout = layout;
  const scene = (surface: Surface): Scene => {
    if (latest.inks.dark !== surface.palette.dark) latest.inks = new NameInks(data.texts, surface.palette.dark);
    return { data, layout, shown: shown.get(), chosen: chosen.get(), links, inks: latest.inks };
  };
  const paint = useCallback((surface: Surface) => {
    paintTimeline(surface, scene(surface));
    noteFirstPicture();
  }, [data, layout, links]);
  const high = Math.max(AXIS + 48, Math.min(height, layout.height + layout.pinnedHeight + AXIS + 8));
  // Lines that fold away, and a picture that grows, leave less to scroll.
  useEffect(() => void scrollBy(layout, high, 0), [layout, high]);
  const over = useCallback((surface: Surface) => paintOver(surface, scene(surface)), [data, layout, links]);
  return (
    <Canvas
      id="timeline-canvas"
      class="timeline"
      height={high}
      label="Zones of all tracks over time; the sections below say the same in words"
      paint={paint}
      paintOver={over}
      follow={follow}
      attach={(canvas) => attach(canvas, latest)}
    />
  );
}

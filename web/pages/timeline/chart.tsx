// The canvas with the pointer and the wheel on it.
import { useCallback, useMemo } from "preact/hooks";
import { Canvas } from "kit/canvas/canvas";
import type { Surface } from "kit/canvas/canvas";
import { useObservable } from "kit/observable";
import type { TimelineData } from "./data";
import { layOut, lineAt, ROW, tracksBetween } from "./lines";
import type { Line } from "./lines";
import { AXIS, LEFT, paintOver, paintTimeline, timeOf } from "./paint";
import type { Scene } from "./paint";
import { zoneAt } from "./rows";
import { chosen, setRange, shown } from "./state";

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

/** What is at a point of the picture. */
function under(data: TimelineData, lines: readonly Line[], width: number, x: number, y: number): { line: Line | null; zone: number | null } {
  const line = y < AXIS ? null : lineAt(lines, y - AXIS + shown.get().scroll);
  if (!line || line.kind !== "track" || x < LEFT) return { line, zone: null };
  const track = data.tracks[line.index];
  const row = track.stretches[Math.floor((y - AXIS + shown.get().scroll - line.top) / ROW)];
  const perPixel = (shown.get().to - shown.get().from) / Math.max(1, width - LEFT);
  return { line, zone: row ? zoneAt(data.zones, row, timeOf(shown.get(), width, x), NEAR_PX * perPixel) : null };
}

function toggleFold(group: number): void {
  const folded = new Set(chosen.get().folded);
  if (!folded.delete(group)) folded.add(group);
  chosen.set({ folded });
}

/** Dragging chooses an area; with Shift, or on the labels, it moves the view. */
function attach(canvas: HTMLCanvasElement, data: TimelineData, layout: () => { lines: readonly Line[]; height: number }): () => void {
  let drag: { x: number; y: number; lastX: number; lastY: number; moved: boolean; pans: boolean } | null = null;
  const width = () => canvas.clientWidth;
  const scrollBy = (dy: number): boolean => {
    const most = Math.max(0, layout().height - (canvas.clientHeight - AXIS));
    const scroll = Math.min(most, Math.max(0, shown.get().scroll + dy));
    if (scroll === shown.get().scroll) return false;
    shown.set({ scroll });
    return true;
  };
  const finish = () => {
    const { draft } = shown.get();
    if (!draft) return;
    const top = draft.top - AXIS + shown.get().scroll;
    const tracks = tracksBetween(data, layout().lines, top, top + draft.bottom - draft.top);
    shown.set({ draft: null });
    chosen.set({ area: { from: draft.from, to: draft.to, tracks }, zone: null });
  };
  const listeners: Partial<Record<keyof HTMLElementEventMap, (event: never) => void>> = {
    pointerdown: (event: PointerEvent) => {
      drag = { x: event.offsetX, y: event.offsetY, lastX: event.clientX, lastY: event.clientY, moved: false, pans: event.shiftKey || event.offsetX < LEFT };
      canvas.setPointerCapture(event.pointerId);
    },
    pointermove: (event: PointerEvent) => {
      const { offsetX: x, offsetY: y } = event;
      const cursor = x < LEFT ? null : timeOf(shown.get(), width(), x);
      if (!drag) return shown.set({ cursor, hovered: under(data, layout().lines, width(), x, y).zone });
      if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < CLICK_SLACK_PX) return undefined;
      drag.moved = true;
      if (drag.pans) {
        pan(-(event.clientX - drag.lastX) / Math.max(1, width() - LEFT), data.span);
        scrollBy(drag.lastY - event.clientY);
        drag.lastX = event.clientX;
        drag.lastY = event.clientY;
        return undefined;
      }
      const times = [timeOf(shown.get(), width(), Math.max(LEFT, drag.x)), timeOf(shown.get(), width(), Math.max(LEFT, x))].sort((a, b) => a - b);
      const heights = [drag.y, Math.max(AXIS, y)].sort((a, b) => a - b);
      return shown.set({ cursor, draft: { from: times[0], to: times[1], top: heights[0], bottom: heights[1] } });
    },
    pointerup: (event: PointerEvent) => {
      const clicked = drag !== null && !drag.moved;
      drag = null;
      if (!clicked) return finish();
      const { line, zone } = under(data, layout().lines, width(), event.offsetX, event.offsetY);
      if (line?.kind === "group") return toggleFold(line.index);
      return chosen.set({ zone, area: null });
    },
    pointercancel: () => {
      drag = null;
      shown.set({ draft: null });
    },
    pointerleave: () => shown.set({ cursor: null, hovered: null }),
    wheel: (event: WheelEvent) => {
      const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
      if (event.ctrlKey || event.metaKey) zoom(Math.exp(Math.max(-200, Math.min(200, pixels)) / 300), data.span, Math.max(0, (event.offsetX - LEFT) / Math.max(1, width() - LEFT)));
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan((event.deltaX || pixels) / Math.max(1, width() - LEFT), data.span);
      else if (!scrollBy(pixels)) return;
      event.preventDefault();
    },
  };
  const all = Object.entries(listeners) as [string, EventListener][];
  for (const [name, listener] of all) canvas.addEventListener(name, listener, { passive: false });
  return () => {
    for (const [name, listener] of all) canvas.removeEventListener(name, listener);
  };
}

export function Chart({ data, height }: Props) {
  const folded = useObservable(chosen, (state) => state.folded);
  const zone = useObservable(chosen, (state) => state.zone);
  const layout = useMemo(() => layOut(data, folded), [data, folded]);
  const links = useMemo(() => linksOf(data, zone), [data, zone]);
  const latest = useMemo(() => ({ layout }), []);
  latest.layout = layout;
  const scene = (): Scene => ({ data, lines: layout.lines, shown: shown.get(), chosen: chosen.get(), links });
  const paint = useCallback((surface: Surface) => paintTimeline(surface, scene()), [data, layout, links]);
  const over = useCallback((surface: Surface) => paintOver(surface, scene()), [data, layout, links]);
  const follow = (repaint: () => void, repaintOver: () => void) => {
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
  };
  return (
    <Canvas
      id="timeline-canvas"
      class="timeline"
      height={Math.min(height, layout.height + AXIS + 8)}
      label="Zones of all tracks over time"
      paint={paint}
      paintOver={over}
      follow={follow}
      attach={(canvas) => attach(canvas, data, () => latest.layout)}
    />
  );
}

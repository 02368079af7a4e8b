// The address map: wheel zooms, drag moves, a click chooses the moment.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { bytes, count, visible } from "kit/format";
import { forgetPalette } from "kit/canvas/palette";
import { callOf, placeRange, titleOf } from "./model";
import type { MapView, Memory } from "./model";
import { LEFT, nodeAt, paintMap, placeAt } from "./map_paint";
import type { MapFrame } from "./map_paint";

const HEIGHT = 420;
const SMALLEST_WINDOW = 8;

interface Props {
  view: MapView;
  memory: Memory;
  node: number;
  themes: number;
  onNode: (node: number) => void;
}

/** The block under a place of the map; the one drawn last. */
function blockAt(frame: MapFrame, x: number, y: number): number | null {
  const node = nodeAt(frame, x);
  const place = placeAt(frame, y);
  const { blocks } = frame.view.segment;
  for (let i = frame.view.rows.length - 1; i >= 0; i--) {
    const row = frame.view.rows[i];
    if (blocks.from[row] > node || blocks.to[row] < node) continue;
    if (frame.view.places[i] <= place && place < frame.view.places[i] + blocks.size[row]) return i;
  }
  return null;
}

function describe(view: MapView, i: number): string {
  const { blocks } = view.segment;
  const row = view.rows[i];
  const place = view.modelled ? "no address recorded" : `at ${count(blocks.address[row])}`;
  const call = callOf(view, i);
  return (
    `${visible(titleOf(view, i))}: ${bytes(blocks.size[row])} of a bank, ${bytes(blocks.whole[row])} whole, ${place}, ` +
    `nodes ${count(blocks.from[row])} to ${count(blocks.to[row])}${call ? `, by ${visible(call)}` : ""}`
  );
}

export function AddressMap({ view, memory, node, themes, onNode }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<MapFrame | null>(null);
  const [range, setRange] = useState<[number, number]>([0, Math.max(1, view.segment.nodes)]);
  const [hint, setHint] = useState("");
  const [width, setWidth] = useState(900);
  useEffect(() => setRange([0, Math.max(1, view.segment.nodes)]), [view.segment]);
  useEffect(() => {
    const element = canvas.current?.parentElement;
    if (!element) return;
    const watcher = new ResizeObserver(() => setWidth(Math.max(320, element.clientWidth)));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  const [low, high] = useMemo(() => placeRange(view, range[0], range[1]), [view, range]);
  useEffect(() => {
    const element = canvas.current;
    const ctx = element?.getContext("2d");
    if (!element || !ctx) return;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    element.width = Math.round(width * ratio);
    element.height = Math.round(HEIGHT * ratio);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    forgetPalette();
    frame.current = { ctx, width, height: HEIGHT, view, memory, from: range[0], to: range[1], low, high, node };
    paintMap(frame.current);
  }, [view, memory, range, low, high, node, width, themes]);

  const zoom = (factor: number, around: number) => {
    const most = Math.max(1, view.segment.nodes);
    const span = Math.min(most, Math.max(Math.min(SMALLEST_WINDOW, most), (range[1] - range[0]) * factor));
    const share = (around - range[0]) / Math.max(1, range[1] - range[0]);
    const from = Math.min(Math.max(0, around - span * share), most - span);
    setRange([from, from + span]);
  };
  const move = (by: number) => {
    const span = range[1] - range[0];
    const from = Math.min(Math.max(0, range[0] + by), Math.max(1, view.segment.nodes) - span);
    setRange([from, from + span]);
  };
  const drag = useRef<{ x: number; moved: boolean } | null>(null);
  const onMove = (event: PointerEvent) => {
    if (!frame.current) return;
    if (drag.current) {
      const by = drag.current.x - event.offsetX;
      if (Math.abs(by) > 3) drag.current.moved = true;
      if (drag.current.moved) {
        move((by / (width - LEFT)) * (range[1] - range[0]));
        drag.current.x = event.offsetX;
      }
      return;
    }
    const found = blockAt(frame.current, event.offsetX, event.offsetY);
    setHint(found === null ? "" : describe(view, found));
  };
  const onUp = (event: PointerEvent) => {
    if (drag.current && !drag.current.moved && frame.current) {
      const chosen = Math.round(nodeAt(frame.current, event.offsetX));
      onNode(Math.min(Math.max(0, chosen), view.segment.nodes - 1));
    }
    drag.current = null;
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    if (frame.current) zoom(event.deltaY > 0 ? 1.25 : 0.8, nodeAt(frame.current, event.offsetX));
  };
  const onKey = (event: KeyboardEvent) => {
    const middle = (range[0] + range[1]) / 2;
    if (event.key === "+") zoom(0.8, middle);
    else if (event.key === "-") zoom(1.25, middle);
    else if (event.key === "ArrowLeft") onNode(Math.max(0, node - 1));
    else if (event.key === "ArrowRight") onNode(Math.min(view.segment.nodes - 1, node + 1));
    else return;
    event.preventDefault();
  };
  return (
    <div class="map">
      <canvas
        ref={canvas}
        tabIndex={0}
        role="img"
        aria-label={`Buffers over time by address: ${count(view.rows.length)} blocks`}
        style={{ width: "100%", height: `${HEIGHT}px` }}
        onPointerDown={(event) => (drag.current = { x: event.offsetX, moved: false })}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerLeave={() => (drag.current = null)}
        onDblClick={() => setRange([0, Math.max(1, view.segment.nodes)])}
        onWheel={onWheel}
        onKeyDown={onKey}
      />
      <p class="hint" aria-live="polite">
        {hint || "Wheel zooms, drag moves, click chooses the moment, double click shows all."}
      </p>
    </div>
  );
}

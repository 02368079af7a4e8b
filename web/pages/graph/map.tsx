// The address map: wheel zooms, drag moves, a click chooses the moment.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Canvas } from "kit/canvas/canvas";
import type { Surface } from "kit/canvas/canvas";
import type { PointerActions } from "kit/canvas/pointer";
import { bytes, count, visible } from "kit/format";
import type { ChartControls } from "kit/keys";
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
  /** Where the page finds the controls. */
  controls: { current: ChartControls | null };
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

/** The nodes in view. */
function useRange(all: number): { range: [number, number]; zoom(factor: number, around: number): void; move(by: number): void; fit(): void } {
  const [range, setRange] = useState<[number, number]>([0, all]);
  const show = (from: number, width: number) => {
    const start = Math.min(Math.max(0, from), all - width);
    setRange([start, start + width]);
  };
  const width = range[1] - range[0];
  return {
    range,
    zoom: (factor, around) => {
      const next = Math.min(all, Math.max(Math.min(SMALLEST_WINDOW, all), width * factor));
      show(around - next * ((around - range[0]) / Math.max(1, width)), next);
    },
    move: (by) => show(range[0] + by, width),
    fit: () => setRange([0, all]),
  };
}

export function AddressMap({ view, memory, node, controls, onNode }: Props) {
  const { nodes } = view.segment;
  const frame = useRef<MapFrame | null>(null);
  const [hint, setHint] = useState("");
  const { range, zoom, move, fit } = useRange(Math.max(1, nodes));
  useEffect(fit, [view.segment]);
  const paint = useCallback(
    (surface: Surface) => {
      const [low, high] = placeRange(view, range[0], range[1]);
      frame.current = { ...surface, view, memory, from: range[0], to: range[1], low, high, node };
      paintMap(frame.current);
    },
    [view, memory, range, node],
  );
  const choose = (at: number) => onNode(Math.min(Math.max(0, Math.round(at)), nodes - 1));
  const middle = (range[0] + range[1]) / 2;
  controls.current = {
    zoom: (factor) => zoom(factor, middle),
    pan: (share) => move(share * (range[1] - range[0])),
    all: fit,
    focus: () => move(node - middle),
  };
  const pointer: PointerActions = {
    onMove: (x, y) => {
      const found = frame.current && blockAt(frame.current, x, y);
      setHint(found === null ? "" : describe(view, found));
    },
    onClick: (x) => frame.current && choose(nodeAt(frame.current, x)),
    onDouble: fit,
    onDrag: (dx) => frame.current && move((-dx / (frame.current.width - LEFT)) * (range[1] - range[0])),
    onWheel: (x, event) => {
      if (frame.current) zoom(event.deltaY > 0 ? 1.25 : 0.8, nodeAt(frame.current, x));
      return true;
    },
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    choose(node + by);
  };
  return (
    <div class="map">
      <Canvas
        height={HEIGHT}
        label={`Buffers over time by address: ${count(view.rows.length)} blocks`}
        paint={paint}
        pointer={pointer}
        onKeyDown={onKeyDown}
      />
      <p class="readout" aria-live="polite">{hint || "Wheel zooms, drag moves, click chooses the moment, double click shows all."}</p>
    </div>
  );
}

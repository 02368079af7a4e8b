// The address map: wheel zooms, drag moves, a click chooses the moment.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Canvas } from "kit/canvas/canvas";
import type { Surface } from "kit/canvas/canvas";
import type { PointerActions } from "kit/canvas/pointer";
import { bytes, count, visible } from "kit/format";
import type { ChartControls } from "kit/keys";
import { binaryRange, callOf, moved, placeRange, zoomed } from "./model";
import type { GraphDocument, MapView, Memory } from "./model";
import { binaryAt, LEFT, mapHeight, nodeAt, paintMap, placeAt } from "./map_paint";
import type { MapFrame } from "./map_paint";

const HEIGHT = 460;
/** Bytes of an address range below which there is nothing to see. */
const SMALLEST_PLACES = 256;
const SMALLEST_WINDOW = 8;

interface Props {
  doc: GraphDocument;
  view: MapView;
  memory: Memory;
  node: number;
  /** Where the page finds the controls. */
  controls: { current: ChartControls | null };
  onNode: (node: number) => void;
}

/** The row of the block under a place of the map; the one drawn last. */
function blockAt(frame: MapFrame, x: number, y: number): number | null {
  const node = nodeAt(frame, x);
  const place = placeAt(frame, y);
  const { blocks } = frame.view.segment;
  const binary = binaryAt(frame, y);
  if (binary !== null) {
    return frame.view.binaries.find((row) => blocks.from[row] <= node && node <= blocks.to[row] && blocks.address[row] <= binary && binary < blocks.address[row] + blocks.size[row]) ?? null;
  }
  for (let i = frame.view.rows.length - 1; i >= 0; i--) {
    const row = frame.view.rows[i];
    if (blocks.from[row] > node || blocks.to[row] < node) continue;
    if (frame.view.places[i] <= place && place < frame.view.places[i] + blocks.size[row]) return row;
  }
  return null;
}

function describe({ parts }: GraphDocument, view: MapView, row: number): string {
  const { blocks, texts } = view.segment;
  const place = view.modelled ? "no address recorded" : `at ${count(blocks.address[row])}`;
  const call = callOf(view, row);
  const part = blocks.program[row] === 1 ? "" : `${visible(parts[blocks.part[row]] ?? "")}, `;
  return (
    `${visible(texts[blocks.title[row]] ?? "")}: ${part}${bytes(blocks.size[row])} of a bank, ${bytes(blocks.whole[row])} whole, ${place}, ` +
    `${blocks.older[row] === 1 ? "older than this capture, to node" : `nodes ${count(blocks.from[row])} to`} ${count(blocks.to[row])}${call ? `, by ${visible(call)}` : ""}`
  );
}

/** What is in view: nodes, and addresses; null: all that are used there. */
interface Window {
  nodes: [number, number];
  places: [number, number] | null;
}

export function AddressMap({ doc, view, memory, node, controls, onNode }: Props) {
  const { nodes } = view.segment;
  const all: [number, number] = [0, Math.max(1, nodes)];
  const frame = useRef<MapFrame | null>(null);
  const [hint, setHint] = useState("");
  const [shown, show] = useState<Window>({ nodes: all, places: null });
  const fit = () => show({ nodes: all, places: null });
  useEffect(fit, [view]);
  const places = shown.places ?? placeRange(view, shown.nodes[0], shown.nodes[1]);
  const paint = useCallback(
    (surface: Surface) => {
      const [low, high] = places;
      const [binaryLow, binaryHigh] = binaryRange(view);
      frame.current = { ...surface, doc, view, memory, from: shown.nodes[0], to: shown.nodes[1], low, high, binaryLow, binaryHigh, node };
      paintMap(frame.current);
    },
    [view, memory, shown, node],
  );
  const zoomNodes = (factor: number, around: number) => show((before) => ({ ...before, nodes: zoomed(before.nodes, all, factor, around, SMALLEST_WINDOW) }));
  const zoomPlaces = (factor: number, around: number) => {
    const whole = placeRange(view, all[0], all[1]);
    const next = zoomed(places, whole, factor, around, SMALLEST_PLACES);
    show((before) => ({ ...before, places: next[1] - next[0] >= whole[1] - whole[0] ? null : next }));
  };
  const choose = (at: number) => onNode(Math.min(Math.max(0, Math.round(at)), nodes - 1));
  const middle = (range: [number, number]) => (range[0] + range[1]) / 2;
  const move = (by: number, up: number) =>
    show((before) => ({
      nodes: moved(before.nodes, all, by * (before.nodes[1] - before.nodes[0])),
      places: before.places && moved(before.places, placeRange(view, all[0], all[1]), up * (before.places[1] - before.places[0])),
    }));
  controls.current = {
    zoom: (factor) => zoomNodes(factor, middle(shown.nodes)),
    pan: (share) => move(share, 0),
    all: fit,
    focus: () => show((before) => ({ ...before, nodes: moved(before.nodes, all, node - middle(before.nodes)) })),
  };
  const pointer: PointerActions = {
    onMove: (x, y) => {
      const found = frame.current && blockAt(frame.current, x, y);
      setHint(found === null ? "" : describe(doc, view, found));
    },
    onClick: (x) => frame.current && choose(nodeAt(frame.current, x)),
    onDouble: fit,
    onDrag: (dx, dy) => frame.current && move(-dx / (frame.current.width - LEFT), dy / mapHeight(frame.current)),
    onWheel: (x, event) => {
      if (!frame.current) return false;
      const by = event.deltaY || event.deltaX; // with the shift key some browsers scroll sideways
      const factor = by > 0 ? 1.25 : 0.8;
      if (event.shiftKey || x < LEFT) zoomPlaces(factor, placeAt(frame.current, event.offsetY));
      else zoomNodes(factor, nodeAt(frame.current, x));
      return true;
    },
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    choose(node + by);
  };
  const button = (label: string, title: string, act: () => void) => <button type="button" title={title} aria-label={title} onClick={act}>{label}</button>;
  return (
    <div class="map">
      <div class="tools small">
        <span class="muted">Nodes</span>
        {button("+", "Zoom in on nodes", () => zoomNodes(0.5, middle(shown.nodes)))}
        {button("−", "Zoom out of nodes", () => zoomNodes(2, middle(shown.nodes)))}
        <span class="muted">Addresses</span>
        {button("+", "Zoom in on addresses", () => zoomPlaces(0.5, middle(places)))}
        {button("−", "Zoom out of addresses", () => zoomPlaces(2, middle(places)))}
        {button("All", "Show all nodes and addresses", fit)}
      </div>
      <Canvas
        height={HEIGHT}
        label={`Buffers over time by address: ${count(view.rows.length)} blocks${view.binaries.length > 0 ? `, ${count(view.binaries.length)} binaries apart` : ""}`}
        paint={paint}
        pointer={pointer}
        onKeyDown={onKeyDown}
      />
      <p class="readout" aria-live="polite">{hint || "Wheel zooms nodes, with Shift (or over the addresses) addresses; drag moves, click chooses the moment, double click shows all."}</p>
    </div>
  );
}

// The picture of both runs: hover, choose, zoom, pan.
import { Canvas } from "kit/canvas/canvas";
import { shortened, visible } from "kit/format";
import type { ChartControls } from "kit/keys";
import { Legend } from "kit/legend";
import { useCallback, useRef, useState } from "preact/hooks";
import { amount, KIND_WORDS, opAt, signedAmount, changeOfOp } from "./model";
import type { Lanes, Op } from "./model";
import { HEIGHT, laneAt, paintHover, paintScene } from "./paint";
import type { Scene } from "./paint";

interface ChartProps {
  ops: Op[];
  lanes: Lanes;
  unit: string;
  row: string;
  from: number;
  to: number;
  change: number;
  onRange(from: number, to: number): void;
  onChoose(op: Op | null): void;
}

const LEGEND = [
  { label: "worse", color: "var(--critical)" },
  { label: "better", color: "var(--ok)" },
  { label: "new", color: "var(--weight-op)" },
  { label: "gone", color: "var(--unaccounted)" },
  { label: "moved", color: "var(--select)" },
  { label: "did not change", color: "var(--band-a)" },
];

/** Where a picture of this range begins and ends after a zoom around a place of it. */
function zoomed(from: number, to: number, at: number, factor: number, end: number): [number, number] {
  const wide = Math.min(end, Math.max((to - from) * factor, end * 1e-5));
  const share = (at - from) / (to - from);
  const start = Math.min(Math.max(0, at - share * wide), end - wide);
  return [start, start + wide];
}

export function controlsOf({ lanes, from, to, onRange }: ChartProps, focus: () => void): ChartControls {
  return {
    zoom: (factor) => onRange(...zoomed(from, to, (from + to) / 2, factor, lanes.end)),
    pan: (share) => {
      const by = Math.min(Math.max((to - from) * share, -from), lanes.end - to);
      onRange(from + by, to + by);
    },
    all: () => onRange(0, lanes.end),
    focus,
  };
}

function Details({ op, unit, row }: { op: Op | null; unit: string; row: string }) {
  if (!op) return <p class="chart-note muted">Point at an op to see it; a click chooses its change, Ctrl and the wheel zoom, a drag pans.</p>;
  const cell = (value: number | null, place: number | null) => (value === null ? "not there" : `${amount(value, unit)} (${row} ${place ?? "?"})`);
  return (
    <p class="chart-note">
      <b>{shortened(visible(op.label), 90)}</b> {KIND_WORDS[op.kind]}: {cell(op.before, op.beforeRow)} → {cell(op.after, op.afterRow)}
      {op.before !== null && op.after !== null ? <b> {signedAmount(changeOfOp(op), unit)}</b> : null}
      {op.gapBefore !== op.gapAfter ? <span class="muted"> gap {amount(op.gapBefore, unit)} → {amount(op.gapAfter, unit)}</span> : null}
      {op.before !== null && op.after !== null ? <span class="muted"> pair {op.sure} % sure</span> : null}
    </p>
  );
}

export function Chart(props: ChartProps) {
  const { ops, lanes, unit, from, to, change } = props;
  const [hovered, setHovered] = useState(-1);
  const width = useRef(1);
  const scene: Scene = { ops, lanes, unit, from, to, change };
  const paint = useCallback(
    (surface: Parameters<typeof paintScene>[0]) => {
      width.current = surface.width;
      paintScene(surface, scene);
    },
    [ops, lanes, from, to, change],
  );
  const paintOver = useCallback(
    (surface: Parameters<typeof paintScene>[0]) => {
      if (hovered >= 0) paintHover(surface, scene, hovered);
    },
    [hovered, from, to, lanes],
  );
  const at = (x: number) => from + (x / width.current) * (to - from);
  const find = (x: number, y: number) => {
    const lane = laneAt(lanes, y);
    return lane ? opAt(lane, at(x), (2 * (to - from)) / width.current) : -1;
  };
  const pointer = {
    onMove: (x: number, y: number) => setHovered(find(x, y)),
    onLeave: () => setHovered(-1),
    onClick: (x: number, y: number) => props.onChoose(ops[find(x, y)] ?? null),
    onDouble: () => props.onRange(0, lanes.end),
    onDrag: (dx: number) => {
      const by = Math.min(Math.max((-dx / width.current) * (to - from), -from), lanes.end - to);
      props.onRange(from + by, to + by);
    },
    onWheel: (x: number, event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return false;
      props.onRange(...zoomed(from, to, at(x), event.deltaY > 0 ? 1.25 : 0.8, lanes.end));
      return true;
    },
  };
  return (
    <>
      <Legend entries={LEGEND} />
      <Canvas id="runs-chart" height={HEIGHT} label="Both runs on one axis, and what their ops became" paint={paint} paintOver={paintOver} pointer={pointer} />
      <Details op={ops[hovered] ?? null} unit={unit} row={props.row} />
    </>
  );
}

// Logical against padded bytes of the live tensors, over the ops.
import { useMemo, useRef } from "preact/hooks";
import { PyramidCurve } from "../data/curves";
import { liveSums } from "../data/live";
import type { Page } from "../data/page";
import type { BufferMemory, RankData } from "../data/rank";
import { bytes, percent } from "kit/format";
import { Legend } from "kit/legend";
import { Chart } from "./chart";
import type { ChartPainter } from "./chart";
import { useBufferMemory } from "./composition";
import { paintCursor } from "./cursor";
import { columnsOf, drawByteAxis, drawSteps, drawXAxis } from "./frame";
import type { Frame } from "./frame";
import { HoverCard, OpHead, Row } from "./hover_card";
import { AXIS_LABEL } from "./timeline";

interface Scene {
  logical: PyramidCurve;
  padded: PyramidCurve;
  /** padded - logical, with a scale of its own: beside the weights it is often too thin to see. */
  padding: PyramidCurve;
}

function scene(moments: Uint32Array, logical: Float64Array, padded: Float64Array): Scene {
  const padding = new Float64Array(padded.length);
  for (let i = 0; i < padding.length; i++) padding[i] = padded[i] - logical[i];
  const curve = (values: Float64Array) => new PyramidCurve(moments, values, 1);
  return { logical: curve(logical), padded: curve(padded), padding: curve(padding) };
}

/** From the buffers; where a page has none, from the totals it carries instead. */
function sceneOf(page: Page, rank: RankData, memory: BufferMemory): Scene | null {
  if (rank.buffers.count > 0) {
    const sums = liveSums(rank, memory, page);
    return scene(sums.moment, sums.logical, sums.padded);
  }
  const totals = rank.totals?.[memory];
  if (!totals) return null;
  const moments = Uint32Array.from({ length: rank.ops }, (_, op) => 2 * op);
  return scene(moments, totals.logical, totals.padded);
}

function paintBoth(scene: Scene, frame: Frame): void {
  drawByteAxis(frame, "whole");
  drawXAxis(frame, "");
  const columns = columnsOf(frame);
  const padded = scene.padded.query(2 * frame.from, 2 * frame.to, columns);
  const logical = scene.logical.query(2 * frame.from, 2 * frame.to, columns);
  drawSteps(frame, padded, { color: frame.palette.padded, area: 0.3, thickness: 1.75, unit: 1 });
  drawSteps(frame, logical, { color: frame.palette.logical, area: 0.3, thickness: 1.75, unit: 1, ground: frame.palette.panel });
}

function paintPadding(scene: Scene, frame: Frame): void {
  drawByteAxis(frame, "whole");
  drawXAxis(frame, AXIS_LABEL);
  const padding = scene.padding.query(2 * frame.from, 2 * frame.to, columnsOf(frame));
  drawSteps(frame, padding, { color: frame.palette.padded, area: 0.3, thickness: 1.75, unit: 1 });
}

function painterOf(highest: number, paint: (frame: Frame) => void, bottom: number): ChartPainter {
  return { top: 8, bottom, values: () => ({ lowest: 0, highest: Math.max(1, highest) * 1.08 }), paint, paintHover: paintCursor };
}

function PaddingCard({ page, rank, scene, op }: { page: Page; rank: RankData; scene: Scene; op: number }) {
  const logical = scene.logical.pyramid.at(2 * op) || 0;
  const padded = scene.padded.pyramid.at(2 * op) || 0;
  return (
    <>
      <OpHead page={page} rank={rank} op={op} />
      <Row label="logical, whole tensors">{bytes(logical)}</Row>
      <Row label="padded, whole tensors">{bytes(padded)}</Row>
      <Row label="padding">
        {bytes(padded - logical)} {logical > 0 ? `(+${percent(padded / logical - 1)})` : ""}
      </Row>
    </>
  );
}

const LEGEND = [
  { label: "logical (what the shapes need)", swatch: "swatch swatch-line", color: "var(--logical)" },
  { label: "padded (what is stored: tiles, aligned rows)", swatch: "swatch swatch-line", color: "var(--padded)" },
];

export function PaddingChart({ page, rank }: { page: Page; rank: RankData }) {
  const memory = useBufferMemory();
  const container = useRef<HTMLDivElement>(null);
  const scene = useMemo(() => sceneOf(page, rank, memory), [page, rank, memory]);
  const both = useMemo(() => scene && painterOf(scene.padded.highest, (frame) => paintBoth(scene, frame), 22), [scene]);
  const alone = useMemo(() => scene && painterOf(scene.padding.highest, (frame) => paintPadding(scene, frame), 36), [scene]);
  // The table below says why there is nothing.
  if (!scene || !both || !alone) return null;
  if (scene.padded.highest === 0) return <p class="absent">No tensor of this run was in {memory}.</p>;
  return (
    <div class="padding-chart">
      <h3>
        Logical against padded bytes of the live tensors, {memory} <small>whole tensors, all banks together</small>
      </h3>
      <div class="chart-box" ref={container}>
        <Chart rank={rank} ops={rank.ops} height={160} painter={both} label={`Logical and padded bytes of live ${memory} tensors`} />
        <h4 class="chart-title">of that, padding</h4>
        <Chart rank={rank} ops={rank.ops} height={124} painter={alone} label={`Padding of live ${memory} tensors`} />
        <HoverCard container={container}>{(op) => <PaddingCard page={page} rank={rank} scene={scene} op={op} />}</HoverCard>
      </div>
      <Legend entries={LEGEND} />
    </div>
  );
}

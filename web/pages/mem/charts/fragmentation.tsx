// 1 - largest free block / free, over the ops: how much of the free memory a single tensor could not use.
import { useMemo, useRef } from "preact/hooks";
import { fragmentationAt, fragmentationCurve } from "../data/curves";
import type { PyramidCurve } from "../data/curves";
import type { Page } from "../data/page";
import { pointAt } from "../data/rank";
import type { Memory, RankData } from "../data/rank";
import { bytes, percent } from "kit/format";
import { useView } from "../state";
import { Chart } from "./chart";
import type { ChartPainter } from "./chart";
import { paintCursor } from "./cursor";
import { columnsOf, drawSteps, drawXAxis, drawYAxis } from "./frame";
import type { Frame } from "./frame";
import { HoverCard, OpHead, Row } from "./hover_card";
import { AXIS_LABEL } from "./timeline";

function paintScene(curve: PyramidCurve, frame: Frame): void {
  drawYAxis(frame, { size: 0.01, label: "% of free" });
  drawXAxis(frame, AXIS_LABEL);
  const columns = curve.query(2 * frame.from, 2 * frame.to, columnsOf(frame));
  drawSteps(frame, columns, { color: frame.palette.fragmentation, area: 0.2, thickness: 1.75, unit: 1 });
}

/** A curve that never leaves the lowest percents still deserves to be seen. */
function highestOf(curve: PyramidCurve): number {
  return Math.min(1.02, Math.max(0.05, curve.highest * 1.15));
}

function painterOf(curve: PyramidCurve): ChartPainter {
  return {
    top: 8,
    bottom: 36,
    values: () => ({ lowest: 0, highest: highestOf(curve) }),
    paint: (frame) => paintScene(curve, frame),
    paintHover: paintCursor,
  };
}

function FragmentationCard({ page, rank, memory, op }: { page: Page; rank: RankData; memory: Memory; op: number }) {
  const point = pointAt(rank, 2 * op);
  const { points } = rank;
  const free = point >= 0 ? points.toBytes(points.free[memory]?.[point] ?? 0) : NaN;
  const largest = point >= 0 ? points.toBytes(points.largest[memory]?.[point] ?? 0) : NaN;
  return (
    <>
      <OpHead page={page} rank={rank} op={op} />
      <Row label="fragmentation before this op">{point >= 0 ? percent(fragmentationAt(points, memory, point)) : "unknown"}</Row>
      <Row label="free, per bank">{bytes(free)}</Row>
      <Row label="largest free block, per bank">{bytes(largest)}</Row>
    </>
  );
}

export function FragmentationChart({ page, rank }: { page: Page; rank: RankData }) {
  const memory = useView((view) => view.memory);
  const container = useRef<HTMLDivElement>(null);
  const curve = useMemo(() => fragmentationCurve(rank.points, memory), [rank, memory]);
  const painter = useMemo(() => (curve ? painterOf(curve) : null), [curve]);
  // The table below says why there is nothing.
  if (!curve || !painter) return null;
  return (
    <div class="fragmentation-chart">
      <h3>
        Fragmentation, {memory} <small>% of the free memory outside of the largest free block, per bank; lower is better</small>
      </h3>
      <div class="chart-box" ref={container}>
        <Chart rank={rank} ops={rank.ops} height={150} painter={painter} label={`Fragmentation of ${memory} over the ops in view`} />
        <HoverCard container={container}>{(op) => <FragmentationCard page={page} rank={rank} memory={memory} op={op} />}</HoverCard>
      </div>
    </div>
  );
}

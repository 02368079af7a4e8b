// The live tensors as stacked kinds, aligned with the timeline; what the measurement has beyond them is "unaccounted".
import { useMemo, useRef } from "preact/hooks";
import { allocCurve } from "../data/curves";
import type { PyramidCurve } from "../data/curves";
import { accounted, liveSums } from "../data/live";
import type { LiveSums } from "../data/live";
import type { Page } from "../data/page";
import { KIND_LABELS, KINDS, pointAt } from "../data/rank";
import type { BufferMemory, Kind, RankData } from "../data/rank";
import { bytes } from "kit/format";
import { Legend } from "kit/legend";
import type { LegendEntry } from "kit/legend";
import { store, useView } from "../state";
import { Chart } from "./chart";
import type { ChartPainter } from "./chart";
import { paintCursor } from "./cursor";
import { axisBreak, columnsOf, drawByteAxis, drawXAxis, xOf, yOf } from "./frame";
import type { Frame } from "./frame";
import { HoverCard, OpHead, Row } from "./hover_card";
import { paintHoveredBuffer } from "./lifetime";
import { hatchFill } from "kit/canvas/palette";
import { kindFill } from "./kinds";
import { AXIS_LABEL } from "./timeline";
import { axisValues } from "./value_scale";
import type { Values } from "./value_scale";

/** From the bottom up: what stays longest lies lowest. */
const STACK: readonly Kind[] = ["weight", "const_eval", "input", "activation", "unknown"];

const SUMS = new Float64Array(KINDS.length + 3);

interface Scene {
  page: Page;
  rank: RankData;
  memory: BufferMemory;
  sums: LiveSums;
  curve: PyramidCurve | null;
  highest: number;
}

/** A stack for each pixel column, at the moment of the highest allocation in it: the curve's peaks keep their composition. */
function stacksOf(scene: Scene, frame: Frame): { tops: Float64Array[]; measured: Float64Array } {
  const columns = columnsOf(frame);
  const tops = STACK.map(() => new Float64Array(columns));
  const measured = new Float64Array(columns).fill(NaN);
  const { curve, rank, sums } = scene;
  const figures = curve?.query(2 * frame.from, 2 * frame.to, columns);
  for (let c = 0; c < columns; c++) {
    let moment = 2 * (frame.from + ((c + 0.5) / columns) * (frame.to - frame.from));
    if (curve && figures && figures.low[c] <= figures.high[c]) {
      // A state that began before the column may have outlived tensors: the moment is not before the column's start.
      moment = Math.max(rank.points.moment[figures.highAt[c]], 0);
      measured[c] = figures.high[c] * curve.unit;
    }
    sums.at(moment, SUMS);
    let total = 0;
    STACK.forEach((kind, layer) => {
      total += Math.max(0, SUMS[KINDS.indexOf(kind)]);
      tops[layer][c] = total;
    });
  }
  return { tops, measured };
}

/** One filled outline a layer: a pattern fills an outline far faster than a thousand rectangles. */
function paintLayer(frame: Frame, below: Float64Array | null, above: Float64Array, fill: CanvasPattern | string): void {
  const { ctx, left } = frame;
  const y = (value: number) => Math.min(frame.bottom, Math.max(frame.top, yOf(frame, value)));
  ctx.fillStyle = fill;
  ctx.beginPath();
  ctx.moveTo(left, y(above[0]));
  for (let c = 0; c < above.length; c++) {
    ctx.lineTo(left + c, y(above[c]));
    ctx.lineTo(left + c + 1, y(above[c]));
  }
  for (let c = above.length - 1; c >= 0; c--) {
    const base = y(below ? below[c] : 0);
    ctx.lineTo(left + c + 1, base);
    ctx.lineTo(left + c, base);
  }
  ctx.closePath();
  ctx.fill();
}

function paintScene(scene: Scene, frame: Frame): void {
  drawByteAxis(frame, "per bank");
  drawXAxis(frame, AXIS_LABEL);
  axisBreak(frame);
  const { tops, measured } = stacksOf(scene, frame);
  STACK.forEach((kind, layer) => {
    paintLayer(frame, layer === 0 ? null : tops[layer - 1], tops[layer], kindFill(frame.ctx, frame.palette, kind));
  });
  paintUnaccounted(frame, tops[tops.length - 1], measured);
}

/** Above the stack: measured but not explained. Below its top: the model holds more than was measured. */
function paintUnaccounted(frame: Frame, top: Float64Array, measured: Float64Array): void {
  const { ctx, palette } = frame;
  const more = top.map((value, c) => Math.max(value, Number.isNaN(measured[c]) ? value : measured[c]));
  const less = top.map((value, c) => Math.min(value, Number.isNaN(measured[c]) ? value : measured[c]));
  paintLayer(frame, top, more, hatchFill(ctx, "", "falling", palette.unaccounted));
  paintLayer(frame, less, top, hatchFill(ctx, "", "cross", palette.failure));
  ctx.fillStyle = palette.text;
  let before = NaN;
  for (let c = 0; c < measured.length; c++) {
    if (Number.isNaN(measured[c])) continue;
    const y = Math.max(frame.top, yOf(frame, measured[c]));
    const other = Number.isNaN(before) ? y : before;
    ctx.fillRect(frame.left + c, Math.min(y, other) - 0.5, 1, Math.abs(y - other) + 1);
    before = y;
  }
}

function highestOf(rank: RankData, memory: BufferMemory, sums: LiveSums, curve: PyramidCurve | null): number {
  let highest = curve ? curve.highest * curve.unit : 0;
  const step = Math.max(1, Math.floor(sums.moment.length / 4000));
  for (let i = 0; i < sums.moment.length; i += step) highest = Math.max(highest, accounted(sums.at(sums.moment[i], SUMS)));
  return Math.max(highest, rank.header.peaks[memory]?.bytes_per_bank ?? 0, 1) * 1.06;
}

function sceneOf(page: Page, rank: RankData, memory: BufferMemory): Scene {
  const sums = liveSums(rank, memory, page);
  const curve = allocCurve(rank.points, memory);
  return { page, rank, memory, sums, curve, highest: highestOf(rank, memory, sums, curve) };
}

/** Zooms with the timeline when that shows changes only; else from 0, since a stack is a sum. */
function valuesOf(scene: Scene, from: number, to: number): Values {
  const { scale } = store.get();
  if (scale !== "changes") return { lowest: 0, highest: scene.highest };
  return axisValues({ scale, curve: scene.curve, capacity: 0, peak: scene.highest, from, to });
}

function painterOf(scene: Scene): ChartPainter {
  return {
    top: 8,
    bottom: 36,
    values: (from, to) => valuesOf(scene, from, to),
    paint: (frame) => paintScene(scene, frame),
    paintHover: (frame) => {
      paintHoveredBuffer(frame, scene.page, scene.rank);
      paintCursor(frame);
      paintPeakTick(frame, scene);
    },
  };
}

function paintPeakTick(frame: Frame, scene: Scene): void {
  const peak = scene.rank.header.peaks[scene.memory];
  if (!peak || peak.bytes_per_bank <= 0) return;
  const x = xOf(frame, peak.moment / 2);
  if (x < frame.left || x > frame.right) return;
  const y = Math.max(frame.top, yOf(frame, peak.bytes_per_bank));
  frame.ctx.fillStyle = frame.palette.text;
  frame.ctx.beginPath();
  frame.ctx.moveTo(x, y - 1);
  frame.ctx.lineTo(x - 4, y - 7);
  frame.ctx.lineTo(x + 4, y - 7);
  frame.ctx.fill();
}

function CompositionCard({ scene, op }: { scene: Scene; op: number }) {
  const { page, rank, memory, sums } = scene;
  const point = pointAt(rank, 2 * op);
  const values = sums.at(2 * op);
  const live = accounted(values);
  const figures = rank.points.alloc[memory];
  const measured = figures && point >= 0 ? rank.points.toBytes(figures[point]) : NaN;
  return (
    <>
      <OpHead page={page} rank={rank} op={op} />
      {STACK.filter((kind) => values[KINDS.indexOf(kind)] !== 0).map((kind) => (
        <Row key={kind} label={KIND_LABELS[kind]}>
          <i class={`kind-swatch kind-${kind}`} /> {bytes(values[KINDS.indexOf(kind)])}
        </Row>
      ))}
      {Number.isNaN(measured) || !rank.header.measured ? null : <Row label="unaccounted">{bytes(measured - live)}</Row>}
      <Row label={`${memory} before, per bank`}>{bytes(Number.isNaN(measured) ? live : measured)}</Row>
    </>
  );
}

function legendOf(rank: RankData): LegendEntry[] {
  const entry = (label: string, kind: string) => ({ label, swatch: `kind-swatch kind-${kind}` });
  const kinds = STACK.map((kind) => entry(KIND_LABELS[kind], kind));
  return rank.header.measured ? [...kinds, entry("unaccounted", "unaccounted"), entry("more than measured", "overcounted")] : kinds;
}

/** Which memory a chart of tensors shows: the chosen one where tensors can be in it, else DRAM. */
export function useBufferMemory(): BufferMemory {
  return useView((view) => (view.memory === "L1" ? "L1" : "DRAM"));
}

export function CompositionStrip({ page, rank }: { page: Page; rank: RankData }) {
  const memory = useBufferMemory();
  const container = useRef<HTMLDivElement>(null);
  const scene = useMemo(() => sceneOf(page, rank, memory), [page, rank, memory]);
  const painter = useMemo(() => painterOf(scene), [scene]);
  // The list below says why there are none.
  if (rank.buffers.count === 0) return null;
  return (
    <div class="composition">
      <h3>
        Live tensors by kind, {memory}, per bank <small>each column: the moment of its highest allocation</small>
      </h3>
      <div class="chart-box" ref={container}>
        <Chart rank={rank} ops={rank.ops} height={190} painter={painter} label={`Live ${memory} tensors by kind over the ops in view`} />
        <HoverCard container={container}>{(op) => <CompositionCard scene={scene} op={op} />}</HoverCard>
      </div>
      <Legend entries={legendOf(rank)} />
    </div>
  );
}

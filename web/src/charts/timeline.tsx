// Memory over time: tabs, toolbar, minimap, the chart, its legend.
import { useMemo, useRef } from "preact/hooks";
import { bandAt, bandsOf } from "../data/bands";
import { allocCurve, largestCurve } from "../data/curves";
import type { Curve } from "../data/curves";
import { lifeEnd } from "../data/live";
import { typeLabel } from "../data/page";
import type { Page, PageHeader } from "../data/page";
import { MEMORIES, BUFFER_MEMORIES } from "../data/rank";
import type { Memory, Points, RankData, RankHeader } from "../data/rank";
import { bytes, visible } from "../format";
import { hover, store, useView } from "../state";
import { clampRange, show } from "../viewport";
import { Chart } from "./canvas";
import type { ChartPainter } from "./canvas";
import { paintCursor } from "./cursor";
import { axisBreak, drawByteAxis, drawXAxis, opAt } from "./frame";
import type { Frame } from "./frame";
import { HoverCard, TimelineCard } from "./hover_card";
import { Minimap } from "./minimap";
import { Legend, TimelineTools } from "./timeline_tools";
import { axisValues } from "./value_scale";
import type { Values } from "./value_scale";
import {
  BAND_HEIGHT, failuresOf, paintAllocated, paintBands, paintCapacity, paintFailures, paintLargest, paintLifetime, paintPeak, paintWeightOps,
} from "./timeline_paint";
import type { FailureMark } from "./timeline_paint";

export const AXIS_LABEL = "op (order of execution, not time)";

export interface TimelineProps {
  header: PageHeader;
  /** What is loaded so far. */
  page: Page | null;
  rank: RankData | null;
  points: Points | null;
  overview: Partial<Record<Memory, Curve>>;
  /** Curves of the other ranks, when they are overlaid. */
  others: { index: number; points: Points }[];
}

/** Everything the painter of one memory needs. */
interface Scene {
  props: TimelineProps;
  header: RankHeader;
  memory: Memory;
  curve: Curve | null;
  largest: Curve | null;
  failures: FailureMark[];
}

function valuesOf(scene: Scene, from: number, to: number): Values {
  const { curve, memory } = scene;
  let peak = curve ? curve.highest * curve.unit : 0;
  for (const other of scene.props.others) {
    const theirs = allocCurve(other.points, memory);
    if (theirs) peak = Math.max(peak, theirs.highest * theirs.unit);
  }
  return axisValues({ scale: store.get().scale, curve, capacity: scene.header.capacity[memory] ?? 0, peak, from, to });
}

function paintScene(scene: Scene, frame: Frame): void {
  const { props, curve, memory } = scene;
  drawByteAxis(frame, "per bank");
  drawXAxis(frame, AXIS_LABEL);
  axisBreak(frame);
  frame.ctx.save();
  clipTo(frame, 0);
  if (props.page && props.rank) paintBands(frame, props.page, props.rank);
  clipTo(frame, frame.top - 2);
  paintLargest(frame, scene.largest);
  if (curve) paintAllocated(frame, curve, undefined, props.others.length > 0 || frame.lowest > 0 ? 0.08 : 0.16);
  for (const other of props.others) {
    const theirs = allocCurve(other.points, memory);
    if (theirs) paintAllocated(frame, theirs, frame.palette.ranks[other.index % frame.palette.ranks.length], 0);
  }
  if (curve && props.rank) paintWeightOps(frame, props.rank, curve);
  paintCapacity(frame, scene.header.capacity[memory] ?? 0);
  paintPeak(frame, scene.header.peaks[memory]);
  paintFailures(frame, scene.failures);
  frame.ctx.restore();
}

function clipTo(frame: Frame, top: number): void {
  frame.ctx.beginPath();
  frame.ctx.rect(frame.left, top, frame.right - frame.left, frame.bottom - top);
  frame.ctx.clip();
}

/** The life of the tensor that a list points at. */
function paintHoveredBuffer(scene: Scene, frame: Frame): void {
  const { page, rank } = scene.props;
  const buffer = hover.get().buffer;
  if (!page || !rank || buffer === null || buffer >= rank.buffers.count) return;
  const { born, died, type, name, bytes: sizes, memory } = rank.buffers;
  const what = `${visible(page.names.get(name[buffer]))} ${visible(typeLabel(page, type[buffer]))}`;
  const where = BUFFER_MEMORIES[memory[buffer]] ?? "";
  paintLifetime(frame, born[buffer], lifeEnd(died[buffer]), `${what} · ${bytes(sizes[buffer])} per bank, ${where}`);
}

function clickBand(scene: Scene, frame: Frame, x: number, y: number, double: boolean): boolean {
  const { rank } = scene.props;
  const row = rank && bandsOf(rank.programs).rows[Math.floor((y - 2) / BAND_HEIGHT)];
  if (!rank || !row) return false;
  const program = bandAt(row, Math.floor(opAt(frame, x)));
  if (program < 0) return false;
  const first = rank.programs.first[program];
  const end = rank.programs.end[program];
  store.set({ range: [first, end] });
  if (double) show(clampRange(first, end, rank.ops));
  return true;
}

function painterOf(scene: Scene): ChartPainter {
  const rows = scene.props.rank ? bandsOf(scene.props.rank.programs).rows.length : 1;
  return {
    top: 6 + Math.max(1, rows) * BAND_HEIGHT,
    bottom: 38,
    values: (from, to) => valuesOf(scene, from, to),
    paint: (frame) => paintScene(scene, frame),
    paintHover: (frame) => {
      paintHoveredBuffer(scene, frame);
      paintCursor(frame);
    },
    clickAbove: (frame, x, y, double) => clickBand(scene, frame, x, y, double),
  };
}

function sceneOf(props: TimelineProps, memory: Memory, index: number): Scene {
  const { page, rank, points } = props;
  return {
    props,
    header: props.header.ranks[index],
    memory,
    curve: (points && allocCurve(points, memory)) ?? props.overview[memory] ?? null,
    largest: points ? largestCurve(points, memory) : null,
    failures: page && rank ? failuresOf(page, rank, memory) : [],
  };
}

function useHeight(): number {
  return window.innerWidth < 560 ? 260 : 340;
}

export function Timeline(props: TimelineProps) {
  const { header, page, rank, points, overview, others } = props;
  const memory = useView((view) => view.memory);
  const index = useView((view) => view.rank);
  const container = useRef<HTMLDivElement>(null);
  const scene = useMemo(() => sceneOf(props, memory, index), [page, rank, points, overview, others, memory, index]);
  const painter = useMemo(() => painterOf(scene), [scene]);
  const height = useHeight();
  const ops = header.ranks[index].ops;
  const available = MEMORIES.filter((one) => points?.alloc[one] ?? overview[one]);
  const absent = header.absent["curve"];
  if (absent && available.length === 0) return <p class="absent">{visible(absent)}</p>;
  return (
    <div class="timeline">
      <TimelineTools memories={available} header={scene.header} rank={rank} points={points} />
      <Minimap curve={scene.curve} ops={ops} />
      <div class="chart-box" ref={container}>
        <Chart rank={rank} ops={ops} height={height} painter={painter} label={chartLabel(scene)} />
        {page && rank ? (
          <HoverCard container={container}>{(op) => <TimelineCard page={page} rank={rank} memory={memory} op={op} />}</HoverCard>
        ) : null}
      </div>
      <Legend scene={scene} others={others} header={header} weightOps={rank !== null} />
    </div>
  );
}

/** The chart in words, for who cannot see it. */
function chartLabel(scene: Scene): string {
  const peak = scene.header.peaks[scene.memory];
  const text = peak ? `highest ${bytes(peak.bytes_per_bank)} per bank` : "no peak known";
  return `${scene.memory} allocated over ${scene.header.ops} ops in order of execution, ${text}. Keys: W S zoom, A D pan, . , next and previous op.`;
}

// Memory over time: tabs, toolbar, minimap, the chart, its legend.
import { useMemo, useRef } from "preact/hooks";
import { bandAt, bandsOf } from "../data/bands";
import { allocCurve, largestCurve } from "../data/curves";
import type { Curve } from "../data/curves";
import type { Page, PageHeader } from "../data/page";
import { MEMORIES } from "../data/rank";
import type { Memory, Points, RankData, RankHeader } from "../data/rank";
import { bytes, count, visible } from "kit/format";
import { hits } from "../hits";
import { hiddenOf, store, useView } from "../state";
import { clampRange, show } from "../viewport";
import { Chart } from "./chart";
import type { ChartPainter } from "./chart";
import { paintCursor } from "./cursor";
import { axisBreak, drawByteAxis, drawXAxis, opAt } from "./frame";
import type { Frame } from "./frame";
import { HoverCard, TimelineCard } from "./hover_card";
import { Labels } from "./labels";
import { paintBufferLives } from "./lifetime";
import { Minimap } from "./minimap";
import { RangeNote, TimelineLegend, TimelineTools } from "./timeline_tools";
import { axisValues } from "./value_scale";
import type { Values } from "./value_scale";
import {
  BAND_HEIGHT, failuresOf, paintAllocated, paintBands, paintCapacity, paintFailures, paintHits, paintLargest, paintPeak, paintWeightOps,
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
  /** In header.ranks. */
  index: number;
  header: RankHeader;
  memory: Memory;
  curve: Curve | null;
  largest: Curve | null;
  failures: FailureMark[];
  /** Ids of what the legend hides. */
  hidden: ReadonlySet<string>;
}

/** One axis for all curves shown. */
function valuesOf(scene: Scene, from: number, to: number): Values {
  const { memory } = scene;
  const theirs = scene.props.others.map((other) => allocCurve(other.points, memory));
  const curves = [scene.curve, ...theirs].filter((curve) => curve !== null);
  const peak = Math.max(0, ...curves.map((curve) => curve.highest * curve.unit));
  const capacity = scene.header.capacity[memory] ?? 0;
  const each = curves.map((curve) => axisValues({ scale: store.get().scale, curve, capacity, peak, from, to }));
  if (each.length === 0) return { lowest: 0, highest: Math.max(1, capacity) };
  return { lowest: Math.min(...each.map((one) => one.lowest)), highest: Math.max(...each.map((one) => one.highest)) };
}

function paintScene(scene: Scene, frame: Frame): void {
  const { props, curve, memory } = scene;
  drawByteAxis(frame, "per bank");
  drawXAxis(frame, `${AXIS_LABEL}${inView(frame, scene.header.ops)}`);
  axisBreak(frame);
  frame.ctx.save();
  clipTo(frame, 0);
  if (props.page && props.rank) paintBands(frame, props.page, props.rank);
  clipTo(frame, frame.top - 2);
  const { hidden } = scene;
  const labels = new Labels(frame);
  const overlaid = props.others.length > 0;
  const own = overlaid ? rankColor(frame, scene.index) : frame.palette.alloc;
  if (curve) paintAllocated(frame, curve, own, overlaid || frame.lowest > 0 ? 0.08 : 0.16);
  for (const other of props.others) {
    const theirs = allocCurve(other.points, memory);
    if (theirs) paintAllocated(frame, theirs, rankColor(frame, other.index), 0);
  }
  if (curve && props.rank && !hidden.has("weight-ops")) paintWeightOps(frame, props.rank, curve);
  // What matters most has its label first; others find what room is left.
  paintPeak(frame, scene.header.peaks[memory], labels);
  paintFailures(frame, scene.failures, labels);
  if (!hidden.has("capacity")) paintCapacity(frame, scene.header.capacity[memory] ?? 0, labels);
  if (!hidden.has("largest")) paintLargest(frame, scene.largest, labels);
  const found = hits.get();
  if (found && found.rank === scene.index) paintHits(frame, found.marks);
  frame.ctx.restore();
}

function rankColor(frame: Frame, index: number): string {
  return frame.palette.ranks[index % frame.palette.ranks.length];
}

function inView(frame: Frame, ops: number): string {
  const from = Math.max(0, Math.floor(frame.from));
  const to = Math.min(ops, Math.ceil(frame.to));
  if (frame.width < 560) return "";
  return to - from >= ops ? ` · all ${count(ops)} ops` : ` · ${count(to - from)} of ${count(ops)} ops in view`;
}

function clipTo(frame: Frame, top: number): void {
  frame.ctx.beginPath();
  frame.ctx.rect(frame.left, top, frame.right - frame.left, frame.bottom - top);
  frame.ctx.clip();
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
  const { page, rank } = scene.props;
  const rows = rank ? bandsOf(rank.programs).rows.length : 1;
  return {
    top: 6 + Math.max(1, rows) * BAND_HEIGHT,
    bottom: 38,
    values: (from, to) => valuesOf(scene, from, to),
    paint: (frame) => paintScene(scene, frame),
    paintHover: (frame) => {
      if (page && rank) paintBufferLives(frame, page, rank);
      paintCursor(frame);
    },
    clickAbove: (frame, x, y, double) => clickBand(scene, frame, x, y, double),
  };
}

function sceneOf(props: TimelineProps, memory: Memory, index: number, hide: string): Scene {
  const { page, rank, points } = props;
  return {
    props,
    index,
    header: props.header.ranks[index],
    memory,
    curve: (points && allocCurve(points, memory)) ?? props.overview[memory] ?? null,
    largest: points ? largestCurve(points, memory) : null,
    failures: page && rank ? failuresOf(page, rank, memory) : [],
    hidden: hiddenOf(hide),
  };
}

function useHeight(): number {
  return window.innerWidth < 560 ? 260 : 320;
}

export function Timeline(props: TimelineProps) {
  const { header, page, rank, points, overview, others } = props;
  const memory = useView((view) => view.memory);
  const index = useView((view) => view.rank);
  const container = useRef<HTMLDivElement>(null);
  const hide = useView((view) => view.hide);
  const scene = useMemo(() => sceneOf(props, memory, index, hide), [page, rank, points, overview, others, memory, index, hide]);
  const painter = useMemo(() => painterOf(scene), [scene]);
  const height = useHeight();
  const ops = header.ranks[index].ops;
  const available = MEMORIES.filter((one) => points?.alloc[one] ?? overview[one]);
  const absent = header.absent["curve"];
  if (absent && available.length === 0) return <p class="absent">{visible(absent)}</p>;
  return (
    <div class="timeline">
      <TimelineTools memories={available} header={scene.header} rank={rank} />
      <Minimap curve={scene.curve} ops={ops} />
      <div class="chart-box" ref={container}>
        <Chart rank={rank} ops={ops} height={height} painter={painter} label={chartLabel(scene)} />
        {page && rank ? (
          <HoverCard container={container}>{(op) => <TimelineCard page={page} rank={rank} memory={memory} op={op} />}</HoverCard>
        ) : null}
      </div>
      <TimelineLegend scene={scene} others={others} header={header} weightOps={rank !== null} />
      <RangeNote rank={rank} points={points} />
    </div>
  );
}

/** The chart in words, for who cannot see it. */
function chartLabel(scene: Scene): string {
  const peak = scene.header.peaks[scene.memory];
  const text = peak ? `highest ${bytes(peak.bytes_per_bank)} per bank` : "no peak known";
  return `${scene.memory} allocated over ${scene.header.ops} ops in order of execution, ${text}. Keys: W S zoom, A D pan, . , next and previous op.`;
}

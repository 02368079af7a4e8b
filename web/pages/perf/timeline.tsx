// Ops of each device over time, with gaps and the parts that signposts set off.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { span, us } from "kit/format";
import type { ChartControls } from "kit/keys";
import { Legend } from "kit/legend";
import type { LegendEntry } from "kit/legend";
import { Absent } from "kit/parts";
import { Section } from "kit/sections";
import { timeTag } from "./data";
import type { PerfData } from "./data";
import { bandsOf, endOf, executionAt, executionOfRow, layOut, LONGEST_SHOWN_GAP_US } from "./lanes";
import type { Layout } from "./lanes";
import { shownName } from "./names";
import { repeatStarts } from "./path";
import { SignpostTable } from "./signposts";
import { Canvas } from "kit/canvas/canvas";
import type { Surface } from "kit/canvas/canvas";
import { AXIS, bandHeight, CAUSE_COLORS, laneHeightFor, LEFT, paintTimeline } from "./timeline_paint";
import type { Range, Scene } from "./timeline_paint";

interface Props {
  data: PerfData;
  selected: number | null;
  matches: Uint8Array | null;
  /** Where the page finds the controls. */
  controls: { current: ChartControls | null };
  onSelect(row: number): void;
}

const LEAST_RANGE_US = 0.5;
const HINT = "Ctrl + wheel or W S zooms, drag or A D moves, a click or . , chooses an op, F shows the chosen one";

function hoverText(data: PerfData, execution: number, repeat: string | undefined): string {
  const { executions, kinds, rows, header } = data;
  const row = executions.row[execution];
  const gap = executions.gapNs[execution] / 1000;
  const cause = gap > 6.5 ? ` (${header.causes[rows.cause[row]]})` : "";
  return `row ${rows.id[row]} · ${shownName(kinds.label[executions.kind[execution]])} · device ${executions.device[execution]} · ${us(executions.ns[execution] / 1000)} μs · gap before ${gap < 0 ? "none" : span(gap)}${cause}${repeat ? ` · ${repeat} begins` : ""}`;
}

function legendOf(data: PerfData): LegendEntry[] {
  const categories = data.document.categories.filter((one) => one.category !== "Host");
  const causes = data.document.gaps.filter((one) => CAUSE_COLORS[one.cause] !== undefined);
  return [
    ...categories.map((one) => ({ label: one.category, color: data.header.colors[data.header.categories.indexOf(one.category)] })),
    ...((data.document.critical_path?.part_count ?? 0) > 0 ? [{ label: "critical path", title: "what decides the wall time of all devices", swatch: "swatch swatch-line", color: "var(--select)" }] : []),
    ...((data.document.iterations?.length ?? 0) > 0 ? [{ label: "replay or iteration begins", swatch: "swatch swatch-line", color: "var(--text)" }] : []),
    ...causes.map((one) => ({ label: `gap: ${one.cause}`, title: one.what, swatch: "swatch swatch-line", color: `var(--${CAUSE_COLORS[one.cause]})` })),
  ];
}

function hintOf(layout: Layout, tag: string): string {
  const several = layout.lanes.length > 1;
  const clock = layout.isOneClock ? (several ? `all devices on one clock (${tag}; their clocks are aligned, derived)` : tag) : `each device from its first op on (${tag})`;
  if (!layout.cuts) return clock;
  const gaps = layout.isOneClock && several ? "where no device works, gaps" : "gaps";
  return `${clock}; ${gaps} over ${LONGEST_SHOWN_GAP_US} μs are drawn as ${LONGEST_SHOWN_GAP_US} μs`;
}

interface ToolsProps {
  data: PerfData;
  wholeGaps: boolean;
  onZoom(factor: number): void;
  onAll(): void;
  onWholeGaps(whole: boolean): void;
}

function Tools({ data, wholeGaps, onZoom, onAll, onWholeGaps }: ToolsProps) {
  return (
    <div class="tools">
      <button type="button" onClick={() => onZoom(0.5)}>Zoom in</button>
      <button type="button" onClick={() => onZoom(2)}>Zoom out</button>
      <button type="button" onClick={onAll}>All</button>
      <label>
        <input type="checkbox" checked={wholeGaps} onChange={(event) => onWholeGaps(event.currentTarget.checked)} /> long gaps to scale
      </label>
      <Legend entries={legendOf(data)} />
    </div>
  );
}

/** Where a row of the table lies in the first lane that has it. */
function placeOf(data: PerfData, layout: Layout, row: number | null): Range | null {
  for (const lane of row === null ? [] : layout.lanes) {
    const execution = executionOfRow(data, lane, row as number);
    if (execution !== null) return { from: layout.start[execution], to: endOf(data, layout, execution) };
  }
  return null;
}

function useRange(whole: number) {
  const [range, setRange] = useState<Range>({ from: 0, to: whole });
  const clamp = (from: number, to: number, limit = whole) => {
    const length = Math.min(limit, Math.max(to - from, LEAST_RANGE_US));
    const start = Math.min(Math.max(0, from), limit - length);
    setRange({ from: start, to: start + length });
  };
  const zoom = (factor: number, share = 0.5) => {
    const length = (range.to - range.from) * factor;
    const centre = range.from + (range.to - range.from) * share;
    clamp(centre - length * share, centre + length * (1 - share));
  };
  return { range, clamp, zoom };
}

export function Timeline(props: Props) {
  if (props.data.executions.count > 0) return <Lanes {...props} />;
  return (
    <Section id="timeline" title="Timeline">
      <Absent why="The report has no ops that ran on a device." />
    </Section>
  );
}

function Lanes({ data, selected, matches, controls, onSelect }: Props) {
  const [wholeGaps, setWholeGaps] = useState(false);
  const layout = useMemo(() => layOut(data, wholeGaps), [data, wholeGaps]);
  const bands = useMemo(() => bandsOf(data, layout.lanes[0]), [data, layout]);
  const { range, clamp, zoom } = useRange(layout.span);
  const [hovered, setHovered] = useState<number | null>(null);
  const laneHeight = laneHeightFor(layout.lanes.length);
  const repeats = useMemo(() => repeatStarts(data, layout.lanes), [data, layout]);
  const scene: Scene = { data, layout, bands, range, matches, selected, laneHeight, repeats };
  const top = bandHeight(scene);

  useEffect(() => {
    const at = placeOf(data, layout, selected);
    if (!at || (at.to >= range.from && at.from <= range.to)) return;
    const half = (range.to - range.from) / 2;
    clamp((at.from + at.to) / 2 - half, (at.from + at.to) / 2 + half);
  }, [selected, layout]);
  controls.current = {
    zoom,
    pan: (share) => clamp(range.from + share * (range.to - range.from), range.to + share * (range.to - range.from)),
    all: () => clamp(0, layout.span),
    focus: () => {
      const at = placeOf(data, layout, selected);
      if (!at) return clamp(0, layout.span);
      const air = Math.max((at.to - at.from) * 4, 5);
      clamp(at.from - air, at.to + air);
    },
  };
  const width = useRef(1);
  const paint = useCallback(
    (surface: Surface) => {
      width.current = surface.width;
      paintTimeline(surface, scene);
    },
    [data, layout, range, selected, matches],
  );
  const executionUnder = (x: number, y: number): number | null => {
    const lane = layout.lanes[Math.floor((y - top) / laneHeight)];
    if (!lane || x < LEFT || y < top) return null;
    return executionAt(layout, lane, range.from + ((x - LEFT) / (width.current - LEFT)) * (range.to - range.from));
  };
  return (
    <Section id="timeline" title="Timeline" hint={hintOf(layout, timeTag(data.document))}>
      <Tools
        data={data}
        wholeGaps={wholeGaps}
        onZoom={zoom}
        onAll={() => clamp(0, layout.span)}
        onWholeGaps={(whole) => {
          const limit = layOut(data, whole).span;
          setWholeGaps(whole);
          clamp(0, limit, limit);
        }}
      />
      <Canvas
        id="timeline-canvas"
        height={top + layout.lanes.length * laneHeight + AXIS}
        label="Ops of each device over time"
        paint={paint}
        pointer={{
          onMove: (x, y) => setHovered(executionUnder(x, y)),
          onLeave: () => setHovered(null),
          onClick: (x, y) => {
            const execution = executionUnder(x, y);
            if (execution !== null) onSelect(data.executions.row[execution]);
          },
          onWheel: (x, event) => {
            if (!event.ctrlKey && !event.shiftKey && !event.altKey) return false;
            if (event.shiftKey) controls.current?.pan((event.deltaY + event.deltaX) / 600);
            else zoom(event.deltaY > 0 ? 1.25 : 0.8, Math.max(0, (x - LEFT) / (width.current - LEFT)));
            return true;
          },
          onDrag: (dx) => controls.current?.pan(-dx / (width.current - LEFT)),
        }}
      />
      <p class="readout" aria-live="off">{hovered === null ? HINT : hoverText(data, hovered, repeats.get(hovered))}</p>
      <SignpostTable data={data} bands={bands} onShow={(band) => clamp(layout.start[band.first], endOf(data, layout, band.end - 1))} />
    </Section>
  );
}

// Ops of each device over time, with gaps and the parts that signposts set off.
import { useCallback, useMemo, useState } from "preact/hooks";
import { shortened, visible } from "../src/format";
import { us } from "./data";
import type { PerfData } from "./data";
import { executionAt, layOut } from "./lanes";
import type { Lane, Layout } from "./lanes";
import { Canvas } from "./surface";
import type { Surface } from "./surface";

const LANE = 34;
const BAND = 20;
const AXIS = 22;
const LEFT = 74;

interface View {
  from: number;
  to: number;
}

interface Props {
  data: PerfData;
  selected: number | null;
  onSelect(row: number): void;
}

function paintBand(surface: Surface, data: PerfData, layout: Layout, view: View): void {
  const { ctx, width } = surface;
  const scale = (width - LEFT) / (view.to - view.from);
  const lane = layout.lanes[0];
  if (!lane || data.header.signposts.length < 2) return;
  const { signpost } = data.executions;
  let first = lane.first;
  for (let i = lane.first + 1; i <= lane.end; i++) {
    if (i < lane.end && signpost[i] === signpost[first]) continue;
    const from = LEFT + (layout.start[first] - view.from) * scale;
    const last = i < lane.end ? layout.start[i] : layout.span;
    const to = LEFT + (last - view.from) * scale;
    if (to > LEFT && from < width && to - from >= 0.5) {
      const left = Math.max(from, LEFT);
      ctx.fillStyle = surface.color(signpost[first] % 2 === 0 ? "band-b" : "band-a");
      ctx.fillRect(left, 0, Math.min(to, width) - left, BAND - 4);
      const name = visible(data.header.signposts[signpost[first]] ?? "");
      if (to - left > 40 && name !== "") {
        ctx.fillStyle = surface.color("text");
        ctx.fillText(shortened(name, Math.floor((Math.min(to, width) - left) / 7)), left + 4, 12);
      }
    }
    first = i;
  }
}

/** How many ops of a pixel are looked at for the longest one, which gives it its colour. */
const LOOKED_AT = 16;

/** Ops of less than a pixel are drawn together: what is painted grows with the width of the window, not with the run. */
function paintLane(surface: Surface, data: PerfData, layout: Layout, lane: Lane, view: View, top: number): void {
  const { ctx, width } = surface;
  const { executions, kinds, header } = data;
  const scale = (width - LEFT) / (view.to - view.from);
  const xOf = (time: number) => LEFT + (time - view.from) * scale;
  for (let i = executionAt(layout, lane, view.from); i < lane.end; ) {
    const from = xOf(layout.start[i]);
    if (from > width) break;
    const to = from + (Math.max(0, executions.ns[i]) / 1000) * scale;
    if (to - from >= 1) {
      paintOp(surface, data, i, Math.max(from, LEFT), to, top);
      i++;
      continue;
    }
    const pixel = Math.floor(from);
    const next = Math.max(i + 1, executionAt(layout, lane, view.from + (pixel + 1 - LEFT) / scale));
    let longest = i;
    for (let other = i + 1; other < Math.min(next, i + LOOKED_AT); other++) if (executions.ns[other] > executions.ns[longest]) longest = other;
    if (pixel >= LEFT) {
      ctx.fillStyle = header.colors[kinds.category[executions.kind[longest]]];
      ctx.fillRect(pixel, top, 1, LANE - 8);
    }
    i = next;
  }
}

function paintOp(surface: Surface, data: PerfData, execution: number, left: number, to: number, top: number): void {
  const { ctx } = surface;
  const kind = data.executions.kind[execution];
  if (to < LEFT) return;
  ctx.fillStyle = data.header.colors[data.kinds.category[kind]];
  ctx.fillRect(left, top, Math.max(1, to - left - 0.5), LANE - 8);
  if (to - left <= 46) return;
  ctx.fillStyle = "#ffffff";
  ctx.fillText(shortened(visible(data.kinds.label[kind]), Math.floor((to - left) / 7)), left + 4, top + 17);
}

function paintAxis(surface: Surface, view: View, top: number): void {
  const { ctx, width } = surface;
  const raw = (view.to - view.from) / Math.max(2, (width - LEFT) / 110);
  const decade = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * decade).find((one) => one >= raw) ?? raw;
  ctx.fillStyle = surface.color("muted");
  for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) {
    const x = LEFT + ((at - view.from) / (view.to - view.from)) * (width - LEFT);
    ctx.fillRect(x, top, 1, 4);
    ctx.fillText(`${us(Math.max(0, at))} μs`, x + 3, top + 14);
  }
}

function hoverText(data: PerfData, execution: number): string {
  const { executions, kinds, rows, header } = data;
  const row = executions.row[execution];
  const gap = executions.gapNs[execution] / 1000;
  const cause = gap > 6.5 ? ` (${header.causes[rows.cause[row]]})` : "";
  return `row ${rows.id[row]} · ${visible(kinds.label[executions.kind[execution]])} · device ${executions.device[execution]} · ${us(executions.ns[execution] / 1000)} μs · gap before ${us(gap)} μs${cause}`;
}

export function Timeline({ data, selected, onSelect }: Props) {
  const [wholeGaps, setWholeGaps] = useState(false);
  const layout = useMemo(() => layOut(data, wholeGaps), [data, wholeGaps]);
  const [view, setView] = useState<View>({ from: 0, to: layout.span });
  const [hovered, setHovered] = useState<number | null>(null);
  const bandHeight = data.header.signposts.length > 1 ? BAND : 0;
  const height = bandHeight + layout.lanes.length * LANE + AXIS;

  const clamp = (from: number, to: number) => {
    const length = Math.min(layout.span, Math.max(to - from, 0.5));
    const start = Math.min(Math.max(0, from), layout.span - length);
    setView({ from: start, to: start + length });
  };
  const zoom = (factor: number, share = 0.5) => {
    const length = (view.to - view.from) * factor;
    const centre = view.from + (view.to - view.from) * share;
    clamp(centre - length * share, centre + length * (1 - share));
  };
  const paint = useCallback(
    (surface: Surface) => {
      const { ctx, width } = surface;
      ctx.clearRect(0, 0, width, surface.height);
      paintBand(surface, data, layout, view);
      layout.lanes.forEach((lane, index) => {
        const top = bandHeight + index * LANE;
        ctx.fillStyle = surface.color("grid");
        ctx.fillRect(LEFT, top, width - LEFT, LANE - 8);
        paintLane(surface, data, layout, lane, view, top);
        ctx.fillStyle = surface.color("muted");
        ctx.fillText(`device ${lane.device}`, 2, top + 17);
        for (let i = lane.first; i < lane.end; i++) {
          if (selected === null || data.executions.row[i] !== selected) continue;
          const scale = (width - LEFT) / (view.to - view.from);
          ctx.strokeStyle = surface.color("select");
          ctx.lineWidth = 2;
          const from = LEFT + (layout.start[i] - view.from) * scale;
          if (from >= LEFT - 1) ctx.strokeRect(from, top - 1, Math.max(3, (data.executions.ns[i] / 1000) * scale), LANE - 6);
        }
      });
      paintAxis(surface, view, bandHeight + layout.lanes.length * LANE - 4);
    },
    [data, layout, view, selected, bandHeight],
  );
  const executionUnder = (x: number, y: number, width: number): number | null => {
    const lane = layout.lanes[Math.floor((y - bandHeight) / LANE)];
    if (!lane || x < LEFT) return null;
    const time = view.from + ((x - LEFT) / (width - LEFT)) * (view.to - view.from);
    return executionAt(layout, lane, time);
  };
  const canvasWidth = () => document.getElementById("timeline-canvas")?.clientWidth ?? 1;
  return (
    <section class="panel" id="timeline">
      <h2>
        Timeline <small>each device from its first op on (measured)</small>
      </h2>
      <div class="tools">
        <button type="button" onClick={() => zoom(0.5)}>Zoom in</button>
        <button type="button" onClick={() => zoom(2)}>Zoom out</button>
        <button type="button" onClick={() => clamp(0, layout.span)}>All</button>
        <label>
          <input
            type="checkbox"
            checked={wholeGaps}
            onChange={(event) => {
              const whole = event.currentTarget.checked;
              setWholeGaps(whole);
              setView({ from: 0, to: layOut(data, whole).span });
            }}
          />
          long gaps to scale
        </label>
        <span class="muted">drag to move, Ctrl + wheel to zoom</span>
      </div>
      <Canvas
        id="timeline-canvas"
        height={height}
        label="Ops of each device over time"
        paint={paint}
        onMove={(x, y) => setHovered(executionUnder(x, y, canvasWidth()))}
        onLeave={() => setHovered(null)}
        onClick={(x, y) => {
          const execution = executionUnder(x, y, canvasWidth());
          if (execution !== null) onSelect(data.executions.row[execution]);
        }}
        onWheel={(x, delta, sideways) => {
          if (sideways !== 0) clamp(view.from + (sideways / 600) * (view.to - view.from), view.to + (sideways / 600) * (view.to - view.from));
          else zoom(delta > 0 ? 1.25 : 0.8, Math.max(0, (x - LEFT) / (canvasWidth() - LEFT)));
        }}
        onDrag={(dx) => {
          const shift = (-dx / (canvasWidth() - LEFT)) * (view.to - view.from);
          clamp(view.from + shift, view.to + shift);
        }}
      />
      <p class="readout" aria-live="off">{hovered === null ? "\u00a0" : hoverText(data, hovered)}</p>
    </section>
  );
}

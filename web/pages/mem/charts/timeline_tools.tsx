// The row above the timeline (memory tabs, scale, zoom, what is selected) and the legend below it.
import { allocCurve } from "../data/curves";
import type { Curve } from "../data/curves";
import type { PageHeader } from "../data/page";
import { MEMORIES } from "../data/rank";
import type { Memory, Points, RankData, RankHeader } from "../data/rank";
import { bytes, count, percent, plural, signed } from "kit/format";
import { Legend } from "kit/legend";
import type { LegendEntry } from "kit/legend";
import { store, toggleHidden, useView } from "../state";
import type { View } from "../state";
import { focusOrFit, jumpToPeak, show, zoomBy } from "../viewport";

interface ToolsProps {
  memories: Memory[];
  header: RankHeader;
  rank: RankData | null;
}

function moveTab(event: KeyboardEvent, memories: Memory[], memory: Memory): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const next = memories[(memories.indexOf(memory) + by + memories.length) % memories.length];
  store.set({ memory: next });
  document.getElementById(`tab-${next}`)?.focus();
}

function MemoryTabs({ memories, header }: { memories: Memory[]; header: RankHeader }) {
  const memory = useView((view) => view.memory);
  return (
    <div class="switch" role="tablist" aria-label="Memory">
      {MEMORIES.map((one) => {
        const peak = header.peaks[one]?.bytes_per_bank;
        const there = memories.includes(one);
        return (
          <button
            key={one}
            id={`tab-${one}`}
            type="button"
            role="tab"
            aria-selected={one === memory}
            tabIndex={one === memory ? 0 : -1}
            disabled={!there}
            title={there ? `${one}: peak ${bytes(peak ?? 0)} per bank` : `This input has no states of ${one}`}
            onClick={() => store.set({ memory: one })}
            onKeyDown={(event) => moveTab(event, memories, memory)}
          >
            {one}
            {there && peak !== undefined ? <small>{bytes(peak)}</small> : null}
          </button>
        );
      })}
    </div>
  );
}

const SCALES: [View["scale"], string][] = [
  ["auto", "scale: auto"],
  ["capacity", "0 to capacity"],
  ["peak", "0 to peak"],
  ["view", "0 to highest in view"],
  ["changes", "changes only"],
];

function ScaleChoice() {
  const scale = useView((view) => view.scale);
  return (
    <select aria-label="Scale of the vertical axis" title="Scale of the vertical axis" value={scale} onChange={(event) => store.set({ scale: event.currentTarget.value as View["scale"] })}>
        {SCALES.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
  );
}

function ZoomButtons({ rank, ops }: { rank: RankData | null; ops: number }) {
  const middle = () => (store.get().from + store.get().to) / 2;
  return (
    <div class="buttons">
      <button type="button" title="Jump to the peak (P)" disabled={!rank} onClick={() => rank && jumpToPeak(rank)}>
        Jump to peak
      </button>
      <button type="button" title="Zoom in (W)" aria-label="Zoom in" onClick={() => zoomBy(0.5, middle(), ops)}>
        +
      </button>
      <button type="button" title="Zoom out (S)" aria-label="Zoom out" onClick={() => zoomBy(2, middle(), ops)}>
        −
      </button>
      <button type="button" title="The whole run (0)" onClick={() => show([0, Math.max(1, ops)])}>
        Fit
      </button>
    </div>
  );
}

const HOW = "drag: select · Shift+drag: pan · Ctrl+wheel: zoom · click: details";

/** Figures of the range that was dragged. Its line is always there, so that nothing below moves when one is. */
export function RangeNote({ rank, points }: { rank: RankData | null; points: Points | null }) {
  const range = useView((view) => view.range);
  const memory = useView((view) => view.memory);
  if (!range || !points) return <p class="range-note range-none">{HOW}</p>;
  const curve = allocCurve(points, memory);
  const highest = curve ? curve.between(2 * range[0], 2 * range[1]).high * curve.unit : NaN;
  const change = curve ? (curve.pyramid.at(2 * range[1]) - curve.pyramid.at(2 * range[0])) * curve.unit : NaN;
  return (
    <div class="range-note" role="status">
      <b>{plural(range[1] - range[0], "op")}</b> selected ({count(range[0])} – {count(range[1] - 1)})
      {Number.isFinite(highest) ? ` · highest ${bytes(highest)} per bank` : ""}
      {Number.isFinite(change) ? ` · net ${signed(change, bytes)}` : ""}
      <button type="button" onClick={() => focusOrFit(rank?.ops ?? range[1])}>
        Zoom to it (F)
      </button>
      <button type="button" onClick={() => store.set({ range: null })}>
        Clear
      </button>
    </div>
  );
}

export function TimelineTools({ memories, header, rank }: ToolsProps) {
  return (
    <div class="tools">
      <MemoryTabs memories={memories} header={header} />
      <span class="spacer" />
      <ScaleChoice />
      <ZoomButtons rank={rank} ops={header.ops} />
    </div>
  );
}

interface LegendProps {
  scene: { index: number; memory: Memory; header: RankHeader; curve: Curve | null; largest: Curve | null; hidden: ReadonlySet<string> };
  header: PageHeader;
  others: { index: number }[];
  weightOps: boolean;
}

export function TimelineLegend({ scene, header, others, weightOps }: LegendProps) {
  const capacity = scene.header.capacity[scene.memory] ?? 0;
  const peak = scene.header.peaks[scene.memory]?.bytes_per_bank ?? 0;
  const source = scene.header.measured ? "measured" : "modelled";
  const line = (label: string, color: string): LegendEntry => ({ label, swatch: "swatch swatch-line", color: `var(--${color})` });
  const entries: LegendEntry[] =
    others.length === 0
      ? [line(`allocated, per bank (${source})`, "alloc")]
      : [
          { label: "allocated, per bank:", swatch: "" },
          ...[{ index: scene.index }, ...others].map((one) => line(header.ranks[one.index].label, `rank-${one.index % 8}`)),
        ];
  const hides = (id: string) => ({ id, isHidden: scene.hidden.has(id) });
  if (scene.largest) entries.push({ ...line("largest free block", "largest"), ...hides("largest") });
  if (capacity > 0) entries.push({ ...line(`capacity ${bytes(capacity)} (peak is ${percent(peak / capacity)})`, "capacity"), swatch: "swatch swatch-dash", ...hides("capacity") });
  if (weightOps) entries.push({ label: "weight op (const-eval)", color: "var(--weight-op)", ...hides("weight-ops") });
  return <Legend entries={entries} onToggle={(id) => toggleHidden(id)} />;
}

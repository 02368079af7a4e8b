// The live tensors as a stack, aligned with the timeline: by kind, by tensor or by layer. What the measurement has beyond
// them is "unaccounted".
import { useMemo, useRef } from "preact/hooks";
import { accounted } from "../data/live";
import { typeLabel } from "../data/page";
import type { Page } from "../data/page";
import { tensorAt } from "../data/tensor_stack";
import type { TensorStack } from "../data/tensor_stack";
import { KIND_LABELS, KINDS, NONE, pointAt } from "../data/rank";
import type { BufferMemory, RankData } from "../data/rank";
import { bytes, count, percent, visible } from "kit/format";
import { Legend } from "kit/legend";
import type { LegendEntry } from "kit/legend";
import { Switch } from "kit/parts";
import { LayerPaths } from "../panels/layers_model";
import { bufferName, makerName } from "../panels/live_model";
import { useLoaded } from "../panels/parts";
import { hiddenOf, hover, store, toggleHidden, useHover, useView } from "../state";
import { Chart } from "./chart";
import type { ChartPainter } from "./chart";
import { paintCursor } from "./cursor";
import type { Frame } from "./frame";
import { HoverCard, OpHead, Row } from "./hover_card";
import { paintBufferLives } from "./lifetime";
import { LAYER_COLOURS, LAYER_HATCHES, paintChosenTensor, paintPeakTick, paintStack } from "./stack_paint";
import { hidesTensors, kindId, sceneOf, valuesOf } from "./stack_scene";
import type { StackScene } from "./stack_scene";

/** The tensor under a place of the picture that was drawn last. */
function bufferUnder(scene: StackScene, stack: TensorStack, frame: Frame, x: number, y: number): number | null {
  const column = Math.floor(x - frame.left);
  const share = (frame.bottom - y) / (frame.bottom - frame.top);
  return share < 0 || share > 1 ? null : tensorAt(scene.rank, stack, column, frame.lowest + share * (frame.highest - frame.lowest));
}

function painterOf(scene: StackScene): ChartPainter {
  let drawn: TensorStack | null = null;
  return {
    top: 8,
    bottom: 36,
    values: (from, to) => valuesOf(scene, from, to),
    paint: (frame) => {
      drawn = paintStack(scene, frame).stack;
    },
    paintHover: (frame) => {
      paintPeakTick(frame, scene);
      const buffer = hover.get().buffer ?? store.get().buffer;
      if (drawn && buffer !== null) paintChosenTensor(scene, frame, drawn, buffer);
      paintBufferLives(frame, scene.page, scene.rank);
      paintCursor(frame);
    },
    bufferAt: (frame, x, y) => (drawn ? bufferUnder(scene, drawn, frame, x, y) : null),
  };
}

/** Of the tensor under the pointer, where single ones are shown. */
function TensorHead({ page, rank, buffer }: { page: Page; rank: RankData; buffer: number }) {
  const args = useLoaded(() => page.args(), page);
  const { type, kind, bytes: size, born, died, op } = rank.buffers;
  return (
    <>
      <div class="card-title">{visible(bufferName(page, rank, args, buffer))}</div>
      <div class="card-sub">
        <i class={`kind-swatch kind-${KINDS[kind[buffer]]}`} /> {KIND_LABELS[KINDS[kind[buffer]]]} · {visible(typeLabel(page, type[buffer]))}
      </div>
      <Row label="per bank">{bytes(size[buffer])}</Row>
      <Row label="made by">{op[buffer] === NONE ? "before the program" : visible(makerName(page, rank, buffer))}</Row>
      <Row label="lives from op">{count(born[buffer] >>> 1)} to {died[buffer] === NONE ? "the end" : count(died[buffer] >>> 1)}</Row>
      <div class="card-sub">click: where it comes from</div>
    </>
  );
}

const MOST_ROWS = 10;

function CompositionCard({ scene, op }: { scene: StackScene; op: number }) {
  const buffer = useHover((state) => state.buffer);
  const { page, rank, memory } = scene;
  if (scene.mode === "tensor" && buffer !== null) return <TensorHead page={page} rank={rank} buffer={buffer} />;
  const point = pointAt(rank, 2 * op);
  const values = scene.sums.at(2 * op);
  const live = accounted(scene.kinds.at(2 * op));
  const figures = rank.points.alloc[memory];
  const measured = figures && point >= 0 ? rank.points.toBytes(figures[point]) : NaN;
  const rows = scene.bands.filter((band) => values[band.group] !== 0);
  if (scene.mode === "layer") rows.sort((a, b) => values[b.group] - values[a.group]);
  return (
    <>
      <OpHead page={page} rank={rank} op={op} />
      {rows.slice(0, MOST_ROWS).map((band) => (
        <Row key={band.id} label={visible(band.label)}>
          {scene.mode === "layer" ? null : <i class={`kind-swatch kind-${KINDS[band.group]}`} />} {bytes(values[band.group])}
        </Row>
      ))}
      {rows.length > MOST_ROWS ? <Row label="others">{count(rows.length - MOST_ROWS)}</Row> : null}
      {Number.isNaN(measured) || !rank.header.measured ? null : <Row label="unaccounted">{bytes(measured - live)}</Row>}
      <Row label={`${memory} before, per bank`}>{bytes(Number.isNaN(measured) ? live : measured)}</Row>
    </>
  );
}

function bandEntry(scene: StackScene, band: StackScene["bands"][number]): LegendEntry {
  const entry = { id: band.id, label: band.label, isHidden: scene.hidden.has(band.id) };
  if (scene.mode !== "layer") return { ...entry, swatch: `kind-swatch kind-${KINDS[band.group]}` };
  const hatch = LAYER_HATCHES[Math.floor(band.group / LAYER_COLOURS) % LAYER_HATCHES.length];
  return { ...entry, swatch: `swatch hatch-${hatch}`, color: `var(--rank-${band.group % LAYER_COLOURS})` };
}

function legendOf(scene: StackScene): LegendEntry[] {
  const entries = scene.bands.map((band) => bandEntry(scene, band));
  if (scene.mode === "tensor") entries.push({ label: "smaller tensors", swatch: "swatch small-tensors" });
  if (!scene.rank.header.measured) return entries;
  const isHidden = scene.hidden.has("unaccounted");
  return [
    ...entries,
    { id: "unaccounted", label: "unaccounted", swatch: "kind-swatch kind-unaccounted", isHidden },
    { label: "more than measured", swatch: "kind-swatch kind-overcounted" },
  ];
}

/** Which memory a chart of tensors shows: the chosen one where tensors can be in it, else DRAM. */
export function useBufferMemory(): BufferMemory {
  return useView((view) => (view.memory === "L1" ? "L1" : "DRAM"));
}

const MODES = [
  { value: "kind", label: "by kind", title: "Weights, const-eval copies, inputs, activations" },
  { value: "tensor", label: "by tensor", title: "Each tensor by itself; a click tells where it comes from" },
  { value: "layer", label: "by layer", title: "By the path in the model" },
] as const;

const WEIGHTS = [kindId("weight"), kindId("const_eval")];

function StackTools({ scene }: { scene: StackScene }) {
  const mode = useView((view) => view.stack);
  return (
    <div class="tools">
      <Switch label="What the stack is made of" choices={MODES} chosen={mode} onChoose={(stack) => store.set({ stack })} />
      <label>
        <input id="without-weights" type="checkbox" checked={WEIGHTS.every((id) => scene.hidden.has(id))} onChange={() => toggleHidden(...WEIGHTS)} /> without weights
      </label>
      <span class="muted">{hidesTensors(scene) ? "the line is what was measured less what is hidden" : ""}</span>
    </div>
  );
}

export function CompositionStrip({ page, rank }: { page: Page; rank: RankData }) {
  const memory = useBufferMemory();
  const mode = useView((view) => view.stack);
  const hide = useView((view) => view.hide);
  const container = useRef<HTMLDivElement>(null);
  const args = useLoaded(() => page.args(), page);
  const paths = useMemo(() => (args ? new LayerPaths(page, rank, args) : null), [page, rank, args]);
  const hidden = useMemo(() => hiddenOf(hide), [hide]);
  const scene = useMemo(() => sceneOf({ page, rank, memory, mode, hidden, paths: mode === "layer" ? paths : null }), [page, rank, memory, mode, hidden, mode === "layer" ? paths : null]);
  const painter = useMemo(() => painterOf(scene), [scene]);
  // The list below says why there are none.
  if (rank.buffers.count === 0) return null;
  const part = hidesTensors(scene) ? percent(scene.highest / Math.max(1, 1.06 * (rank.header.peaks[memory]?.bytes_per_bank ?? 1)), 0) : "";
  return (
    <div class="composition">
      <h3>
        Live tensors by {scene.mode}, {memory}, per bank <small>each column: the moment of its highest allocation{part ? `; the axis ends at ${part} of the peak` : ""}</small>
      </h3>
      <StackTools scene={scene} />
      <div class="chart-box" ref={container}>
        <Chart rank={rank} ops={rank.ops} height={mode === "kind" ? 190 : 260} painter={painter} label={`Live ${memory} tensors by ${scene.mode} over the ops in view`} />
        <HoverCard container={container}>{(op) => <CompositionCard scene={scene} op={op} />}</HoverCard>
      </div>
      <Legend entries={legendOf(scene)} onToggle={(id) => toggleHidden(id)} />
    </div>
  );
}

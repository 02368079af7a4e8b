// Bytes by model layer: an icicle to look at, and a list with the same figures for the keyboard.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Canvas } from "kit/canvas/canvas";
import type { Surface } from "kit/canvas/canvas";
import { KINDS } from "../data/rank";
import type { BufferMemory } from "../data/rank";
import type { Argument } from "../data/page";
import { bytes, count, mib, percent, plural, visible } from "kit/format";
import { store, useView } from "../state";
import { Grid } from "kit/table/grid";
import type { GridColumn } from "kit/table/grid";
import { icicle } from "./layer_tree";
import type { LayerNode, LayerTree } from "./layer_tree";
import { LayerPaths, layersOfAll, layersOfLive } from "./layers_model";
import { boxAt, LEVEL_HEIGHT, paintLayers } from "./layers_paint";
import type { Picture } from "./layers_paint";
import { liveSet, momentOf, momentWords } from "./live_model";
import { Absent, Tag } from "kit/parts";
import { KindMark, useLoaded } from "./parts";
import type { PanelProps } from "./parts";
import { Latest } from "kit/slices";

type Mode = "live" | "all";
const LEVELS = 9;

interface TreeProps extends PanelProps {
  memory: BufferMemory;
  mode: Mode;
  args: Argument[];
}

/** The tree for what is asked for; null while all allocations are being added up. */
function useTree({ page, rank, memory, mode, args }: TreeProps): LayerTree | null {
  const chosen = useView((view) => view.moment);
  const moment = momentOf(rank, memory, chosen);
  const paths = useMemo(() => new LayerPaths(page, rank, args), [page, rank, args]);
  const ofLive = useMemo(
    () => (mode === "live" ? layersOfLive(paths, rank, liveSet(page, rank, memory, moment)) : null),
    [paths, mode, memory, moment],
  );
  const [ofAll, setOfAll] = useState<LayerTree | null>(null);
  useEffect(() => {
    if (mode !== "all") return undefined;
    const latest = new Latest();
    setOfAll(null);
    void latest.run((slicer) => layersOfAll(paths, rank, memory, slicer), setOfAll);
    return () => latest.cancel();
  }, [paths, mode, memory]);
  return mode === "live" ? ofLive : ofAll;
}

function depthOf(node: LayerNode, limit: number): number {
  if (limit === 1 || node.children.length === 0) return 1;
  return 1 + node.children.reduce((most, child) => Math.max(most, depthOf(child, limit - 1)), 0);
}

function Icicle({ node, onOpen }: { node: LayerNode; onOpen(node: LayerNode): void }) {
  const [hovered, setHovered] = useState<LayerNode | null>(null);
  const picture = useRef<Picture>({ boxes: [], width: 0, node });
  const paint = useCallback(
    (surface: Surface) => {
      const { width } = surface;
      if (picture.current.node !== node || picture.current.width !== width) picture.current = { boxes: icicle(node, 1 / width, LEVELS), width, node };
      paintLayers(surface, picture.current, hovered);
    },
    [node, hovered],
  );
  const nodeAt = (x: number, y: number) => boxAt(picture.current, x, y)?.node ?? null;
  const pointer = {
    onMove: (x: number, y: number) => setHovered(nodeAt(x, y)),
    onLeave: () => setHovered(null),
    onClick: (x: number, y: number) => {
      const found = nodeAt(x, y);
      if (found && found.children.length > 0) onOpen(found);
    },
  };
  const words = hovered
    ? `${visible(hovered.path) || "all"}: ${bytes(hovered.bytes)} per bank, ${percent(hovered.bytes / node.bytes)}, ${plural(hovered.tensors, "tensor")}`
    : "Point at a layer; click it to look inside.";
  return (
    <>
      <Canvas
        height={depthOf(node, LEVELS) * LEVEL_HEIGHT}
        label={`Bytes by layer below ${visible(node.path) || "the model"}; the list below has the same figures`}
        paint={paint}
        pointer={pointer}
      />
      <p class="readout" aria-hidden="true">{words}</p>
    </>
  );
}

const COLUMNS: GridColumn[] = [
  { id: "name", title: "Layer", width: 300 },
  { id: "bytes", title: "Bytes", unit: "MB per bank", width: 120, numeric: true },
  { id: "share", title: "Share", unit: "of the layer above", width: 110, numeric: true },
  { id: "tensors", title: "Tensors", width: 90, numeric: true },
  { id: "kinds", title: "Kinds", width: 240 },
];

function KindBar({ node }: { node: LayerNode }) {
  return (
    <span class="stack small">
      {KINDS.map((kind, index) =>
        node.kinds[index] > 0 ? (
          <i key={kind} class={`kind-swatch kind-${kind}`} style={{ width: `${(100 * node.kinds[index]) / node.bytes}%` }} />
        ) : null,
      )}
    </span>
  );
}

function cellOf(node: LayerNode, child: LayerNode, column: string) {
  switch (column) {
    case "name":
      return (
        <span title={visible(child.path)}>
          {child.children.length > 0 ? "▸ " : ""}
          {visible(child.name)}
        </span>
      );
    case "bytes":
      return mib(child.bytes);
    case "share":
      return percent(child.bytes / node.bytes);
    case "tensors":
      return count(child.tensors);
    default:
      return <KindBar node={child} />;
  }
}

function Crumbs({ node, onOpen }: { node: LayerNode; onOpen(node: LayerNode): void }) {
  const way: LayerNode[] = [];
  for (let one: LayerNode | null = node; one; one = one.parent) way.unshift(one);
  return (
    <nav class="crumbs" aria-label="Layer on show">
      {way.map((one, index) => (
        <span key={one.path}>
          {index > 0 ? " / " : ""}
          {one === node ? (
            <b>{visible(one.name)}</b>
          ) : (
            <button type="button" class="link" onClick={() => onOpen(one)}>
              {visible(one.name)}
            </button>
          )}
        </span>
      ))}
      <span class="muted">
        {" "}
        {mib(node.bytes)} MB per bank, {plural(node.tensors, "tensor")}
      </span>
    </nav>
  );
}

/** The layer, or what is there of the way to it. */
function nearest(tree: LayerTree, path: string): LayerNode {
  const found = tree.find(path);
  return found ?? nearest(tree, path.slice(0, Math.max(0, path.lastIndexOf("/"))));
}

function TreeView({ tree }: { tree: LayerTree }) {
  const path = useView((view) => view.layer);
  const [active, setActive] = useState(-1);
  const node = nearest(tree, path);
  const open = (next: LayerNode) => {
    store.set({ layer: next.path });
    setActive(-1);
  };
  const activate = (row: number) => {
    const child = node.children[row];
    if (row === active && child.children.length > 0) open(child);
    else setActive(row);
  };
  const up = (event: KeyboardEvent) => {
    if ((event.key !== "Backspace" && event.key !== "ArrowLeft") || !node.parent) return;
    event.preventDefault();
    event.stopPropagation();
    open(node.parent);
  };
  return (
    <div onKeyDown={up}>
      <Crumbs node={node} onOpen={open} />
      {node.path === path ? null : <p class="muted">Nothing of {visible(path)} is among these tensors.</p>}
      {node.bytes > 0 ? <Icicle node={node} onOpen={open} /> : null}
      <Grid
        id="layers-grid"
        label="Layers"
        columns={COLUMNS}
        rows={node.children.length}
        visibleRows={8}
        cell={(row, column) => cellOf(node, node.children[row], COLUMNS[column].id)}
        active={active}
        onActivate={activate}
        empty="Nothing below."
      />
      <p class="muted">Enter or a second click opens a layer, Backspace goes up.</p>
    </div>
  );
}

function Tree(props: TreeProps & { onMissing(): void }) {
  const tree = useTree(props);
  const layer = useView((view) => view.layer);
  // A layer that was asked for may have nothing live at this moment, but something at another.
  useEffect(() => {
    if (tree && props.mode === "live" && tree.find(layer) === null) props.onMissing();
  }, [layer, tree !== null]);
  return tree ? <TreeView tree={tree} /> : <p class="muted">Adding up…</p>;
}

export function LayersPanel({ page, rank }: PanelProps) {
  const memory = useView((view) => (view.memory === "L1" ? "L1" : "DRAM"));
  const chosen = useView((view) => view.moment);
  const [mode, setMode] = useState<Mode>("live");
  const args = useLoaded(() => page.args(), page);
  const why = page.header.absent["layers"] ?? (rank.buffers.count === 0 ? page.header.absent["composition"] : undefined);
  if (why !== undefined) return <Absent why={why} />;
  const { side, op } = momentWords(momentOf(rank, memory, chosen));
  const choice = (value: Mode, label: string) => (
    <label>
      <input type="radio" name="layers-mode" checked={mode === value} onChange={() => setMode(value)} /> {label}
    </label>
  );
  return (
    <div class="layers-panel">
      <div class="tools" role="radiogroup" aria-label="What is added up">
        {choice("live", `live in ${memory} ${chosen === null ? "at the peak" : ""} (${side} op #${count(op)})`)}
        {choice("all", `all tensors ever made in ${memory}`)}
        <span class="spacer" />
        {[1, 2, 3, 4, 0].map((kind) => (
          <KindMark key={kind} kind={kind} />
        ))}{" "}
        <Tag of="modelled" />
      </div>
      {args ? <Tree page={page} rank={rank} memory={memory} mode={mode} args={args} onMissing={() => setMode("all")} /> : null}
    </div>
  );
}

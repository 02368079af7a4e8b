// Tile padding: what it costs at the peak, the ten worst result types by bytes, and the dimensions at fault.

import { liveSums, LOGICAL, PADDED } from "../data/live";
import type { BufferMemory } from "../data/rank";
import { bytes, count, mib, visible } from "kit/format";
import { memDoc } from "./mem_doc";
import type { PaddingRecord } from "./mem_doc";
import { Absent, Breakable, Tag } from "kit/parts";
import { RankOpLink } from "./parts";
import type { PanelProps } from "./parts";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";

/** Dimensions that padding made larger: "rows 200 → 224". Shapes are compared as stored, in two dimensions. */
export function paddedDimensions(shape: number[], stored: number[]): string {
  if (shape.length === 0 || stored.length === 0) return "scalar stored as a tile";
  const columns = shape[shape.length - 1];
  const rows = shape.slice(0, -1).reduce((product, size) => product * size, 1);
  const storedColumns = stored[stored.length - 1];
  const storedRows = stored.slice(0, -1).reduce((product, size) => product * size, 1);
  const parts: string[] = [];
  if (storedRows > rows) parts.push(`rows ${count(rows)} → ${count(storedRows)}`);
  if (storedColumns > columns) parts.push(`columns ${count(columns)} → ${count(storedColumns)}`);
  return parts.length > 0 ? parts.join(", ") : "spread over shards";
}

function shapeText(shape: number[], dtype: string): string {
  const dimensions = shape.length === 0 ? "scalar" : shape.map((size) => (size < 0 ? "?" : String(size))).join("x");
  return visible(`${dimensions} ${dtype}`.trim());
}

function columnsFor(props: PanelProps): Column<PaddingRecord>[] {
  return [
    { title: "Logical shape", class: "whole", text: (one) => shapeText(one.shape, one.dtype) },
    { title: "Stored as", text: (one) => one.padded_shape.join("x") },
    {
      title: "At fault",
      class: "whole",
      hint: "What was rounded up to whole tiles",
      text: (one) => paddedDimensions(one.shape, one.padded_shape),
    },
    { title: "Logical", unit: "MB, whole", numeric: true, text: (one) => mib(one.logical_bytes), value: (one) => one.logical_bytes },
    { title: "Padded", unit: "MB, whole", numeric: true, text: (one) => mib(one.padded_bytes), value: (one) => one.padded_bytes },
    {
      title: "Padding",
      unit: "MB",
      numeric: true,
      text: (one) => mib(one.waste_bytes),
      value: (one) => one.waste_bytes,
      cell: (one) => <b>{mib(one.waste_bytes)}</b>,
    },
    {
      title: "Padding",
      unit: "%",
      numeric: true,
      text: (one) => one.waste_percent.toFixed(1),
      value: (one) => one.waste_percent,
      cell: (one) => (
        <span class={one.waste_percent > 100 ? "bad" : one.waste_percent > 50 ? "poor" : ""}>{one.waste_percent.toFixed(1)}</span>
      ),
    },
    {
      title: "First made by",
      text: (one) => `${visible(one.op)} #${one.op_index}`,
      cell: (one) => (
        <RankOpLink {...props} of={one.rank} op={one.op_index}>
          <Breakable text={`${visible(one.op)} #${count(one.op_index)}`} />
        </RankOpLink>
      ),
    },
    { title: "Location", class: "breakable", text: (one) => visible(one.loc ?? "") },
    { title: "Log line", numeric: true, text: (one) => (one.line ? count(one.line) : ""), value: (one) => one.line ?? 0 },
  ];
}

/** What padding costs at a rank's peak, whole tensors; NaN where the input does not tell. */
function wasteAtPeak({ page, rank }: PanelProps, memory: BufferMemory): { waste: number; percent: number } {
  const moment = rank.header.peaks[memory]?.moment ?? 0;
  const totals = rank.totals?.[memory];
  let logical = NaN;
  let padded = NaN;
  if (totals) {
    // Pages made from the files of a run have totals instead of tensors.
    const op = Math.min(rank.ops - 1, moment >>> 1);
    logical = totals.logical[op];
    padded = totals.padded[op];
  } else if (rank.buffers.count > 0) {
    const sums = liveSums(rank, memory, page).at(moment);
    logical = sums[LOGICAL];
    padded = sums[PADDED];
  }
  return { waste: padded - logical, percent: (100 * (padded - logical)) / logical };
}

export function PaddingPanel(props: PanelProps) {
  const { page } = props;
  const padding = memDoc(page).padding;
  const why = page.header.absent["padding"];
  if (why !== undefined || !padding) return <Absent why={why} />;
  const worst = padding.worst ?? [];
  const dram = wasteAtPeak(props, "DRAM");
  const l1 = wasteAtPeak(props, "L1");
  return (
    <div class="padding-panel">
      {Number.isFinite(dram.waste) ? (
        <p>
          At the DRAM peak, tile padding takes <b>{bytes(dram.waste)}</b> of whole tensors
          {Number.isFinite(dram.percent) ? ` (${dram.percent.toFixed(1)} % on top of the logical bytes)` : ""}
          {Number.isFinite(l1.waste) ? `; at the L1 peak ${bytes(l1.waste)}` : ""}. <Tag of="modelled" />
        </p>
      ) : null}
      <h3>The worst result types by bytes lost</h3>
      {worst.length > 0 ? (
        <Table label="Worst padding" columns={columnsFor(props)} records={worst} first={10} />
      ) : (
        <p class="muted">No result of this log is padded.</p>
      )}
    </div>
  );
}

// Weights of the model, and the copies that const-eval made of them.

import { useMemo, useState } from "preact/hooks";
import { typeLabel } from "../data/page";
import type { Argument, Page } from "../data/page";
import type { RankData } from "../data/rank";
import { bytes, count, mib, plural, visible } from "kit/format";
import { hover } from "../state";
import { Grid } from "kit/table/grid";
import type { GridColumn } from "kit/table/grid";
import { nextOrder, ordered } from "kit/table/order";
import type { Order } from "kit/table/order";
import { bufferName } from "./live_model";
import { memDoc } from "./mem_doc";
import { Absent, Tag } from "kit/parts";
import { OpLink, useLoaded } from "./parts";
import type { PanelProps } from "./parts";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";

interface Pair {
  weight: number;
  copy: number;
}

function pairsOf(rank: RankData): Pair[] {
  const pairs = Array.from(rank.dupWeight, (weight, index) => ({ weight, copy: rank.dupCopy[index] }));
  return pairs.sort((a, b) => rank.buffers.bytes[b.copy] - rank.buffers.bytes[a.copy]);
}

/** Copies once each: one copy may come from several weights. */
function copySums(page: Page, rank: RankData, pairs: Pair[]): { perBank: number; whole: number; copies: number } {
  const copies = new Set(pairs.map((pair) => pair.copy));
  let perBank = 0;
  let whole = 0;
  for (const copy of copies) {
    perBank += rank.buffers.bytes[copy];
    whole += page.typePadded[rank.buffers.type[copy]] ?? 0;
  }
  return { perBank, whole, copies: copies.size };
}

function Duplicates({ page, rank, args }: PanelProps & { args: Argument[] | null }) {
  const pairs = useMemo(() => pairsOf(rank), [rank]);
  if (pairs.length === 0) return <p class="muted">No weight is resident together with a const-eval copy of it at the DRAM peak.</p>;
  const { type, bytes: size, op } = rank.buffers;
  const sums = copySums(page, rank, pairs);
  const name = (buffer: number) => visible(bufferName(page, rank, args, buffer));
  const columns: Column<Pair>[] = [
    { title: "Weight", class: "breakable", text: (one) => name(one.weight) },
    { title: "As", text: (one) => visible(typeLabel(page, type[one.weight])) },
    { title: "Weight", unit: "MB per bank", numeric: true, text: (one) => mib(size[one.weight]), value: (one) => size[one.weight] },
    {
      title: "Copy",
      text: (one) => name(one.copy),
      cell: (one) => (
        <OpLink rank={rank} op={op[one.copy]}>
          {name(one.copy)}
        </OpLink>
      ),
    },
    { title: "Copied as", text: (one) => visible(typeLabel(page, type[one.copy])) },
    {
      title: "Copy",
      unit: "MB per bank",
      numeric: true,
      text: (one) => mib(size[one.copy]),
      value: (one) => size[one.copy],
      cell: (one) => <b>{mib(size[one.copy])}</b>,
    },
    {
      title: "Copy, whole",
      unit: "MB",
      numeric: true,
      text: (one) => mib(page.typePadded[type[one.copy]] ?? 0),
      value: (one) => page.typePadded[type[one.copy]] ?? 0,
    },
  ];
  return (
    <>
      <p>
        {plural(sums.copies, "copy").replace("copys", "copies")} made by const-eval while the original stays: <b>{mib(sums.perBank)}</b> MB
        per bank, <b>{bytes(sums.whole)}</b> of whole tensors could be freed. <Tag of="modelled" />
      </p>
      <Table
        label="Weights held twice"
        columns={columns}
        records={pairs}
        first={10}
        rowProps={(pair) => ({
          onPointerEnter: () => hover.set({ buffer: pair.copy }),
          onPointerLeave: () => hover.set({ buffer: null }),
        })}
      />
    </>
  );
}

const COLUMNS: GridColumn[] = [
  { id: "name", title: "Name", width: 330 },
  { id: "shape", title: "Shape", hint: "Of one device", width: 150 },
  { id: "dtype", title: "Type", width: 80 },
  { id: "bytes", title: "Bytes", unit: "MB, whole", hint: "Logical bytes of one device", width: 110, numeric: true },
  { id: "role", title: "Role", width: 110 },
  { id: "graph", title: "Graph", width: 140 },
  { id: "ssa", title: "Argument", width: 90 },
  { id: "eval", title: "Used by const-eval", width: 200 },
];

function textOf(page: Page, argument: Argument, column: string): string {
  switch (column) {
    case "name":
      return argument.name;
    case "shape":
      return argument.shape;
    case "dtype":
      return argument.dtype;
    case "bytes":
      return mib(argument.bytes);
    case "role":
      return argument.kv_cache ? `${argument.role}, KV cache` : argument.role;
    case "graph":
      return page.header.graphs[argument.graph]?.name ?? "";
    case "ssa":
      return argument.ssa;
    default:
      return argument.const_eval_graphs.join(", ");
  }
}

function ArgumentList({ page, args }: { page: Page; args: Argument[] }) {
  const [weightsOnly, setWeightsOnly] = useState(true);
  const [order, setOrder] = useState<Order>({ column: "bytes", descending: true });
  const [active, setActive] = useState(-1);
  const rows = useMemo(
    () =>
      ordered(
        args.filter((one) => !weightsOnly || one.is_weight),
        (one) => (order.column === "bytes" ? one.bytes : textOf(page, one, order.column)),
        order.descending,
      ),
    [args, weightsOnly, order],
  );
  return (
    <>
      <div class="tools">
        <label>
          <input type="checkbox" checked={weightsOnly} onChange={() => setWeightsOnly(!weightsOnly)} /> weights only
        </label>
        <span class="muted">{plural(rows.length, "argument")} of all graphs; the same tensor in several graphs is listed for each</span>
      </div>
      <Grid
        id="weights-grid"
        label="Weights and other arguments"
        columns={COLUMNS}
        rows={rows.length}
        visibleRows={10}
        cell={(row, column) => visible(textOf(page, rows[row], COLUMNS[column].id))}
        rowClass={(row) => (rows[row].is_weight && !rows[row].counted ? "dim" : "")}
        active={active}
        onActivate={setActive}
        order={order}
        onSort={(column) => setOrder(nextOrder(order, column))}
        empty="No weights are known."
      />
    </>
  );
}

export function WeightsPanel({ page, rank }: PanelProps) {
  const args = useLoaded(() => page.args(), page);
  const why = page.header.absent["weights"];
  const weights = memDoc(page).weights;
  return (
    <div class="weights-panel">
      <h3>Weights</h3>
      {why !== undefined ? (
        <Absent why={why} />
      ) : (
        <>
          {weights ? (
            <p>
              <b>{count(weights.count)}</b> distinct weights, <b>{bytes(weights.bytes)}</b> of whole tensors without padding.{" "}
              <Tag of="derived" />
            </p>
          ) : null}
          {args ? <ArgumentList page={page} args={args} /> : null}
          <h4>Held twice: const-eval copies</h4>
          {page.header.absent["composition"] === undefined ? (
            <Duplicates page={page} rank={rank} args={args} />
          ) : (
            <Absent why={page.header.absent["composition"]} />
          )}
        </>
      )}
    </div>
  );
}

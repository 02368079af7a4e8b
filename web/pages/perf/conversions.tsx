// Ops that only move or convert data.
import { count, percent, us, visible } from "kit/format";
import { Section } from "kit/sections";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { numberColumn } from "./bar";
import { timeTag } from "./data";
import type { PerfData, PerfDocument } from "./data";

type Conversion = NonNullable<PerfDocument["movement"]>["conversions"][number];

/** The costliest first. */
export function Conversions({ data }: { data: PerfData }) {
  const records = data.document.movement?.conversions ?? [];
  if (records.length === 0) return null;
  const columns: Column<Conversion>[] = [
    { title: "op", text: (one) => one.op, cell: (one) => visible(one.op) },
    { title: "class", text: (one) => one.class, cell: (one) => (one.class === "layout" ? "layout" : "graph") },
    numberColumn("ops", (one) => one.ops, count),
    numberColumn("μs", (one) => one.device_us, us),
    numberColumn("share", (one) => one.device_us / data.document.totals.counted_us, percent),
    numberColumn("GB/s", (one) => one.gb_s ?? NaN, (value) => value.toFixed(1)),
  ];
  return (
    <Section id="conversions" title="Conversions" hint={`ops that only move or convert data (${timeTag(data.document)}): another place, layout or type removes those by layout, a rewrite those by the graph`}>
      <Table label="conversions" columns={columns} records={records} first={6} />
    </Section>
  );
}

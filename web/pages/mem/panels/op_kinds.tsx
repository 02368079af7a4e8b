// Operations by kind, all ranks: how often each ran and what it grew.

import { count, mib, percent, visible } from "kit/format";
import { goTo } from "kit/sections";
import { store } from "../state";
import { Link, Share } from "kit/parts";
import { memDoc } from "./mem_doc";
import type { KindRecord } from "./mem_doc";
import type { PanelProps } from "./parts";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { filterFromText, filterToText } from "./ops/filter";

/** The ops table with this kind alone. */
function showKind(record: KindRecord): void {
  const filter = filterFromText(store.get().filter);
  const text = { ...filter.text, name: record.op };
  store.set({ filter: filterToText({ ...filter, counted: record.counted && filter.counted, text }) });
  goTo("ops");
}

export function OpKindsPanel({ page }: PanelProps) {
  const records = memDoc(page).operations_by_kind ?? [];
  const all = records.reduce((sum, record) => sum + record.executed, 0);
  const most = records.reduce((largest, record) => Math.max(largest, record.executed), 1);
  const columns: Column<KindRecord>[] = [
    {
      title: "Operation",
      text: (one) => visible(one.op),
      cell: (one) => (
        <Link title="Show these in the table of ops" onClick={() => showKind(one)}>{visible(one.op) || "(no op line)"}</Link>
      ),
    },
    { title: "Executed", numeric: true, text: (one) => count(one.executed), value: (one) => one.executed },
    {
      title: "Share",
      numeric: true,
      text: (one) => percent(one.executed / all),
      value: (one) => one.executed,
      cell: (one) => (
        <Share of={one.executed / most}>{percent(one.executed / all)}</Share>
      ),
    },
    {
      title: "Weight ops",
      hint: "Results depend on weights alone",
      numeric: true,
      text: (one) => count(one.weight_ops),
      value: (one) => one.weight_ops,
    },
    { title: "Counted", hint: "deallocate and get_device are not counted as ops", text: (one) => (one.counted ? "yes" : "no") },
    {
      title: "DRAM growth",
      unit: "MB per bank",
      hint: "Sum of positive own growths",
      numeric: true,
      text: (one) => mib(one.growth_bytes_per_bank?.DRAM ?? 0),
      value: (one) => one.growth_bytes_per_bank?.DRAM ?? 0,
    },
    {
      title: "L1 growth",
      unit: "MB per bank",
      hint: "Sum of positive own growths",
      numeric: true,
      text: (one) => mib(one.growth_bytes_per_bank?.L1 ?? 0),
      value: (one) => one.growth_bytes_per_bank?.L1 ?? 0,
    },
  ];
  return (
    <div class="kinds-panel">
      <h3>Operations by kind{page.header.ranks.length > 1 ? ", all ranks" : ""}</h3>
      <Table label="Operations by kind" columns={columns} records={records} first={12} />
    </div>
  );
}

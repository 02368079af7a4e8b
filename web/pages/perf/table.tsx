// The table of ops: sorted and filtered, only the visible rows are in the page.
import { useMemo, useState } from "preact/hooks";
import { count, us, visible } from "kit/format";
import { Section } from "kit/sections";
import { Grid } from "kit/table/grid";
import type { GridColumn } from "kit/table/grid";
import { nextOrder } from "kit/table/order";
import type { Order } from "kit/table/order";
import { NONE } from "./data";
import type { PerfData } from "./data";
import { shownName } from "./names";
import { categoryOf, isFiltered, NO_FILTER } from "./view";
import type { Filter } from "./view";

type Value = number | string;

interface OpColumn extends GridColumn {
  text(data: PerfData, row: number): string;
  value(data: PerfData, row: number): Value;
}

const number = (value: number, scale: number, decimals: number) => (value < 0 ? "" : (value / scale).toFixed(decimals));
const device = (data: PerfData, row: number) => (data.rows.x[row] === NONE ? -1 : data.executions.device[data.rows.x[row]]);

/** Shapes, types and places of its tensors in one line. */
const tensorLine = (data: PerfData, row: number) => data.kinds.tensors[data.rows.kind[row]].replaceAll("\n", "; ");

export const COLUMNS: OpColumn[] = [
  { id: "ID", title: "ID", width: 48, numeric: true, text: (d, r) => String(d.rows.id[r]), value: (d, r) => d.rows.id[r] },
  { id: "Total %", title: "Total", unit: "%", width: 54, numeric: true, text: (d, r) => number(d.rows.total[r], 1e4, d.rows.total[r] >= 1e6 ? 0 : 2), value: (d, r) => d.rows.total[r] },
  { id: "Op", title: "Op", width: 170, text: (d, r) => shownName(d.kinds.label[d.rows.kind[r]]), value: (d, r) => d.kinds.label[d.rows.kind[r]] },
  { id: "Category", title: "Category", width: 74, text: (d, r) => (d.rows.form[r] === 2 ? "signpost" : d.header.categories[categoryOf(d, r)]), value: (d, r) => (d.rows.form[r] === 2 ? NONE : categoryOf(d, r)) },
  { id: "Device", title: "Device", width: 58, numeric: true, text: (d, r) => (device(d, r) < 0 ? "" : String(device(d, r))), value: device },
  { id: "Time μs", title: "Time", unit: "μs", width: 66, numeric: true, text: (d, r) => us(d.rows.deviceNs[r] / 1000), value: (d, r) => d.rows.deviceNs[r] },
  { id: "Gap μs", title: "Gap", unit: "μs", width: 78, numeric: true, text: (d, r) => us(d.rows.gapNs[r] / 1000), value: (d, r) => d.rows.gapNs[r] },
  { id: "Cause", title: "Cause", width: 70, text: (d, r) => (d.rows.gapNs[r] > 6500 ? d.header.causes[d.rows.cause[r]] : ""), value: (d, r) => d.rows.cause[r] },
  { id: "Cores", title: "Cores", width: 52, numeric: true, text: (d, r) => (d.kinds.cores[d.rows.kind[r]] === NONE ? "" : String(d.kinds.cores[d.rows.kind[r]])), value: (d, r) => (d.kinds.cores[d.rows.kind[r]] === NONE ? -1 : d.kinds.cores[d.rows.kind[r]]) },
  { id: "Bound", title: "Bound", width: 72, text: (d, r) => (d.rows.form[r] === 2 ? "" : d.header.limits[d.rows.limit[r]]), value: (d, r) => d.rows.limit[r] },
  { id: "At peak %", title: "At peak", unit: "%", width: 62, numeric: true, text: (d, r) => (d.rows.idealNs[r] > 0 && d.rows.deviceNs[r] > 0 ? ((d.rows.idealNs[r] / d.rows.deviceNs[r]) * 100).toFixed(1) : ""), value: (d, r) => (d.rows.idealNs[r] > 0 ? d.rows.idealNs[r] / d.rows.deviceNs[r] : -1) },
  { id: "Model", title: "Model", width: 58, text: (d, r) => (d.rows.idealNs[r] > 0 ? d.header.models[d.rows.model[r]] : ""), value: (d, r) => d.rows.model[r] },
  { id: "DRAM %", title: "DRAM", unit: "%", width: 56, numeric: true, text: (d, r) => number(d.rows.dram[r], 1e3, 1), value: (d, r) => d.rows.dram[r] },
  { id: "FLOPs %", title: "FLOPs", unit: "%", width: 58, numeric: true, text: (d, r) => number(d.rows.flops[r], 1e3, 1), value: (d, r) => d.rows.flops[r] },
  { id: "Tensors", title: "Tensors", width: 150, text: (d, r) => visible(tensorLine(d, r)), value: tensorLine },
  { id: "Fidelity", title: "Fidelity", width: 80, text: (d, r) => visible(d.kinds.fidelity[d.rows.kind[r]]), value: (d, r) => d.kinds.fidelity[d.rows.kind[r]] },
];

/** Rows that match, in order; `matches` null: all of them. */
export function orderRows(data: PerfData, matches: Uint8Array | null, { column, descending }: Order): Uint32Array {
  const rows: number[] = [];
  for (let row = 0; row < data.rows.count; row++) if (matches === null || matches[row] === 1) rows.push(row);
  const sorting = COLUMNS.find((one) => one.id === column);
  if (sorting && (sorting !== COLUMNS[0] || descending)) {
    const { value } = sorting;
    const values: Value[] = new Array(data.rows.count);
    for (const row of rows) values[row] = value(data, row);
    const sign = descending ? -1 : 1;
    rows.sort((a, b) => {
      const first = values[a];
      const second = values[b];
      return first === second ? a - b : first < second ? -sign : sign;
    });
  }
  return Uint32Array.from(rows);
}

interface Props {
  data: PerfData;
  filter: Filter;
  matches: Uint8Array | null;
  selected: number | null;
  onFilter(filter: Partial<Filter>): void;
  onSelect(row: number): void;
}

function Filters({ data, filter, onFilter }: Pick<Props, "data" | "filter" | "onFilter">) {
  const { categories, bounds, gaps } = data.document;
  const choice = (key: "category" | "limit" | "cause", label: string, names: string[]) => (
    <select aria-label={label} value={filter[key]} onChange={(event) => onFilter({ [key]: event.currentTarget.value })}>
      <option value="">{label}: all</option>
      {names.map((name) => <option key={name} value={name}>{label}: {name}</option>)}
    </select>
  );
  return (
    <div class="tools">
      <input type="search" id="find" placeholder="name, type or row ( / )" aria-label="Find ops by name, data type or row" value={filter.find} onInput={(event) => onFilter({ find: event.currentTarget.value })} />
      {choice("category", "category", categories.map((one) => one.category))}
      {choice("limit", "bound", bounds.map((one) => one.bound))}
      {choice("cause", "gap", gaps.map((one) => one.cause))}
      {isFiltered(filter) && <button type="button" onClick={() => onFilter(NO_FILTER)}>Show all</button>}
    </div>
  );
}

/** Ids come in the order of the run. */
const RUN_ORDER: Order = { column: COLUMNS[0].id, descending: false };

function Cell({ data, row, column }: { data: PerfData; row: number; column: OpColumn }) {
  const text = column.text(data, row);
  return column.numeric ? <>{text}</> : <span title={text}>{text}</span>;
}

/** What the rows shown add up to, gaps without compiling; all of them where there is no filter. */
export function sumOf(data: PerfData, rows: Uint32Array): { us: number; gapUs: number; percent: number } {
  const sum = { us: 0, gapUs: 0, percent: 0 };
  const compile = data.header.causes.indexOf("compile");
  for (const row of rows) {
    sum.us += Math.max(0, data.rows.deviceNs[row]) / 1000;
    if (data.rows.cause[row] !== compile) sum.gapUs += Math.max(0, data.rows.gapNs[row]) / 1000;
    sum.percent += Math.max(0, data.rows.total[row]) / 1e4;
  }
  return sum;
}

export function OpsTable({ data, filter, matches, selected, onFilter, onSelect }: Props) {
  const [order, setOrder] = useState(RUN_ORDER);
  const rows = useMemo(() => orderRows(data, matches, order), [data, matches, order]);
  const sum = useMemo(() => sumOf(data, rows), [data, rows]);
  const active = useMemo(() => (selected === null ? -1 : rows.indexOf(selected)), [rows, selected]);
  return (
    <Section id="ops" title="Ops" hint={`${count(rows.length)} of ${count(data.rows.count)} rows; a click on a column sorts`}>
      <p id="ops-sum">Shown: {us(sum.us)} μs of device time, {us(sum.gapUs)} μs of gaps without compiling, {sum.percent.toFixed(1)} % of the time.</p>
      <Filters data={data} filter={filter} onFilter={onFilter} />
      <Grid
        id="ops-grid"
        label="Ops"
        columns={COLUMNS}
        rows={rows.length}
        visibleRows={18}
        cell={(row, column) => <Cell data={data} row={rows[row]} column={COLUMNS[column]} />}
        rowClass={(row) => `form-${data.rows.form[rows[row]]}`}
        active={active}
        onActivate={(row) => onSelect(rows[row])}
        order={order}
        onSort={(column) => setOrder(nextOrder(order, column, column.numeric === true && column.id !== COLUMNS[0].id))}
        empty="No op matches."
      />
    </Section>
  );
}

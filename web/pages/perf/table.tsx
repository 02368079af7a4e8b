// The table of ops: sorted and filtered, only the visible rows are in the page.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { count, visible } from "kit/format";
import { scrollHeight, scrollOfTop, topOfScroll, topToShow } from "kit/table/scroll";
import { NONE, us } from "./data";
import type { PerfData } from "./data";
import { categoryOf, isFiltered, NO_FILTER } from "./view";
import type { Filter } from "./view";

const ROW = 24;
const VIEW = 432;

type Value = number | string;
interface Column {
  name: string;
  text(data: PerfData, row: number): string;
  value(data: PerfData, row: number): Value;
  left?: boolean;
}

const number = (value: number, scale: number, decimals: number) => (value < 0 ? "" : (value / scale).toFixed(decimals));
const device = (data: PerfData, row: number) => (data.rows.x[row] === NONE ? -1 : data.executions.device[data.rows.x[row]]);

export const COLUMNS: Column[] = [
  { name: "ID", text: (d, r) => String(d.rows.id[r]), value: (d, r) => d.rows.id[r] },
  { name: "Total %", text: (d, r) => number(d.rows.total[r], 1e4, 2), value: (d, r) => d.rows.total[r] },
  { name: "Op", left: true, text: (d, r) => visible(d.kinds.label[d.rows.kind[r]]), value: (d, r) => d.kinds.label[d.rows.kind[r]] },
  { name: "Category", left: true, text: (d, r) => (d.rows.form[r] === 2 ? "signpost" : d.header.categories[categoryOf(d, r)]), value: (d, r) => (d.rows.form[r] === 2 ? NONE : categoryOf(d, r)) },
  { name: "Device", text: (d, r) => (device(d, r) < 0 ? "" : String(device(d, r))), value: device },
  { name: "Time μs", text: (d, r) => us(d.rows.deviceNs[r] / 1000), value: (d, r) => d.rows.deviceNs[r] },
  { name: "Gap μs", text: (d, r) => us(d.rows.gapNs[r] / 1000), value: (d, r) => d.rows.gapNs[r] },
  { name: "Cause", left: true, text: (d, r) => (d.rows.gapNs[r] > 6500 ? d.header.causes[d.rows.cause[r]] : ""), value: (d, r) => d.rows.cause[r] },
  { name: "Cores", text: (d, r) => (d.kinds.cores[d.rows.kind[r]] === NONE ? "" : String(d.kinds.cores[d.rows.kind[r]])), value: (d, r) => (d.kinds.cores[d.rows.kind[r]] === NONE ? -1 : d.kinds.cores[d.rows.kind[r]]) },
  { name: "Bound", left: true, text: (d, r) => (d.rows.form[r] === 2 ? "" : d.header.limits[d.rows.limit[r]]), value: (d, r) => d.rows.limit[r] },
  { name: "At peak %", text: (d, r) => (d.rows.idealNs[r] > 0 && d.rows.deviceNs[r] > 0 ? ((d.rows.idealNs[r] / d.rows.deviceNs[r]) * 100).toFixed(1) : ""), value: (d, r) => (d.rows.idealNs[r] > 0 ? d.rows.idealNs[r] / d.rows.deviceNs[r] : -1) },
  { name: "Model", left: true, text: (d, r) => (d.rows.idealNs[r] > 0 ? d.header.models[d.rows.model[r]] : ""), value: (d, r) => d.rows.model[r] },
  { name: "DRAM %", text: (d, r) => number(d.rows.dram[r], 1e3, 1), value: (d, r) => d.rows.dram[r] },
  { name: "FLOPs %", text: (d, r) => number(d.rows.flops[r], 1e3, 1), value: (d, r) => d.rows.flops[r] },
  { name: "Fidelity", left: true, text: (d, r) => visible(d.kinds.fidelity[d.rows.kind[r]]), value: (d, r) => d.kinds.fidelity[d.rows.kind[r]] },
];

/** Rows that match, in order; `matches` null: all of them. */
export function orderRows(data: PerfData, matches: Uint8Array | null, column: number, descending: boolean): Uint32Array {
  const rows: number[] = [];
  for (let row = 0; row < data.rows.count; row++) if (matches === null || matches[row] === 1) rows.push(row);
  if (column > 0 || descending) {
    const { value } = COLUMNS[column];
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
      {names.map((name) => <option key={name} value={name}>{label}: {key === "cause" && name === "none" ? "launch" : name}</option>)}
    </select>
  );
  return (
    <div class="tools">
      <input class="search" type="search" id="find" placeholder="name, type or row ( / )" aria-label="Find ops by name, data type or row" value={filter.find} onInput={(event) => onFilter({ find: event.currentTarget.value })} />
      {choice("category", "category", categories.map((one) => one.category))}
      {choice("limit", "bound", bounds.map((one) => one.bound))}
      {choice("cause", "gap", gaps.map((one) => one.cause))}
      {isFiltered(filter) && <button type="button" onClick={() => onFilter(NO_FILTER)}>Show all</button>}
    </div>
  );
}

interface Order {
  column: number;
  descending: boolean;
}

function GridHead({ order, onOrder }: { order: Order; onOrder(order: Order): void }) {
  return (
    <div class="grid-head" role="row">
      {COLUMNS.map((column, index) => (
        <div role="columnheader" key={column.name} aria-sort={order.column === index ? (order.descending ? "descending" : "ascending") : "none"}>
          <button
            type="button"
            class={column.left ? "left" : ""}
            onClick={() => onOrder({ column: index, descending: order.column === index ? !order.descending : index > 0 && !column.left })}
          >
            {column.name}
            {order.column === index ? (order.descending ? " ▾" : " ▴") : ""}
          </button>
        </div>
      ))}
    </div>
  );
}

/** How far a key moves the choice in the table; null: not a key of the table. */
function stepOf(key: string, rows: number): number | null {
  const page = Math.floor(VIEW / ROW) - 1;
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows, End: rows };
  return steps[key] ?? null;
}

export function OpsTable({ data, filter, matches, selected, onFilter, onSelect }: Props) {
  const [order, setOrder] = useState<Order>({ column: 0, descending: false });
  const [top, setTop] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => orderRows(data, matches, order.column, order.descending), [data, matches, order]);
  const shape = { rows: rows.length, rowHeight: ROW, viewHeight: VIEW };

  useEffect(() => {
    if (selected === null || !scroller.current) return;
    const at = rows.indexOf(selected);
    if (at >= 0) scroller.current.scrollTop = scrollOfTop(shape, topToShow(shape, top, at, false));
  }, [selected, rows]);

  const onKey = (event: KeyboardEvent) => {
    const step = stepOf(event.key, rows.length);
    if (step === null || rows.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const at = selected === null ? -1 : rows.indexOf(selected);
    onSelect(rows[Math.min(rows.length - 1, Math.max(0, at < 0 ? 0 : at + step))]);
  };
  const first = Math.floor(top);
  const shown = Array.from(rows.subarray(first, first + Math.ceil(VIEW / ROW) + 1));
  const height = Math.min(VIEW, Math.max(3, rows.length) * ROW);
  return (
    <section class="section" id="ops">
      <h2>
        Ops <small>{count(rows.length)} of {count(data.rows.count)} rows; a click on a column sorts</small>
      </h2>
      <Filters data={data} filter={filter} onFilter={onFilter} />
      <div class="grid" role="grid" aria-rowcount={rows.length + 1} aria-label="Ops">
        <GridHead order={order} onOrder={setOrder} />
        <div class="grid-scroll" ref={scroller} style={{ height: `${height}px` }} tabIndex={0} aria-label="Rows; arrow keys choose" onKeyDown={onKey} onScroll={(event) => setTop(topOfScroll(shape, event.currentTarget.scrollTop))}>
          <div style={{ height: `${rows.length * ROW <= height ? height : scrollHeight(shape)}px` }} />
          <div class="grid-window" style={{ transform: `translateY(${-(top - first) * ROW}px)` }}>
            {rows.length === 0 && <p class="muted">No op matches.</p>}
            {shown.map((row, index) => (
              <div
                role="row"
                aria-rowindex={first + index + 2}
                aria-selected={row === selected}
                class={`grid-row form-${data.rows.form[row]}${row === selected ? " selected" : ""}`}
                key={row}
                onClick={() => onSelect(row)}
              >
                {COLUMNS.map((column) => (
                  <span role="gridcell" class={column.left ? "left" : ""} key={column.name} title={column.left ? column.text(data, row) : undefined}>
                    {column.text(data, row)}
                  </span>
                ))}
              </div>
            ))}
          </div>
        </div>
      </div>
    </section>
  );
}

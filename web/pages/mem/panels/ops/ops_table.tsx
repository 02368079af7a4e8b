// The table of all ops, in step with the charts: the op selected there is the row marked here.

import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { count, mib, plural } from "kit/format";
import { actions } from "../../keys";
import { notify } from "kit/notice";
import { hover, store, useView } from "../../state";
import { selectOp } from "../../viewport";
import { Grid } from "kit/table/grid";
import type { GridColumn } from "kit/table/grid";
import { copyText, download } from "kit/clipboard";
import { Middle } from "kit/parts";
import type { PanelProps } from "../parts";
import { hits } from "../../hits";
import { Latest } from "kit/slices";
import type { Slicer } from "kit/slices";
import { lowerBound } from "../states";
import { makeColumns } from "./columns";
import type { Column } from "./columns";
import { csvHead, csvLines, markdownTable } from "kit/table/export";
import { filterFromText, filterToText } from "./filter";
import type { OpFilter } from "./filter";
import { columnsToText, growthSum, nextSort, sheetOf, shownColumns, sortFromText, sortToText, tableRows, unreadable } from "./model";

const MARKDOWN_ROWS = 200;

function useHits() {
  const [, render] = useReducer((n: number) => n + 1, 0);
  useEffect(() => hits.subscribe(() => render(undefined)), []);
  return hits.get();
}

interface Rows {
  rows: Uint32Array;
  busy: boolean;
}

/** The rows that filter and sort ask for. The old ones stay on show until the new ones are there. */
function useRows(props: PanelProps, columns: Column[]): Rows & { filter: OpFilter } {
  const { rank } = props;
  const filterText = useView((view) => view.filter);
  const sortText = useView((view) => view.sort);
  const range = useView((view) => view.range);
  const found = useHits();
  const filter = useMemo(() => filterFromText(filterText), [filterText]);
  const [state, setState] = useState<Rows>({ rows: new Uint32Array(0), busy: true });
  const latest = useRef(new Latest());
  const usedRange = filter.range && range ? range.join() : "";
  const usedHits = filter.hits ? found : null;
  useEffect(() => {
    setState((now) => ({ ...now, busy: true }));
    const request = {
      rank,
      columns,
      filter,
      sort: sortFromText(sortText),
      range,
      hits: usedHits?.rank === rank.index ? usedHits.found : null,
    };
    void latest.current.run(
      (slicer) => tableRows(request, slicer),
      (rows) => setState({ rows, busy: false }),
    );
  }, [rank, filterText, sortText, usedRange, usedHits]);
  useEffect(() => () => latest.current.cancel(), []);
  return { ...state, filter };
}

function setFilter(filter: OpFilter): void {
  store.set({ filter: filterToText(filter) });
}

function FilterInput({ column, filter, wrong }: { column: GridColumn; filter: OpFilter; wrong: boolean }) {
  const hint = column.numeric ? "e.g. > 1.5 or 2 .. 4" : "words; -word leaves out";
  return (
    <input
      type="search"
      class={wrong ? "column-filter wrong" : "column-filter"}
      value={filter.text[column.id] ?? ""}
      placeholder={column.numeric ? "> …" : "filter"}
      title={wrong ? `Cannot be read; ${hint}` : hint}
      aria-label={`Filter by ${column.title}: ${hint}`}
      aria-invalid={wrong}
      onInput={(event) => setFilter({ ...filter, text: { ...filter.text, [column.id]: event.currentTarget.value } })}
      onKeyDown={(event) => {
        if (event.key !== "Escape") event.stopPropagation();
      }}
    />
  );
}

function ColumnChooser({ all, shown }: { all: Column[]; shown: Column[] }) {
  const toggle = (column: Column) => {
    const next = shown.includes(column)
      ? shown.filter((one) => one !== column)
      : all.filter((one) => one === column || shown.includes(one));
    store.set({ columns: columnsToText(all, next) });
  };
  return (
    <details class="chooser">
      <summary>
        Columns ({shown.length} of {all.length})
      </summary>
      <div class="chooser-list" role="group" aria-label="Columns shown">
        {all.map((column) => (
          <label key={column.id} title={column.hint}>
            <input
              type="checkbox"
              checked={shown.includes(column)}
              disabled={shown.length === 1 && shown.includes(column)}
              onChange={() => toggle(column)}
            />{" "}
            {column.title}
          </label>
        ))}
        <button type="button" onClick={() => store.set({ columns: "" })}>
          Usual columns
        </button>
      </div>
    </details>
  );
}

/** Writes in slices: two million lines must not freeze the page. */
async function csvParts(columns: Column[], rows: Uint32Array, slicer: Slicer): Promise<string[]> {
  const sheet = sheetOf(columns, true);
  const parts = [csvHead(sheet)];
  await slicer.steps(rows.length, 2000, (from, to) => void parts.push(csvLines(sheet, rows, from, to)));
  return parts;
}

/** What `y` copies: the selected op, else the selected range, else the first rows. */
function copyRows(columns: Column[], rows: Uint32Array): void {
  const { op, range } = store.get();
  const selected = op !== null && range === null ? rows.filter((row) => row === op) : rows;
  const some = (selected.length > 0 ? selected : rows).slice(0, MARKDOWN_ROWS);
  const left = rows.length - some.length;
  const note = left > 0 && selected === rows ? ` (the first ${MARKDOWN_ROWS} of ${count(rows.length)})` : "";
  void copyText(markdownTable(sheetOf(columns, false), some), `${plural(some.length, "op")} as markdown${note}`);
}

function Tools({ all, shown, rows, filter, name }: { all: Column[]; shown: Column[]; rows: Uint32Array; filter: OpFilter; name: string }) {
  const range = useView((view) => view.range);
  const query = useView((view) => view.query);
  const [writing] = useState(() => new Latest());
  const save = () => {
    notify(`Writing ${plural(rows.length, "row")}…`);
    void writing.run(
      (slicer) => csvParts(shown, rows, slicer),
      (parts) => {
        download(`${name}_ops.csv`, parts, "text/csv");
        notify(`Wrote ${plural(rows.length, "row")}`);
      },
    );
  };
  const filtered = Object.values(filter.text).some((text) => text !== "");
  return (
    <div class="tools">
      <label>
        <input type="checkbox" checked={filter.counted} onChange={() => setFilter({ ...filter, counted: !filter.counted })} /> counted ops
        only
      </label>
      {range ? (
        <label>
          <input type="checkbox" checked={filter.range} onChange={() => setFilter({ ...filter, range: !filter.range })} /> only ops{" "}
          {count(Math.max(0, Math.floor(range[0])))} to {count(Math.ceil(range[1]) - 1)} selected on the chart
        </label>
      ) : null}
      {query ? (
        <label>
          <input type="checkbox" checked={filter.hits} onChange={() => setFilter({ ...filter, hits: !filter.hits })} /> only what the search
          finds
        </label>
      ) : null}
      {filtered ? (
        <button type="button" onClick={() => setFilter({ ...filter, text: {} })}>
          Clear column filters
        </button>
      ) : null}
      <span class="spacer" />
      <ColumnChooser all={all} shown={shown} />
      <button type="button" onClick={() => copyRows(shown, rows)} title="Key Y">
        Copy as markdown
      </button>
      <button type="button" onClick={save}>
        Download CSV
      </button>
    </div>
  );
}

/** Where an op stands among rows; rows in the order of execution are searched by halves. */
function placeOf(rows: Uint32Array, op: number | null, inOrder: boolean): number {
  if (op === null) return -1;
  if (!inOrder) return rows.indexOf(op);
  const low = lowerBound(rows, op);
  return rows[low] === op ? low : -1;
}

function Cell({ column, op }: { column: Column; op: number }) {
  const text = column.text(op);
  if (column.numeric) return <>{text}</>;
  return column.id === "loc" ? <Middle text={text} /> : <span title={text}>{text}</span>;
}

function Foot({ props, rows, busy }: { props: PanelProps; rows: Uint32Array; busy: boolean }) {
  const { rank } = props;
  const sums = useMemo(() => ({ DRAM: growthSum(rank, rows, "DRAM"), L1: growthSum(rank, rows, "L1") }), [rank, rows]);
  return (
    <p class="muted table-foot" role="status">
      {plural(rows.length, "op")} of {count(rank.ops)} executed{busy ? " (working…)" : ""}; growth of those shown, per bank: DRAM +
      {mib(sums.DRAM)} MB, L1 +{mib(sums.L1)} MB
    </p>
  );
}

export function OpsTable(props: PanelProps) {
  const { page, rank } = props;
  const all = useMemo(() => makeColumns(page, rank), [page, rank]);
  const chosen = useView((view) => view.columns);
  const sortText = useView((view) => view.sort);
  const op = useView((view) => view.op);
  const shown = useMemo(() => shownColumns(all, chosen), [all, chosen]);
  const { rows, busy, filter } = useRows(props, all);
  const found = useHits();
  const wrong = useMemo(() => unreadable(all, filter), [all, filter]);
  const sort = sortFromText(sortText);
  const active = useMemo(() => placeOf(rows, op, sortText === ""), [rows, op, sortText]);
  useEffect(() => {
    actions.copySelection = () => copyRows(shown, rows);
  }, [shown, rows]);
  const marked = found !== null && found.rank === rank.index && found.query !== "";
  return (
    <div class="ops-table">
      <Tools all={all} shown={shown} rows={rows} filter={filter} name={page.header.name} />
      <Grid
        id="ops-grid"
        label="All ops"
        columns={shown}
        rows={rows.length}
        visibleRows={20}
        cell={(row, column) => <Cell column={shown[column]} op={rows[row]} />}
        rowClass={(row) => (marked ? (found.found[rows[row]] === 1 ? "hit" : "dim") : "")}
        active={active}
        onActivate={(row) => selectOp(rank, rows[row])}
        onHover={(row) => hover.set({ op: row === null ? null : rows[row] })}
        order={sort}
        onSort={(column) => store.set({ sort: sortToText(nextSort(sort, column)) })}
        under={(column) => <FilterInput column={column} filter={filter} wrong={wrong.has(column.id)} />}
        empty={busy ? "Working…" : "No op passes the filter."}
      />
      <Foot props={props} rows={rows} busy={busy} />
      {op !== null && active < 0 && !busy ? <p class="muted">Op #{count(op)} is selected but filtered out of this table.</p> : null}
    </div>
  );
}

// A table of records: sortable, opened by steps, copied as markdown. Tables of any length are a Grid.
import type { ComponentChildren, HTMLAttributes } from "preact";
import { useMemo, useState } from "preact/hooks";
import { copyText } from "../clipboard";
import { count } from "../format";
import { Breakable } from "../parts";
import { markdownTable } from "./export";
import { ariaSort, ColumnTitle } from "./head";
import { nextOrder, ordered } from "./order";
import type { ColumnHead, Order } from "./order";

export interface Column<T> extends Omit<ColumnHead, "id"> {
  /** Title and unit unless it is given. */
  id?: string;
  /** Plain text of the cell, safe to show: for sorting of texts, for markdown, and shown unless `cell` is given. */
  text(record: T): string;
  /** Figure to sort by; without it the column sorts by its text. */
  value?(record: T): number;
  /** The largest first where the column is no figure. */
  largestFirst?: boolean;
  cell?(record: T): ComponentChildren;
  class?: string;
  /** The column has no order. */
  unsorted?: boolean;
}

interface TableProps<T> {
  id?: string;
  label: string;
  columns: Column<T>[];
  records: T[];
  /** Records shown at first. */
  first?: number;
  /** How the records are sorted by themselves. */
  order?: Order;
  keyOf?(record: T, index: number): string | number;
  rowProps?(record: T): HTMLAttributes<HTMLTableRowElement>;
  /** One of several beside each other: no wider than its content, and without tools. */
  compact?: boolean;
  foot?: ComponentChildren;
}

/** No more than these come at once. */
const STEP = 500;

const titleOf = ({ title, unit }: { title: string; unit?: string }) => (unit ? `${title} (${unit})` : title);
const idOf = <T,>(column: Column<T>) => column.id ?? titleOf(column);

function asMarkdown<T>(columns: Column<T>[], records: T[]): string {
  const sheet = {
    titles: columns.map(titleOf),
    numeric: columns.map((column) => column.numeric === true),
    cell: (row: number, column: number) => columns[column].text(records[row]),
  };
  return markdownTable(sheet, records.map((_, index) => index));
}

const classOf = (column: { numeric?: boolean; class?: string }) => `${column.numeric ? "numeric" : ""} ${column.class ?? ""}`.trim() || undefined;

function cellOf<T>(column: Column<T>, record: T): ComponentChildren {
  if (column.cell) return column.cell(record);
  return column.numeric ? column.text(record) : <Breakable text={column.text(record)} />;
}

function Tools({ all, shown, first, onShow, onCopy }: { all: number; shown: number; first: number; onShow(rows: number): void; onCopy?: () => void }) {
  const rest = all - shown;
  return (
    <div class="tools small">
      {rest > STEP ? <button type="button" onClick={() => onShow(shown + STEP)}>Show {count(STEP)} more of {count(all)}</button> : null}
      {rest > 0 && rest <= STEP ? <button type="button" onClick={() => onShow(all)}>Show all {count(all)}</button> : null}
      {shown > first ? <button type="button" onClick={() => onShow(first)}>Show the first {count(first)}</button> : null}
      {onCopy ? <button type="button" onClick={onCopy}>Copy as markdown</button> : null}
    </div>
  );
}

export function Table<T>(props: TableProps<T>) {
  const { columns, records, first = 10, compact = false, keyOf = (_, index) => index } = props;
  const [order, setOrder] = useState<Order | null>(props.order ?? null);
  const [room, setRoom] = useState(first);
  const sorted = useMemo(() => {
    const column = order && columns.find((one) => idOf(one) === order.column);
    return column ? ordered(records, column.value ?? column.text, order.descending) : records;
  }, [records, order]);
  const shown = sorted.slice(0, room);
  const copy = compact ? undefined : () => void copyText(asMarkdown(columns, shown), `${count(shown.length)} rows as markdown`);
  return (
    <div class={compact ? "table compact" : "table"}>
      <div class="scroll-x" tabIndex={0} role="region" aria-label={props.label}>
        <table id={props.id} aria-label={props.label}>
          <thead>
            <tr>
              {columns.map((column) => {
                const head = { ...column, id: idOf(column) };
                return (
                  <th key={head.id} scope="col" class={classOf(column)} title={column.hint} aria-sort={ariaSort(order, head.id)}>
                    <ColumnTitle column={head} order={order} onSort={column.unsorted ? undefined : () => setOrder(nextOrder(order, head, column.largestFirst))} />
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {shown.map((record, index) => (
              <tr key={keyOf(record, index)} {...props.rowProps?.(record)}>
                {columns.map((column) => <td key={idOf(column)} class={classOf(column)}>{cellOf(column, record)}</td>)}
              </tr>
            ))}
          </tbody>
          {props.foot ? <tfoot>{props.foot}</tfoot> : null}
        </table>
      </div>
      {compact && sorted.length <= first ? null : <Tools all={sorted.length} shown={shown.length} first={first} onShow={setRoom} onCopy={copy} />}
    </div>
  );
}

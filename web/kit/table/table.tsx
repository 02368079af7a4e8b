// A plain table for lists of tens to hundreds of records, sortable, with a button that copies it as markdown.

import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { count } from "../format";
import { Breakable, copyText } from "../../pages/mem/panels/parts";
import { markdownTable } from "./export";

export interface SmallColumn<T> {
  title: string;
  hint?: string;
  numeric?: boolean;
  /** Plain text of the cell: for sorting of texts, for markdown, and shown unless `cell` is given. */
  text(record: T): string;
  /** Figure to sort by; without it the column sorts by its text. */
  value?(record: T): number;
  cell?(record: T): ComponentChildren;
  class?: string;
}

interface Props<T> {
  label: string;
  columns: SmallColumn<T>[];
  records: T[];
  /** Records shown before "show all". */
  first?: number;
  rowClass?(record: T): string;
  onHover?(record: T | null): void;
  foot?: ComponentChildren;
}

type Order = { column: number; descending: boolean } | null;

function ordered<T>(records: T[], columns: SmallColumn<T>[], order: Order): T[] {
  if (!order) return records;
  const { text, value } = columns[order.column];
  const sign = order.descending ? -1 : 1;
  const compare = (a: T, b: T) => (value ? value(a) - value(b) : text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0);
  return [...records].sort((a, b) => sign * compare(a, b));
}

function asMarkdown<T>(columns: SmallColumn<T>[], records: T[]): string {
  const sheet = {
    titles: columns.map((column) => column.title),
    numeric: columns.map((column) => column.numeric === true),
    cell: (row: number, column: number) => columns[column].text(records[row]),
  };
  return markdownTable(
    sheet,
    records.map((_, index) => index),
  );
}

function Head<T>({ columns, order, onSort }: { columns: SmallColumn<T>[]; order: Order; onSort(column: number): void }) {
  return (
    <thead>
      <tr>
        {columns.map((column, index) => {
          const sorted = order?.column === index ? order : null;
          return (
            <th
              key={column.title}
              scope="col"
              class={column.numeric ? "numeric" : ""}
              title={column.hint}
              aria-sort={sorted ? (sorted.descending ? "descending" : "ascending") : undefined}
            >
              <button type="button" onClick={() => onSort(index)}>
                {column.title}
                <span class="grid-mark" aria-hidden="true">
                  {sorted ? (sorted.descending ? " ▼" : " ▲") : ""}
                </span>
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

export function SmallTable<T>(props: Props<T>) {
  const { columns, records, first = 10 } = props;
  const [order, setOrder] = useState<Order>(null);
  const [all, setAll] = useState(false);
  const sorted = useMemo(() => ordered(records, columns, order), [records, order]);
  const shown = all ? sorted : sorted.slice(0, first);
  const sortBy = (column: number) =>
    setOrder((now) => ({ column, descending: now?.column === column ? !now.descending : columns[column].numeric === true }));
  return (
    <div class="small-table">
      <div class="table-scroll" tabIndex={0} role="region" aria-label={props.label}>
        <table aria-label={props.label}>
          <Head columns={columns} order={order} onSort={sortBy} />
          <tbody>
            {shown.map((record, row) => (
              <tr
                key={row}
                class={props.rowClass?.(record)}
                onPointerEnter={props.onHover ? () => props.onHover?.(record) : undefined}
                onPointerLeave={props.onHover ? () => props.onHover?.(null) : undefined}
              >
                {columns.map((column) => (
                  <td key={column.title} class={`${column.numeric ? "numeric" : ""} ${column.class ?? ""}`}>
                    {column.cell ? column.cell(record) : column.numeric ? column.text(record) : <Breakable text={column.text(record)} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {props.foot ? <tfoot>{props.foot}</tfoot> : null}
        </table>
      </div>
      <div class="table-tools">
        {sorted.length > first ? (
          <button type="button" onClick={() => setAll(!all)}>
            {all ? `Show the first ${first}` : `Show all ${count(sorted.length)}`}
          </button>
        ) : null}
        <button type="button" onClick={() => void copyText(asMarkdown(columns, shown), `${count(shown.length)} rows as markdown`)}>
          Copy as markdown
        </button>
      </div>
    </div>
  );
}

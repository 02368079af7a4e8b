// The ops table without its looks: which rows it has, in which order, and what they give out.

import { FLAG_COUNTED } from "../../data/rank";
import type { RankData } from "../../data/rank";
import type { Slicer } from "kit/slices";
import type { Column } from "./columns";
import type { Sheet } from "kit/table/export";
import type { OpFilter } from "./filter";
import { nextOrder } from "kit/table/order";
import type { ColumnHead, Order } from "kit/table/order";
import { sortRows } from "kit/table/radix";

/** As text "dram.grow" or "-dram.grow"; "" is the order of execution. */
export type Sort = Order;

export function sortFromText(text: string): Sort {
  return text.startsWith("-") ? { column: text.slice(1), descending: true } : { column: text || "op", descending: false };
}

export function sortToText(sort: Sort): string {
  if (sort.column === "op" && !sort.descending) return "";
  return `${sort.descending ? "-" : ""}${sort.column}`;
}

/** Figures are first sorted with the largest on top, texts and indices from the start; then the other way. */
export function nextSort(sort: Sort, column: ColumnHead): Sort {
  return nextOrder(sort, column, column.numeric && column.id !== "op" && column.id !== "line");
}

/** Columns shown: those chosen ("op,name"), or the usual ones for "". */
export function shownColumns(all: Column[], chosen: string): Column[] {
  if (chosen === "") return all.filter((column) => column.usual);
  const ids = new Set(chosen.split(","));
  const shown = all.filter((column) => ids.has(column.id));
  return shown.length > 0 ? shown : all.filter((column) => column.usual);
}

export function columnsToText(all: Column[], shown: Column[]): string {
  const usual = all.filter((column) => column.usual);
  const same = usual.length === shown.length && usual.every((column) => shown.includes(column));
  return same ? "" : shown.map((column) => column.id).join(",");
}

export interface RowRequest {
  rank: RankData;
  columns: Column[];
  filter: OpFilter;
  sort: Sort;
  /** Area selected on the chart, in ops. */
  range: [number, number] | null;
  /** One byte for each op: 1 where the search matches. */
  hits: Uint8Array | null;
}

type Condition = (op: number) => boolean;

/** Ids of columns whose typed filter cannot be read: they filter nothing and are marked. */
export function unreadable(columns: Column[], filter: OpFilter): Set<string> {
  const typed = columns.filter((column) => filter.text[column.id]?.trim());
  return new Set(typed.filter((column) => column.condition(filter.text[column.id]) === null).map((column) => column.id));
}

function conditionsOf(request: RowRequest): Condition[] {
  const conditions: Condition[] = [];
  const { hits, filter, columns } = request;
  if (filter.hits && hits) conditions.push((op) => hits[op] === 1);
  for (const column of columns) {
    const pattern = filter.text[column.id]?.trim();
    const condition = pattern ? column.condition(pattern) : null;
    if (condition) conditions.push(condition);
  }
  return conditions;
}

async function filteredRows(request: RowRequest, slicer: Slicer): Promise<Uint32Array> {
  const { rank, filter, range } = request;
  const conditions = conditionsOf(request);
  const first = filter.range && range ? Math.max(0, Math.floor(range[0])) : 0;
  const end = filter.range && range ? Math.min(rank.ops, Math.ceil(range[1])) : rank.ops;
  const rows = new Uint32Array(Math.max(0, end - first));
  let count = 0;
  await slicer.steps(rows.length, 1 << 15, (from, to) => {
    for (let op = first + from; op < first + to; ++op) {
      if (filter.counted && (rank.flags[op] & FLAG_COUNTED) === 0) continue;
      if (conditions.every((condition) => condition(op))) rows[count++] = op;
    }
  });
  return rows.slice(0, count);
}

/** Ops of the table in the order shown. */
export async function tableRows(request: RowRequest, slicer: Slicer): Promise<Uint32Array> {
  const rows = await filteredRows(request, slicer);
  const column = request.columns.find((one) => one.id === request.sort.column);
  if (!column || (column.id === "op" && !request.sort.descending)) return rows;
  await column.prepare(slicer);
  return sortRows(rows, (op) => column.key(op), request.sort.descending, slicer);
}

/** Rows as sheet for the CSV (exact bytes) or for markdown (as shown). */
export function sheetOf(columns: Column[], exact: boolean): Sheet {
  const title = (column: Column) => (column.unit === "" ? column.title : `${column.title} (${column.unit})`);
  return {
    titles: columns.map((column) => (exact ? column.csvTitle : title(column))),
    numeric: columns.map((column) => column.numeric),
    cell: (row, column) => (exact ? columns[column].csv(row) : columns[column].text(row)),
  };
}

/** Sums of the shown rows for the foot of the table, bytes per bank: growth only, where known. */
export function growthSum(rank: RankData, rows: Uint32Array, memory: "DRAM" | "L1"): number {
  const values = rank.grow[memory];
  let sum = 0;
  for (let i = 0; i < rows.length; ++i) if (values[rows[i]] > 0) sum += values[rows[i]];
  return sum;
}

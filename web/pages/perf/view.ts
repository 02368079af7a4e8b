// What of the report is shown: the chosen op and the filters. All of it is in the address.
import type { PerfData } from "./data";

export interface Filter {
  /** Part of a name or of a data type, or the id of a row. */
  find: string;
  category: string;
  limit: string;
  cause: string;
}

export interface View extends Filter {
  /** Id of the chosen row. */
  row: number | null;
}

export const NO_FILTER: Filter = { find: "", category: "", limit: "", cause: "" };

export function isFiltered(filter: Filter): boolean {
  return filter.find.trim() !== "" || filter.category !== "" || filter.limit !== "" || filter.cause !== "";
}

export function viewOf(fragment: string, data: PerfData): View {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const known = (key: string, names: string[]) => {
    const name = given.get(key) ?? "";
    return names.includes(name) ? name : "";
  };
  const row = given.get("row") ?? "";
  const { categories, limits, causes } = data.header;
  return {
    row: /^\d{1,9}$/.test(row) && data.rows.id.includes(Number(row)) ? Number(row) : null,
    find: given.get("find") ?? "",
    category: known("category", categories),
    limit: known("limit", limits),
    cause: known("cause", causes),
  };
}

export function fragmentOf(view: View): string {
  const parts = new URLSearchParams();
  if (view.row !== null) parts.set("row", String(view.row));
  for (const key of ["find", "category", "limit", "cause"] as const) if (view[key] !== "") parts.set(key, view[key]);
  return parts.toString();
}

/** 1 for each row of the table that the filter lets through; null: all of them. Names are matched once for each kind. */
export function matchRows(data: PerfData, filter: Filter): Uint8Array | null {
  if (!isFiltered(filter)) return null;
  const { rows, kinds, header } = data;
  const word = filter.find.trim().toLowerCase();
  const id = /^\d{1,9}$/.test(word) ? Number(word) : -1;
  const category = header.categories.indexOf(filter.category);
  const limit = header.limits.indexOf(filter.limit);
  const cause = header.causes.indexOf(filter.cause);
  const named = kinds.label.map((label, kind) => label.toLowerCase().includes(word) || kinds.fidelity[kind].toLowerCase().includes(word));
  const matches = new Uint8Array(rows.count);
  for (let row = 0; row < rows.count; row++) {
    const kind = rows.kind[row];
    if (!named[kind] && rows.id[row] !== id) continue;
    const isOp = rows.form[row] !== 2;
    if (category >= 0 && (!isOp || categoryOf(data, row) !== category)) continue;
    if (limit >= 0 && (!isOp || rows.limit[row] !== limit)) continue;
    if (cause >= 0 && (rows.gapNs[row] < 0 || rows.cause[row] !== cause)) continue;
    matches[row] = 1;
  }
  return matches;
}

/** What ran on the host is of that category whatever it is called. */
export function categoryOf(data: PerfData, row: number): number {
  return data.rows.form[row] === 1 ? data.header.categories.indexOf("Host") : data.kinds.category[data.rows.kind[row]];
}

// The head of a column: its title sorts.
import type { ColumnHead, Order } from "./order";

export function ariaSort(order: Order | null | undefined, id: string): "ascending" | "descending" | undefined {
  if (order?.column !== id) return undefined;
  return order.descending ? "descending" : "ascending";
}

export function ColumnTitle({ column, order, onSort }: { column: ColumnHead; order?: Order | null; onSort?(column: ColumnHead): void }) {
  const sorted = ariaSort(order, column.id);
  const title = (
    <>
      {column.title}
      <span class="sort-mark" aria-hidden="true">{sorted ? (sorted === "descending" ? " ▼" : " ▲") : ""}</span>
      {column.unit ? <small>{column.unit}</small> : null}
    </>
  );
  return onSort ? <button type="button" onClick={() => onSort(column)}>{title}</button> : <span>{title}</span>;
}

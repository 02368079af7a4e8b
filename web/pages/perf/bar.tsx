// Bars in cells of tables.
import { us } from "kit/format";
import type { Column } from "kit/table/table";

export interface Piece {
  name: string;
  us: number;
  color: string;
}

/** The colour where there is nothing to tell apart. */
export const PLAIN = "var(--alloc)";

/** As wide as its share of the longest, in pieces. */
export function Bar({ of, pieces }: { of: number; pieces: Piece[] }) {
  const whole = pieces.reduce((sum, piece) => sum + piece.us, 0);
  return (
    <span class="bar" style={{ width: `${of * 100}%` }}>
      {pieces.filter((piece) => piece.us > 0).map((piece) => (
        <i key={piece.name} title={`${piece.name}: ${us(piece.us)} μs`} style={{ width: `${(piece.us / whole) * 100}%`, background: piece.color }} />
      ))}
    </span>
  );
}

/** A column of bars; the figures are in another one. */
export function barColumn<T>(title: string, value: (record: T) => number, most: number, pieces: (record: T) => Piece[]): Column<T> {
  return {
    id: "bar",
    title,
    class: "bar-cell",
    unsorted: true,
    text: () => "",
    cell: (record) => <Bar of={value(record) / Math.max(1e-9, most)} pieces={pieces(record)} />,
  };
}

export function numberColumn<T>(title: string, value: (record: T) => number, text: (value: number) => string, hint?: string): Column<T> {
  return { title, hint, numeric: true, text: (record) => (Number.isNaN(value(record)) ? "" : text(value(record))), value };
}

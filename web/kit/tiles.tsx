// The key figures of a report.
import type { ComponentChildren } from "preact";
import { Tag } from "./parts";

export interface Tile {
  label: string;
  value: string;
  note: string;
  /** Where the figure comes from. */
  tag?: string;
  /** A link to its place. */
  more?: ComponentChildren;
}

export function Tiles({ tiles }: { tiles: Tile[] }) {
  return (
    <div class="tiles">
      {tiles.map(({ label, value, note, tag, more }) => (
        <div class="tile" key={label}>
          <span>{label}</span>
          <b>{value}</b>
          <span>{note} <Tag of={tag} /></span>
          {more}
        </div>
      ))}
    </div>
  );
}

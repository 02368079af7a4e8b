// What the colours and lines of a picture mean; entries that can be hidden are buttons.
import { visible } from "./format";

export interface LegendEntry {
  label: string;
  /** Of the swatch: a filled box unless a class says otherwise ("swatch-line", "swatch-dash"). "": no swatch. */
  swatch?: string;
  color?: string;
  title?: string;
  /** Where it can be hidden: its name, and whether it is. */
  id?: string;
  isHidden?: boolean;
}

interface LegendProps {
  entries: LegendEntry[];
  /** How the picture is used, where there is room. */
  hint?: string;
  onToggle?(id: string): void;
}

function Entry({ entry, onToggle }: { entry: LegendEntry; onToggle?: (id: string) => void }) {
  const { label, swatch = "swatch", color, title, id, isHidden = false } = entry;
  const content = (
    <>
      {swatch ? <i class={swatch} style={color ? { "--swatch": color } : undefined} /> : null}
      {visible(label)}
    </>
  );
  if (id === undefined || !onToggle) return <li title={title}>{content}</li>;
  return (
    <li>
      <button type="button" class="legend-toggle" aria-pressed={!isHidden} title={`${title ? `${title}; ` : ""}click to ${isHidden ? "show" : "hide"}`} onClick={() => onToggle(id)}>
        {content}
      </button>
    </li>
  );
}

export function Legend({ entries, hint, onToggle }: LegendProps) {
  return (
    <ul class="legend" aria-label="Legend">
      {entries.map((entry) => <Entry key={entry.id ?? entry.label} entry={entry} onToggle={onToggle} />)}
      {hint ? <li class="legend-hint">{hint}</li> : null}
    </ul>
  );
}

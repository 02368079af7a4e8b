// What the colours and lines of a picture mean.
import { visible } from "./format";

export interface LegendEntry {
  label: string;
  /** Of the swatch: a filled box unless a class says otherwise ("swatch-line", "swatch-dash"). "": no swatch. */
  swatch?: string;
  color?: string;
  title?: string;
}

/** `hint`: how the picture is used, where there is room. */
export function Legend({ entries, hint }: { entries: LegendEntry[]; hint?: string }) {
  return (
    <ul class="legend" aria-label="Legend">
      {entries.map(({ label, swatch = "swatch", color, title }) => (
        <li key={label} title={title}>
          {swatch ? <i class={swatch} style={color ? { "--swatch": color } : undefined} /> : null}
          {visible(label)}
        </li>
      ))}
      {hint ? <li class="legend-hint">{hint}</li> : null}
    </ul>
  );
}

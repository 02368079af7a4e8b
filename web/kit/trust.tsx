// How far to trust the figures: what was read, what was missing, what was wrong with it.
import { count, visible } from "./format";
import { CONFIDENCE_HINTS, Tag } from "./parts";

export interface TrustPart {
  title: string;
  lines: string[];
  /** Something is wrong or missing. */
  isProblem?: boolean;
  /** Said where there are no lines; without it such a part is left out. */
  otherwise?: string;
}

export interface Problem {
  count: number;
  what: string;
}

/** "3 × lines that are cut (first in line 7, 9)". */
export function problemText({ count: times, what }: Problem, places: string): string {
  return `${count(times)} × ${what}${places ? ` (first in ${places})` : ""}`;
}

/** More of them than this are opened by a click. */
const FEW = 6;

function Lines({ lines, isProblem }: { lines: string[]; isProblem: boolean | undefined }) {
  return <ul class={isProblem ? "problems" : undefined}>{lines.map((line, index) => <li key={index}>{visible(line)}</li>)}</ul>;
}

function Part({ title, lines, isProblem, otherwise }: TrustPart) {
  if (lines.length === 0 && otherwise === undefined) return null;
  const first = lines.length > FEW + 1 ? lines.slice(0, FEW) : lines;
  const rest = lines.slice(first.length);
  return (
    <div>
      <h4>{title}</h4>
      {lines.length === 0 ? <p class="muted">{otherwise}</p> : null}
      <Lines lines={first} isProblem={isProblem} />
      {rest.length > 0 ? (
        <details>
          <summary>{count(rest.length)} more</summary>
          <Lines lines={rest} isProblem={isProblem} />
        </details>
      ) : null}
    </div>
  );
}

/** `tags`: what the words measured, derived and modelled mean in this report. */
export function Trust({ parts, tags = CONFIDENCE_HINTS }: { parts: TrustPart[]; tags?: Record<string, string> }) {
  return (
    <>
      <ul class="legend">{Object.entries(tags).map(([tag, meaning]) => <li key={tag}><Tag of={tag} /> {meaning}</li>)}</ul>
      <div class="trust">{parts.map((part) => <Part key={part.title} {...part} />)}</div>
    </>
  );
}

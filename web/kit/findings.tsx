// The answer of a report, and the sentences that it rests on.
import { visible } from "./format";

const MARKS: Record<string, string> = { ok: "✓", warning: "!", critical: "✕" };

export interface Finding {
  /** "ok", "warning", "critical" or "unknown". */
  level: string;
  text: string;
}

export function Findings({ findings }: { findings: Finding[] }) {
  return (
    <ul class="findings">
      {findings.map(({ level, text }, index) => (
        <li key={index} class={`level-${level}`}>
          <span class="mark" role="img" aria-label={level}>{MARKS[level] ?? "·"}</span> {visible(text)}
        </li>
      ))}
    </ul>
  );
}

export function VerdictBadge({ level, words }: { level: string; words: string }) {
  return <div class={`verdict-badge level-${level}`}><span aria-hidden="true">{MARKS[level] ?? "·"}</span> {words}</div>;
}

export function Verdict({ level, words, findings }: { level: string; words: string; findings: Finding[] }) {
  return (
    <div class="verdict">
      <VerdictBadge level={level} words={words} />
      <Findings findings={findings} />
    </div>
  );
}

// Small pieces that many places use. All of them expect text that is safe to show, but for `Absent`.
import type { ComponentChildren } from "preact";
import { visible } from "./format";

export const CONFIDENCE_HINTS: Record<string, string> = {
  measured: "printed by the runtime or its profiler",
  derived: "computed and confirmed by a measurement, or split off a measured change",
  modelled: "from layouts, lifetimes and peaks alone",
  replayed: "the recorded allocations, placed again by the allocator model",
  estimated: "a rule decided a size that is not recorded",
};

/** Where a figure comes from: measured, derived or modelled. */
export function Tag({ of }: { of: string | null | undefined }) {
  if (!of || of === "none") return null;
  return <span class={`tag tag-${of}`} title={CONFIDENCE_HINTS[of]}>{of}</span>;
}

/** A path or a dotted name that may be broken where its parts end. */
export function Breakable({ text }: { text: string }) {
  const parts = text.split(/(?<=[/._])/);
  return <>{parts.map((part, index) => (index === 0 ? part : [<wbr key={index} />, part]))}</>;
}

const TAIL = 12;

/** A name that loses its middle where there is no room: the end of a path tells more than its start. */
export function Middle({ text, title = text }: { text: string; title?: string }) {
  if (text.length <= TAIL + 4) return <span title={title}>{text}</span>;
  return (
    <span class="middle" title={title}>
      <span>{text.slice(0, -TAIL)}</span>
      <span>{text.slice(-TAIL)}</span>
    </span>
  );
}

/** The reason why a section is empty and which input would fill it. */
export function Absent({ why }: { why: string | undefined }) {
  return <p class="absent">{visible(why ?? "This input has no data for this section.")}</p>;
}

/** Text that does something; it looks like a link. */
export function Link({ title, onClick, children }: { title?: string; onClick(): void; children: ComponentChildren }) {
  return <button type="button" class="link" title={title} onClick={onClick}>{children}</button>;
}

/** A figure over a bar of its share, 0 to 1. */
export function Share({ of, children }: { of: number; children: ComponentChildren }) {
  return (
    <span class="share">
      <i style={{ width: `${100 * of}%` }} />
      <span>{children}</span>
    </span>
  );
}

interface SwitchProps<T extends string> {
  label: string;
  choices: readonly { value: T; label: string; title?: string }[];
  chosen: T;
  onChoose(value: T): void;
}

/** One of a few. */
export function Switch<T extends string>({ label, choices, chosen, onChoose }: SwitchProps<T>) {
  return (
    <div class="switch" role="group" aria-label={label}>
      {choices.map(({ value, label: text, title }) => (
        <button key={value} type="button" aria-pressed={value === chosen} title={title} onClick={() => onChoose(value)}>{text}</button>
      ))}
    </div>
  );
}

// Small pieces that many panels use.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { opName } from "../data/page";
import type { Page } from "../data/page";
import { KIND_LABELS, KINDS, NONE } from "../data/rank";
import type { RankData } from "../data/rank";
import { count, visible } from "kit/format";
import { notify, store } from "../state";
import { clampRange, selectOp } from "../viewport";

export interface PanelProps {
  page: Page;
  rank: RankData;
}

const CONFIDENCE_HINTS: Record<string, string> = {
  measured: "Printed by the runtime, rounded to 0.001 MiB",
  derived: "Computed from tensor layouts and confirmed by the measurement, or split off a measured change",
  modelled: "From layouts and lifetimes alone",
};

/** Where a figure comes from: measured, derived or modelled. */
export function Tag({ of }: { of: string | null | undefined }) {
  if (!of || of === "none") return null;
  return (
    <span class={`tag tag-${of}`} title={CONFIDENCE_HINTS[of]}>
      {of}
    </span>
  );
}

const SINGLE: Record<string, string> = {
  weight: "weight",
  const_eval: "const-eval copy",
  activation: "activation",
  input: "input",
  unknown: "unknown",
};

/** Colour and pattern of a tensor kind, with its name; `single`: the name of one tensor. */
export function KindMark({ kind, label = true, single = false }: { kind: number; label?: boolean; single?: boolean }) {
  const name = KINDS[kind] ?? "unknown";
  return (
    <span class="kind" title={KIND_LABELS[name]}>
      <i class={`kind-swatch kind-${name}`} aria-hidden="true" />
      {label ? (single ? SINGLE[name] : KIND_LABELS[name]) : null}
    </span>
  );
}

/** A path or a dotted name that may be broken where its parts end. Expects text that is safe to show. */
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
  return <p class="absent">{visible(why ?? "This log has no data for this section.")}</p>;
}

/** A button that selects an op everywhere: charts, table, details. Text alone where there is no op. */
export function OpLink({ rank, op, children }: { rank: RankData; op: number | null | undefined; children: ComponentChildren }) {
  if (op === null || op === undefined || op === NONE) return <>{children}</>;
  return (
    <button type="button" class="link op-link" title={`Show op ${count(op)}`} onClick={() => selectOp(rank, op)}>
      {children}
    </button>
  );
}

/** As `OpLink` for records that name a rank, which may be another than the one on show. */
export function RankOpLink(props: PanelProps & { of: number; op: number; children: ComponentChildren }) {
  const { page, rank, of, op } = props;
  const select = () => (of === rank.index ? selectOp(rank, op) : selectOpOfRank(page, of, op));
  return (
    <button type="button" class="link op-link" title={`Show op ${count(op)}`} onClick={select}>
      {props.children}
    </button>
  );
}

function selectOpOfRank(page: Page, rank: number, op: number): void {
  const ops = page.header.ranks[rank]?.ops ?? 0;
  if (op >= ops) return;
  const [from, to] = clampRange(op - 100, op + 100, ops);
  // In two steps: a change of rank clears what was selected in the other.
  store.set({ rank });
  store.set({ op, moment: 2 * op, from, to });
}

/** Name of an op, or what stands in for it where the log has only its memory block. */
export function shownOpName(page: Page, rank: RankData, op: number): string {
  return visible(opName(page, rank, op)) || `op ${count(op)}`;
}

/** Loads something once and again when `key` changes; null until it is there. */
export function useLoaded<T>(load: () => Promise<T>, key: unknown): T | null {
  const [value, setValue] = useState<{ key: unknown; value: T } | null>(null);
  useEffect(() => {
    let wanted = true;
    void load().then((loaded) => {
      if (wanted) setValue({ key, value: loaded });
    });
    return () => {
      wanted = false;
    };
  }, [key]);
  return value !== null && value.key === key ? value.value : null;
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages opened from a file may lack the clipboard interface; the old way still works there.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

export async function copyText(text: string, what: string): Promise<void> {
  notify((await writeClipboard(text)) ? `Copied ${what}` : "This browser does not let the page copy");
}

/** Hands a file to the user without any request. */
export function download(name: string, parts: BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

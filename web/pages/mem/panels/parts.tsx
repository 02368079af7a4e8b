// Small pieces that many panels of this page use.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { opName } from "../data/page";
import type { Page } from "../data/page";
import { KIND_LABELS, KINDS, NONE } from "../data/rank";
import type { RankData } from "../data/rank";
import { count, visible } from "kit/format";
import { store } from "../state";
import { clampRange, selectOp } from "../viewport";

export interface PanelProps {
  page: Page;
  rank: RankData;
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

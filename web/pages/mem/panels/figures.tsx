// Peak against capacity, key figures, and how far to trust them.

import { MEMORIES } from "../data/rank";
import type { Memory, RankData } from "../data/rank";
import type { Page } from "../data/page";
import { bytes, count, mib, percent, plural, visible } from "kit/format";
import { Tiles } from "kit/tiles";
import type { Tile } from "kit/tiles";
import { problemText, Trust } from "kit/trust";
import type { TrustPart } from "kit/trust";
import { memDoc, memoryOfRank } from "./mem_doc";
import type { MemDoc, Problem } from "./mem_doc";
import { Tag } from "kit/parts";
import type { PanelProps } from "./parts";

/** Peak against capacity of one memory of the chosen rank. */
function CapacityBar({ page, rank, memory }: { page: Page; rank: RankData; memory: Memory }) {
  const header = page.header.ranks[rank.index];
  const peak = header.peaks[memory];
  const capacity = header.capacity[memory] ?? 0;
  if (!peak || (peak.bytes_per_bank === 0 && capacity === 0)) return null;
  const part = capacity > 0 ? peak.bytes_per_bank / capacity : NaN;
  const level = part > 0.95 ? "critical" : part > 0.8 ? "warning" : "ok";
  const width = Number.isNaN(part) ? 0 : Math.min(100, part * 100);
  const banks = header.banks[memory] ?? 0;
  return (
    <div class="capacity">
      <div class="capacity-name">{memory}</div>
      <div class="capacity-bar" role="img" aria-label={`${memory} peak ${percent(part)} of capacity`}>
        <i class={`capacity-fill level-${level}`} style={{ width: `${Math.max(width, peak.bytes_per_bank > 0 ? 0.4 : 0)}%` }} />
      </div>
      <div class="capacity-text">
        <b>{Number.isNaN(part) ? "" : percent(part)}</b> {mib(peak.bytes_per_bank)}
        {capacity > 0 ? ` of ${mib(capacity)} MB per bank` : " MB per bank, no capacity known"}
        {banks > 0 ? (
          <span class="muted">
            {" "}
            · {bytes(peak.bytes_per_bank * banks)} total in {count(banks)} banks
          </span>
        ) : null}{" "}
        <Tag of={peak.confidence} />
      </div>
    </div>
  );
}

/** `live`: whether the tensors of a moment are known. */
function weightFigures(doc: MemDoc, live: boolean): Tile[] {
  const { weights, padding } = doc;
  const figures: Tile[] = [];
  if (weights) {
    figures.push({
      label: "Model weights",
      value: bytes(weights.bytes),
      note: `${plural(weights.count, "tensor")}, whole, without padding`,
      tag: "derived",
    });
    if (live)
      figures.push({
        label: "Held twice by const-eval",
        value: bytes(weights.duplicated_by_const_eval_bytes),
        note: "copies whose original is resident too, whole, at the DRAM peak",
        tag: "modelled",
      });
  }
  if (live && padding && padding.waste_bytes_at_peak !== null) {
    const share = padding.waste_percent_at_peak === null ? "" : `, ${padding.waste_percent_at_peak.toFixed(1)} % of the logical bytes`;
    figures.push({
      label: "Tile padding at the DRAM peak",
      value: bytes(padding.waste_bytes_at_peak),
      note: `whole tensors${share}`,
      tag: "modelled",
    });
  }
  return figures;
}

function keyFigures(doc: MemDoc, live: boolean): Tile[] {
  const figures: Tile[] = [];
  if (doc.ops !== undefined) {
    const kinds =
      doc.weight_ops === undefined ? "" : `${count(doc.weight_ops)} weight ops, ${count(doc.activation_ops ?? 0)} activation ops; `;
    figures.push({
      label: "Ops",
      value: count(doc.ops),
      note: `${kinds}${count(doc.executed_ops ?? doc.ops)} with deallocate and get_device`,
      tag: "",
    });
  }
  figures.push(...weightFigures(doc, live));
  const fragmentation = doc.fragmentation?.DRAM?.worst_fraction;
  if (fragmentation !== null && fragmentation !== undefined) {
    figures.push({
      label: "Worst DRAM fragmentation",
      value: percent(fragmentation, 2),
      note: "of the free bytes lie outside the largest free block",
      tag: "measured",
    });
  }
  return figures;
}

function problemsOf(title: string, problems: Record<string, Problem> | undefined): TrustPart {
  const line = (problem: Problem) => {
    const places = problem.first_places.map((place) => count(place.line)).join(", ");
    return problemText(problem, places && `line ${places}`);
  };
  return { title, lines: Object.values(problems ?? {}).map(line) };
}

const distinct = (sentences: string[]) => [...new Set(sentences)];

function trustOf(page: Page, rank: RankData, doc: MemDoc): TrustPart[] {
  const memories = memoryOfRank(page, rank.index);
  const peaks = MEMORIES.map((memory) => memories[memory]?.peak).filter((peak) => peak !== undefined);
  const recognised = Object.entries(doc.trust?.recognised ?? {});
  const noun = (what: string, number: number) => (number === 1 ? what.replace(/s$/, "") : what).replaceAll("_", " ");
  return [
    {
      title: "What was missing",
      lines: doc.trust?.missing ?? [],
      isProblem: true,
      otherwise: "Nothing: the log has every kind of line that the figures need.",
    },
    { title: "The peaks include", lines: distinct(peaks.flatMap((peak) => peak.includes ?? [])) },
    { title: "The peaks leave out", lines: distinct(peaks.flatMap((peak) => peak.excludes ?? [])) },
    { title: "Notes on the figures", lines: doc.trust?.notes ?? [] },
    problemsOf("Lines that were skipped", doc.trust?.skipped),
    problemsOf("Lines that were repaired and used", doc.trust?.repaired),
    {
      title: "Recognised",
      lines: recognised.length > 0 ? [recognised.map(([what, number]) => `${count(number)} ${noun(what, number)}`).join(", ")] : [],
    },
  ];
}

/** In a word what the reader would find inside. */
function trustHint(doc: MemDoc): string {
  const sum = (problems: Record<string, Problem> | undefined) => Object.values(problems ?? {}).reduce((all, one) => all + one.count, 0);
  const parts = [
    doc.trust?.missing?.length ? `${plural(doc.trust.missing.length, "kind")} of lines missing` : "",
    sum(doc.trust?.skipped) > 0 ? `${plural(sum(doc.trust?.skipped), "line")} skipped` : "",
    sum(doc.trust?.repaired) > 0 ? `${count(sum(doc.trust?.repaired))} repaired` : "",
  ].filter((part) => part !== "");
  return parts.length > 0 ? parts.join(", ") : "nothing missing, skipped or repaired";
}

export function FiguresPanel({ page, rank }: PanelProps) {
  const doc = memDoc(page);
  const several = page.header.ranks.length > 1;
  return (
    <div class="figures-panel">
      <h3>Peak against capacity{several ? `, ${visible(page.header.ranks[rank.index].label)}` : ""}</h3>
      <div class="capacities">
        {MEMORIES.map((memory) => (
          <CapacityBar key={memory} page={page} rank={rank} memory={memory} />
        ))}
      </div>
      {several ? (
        <h3>
          Key figures{" "}
          <small>
            ops of all ranks, the others of {visible(page.header.ranks[page.header.main_rank]?.label ?? "")}, which has the highest DRAM
            peak
          </small>
        </h3>
      ) : null}
      {page.header.absent["run"] !== undefined ? null : <Tiles tiles={keyFigures(doc, page.header.absent["composition"] === undefined)} />}
      <details id="trust">
        <summary>How far to trust these figures <small class="muted">{trustHint(doc)}</small></summary>
        <Trust parts={trustOf(page, rank, doc)} />
      </details>
    </div>
  );
}

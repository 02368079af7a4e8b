// One card for each memory: its peak, the op that made it, and what was left.

import type { Memory, RankData, RankPeak } from "../data/rank";
import { typeLabel } from "../data/page";
import type { OpText, Page } from "../data/page";
import { programName } from "../data/programs";
import { MEMORIES } from "../data/rank";
import { count, mib, percent, visible } from "kit/format";
import { goTo } from "kit/sections";
import { store } from "../state";
import { IrLinks } from "./ir_links";
import { memoryOfRank } from "./mem_doc";
import { Breakable, Tag } from "kit/parts";
import { OpLink, shownOpName, useLoaded } from "./parts";
import type { PanelProps } from "./parts";
import { lineOf, stateAt } from "./states";
import { jumpToPeak } from "../viewport";

function typeList(page: Page, types: number[]): string {
  return types.length === 0 ? "none" : types.map((type) => visible(typeLabel(page, type))).join(", ");
}

function MemoryFigures({ memory, peak, rank }: PanelProps & { memory: Memory; peak: RankPeak }) {
  const state = stateAt(rank, peak.moment, memory);
  const figure = (value: number) => (Number.isNaN(value) ? "not measured" : `${mib(value)} MB per bank`);
  return (
    <>
      <dt>Free</dt>
      <dd>{figure(state.free)}</dd>
      <dt>Largest free block</dt>
      <dd>{figure(state.largest)}</dd>
    </>
  );
}

function OpFacts({ page, rank, op, text }: PanelProps & { op: number; text: OpText | null }) {
  const program = rank.program[op];
  const typesOf = (of: OpText | null, side: "in" | "out") => (of === null ? "…" : of.text === "" ? "not known" : typeList(page, of[side]));
  return (
    <>
      <dt>Operation</dt>
      <dd>
        <OpLink rank={rank} op={op}>
          <Breakable text={shownOpName(page, rank, op)} />
        </OpLink>
      </dd>
      <dt>Location</dt>
      <dd class="breakable">
        <Breakable text={visible(page.locs.get(rank.loc[op])) || "not known"} />
      </dd>
      <dt>Program</dt>
      <dd>
        {programName(page, rank, program) || "not known"}
      </dd>
      <dt>Log line</dt>
      <dd>{Number.isNaN(lineOf(rank, op)) ? "not known" : count(lineOf(rank, op))}</dd>
      <dt>Inputs</dt>
      <dd>{typesOf(text, "in")}</dd>
      <dt>Outputs</dt>
      <dd>{typesOf(text, "out")}</dd>
      <dt>Attributes</dt>
      <dd class="breakable">{text === null ? "…" : visible(text.attributes ?? "") || (text.text === "" ? "not known" : "none")}</dd>
    </>
  );
}

function showOnCurve(rank: RankData, memory: Memory): void {
  store.set({ memory });
  jumpToPeak(rank);
  goTo("timeline");
}

function showComposition(memory: Memory): void {
  store.set({ memory, moment: null });
  goTo("composition");
}

function PeakCard(props: PanelProps & { memory: Memory; peak: RankPeak }) {
  const { page, rank, memory, peak } = props;
  const op = peak.op;
  const text = useLoaded<OpText | null>(() => (op === null ? Promise.resolve(null) : page.text(rank.text[op])), `${rank.index} ${op}`);
  const capacity = rank.header.capacity[memory] ?? 0;
  const seen = memoryOfRank(page, rank.index)[memory]?.peak.seen_at_line;
  return (
    <article class={`peak-card memory-${memory}`} aria-label={`Peak of ${memory}`}>
      <header>
        <span class="memory-badge">{memory}</span>
        <b class="peak-value">{mib(peak.bytes_per_bank)}</b> MB per bank <Tag of={peak.confidence} />
        {capacity > 0 ? (
          <div class="muted">
            {percent(peak.bytes_per_bank / capacity)} of {mib(capacity)} MB per bank
          </div>
        ) : null}
      </header>
      {op === null ? (
        <p class="muted">Never used in this log.</p>
      ) : (
        <>
          <p>
            {peak.at_program_start ? "Made by what was moved to the device before " : "Made by "}
            <OpLink rank={rank} op={op}>
              op #{count(op)}
            </OpLink>
            {seen ? <span class="muted"> (seen in line {count(seen)})</span> : null}
          </p>
          <dl class="facts">
            <OpFacts {...props} op={op} text={text} />
            <MemoryFigures {...props} />
          </dl>
          <div class="card-tools">
            <button type="button" onClick={() => showOnCurve(rank, memory)}>
              Show on the curve
            </button>
            {(memory === "DRAM" || memory === "L1") && page.header.absent["composition"] === undefined ? (
              <button type="button" onClick={() => showComposition(memory)}>
                What it is made of
              </button>
            ) : null}
            <IrLinks page={page} rank={rank} op={op} />
          </div>
        </>
      )}
    </article>
  );
}

export function PeakCards({ page, rank }: PanelProps) {
  const peaks = rank.header.peaks;
  const there = MEMORIES.filter((memory) => peaks[memory] !== undefined);
  const isUsed = (memory: Memory) => peaks[memory]?.op !== null;
  const card = (memory: Memory) => (
    <PeakCard key={`${rank.index} ${memory}`} page={page} rank={rank} memory={memory} peak={peaks[memory] as RankPeak} />
  );
  return (
    <>
      <div class="peak-cards">{there.filter(isUsed).map(card)}</div>
      <div class="peak-cards unused">{there.filter((memory) => !isUsed(memory)).map(card)}</div>
    </>
  );
}

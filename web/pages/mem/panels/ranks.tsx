// Several ranks: their peaks side by side, choose one, or lay all curves over each other.

import type { RankHeader } from "../data/rank";
import { count, mib, percent, visible } from "kit/format";
import { Share, Tag } from "kit/parts";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import type { Page } from "../data/page";
import { store, useView } from "../state";
import type { PanelProps } from "./parts";

function chooseRank(rank: number): void {
  store.set({ rank });
}

function peakText(rank: RankHeader, memory: "DRAM" | "L1"): string {
  const peak = rank.peaks[memory];
  const capacity = rank.capacity[memory] ?? 0;
  if (!peak) return "";
  return capacity > 0 ? `${mib(peak.bytes_per_bank)} (${percent(peak.bytes_per_bank / capacity)})` : mib(peak.bytes_per_bank);
}

function RankChoice({ page, index, isChosen }: { page: Page; index: number; isChosen: boolean }) {
  return (
    <label class="rank-choice">
      <input type="radio" name="rank" checked={isChosen} onChange={() => chooseRank(index)} />
      <i class="swatch swatch-line" style={{ "--swatch": `var(--rank-${index % 8})` }} aria-hidden="true" />
      {visible(page.header.ranks[index].label)}
      {index === page.header.main_rank ? <span class="badge" title="The rank with the highest DRAM peak">highest peak</span> : null}
    </label>
  );
}

function columnsOf(page: Page, chosen: number): Column<number>[] {
  const { ranks } = page.header;
  const peak = (index: number, memory: "DRAM" | "L1") => ranks[index].peaks[memory]?.bytes_per_bank ?? 0;
  const most = ranks.reduce((largest, _, index) => Math.max(largest, peak(index, "DRAM")), 1);
  const figure = (title: string, of: (rank: RankHeader) => number): Column<number> => ({
    title,
    numeric: true,
    text: (index) => count(of(ranks[index])),
    value: (index) => of(ranks[index]),
  });
  return [
    { title: "Rank", text: (index) => visible(ranks[index].label), value: (index) => index, cell: (index) => <RankChoice page={page} index={index} isChosen={index === chosen} /> },
    {
      title: "DRAM peak",
      unit: "MB per bank",
      numeric: true,
      text: (index) => peakText(ranks[index], "DRAM"),
      value: (index) => peak(index, "DRAM"),
      cell: (index) => <Share of={peak(index, "DRAM") / most}>{peakText(ranks[index], "DRAM")}</Share>,
    },
    { title: "L1 peak", unit: "MB per bank", numeric: true, text: (index) => peakText(ranks[index], "L1"), value: (index) => peak(index, "L1") },
    figure("Ops", (rank) => rank.counted_ops),
    figure("Executed", (rank) => rank.ops),
    figure("Programs", (rank) => rank.programs),
    { title: "Figures", text: (index) => (ranks[index].measured ? "measured" : "modelled"), cell: (index) => <Tag of={ranks[index].measured ? "measured" : "modelled"} /> },
  ];
}

/** Used in the section of ranks. */
export function RankChooser({ page }: PanelProps) {
  const chosen = useView((view) => view.rank);
  const overlay = useView((view) => view.overlay);
  const { ranks } = page.header;
  return (
    <>
      <div class="tools">
        <label>
          <input type="checkbox" checked={overlay} onChange={() => store.set({ overlay: !overlay })} /> all ranks on the curve
        </label>
      </div>
      <Table
        label="Ranks"
        columns={columnsOf(page, chosen)}
        records={ranks.map((_, index) => index)}
        first={64}
        keyOf={(index) => index}
        rowProps={(index) => ({ class: index === chosen ? "active" : undefined })}
      />
    </>
  );
}

/** The small form for the head of the page; nothing with a single rank. */
export function RankSelect({ page }: { page: Page }) {
  const chosen = useView((view) => view.rank);
  const ranks = page.header.ranks;
  if (ranks.length < 2) return null;
  return (
    <label class="rank-select">
      <span>Rank </span>
      <select value={String(chosen)} onChange={(event) => chooseRank(Number(event.currentTarget.value))}>
        {ranks.map((rank, index) => (
          <option key={index} value={String(index)}>
            {visible(rank.label)}
          </option>
        ))}
      </select>
    </label>
  );
}

// Several ranks: their peaks side by side, choose one, or lay all curves over each other.

import type { RankHeader } from "../data/rank";
import { count, mib, percent, visible } from "kit/format";
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

function RankRow({ page, index, chosen, most }: { page: PanelProps["page"]; index: number; chosen: boolean; most: number }) {
  const rank = page.header.ranks[index];
  const peak = rank.peaks.DRAM?.bytes_per_bank ?? 0;
  return (
    <tr class={chosen ? "active" : ""}>
      <td>
        <label class="rank-choice">
          <input type="radio" name="rank" checked={chosen} onChange={() => chooseRank(index)} />
          <i class="rank-swatch" style={{ background: `var(--rank-${index % 8})` }} aria-hidden="true" />
          {visible(rank.label)}
          {index === page.header.main_rank ? (
            <span class="badge" title="The rank with the highest DRAM peak">
              highest peak
            </span>
          ) : null}
        </label>
      </td>
      <td class="numeric">
        <span class="share">
          <i style={{ width: `${(100 * peak) / most}%` }} />
          <span>{peakText(rank, "DRAM")}</span>
        </span>
      </td>
      <td class="numeric">{peakText(rank, "L1")}</td>
      <td class="numeric">{count(rank.counted_ops)}</td>
      <td class="numeric">{count(rank.ops)}</td>
      <td class="numeric">{count(rank.programs)}</td>
      <td>{rank.measured ? "measured" : "modelled"}</td>
    </tr>
  );
}

/** Used in the section of ranks. */
export function RankChooser({ page }: PanelProps) {
  const chosen = useView((view) => view.rank);
  const overlay = useView((view) => view.overlay);
  const ranks = page.header.ranks;
  const most = ranks.reduce((largest, rank) => Math.max(largest, rank.peaks.DRAM?.bytes_per_bank ?? 0), 1);
  return (
    <div class="ranks-panel">
      <div class="table-tools">
        <label>
          <input type="checkbox" checked={overlay} disabled={ranks.length < 2} onChange={() => store.set({ overlay: !overlay })} /> all
          ranks on the curve
        </label>
        {ranks.length < 2 ? <span class="muted">This log has one rank.</span> : null}
      </div>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Ranks">
        <table aria-label="Ranks">
          <thead>
            <tr>
              <th scope="col">Rank</th>
              <th scope="col" class="numeric">
                DRAM peak (MiB per bank)
              </th>
              <th scope="col" class="numeric">
                L1 peak (MiB per bank)
              </th>
              <th scope="col" class="numeric">
                Ops
              </th>
              <th scope="col" class="numeric">
                Executed
              </th>
              <th scope="col" class="numeric">
                Programs
              </th>
              <th scope="col">Figures</th>
            </tr>
          </thead>
          <tbody>
            {ranks.map((_, index) => (
              <RankRow key={index} page={page} index={index} chosen={index === chosen} most={most} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** The small form for the head of the page; nothing with a single rank. */
export function RankSelect({ page }: { page: PanelProps["page"] }) {
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

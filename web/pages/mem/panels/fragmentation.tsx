// The worst moments of fragmentation of the memory on show.

import { useEffect, useState } from "preact/hooks";
import { NONE } from "../data/rank";
import type { Memory, RankData } from "../data/rank";
import { count, mib, percent, visible } from "kit/format";
import { useView } from "../state";
import { worstFragmentation } from "./fragmentation_model";
import type { FragmentedStretch } from "./fragmentation_model";
import { Absent, Breakable, Tag } from "kit/parts";
import { OpLink, shownOpName } from "./parts";
import type { PanelProps } from "./parts";
import { Latest } from "kit/slices";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";

function columnsFor({ page, rank }: PanelProps, memory: Memory): Column<FragmentedStretch>[] {
  const { moment, free, largest, line, toBytes } = rank.points;
  const freeOf = (one: FragmentedStretch) => toBytes(free[memory]?.[one.point] ?? 0);
  const largestOf = (one: FragmentedStretch) => toBytes(largest[memory]?.[one.point] ?? 0);
  const opOf = (one: FragmentedStretch) => Math.min(rank.ops - 1, moment[one.point] >>> 1);
  return [
    {
      title: "Fragmentation",
      numeric: true,
      text: (one) => percent(one.fraction, 2),
      value: (one) => one.fraction,
      cell: (one) => <b>{percent(one.fraction, 2)}</b>,
    },
    { title: "Free", unit: "MB per bank", numeric: true, text: (one) => mib(freeOf(one)), value: freeOf },
    {
      title: "Largest free block",
      unit: "MB per bank",
      hint: "The largest buffer that could still be allocated, per bank",
      numeric: true,
      text: (one) => mib(largestOf(one)),
      value: largestOf,
    },
    {
      title: "Before op",
      text: (one) => `${shownOpName(page, rank, opOf(one))} #${opOf(one)}`,
      value: opOf,
      cell: (one) => (
        <OpLink rank={rank} op={opOf(one)}>
          <Breakable text={`${shownOpName(page, rank, opOf(one))} #${count(opOf(one))}`} />
        </OpLink>
      ),
    },
    { title: "Location", class: "breakable", text: (one) => visible(page.locs.get(rank.loc[opOf(one)])) },
    {
      title: "Memory line",
      numeric: true,
      text: (one) => (line[one.point] === NONE ? "" : count(line[one.point])),
      value: (one) => line[one.point],
    },
    {
      title: "For ops",
      hint: "How many memory lines in a row show it",
      numeric: true,
      text: (one) => count(one.points),
      value: (one) => one.points,
    },
  ];
}

function useWorst(rank: RankData, memory: Memory): FragmentedStretch[] | null {
  const [result, setResult] = useState<{ key: string; worst: FragmentedStretch[] } | null>(null);
  const key = `${rank.index} ${memory}`;
  useEffect(() => {
    const latest = new Latest();
    void latest.run(
      (slicer) => worstFragmentation(rank, memory, 50, slicer),
      (worst) => setResult({ key, worst }),
    );
    return () => latest.cancel();
  }, [key]);
  return result?.key === key ? result.worst : null;
}

export function FragmentationPanel(props: PanelProps) {
  const { page, rank } = props;
  const memory = useView((view) => view.memory);
  const worst = useWorst(rank, memory);
  const why = page.header.absent["fragmentation"];
  if (why !== undefined) return <Absent why={why} />;
  if (!rank.points.largest[memory]) return <p class="absent">The log has no free blocks of {memory}.</p>;
  if (worst === null) return <p class="muted">Looking through the memory lines…</p>;
  return (
    <div class="fragmentation-panel">
      <h3>
        Worst moments of {memory} <Tag of="measured" />
      </h3>
      {worst.length > 0 ? (
        <Table label={`Worst fragmentation of ${memory}`} columns={columnsFor(props, memory)} records={worst} first={10} />
      ) : (
        <p class="muted">The free bytes of {memory} are one block throughout: no fragmentation.</p>
      )}
    </div>
  );
}

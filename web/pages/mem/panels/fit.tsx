// Whether the run fits: its own device and all products, by a replay of its allocations.

import type { FitDevice, FitDoc } from "../data/page";
import { bytes, count, percent, visible } from "kit/format";
import { Absent, Tag } from "kit/parts";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { OpLink, useLoaded } from "./parts";
import type { PanelProps } from "./parts";

const use = (device: FitDevice, memory: string) => device.memories.find((one) => one.memory === memory);

/** What is missing of a bank is written with a minus. */
const signed = (value: number) => (value < 0 ? `−${bytes(-value)}` : bytes(value));

function Agreement({ replay }: { replay: NonNullable<FitDoc["replay"]> }) {
  if (replay.states === 0) return <p class="muted">The log prints no memory states: the replay is not checked against the run.</p>;
  const share = (part: number) => `${count(part)} (${percent(part / replay.states)})`;
  return (
    <p class="muted">
      Of {count(replay.states)} printed states the replay gives what is allocated in {share(replay.allocated_equal)} and the largest free block in{" "}
      {share(replay.largest_free_equal)}.
      {replay.corrections > 0 ? ` ${count(replay.corrections)} blocks are there because the states show them; no op line explains them.` : ""}
    </p>
  );
}

function columnsOf({ rank }: PanelProps): Column<FitDevice>[] {
  return [
    { title: "Device", text: (one) => visible(one.device), cell: (one) => <>{visible(one.device)} {one.own ? <span class="muted">its own</span> : null}</> },
    { title: "Fits", text: (one) => (one.fits ? "yes" : "no"), cell: (one) => <span class={one.fits ? "fit-yes" : "fit-no"}>{one.fits ? "yes" : "no"}</span> },
    { title: "DRAM peak", unit: "per bank", numeric: true, text: (one) => bytes(one.peak_bytes_per_bank), value: (one) => one.peak_bytes_per_bank },
    { title: "Bank", numeric: true, text: (one) => bytes(use(one, "DRAM")?.bank_bytes ?? 0), value: (one) => use(one, "DRAM")?.bank_bytes ?? 0 },
    { title: "Headroom", unit: "per bank", numeric: true, text: (one) => signed(one.headroom_bytes_per_bank), value: (one) => one.headroom_bytes_per_bank },
    {
      title: "Largest block left",
      unit: "per bank",
      numeric: true,
      text: (one) => bytes(use(one, "DRAM")?.smallest_largest_free_bytes_per_bank ?? 0),
      value: (one) => use(one, "DRAM")?.smallest_largest_free_bytes_per_bank ?? 0,
    },
    { title: "L1 peak", unit: "per core", numeric: true, text: (one) => bytes(use(one, "L1")?.peak_bytes_per_bank ?? 0), value: (one) => use(one, "L1")?.peak_bytes_per_bank ?? 0 },
    { title: "Figures", text: (one) => one.basis, cell: (one) => <Tag of={use(one, "DRAM")?.basis ?? one.basis} /> },
    {
      title: "First that finds no room",
      class: "breakable",
      text: (one) => visible(one.failure?.text ?? ""),
      cell: (one) => (one.failure ? <OpLink rank={rank} op={one.failure.op_index}>{visible(one.failure.text)}</OpLink> : null),
    },
  ];
}

export function FitPanel(props: PanelProps) {
  const loaded = useLoaded(async () => ({ doc: await props.page.fit() }), props.page);
  if (loaded === null) return <div class="waiting" role="status">Unpacking…</div>;
  const { doc } = loaded;
  if (doc === null) return <Absent why="Nothing of this input can be placed in a device: when its tensors are freed is not recorded." />;
  return (
    <div class="fit-panel">
      {doc.replay ? <Agreement replay={doc.replay} /> : null}
      <Table id="fit-devices" label="Devices" records={doc.devices} columns={columnsOf(props)} first={12} />
      <p class="muted">
        <code>ttscope fit LOG --search</code> finds the smallest change that fits, <code>--max batch</code> the largest batch. Left out of these figures:{" "}
        {doc.leaves_out.map((one) => visible(one.text)).join("; ")}.
      </p>
    </div>
  );
}

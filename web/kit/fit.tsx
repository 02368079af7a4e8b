// Whether something fits: a table of devices, as `ttscope fit` tells it (docs/formats/fit_json.md).
import type { ComponentChildren } from "preact";
import { bytes, count, percent, visible } from "./format";
import { Tag } from "./parts";
import { Table } from "./table/table";
import type { Column } from "./table/table";

export interface FitDevice {
  device: string;
  own: boolean;
  assumed: boolean;
  fits: boolean;
  so_far: string | null;
  peak_bytes_per_bank: number | null; // null: the input does not tell of DRAM
  headroom_bytes_per_bank: number | null;
  basis: string;
  failure: { text: string; op_index: number | null } | null;
  memories: { memory: string; bank_bytes: number; peak_bytes_per_bank: number | null; smallest_largest_free_bytes_per_bank: number | null; worst_fragmentation: number | null; basis: string }[];
}

export interface FitDoc {
  replay: { states: number; allocated_equal: number; largest_free_equal: number; corrections: number } | null;
  devices: FitDevice[];
  leaves_out: { what: string; text: string }[];
}

const use = (device: FitDevice, memory: string) => device.memories.find((one) => one.memory === memory);

/** What is missing of a bank is written with a minus; of a memory that the input does not tell of there is no figure. */
const told = (value: number | null | undefined) => (value == null ? "not told" : value < 0 ? `−${bytes(-value)}` : bytes(value));
const sortable = (value: number | null | undefined) => value ?? -Infinity;

const verdict = (one: FitDevice) => (one.fits ? (one.so_far === null ? "yes" : "so far") : "no");

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

const COLUMNS: Column<FitDevice>[] = [
  { title: "Device", text: (one) => visible(one.device), cell: (one) => <>{visible(one.device)} {one.own ? <span class="muted">{one.assumed ? "assumed" : "its own"}</span> : null}</> },
  { title: "Fits", text: verdict, cell: (one) => <span class={one.fits ? "fit-yes" : "fit-no"}>{verdict(one)}</span> },
  { title: "DRAM peak", unit: "per bank", numeric: true, text: (one) => told(one.peak_bytes_per_bank), value: (one) => sortable(one.peak_bytes_per_bank) },
  { title: "Bank", numeric: true, text: (one) => bytes(use(one, "DRAM")?.bank_bytes ?? 0), value: (one) => use(one, "DRAM")?.bank_bytes ?? 0 },
  { title: "Headroom", unit: "per bank", numeric: true, text: (one) => told(one.headroom_bytes_per_bank), value: (one) => sortable(one.headroom_bytes_per_bank) },
  {
    title: "Largest block left",
    unit: "per bank",
    numeric: true,
    text: (one) => told(use(one, "DRAM")?.smallest_largest_free_bytes_per_bank),
    value: (one) => sortable(use(one, "DRAM")?.smallest_largest_free_bytes_per_bank),
  },
  { title: "L1 peak", unit: "per core", numeric: true, text: (one) => told(use(one, "L1")?.peak_bytes_per_bank), value: (one) => sortable(use(one, "L1")?.peak_bytes_per_bank) },
  { title: "Figures", text: (one) => one.basis, cell: (one) => <Tag of={use(one, "DRAM")?.basis ?? one.basis} /> },
];

type ShowFailure = (device: FitDevice) => ComponentChildren;

/** What finds no room first, of each device that it does not fit. */
function Failures({ devices, show }: { devices: FitDevice[]; show: ShowFailure }) {
  const failing = devices.filter((one) => one.failure !== null);
  if (failing.length === 0) return null;
  return <ul class="fit-failures">{failing.map((one) => <li key={one.device}><b>{visible(one.device)}</b>: {show(one)}</li>)}</ul>;
}

/** `advice`: what a reader could ask next; `failure`: how the first request without room is shown. */
export function FitTable({ doc, advice, failure }: { doc: FitDoc; advice?: ComponentChildren; failure?: ShowFailure }) {
  return (
    <div class="fit-panel">
      {doc.replay ? <Agreement replay={doc.replay} /> : null}
      <Table id="fit-devices" label="Devices" records={doc.devices} columns={COLUMNS} first={12} />
      <Failures devices={doc.devices} show={failure ?? ((one) => visible(one.failure?.text ?? ""))} />
      <p class="muted">
        {advice} Left out of these figures: {doc.leaves_out.map((one) => visible(one.text)).join("; ")}.
      </p>
    </div>
  );
}

// Top growth, what changed between programs, and the tensors that hold most at the peak.

import { useEffect, useMemo, useState } from "preact/hooks";
import { CONFIDENCES, NONE } from "../data/rank";
import type { BufferMemory, RankData } from "../data/rank";
import { typeLabel } from "../data/page";
import { programName } from "../data/programs";
import { count, mib, percent, plural, visible } from "kit/format";
import { useBufferMemory } from "../charts/composition";
import { useView } from "../state";
import { CAUSES, growthOf } from "./growth_model";
import type { Growth, GrowthGroup } from "./growth_model";
import { bufferName, groupsOf, liveSet, momentOf } from "./live_model";
import type { TensorGroup } from "./live_model";
import { Absent, Breakable, Tag } from "kit/parts";
import { KindMark, OpLink, shownOpName, useLoaded } from "./parts";
import type { PanelProps } from "./parts";
import { Latest } from "kit/slices";
import { lineOf } from "./states";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";

const LIMIT = 100;

function growthColumns({ page, rank }: PanelProps, memory: BufferMemory): Column<GrowthGroup>[] {
  const type = (one: GrowthGroup, column: Uint32Array) =>
    rank.text[one.op] === NONE ? "" : visible(typeLabel(page, column[rank.text[one.op]]));
  const confidence = (one: GrowthGroup) => CONFIDENCES[rank.conf[memory][one.op]];
  const line = (one: GrowthGroup) => lineOf(rank, one.op);
  return [
    {
      title: "Own growth",
      unit: "MB per bank",
      hint: "The largest of its executions",
      numeric: true,
      text: (one) => `+${mib(one.bytes)}`,
      value: (one) => one.bytes,
      cell: (one) => <b>+{mib(one.bytes)}</b>,
    },
    { title: "Source", text: confidence, cell: (one) => <Tag of={confidence(one)} /> },
    { title: "Times", hint: "Executions that grew the memory", numeric: true, text: (one) => count(one.times), value: (one) => one.times },
    {
      title: "Operation",
      text: (one) => `${shownOpName(page, rank, one.op)} #${one.op}`,
      cell: (one) => (
        <OpLink rank={rank} op={one.op}>
          <Breakable text={`${shownOpName(page, rank, one.op)} #${count(one.op)}`} />
        </OpLink>
      ),
    },
    { title: "Location", class: "breakable", text: (one) => visible(page.locs.get(rank.loc[one.op])) },
    { title: "First input", text: (one) => type(one, page.textFirstIn) },
    { title: "First output", text: (one) => type(one, page.textFirstOut) },
    { title: "Log line", numeric: true, text: (one) => (Number.isNaN(line(one)) ? "" : count(line(one))), value: (one) => line(one) || 0 },
  ];
}

function useGrowth(rank: RankData, memory: BufferMemory): Growth | null {
  const [growth, setGrowth] = useState<{ key: string; growth: Growth } | null>(null);
  const key = `${rank.index} ${memory}`;
  useEffect(() => {
    const latest = new Latest();
    void latest.run(
      (slicer) => growthOf(rank, memory, LIMIT, slicer),
      (found) => setGrowth({ key, growth: found }),
    );
    return () => latest.cancel();
  }, [key]);
  return growth?.key === key ? growth.growth : null;
}

function changeColumns({ page, rank }: PanelProps, memory: BufferMemory): Column<number>[] {
  const { cause, op, program, bytes } = rank.changes;
  const at = (change: number) => Math.min(rank.ops - 1, op[change]);
  return [
    { title: memory, unit: "MB per bank", numeric: true, text: (one) => mib(bytes[memory][one]), value: (one) => bytes[memory][one] },
    { title: "Event", text: (one) => CAUSES[cause[one]] ?? "" },
    {
      title: "Program",
      text: (one) => programName(page, rank, program[one]),
    },
    {
      title: "Seen before",
      text: (one) => `#${at(one)}`,
      value: at,
      cell: (one) => (
        <OpLink rank={rank} op={at(one)}>
          <Breakable text={`${shownOpName(page, rank, at(one))} #${count(at(one))}`} />
        </OpLink>
      ),
    },
  ];
}

function largestChanges(rank: RankData, memory: BufferMemory): number[] {
  const values = rank.changes.bytes[memory];
  const indices: number[] = [];
  for (let i = 0; i < rank.changes.count; ++i) if (values[i] !== 0) indices.push(i);
  indices.sort((a, b) => Math.abs(values[b]) - Math.abs(values[a]) || a - b);
  return indices.slice(0, LIMIT);
}

function Changes(props: PanelProps & { memory: BufferMemory }) {
  const { rank, memory } = props;
  const changes = useMemo(() => largestChanges(rank, memory), [rank, memory]);
  if (changes.length === 0) return null;
  return (
    <>
      <h4>
        Came and went between ops <Tag of="derived" />
      </h4>
      <Table label="Changes between ops" columns={changeColumns(props, memory)} records={changes} first={5} />
    </>
  );
}

export function GrowthPanel(props: PanelProps) {
  const memory = useBufferMemory();
  const growth = useGrowth(props.rank, memory);
  return (
    <div class="growth-panel">
      <h3>Top growth of {memory}</h3>
      <p class="muted">
        {props.rank.totals === null
          ? "What an op itself added: deallocates, nested programs and moves between programs are not counted against it."
          : "The change until the next recorded op: what deallocates freed in between is part of it."}
        {growth ? ` ${plural(growth.times, "execution")} grew ${memory}, by ${mib(growth.sum)} MB per bank in all.` : ""}
      </p>
      {growth && growth.groups.length > 0 ? (
        <Table label={`Top growth of ${memory}`} columns={growthColumns(props, memory)} records={growth.groups} first={10} />
      ) : null}
      {growth && growth.groups.length === 0 ? <p class="muted">No op grew {memory}.</p> : null}
      <Changes {...props} memory={memory} />
    </div>
  );
}

/** Tensors alike (same maker and type) that hold most at the chosen moment. */
export function ConsumersPanel(props: PanelProps) {
  const { page, rank } = props;
  const memory = useBufferMemory();
  const chosen = useView((view) => view.moment);
  const args = useLoaded(() => page.args(), page);
  const moment = momentOf(rank, memory, chosen);
  const live = useMemo(() => liveSet(page, rank, memory, moment), [rank, memory, moment]);
  const groups = useMemo(() => groupsOf(page, rank, live), [live]);
  const why = page.header.absent["composition"];
  if (why !== undefined)
    return (
      <div>
        <h3>Top consumers</h3>
        <Absent why={why} />
      </div>
    );
  const whole = live.measured || live.accounted;
  const columns: Column<TensorGroup>[] = [
    {
      title: "Per bank",
      unit: "MB",
      numeric: true,
      text: (one) => mib(one.bytes),
      value: (one) => one.bytes,
      cell: (one) => <b>{mib(one.bytes)}</b>,
    },
    { title: "Share", numeric: true, text: (one) => percent(one.bytes / whole), value: (one) => one.bytes },
    { title: "Tensors", numeric: true, text: (one) => count(one.tensors), value: (one) => one.tensors },
    { title: "Kind", text: (one) => String(one.kind), cell: (one) => <KindMark kind={one.kind} /> },
    { title: "Shape", text: (one) => visible(typeLabel(page, one.type)) },
    {
      title: "Made by",
      text: (one) => visible(one.maker),
      cell: (one) => (one.maker ? visible(one.maker) : <span class="muted">before the program</span>),
    },
    {
      title: "Largest of them",
      class: "breakable",
      text: (one) => visible(bufferName(page, rank, args, one.example)),
      cell: (one) => (
        <OpLink rank={rank} op={rank.buffers.op[one.example]}>
          <Breakable text={visible(bufferName(page, rank, args, one.example))} />
        </OpLink>
      ),
    },
  ];
  return (
    <div class="consumers-panel">
      <h3>
        Top consumers of {memory} {chosen === null ? "at the peak" : "at the chosen moment"}
      </h3>
      <Table label={`Top consumers of ${memory}`} columns={columns} records={groups} first={10} />
    </div>
  );
}

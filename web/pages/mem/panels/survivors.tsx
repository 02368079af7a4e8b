// What survives from run to run: memory after each run of a program, and the tensors that outlive theirs.

import { useEffect, useState } from "preact/hooks";
import { useBufferMemory } from "../charts/composition";
import { typeLabel } from "../data/page";
import type { Argument } from "../data/page";
import { programName } from "../data/programs";
import type { BufferMemory } from "../data/rank";
import { Findings } from "kit/findings";
import { bytes, count, mib, plural, signed, visible } from "kit/format";
import { Absent, Breakable, Link, Tag } from "kit/parts";
import { Latest } from "kit/slices";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { selectBuffer, selectOp } from "../viewport";
import { bufferName, fullBufferName, makerName } from "./live_model";
import { KindMark, useLoaded } from "./parts";
import type { PanelProps } from "./parts";
import { findSurvivors } from "./survivors_model";
import type { AfterPass, Fate, Survivor, Survivors } from "./survivors_model";

const FATE_WORDS: Record<Fate, [word: string, meaning: string]> = {
  adds_up: ["one more each run", "Several runs made one each, and none was freed"],
  replaced: ["replaced", "Several runs made one each; those before are freed"],
  stays: ["stays", "Made once and never freed"],
  freed_later: ["freed later", "Made once, freed in a later run"],
  from_outside: ["from outside", "On the device before a program starts: weights, inputs"],
};

function useSurvivors({ page, rank }: PanelProps, memory: BufferMemory): Survivors | null | undefined {
  const [found, setFound] = useState<{ memory: BufferMemory; value: Survivors | null } | null>(null);
  useEffect(() => {
    const latest = new Latest();
    void latest.run((slicer) => findSurvivors(rank, memory, page, slicer), (value) => setFound({ memory, value }));
    return () => latest.cancel();
  }, [page, rank, memory]);
  return found?.memory === memory ? found.value : undefined;
}

/** Whether anything piles up: by the tensors that each run keeps, then by the memory that was measured after the runs. */
function findingOf(found: Survivors): { level: string; text: string } {
  const known = found.passes.filter((pass) => !Number.isNaN(pass.measured));
  const kinds = found.survivors.filter((one) => one.fate === "adds_up").length;
  const change = known.length > 1 ? known[known.length - 1].measured - known[0].measured : 0;
  const seen = known.length > 1 ? `; after the first run ${bytes(known[0].measured)} per bank, after the last ${bytes(known[known.length - 1].measured)}` : "";
  if (found.growth > 0) return { level: "warning", text: `${plural(kinds, "kind")} of tensors grow in number: each run keeps ${bytes(found.growth)} per bank more${seen}` };
  if (change > 0) return { level: "unknown", text: `No tensor is made anew in each run and kept, but memory after a run grew by ${bytes(change)} per bank${seen}` };
  return { level: "ok", text: `Nothing piles up: no tensor is made anew in each run and kept${seen}` };
}

function passColumns({ page, rank }: PanelProps, passes: AfterPass[]): Column<AfterPass>[] {
  const change = (pass: AfterPass) => {
    const before = passes[passes.indexOf(pass) - 1];
    return before ? pass.measured - before.measured : NaN;
  };
  const figure = (title: string, of: (pass: AfterPass) => number, hint: string, text = mib): Column<AfterPass> => ({
    title,
    unit: "MB per bank",
    numeric: true,
    hint,
    text: (pass) => (Number.isNaN(of(pass)) ? "" : text(of(pass))),
    value: of,
  });
  return [
    {
      title: "Run",
      text: (pass) => programName(page, rank, pass.program),
      value: (pass) => passes.indexOf(pass),
      cell: (pass) => <Link title="Show its last op" onClick={() => selectOp(rank, rank.programs.end[pass.program] - 1)}>{programName(page, rank, pass.program)}</Link>,
    },
    figure("After it", (pass) => pass.measured, "What the runtime printed behind it"),
    figure("Change", change, "Since the run before, whichever program that was", (value) => signed(value, mib)),
    figure("Tensors", (pass) => pass.live, "Of the model's live tensors after it (modelled)"),
    figure("Left behind", (pass) => pass.left, "Of tensors that it made and did not free (modelled)"),
  ];
}

function tensorColumns({ page, rank }: PanelProps, args: Argument[] | null): Column<Survivor>[] {
  const name = (one: Survivor) => visible(bufferName(page, rank, args, one.example));
  return [
    { title: "Fate", text: (one) => FATE_WORDS[one.fate][0], cell: (one) => <span title={FATE_WORDS[one.fate][1]} class={one.fate === "adds_up" ? "poor" : undefined}>{FATE_WORDS[one.fate][0]}</span> },
    {
      title: "Tensor",
      text: name,
      cell: (one) => <Link title={visible(fullBufferName(page, rank, args, one.example))} onClick={() => selectBuffer(rank, one.example)}><Breakable text={name(one)} /></Link>,
    },
    { title: "Kind", text: (one) => String(one.kind), value: (one) => one.kind, cell: (one) => <KindMark kind={one.kind} single /> },
    { title: "Shape", text: (one) => visible(typeLabel(page, rank.buffers.type[one.example])) },
    { title: "Made by", text: (one) => visible(makerName(page, rank, one.example)) || "before the program" },
    { title: "Each", unit: "MB per bank", numeric: true, text: (one) => mib(one.bytes), value: (one) => one.bytes },
    { title: "Outlived", unit: "their run", numeric: true, hint: "Tensors of this origin that outlived the run that made them", text: (one) => count(one.tensors), value: (one) => one.tensors },
    { title: "Never freed", numeric: true, text: (one) => count(one.alive), value: (one) => one.alive },
    { title: "Never freed", unit: "MB per bank", numeric: true, text: (one) => mib(one.aliveBytes), value: (one) => one.aliveBytes },
    { title: "Longest", unit: "runs", numeric: true, hint: "Most runs that one of them outlived", text: (one) => count(one.runs), value: (one) => one.runs },
  ];
}

export function SurvivorsPanel(props: PanelProps) {
  const { page, rank } = props;
  const memory = useBufferMemory();
  const found = useSurvivors(props, memory);
  const args = useLoaded(() => page.args(), page);
  const why = page.header.absent["composition"];
  if (why !== undefined || rank.buffers.count === 0) return <Absent why={why} />;
  if (found === undefined) return <p class="muted">Adding up…</p>;
  if (found === null) return <Absent why="The log has one run of a program; two are needed to see what stays from one to the next." />;
  return (
    <div class="survivors">
      <Findings findings={[findingOf(found)]} />
      <h3>{memory} after each run <Tag of={rank.header.measured ? "measured" : "modelled"} /></h3>
      <Table label={`${memory} after each run`} columns={passColumns(props, found.passes)} records={found.passes} first={8} />
      <h3>Tensors that outlive their run <Tag of="modelled" /></h3>
      <Table id="survivors-table" label="Tensors that outlive their run" columns={tensorColumns(props, args)} records={found.survivors} first={10} />
    </div>
  );
}

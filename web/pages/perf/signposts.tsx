// What signposts set off: the time of each part of the model, all of its stretches together.
import { useMemo } from "preact/hooks";
import { count, percent, us, visible } from "kit/format";
import { Link } from "kit/parts";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { numberColumn } from "./bar";
import { NONE } from "./data";
import type { PerfData } from "./data";
import type { Band } from "./lanes";
import { moduleOf } from "./names";

export interface Part {
  name: string;
  stretches: number;
  ops: number;
  us: number;
  gapUs: number;
  first: Band;
}

/** Parts in the order of their first signpost. Rows of the table count, so merged devices count once; compilation is no part of the gaps. */
export function partsOf(data: PerfData, bands: Band[]): Part[] {
  const { rows, executions, header } = data;
  const parts = new Map<string, Part>();
  for (const band of bands) {
    const name = header.signposts[band.signpost] ?? "";
    const known = parts.get(name);
    if (known) known.stretches++;
    else parts.set(name, { name, stretches: 1, ops: 0, us: 0, gapUs: 0, first: band });
  }
  const compile = header.causes.indexOf("compile");
  for (let row = 0; row < rows.count; row++) {
    if (rows.x[row] === NONE) continue;
    const part = parts.get(header.signposts[executions.signpost[rows.x[row]]] ?? "");
    if (!part) continue;
    part.ops++;
    part.us += Math.max(0, rows.deviceNs[row]) / 1000;
    if (rows.cause[row] !== compile) part.gapUs += Math.max(0, rows.gapNs[row]) / 1000;
  }
  return [...parts.values()];
}

export interface Module {
  name: string;
  parts: number;
  ops: number;
  us: number;
  gapUs: number;
}

/** Parts of one name but for their numbers together: the layers of a model. Empty where no two are of one module. */
export function modulesOf(parts: Part[]): Module[] {
  const modules = new Map<string, Module>();
  for (const part of parts) {
    const name = moduleOf(part.name);
    const known = modules.get(name) ?? { name, parts: 0, ops: 0, us: 0, gapUs: 0 };
    known.parts++;
    known.ops += part.ops;
    known.us += part.us;
    known.gapUs += part.gapUs;
    modules.set(name, known);
  }
  if (modules.size === parts.length) return [];
  return [...modules.values()].sort((a, b) => b.us - a.us);
}

function moduleColumns(whole: number): Column<Module>[] {
  return [
    { title: "module", class: "name", text: (one) => (one.name === "" ? "(before any)" : visible(one.name)) },
    numberColumn("parts", (one) => one.parts, count),
    numberColumn("ops", (one) => one.ops, count),
    numberColumn("device μs", (one) => one.us, us),
    numberColumn("share", (one) => one.us / whole, percent),
    numberColumn("μs a part", (one) => one.us / one.parts, us),
    numberColumn("gaps μs", (one) => one.gapUs, us),
  ];
}

const SHOWN = 8;

function columnsOf(whole: number, onShow: (band: Band) => void): Column<Part>[] {
  const nameOf = (part: Part) => (part.name === "" ? "(before any)" : visible(part.name));
  return [
    { title: "behind signpost", class: "name", text: nameOf, cell: (part) => <Link title="Show its first stretch in the timeline" onClick={() => onShow(part.first)}>{nameOf(part)}</Link> },
    numberColumn("stretches", (part) => part.stretches, count),
    numberColumn("ops", (part) => part.ops, count),
    numberColumn("device μs", (part) => part.us, us),
    numberColumn("share", (part) => part.us / whole, percent),
    numberColumn("gaps μs", (part) => part.gapUs, us),
  ];
}

export function SignpostTable({ data, bands, onShow }: { data: PerfData; bands: Band[]; onShow(band: Band): void }) {
  const parts = useMemo(() => partsOf(data, bands), [data, bands]);
  if (parts.length < 2) return null;
  const whole = parts.reduce((sum, part) => sum + part.us, 0);
  const modules = modulesOf(parts);
  return (
    <>
      <h3>Between signposts <small>stretches of one name together; gaps without compilation</small></h3>
      <Table id="signposts" label="Between signposts" columns={columnsOf(whole, onShow)} records={parts} first={SHOWN} />
      {modules.length > 0 && (
        <>
          <h3>By module <small>parts whose names differ in their numbers alone (derived)</small></h3>
          <Table id="modules" label="By module" columns={moduleColumns(whole)} records={modules} first={SHOWN} />
        </>
      )}
    </>
  );
}

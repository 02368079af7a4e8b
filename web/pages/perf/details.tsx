// The chosen op: everything the report says about it, wherever it was chosen.
import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import { Drawer } from "kit/drawer";
import { count, span, us, visible } from "kit/format";
import { Table } from "kit/table/table";
import { barColumn, numberColumn, PLAIN } from "./bar";
import { NONE } from "./data";
import type { PerfData } from "./data";
import { executionOfRow } from "./lanes";
import type { Lane } from "./lanes";
import { shownName } from "./names";
import { categoryOf } from "./view";

interface Props {
  data: PerfData;
  row: number;
  lanes: Lane[];
  onStep(by: number): void;
  onShow(section: "timeline" | "ops"): void;
  onClose(): void;
}

interface Time {
  name: string;
  us: number;
}

function Times({ title, unit, times }: { title: string; unit: string; times: Time[] }) {
  if (times.length === 0) return null;
  const most = Math.max(...times.map((time) => time.us));
  const columns = [
    { title: "", text: (time: Time) => time.name, unsorted: true },
    { ...numberColumn<Time>("μs", (time) => time.us, us), unsorted: true },
    barColumn<Time>("", (time) => time.us, most, (time) => [{ ...time, color: PLAIN }]),
  ];
  return (
    <>
      <h4>{title} <small>{unit}</small></h4>
      <Table label={title} columns={columns} records={times} first={64} compact />
    </>
  );
}

function figuresOf(data: PerfData, row: number): [string, string][] {
  const { rows, kinds, header } = data;
  const kind = rows.kind[row];
  const number = (value: number, scale: number, unit: string) => (value < 0 ? "" : `${(value / scale).toFixed(1)} ${unit}`);
  const ideal = rows.idealNs[row];
  const gap = rows.gapNs[row] / 1000;
  const figures: [string, string][] = [
    ["device time", rows.deviceNs[row] < 0 ? "none recorded" : `${us(rows.deviceNs[row] / 1000)} μs`],
    ["of the run", number(rows.total[row], 1e4, "%")],
    ["gap before", gap < 0 ? "" : `${span(gap)}${gap > 6.5 ? `, ${header.causes[rows.cause[row]]}` : ""}`],
    ["bound", `${header.limits[rows.limit[row]]}${ideal > 0 ? ` (model: ${header.models[rows.model[row]]})` : ""}`],
    ["at its peak", ideal > 0 ? `${us(ideal / 1000)} μs: it is at ${((ideal / rows.deviceNs[row]) * 100).toFixed(1)} %` : ""],
    ["cores", kinds.cores[kind] === NONE ? "" : count(kinds.cores[kind])],
    ["DRAM", number(rows.dram[row], 1e3, "% of the peak")],
    ["FLOPs", rows.tflops[row] < 0 ? "" : `${(rows.tflops[row] / 1e6).toFixed(1)} TFLOPs${rows.flops[row] < 0 ? "" : `, ${(rows.flops[row] / 1e3).toFixed(1)} % of the peak`}`],
    ["types", visible(kinds.fidelity[kind])],
  ];
  return figures.filter(([, value]) => value !== "");
}

/** `a; b (c; d)` at its outermost semicolons. */
export function attributeLines(text: string): string[] {
  const inner = text.startsWith("{") && text.endsWith("}") ? text.slice(1, -1) : text;
  const lines: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < inner.length; i++) {
    if ("([{".includes(inner[i])) depth++;
    else if (")]}".includes(inner[i])) depth--;
    else if (inner[i] === ";" && depth <= 0) {
      lines.push(inner.slice(from, i).trim());
      from = i + 1;
    }
  }
  lines.push(inner.slice(from).trim());
  return lines.filter((line) => line !== "");
}

const listOf = (text: string) => text.replace(/^\[|\]$/g, "").split(/[;\n]/).map((one) => one.trim().replace(/^'|'$/g, "")).filter((one) => one !== "");

function Lines({ id, title, lines }: { id: string; title: string; lines: string[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul class="op-lines" id={id}>{lines.map((line, i) => <li key={i}>{visible(line)}</li>)}</ul>
    </>
  );
}

/** What the op works on and what runs for it. */
function Program({ data: { kinds }, kind }: { data: PerfData; kind: number }) {
  return (
    <>
      <Lines id="op-tensors" title="Tensors" lines={kinds.tensors[kind].split("\n").filter((line) => line !== "")} />
      <Lines id="op-kernels" title="Kernels" lines={[...listOf(kinds.computeKernels[kind]).map((one) => `compute: ${one}`), ...listOf(kinds.dataKernels[kind]).map((one) => `data: ${one}`)]} />
      <Lines id="op-location" title="Asked for in" lines={kinds.location[kind] ? [kinds.location[kind]] : []} />
      <Lines id="op-attributes" title="Attributes" lines={attributeLines(kinds.attributes[kind])} />
    </>
  );
}

interface ZoneTime {
  zone: string;
  risc: string;
  count: number;
  us: number;
}

/** What authors of kernels marked in this op, of all its cores. */
export function zonesOfOp(data: PerfData, row: number): ZoneTime[] {
  const call = data.rows.call[row];
  const found: ZoneTime[] = [];
  for (const zone of data.document.zones ?? []) {
    const part = zone.ops?.find((one) => one.call_count === call);
    if (part) found.push({ zone: zone.zone, risc: zone.risc, count: part.count, us: part.us ?? NaN });
  }
  return found;
}

const ZONE_COLUMNS = [
  { title: "zone", text: (one: ZoneTime) => visible(`${one.zone} (${one.risc})`), unsorted: true },
  { ...numberColumn<ZoneTime>("count", (one) => one.count, count), unsorted: true },
  { ...numberColumn<ZoneTime>("μs", (one) => one.us, us), unsorted: true },
];

function ZonesOfOp({ data, row }: { data: PerfData; row: number }) {
  const zones = useMemo(() => zonesOfOp(data, row), [data, row]);
  if (zones.length === 0) return null;
  return (
    <>
      <h4>Zones of its kernels <small>count, μs added up over cores</small></h4>
      <Table id="op-zones" label="Zones of its kernels" columns={ZONE_COLUMNS} records={zones} first={32} compact />
    </>
  );
}

export function Details({ data, row, lanes, onStep, onShow, onClose }: Props) {
  const { rows, kinds, header, executions } = data;
  const runs = useMemo(() => lanes.map((lane) => executionOfRow(data, lane, row)).filter((one) => one !== null), [data, lanes, row]);
  const isOp = rows.form[row] !== 2;
  const execution = rows.x[row];
  const riscs = execution === NONE ? [] : header.riscs.map((name, risc) => ({ name, us: executions.riscNs[risc][execution] / 1000, none: executions.riscNs[risc][execution] === NONE })).filter((one) => !one.none);
  const cores = execution === NONE ? null : executions.coreNs.map((column) => column[execution]);
  return (
    <Drawer
      id="details"
      of={row}
      title={<span title={visible(kinds.label[rows.kind[row]])}>{shownName(kinds.label[rows.kind[row]])}</span>}
      place={`row ${rows.id[row]} · ${isOp ? header.categories[categoryOf(data, row)] : "signpost"}`}
      tools={
        <>
          {execution !== NONE && <button type="button" onClick={() => onShow("timeline")}>In the timeline</button>}
          <button type="button" onClick={() => onShow("ops")}>In the table</button>
        </>
      }
      isFirst={row === 0}
      isLast={row === rows.count - 1}
      onStep={onStep}
      onClose={onClose}
    >
      {isOp && (
        <dl class="facts">
          {figuresOf(data, row).map(([name, value]) => <Fragment key={name}><dt>{name}</dt><dd>{value}</dd></Fragment>)}
        </dl>
      )}
      {isOp && <Program data={data} kind={rows.kind[row]} />}
      {runs.length > 1 && <Times title="On each device" unit="device time" times={runs.map((one) => ({ name: `device ${executions.device[one]}`, us: Math.max(0, executions.ns[one]) / 1000 }))} />}
      {isOp && <ZonesOfOp data={data} row={row} />}
      <Times title="Processors" unit={runs.length > 1 ? `device ${executions.device[execution]}` : ""} times={riscs} />
      {cores && cores[0] !== NONE && <Times title="Kernel time of a core" unit="" times={["shortest", "longest", "mean"].map((name, i) => ({ name, us: cores[i] / 1000 }))} />}
    </Drawer>
  );
}

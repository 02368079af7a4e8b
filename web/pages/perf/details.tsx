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
      title={visible(kinds.label[rows.kind[row]])}
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
      {runs.length > 1 && <Times title="On each device" unit="device time" times={runs.map((one) => ({ name: `device ${executions.device[one]}`, us: Math.max(0, executions.ns[one]) / 1000 }))} />}
      <Times title="Processors" unit={runs.length > 1 ? `device ${executions.device[execution]}` : ""} times={riscs} />
      {cores && cores[0] !== NONE && <Times title="Kernel time of a core" unit="" times={["shortest", "longest", "mean"].map((name, i) => ({ name, us: cores[i] / 1000 }))} />}
    </Drawer>
  );
}

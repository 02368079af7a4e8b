// The chosen op: everything the report says about it, wherever it was chosen.
import { useMemo } from "preact/hooks";
import { count, visible } from "kit/format";
import { NONE, span, us } from "./data";
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

interface Bar {
  name: string;
  us: number;
}

function Bars({ title, bars, unit }: { title: string; bars: Bar[]; unit?: string }) {
  const most = Math.max(1e-9, ...bars.map((bar) => bar.us));
  return (
    <>
      <h3>{title} {unit && <small>{unit}</small>}</h3>
      <table class="bars">
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.name}>
              <td>{bar.name}</td>
              <td class="number">{us(bar.us)}</td>
              <td class="bar-cell"><span class="bar plain" style={{ width: `${(bar.us / most) * 100}%` }} /></td>
            </tr>
          ))}
        </tbody>
      </table>
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
    <aside class="card" id="details" aria-label="The chosen op">
      <div class="card-tools">
        <b>row {rows.id[row]}</b>
        <span class="muted">{isOp ? header.categories[categoryOf(data, row)] : "signpost"}</span>
        <span class="spacer" />
        <button type="button" title="Previous op (,)" aria-label="Previous op" onClick={() => onStep(-1)}>‹</button>
        <button type="button" title="Next op (.)" aria-label="Next op" onClick={() => onStep(1)}>›</button>
        <button type="button" title="Close (Esc)" aria-label="Close" onClick={onClose}>×</button>
      </div>
      <h2>{visible(kinds.label[rows.kind[row]])}</h2>
      {isOp && (
        <dl>
          {figuresOf(data, row).map(([name, value]) => (
            <div key={name}><dt>{name}</dt><dd>{value}</dd></div>
          ))}
        </dl>
      )}
      {runs.length > 1 && <Bars title="On each device" unit="μs" bars={runs.map((one) => ({ name: `device ${executions.device[one]}`, us: Math.max(0, executions.ns[one]) / 1000 }))} />}
      {riscs.length > 0 && <Bars title="Processors" unit={`μs${runs.length > 1 ? `, device ${executions.device[execution]}` : ""}`} bars={riscs} />}
      {cores && cores[0] !== NONE && <Bars title="Kernel time of a core" unit="μs" bars={["shortest", "longest", "mean"].map((name, i) => ({ name, us: cores[i] / 1000 }))} />}
      <p class="card-links">
        {execution !== NONE && <button type="button" class="link" onClick={() => onShow("timeline")}>in the timeline</button>}
        <button type="button" class="link" onClick={() => onShow("ops")}>in the table</button>
      </p>
    </aside>
  );
}

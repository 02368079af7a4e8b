// The figures at the top, where the time goes, advice, what to trust.
import { useMemo, useState } from "preact/hooks";
import { count, percent, visible } from "kit/format";
import { span, us } from "./data";
import type { PerfData } from "./data";
import { CAUSE_COLORS } from "./timeline_paint";
import type { Filter } from "./view";

export function Head({ data }: { data: PerfData }) {
  const { totals, device, skew } = data.document;
  const peaks = device.peak_dram_gb_s ? `${device.worker_cores ?? "?"} cores, DRAM ${device.peak_dram_gb_s} GB/s` : "no peaks known";
  const tiles: [string, string, string][] = [
    ["Device time", span(totals.device_us), `${count(totals.device_ops)} device ops${totals.host_ops > 0 ? `, ${count(totals.host_ops)} on the host` : ""}`],
    ["Gaps between ops", span(totals.gap_us - totals.compile_gap_us), totals.compile_gap_us > 0 ? `and ${span(totals.compile_gap_us)} before first runs (compile)` : "no compilation seen"],
    ["Device", `${device.arch ?? "unknown"}${device.clock_mhz ? ` at ${device.clock_mhz} MHz` : ", clock unknown"}`, peaks],
  ];
  if (skew.devices.length > 1) tiles.push(["Devices", count(skew.devices.length), `slowest over median ${span(skew.slowest_over_median_us)}`]);
  return (
    <header class="tiles" id="overview">
      {tiles.map(([name, value, more]) => (
        <div class="tile" key={name}>
          <span class="muted">{name}</span>
          <b>{value}</b>
          <span class="muted">{more}</span>
        </div>
      ))}
    </header>
  );
}

interface Piece {
  name: string;
  us: number;
  color: string;
}

/** More devices than these get thin bars without texts. */
const FEW_DEVICES = 4;

function StackedBar({ label, pieces, isThin = false }: { label: string; pieces: Piece[]; isThin?: boolean }) {
  const whole = pieces.reduce((sum, one) => sum + one.us, 0);
  if (!(whole > 0)) return null;
  return (
    <div class={isThin ? "stack-line thin" : "stack-line"}>
      <span class="stack-label">{label} <small class="muted">{span(whole)}</small></span>
      <div class="stack" role="img" aria-label={pieces.map((one) => `${one.name} ${percent(one.us / whole)}`).join(", ")}>
        {pieces.filter((one) => one.us > 0).map((one) => (
          <span key={one.name} title={`${one.name}: ${us(one.us)} μs, ${percent(one.us / whole)}`} style={{ width: `${(one.us / whole) * 100}%`, background: one.color }}>
            {one.us / whole > 0.1 && !isThin ? `${one.name} ${percent(one.us / whole)}` : ""}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Device time by category on each device, from all executions. */
export function timeByDevice(data: PerfData): { device: number; us: number[] }[] {
  const { executions, kinds, header } = data;
  const devices: { device: number; us: number[] }[] = [];
  for (let i = 0; i < executions.count; i++) {
    if (devices[devices.length - 1]?.device !== executions.device[i]) devices.push({ device: executions.device[i], us: header.categories.map(() => 0) });
    devices[devices.length - 1].us[kinds.category[executions.kind[i]]] += Math.max(0, executions.ns[i]) / 1000;
  }
  return devices;
}

interface StackedProps {
  data: PerfData;
  onFilter(filter: Partial<Filter>): void;
}

function Bars({ data }: { data: PerfData }) {
  const { categories, gaps } = data.document;
  const { header } = data;
  const color = (name: string) => header.colors[header.categories.indexOf(name)] ?? "#888888";
  const byCategory = categories.map((one) => ({ name: one.category, us: one.device_us, color: color(one.category) }));
  const byDevice = useMemo(() => timeByDevice(data), [data]);
  const waits = gaps
    .filter((one) => one.cause !== "compile")
    .map((one) => ({ name: one.cause === "none" ? "launch" : `gap: ${one.cause}`, us: one.gap_us, color: CAUSE_COLORS[one.cause] ? `var(--${CAUSE_COLORS[one.cause]})` : "var(--unaccounted)" }));
  return (
    <>
      <StackedBar label="device time" pieces={byCategory} />
      {byDevice.length > 1 &&
        byDevice.map((one) => (
          <StackedBar key={one.device} isThin={byDevice.length > FEW_DEVICES} label={`device ${one.device}`} pieces={one.us.map((value, category) => ({ name: header.categories[category], us: value, color: header.colors[category] }))} />
        ))}
      {waits.length > 0 && <StackedBar label="with gaps" pieces={[...byCategory, ...waits]} />}
    </>
  );
}

export function Stacked({ data, onFilter }: StackedProps) {
  const { categories, bounds, gaps, totals } = data.document;
  const color = (name: string) => data.header.colors[data.header.categories.indexOf(name)] ?? "#888888";
  const link = (text: string, filter: Partial<Filter>) => (
    <button type="button" class="link" title="Show these ops in the table and the timeline" onClick={() => onFilter(filter)}>{text}</button>
  );
  return (
    <section class="section" id="stacked">
      <h2>
        Where the time goes <small>by category (measured); compilation is left out of the last bar</small>
      </h2>
      <Bars data={data} />
      <div class="columns">
        <table>
          <thead>
            <tr><th>category</th><th class="number">ops</th><th class="number">μs</th><th class="number">share</th></tr>
          </thead>
          <tbody>
            {categories.map((one) => (
              <tr key={one.category}>
                <td><i class="swatch" style={{ background: color(one.category) }} />{link(one.category, { category: one.category })}</td>
                <td class="number">{count(one.ops)}</td>
                <td class="number">{us(one.device_us)}</td>
                <td class="number">{one.percent.toFixed(1)} %</td>
              </tr>
            ))}
          </tbody>
        </table>
        <table id="bounds">
          <thead>
            <tr><th>bound (modelled)</th><th class="number">ops</th><th class="number">μs</th><th class="number">at peak</th></tr>
          </thead>
          <tbody>
            {bounds.map((one) => (
              <tr key={one.bound}>
                <td>{link(one.bound, { limit: one.bound })}</td>
                <td class="number">{count(one.ops)}</td>
                <td class="number">{us(one.device_us)}</td>
                <td class="number">{one.ideal_us === null || one.device_us === 0 ? "" : percent(one.ideal_us / one.device_us)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <table id="gaps">
          <thead>
            <tr><th>gap (derived)</th><th class="number">gaps</th><th class="number">μs</th><th class="number">share</th></tr>
          </thead>
          <tbody>
            {gaps.length === 0 && <tr><td colSpan={4} class="muted">no gaps recorded</td></tr>}
            {gaps.map((one) => (
              <tr key={one.cause} title={one.what}>
                <td>{link(one.cause === "none" ? "launch" : one.cause, { cause: one.cause })}</td>
                <td class="number">{count(one.ops)}</td>
                <td class="number">{us(one.gap_us)}</td>
                <td class="number">{percent(one.gap_us / totals.gap_us)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const ADVICE_SHOWN = 6;

interface AdviceProps {
  data: PerfData;
  onSelect(row: number): void;
}

export function AdviceList({ data, onSelect }: AdviceProps) {
  const rowOf = (id: number) => data.rows.id.indexOf(id);
  const all = data.document.advice;
  const [shown, setShown] = useState(ADVICE_SHOWN);
  return (
    <section class="section" id="advice">
      <h2>
        Advice <small>largest gain first; gains can overlap</small>
      </h2>
      {all.length === 0 && <p class="absent">Nothing found that would make the run faster.</p>}
      <ol class="advice">
        {all.slice(0, shown).map((one, index) => (
          <li key={index}>
            <b>{visible(one.title)}</b>
            <span class="gain">
              {us(one.gain_us)} μs{one.once ? ", once" : ""} <small>{one.basis}</small>
            </span>
            <p>
              {visible(one.detail)}{" "}
              <span class="row-links">
                rows{" "}
                {one.first_rows.slice(0, 10).map((id) => (
                  <button type="button" key={id} onClick={() => onSelect(rowOf(id))}>{id}</button>
                ))}
                {one.rows > 10 ? ` and ${count(one.rows - Math.min(10, one.first_rows.length))} more` : ""}
              </span>
            </p>
          </li>
        ))}
      </ol>
      {all.length > shown && (
        <button type="button" onClick={() => setShown(all.length)}>
          {count(all.length - shown)} more with smaller gains
        </button>
      )}
    </section>
  );
}

export function Trust({ data }: { data: PerfData }) {
  const { trust } = data.document;
  const problems = Object.entries(trust.problems);
  return (
    <section class="section" id="trust">
      <h2>Trust</h2>
      <ul>
        {trust.notes.map((note, index) => <li key={index}>{visible(note)}</li>)}
        {problems.map(([key, problem]) => <li key={key} class="problem">{count(problem.count)} {problem.what}{problem.first_rows?.length ? ` (first: row ${problem.first_rows.join(", ")})` : ""}</li>)}
        {Object.entries(trust.capture_problems ?? {}).map(([key, problem]) => (
          <li key={key} class="problem">of the profiler's files: {count(problem.count)} {problem.what}{problem.first_places.length ? ` (first: ${problem.first_places.map(visible).join(", ")})` : ""}</li>
        ))}
        {trust.unclassified_ops?.length ? <li>category not known, shown as Other: {trust.unclassified_ops.map((name) => (name === "" ? "(unnamed)" : visible(name))).join(", ")}</li> : null}
        <li>Times are measured, gap causes derived, bounds and gains against a peak modelled.</li>
      </ul>
    </section>
  );
}

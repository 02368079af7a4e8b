// The figures at the top, the stacked bar, gaps, devices and advice.
import { useState } from "preact/hooks";
import { count, percent, visible } from "../src/format";
import { us } from "./data";
import type { PerfData } from "./data";

export function Head({ data }: { data: PerfData }) {
  const { totals, device } = data.document;
  const facts: [string, string][] = [
    ["device ops", count(totals.device_ops)],
    ["device time", `${us(totals.device_us)} μs`],
    ["gaps", `${us(totals.gap_us)} μs`],
    ["of them compile", `${us(totals.compile_gap_us)} μs`],
    ["host ops", count(totals.host_ops)],
    ["device", `${device.arch ?? "unknown"}${device.clock_mhz ? ` at ${device.clock_mhz} MHz` : ", clock unknown"}`],
  ];
  return (
    <header class="head" id="overview">
      <h1>{visible(data.header.name)}</h1>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

export function Stacked({ data }: { data: PerfData }) {
  const { categories, bounds, gaps, totals } = data.document;
  const color = (name: string) => data.header.colors[data.header.categories.indexOf(name)] ?? "#888888";
  return (
    <section class="panel" id="stacked">
      <h2>
        Where the time goes <small>device time by category (measured)</small>
      </h2>
      <div class="stack" role="img" aria-label="Device time by category">
        {categories.map((one) => (
          <span key={one.category} title={`${one.category}: ${us(one.device_us)} μs`} style={{ width: `${one.percent}%`, background: color(one.category) }}>
            {one.percent > 8 ? `${one.category} ${one.percent.toFixed(1)} %` : ""}
          </span>
        ))}
      </div>
      <div class="columns">
        <table>
          <thead>
            <tr><th>category</th><th>ops</th><th>μs</th><th>share</th></tr>
          </thead>
          <tbody>
            {categories.map((one) => (
              <tr key={one.category}>
                <td><i class="swatch" style={{ background: color(one.category) }} />{one.category}</td>
                <td class="number">{count(one.ops)}</td>
                <td class="number">{us(one.device_us)}</td>
                <td class="number">{one.percent.toFixed(1)} %</td>
              </tr>
            ))}
          </tbody>
        </table>
        <table id="bounds">
          <thead>
            <tr><th>bound (modelled)</th><th>ops</th><th>μs</th><th>at peak</th></tr>
          </thead>
          <tbody>
            {bounds.map((one) => (
              <tr key={one.bound}>
                <td>{one.bound}</td>
                <td class="number">{count(one.ops)}</td>
                <td class="number">{us(one.device_us)}</td>
                <td class="number">{one.ideal_us === null || one.device_us === 0 ? "" : percent(one.ideal_us / one.device_us)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <table id="gaps">
          <thead>
            <tr><th>gap (derived)</th><th>gaps</th><th>μs</th><th>share</th></tr>
          </thead>
          <tbody>
            {gaps.map((one) => (
              <tr key={one.cause}>
                <td title={one.what}>{one.cause === "none" ? "launch" : one.cause}</td>
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
    <section class="panel" id="advice">
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
            <p>{visible(one.detail)}</p>
            <p class="row-links">
              rows{" "}
              {one.first_rows.slice(0, 10).map((id) => (
                <button type="button" key={id} onClick={() => onSelect(rowOf(id))}>{id}</button>
              ))}
              {one.rows > 10 ? ` and ${count(one.rows - Math.min(10, one.first_rows.length))} more` : ""}
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

export function Devices({ data }: { data: PerfData }) {
  const { skew } = data.document;
  if (skew.devices.length < 2) return null;
  return (
    <section class="panel" id="devices">
      <h2>
        Devices <small>the same op on each (measured)</small>
      </h2>
      <p>
        Slowest device over median: {us(skew.slowest_over_median_us)} μs in all; waiting in collectives: {us(skew.collective_wait_us)} μs.
      </p>
      <table>
        <thead>
          <tr><th>device</th><th>ops</th><th>device time, μs</th><th>collectives, μs</th><th>behind median, μs</th><th>slowest in</th></tr>
        </thead>
        <tbody>
          {skew.devices.map((one) => (
            <tr key={one.device}>
              <td>{one.device}</td>
              <td class="number">{count(one.ops)}</td>
              <td class="number">{us(one.device_us)}</td>
              <td class="number">{us(one.collective_us)}</td>
              <td class="number">{us(one.behind_us)}</td>
              <td class="number">{count(one.slowest_ops)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Trust({ data }: { data: PerfData }) {
  const { trust } = data.document;
  const problems = Object.entries(trust.problems);
  return (
    <section class="panel" id="trust">
      <h2>Trust</h2>
      <ul>
        {trust.notes.map((note, index) => <li key={index}>{visible(note)}</li>)}
        {problems.map(([key, problem]) => <li key={key}>{count(problem.count)} {problem.what}</li>)}
        <li>Times are measured, gap causes derived, bounds and gains against a peak modelled.</li>
      </ul>
    </section>
  );
}

// The stacked report: device time by name of op, and the devices against each other.
import { useMemo, useState } from "preact/hooks";
import { count, percent, visible } from "kit/format";
import { us } from "./data";
import type { PerfData } from "./data";
import { categoryOf } from "./view";

interface NamedOps {
  name: string;
  category: number;
  ops: number;
  us: number;
  /** Of the ops that have a bound. */
  idealUs: number;
  boundUs: number;
}

/** Names without shapes, by time. The figures add up to the device time of the run. */
export function opsByName(data: PerfData): NamedOps[] {
  const { rows, kinds } = data;
  const names = kinds.label.map((label) => label.split(" ", 1)[0]);
  const all = new Map<string, NamedOps>();
  for (let row = 0; row < rows.count; row++) {
    if (rows.form[row] === 2) continue;
    const name = rows.form[row] === 1 ? kinds.label[rows.kind[row]] : names[rows.kind[row]];
    let entry = all.get(name);
    if (!entry) all.set(name, (entry = { name, category: categoryOf(data, row), ops: 0, us: 0, idealUs: 0, boundUs: 0 }));
    const time = Math.max(0, rows.deviceNs[row]) / 1000;
    entry.ops++;
    entry.us += time;
    if (rows.idealNs[row] <= 0) continue;
    entry.idealUs += rows.idealNs[row] / 1000;
    entry.boundUs += time;
  }
  return [...all.values()].sort((a, b) => b.us - a.us || (a.name < b.name ? -1 : 1));
}

const SHOWN = 10;

export function OpsByName({ data, onFind }: { data: PerfData; onFind(name: string): void }) {
  const all = useMemo(() => opsByName(data), [data]);
  const [shown, setShown] = useState(SHOWN);
  const whole = data.document.totals.device_us;
  const most = Math.max(1e-9, all[0]?.us ?? 0);
  return (
    <section class="section" id="kinds">
      <h2>
        By op <small>device time of all ops of a name (measured)</small>
      </h2>
      <div class="scroll-x">
        <table class="bars">
          <thead>
            <tr><th>op</th><th class="number">ops</th><th class="number">μs</th><th class="number">share</th><th class="number">mean μs</th><th class="number">at peak</th><th /></tr>
          </thead>
          <tbody>
            {all.slice(0, shown).map((one) => (
              <tr key={one.name}>
                <td class="name"><button type="button" class="link" title={visible(one.name)} onClick={() => onFind(one.name)}>{visible(one.name)}</button></td>
                <td class="number">{count(one.ops)}</td>
                <td class="number">{us(one.us)}</td>
                <td class="number">{whole > 0 ? percent(one.us / whole) : ""}</td>
                <td class="number">{us(one.us / one.ops)}</td>
                <td class="number">{one.boundUs > 0 ? percent(one.idealUs / one.boundUs) : ""}</td>
                <td class="bar-cell"><span class="bar" title={data.header.categories[one.category]} style={{ width: `${(one.us / most) * 100}%`, background: data.header.colors[one.category] }} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {all.length > shown && <button type="button" onClick={() => setShown(all.length)}>{count(all.length - shown)} more with less time</button>}
    </section>
  );
}

const APART_SHOWN = 8;
/** Of the median: less is not worth a look. */
const LEAST_APART = 0.01;

export function Devices({ data, onSelect }: { data: PerfData; onSelect(row: number): void }) {
  const { skew } = data.document;
  if (skew.devices.length < 2) return null;
  const apart = skew.ops.filter((one) => one.slowest_us > one.median_us * (1 + LEAST_APART)).slice(0, APART_SHOWN);
  return (
    <section class="section" id="devices">
      <h2>
        Devices <small>the same op on each (measured)</small>
      </h2>
      <p>
        Slowest device over median: {us(skew.slowest_over_median_us)} μs in all; waiting in collectives: {us(skew.collective_wait_us)} μs{skew.collective_wait_us > 0 ? `, ${us(skew.collective_late_us)} μs of it for devices that came late (derived)` : ""}.
      </p>
      <div class="columns">
        <table>
          <thead>
            <tr><th>device</th><th class="number">ops</th><th class="number">device time, μs</th><th class="number">collectives, μs</th><th class="number" title="other ops ran on the device at the same time (derived: kernel times up to the end of the firmware)">overlapped, μs (derived)</th><th class="number">behind median, μs</th><th class="number">slowest in</th></tr>
          </thead>
          <tbody>
            {skew.devices.map((one) => (
              <tr key={one.device}>
                <td>{one.device}</td>
                <td class="number">{count(one.ops)}</td>
                <td class="number">{us(one.device_us)}</td>
                <td class="number">{us(one.collective_us)}</td>
                <td class="number">{one.collective_overlap_us === null ? "" : us(one.collective_overlap_us)}</td>
                <td class="number">{us(one.behind_us)}</td>
                <td class="number">{count(one.slowest_ops)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {apart.length > 0 && (
          <table id="apart">
            <thead>
              <tr><th>most apart</th><th class="number">fastest μs</th><th class="number">median μs</th><th class="number">slowest μs</th><th class="number">on device</th></tr>
            </thead>
            <tbody>
              {apart.map((one) => (
                <tr key={one.id}>
                  <td class="name"><button type="button" class="link" title={visible(one.op)} onClick={() => onSelect(data.rows.id.indexOf(one.id))}>{one.id} {visible(one.op)}</button></td>
                  <td class="number">{us(one.fastest_us)}</td>
                  <td class="number">{us(one.median_us)}</td>
                  <td class="number">{us(one.slowest_us)}</td>
                  <td class="number">{one.slowest_device}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  );
}

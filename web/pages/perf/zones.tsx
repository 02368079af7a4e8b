// Where the time goes inside of ops: the zones of the device log, by the time spent in them alone.
import { useMemo, useState } from "preact/hooks";
import { count, percent, visible } from "kit/format";
import { us } from "./data";
import type { PerfData, Zone } from "./data";

const SHOWN = 12;

/** Sums have no time of their own: their processor added them up beside its zones. */
const timeOf = (zone: Zone) => zone.self_us ?? zone.total_us ?? zone.self_cycles ?? zone.total_cycles;

const sourceOf = (zone: Zone) => (zone.source_file === null ? "" : `${zone.source_file.slice(zone.source_file.lastIndexOf("/") + 1)}:${zone.source_line ?? ""}`);

function ZoneRow({ zone, most }: { zone: Zone; most: number }) {
  return (
    <tr>
      <td class="name" title={visible(zone.zone)}>{visible(zone.zone)}</td>
      <td>{zone.kind}</td>
      <td>{visible(zone.risc)}</td>
      <td class="number">{zone.device}</td>
      <td class="number">{count(zone.count)}</td>
      <td class="number">{count(zone.cores)}</td>
      <td class="number">{zone.self_us === null ? "" : us(zone.self_us)}</td>
      <td class="number">{zone.self_percent === null ? "" : percent(zone.self_percent / 100)}</td>
      <td class="number">{zone.total_us === null ? "" : us(zone.total_us)}</td>
      <td title={visible(zone.source_file ?? "")}>{visible(sourceOf(zone))}</td>
      <td class="bar-cell"><span class="bar plain" style={{ width: `${most > 0 ? (timeOf(zone) / most) * 100 : 0}%` }} /></td>
    </tr>
  );
}

export function Zones({ data }: { data: PerfData }) {
  const all = useMemo(() => [...(data.document.zones ?? [])].sort((a, b) => timeOf(b) - timeOf(a)), [data]);
  const [shown, setShown] = useState(SHOWN);
  if (all.length === 0) return null;
  return (
    <section class="section" id="zones">
      <h2>
        Zones <small>measured, added up over cores; self time is without the zones inside</small>
      </h2>
      <div class="scroll-x">
        <table class="bars">
          <thead>
            <tr><th>zone</th><th>kind</th><th>processor</th><th class="number">device</th><th class="number">count</th><th class="number">cores</th><th class="number">self μs</th><th class="number">of processor</th><th class="number">total μs</th><th>source</th><th /></tr>
          </thead>
          <tbody>
            {all.slice(0, shown).map((zone, index) => <ZoneRow key={index} zone={zone} most={timeOf(all[0])} />)}
          </tbody>
        </table>
      </div>
      {all.length > shown && <button type="button" onClick={() => setShown(shown + 200)}>{count(all.length - shown)} more with less time</button>}
    </section>
  );
}

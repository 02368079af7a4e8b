// What signposts set off: the time of each part of the model, all of its stretches together.
import { useMemo, useState } from "preact/hooks";
import { count, percent, visible } from "kit/format";
import { NONE, us } from "./data";
import type { PerfData } from "./data";
import type { Band } from "./lanes";

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

const SHOWN = 8;

export function SignpostTable({ data, bands, onShow }: { data: PerfData; bands: Band[]; onShow(band: Band): void }) {
  const parts = useMemo(() => partsOf(data, bands), [data, bands]);
  const [all, setAll] = useState(false);
  if (parts.length < 2) return null;
  const whole = parts.reduce((sum, part) => sum + part.us, 0);
  return (
    <>
      <h3>
        Between signposts <small>stretches of one name together; gaps without compilation</small>
      </h3>
      <div class="scroll-x">
        <table id="signposts">
          <thead>
            <tr><th>behind signpost</th><th class="number">stretches</th><th class="number">ops</th><th class="number">device μs</th><th class="number">share</th><th class="number">gaps μs</th></tr>
          </thead>
          <tbody>
            {parts.slice(0, all ? parts.length : SHOWN).map((part) => (
              <tr key={part.name}>
                <td><button type="button" class="link" title="Show its first stretch in the timeline" onClick={() => onShow(part.first)}>{part.name === "" ? "(before any)" : visible(part.name)}</button></td>
                <td class="number">{count(part.stretches)}</td>
                <td class="number">{count(part.ops)}</td>
                <td class="number">{us(part.us)}</td>
                <td class="number">{percent(part.us / whole)}</td>
                <td class="number">{us(part.gapUs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {parts.length > SHOWN && !all && <button type="button" onClick={() => setAll(true)}>{count(parts.length - SHOWN)} more</button>}
    </>
  );
}

// Peak and wall time of one model over its reports, with the places where they changed.
import { bytes, percent, span, visible } from "kit/format";
import { Section } from "kit/sections";
import { useWidth } from "kit/width";
import { useState } from "preact/hooks";
import { changePoints, modelsOf } from "./history";
import { dateText } from "./library";
import type { Report } from "./library";

interface Figure {
  id: string;
  title: string;
  of(report: Report): number | null;
  text(value: number): string;
}

const FIGURES: Figure[] = [
  { id: "peak", title: "DRAM peak per bank", of: (report) => report.dram?.peak_bytes_per_bank ?? null, text: bytes },
  { id: "wall", title: "wall time", of: (report) => report.wall_us, text: span },
];

const HEIGHT = 150;
const LEFT = 90;
const RIGHT = 14;
const AIR = 16;

function Line({ figure, reports }: { figure: Figure; reports: Report[] }) {
  const [box, room] = useWidth<HTMLDivElement>(900);
  const values = reports.map((report) => figure.of(report) ?? 0);
  const changes = changePoints(values);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const spread = Math.max(most - least, most * 0.02, 1e-9);
  const x = (i: number) => LEFT + ((room - LEFT - RIGHT) * (i + 0.5)) / values.length;
  const y = (value: number) => AIR + (HEIGHT - 2 * AIR) * (1 - (value - least) / spread);
  const marks = new Map(changes.map((at, i) => [at, { before: values.slice(changes[i - 1] ?? 0, at), after: values.slice(at, changes[i + 1]) }]));
  const level = (part: number[]) => part.reduce((sum, value) => sum + value, 0) / part.length;
  return (
    <div class="history-line" ref={box} data-figure={figure.id}>
      <h3 class="history-title">{figure.title}</h3>
      <svg width={room} height={HEIGHT} viewBox={`0 0 ${room} ${HEIGHT}`} role="img" aria-label={`${figure.title} over ${values.length} reports`}>
        <text class="history-mark" x={LEFT - 8} y={y(most) + 4}>{figure.text(most)}</text>
        {most > least ? <text class="history-mark" x={LEFT - 8} y={y(least) + 4}>{figure.text(least)}</text> : null}
        {changes.map((at) => <line key={at} class="history-change" x1={(x(at - 1) + x(at)) / 2} x2={(x(at - 1) + x(at)) / 2} y1={4} y2={HEIGHT - 4} />)}
        <path class="history-path" d={values.map((value, i) => `${i === 0 ? "M" : "L"}${x(i)},${y(value)}`).join("")} />
        {values.map((value, i) => (
          <circle key={reports[i].id} class={marks.has(i) ? "history-dot history-dot-changed" : "history-dot"} cx={x(i)} cy={y(value)} r={marks.has(i) ? 5 : 3}>
            <title>{`${visible(reports[i].name)}, ${dateText(reports[i].time_s)}: ${figure.text(value)}`}</title>
          </circle>
        ))}
      </svg>
      <ul class="history-changes">
        {[...marks].map(([at, { before, after }]) => (
          <li key={at}>
            <b>{visible(reports[at].name)}</b> <span class="muted">{dateText(reports[at].time_s)}</span>: {figure.title} {figure.text(level(before))} → {figure.text(level(after))} (
            {level(after) > level(before) ? "+" : ""}{percent(level(after) / level(before) - 1)})
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Where three reports or more are of one model. */
export function History({ reports }: { reports: Report[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const lists = FIGURES.map((figure) => ({ figure, models: modelsOf(reports, figure.of) }));
  const names = [...new Set(lists.flatMap(({ models }) => [...models.keys()]))];
  if (names.length === 0) return null;
  const model = chosen !== null && names.includes(chosen) ? chosen : names[0];
  return (
    <Section id="history" title="History" hint="reports of one model in order; a mark stands where the level changed by 0.5 % or more, and by four standard errors or more: 4 + 20 / reports">
      <label class="history-model">
        Model{" "}
        <select value={model} onChange={(event) => setChosen(event.currentTarget.value)}>
          {names.map((name) => <option key={name} value={name}>{visible(name)}</option>)}
        </select>
      </label>
      {lists.map(({ figure, models }) => {
        const list = models.get(model);
        return list ? <Line key={`${figure.id} ${model}`} figure={figure} reports={list} /> : null;
      })}
    </Section>
  );
}

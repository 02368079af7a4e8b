// The figures at the top, where the time goes, advice, what to trust.
import { useMemo, useState } from "preact/hooks";
import { count, percent, plural, span, us, visible } from "kit/format";
import { Absent, Link, Tag } from "kit/parts";
import { Section } from "kit/sections";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { Tiles } from "kit/tiles";
import type { Tile } from "kit/tiles";
import { problemText, Trust } from "kit/trust";
import type { TrustPart } from "kit/trust";
import { numberColumn } from "./bar";
import type { Piece } from "./bar";
import { timeTag } from "./data";
import type { PerfData, PerfDocument } from "./data";
import { CAUSE_COLORS } from "./timeline_paint";
import type { Filter } from "./view";

/** The note that says which part of the report is shown. */
export function windowOf(notes: string[]): string {
  const said = notes.filter((note) => /^(Using (the last stretch|operations|the operations)|Ignoring all signposts|No signposts found|No operations follow|Filtering rows|Left out as)/.test(note));
  return said.length > 0 ? said.join(" ").replaceAll("; --ignore-signposts takes all.", ".") : "The whole report.";
}

/** How much of the time only moves or converts data: what predicts best where there is something to win. */
export function movementTile(document: PerfDocument): Tile | null {
  const share = (name: string) => (document.movement?.classes.find((one) => one.class === name)?.percent ?? 0) / 100;
  if (!document.movement || document.totals.device_us === 0) return null;
  const [layout, structural] = [share("layout"), share("structural")];
  // Whole replays and ops of which nothing is known say nothing about what moves data.
  if (layout + structural + share("compute") + share("collective") === 0) return null;
  return {
    label: "Only moves or converts data",
    value: percent(layout + structural),
    note: `${percent(layout)} by layout, ${percent(structural)} by the graph; ${percent(share("compute"))} computes${share("collective") > 0 ? `, ${percent(share("collective"))} is collectives` : ""}`,
    tag: timeTag(document),
  };
}

const cutText = (one: { count: number; cut?: number }) => (!one.cut ? "" : one.cut === one.count ? " (none of them whole)" : ` (${count(one.cut)} not whole)`);

/** `Trace 0: 3 replays, 387 μs each on average (spread 0.5 μs, 386 to 387 μs)`. */
export function iterationTexts(document: PerfDocument): string[] {
  return (document.iterations ?? []).map((one) => {
    const what = one.kind === "replay" ? `${one.name === "?" ? "" : `Trace ${one.name}: `}${plural(one.count, "replay")}${cutText(one)}` : `'${one.name}': ${count(one.count)} times`;
    const spread = one.spread_ns === null ? "" : ` on average (spread ${span(one.spread_ns / 1000)}, ${span(one.least_ns / 1000)} to ${span(one.most_ns / 1000)})`;
    return `${what}, ${span(one.mean_ns / 1000)}${one.count - (one.cut ?? 0) === 1 ? "" : " each"}${spread}`;
  });
}

const ITERATIONS_SHOWN = 4;

function Overview({ data }: { data: PerfData }) {
  const { totals, device, skew } = data.document;
  const peaks = device.peak_dram_gb_s ? `${device.worker_cores ?? "?"} cores, DRAM ${device.peak_dram_gb_s} GB/s` : "no peaks known";
  const tag = timeTag(data.document);
  const tiles: Tile[] = [
    { label: "Device time", value: span(totals.device_us), note: `${plural(totals.device_ops, "device op")}${totals.host_ops > 0 ? `, ${count(totals.host_ops)} on the host` : ""}`, tag },
    {
      label: "Gaps between ops",
      value: span(totals.gap_us - totals.compile_gap_us),
      note: totals.compile_gap_us > 0 ? `and ${span(totals.compile_gap_us)} before first runs (compile)` : "no compilation seen",
      tag,
    },
    { label: "Device", value: visible(`${device.arch ?? "unknown"}${device.clock_mhz ? ` at ${device.clock_mhz} MHz` : ", clock unknown"}`), note: peaks },
  ];
  const walls = (data.document.devices ?? []).filter((one) => one.wall_ns !== null);
  if (walls.length > 0) {
    const longest = walls.reduce((a, b) => ((b.wall_ns ?? 0) > (a.wall_ns ?? 0) ? b : a));
    tiles.unshift({ label: walls.length > 1 ? "Wall of the slowest device" : "Wall", value: span((longest.wall_ns ?? 0) / 1000), note: `busy ${span((longest.busy_ns ?? 0) / 1000)}, idle ${span((longest.idle_ns ?? 0) / 1000)}${walls.length > 1 ? ` on device ${longest.device}` : ""}`, tag });
  }
  if (skew.devices.length > 1) tiles.push({ label: "Devices", value: count(skew.devices.length), note: `slowest over median ${span(skew.slowest_over_median_us)}`, tag });
  const movement = movementTile(data.document);
  if (movement) tiles.push(movement);
  const repeated = iterationTexts(data.document);
  return (
    <div id="overview">
      {(data.document.trust.lost ?? []).map((line) => <p key={line} class="problems">{visible(line)}.</p>)}
      <p id="window">{visible(windowOf(data.document.trust.notes))}</p>
      <Tiles tiles={tiles} />
      {repeated.length > 0 && (
        <ul id="iterations" class="plain">
          {repeated.slice(0, ITERATIONS_SHOWN).map((text) => <li key={text}>{visible(text)}</li>)}
          {repeated.length > ITERATIONS_SHOWN && <li class="muted">and {count(repeated.length - ITERATIONS_SHOWN)} more that repeat</li>}
        </ul>
      )}
    </div>
  );
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

/** What a device did in its wall time without compiling; the rest of it had no kernel. */
export function piecesOfDevice(data: PerfData, one: { device: number; us: number[] }): Piece[] {
  const { header, document } = data;
  const pieces = one.us.map((value, category) => ({ name: header.categories[category], us: value, color: header.colors[category] }));
  const times = document.devices?.find((each) => each.device === one.device);
  const countedUs = ((times?.wall_ns ?? 0) - (times?.compile_ns ?? 0)) / 1000;
  const rest = countedUs - one.us.reduce((sum, value) => sum + value, 0);
  return rest > 0 ? [...pieces, { name: "no kernel", us: rest, color: "var(--unaccounted)" }] : pieces;
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
    .map((one) => ({ name: one.cause === "launch" ? one.cause : `gap: ${one.cause}`, us: one.gap_us, color: CAUSE_COLORS[one.cause] ? `var(--${CAUSE_COLORS[one.cause]})` : "var(--unaccounted)" }));
  // Bars of one section are of one time: the wall of each device, or ops and gaps of the only one.
  if (byDevice.length < 2) return <StackedBar label={waits.length > 0 ? "with gaps" : "device time"} pieces={[...byCategory, ...waits]} />;
  return (
    <>
      {byDevice.map((one) => (
        <StackedBar key={one.device} isThin={byDevice.length > FEW_DEVICES} label={`device ${one.device}`} pieces={piecesOfDevice(data, one)} />
      ))}
    </>
  );
}

interface Summed {
  name: string;
  ops: number;
  us: number;
  share: number;
  title?: string;
  color?: string;
  filter: Partial<Filter>;
}

/** Names, what they add up to, and a link to the ops of each. */
function SumTable({ id, label, of, share, sums, onFilter }: { id?: string; label: string; of: string; share: string; sums: Summed[]; onFilter(filter: Partial<Filter>): void }) {
  const columns: Column<Summed>[] = [
    {
      title: label,
      text: (one) => one.name,
      cell: (one) => (
        <>
          {one.color ? <i class="swatch" style={{ "--swatch": one.color }} /> : null}
          <Link title="Show these ops in the table and the timeline" onClick={() => onFilter(one.filter)}>{one.name}</Link>
        </>
      ),
    },
    numberColumn(of, (one) => one.ops, count),
    numberColumn("μs", (one) => one.us, us),
    numberColumn(share, (one) => one.share, percent),
  ];
  return <Table id={id} label={label} columns={columns} records={sums} first={32} rowProps={(one) => ({ title: one.title })} compact />;
}

export function Stacked({ data, onFilter }: StackedProps) {
  const { categories, bounds, gaps, totals } = data.document;
  const color = (name: string) => data.header.colors[data.header.categories.indexOf(name)] ?? "#888888";
  return (
    <Section id="stacked" title="Where the time goes" hint={`by category (${timeTag(data.document)}), without compilation; μs and bars: kernels; total %: with firmware and the gaps before ops`}>
      <Overview data={data} />
      <Bars data={data} />
      <div class="columns">
        <SumTable
          label="category"
          of="ops"
          share="total %"
          sums={categories.map((one) => ({ name: one.category, ops: one.ops, us: one.device_us, share: one.percent / 100, color: color(one.category), filter: { category: one.category } }))}
          onFilter={onFilter}
        />
        <SumTable
          id="bounds"
          label="bound"
          of="ops"
          share="at peak"
          sums={bounds.map((one) => ({ name: one.bound, ops: one.ops, us: one.device_us, share: one.ideal_us === null || one.device_us === 0 ? NaN : one.ideal_us / one.device_us, filter: { limit: one.bound } }))}
          onFilter={onFilter}
        />
        {gaps.length === 0 ? <p class="muted">no gaps recorded</p> : (
          <SumTable
            id="gaps"
            label="gap (derived)"
            of="gaps"
            share="of the time"
            sums={gaps.map((one) => ({ name: one.cause, title: one.what, ops: one.ops, us: one.gap_us, share: one.cause === "compile" || totals.counted_us === 0 ? NaN : one.gap_us / totals.counted_us, filter: { cause: one.cause } }))}
            onFilter={onFilter}
          />
        )}
      </div>
    </Section>
  );
}

const ADVICE_SHOWN = 6;

/** Why there is no advice: nothing to gain, or nothing that says so. */
export function noAdviceText({ document, kinds, rows }: PerfData): string {
  if (document.totals.device_us === 0) return "No op has a device time: what would make the run faster is not known.";
  const isReplay = (row: number) => rows.deviceNs[row] <= 0 || kinds.label[rows.kind[row]] === "TraceReplay";
  for (let row = 0; row < rows.count; row++) if (!isReplay(row)) return "Nothing found that would make the run faster.";
  return "Whole replays of traces were measured, not their ops: what would make them faster is not known.";
}

interface AdviceProps {
  data: PerfData;
  onSelect(row: number): void;
}

export function AdviceList({ data, onSelect }: AdviceProps) {
  const rowOf = (id: number) => data.rows.id.indexOf(id);
  const all = data.document.advice;
  const [shown, setShown] = useState(ADVICE_SHOWN);
  return (
    <Section id="advice" title="Advice" hint="largest gain first; each is what the wall time loses over those before it, so gains can be added">
      {all.length === 0 && <Absent why={noAdviceText(data)} />}
      <ol class="advice">
        {all.slice(0, shown).map((one, index) => (
          <li key={index}>
            <b>{visible(one.title)}</b>
            <span class="gain">
              {us(one.gain_us)} μs{one.once ? ", once" : ""} <Tag of={one.basis} />
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
    </Section>
  );
}

function trustOf({ trust, totals }: PerfDocument): TrustPart[] {
  const rows = Object.entries(trust.problems).map(([key, problem]) => {
    const isPart = key === "no_duration" && (totals.without_duration ?? problem.count) < problem.count;
    const first = problem.first_rows?.length ? `row ${problem.first_rows.join(", ")}` : "";
    return problemText(isPart ? { ...problem, what: `${problem.what.split(";")[0]}, ${totals.without_duration === 0 ? "none" : count(totals.without_duration ?? 0)} in the window` } : problem, first);
  });
  const files = Object.values(trust.capture_problems ?? {}).map((problem) => problemText(problem, problem.first_places.join(", ")));
  const unclassified = trust.unclassified_ops ?? [];
  return [
    { title: "Notes on the figures", lines: trust.notes },
    { title: "Rows that were skipped or repaired", lines: rows, isProblem: true },
    { title: "In the profiler's files", lines: files, isProblem: true },
    { title: "Op names that no list knows", lines: unclassified.length > 0 ? [unclassified.map((name) => name || "(unnamed)").join(", ")] : [] },
  ];
}

const TAGS = { measured: "times", derived: "causes of gaps", modelled: "bounds, and gains against a peak" };

export function TrustSection({ data }: { data: PerfData }) {
  const tags = timeTag(data.document) === "measured" ? TAGS : { derived: TAGS.derived, modelled: `times (simulated chips), ${TAGS.modelled}` };
  return <Section id="trust" title="Trust"><Trust parts={trustOf(data.document)} tags={tags} /></Section>;
}

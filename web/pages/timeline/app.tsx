// The page: the picture, what is chosen in it, sums of all zones, messages, trust.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { count, plural, visible } from "kit/format";
import { chartKeys, CHART_HELP } from "kit/keys";
import type { KeyMap } from "kit/keys";
import { useObservable } from "kit/observable";
import { Section } from "kit/sections";
import { Shell } from "kit/shell";
import { Table } from "kit/table/table";
import { Trust } from "kit/trust";
import { Chart, pan, zoom } from "./chart";
import { placeOf } from "./data";
import type { TimelineData } from "./data";
import { Details, Readout, SUM_COLUMNS } from "./details";
import { foldedAtFirst, layOut } from "./lines";
import { findHits, sumsOf } from "./rows";
import { chosen, fragmentOf, readFragment, setRange, shown } from "./state";
import { time } from "./time";

const HINT = "Ctrl + wheel or W S zooms, A D or Shift + drag moves, the wheel scrolls, a click chooses a zone, dragging an area; ? lists all keys";

/** Shows a zone: its line open and in sight, its time too. */
export function reveal(data: TimelineData, zone: number): void {
  const { track } = placeOf(data, zone);
  const folded = new Set(chosen.get().folded);
  for (let group: number | null = data.tracks[track].group; group !== null; group = data.groups[group].parent) folded.delete(group);
  chosen.set({ zone, area: null, folded });
  const { from, to, scroll } = shown.get();
  const start = data.zones.start[zone];
  const end = start + data.zones.length[zone];
  if (end < from || start > to) {
    const half = (to - from) / 2;
    setRange((start + end) / 2 - half, (start + end) / 2 + half, data.span);
  }
  const line = layOut(data, folded).lines.find((one) => one.kind === "track" && one.index === track);
  const room = document.getElementById("timeline-canvas")?.clientHeight ?? 400;
  if (line && (line.top < scroll || line.top + line.height > scroll + room - 40)) shown.set({ scroll: Math.max(0, line.top - room / 3) });
}

/** The stretch of what is chosen; null: nothing is. */
function chosenRange(data: TimelineData): { from: number; to: number } | null {
  const { zone, area } = chosen.get();
  if (zone !== null) return { from: data.zones.start[zone], to: data.zones.start[zone] + data.zones.length[zone] };
  return area;
}

/** What is chosen fills the picture; once it does, everything is shown again. */
function focus(data: TimelineData): void {
  const range = chosenRange(data);
  const { from, to } = shown.get();
  const air = range ? Math.max(2, (range.to - range.from) * 0.1) : 0;
  const isThere = range !== null && Math.abs(from - (range.from - air)) < air && Math.abs(to - (range.to + air)) < air;
  if (range && !isThere) setRange(range.from - air, range.to + air, data.span);
  else setRange(0, data.span, data.span);
}

function stepInRow(data: TimelineData, step: number): void {
  const { zone } = chosen.get();
  if (zone === null) return;
  const { track, depth } = placeOf(data, zone);
  const row = data.tracks[track].stretches[depth];
  const next = zone + step;
  if (next >= row.first && next < row.end) reveal(data, next);
}

function stepToHit(data: TimelineData, step: number): void {
  const { hits, zone } = chosen.get();
  if (!hits || hits.byTime.length === 0) return;
  const at = zone === null ? -1 : hits.byTime.indexOf(zone);
  const next = at < 0 ? (step > 0 ? 0 : hits.byTime.length - 1) : (at + step + hits.byTime.length) % hits.byTime.length;
  reveal(data, hits.byTime[next]);
}

function Search({ data }: { data: TimelineData }) {
  const find = useObservable(chosen, (state) => state.find);
  const hits = useObservable(chosen, (state) => state.hits);
  const zone = useObservable(chosen, (state) => state.zone);
  const at = hits && zone !== null ? hits.byTime.indexOf(zone) : -1;
  return (
    <>
      <input
        id="find"
        type="search"
        placeholder="Find zones (/)"
        aria-label="Find zones by name, text or op"
        value={find}
        onInput={(event) => chosen.set({ find: event.currentTarget.value, hits: findHits(data, event.currentTarget.value) })}
        onKeyDown={(event) => {
          if (event.key === "Enter") stepToHit(data, event.shiftKey ? -1 : 1);
        }}
      />
      <span id="hits" class="muted">{hits === null ? "" : at >= 0 ? `${count(at + 1)} of ${count(hits.zones.length)}` : plural(hits.zones.length, "hit")}</span>
    </>
  );
}

interface MessageRow {
  time: number;
  text: string;
}

function Messages({ data }: { data: TimelineData }) {
  const rows = useMemo<MessageRow[]>(() => Array.from(data.messages.time, (at, i) => ({ time: at, text: data.texts[data.messages.text[i]] })), [data]);
  if (rows.length === 0) return null;
  return (
    <Section id="messages" title="Messages" hint={plural(rows.length, "message")}>
      <Table
        label="Messages in order of time"
        columns={[
          { title: "Time", numeric: true, text: (row) => time(row.time + data.header.first_ns), value: (row) => row.time },
          { title: "Message", text: (row) => visible(row.text.length > 400 ? `${row.text.slice(0, 400)} …` : row.text) },
        ]}
        records={rows}
        first={10}
        rowProps={(row) => ({ class: "clickable", onClick: () => setRange(row.time - 1e5, row.time + 1e5, data.span) })}
      />
    </Section>
  );
}

function keysOf(data: TimelineData): KeyMap {
  return {
    ...chartKeys(() => ({ zoom: (factor) => zoom(factor, data.span), pan: (share) => pan(share, data.span), all: () => setRange(0, data.span, data.span), focus: () => focus(data) })),
    m: () => {
      const range = chosenRange(data);
      chosen.set({ mark: range ? { from: range.from, to: range.to } : null });
    },
    ".": () => stepInRow(data, 1),
    ",": () => stepInRow(data, -1),
    "/": () => document.getElementById("find")?.focus(),
    escape: () => chosen.set({ zone: null, area: null, mark: null, find: "", hits: null }),
  };
}

const HELP = [
  ...CHART_HELP,
  { keys: ["M"], what: "mark the stretch of what is chosen (ruler); again without a choice: clear it" },
  { keys: ["/"], what: "find; Enter and Shift + Enter go through the hits" },
  { keys: [",", "."], what: "the zone before and behind, of the same row" },
  { keys: ["Ctrl + wheel", "Shift + drag"], what: "zoom at the pointer, move" },
];

/** Sums of every zone; of very many only when asked for. */
const MANY = 3_000_000;

function Sums({ data }: { data: TimelineData }) {
  const [wanted, setWanted] = useState(data.zones.count <= MANY);
  const sums = useMemo(() => (wanted ? sumsOf(data, data.tracks.map((_, i) => i), -1, data.span + 1).sums : null), [data, wanted]);
  return (
    <Section id="sums" title="Zones by name" hint="measured; zones that lie in each other count each">
      {sums ? <Table label="All zones by name" columns={SUM_COLUMNS} records={sums} first={15} rowProps={(sum) => ({ class: "clickable", onClick: () => chosen.set({ find: sum.name, hits: findHits(data, sum.name) }) })} /> : <button type="button" onClick={() => setWanted(true)}>Add up {count(data.zones.count)} zones</button>}
    </Section>
  );
}

/** The view is in the address, written when it rests. */
function useAddress(data: TimelineData): void {
  useEffect(() => {
    const given = readFragment(location.hash, data.zones.count);
    chosen.set({ folded: foldedAtFirst(data), find: given.find, hits: findHits(data, given.find) });
    setRange(given.range?.from ?? 0, given.range?.to ?? data.span, data.span);
    if (given.zone !== null) reveal(data, given.zone);
    let timer = 0;
    const write = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        const { from, to } = shown.get();
        const { find, zone } = chosen.get();
        const isAll = from <= 0 && to >= data.span;
        history.replaceState(null, "", `#${fragmentOf(find, zone, isAll ? null : { from, to })}`);
      }, 300);
    };
    const stops = [shown.subscribe(write), chosen.subscribe(write)];
    return () => stops.forEach((stop) => stop());
  }, [data]);
}

function useWindowHeight(): number {
  const [height, setHeight] = useState(window.innerHeight);
  useEffect(() => {
    const onSize = () => setHeight(window.innerHeight);
    window.addEventListener("resize", onSize);
    return () => window.removeEventListener("resize", onSize);
  }, []);
  return height;
}

export function App({ data }: { data: TimelineData }) {
  const { header } = data;
  useAddress(data);
  const keys = useRef(keysOf(data));
  const height = useWindowHeight();
  const sections = [
    { id: "timeline", label: "Timeline" },
    { id: "details", label: "Chosen" },
    { id: "sums", label: "Zones by name" },
    ...(data.messages.time.length > 0 ? [{ id: "messages", label: "Messages" }] : []),
    { id: "trust", label: "Trust" },
  ];
  return (
    <Shell name={header.name} tools={<Search data={data} />} sections={sections} keys={keys.current} help={HELP} version={header.version} foot={header.content}>
      <Section id="timeline" title="Timeline" hint={visible(header.content)}>
        <Chart data={data} height={Math.max(320, height - 240)} />
        <Readout data={data} hint={HINT} />
      </Section>
      <Section id="details" title="Chosen">
        <Details data={data} />
      </Section>
      <Sums data={data} />
      <Messages data={data} />
      <Section id="trust" title="Trust">
        <Trust
          tags={{ measured: "recorded by the program or the profiler", derived: "computed from recorded events" }}
          parts={[
            { title: "Read", lines: header.sources },
            { title: "On the axis", lines: header.alignments },
            { title: "Problems", lines: [...header.warnings, ...header.problems], isProblem: true, otherwise: "none" },
          ]}
        />
      </Section>
    </Shell>
  );
}

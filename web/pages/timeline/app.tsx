// The page: the picture, what is chosen in it, sums of all zones, messages, trust.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { fragmentOf, readFragment } from "./address";
import { showInAddress } from "kit/address";
import { count, plural, visible } from "kit/format";
import { chartKeys, CHART_HELP } from "kit/keys";
import type { KeyMap } from "kit/keys";
import { useObservable } from "kit/observable";
import { Section } from "kit/sections";
import { Shell } from "kit/shell";
import { Table } from "kit/table/table";
import { Trust } from "kit/trust";
import { Chart, pan, zoom } from "./chart";
import { groupPath, trackPath } from "./data";
import type { TimelineData } from "./data";
import { Details, Readout, SUM_COLUMNS, useSums } from "./details";
import { foldedAtFirst } from "./lines";
import { find, focus, mark, markHits, pinChosen, reveal, showMessage, showTrack, stepInDepth, stepInRow, stepToHit } from "./moves";
import { idOf, source } from "./source";
import { chosen, setRange, shown, togglePin, toggled } from "./state";
import { rankOfHit } from "./sums";
import { time } from "./time";

const HINT = "Ctrl + wheel or W S zooms, A D or Shift + drag moves, the wheel scrolls, a click chooses a zone, dragging an area, a click on a label folds, at its end it pins; ? lists all keys";

function Search({ data }: { data: TimelineData }) {
  const text = useObservable(chosen, (state) => state.find);
  const hits = useObservable(chosen, (state) => state.hits);
  const zone = useObservable(chosen, (state) => state.zone);
  const found = useObservable(chosen, (state) => state.found);
  const isServed = data.ids !== null;
  const at = useMemo(() => (found ? found.rank : hits && zone !== null && !isServed ? rankOfHit(data, hits, zone) : 0), [data, hits, zone, found]);
  const all = found ? found.hits : isServed ? null : (hits?.length ?? null);
  return (
    <>
      <input
        id="find"
        type="search"
        placeholder="Find zones (/)"
        aria-label="Find zones by name, text or op"
        value={text}
        onInput={(event) => find(data, event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") stepToHit(data, event.shiftKey ? -1 : 1);
        }}
      />
      <span id="hits" class="muted" role="status">{all === null || text.trim() === "" ? "" : at > 0 ? `${count(at)} of ${count(all)}` : plural(all, "hit")}</span>
    </>
  );
}

/** The picture's own buttons: for who has no keyboard at hand, and for who has nothing else. */
function Tools({ data }: { data: TimelineData }) {
  const parents = useMemo(() => data.groups.map((_, index) => index), [data]);
  return (
    <div class="chart-tools" role="group" aria-label="View">
      <button type="button" onClick={() => setRange(0, data.span, data.span)}>Whole run</button>
      <button type="button" onClick={() => focus(data)}>What is chosen</button>
      <button type="button" onClick={() => chosen.set({ folded: new Set(), flat: new Set() })}>Open all</button>
      <button type="button" onClick={() => (chosen.set({ folded: new Set(parents) }), shown.set({ scroll: 0 }))}>Fold all</button>
    </div>
  );
}

interface TrackRow {
  index: number;
  path: string;
  name: string;
  zones: number;
}

/** All tracks by name: a way to each of them that needs no picture. */
function Tracks({ data }: { data: TimelineData }) {
  const pinned = useObservable(chosen, (state) => state.pinned);
  const rows = useMemo<TrackRow[]>(
    () => data.tracks.map((track, index) => ({ index, path: groupPath(data, track.group), name: track.name, zones: track.rows.reduce((sum, row) => sum + row, 0) })),
    [data],
  );
  if (rows.length === 0) return null;
  const isPinned = (row: TrackRow) => pinned.includes(`t${row.index}`);
  return (
    <Section id="tracks" title="Tracks" hint={plural(rows.length, "track")}>
      <Table
        label="Tracks; a click shows one"
        columns={[
          { title: "Group", text: (row) => visible(row.path) },
          { title: "Track", text: (row) => visible(row.name) },
          { title: "Zones", numeric: true, text: (row) => count(row.zones), value: (row) => row.zones },
          {
            title: "On top",
            text: (row) => (isPinned(row) ? "pinned" : ""),
            cell: (row) => (
              <button type="button" class="link" aria-pressed={isPinned(row)} onClick={(event) => (event.stopPropagation(), togglePin(`t${row.index}`))}>
                {isPinned(row) ? "let go" : "pin"}
              </button>
            ),
          },
        ]}
        records={rows}
        first={10}
        rowProps={(row) => ({ class: "clickable", onClick: () => showTrack(data, row.index, 0) })}
      />
    </Section>
  );
}

interface MessageRow {
  place: number;
  time: number;
  track: string;
  text: string;
}

/** The first line: messages of ops have a document behind it. */
function beginningOf(text: string): string {
  const line = text.split("\n", 1)[0].slice(0, 200);
  return line.length < text.length ? `${line} …` : line;
}

function Messages({ data }: { data: TimelineData }) {
  const { messages, texts } = data;
  const rows = useMemo<MessageRow[]>(() => Array.from(messages.time, (at, place) => ({ place, time: at, track: trackPath(data, messages.track[place]), text: texts[messages.text[place]] })), [texts]);
  if (rows.length === 0) return null;
  return (
    <Section id="messages" title="Messages" hint={plural(rows.length, "message")}>
      <Table
        label="Messages in order of time"
        columns={[
          { title: "Time", numeric: true, text: (row) => time(row.time + data.header.first_ns), value: (row) => row.time },
          { title: "Track", text: (row) => visible(row.track) },
          { title: "Message", text: (row) => visible(beginningOf(row.text)) },
        ]}
        records={rows}
        first={10}
        rowProps={(row) => ({ class: "clickable", onClick: () => showMessage(data, row.place) })}
      />
    </Section>
  );
}

/** Where in the picture keys zoom: at the pointer, else in the middle. */
function pointerShare(): number {
  const { from, to, cursor } = shown.get();
  return cursor === null ? 0.5 : Math.min(1, Math.max(0, (cursor - from) / (to - from)));
}

/** The data are asked for when a key is pressed: windows come and go. */
function keysOf(current: () => TimelineData): KeyMap {
  const { span } = current();
  return {
    ...chartKeys(() => ({ zoom: (factor) => zoom(factor, span, pointerShare()), pan: (share) => pan(share, span), all: () => setRange(0, span, span), focus: () => focus(current()) })),
    m: () => mark(current()),
    p: () => pinChosen(current()),
    ".": () => stepInRow(current(), 1),
    ",": () => stepInRow(current(), -1),
    arrowup: () => stepInDepth(current(), -1),
    arrowdown: () => stepInDepth(current(), 1),
    "/": () => document.getElementById("find")?.focus(),
    escape: () => (find(current(), ""), chosen.set({ zone: null, message: null, area: null, mark: null })),
  };
}

const HELP = [
  ...CHART_HELP,
  { keys: ["M"], what: "mark the stretch of what is chosen (ruler); again without a choice: clear it" },
  { keys: ["/"], what: "find; Enter and Shift + Enter go through the hits" },
  { keys: [",", "."], what: "the zone before and behind, of the same row" },
  { keys: ["↑", "↓"], what: "the zone around, the first one inside; without a choice: the first in sight" },
  { keys: ["P"], what: "pin the track of the chosen zone to the top; again: let it go" },
  { keys: ["Ctrl + wheel", "Shift + drag"], what: "zoom at the pointer, as W and S do; move" },
];

function Sums({ data }: { data: TimelineData }) {
  const all = useMemo(() => ({ tracks: data.tracks.map((_, i) => i), from: -1, to: data.span + 1 }), [data.texts]);
  const found = useSums(data, all);
  return (
    <Section id="sums" title="Zones by name" hint={`${data.header.simulated ? "measured, on simulated chips modelled" : "measured"}; zones that lie in each other count each`}>
      {found ? <Table label="All zones by name" columns={SUM_COLUMNS} records={found.sums} first={15} rowProps={(sum) => ({ class: "clickable", onClick: () => find(data, sum.name) })} /> : <p class="muted">Adding up the zones …</p>}
    </Section>
  );
}

/** The view is in the address, written when it rests, and followed when somebody changes it. */
function useAddress(data: TimelineData): void {
  useEffect(() => {
    const atFirst = foldedAtFirst(data);
    const zones = data.header.tracks.reduce((sum, track) => sum + track.rows.reduce((all, row) => all + row, 0), 0);
    const sizes = { zones, tracks: data.tracks.length, groups: data.groups.length, plots: data.plots.length, messages: data.messages.time.length };
    const read = () => {
      const given = readFragment(location.hash, sizes);
      const folded = given.turned.reduce((set, group) => toggled(set, group), new Set(atFirst));
      chosen.set({ folded, flat: new Set(given.flat), pinned: given.pinned, mark: given.mark, area: given.area, zone: null, message: given.message });
      find(data, given.find);
      setRange(given.range?.from ?? 0, given.range?.to ?? data.span, data.span);
      shown.set({ scroll: given.scroll });
      const { feed } = source.get();
      if (given.zone !== null) feed ? feed.choose(given.zone) : reveal(data, given.zone);
    };
    read();
    let timer = 0;
    const write = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        const { zone } = chosen.get();
        const id = zone === null ? null : idOf(source.get().data ?? data, zone);
        showInAddress(fragmentOf(shown.get(), { ...chosen.get(), zone: id }, atFirst, data.span));
      }, 300);
    };
    window.addEventListener("hashchange", read);
    const stops = [shown.subscribe(write), chosen.subscribe(write), () => window.removeEventListener("hashchange", read)];
    const stopFeed = source.get().feed?.start();
    return () => (stops.forEach((stop) => stop()), stopFeed?.());
  }, []);
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

export function App() {
  const data = useObservable(source, (state) => state.data) as TimelineData;
  const trouble = useObservable(source, (state) => state.trouble);
  const { header } = data;
  useAddress(data);
  // What is looked for is marked among the zones of every window.
  useEffect(() => {
    const { find: text } = chosen.get();
    if (data.ids && text !== "") markHits(data, text);
  }, [data]);
  const keys = useRef(keysOf(() => source.get().data as TimelineData));
  const height = useWindowHeight();
  const sections = [
    { id: "timeline", label: "Timeline" },
    { id: "details", label: "Chosen" },
    { id: "sums", label: "Zones by name" },
    ...(data.tracks.length > 0 ? [{ id: "tracks", label: "Tracks" }] : []),
    ...(data.messages.time.length > 0 ? [{ id: "messages", label: "Messages" }] : []),
    { id: "trust", label: "Trust" },
  ];
  return (
    <Shell name={header.name} tools={<Search data={data} />} sections={sections} keys={keys.current} help={HELP} version={header.version} foot={header.content}>
      <Section id="timeline" title="Timeline" hint={visible(header.content)}>
        {trouble ? <p class="problem" role="alert">{visible(trouble)}</p> : null}
        <Tools data={data} />
        <Chart data={data} height={Math.max(320, Math.round(height * 0.58))} />
        <Readout data={data} hint={HINT} />
      </Section>
      <Section id="details" title="Chosen">
        <Details data={data} />
      </Section>
      <Sums data={data} />
      <Tracks data={data} />
      <Messages data={data} />
      <Section id="trust" title="Trust">
        <Trust
          tags={{
            measured: header.simulated ? "recorded by the program" : "recorded by the program or the profiler",
            derived: "computed from recorded events",
            ...(header.simulated ? { modelled: "times on simulated chips" } : {}),
          }}
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

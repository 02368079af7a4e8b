// The shell: header, navigation, sections, and the card of the chosen op.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { visible } from "kit/format";
import { useFragment } from "kit/fragment";
import { PageHead } from "kit/page_head";
import { Cores, Riscs } from "./cores";
import type { PerfData } from "./data";
import { Details } from "./details";
import { listenToKeys } from "./keys";
import type { KeyTargets } from "./keys";
import { Devices, OpsByName } from "./kinds";
import { layOut } from "./lanes";
import { Roofline } from "./roofline";
import { AdviceList, Head, Stacked, Trust } from "./summary";
import { OpsTable } from "./table";
import { Timeline } from "./timeline";
import type { TimelineControls } from "./timeline";
import { fragmentOf, matchRows, viewOf } from "./view";
import type { Filter, View } from "./view";
import { Zones } from "./zones";

const SECTIONS: [string, string][] = [
  ["stacked", "Where time goes"],
  ["advice", "Advice"],
  ["timeline", "Timeline"],
  ["ops", "Ops"],
  ["kinds", "By op"],
  ["roofline", "Roofline"],
  ["riscs", "Processors"],
  ["cores", "Cores"],
  ["zones", "Zones"],
  ["devices", "Devices"],
  ["trust", "Trust"],
];

/** Pixels below the top of the window. */
const READ_FROM = 160;

const goTo = (id: string) => document.getElementById(id)?.scrollIntoView({ block: "start" });

/** The section that is read: the last one that starts in the upper part of the window; at the end of the page the last one. */
function useCurrent(sections: [string, string][]): string {
  const [current, setCurrent] = useState(sections[0][0]);
  useEffect(() => {
    const onScroll = () => {
      const isEnd = window.scrollY > 0 && window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
      const above = sections.filter(([id]) => isEnd || (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) < READ_FROM);
      setCurrent((above[above.length - 1] ?? sections[0])[0]);
    };
    document.addEventListener("scroll", onScroll, { passive: true });
    onScroll();
    return () => document.removeEventListener("scroll", onScroll);
  }, []);
  return current;
}

function Navigation({ sections }: { sections: [string, string][] }) {
  const current = useCurrent(sections);
  return (
    <nav class="side" aria-label="Sections">
      {sections.map(([id, name], index) => (
        <a
          key={id}
          href={`#${id}`}
          aria-current={id === current ? "true" : undefined}
          onClick={(event) => {
            event.preventDefault(); // the fragment holds the view
            goTo(id);
          }}
        >
          {name} {index < 9 ? <kbd>{index + 1}</kbd> : null}
        </a>
      ))}
    </nav>
  );
}

function useKeys(targets: KeyTargets): void {
  const latest = useRef(targets);
  latest.current = targets;
  useEffect(() => listenToKeys(() => latest.current), []);
}

export function App({ data }: { data: PerfData }) {
  const [view, change] = useFragment<View>((fragment) => viewOf(fragment, data), fragmentOf);
  const controls = useRef<TimelineControls | null>(null);
  const lanes = useMemo(() => layOut(data, false).lanes, [data]);
  const selected = view.row === null ? null : data.rows.id.indexOf(view.row);
  const matches = useMemo(() => matchRows(data, view), [data, view.find, view.category, view.limit, view.cause]);
  const sections = SECTIONS.filter(([id]) => (id !== "devices" || data.document.skew.devices.length > 1) && (id !== "zones" || (data.document.zones?.length ?? 0) > 0));
  const select = (row: number) => change({ row: row >= 0 ? data.rows.id[row] : null });
  const filter = (part: Partial<Filter>) => {
    change(part);
    goTo("ops");
  };
  const step = (by: number) => {
    let row = selected === null ? (by > 0 ? -1 : data.rows.count) : selected;
    do row += by;
    while (row >= 0 && row < data.rows.count && matches !== null && matches[row] === 0);
    if (row >= 0 && row < data.rows.count) select(row);
  };
  useKeys({ timeline: () => controls.current, step, goTo: (index) => sections[index] && goTo(sections[index][0]), close: () => change({ row: null }) });
  return (
    <>
      <PageHead name={visible(data.header.name)} />
      <Navigation sections={sections} />
      <main>
        <Head data={data} />
        <Stacked data={data} onFilter={filter} />
        <AdviceList data={data} onSelect={select} />
        <Timeline data={data} selected={selected} matches={matches} controls={controls} onSelect={select} />
        <OpsTable data={data} filter={view} matches={matches} selected={selected} onFilter={change} onSelect={select} />
        <OpsByName data={data} onFind={(name) => filter({ find: name })} />
        <Roofline data={data} selected={selected} matches={matches} onSelect={select} />
        <Riscs data={data} />
        <Cores data={data} />
        <Zones data={data} />
        <Devices data={data} onSelect={select} />
        <Trust data={data} />
        <footer class="foot">ttscope {visible(data.document.tool?.version ?? "")} · this page makes no request</footer>
      </main>
      {selected !== null && (
        <Details
          data={data}
          row={selected}
          lanes={lanes}
          onStep={step}
          onShow={(section) => {
            if (section === "timeline") controls.current?.focus();
            goTo(section);
          }}
          onClose={() => change({ row: null })}
        />
      )}
    </>
  );
}

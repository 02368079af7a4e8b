// The page: its sections in order, and the chosen op beside them.
import { useMemo, useRef } from "preact/hooks";
import { useFragment } from "kit/fragment";
import { CHART_HELP, chartKeys } from "kit/keys";
import type { ChartControls, KeyHelp } from "kit/keys";
import { goTo } from "kit/sections";
import type { SectionLink } from "kit/sections";
import { Shell } from "kit/shell";
import { Cores, Riscs } from "./cores";
import { Conversions } from "./conversions";
import type { PerfData } from "./data";
import { Details } from "./details";
import { Devices, OpsByName } from "./kinds";
import { layOut } from "./lanes";
import { Roofline } from "./roofline";
import { AdviceList, Stacked, TrustSection } from "./summary";
import { OpsTable } from "./table";
import { Timeline } from "./timeline";
import { fragmentOf, matchRows, viewOf } from "./view";
import type { Filter, View } from "./view";
import { Zones } from "./zones";

const SECTIONS: readonly SectionLink[] = [
  { id: "stacked", label: "Where time goes" },
  { id: "advice", label: "Advice" },
  { id: "timeline", label: "Timeline" },
  { id: "ops", label: "Ops" },
  { id: "kinds", label: "By op" },
  { id: "conversions", label: "Conversions" },
  { id: "roofline", label: "Roofline" },
  { id: "riscs", label: "Processors" },
  { id: "cores", label: "Cores" },
  { id: "zones", label: "Zones" },
  { id: "devices", label: "Devices" },
  { id: "trust", label: "Trust" },
];

const HELP: readonly KeyHelp[] = [
  ...CHART_HELP,
  { keys: [".", ","], what: "next and previous op" },
  { keys: ["/"], what: "search ops" },
  { keys: ["Ctrl + wheel"], what: "zoom the timeline" },
  { keys: ["drag"], what: "move the timeline" },
  { keys: ["↑", "↓", "PgUp", "PgDn", "Home", "End"], what: "move in a table that has the focus" },
];

function sectionsOf({ document: doc }: PerfData): SectionLink[] {
  const absent = [doc.skew.devices.length > 1 ? "" : "devices", (doc.zones?.length ?? 0) > 0 ? "" : "zones", (doc.movement?.conversions.length ?? 0) > 0 ? "" : "conversions"];
  return SECTIONS.filter(({ id }) => !absent.includes(id));
}

export function App({ data }: { data: PerfData }) {
  const [view, change] = useFragment<View>((fragment) => viewOf(fragment, data), fragmentOf);
  const controls = useRef<ChartControls | null>(null);
  const lanes = useMemo(() => layOut(data, false).lanes, [data]);
  const sections = useMemo(() => sectionsOf(data), [data]);
  const selected = view.row === null ? null : data.rows.id.indexOf(view.row);
  const matches = useMemo(() => matchRows(data, view), [data, view.find, view.category, view.limit, view.cause]);
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
  const close = () => change({ row: null });
  const show = (section: "timeline" | "ops") => {
    if (section === "timeline") controls.current?.focus();
    goTo(section);
  };
  const keys = {
    ...chartKeys(() => controls.current),
    ".": () => step(1),
    ",": () => step(-1),
    "/": () => document.getElementById("find")?.focus(),
    escape: close,
  };
  return (
    <Shell
      name={data.header.name}
      sections={sections}
      keys={keys}
      help={HELP}
      version={data.document.tool?.version ?? ""}
      foot="this file makes no network request"
      aside={selected !== null && <Details data={data} row={selected} lanes={lanes} onStep={step} onShow={show} onClose={close} />}
    >
      <Stacked data={data} onFilter={filter} />
      <AdviceList data={data} onSelect={select} />
      <Timeline data={data} selected={selected} matches={matches} controls={controls} onSelect={select} />
      <OpsTable data={data} filter={view} matches={matches} selected={selected} onFilter={change} onSelect={select} />
      <OpsByName data={data} onFind={(name) => filter({ find: name })} />
      <Conversions data={data} />
      <Roofline data={data} selected={selected} matches={matches} onSelect={select} />
      <Riscs data={data} />
      <Cores data={data} />
      <Zones data={data} />
      <Devices data={data} onSelect={select} />
      <TrustSection data={data} />
    </Shell>
  );
}

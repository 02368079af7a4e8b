// The page: figures of the chosen capture, its address map, what is live and free at a moment, its calls.
import { useMemo, useRef } from "preact/hooks";
import { Findings } from "kit/findings";
import { FitTable } from "kit/fit";
import { bytes, count, fileName, plural, visible } from "kit/format";
import { useFragment } from "kit/fragment";
import { CHART_HELP, chartKeys } from "kit/keys";
import type { ChartControls, KeyHelp } from "kit/keys";
import { Link, Switch } from "kit/parts";
import { Section } from "kit/sections";
import { Shell } from "kit/shell";
import { Tiles } from "kit/tiles";
import { Trust } from "kit/trust";
import { AddressMap } from "./map";
import { nameOf, Overview } from "./overview";
import { fragmentOf, mapView, usualView, viewOf } from "./model";
import type { GraphDocument, Memory, Segment, View } from "./model";
import { CallsTable, HolesTable, LiveTable } from "./tables";

const OVERVIEW = { id: "overview", label: "All segments" };
const SECTIONS = [
  { id: "peaks", label: "Peaks" },
  { id: "map", label: "Address map" },
  { id: "calls", label: "Calls" },
  { id: "trust", label: "Trust" },
];

const FIT = { id: "fit", label: "Does it fit" };

/** The sections of a document: all segments where there are several, devices where some were asked for. */
function sectionsOf(doc: GraphDocument) {
  const first = doc.segments.length > 1 ? [OVERVIEW] : [];
  return [...first, ...(doc.fit ? [FIT] : []), ...SECTIONS];
}

const HELP: KeyHelp[] = [
  ...CHART_HELP,
  { keys: ["←", "→"], what: "previous and next node, on the map" },
  { keys: ["/"], what: "filter calls by name" },
  { keys: ["wheel"], what: "zoom the nodes of the map" },
  { keys: ["⇧ wheel"], what: "zoom its addresses" },
  { keys: ["drag"], what: "move the map" },
];

const MEMORIES = [
  { value: "dram", label: "DRAM" },
  { value: "l1", label: "L1" },
] as const;

function Figures({ doc, segment, onMoment }: { doc: GraphDocument; segment: Segment; onMoment: (memory: Memory, node: number) => void }) {
  const { dram, l1, joined } = segment;
  const link = (memory: Memory, node: number) => (node >= 0 ? <Link onClick={() => onMoment(memory, node)}>show node {count(node)}</Link> : null);
  const path = visible(doc.files[segment.file] ?? "");
  const hints = [path === nameOf(doc, segment) && path === fileName(path) ? "" : path, doc.accounting === "compat" ? "figures as the original computes them" : ""];
  return (
    <Section id="peaks" title={fileName(nameOf(doc, segment))} hint={hints.filter((hint) => hint !== "").join("; ")}>
      <Tiles
        tiles={[
          { label: "DRAM peak", value: bytes(dram.peak), note: joined.dram_before > 0 ? `above ${bytes(joined.dram_before)} of earlier segments` : "one device, whole buffers, from the start", more: link("dram", dram.node) },
          { label: "DRAM allocated", value: bytes(dram.allocations), note: `freed ${bytes(dram.deallocations)}` },
          { label: "L1 peak per core", value: bytes(l1.peak), note: `circular buffers ${bytes(l1.cb)}, buffers ${bytes(l1.buffers)}`, more: link("l1", l1.node) },
          { label: "Capture", value: plural(segment.nodes, "node"), note: `${plural(segment.all_calls, "call")}, ${visible(segment.mode)}` },
        ]}
      />
      <Findings findings={[...doc.findings.filter((finding) => doc.segments[finding.segment] === segment).map(({ text }) => text), ...segment.notes].map((text) => ({ level: "warning", text }))} />
    </Section>
  );
}

function DeviceSelect({ segment, view, change }: { segment: Segment; view: View; change: (part: Partial<View>) => void }) {
  if (segment.devices.length < 2) return null;
  return (
    <select aria-label="Device" value={view.device === null ? "" : String(view.device)} onChange={(event) => change({ device: event.currentTarget.value === "" ? null : Number(event.currentTarget.value) })}>
      <option value="">all devices</option>
      {segment.devices.filter((device) => device.id >= 0).map((device) => <option key={device.id} value={String(device.id)}>device {device.id}</option>)}
    </select>
  );
}

function SegmentSelect({ doc, view, change }: { doc: GraphDocument; view: View; change: (part: Partial<View>) => void }) {
  if (doc.segments.length < 2) return null;
  return (
    <select aria-label="Segment" value={String(view.segment)} onChange={(event) => change(usualView(doc, Number(event.currentTarget.value)))}>
      {doc.segments.map((one, i) => <option key={i} value={String(i)}>{nameOf(doc, one)}</option>)}
    </select>
  );
}

export function App({ document: doc }: { document: GraphDocument }) {
  const [view, change] = useFragment<View>((fragment) => viewOf(fragment, doc), fragmentOf);
  const controls = useRef<ChartControls | null>(null);
  const keys = useMemo(() => ({ ...chartKeys(() => controls.current), "/": () => document.getElementById("find")?.focus() }), []);
  const segment = doc.segments[view.segment];
  const isMany = doc.segments.length > 1;
  const map = useMemo(() => mapView(segment, view.memory, view.device), [segment, view.memory, view.device]);
  const hidden = segment.all_blocks - segment.blocks.from.length;
  const places = map.modelled ? "the capture has no addresses (NO_DISPATCH): places are modelled, lowest fit first" : "addresses in a bank, as recorded";
  return (
    <Shell
      name={doc.name}
      tools={<SegmentSelect doc={doc} view={view} change={change} />}
      sections={sectionsOf(doc)}
      keys={keys}
      help={HELP}
      version={doc.tool_version}
      foot={`generated ${doc.generated} · this file makes no network request`}
    >
      {isMany ? <Overview doc={doc} chosen={view.segment} onShow={(number, memory, node) => change({ segment: number, memory, node, device: null })} /> : null}
      {doc.fit ? <Section id="fit" title="Does it fit" hint="the recorded allocations, placed by the allocator of each device"><FitTable doc={doc.fit} /></Section> : null}
      <Figures doc={doc} segment={segment} onMoment={(memory, node) => change({ memory, node, device: null })} />
      <Section id="map" title="Address map" hint={places}>
        <div class="tools">
          <Switch label="Memory" choices={MEMORIES} chosen={view.memory} onChoose={(memory) => change({ memory })} />
          <DeviceSelect segment={segment} view={view} change={change} />
        </div>
        {map.rows.length + map.binaries.length === 0 ? <p class="absent">No {view.memory.toUpperCase()} buffers in this capture.</p> : <AddressMap doc={doc} view={map} memory={view.memory} node={view.node} controls={controls} onNode={(node) => change({ node })} />}
        {hidden > 0 ? <p class="muted">{count(hidden)} small or short-lived blocks of {count(segment.all_blocks)} are left out.</p> : null}
        <div class="columns">
          <LiveTable doc={doc} view={map} node={view.node} />
          <HolesTable view={map} node={view.node} />
        </div>
      </Section>
      <Section id="calls" title="Calls" hint="inner calls included; a click on a call shows its end on the map">
        <CallsTable segment={segment} onNode={(node) => change({ node })} />
      </Section>
      <Section id="trust" title="Trust">
        <Trust
          parts={[{ title: "Notes on the figures", lines: ["Figures are summed from recorded events; DRAM counts whole buffers without padding.", `Places on the map: ${places}.`, ...(doc.joined ? [] : ["Segments are many: each is shown without what earlier ones left."]), "Buffers that are older than a capture and used in it count as occupied; their share of a bank is derived."] }]}
          tags={{ measured: "recorded in the capture", modelled: "places where a capture has no addresses" }}
        />
      </Section>
    </Shell>
  );
}

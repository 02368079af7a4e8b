// The page: figures of the chosen capture, its address map, what is live and free at a moment, its calls.
import { useMemo, useState } from "preact/hooks";
import { bytes, count, plural, visible } from "kit/format";
import { useFragment } from "kit/fragment";
import { PageHead } from "kit/page_head";
import { toggleTheme } from "kit/theme";
import { AddressMap } from "./map";
import { fragmentOf, mapView, usualView, viewOf } from "./model";
import type { GraphDocument, Memory, Segment, View } from "./model";
import { CallsTable, HolesTable, LiveTable } from "./tables";

function nameOf(doc: GraphDocument, segment: Segment): string {
  return segment.name || doc.files[segment.file] || "capture";
}

function Figures({ segment, onMoment }: { segment: Segment; onMoment: (memory: Memory, node: number) => void }) {
  const tile = (label: string, value: string, more: string, memory?: Memory, node = -1) => (
    <div class="tile">
      <span class="muted">{label}</span>
      <b>{value}</b>
      <span class="muted">{more}</span>
      {memory && node >= 0 ? <button type="button" class="link" onClick={() => onMoment(memory, node)}>show node {count(node)}</button> : null}
    </div>
  );
  const { dram, l1 } = segment;
  return (
    <section class="section" id="peaks" aria-label="Peaks">
      <div class="tiles">
        {tile("DRAM peak", bytes(dram.peak), "one device, whole buffers, from the start", "dram", dram.node)}
        {tile("DRAM allocated", bytes(dram.allocations), `freed ${bytes(dram.deallocations)}`)}
        {tile("L1 peak per core", bytes(l1.peak), `circular buffers ${bytes(l1.cb)}, buffers ${bytes(l1.buffers)}`, "l1", l1.node)}
        {tile("Capture", plural(segment.nodes, "node"), `${plural(segment.all_calls, "call")}, ${segment.mode}`)}
      </div>
      <ul class="findings">{segment.notes.map((note, i) => <li key={i}>{visible(note)}</li>)}</ul>
    </section>
  );
}

function Switches({ doc, view, change }: { doc: GraphDocument; view: View; change: (part: Partial<View>) => void }) {
  const segment = doc.segments[view.segment];
  return (
    <div class="switches">
      <div class="switch" role="group" aria-label="Memory">
        {(["dram", "l1"] as const).map((one) => (
          <button key={one} type="button" aria-pressed={one === view.memory} onClick={() => change({ memory: one })}>{one.toUpperCase()}</button>
        ))}
      </div>
      {segment.devices.length > 1 ? (
        <select aria-label="Device" value={view.device === null ? "" : String(view.device)} onChange={(event) => change({ device: event.currentTarget.value === "" ? null : Number(event.currentTarget.value) })}>
          <option value="">all devices</option>
          {segment.devices.filter((device) => device.id >= 0).map((device) => <option key={device.id} value={String(device.id)}>device {device.id}</option>)}
        </select>
      ) : null}
    </div>
  );
}

export function App({ document: doc }: { document: GraphDocument }) {
  const [view, change] = useFragment<View>((fragment) => viewOf(fragment, doc), fragmentOf);
  const [themes, setThemes] = useState(0);
  const segment = doc.segments[view.segment];
  const map = useMemo(() => mapView(segment, view.memory, view.device), [segment, view.memory, view.device]);
  const hidden = segment.all_blocks - segment.blocks.from.length;
  return (
    <>
      <PageHead name={visible(doc.name)} onTheme={() => { toggleTheme(); setThemes(themes + 1); }}>
        {doc.segments.length > 1 ? (
          <select aria-label="Segment" value={String(view.segment)} onChange={(event) => change(usualView(doc, Number(event.currentTarget.value)))}>
            {doc.segments.map((one, i) => <option key={i} value={String(i)}>{visible(nameOf(doc, one))}</option>)}
          </select>
        ) : null}
      </PageHead>
      <main>
        <h1>{visible(nameOf(doc, segment))} <small>{doc.accounting === "compat" ? "figures as the original computes them" : ""}</small></h1>
        <Figures segment={segment} onMoment={(memory, node) => change({ memory, node, device: null })} />
        <section class="section" id="map" aria-label="Address map">
          <h2>Address map <small>{map.modelled ? "the capture has no addresses (NO_DISPATCH): places are modelled, lowest fit first" : "addresses in a bank, as recorded"}</small></h2>
          <Switches doc={doc} view={view} change={change} />
          {map.rows.length === 0 ? <p class="muted">No {view.memory.toUpperCase()} buffers in this capture.</p> : <AddressMap view={map} memory={view.memory} node={view.node} themes={themes} onNode={(node) => change({ node })} />}
          {hidden > 0 ? <p class="muted">{count(hidden)} small or short-lived blocks of {count(segment.all_blocks)} are left out.</p> : null}
          <div class="columns">
            <div class="scroll"><LiveTable view={map} node={view.node} /></div>
            <div class="scroll"><HolesTable view={map} node={view.node} /></div>
          </div>
        </section>
        <section class="section" aria-label="Calls">
          <h2>Calls</h2>
          <CallsTable segment={segment} onNode={(node) => change({ node })} />
        </section>
        <p class="muted">ttscope {visible(doc.tool_version)}, {visible(doc.generated)}. Figures are summed from recorded events; DRAM counts whole buffers without padding.</p>
      </main>
    </>
  );
}

// What is live at the chosen moment, the holes between, and the calls.
import { useState } from "preact/hooks";
import { bytes, count, visible } from "kit/format";
import { callOf, holesAt, liveAt, titleOf } from "./model";
import type { MapView, Segment } from "./model";

const FEW = 30;

export function LiveTable({ view, node }: { view: MapView; node: number }) {
  const { blocks } = view.segment;
  const live = liveAt(view, node).sort((a, b) => blocks.size[view.rows[b]] - blocks.size[view.rows[a]]);
  return (
    <table class="plain" id="live">
      <thead><tr><th>Live at node {count(node)} ({count(live.length)})</th><th>of a bank</th><th>whole</th><th>address</th></tr></thead>
      <tbody>
        {live.slice(0, FEW).map((i) => (
          <tr key={i} title={visible(callOf(view, i))}>
            <td>{visible(titleOf(view, i))}</td>
            <td>{bytes(blocks.size[view.rows[i]])}</td>
            <td>{bytes(blocks.whole[view.rows[i]])}</td>
            <td>{view.modelled ? "none" : count(blocks.address[view.rows[i]])}</td>
          </tr>
        ))}
        {live.length > FEW ? <tr><td class="muted">{count(live.length - FEW)} more</td><td /><td /><td /></tr> : null}
      </tbody>
    </table>
  );
}

export function HolesTable({ view, node }: { view: MapView; node: number }) {
  const holes = holesAt(view, node);
  return (
    <table class="plain" id="holes">
      <thead><tr><th>Holes at node {count(node)} ({count(holes.length)}){view.modelled ? ", modelled" : ""}</th><th>size</th><th>addresses</th></tr></thead>
      <tbody>
        {holes.length === 0 ? <tr><td class="muted">none: what is live lies without gaps</td><td /><td /></tr> : null}
        {holes.slice(0, FEW).map((hole) => (
          <tr key={hole.from}>
            <td>between {visible(titleOf(view, hole.below))} and {visible(titleOf(view, hole.above))}</td>
            <td>{bytes(hole.to - hole.from)}</td>
            <td>{count(hole.from)} to {count(hole.to)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Order = "start" | "allocated" | "freed" | "l1" | "cb" | "ns";
const COLUMNS: { key: Order; label: string }[] = [
  { key: "start", label: "node" },
  { key: "allocated", label: "DRAM allocated" },
  { key: "freed", label: "DRAM freed" },
  { key: "l1", label: "L1 peak per core" },
  { key: "cb", label: "CB per core" },
  { key: "ns", label: "host time" },
];
const PAGE = 100;

export function CallsTable({ segment, onNode }: { segment: Segment; onNode: (node: number) => void }) {
  const [order, setOrder] = useState<Order>("start");
  const [wanted, setWanted] = useState("");
  const [shown, setShown] = useState(PAGE);
  const { calls, texts } = segment;
  const needle = wanted.toLowerCase();
  let rows = calls.start.map((_, i) => i).filter((i) => needle === "" || texts[calls.name[i]].toLowerCase().includes(needle));
  if (order !== "start") rows = rows.sort((a, b) => calls[order][b] - calls[order][a]);
  return (
    <>
      <p class="tools">
        <input type="search" placeholder="filter by name" aria-label="Filter calls by name" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
        <span class="muted"> {count(rows.length)} of {count(segment.all_calls)} calls; inner calls included</span>
      </p>
      <div class="scroll"><table class="plain" id="calls">
        <thead>
          <tr>
            <th>call</th>
            {COLUMNS.map((column) => (
              <th key={column.key} aria-sort={order === column.key ? "descending" : "none"}>
                <button type="button" class="link" onClick={() => setOrder(column.key)}>{column.label}</button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((i) => (
            <tr key={i} onClick={() => onNode(Math.max(0, calls.end[i] - 1))}>
              <td style={order === "start" ? { paddingLeft: `${6 + 14 * Math.max(0, calls.level[i] - 1)}px` } : {}}>{visible(texts[calls.name[i]])}</td>
              <td>{count(calls.start[i])}</td>
              <td>{bytes(calls.allocated[i])}</td>
              <td>{bytes(calls.freed[i])}</td>
              <td>{bytes(calls.l1[i])}</td>
              <td>{bytes(calls.cb[i])}</td>
              <td>{calls.ns[i] === 0 ? "" : `${(calls.ns[i] / 1000).toFixed(1)} us`}</td>
            </tr>
          ))}
        </tbody>
      </table></div>
      {rows.length > shown ? <button type="button" onClick={() => setShown(shown + PAGE)}>Show more</button> : null}
    </>
  );
}

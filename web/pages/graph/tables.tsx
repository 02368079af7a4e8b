// What is live at the chosen moment, the holes between, and the calls.
import { useMemo, useState } from "preact/hooks";
import { bytes, count, span, visible } from "kit/format";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { callOf, holesAt, liveAt, titleOf } from "./model";
import type { Calls, Hole, MapView, Segment } from "./model";

const FEW = 30;

function bytesColumn<T>(title: string, value: (record: T) => number): Column<T> {
  return { title, numeric: true, text: (record) => bytes(value(record)), value };
}

export function LiveTable({ view, node }: { view: MapView; node: number }) {
  const { blocks } = view.segment;
  const live = useMemo(() => liveAt(view, node).sort((a, b) => blocks.size[view.rows[b]] - blocks.size[view.rows[a]]), [view, node]);
  const columns: Column<number>[] = [
    { title: "Buffer", text: (i) => visible(titleOf(view, i)) },
    bytesColumn("of a bank", (i) => blocks.size[view.rows[i]]),
    bytesColumn("whole", (i) => blocks.whole[view.rows[i]]),
    { title: "address", numeric: true, text: (i) => (view.modelled ? "none" : count(blocks.address[view.rows[i]])), value: (i) => blocks.address[view.rows[i]] },
  ];
  return (
    <div id="live">
      <h3>Live at node {count(node)} ({count(live.length)})</h3>
      <Table label="Live buffers" columns={columns} records={live} first={FEW} rowProps={(i) => ({ title: visible(callOf(view, i)) })} compact />
    </div>
  );
}

export function HolesTable({ view, node }: { view: MapView; node: number }) {
  const holes = useMemo(() => holesAt(view, node), [view, node]);
  const columns: Column<Hole>[] = [
    { title: "Free range", text: (hole) => `between ${visible(titleOf(view, hole.below))} and ${visible(titleOf(view, hole.above))}` },
    bytesColumn("size", (hole) => hole.to - hole.from),
    { title: "addresses", numeric: true, text: (hole) => `${count(hole.from)} to ${count(hole.to)}`, value: (hole) => hole.from },
  ];
  return (
    <div id="holes">
      <h3>Holes at node {count(node)} ({count(holes.length)}){view.modelled ? ", modelled" : ""}</h3>
      {holes.length === 0 ? <p class="muted">none: what is live lies without gaps</p> : <Table label="Holes" columns={columns} records={holes} first={FEW} compact />}
    </div>
  );
}

const PAGE = 100;
const ORDER = { column: "node", descending: false };

function callColumns({ calls, texts }: Segment): Column<number>[] {
  const figure = (title: string, key: keyof Calls) => bytesColumn<number>(title, (i) => calls[key][i]);
  return [
    {
      title: "call",
      text: (i) => visible(texts[calls.name[i]]),
      cell: (i) => <span style={{ paddingLeft: `${14 * Math.max(0, calls.level[i] - 1)}px` }}>{visible(texts[calls.name[i]])}</span>,
    },
    { title: "node", numeric: true, largestFirst: false, text: (i) => count(calls.start[i]), value: (i) => calls.start[i] },
    figure("DRAM allocated", "allocated"),
    figure("DRAM freed", "freed"),
    figure("L1 peak per core", "l1"),
    figure("CB per core", "cb"),
    { title: "host time", numeric: true, text: (i) => (calls.ns[i] === 0 ? "" : span(calls.ns[i] / 1000)), value: (i) => calls.ns[i] || NaN },
  ];
}

export function CallsTable({ segment, onNode }: { segment: Segment; onNode: (node: number) => void }) {
  const [wanted, setWanted] = useState("");
  const { calls, texts } = segment;
  const rows = useMemo(() => {
    const needle = wanted.toLowerCase();
    return calls.start.map((_, i) => i).filter((i) => needle === "" || texts[calls.name[i]].toLowerCase().includes(needle));
  }, [segment, wanted]);
  return (
    <>
      <div class="tools">
        <input id="find" type="search" placeholder="filter by name ( / )" aria-label="Filter calls by name" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
        <span class="muted">{count(rows.length)} of {count(segment.all_calls)} calls</span>
      </div>
      <Table
        label="Calls"
        columns={callColumns(segment)}
        records={rows}
        first={PAGE}
        order={ORDER}
        rowProps={(i) => ({ class: "clickable", onClick: () => onNode(Math.max(0, calls.end[i] - 1)) })}
      />
    </>
  );
}

// What is live at the chosen moment, the holes between, and the calls.
import { useMemo, useState } from "preact/hooks";
import { bytes, count, span, visible } from "kit/format";
import { Switch } from "kit/parts";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { callOf, holesAt, liveAt, titleOf } from "./model";
import type { CallGroups, Calls, GraphDocument, Hole, MapView, Segment } from "./model";

const FEW = 12;

function partText(doc: GraphDocument, { segment: { blocks } }: MapView, row: number): string {
  if (blocks.program[row] === 1) return "program";
  const isUnknown = blocks.older[row] === 1 && doc.parts_by === "segment" && doc.segments.length < 2;
  return isUnknown ? "before the capture" : visible(doc.parts[blocks.part[row]] ?? "");
}

function bytesColumn<T>(title: string, value: (record: T) => number): Column<T> {
  return { title, numeric: true, text: (record) => bytes(value(record)), value };
}

export function LiveTable({ doc, view, node }: { doc: GraphDocument; view: MapView; node: number }) {
  const { blocks } = view.segment;
  const live = useMemo(() => liveAt(view, node).sort((a, b) => blocks.size[view.rows[b]] - blocks.size[view.rows[a]]), [view, node]);
  const columns: Column<number>[] = [
    { title: "Buffer", text: (i) => visible(titleOf(view, i)) },
    { title: doc.parts_by === "kind" ? "kind" : "made in", text: (i) => partText(doc, view, view.rows[i]) },
    bytesColumn("of a bank", (i) => blocks.size[view.rows[i]]),
    bytesColumn("whole", (i) => blocks.whole[view.rows[i]]),
    { title: "address", numeric: true, text: (i) => (view.modelled ? "none" : count(blocks.address[view.rows[i]])), value: (i) => blocks.address[view.rows[i]] },
  ];
  return (
    <div id="live">
      <h3>Live at node {count(node)} ({count(live.length)}){view.binaries.length > 0 ? ", binaries apart" : ""}</h3>
      <Table label="Live buffers" columns={columns} records={live} first={FEW} rowProps={(i) => ({ title: visible(callOf(view, view.rows[i])) })} compact />
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

function groupColumns({ groups, texts }: Segment): Column<number>[] {
  const figure = (title: string, key: keyof CallGroups) => bytesColumn<number>(title, (i) => groups[key][i]);
  return [
    { title: "call", text: (i) => visible(texts[groups.name[i]]) },
    { title: "calls", numeric: true, text: (i) => count(groups.calls[i]), value: (i) => groups.calls[i] },
    figure("DRAM allocated", "allocated"),
    figure("DRAM freed", "freed"),
    figure("L1 peak per core", "l1"),
    figure("CB per core", "cb"),
    { title: "host time", numeric: true, text: (i) => (groups.ns[i] === 0 ? "" : span(groups.ns[i] / 1000)), value: (i) => groups.ns[i] || NaN },
  ];
}

const FORMS = [
  { value: "groups", label: "By name" },
  { value: "calls", label: "Each" },
] as const;

export function CallsTable({ segment, onNode }: { segment: Segment; onNode: (node: number) => void }) {
  const [wanted, setWanted] = useState("");
  const [form, setForm] = useState<"groups" | "calls">("groups");
  const { calls, groups, texts } = segment;
  const names = form === "groups" ? groups.name : calls.name;
  const rows = useMemo(() => {
    const needle = wanted.toLowerCase();
    return names.map((_, i) => i).filter((i) => needle === "" || texts[names[i]].toLowerCase().includes(needle));
  }, [segment, wanted, form]);
  const all = form === "groups" ? `${count(rows.length)} of ${count(groups.name.length)} names` : `${count(rows.length)} of ${count(segment.all_calls)} calls`;
  return (
    <>
      <div class="tools">
        <Switch label="Calls" choices={FORMS} chosen={form} onChoose={(value) => setForm(value)} />
        <input id="find" type="search" placeholder="filter by name ( / )" aria-label="Filter calls by name" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
        <span class="muted">{all}</span>
      </div>
      {form === "groups" ? (
        <Table
          key="groups"
          label="Calls by name"
          columns={groupColumns(segment)}
          records={rows}
          first={PAGE}
          rowProps={(i) => ({
            class: "clickable",
            title: "Show each of them",
            onClick: () => {
              setWanted(texts[groups.name[i]]);
              setForm("calls");
            },
          })}
        />
      ) : (
        <Table
          key="calls"
          label="Calls"
          columns={callColumns(segment)}
          records={rows}
          first={PAGE}
          order={ORDER}
          rowProps={(i) => ({ class: "clickable", onClick: () => onNode(Math.max(0, calls.end[i] - 1)) })}
        />
      )}
    </>
  );
}

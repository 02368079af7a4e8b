// Where the time goes inside of ops: the zones of the device log, by the time spent in them alone.
import { useMemo } from "preact/hooks";
import { count, percent, us, visible } from "kit/format";
import { Section } from "kit/sections";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { barColumn, numberColumn, PLAIN } from "./bar";
import { timeTag } from "./data";
import type { PerfData, Zone } from "./data";

const SHOWN = 12;

const isMark = (zone: Zone) => zone.kind === "data" || zone.kind === "event";
/** What authors of kernels put there comes first, then kernels, then firmware and the rest. */
const rankOf = (zone: Zone) => (isMark(zone) || zone.kind === "user" || zone.kind === "sum" ? 0 : zone.kind === "kernel" ? 1 : 2);
const valueOf = (zone: Zone) => (zone.min_value == null ? "" : zone.min_value === zone.max_value ? String(zone.min_value) : `${zone.min_value} … ${zone.max_value}`);

/** Sums have no time of their own: their processor added them up beside its zones. */
const timeOf = (zone: Zone) => zone.self_us ?? zone.total_us ?? zone.self_cycles ?? zone.total_cycles;

const sourceOf = (zone: Zone) => (zone.source_file === null ? "" : `${zone.source_file.slice(zone.source_file.lastIndexOf("/") + 1)}:${zone.source_line ?? ""}`);

function columnsOf(most: number, hasValues: boolean): Column<Zone>[] {
  const values: Column<Zone>[] = hasValues ? [{ title: "value", text: valueOf }] : [];
  return [
    { title: "zone", class: "name", text: (zone) => visible(zone.zone) },
    { title: "kind", text: (zone) => zone.kind },
    { title: "processor", text: (zone) => visible(zone.risc) },
    numberColumn("device", (zone) => zone.device, String),
    numberColumn("count", (zone) => zone.count, count),
    numberColumn("cores", (zone) => zone.cores, count),
    numberColumn("self μs", (zone) => zone.self_us ?? NaN, us),
    numberColumn("of processor", (zone) => (zone.self_percent ?? NaN) / 100, percent),
    numberColumn("total μs", (zone) => (isMark(zone) ? NaN : (zone.total_us ?? NaN)), us),
    ...values,
    { title: "source", text: (zone) => visible(sourceOf(zone)), cell: (zone) => <span title={visible(zone.source_file ?? "")}>{visible(sourceOf(zone))}</span> },
    barColumn("time", timeOf, most, (zone) => [{ name: "time", us: timeOf(zone), color: PLAIN }]),
  ];
}

export function Zones({ data }: { data: PerfData }) {
  const all = useMemo(() => [...(data.document.zones ?? [])].sort((a, b) => rankOf(a) - rankOf(b) || timeOf(b) - timeOf(a)), [data]);
  if (all.length === 0) return null;
  return (
    <Section id="zones" title="Zones" hint={`those of kernels' authors first; ${timeTag(data.document)}, added up over cores; self time is without the zones inside`}>
      <Table label="Zones" columns={columnsOf(Math.max(...all.map(timeOf)), all.some((zone) => zone.min_value != null))} records={all} first={SHOWN} />
    </Section>
  );
}

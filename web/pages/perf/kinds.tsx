// The stacked report: device time by name of op, and the devices against each other.
import { useMemo } from "preact/hooks";
import { count, percent, us, visible } from "kit/format";
import { Link } from "kit/parts";
import { Section } from "kit/sections";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { barColumn, numberColumn } from "./bar";
import { timeTag } from "./data";
import type { PerfData } from "./data";
import { shownName } from "./names";
import { categoryOf } from "./view";

interface NamedOps {
  name: string;
  category: number;
  ops: number;
  us: number;
  /** Total % of its rows: kernels, firmware and gaps. */
  percent: number;
  /** Of the ops that have a bound. */
  idealUs: number;
  boundUs: number;
}

/** Names without shapes, by time. The figures add up to the device time of the run. */
export function opsByName(data: PerfData): NamedOps[] {
  const { rows, kinds } = data;
  const names = kinds.label.map((label) => label.split(" ", 1)[0]);
  const all = new Map<string, NamedOps>();
  for (let row = 0; row < rows.count; row++) {
    if (rows.form[row] === 2) continue;
    const name = rows.form[row] === 1 ? kinds.label[rows.kind[row]] : names[rows.kind[row]];
    let entry = all.get(name);
    if (!entry) all.set(name, (entry = { name, category: categoryOf(data, row), ops: 0, us: 0, percent: 0, idealUs: 0, boundUs: 0 }));
    const time = Math.max(0, rows.deviceNs[row]) / 1000;
    entry.ops++;
    entry.us += time;
    entry.percent += Math.max(0, rows.total[row]) / 1e4;
    if (rows.idealNs[row] <= 0) continue;
    entry.idealUs += rows.idealNs[row] / 1000;
    entry.boundUs += time;
  }
  return [...all.values()].sort((a, b) => b.us - a.us || (a.name < b.name ? -1 : 1));
}

function nameColumns(data: PerfData, most: number, onFind: (name: string) => void): Column<NamedOps>[] {
  const { categories, colors } = data.header;
  return [
    { title: "op", class: "name", text: (one) => visible(one.name), cell: (one) => <Link title={visible(one.name)} onClick={() => onFind(one.name)}>{shownName(one.name)}</Link> },
    numberColumn("ops", (one) => one.ops, count),
    numberColumn("μs", (one) => one.us, us),
    numberColumn("total %", (one) => one.percent / 100, percent, "kernels, firmware and the gap before each op, of the time that all percentages are of"),
    numberColumn("mean μs", (one) => one.us / one.ops, us),
    numberColumn("at peak", (one) => (one.boundUs > 0 ? one.idealUs / one.boundUs : NaN), percent),
    barColumn("time", (one) => one.us, most, (one) => [{ name: categories[one.category], us: one.us, color: colors[one.category] }]),
  ];
}

type Module = NonNullable<PerfData["document"]["modules"]>[number];

const MODULE_COLUMNS: Column<Module>[] = [
  { title: "module", class: "name", text: (one) => visible(one.module) },
  numberColumn("ops", (one) => one.ops, count),
  numberColumn("device μs", (one) => one.device_us, us),
  numberColumn("total %", (one) => one.percent / 100, percent, "kernels, firmware and gaps, of the time that all percentages are of"),
];

/** Parts of the model that ops name themselves; those that signposts set off are beside the timeline. */
export function namedModules(data: PerfData): Module[] {
  const isNamed = data.kinds.location.some((location) => location !== "") || data.header.signposts.length < 2;
  return isNamed ? data.document.modules ?? [] : [];
}

function ModuleTable({ data }: { data: PerfData }) {
  const modules = namedModules(data);
  if (modules.length === 0) return null;
  return (
    <>
      <h3>By module <small>by the location of each op, or a path in its attributes; numbers of layers together (derived)</small></h3>
      <Table id="named-modules" label="By module" columns={MODULE_COLUMNS} records={modules} first={16} />
    </>
  );
}

export function OpsByName({ data, onFind }: { data: PerfData; onFind(name: string): void }) {
  const all = useMemo(() => opsByName(data), [data]);
  return (
    <Section id="kinds" title="By op" hint={`all ops of a name; μs: kernels (${timeTag(data.document)}); total %: with firmware and gaps, of the time that all percentages are of`}>
      <Table label="Ops by name" columns={nameColumns(data, all[0]?.us ?? 0, onFind)} records={all} />
      <ModuleTable data={data} />
    </Section>
  );
}

const APART_SHOWN = 8;
/** Of the median: less is not worth a look. */
const LEAST_APART = 0.01;

type Skew = PerfData["document"]["skew"];
type Device = Skew["devices"][number];
type Apart = Skew["ops"][number];

type Times = NonNullable<PerfData["document"]["devices"]>[number];

function deviceColumns(times: Times[]): Column<Device>[] {
  const timesOf = (one: Device) => times.find((each) => each.device === one.device);
  const walls: Column<Device>[] = times.some((each) => each.wall_ns !== null)
    ? [
        numberColumn("wall, μs", (one) => (timesOf(one)?.wall_ns ?? NaN) / 1000, us, "first start to last end of its firmware"),
        numberColumn("busy, μs", (one) => (timesOf(one)?.busy_ns ?? NaN) / 1000, us, "some op ran"),
        numberColumn("idle, μs", (one) => (timesOf(one)?.idle_ns ?? NaN) / 1000, us),
      ]
    : [];
  return [DEVICE_COLUMN, ...walls, ...SKEW_COLUMNS];
}

const DEVICE_COLUMN: Column<Device> = { title: "device", text: (one) => String(one.device), value: (one) => one.device };
const SKEW_COLUMNS: Column<Device>[] = [
  numberColumn("ops", (one) => one.ops, count),
  numberColumn("device time, μs", (one) => one.device_us, us),
  numberColumn("collectives, μs", (one) => one.collective_us, us),
  numberColumn("overlapped, μs (derived)", (one) => one.collective_overlap_us ?? NaN, us, "other ops ran on the device at the same time (derived: kernel times up to the end of the firmware)"),
  numberColumn("behind median, μs", (one) => one.behind_us, us),
  numberColumn("slowest in", (one) => one.slowest_ops, count),
];

function apartColumns(onSelect: (id: number) => void): Column<Apart>[] {
  return [
    { title: "most apart", class: "name", text: (one) => `${one.id} ${visible(one.op)}`, cell: (one) => <Link title={visible(one.op)} onClick={() => onSelect(one.id)}>{one.id} {shownName(one.op)}</Link> },
    numberColumn("fastest μs", (one) => one.fastest_us, us),
    numberColumn("median μs", (one) => one.median_us, us),
    numberColumn("slowest μs", (one) => one.slowest_us, us),
    numberColumn("on device", (one) => one.slowest_device, String),
  ];
}

/** `Collectives along axis 1 of the mesh meet in 2 groups: devices 0 1 2 3 / 4 5 6 7`. */
export function meshTexts(data: PerfData): string[] {
  return (data.document.critical_path?.mesh ?? []).map((axis) => {
    const what = axis.cluster_axis === null ? shownName(axis.op ?? "") : `Collectives along axis ${axis.cluster_axis} of the mesh`;
    return `${what} meet in ${axis.groups.length} groups: devices ${axis.groups.map((group) => group.join(" ")).join(" / ")}`;
  });
}

export function Devices({ data, onSelect }: { data: PerfData; onSelect(row: number): void }) {
  const { skew } = data.document;
  if (skew.devices.length < 2) return null;
  const apart = skew.ops.filter((one) => one.slowest_us > one.median_us * (1 + LEAST_APART)).slice(0, APART_SHOWN);
  return (
    <Section id="devices" title="Devices" hint={`the same op on each (${timeTag(data.document)})`}>
      <p>
        Slowest device over median: {us(skew.slowest_over_median_us)} μs in all; devices waited {us(skew.collective_wait_us)} μs in collectives on average{skew.collective_late_us === null ? "" : `, the last one came ${us(skew.collective_late_us)} μs late`} (derived).
      </p>
      {meshTexts(data).map((text) => <p key={text}>{text} (derived: how many from shapes or attributes, who from times).</p>)}
      <div class="columns">
        <Table label="Devices" columns={deviceColumns(data.document.devices ?? [])} records={skew.devices} first={64} compact />
        {apart.length > 0 && <Table id="apart" label="Ops most apart" columns={apartColumns((id) => onSelect(data.rows.id.indexOf(id)))} records={apart} compact />}
      </div>
    </Section>
  );
}

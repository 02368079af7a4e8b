// Time of the processors of a core, and of each core.
import { useMemo, useState } from "preact/hooks";
import { count, percent, span, us } from "kit/format";
import { Absent } from "kit/parts";
import { Section } from "kit/sections";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { barColumn, numberColumn } from "./bar";
import { NONE, timeTag } from "./data";
import type { PerfData } from "./data";

const ROLES: Record<string, string> = {
  BRISC: "data movement",
  NCRISC: "data movement",
  TRISC0: "unpack",
  TRISC1: "math",
  TRISC2: "pack",
  ERISC: "Ethernet",
};

interface RiscSum {
  name: string;
  risc: number;
  ops: number;
  us: number;
  /** Kernel time of the ops that have a figure of it. */
  ofUs: number;
  byCategory: number[];
}

export function sumRiscs(data: PerfData): RiscSum[] {
  const { executions, header, kinds } = data;
  return header.riscs
    .map((name, risc) => {
      const sum: RiscSum = { name, risc, ops: 0, us: 0, ofUs: 0, byCategory: header.categories.map(() => 0) };
      const column = executions.riscNs[risc];
      for (let i = 0; i < executions.count; i++) {
        if (column[i] === NONE) continue;
        sum.us += column[i] / 1000;
        sum.ofUs += Math.max(0, executions.ns[i]) / 1000;
        sum.byCategory[kinds.category[executions.kind[i]]] += column[i] / 1000;
        sum.ops++;
      }
      return sum;
    })
    .filter((sum) => sum.ops > 0);
}

function riscColumns(data: PerfData, most: number): Column<RiscSum>[] {
  const { categories, colors } = data.header;
  const pieces = (one: RiscSum) => one.byCategory.map((part, category) => ({ name: categories[category], us: part, color: colors[category] }));
  return [
    { title: "RISC", text: (one) => one.name, cell: (one) => <>{one.name} <small class="muted">{ROLES[one.name]}</small></> },
    numberColumn("ops", (one) => one.ops, count),
    numberColumn("μs", (one) => one.us, us),
    numberColumn("of the op", (one) => one.us / one.ofUs, percent, "of the kernel time of these ops"),
    barColumn("by category", (one) => one.us, most, pieces),
  ];
}

/** Time of each processor over all ops and devices. */
export function Riscs({ data }: { data: PerfData }) {
  const sums = useMemo(() => sumRiscs(data), [data]);
  const most = Math.max(...sums.map((one) => one.us));
  return (
    <Section id="riscs" title="Processors" hint={`kernel time of each RISC, all ops on all devices (${timeTag(data.document)})`}>
      {sums.length === 0 ? <Absent why="The report has no kernel durations of single RISCs." /> : <Table label="Processors" columns={riscColumns(data, most)} records={sums} />}
    </Section>
  );
}

type Core = PerfData["header"]["cores"][number];

/** How busy each core was; only where the device log was read. */
export function Cores({ data }: { data: PerfData }) {
  const { cores } = data.header;
  const devices = useMemo(() => [...new Set(cores.map((core) => core[0]))], [data]);
  const [stretched, setStretched] = useState(false);
  if (cores.length === 0) {
    return (
      <Section id="cores" title="Cores">
        <Absent why="Times of single cores are in profile_log_device.csv; give its folder to ttscope perf." />
      </Section>
    );
  }
  const clock = data.document.device.clock_mhz;
  const text = (cycles: number) => (clock ? span(cycles / clock) : `${count(cycles)} cycles`);
  let least = cores[0];
  let most = cores[0];
  let sum = 0;
  for (const core of cores) {
    if (core[3] < least[3]) least = core;
    if (core[3] > most[3]) most = core;
    sum += core[3];
  }
  const from = stretched ? least[3] : 0;
  const shade = (core: Core) => (core[3] - from) / Math.max(1, most[3] - from);
  const place = (core: Core) => `core ${core[1]}, ${core[2]}${devices.length > 1 ? ` of device ${core[0]}` : ""}`;
  return (
    <Section id="cores" title="Cores" hint={`kernel time of each core over the run (${timeTag(data.document)})`}>
      <p>
        Busiest: {place(most)} with {text(most[3])}; least busy: {place(least)} with {text(least[3])}; mean {text(sum / cores.length)} over {count(cores.length)} cores.
      </p>
      <div class="tools">
        <span class="ramp"><span>{text(from)}</span><i /><span>{text(most[3])}</span></span>
        <label><input type="checkbox" checked={stretched} onChange={(event) => setStretched(event.currentTarget.checked)} /> colours from the least busy core on</label>
      </div>
      <div class="grids">
        {devices.map((device) => (
          <CoreGrid key={device} device={device} cores={cores.filter((core) => core[0] === device)} shade={shade} text={text} />
        ))}
      </div>
    </Section>
  );
}

function CoreGrid({ device, cores, shade, text }: { device: number; cores: Core[]; shade(core: Core): number; text(cycles: number): string }) {
  const at = new Map(cores.map((core) => [core[2] * 1000 + core[1], core]));
  const range = (axis: 1 | 2) => {
    const first = Math.min(...cores.map((core) => core[axis]));
    return Array.from({ length: Math.max(...cores.map((core) => core[axis])) - first + 1 }, (_, i) => first + i);
  };
  const columns = range(1);
  return (
    <table class="cores" aria-label={`Cores of device ${device}`}>
      <caption>device {device}</caption>
      <thead>
        <tr><th />{columns.map((x) => <th key={x}>{x}</th>)}</tr>
      </thead>
      <tbody>
        {range(2).map((y) => (
          <tr key={y}>
            <th>{y}</th>
            {columns.map((x) => {
              const core = at.get(y * 1000 + x);
              if (!core) return <td key={x} class="idle" title={`core ${x}, ${y}: no kernels`} />;
              const title = `core ${x}, ${y}: ${text(core[3])} (${count(core[3])} cycles) in ${count(core[4])} runs`;
              return <td key={x} title={title} style={{ background: `color-mix(in srgb, var(--weight-op) ${Math.round(8 + shade(core) * 92)}%, var(--panel))` }} />;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

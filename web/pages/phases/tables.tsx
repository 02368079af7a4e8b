// The figures behind the pictures.
import { count, mb, percent, signed, visible } from "kit/format";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { kindsOf, partsOf } from "./model";
import type { Phase, Run, Sizes } from "./model";

const SEEN_BYTES = 5243; // half of the last decimal

function Difference({ now, base, moreIsGood }: { now: number; base: number | null; moreIsGood: boolean }) {
  if (base === null) return null;
  const change = now - base;
  if (Math.abs(change) < SEEN_BYTES) return <small class="muted">same</small>;
  return <small class={change > 0 === moreIsGood ? "better" : "worse"}>{signed(change, mb)}</small>;
}

interface RowProps {
  label: string;
  color?: string;
  values: (number | null)[];
  base: number;
  title?: string;
  moreIsGood?: boolean;
}

function Row({ label, color, values, base, title, moreIsGood = false }: RowProps) {
  return (
    <tr title={title}>
      <th scope="row">{color ? <i class="swatch" style={{ "--swatch": color }} /> : null}{label}</th>
      {values.map((value, i) => (
        <td key={i} class="numeric">
          {value === null ? <span class="muted">-</span> : mb(value)}
          {value !== null && i !== base ? <Difference now={value} base={values[base] ?? null} moreIsGood={moreIsGood} /> : null}
        </td>
      ))}
    </tr>
  );
}

/** Every run beside the one that it is compared with. */
export function Comparison({ runs, base, sizes, onBase }: { runs: Run[]; base: number; sizes: Sizes; onBase: (index: number) => void }) {
  const kinds = kindsOf(runs, sizes);
  const parts = runs.map((run) => new Map(partsOf(run, sizes).map((part) => [part.kind, part.bytes])));
  return (
    <div class="scroll-x">
      <table id="comparison">
        <thead>
          <tr>
            <th scope="col">MB</th>
            {runs.map((run, i) => (
              <th key={i} scope="col" class="numeric">
                <button type="button" aria-pressed={i === base} title="Compare with this run" onClick={() => onBase(i)}>{visible(run.name)}</button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row label="Peak" values={runs.map((run) => run.peak.bytes)} base={base} title="Measured: the overall DRAM peak of one device" />
          {[...kinds].reverse().map((kind) => (
            <Row key={kind.kind} label={kind.label} color={kind.color} title={kind.meaning} values={parts.map((of) => of.get(kind.kind) ?? 0)} base={base} />
          ))}
          <Row label="Device memory" values={runs.map((run) => run.device.bytes)} base={base} title="Of one device" moreIsGood />
          <Row label="Left" values={runs.map((run) => (run.device.bytes === null ? null : run.device.bytes - run.peak.bytes))} base={base} title="Device memory less the peak" moreIsGood />
          <Row label="After the last phase" values={runs.map((run) => run.final_bytes)} base={base} />
          <Row label="Most activations kept" values={runs.map((run) => run.sizes.activations_bytes)} base={base} title="The most that a forward pass left behind" />
          <Row label="Gradients" values={runs.map((run) => run.sizes.gradients.actual_bytes)} base={base} title="What the first forward and backward pass left behind" />
        </tbody>
      </table>
    </div>
  );
}

interface Size {
  label: string;
  actual: number;
  expected: number | null;
}

const SIZE_COLUMNS: Column<Size>[] = [
  { title: "Size", unit: "MB", text: (size) => size.label },
  { title: "Measured", numeric: true, text: (size) => mb(size.actual), value: (size) => size.actual },
  { title: "Expected", numeric: true, text: (size) => (size.expected === null ? "-" : mb(size.expected)), value: (size) => size.expected ?? NaN },
  {
    title: "Difference",
    numeric: true,
    text: (size) => (size.expected ? percent((size.actual - size.expected) / size.expected, 2) : "-"),
    value: (size) => (size.expected ? (size.actual - size.expected) / size.expected : NaN),
  },
];

export function SizesTable({ run }: { run: Run }) {
  const { model, optimizer, gradients } = run.sizes;
  const sizes = [
    { label: "Model", ...model },
    { label: "Optimizer state", ...optimizer },
    { label: "Gradients", ...gradients },
  ].flatMap(({ label, actual_bytes: actual, expected_bytes: expected }) => (actual === null ? [] : [{ label, actual, expected }]));
  return <Table id="sizes" label="Sizes" columns={SIZE_COLUMNS} records={sizes} compact />;
}

/** A column of bytes; "-" where the log does not print them. */
function bytesColumn(title: string, of: (phase: Phase) => number | null, text: (bytes: number) => string = mb): Column<Phase> {
  return {
    title,
    numeric: true,
    text: (phase) => {
      const bytes = of(phase);
      return bytes === null ? "-" : text(bytes);
    },
    value: (phase) => of(phase) ?? NaN,
  };
}

function phaseColumns(run: Run): Column<Phase>[] {
  const peak = run.peak.phase === null ? null : run.phases[run.peak.phase];
  return [
    { title: "Phase", class: "name", text: (phase) => visible(phase.name), cell: (phase) => <>{visible(phase.name)}{phase === peak ? <small class="misfit"> peak</small> : null}</> },
    { title: "Role", text: (phase) => phase.role, cell: (phase) => <span class="badge">{phase.role}</span> },
    bytesColumn("Change", (phase) => phase.change_bytes, (bytes) => signed(bytes, mb)),
    bytesColumn("Own peak", (phase) => phase.segment_peak_bytes),
    bytesColumn("Reached", (phase) => phase.reached_bytes),
    bytesColumn("After", (phase) => phase.current_bytes),
    bytesColumn("Allocated", (phase) => phase.allocations_bytes),
    bytesColumn("Freed", (phase) => phase.deallocations_bytes),
    bytesColumn("L1 per core", (phase) => (phase.l1 === null ? null : phase.l1.peak_total_mb), (figure) => figure.toFixed(2)),
    { title: "Line", numeric: true, largestFirst: false, text: (phase) => count(phase.line), value: (phase) => phase.line },
  ];
}

export function PhasesTable({ run }: { run: Run }) {
  const peak = run.peak.phase;
  return (
    <Table
      id="phases"
      label="Phases"
      columns={phaseColumns(run)}
      records={run.phases}
      first={Infinity}
      rowProps={(phase) => ({ class: peak !== null && run.phases[peak] === phase ? "is-peak" : undefined })}
    />
  );
}

// The figures behind the pictures.
import { percent, visible } from "kit/format";
import { kindsOf, mb, partsOf, signedMb } from "./model";
import type { Run, Sizes } from "./model";

const SEEN_BYTES = 5243; // half of the last decimal

function Difference({ now, base, moreIsGood }: { now: number; base: number | null; moreIsGood: boolean }) {
  if (base === null) return null;
  const change = now - base;
  if (Math.abs(change) < SEEN_BYTES) return <small class="muted">same</small>;
  return <small class={change > 0 === moreIsGood ? "better" : "worse"}>{signedMb(change)}</small>;
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
      <th scope="row">{color ? <i class="swatch" style={{ background: color }} /> : null}{label}</th>
      {values.map((value, i) => (
        <td key={i} class="figure">
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
    <div class="table-scroll">
      <table id="comparison">
        <thead>
          <tr>
            <th scope="col">MB</th>
            {runs.map((run, i) => (
              <th key={i} scope="col" class="figure">
                <button type="button" class={i === base ? "base base-chosen" : "base"} aria-pressed={i === base} title="Compare with this run" onClick={() => onBase(i)}>{visible(run.name)}</button>
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

function sizeRow(label: string, actual: number | null, expected: number | null) {
  if (actual === null) return null;
  return (
    <tr key={label}>
      <th scope="row">{label}</th>
      <td class="figure">{mb(actual)}</td>
      <td class="figure">{expected === null ? <span class="muted">-</span> : mb(expected)}</td>
      <td class="figure">{expected ? percent((actual - expected) / expected, 2) : <span class="muted">-</span>}</td>
    </tr>
  );
}

export function SizesTable({ run }: { run: Run }) {
  const { model, optimizer, gradients } = run.sizes;
  return (
    <table id="sizes">
      <thead>
        <tr><th scope="col">Size (MB)</th><th scope="col" class="figure">Measured</th><th scope="col" class="figure">Expected</th><th scope="col" class="figure">Difference</th></tr>
      </thead>
      <tbody>
        {sizeRow("Model", model.actual_bytes, model.expected_bytes)}
        {sizeRow("Optimizer state", optimizer.actual_bytes, optimizer.expected_bytes)}
        {sizeRow("Gradients", gradients.actual_bytes, gradients.expected_bytes)}
      </tbody>
    </table>
  );
}

export function PhasesTable({ run }: { run: Run }) {
  return (
    <div class="table-scroll phases-scroll">
      <table id="phases">
        <thead>
          <tr>
            <th scope="col">Phase</th><th scope="col">Role</th><th scope="col" class="figure">Change</th><th scope="col" class="figure">Own peak</th><th scope="col" class="figure">Reached</th>
            <th scope="col" class="figure">After</th><th scope="col" class="figure">Allocated</th><th scope="col" class="figure">Freed</th><th scope="col" class="figure">L1 per core</th><th scope="col" class="figure">Line</th>
          </tr>
        </thead>
        <tbody>
          {run.phases.map((phase, i) => (
            <tr key={i} class={run.peak.phase === i ? "is-peak" : undefined}>
              <td class="name">{visible(phase.name)}{run.peak.phase === i ? <small class="misfit"> peak</small> : null}</td>
              <td><span class={`role role-${phase.role}`}>{phase.role}</span></td>
              <td class="figure">{signedMb(phase.change_bytes)}</td>
              <td class="figure">{mb(phase.segment_peak_bytes)}</td>
              <td class="figure">{mb(phase.reached_bytes)}</td>
              <td class="figure">{mb(phase.current_bytes)}</td>
              <td class="figure">{phase.allocations_bytes === null ? "-" : mb(phase.allocations_bytes)}</td>
              <td class="figure">{phase.deallocations_bytes === null ? "-" : mb(phase.deallocations_bytes)}</td>
              <td class="figure">{phase.l1 === null ? "-" : phase.l1.peak_total_mb.toFixed(2)}</td>
              <td class="figure">{phase.line}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

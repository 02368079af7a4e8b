// The page: bars of all runs, a table that compares them, and the chosen run in detail.
import { count, plural, visible } from "kit/format";
import { useFragment } from "kit/fragment";
import { PageHead } from "kit/page_head";
import { Histogram } from "./histogram";
import { fragmentOf, kindsOf, mb, viewOf } from "./model";
import type { Document, Run, Sizes, View } from "./model";
import { Comparison, PhasesTable, SizesTable } from "./tables";
import { Timeline } from "./timeline";

const WORDS: Record<string, string> = { critical: "Does not fit", warning: "Look at this", ok: "Fits", unknown: "No limit known" };

const FEW = 3; // runs whose bars leave room for the table beside them

const severityOf = (run: Run) => (run.severity === "ok" && run.device.bytes === null ? "unknown" : run.severity);

function Verdicts({ runs }: { runs: Run[] }) {
  return (
    <section class="section" id="verdict" aria-label="Verdict">
      <ul class="verdicts">
        {runs.map((run, i) => (
          <li key={i} class={`verdict verdict-${severityOf(run)}`}>
            <b>{WORDS[severityOf(run)] ?? run.severity}</b> <span>{visible(run.name)}: {visible(run.verdict)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Legend({ runs, sizes }: { runs: Run[]; sizes: Sizes }) {
  return (
    <ul class="legend" aria-label="Legend">
      {kindsOf(runs, sizes).map((part) => (
        <li key={part.kind} title={part.meaning}><i class="swatch" style={{ background: part.color }} />{part.label}</li>
      ))}
      {runs.some((run) => run.device.bytes !== null) ? <li><i class="limit-swatch" />Device memory</li> : null}
    </ul>
  );
}

function SizesSwitch({ sizes, onSizes }: { sizes: Sizes; onSizes: (sizes: Sizes) => void }) {
  return (
    <div class="switch" role="group" aria-label="Sizes of model and optimizer">
      {(["expected", "measured"] as const).map((one) => (
        <button key={one} type="button" aria-pressed={one === sizes} onClick={() => onSizes(one)} title={one === "expected" ? "Two bytes a parameter, optimizer twice the model, or as given; the difference is Other" : "What the phases left behind"}>{one}</button>
      ))}
    </div>
  );
}

function Findings({ run }: { run: Run }) {
  return (
    <>
      {run.advice.length > 0 ? <h3>What would save memory</h3> : null}
      <ul class="findings" id="advice">
        {run.advice.map((one, i) => (
          <li key={i}><b>{mb(one.bytes)} MB</b> {visible(one.text)} <span class={`tag tag-${one.confidence}`}>{one.confidence}</span></li>
        ))}
      </ul>
      {run.violations.length > 0 ? <h3>Relations that the figures break</h3> : null}
      <ul class="findings broken">{run.violations.map((one, i) => <li key={i}>{visible(one.text)}</li>)}</ul>
      {run.notes.length > 0 ? <h3>Notes</h3> : null}
      <ul class="findings">{run.notes.map((note, i) => <li key={i}>{visible(note)}</li>)}</ul>
    </>
  );
}

function Details({ document: doc, run, base }: { document: Document; run: Run; base: Run | null }) {
  const place = `${visible(doc.inputs[run.file]?.path ?? "")}, line ${count(run.line)}`;
  return (
    <section class="section" id="run" aria-label="The chosen run">
      <h2>{visible(run.name)} <small>{place}{run.parameters !== null ? `; ${count(run.parameters)} parameters` : ""}</small></h2>
      <h3>Memory over the phases <small>filled: in use after the phase; light: how far it reached{base ? `; dotted: ${visible(base.name)}` : ""}</small></h3>
      <Timeline run={run} base={base} />
      <Findings run={run} />
      <h3>Sizes</h3>
      <div class="table-scroll"><SizesTable run={run} /></div>
      <h3>Phases <small>MB; {plural(run.phases.length, "phase")}{run.steps.length > 1 ? `, ${plural(run.steps.length, "micro-step")}` : ""}</small></h3>
      <PhasesTable run={run} />
    </section>
  );
}

function Trust({ document: doc }: { document: Document }) {
  const broken = doc.configurations.reduce((sum, run) => sum + run.violations.length, 0);
  return (
    <section class="section" id="trust" aria-label="Trust">
      <h2>Trust</h2>
      <ul class="findings">
        <li>{plural(doc.configurations.length, "run")} read; the relations between the printed figures {broken === 0 ? "all hold within rounding" : `are broken ${count(broken)} times`}</li>
        {doc.trust.problems.map((one, i) => <li key={i}>{count(one.count)} {visible(one.what)}, first at line {one.first_places[0]?.line ?? "?"}</li>)}
        {doc.trust.warnings.map((one, i) => <li key={i}>{visible(one)}</li>)}
        <li>{visible(doc.trust.scope)}</li>
      </ul>
    </section>
  );
}

export function App({ document: doc }: { document: Document }) {
  const runs = doc.configurations;
  // What does not fit is what the reader came for.
  const worst = Math.max(0, runs.findIndex((run) => run.peak.fits === false));
  const usual: View = { run: worst, base: 0, sizes: runs.some((run) => run.actual_sizes) ? "measured" : "expected" };
  const [view, change] = useFragment<View>((fragment) => viewOf(fragment, runs.length, usual), fragmentOf);
  const run = runs[view.run];
  const base = runs[view.base];
  return (
    <>
      <PageHead name={visible(doc.title ?? "Training memory by phase")}>
        <SizesSwitch sizes={view.sizes} onSizes={(sizes) => change({ sizes })} />
      </PageHead>
      <main>
        <Verdicts runs={runs} />
        <div class={runs.length <= FEW ? "pair pair-few" : "pair"}>
          <section class="section" id="peaks" aria-label="Peaks">
            <h2>What the peaks are made of <small>at the moment of each run's DRAM peak, MB of one device</small></h2>
            <Legend runs={runs} sizes={view.sizes} />
            <Histogram runs={runs} sizes={view.sizes} chosen={view.run} onChoose={(index) => change({ run: index })} />
          </section>
          {runs.length > 1 ? (
            <section class="section" id="compare" aria-label="Comparison">
              <h2>Comparison <small>differences to {visible(base?.name ?? "")}; a click on a name compares with that run</small></h2>
              <Comparison runs={runs} base={view.base} sizes={view.sizes} onBase={(index) => change({ base: index })} />
            </section>
          ) : null}
        </div>
        {run ? <Details document={doc} run={run} base={view.base !== view.run ? (base ?? null) : null} /> : null}
        <Trust document={doc} />
        <footer class="foot">ttscope {visible(doc.tool.version)} · MB is 1,048,576 bytes · this page makes no request</footer>
      </main>
    </>
  );
}

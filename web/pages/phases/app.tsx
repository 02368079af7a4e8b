// The page: bars of all runs, a table that compares them, and the chosen run in detail.
import { Verdict } from "kit/findings";
import type { Finding } from "kit/findings";
import { count, mb, plural, visible } from "kit/format";
import { useFragment } from "kit/fragment";
import { Legend } from "kit/legend";
import type { LegendEntry } from "kit/legend";
import { Switch, Tag } from "kit/parts";
import { Section } from "kit/sections";
import { Shell } from "kit/shell";
import { problemText, Trust } from "kit/trust";
import type { TrustPart } from "kit/trust";
import { Histogram } from "./histogram";
import { fragmentOf, kindsOf, viewOf } from "./model";
import type { Document, NoVerdict, Run, Sizes, View } from "./model";
import { Comparison, PhasesTable, SizesTable } from "./tables";
import { Timeline } from "./timeline";

const WORDS: Record<string, string> = { critical: "Does not fit", warning: "Look at this", ok: "Fits", unknown: "No verdict" };

const FEW = 3; // runs whose bars leave room for the table beside them

const levelOf = (run: Run) => (run.verdict === null ? "unknown" : run.severity);

/** The worst of the runs, and how many they are. */
const reasonOf = (run: Run, without: NoVerdict[]) => `no verdict: the peak ${without.find((one) => one.run === run.name)?.reason ?? ""}`;

function answerOf(runs: Run[], without: NoVerdict[]): { level: string; words: string; findings: Finding[] } {
  const levels = runs.map(levelOf);
  const level = ["critical", "warning", "unknown"].find((one) => levels.includes(one)) ?? "ok";
  const such = levels.filter((one) => one === level).length;
  const words = WORDS[level] ?? level;
  return {
    level,
    words: such === runs.length ? words : `${words}: ${count(such)} of ${count(runs.length)}`,
    findings: runs.map((run) => ({ level: levelOf(run), text: `${run.name}: ${run.verdict ?? reasonOf(run, without)}` })),
  };
}

function legendOf(runs: Run[], sizes: Sizes): LegendEntry[] {
  const entries: LegendEntry[] = kindsOf(runs, sizes).map((part) => ({ label: part.label, color: part.color, title: part.meaning }));
  if (runs.some((run) => run.device.bytes !== null)) entries.push({ label: "Device memory", swatch: "swatch swatch-dash", color: "var(--limit)" });
  return entries;
}

const SIZES = [
  { value: "expected", label: "expected", title: "Two bytes a parameter, optimizer twice the model, or as given; the difference is Other" },
  { value: "measured", label: "measured", title: "What the phases left behind" },
] as const;

function Sentences({ title, sentences }: { title: string; sentences: string[] }) {
  if (sentences.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>{sentences.map((sentence, i) => <li key={i}>{visible(sentence)}</li>)}</ul>
    </>
  );
}

function Advice({ run }: { run: Run }) {
  if (run.advice.length === 0) return null;
  return (
    <>
      <h3>What would save memory</h3>
      <ol class="advice" id="advice">
        {run.advice.map((one, i) => (
          <li key={i}><b>{mb(one.bytes)} MB</b> {visible(one.text)} <Tag of={one.confidence} /></li>
        ))}
      </ol>
    </>
  );
}

function Details({ document: doc, run, base }: { document: Document; run: Run; base: Run | null }) {
  const place = `${visible(doc.inputs[run.file]?.path ?? "")}, line ${count(run.line)}`;
  return (
    <Section id="run" title={visible(run.name)} hint={`${place}${run.parameters !== null ? `; ${count(run.parameters)} parameters` : ""}`}>
      <h3>Memory over the phases <small>filled: in use after the phase; light: how far it reached{base ? `; dotted: ${visible(base.name)}` : ""}</small></h3>
      <Timeline run={run} base={base} />
      <Advice run={run} />
      <Sentences title="Relations that the figures break" sentences={run.violations.map((one) => one.text)} />
      <Sentences title="Notes" sentences={run.notes} />
      <h3>Sizes</h3>
      <SizesTable run={run} />
      <h3>Phases <small>MB; {plural(run.phases.length, "phase")}{run.steps.length > 1 ? `, ${plural(run.steps.length, "micro-step")}` : ""}</small></h3>
      <PhasesTable run={run} />
    </Section>
  );
}

function trustOf(doc: Document): TrustPart[] {
  const broken = doc.configurations.reduce((sum, run) => sum + run.violations.length, 0);
  const relations = broken === 0 ? "all hold within rounding" : `are broken ${count(broken)} times`;
  return [
    { title: "What was read", lines: [`${plural(doc.configurations.length, "run")} read; the relations between the printed figures ${relations}`] },
    { title: "Lines that were skipped", lines: doc.trust.problems.map((one) => problemText(one, `line ${one.first_places[0]?.line ?? "?"}`)), isProblem: true },
    { title: "Warnings", lines: doc.trust.warnings, isProblem: true },
    { title: "Notes on the figures", lines: [doc.trust.scope] },
  ];
}

const TAGS = { measured: "printed by the tracker", derived: "computed from printed figures", modelled: "from the number of parameters or a rule" };

export function App({ document: doc }: { document: Document }) {
  const runs = doc.configurations;
  // What does not fit is what the reader came for.
  const worst = Math.max(0, runs.findIndex((run) => run.peak.fits === false));
  const usual: View = { run: worst, base: 0, sizes: runs.some((run) => run.actual_sizes) ? "measured" : "expected" };
  const [view, change] = useFragment<View>((fragment) => viewOf(fragment, runs.length, usual), fragmentOf);
  const run = runs[view.run];
  const base = runs[view.base];
  const sections = [
    { id: "verdict", label: "Verdict" },
    { id: "peaks", label: "Peaks" },
    ...(runs.length > 1 ? [{ id: "compare", label: "Comparison" }] : []),
    { id: "run", label: "Chosen run" },
    { id: "trust", label: "Trust" },
  ];
  return (
    <Shell
      name={doc.title ?? "Training memory by phase"}
      tools={<Switch label="Sizes of model and optimizer" choices={SIZES} chosen={view.sizes} onChoose={(sizes) => change({ sizes })} />}
      sections={sections}
      version={doc.tool.version}
      foot="MB is 1,048,576 bytes · this file makes no network request"
    >
      <Section id="verdict" title="Verdict"><Verdict {...answerOf(runs, doc.trust.no_verdict)} /></Section>
      <div class={runs.length <= FEW ? "pair pair-few" : "pair"}>
        <Section id="peaks" title="What the peaks are made of" hint="at the moment of each run's DRAM peak, MB of one device">
          <Legend entries={legendOf(runs, view.sizes)} />
          <Histogram runs={runs} sizes={view.sizes} chosen={view.run} onChoose={(index) => change({ run: index })} />
        </Section>
        {runs.length > 1 ? (
          <Section id="compare" title="Comparison" hint={`differences to ${visible(base?.name ?? "")}; a click on a name compares with that run`}>
            <Comparison runs={runs} base={view.base} sizes={view.sizes} onBase={(index) => change({ base: index })} />
          </Section>
        ) : null}
      </div>
      {run ? <Details document={doc} run={run} base={view.base !== view.run ? (base ?? null) : null} /> : null}
      <Section id="trust" title="Trust"><Trust parts={trustOf(doc)} tags={TAGS} /></Section>
    </Shell>
  );
}

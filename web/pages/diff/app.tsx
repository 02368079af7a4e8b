// The page: what changed in total, both runs on one axis, what accounts for the change.
import { Verdict } from "kit/findings";
import { fileName, visible } from "kit/format";
import { useFragment } from "kit/fragment";
import { CHART_HELP, chartKeys } from "kit/keys";
import { Switch } from "kit/parts";
import { Section } from "kit/sections";
import { Shell } from "kit/shell";
import { useMemo } from "preact/hooks";
import { Chart, controlsOf } from "./chart";
import { fragmentOf, lanesOf, opsOf, opsOfChange, stretchOf, viewOf } from "./model";
import type { Document, Report, View } from "./model";
import { Changes, Gaps, Ops, Sums, Totals } from "./tables";

const SECTIONS = [
  { id: "verdict", label: "Verdict" },
  { id: "runs", label: "Both runs" },
  { id: "what", label: "What accounts for it" },
  { id: "by", label: "Sums" },
  { id: "all", label: "Ops" },
];

const sideText = ({ input, what, device }: Report["before"]) => `${input}${device ? ` (${device})` : ""}${what ? `: ${what}` : ""}`;

function answerOf(report: Report) {
  const level = report.different ? "warning" : "ok";
  return {
    level,
    words: report.different ? "Different" : "Same",
    findings: [
      { level, text: report.verdict },
      ...report.cautions.map((text) => ({ level: "warning", text })),
      ...report.warnings.map((text) => ({ level: "warning", text })),
      { level: "unknown", text: `before: ${sideText(report.before)}` },
      { level: "unknown", text: `after: ${sideText(report.after)}` },
    ],
  };
}

const nameOf = (report: Report) => (report.unit === "us" ? "time" : "memory");

export function App({ document: doc }: { document: Document }) {
  const [view, change] = useFragment<View>((fragment) => viewOf(fragment, doc), fragmentOf);
  const report = doc.reports[view.report];
  const ops = useMemo(() => opsOf(report), [report]);
  const lanes = useMemo(() => lanesOf(report), [report]);
  const [from, to] = view.to > view.from ? [view.from, Math.min(view.to, lanes.end)] : [0, lanes.end];
  const onRange = (start: number, end: number) => change(end - start >= lanes.end * 0.999 ? { from: 0, to: 0 } : { from: start, to: end });
  const choose = (number: number) => {
    const stretch = number >= 0 ? stretchOf(lanes, opsOfChange(ops, number)) : null;
    change({ change: number, ...(stretch ? { from: stretch[0], to: stretch[1] } : { from: 0, to: 0 }) });
  };
  const chart = {
    ops,
    lanes,
    unit: report.unit,
    row: report.row,
    from,
    to,
    change: view.change,
    onRange,
    onChoose: (op: (typeof ops)[number] | null) => change({ change: op ? op.change : -1 }),
  };
  const keys = { ...chartKeys(() => controlsOf(chart, () => view.change >= 0 && choose(view.change))), escape: () => choose(-1) };
  const choices = doc.reports.map((one, index) => ({ value: String(index), label: nameOf(one), title: one.cost }));
  return (
    <Shell
      name={`${fileName(report.before.input)} → ${fileName(report.after.input)}`}
      tools={doc.reports.length > 1 ? <Switch label="Of" choices={choices} chosen={String(view.report)} onChoose={(value) => change({ report: Number(value), change: -1, from: 0, to: 0 })} /> : undefined}
      sections={SECTIONS}
      keys={keys}
      help={[...CHART_HELP]}
      version={doc.tool.version}
      foot="this file makes no network request"
    >
      <Section id="verdict" title="What changed" hint={visible(report.remark)}>
        <div class="answer">
          <Verdict {...answerOf(report)} />
          <Totals report={report} />
        </div>
      </Section>
      <Section id="runs" title="Both runs" hint={`one axis: ${report.unit === "us" ? "device time and gaps, op after op" : "bytes at the peak, tensor after tensor"}; ribbons lead from an op to what it became`}>
        <Chart {...chart} />
      </Section>
      <Section id="what" title="What accounts for it" hint="it adds up to the change; a click shows where">
        <Changes report={report} chosen={view.change} onChoose={choose} />
        <Gaps report={report} ops={ops} />
      </Section>
      <Section id="by" title="Sums"><Sums report={report} /></Section>
      <Section id="all" title="Ops" hint={`${report.row}s are numbered as in the inputs`}><Ops report={report} ops={ops} other={view.report === 0 ? doc.reports[1] : undefined} /></Section>
    </Shell>
  );
}

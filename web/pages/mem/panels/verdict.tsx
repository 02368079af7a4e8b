// The verdict: how the run ended, whether it fits, how far to trust that, and what to do.

import type { RankData } from "../data/rank";
import { bytes, count, percent, plural, visible } from "kit/format";
import { Findings, VerdictBadge } from "kit/findings";
import { memDoc } from "./mem_doc";
import type { Failure, Fix, IdleTensor, MemDoc, MemVerdict } from "./mem_doc";
import { CONFIDENCE_HINTS, Tag } from "kit/parts";
import { OpLink } from "./parts";
import type { PanelProps } from "./parts";

interface Badge {
  words: string;
  level: string;
  /** A sentence that says why. */
  why: string;
}

const OUTCOMES: Record<string, [words: string, level: string]> = {
  finished: ["Finished", "ok"],
  out_of_memory: ["Ran out of memory", "critical"],
  crashed: ["Crashed", "critical"],
  cut: ["The log is cut", "warning"],
  running: ["Still running", "unknown"],
  unknown: ["End not known", "unknown"],
};

const FITS: Record<string, [words: string, level: string]> = {
  yes: ["Fits", "ok"],
  no: ["Does not fit", "critical"],
  unknown: ["Not known whether it fits", "unknown"],
};

/** Where the document tells outcome and fit apart. */
function badgesOf(verdict: MemVerdict): Badge[] {
  const badge = (of: [string, string] | undefined, why: string | undefined): Badge[] => (of ? [{ words: of[0], level: of[1], why: why ?? "" }] : []);
  const outcome: [string, string] | undefined = verdict.outcome_detail?.why === "not_run" ? ["Compiled, not run", "unknown"] : OUTCOMES[verdict.outcome ?? ""];
  return [...badge(outcome, verdict.outcome_detail?.text), ...badge(FITS[verdict.fit ?? ""], verdict.fit_detail?.text)];
}

/** For documents that have a severity alone: these do not tell how the run ended. */
function answerOf(doc: MemDoc): Badge {
  const level = doc.verdict?.severity ?? "ok";
  if ((doc.failures?.length ?? 0) > 0) return { words: "Ran out of memory", level: "critical", why: "" };
  if (level === "critical") return { words: "Does not fit", level, why: "" };
  return { words: level === "warning" ? "Fits, with warnings" : "Fits", level, why: "" };
}

const DIAGNOSES: Record<string, string> = {
  never_fits: "larger than a whole bank",
  exhausted: "more than was free",
  fragmented: "enough was free, but no block was large enough",
  region_absent: "this memory has no room configured",
  unknown: "cause unknown",
};

function known(value: number | null): string {
  return value === null ? "not known" : bytes(value);
}

const HOLDERS: Record<string, [words: string, swatch: string]> = {
  weight: ["weights", "weight"],
  const_eval_copy: ["const-eval copies beside their weights", "const_eval"],
  const_eval: ["other const-eval results", "const_eval"],
  activation: ["activations", "activation"],
  input: ["inputs", "input"],
  unknown: ["tensors of unknown kind", "unknown"],
  unaccounted: ["in no tensor that the text names", "unaccounted"],
};

/** Who held the memory when the allocation failed: the culprit is seldom the tensor that found no room. */
function Holders({ failure }: { failure: Failure }) {
  const held = failure.held_bytes_per_bank ?? 0;
  const holders = failure.holders ?? [];
  if (holders.length === 0 || held <= 0) return null;
  return (
    <>
      <dt>Held then, per bank</dt>
      <dd>
        <div class="holders" role="img" aria-label="Who held the memory">
          {holders.filter((one) => one.bytes_per_bank > 0).map((one) => (
            <i key={one.kind} class={`kind-${HOLDERS[one.kind]?.[1] ?? "unknown"}`} style={{ width: `${(100 * one.bytes_per_bank) / held}%` }} />
          ))}
        </div>
        <ul class="holder-list">
          {holders.map((one) => (
            <li key={one.kind}>
              <i class={`kind-swatch kind-${HOLDERS[one.kind]?.[1] ?? "unknown"}`} /> <b>{bytes(one.bytes_per_bank)}</b> {HOLDERS[one.kind]?.[0] ?? visible(one.kind)}{" "}
              <span class="muted">{percent(one.bytes_per_bank / held)}{one.tensors > 0 ? `, ${plural(one.tensors, "tensor")}` : ""}</span>
            </li>
          ))}
        </ul>
      </dd>
    </>
  );
}

function idleWords(one: IdleTensor): string {
  const used = one.last_used_line === null ? "" : `last used or made at line ${count(one.last_used_line)}, ${plural(one.idle_ops, "op")} before`;
  const proof = one.proof === "program_ended" ? "its program had ended" : one.freed_line === null ? "" : `${one.proof === "module" ? "the compiled program" : "another run"} frees it at line ${count(one.freed_line)}`;
  return [used, proof].filter(Boolean).join("; ");
}

const FEW_IDLE = 10;

function FreedLate({ failure }: { failure: Failure }) {
  const late = failure.freed_late;
  if (!late) return null;
  return (
    <>
      <dt>Freed late</dt>
      <dd>
        <details>
          <summary><b>{bytes(late.bytes_per_bank)}</b> in {plural(late.tensor_count, "tensor")} that nothing used any more</summary>
          <ul class="holder-list">
            {late.tensors.slice(0, FEW_IDLE).map((one, index) => (
              <li key={index}>
                <b>{bytes(one.bytes_per_bank)}</b> {visible(one.name)} <span class="muted">{one.shape.join("×")} {visible(one.dtype)}; {idleWords(one)}</span>
              </li>
            ))}
          </ul>
          {late.tensor_count > FEW_IDLE ? <small class="muted">and {count(late.tensor_count - FEW_IDLE)} more</small> : null}
        </details>
      </dd>
    </>
  );
}

/** Figures of the bank, where the failure is one of an allocation. */
function BankFacts({ failure }: { failure: Failure }) {
  if (failure.bytes_per_bank === null && failure.free_bytes_per_bank === null) return null;
  return (
    <>
      <dt>Free, per bank</dt>
      <dd>{known(failure.free_bytes_per_bank)}{failure.largest_free_bytes_per_bank === null ? "" : `, largest block ${bytes(failure.largest_free_bytes_per_bank)}`}</dd>
      <dt>Allocated, per bank</dt>
      <dd>{known(failure.allocated_bytes_per_bank)}{failure.bank_size_bytes === null ? "" : ` of ${bytes(failure.bank_size_bytes)}`}</dd>
    </>
  );
}

function FailureCard({ failure, rank }: { failure: Failure; rank: RankData }) {
  return (
    <div class="failure">
      <h4>
        {failure.text ? visible(failure.text) : `Out of ${visible(failure.memory ?? "memory")}: ${DIAGNOSES[failure.diagnosis] ?? visible(failure.diagnosis)}`} <Tag of="measured" />
      </h4>
      <dl class="facts">
        <dt>Asked for</dt>
        <dd>{failure.what ? visible(failure.what) : known(failure.bytes_per_bank)}</dd>
        {failure.candidates?.length ? <><dt>Tensor</dt><dd>{visible(failure.candidates[0].text)}</dd></> : null}
        <BankFacts failure={failure} />
        <dt>During</dt>
        <dd>
          {failure.op ? (
            <OpLink rank={rank} op={failure.op_index}>
              {visible(failure.op)}
            </OpLink>
          ) : rank.ops > 0 ? (
            "a transfer of inputs"
          ) : (
            "an op that the text does not name"
          )}
          {failure.loc ? ` at ${visible(failure.loc)}` : ""} (message in line {count(failure.message_line)})
        </dd>
        <Holders failure={failure} />
        <FreedLate failure={failure} />
        {failure.grew ? <><dt>Grew from run to run</dt><dd>{visible(failure.grew.text)}</dd></> : null}
      </dl>
    </div>
  );
}

/** The tensors that the saving is made of. */
function evidenceOf(fix: Fix): string {
  return (fix.evidence?.largest ?? []).map((tensor) => `${visible(tensor.name)}: ${bytes(tensor.bytes_per_bank)} per bank`).join("\n");
}

/** Figures of the message, not of a replay. */
const FROM_MESSAGE = new Set(["hold_less", "smaller_tensor", "smaller_program", "less_on_host", "smaller_circular_buffers", "larger_region"]);

/** Of a document that names the fixes: the largest saving first, and whether one is enough. */
function Fixes({ fixes }: { fixes: Fix[] }) {
  const [first, rest] = [fixes.slice(0, FEW_FIXES), fixes.slice(FEW_FIXES)];
  const item = (fix: Fix, index: number) => (
    <li key={index}>
      {fix.saves_bytes_per_bank > 0 ? <b>{bytes(fix.saves_bytes_per_bank)} per bank</b> : null} <span title={evidenceOf(fix)}>{visible(fix.what)}</span>{" "}
      {fix.enough === true ? <span class="badge">enough</span> : null} <Tag of={FROM_MESSAGE.has(fix.kind ?? "") ? "derived" : "modelled"} />
      {fix.effect ? <small class="muted fix-effect">{visible(fix.effect)}</small> : null}
    </li>
  );
  return (
    <div class="fixes">
      <h3>What to do <small>largest saving of the peak first</small></h3>
      <ol class="advice" id="fixes">{first.map(item)}</ol>
      {rest.length > 0 ? (
        <details>
          <summary>{count(rest.length)} more</summary>
          <ol class="advice" start={FEW_FIXES + 1}>{rest.map((fix, index) => item(fix, index + FEW_FIXES))}</ol>
        </details>
      ) : null}
    </div>
  );
}

const FEW_FIXES = 3;
const FEW_FAILURES = 2;

function Failures({ failures, rank }: { failures: Failure[]; rank: RankData }) {
  const distinct = failures.filter((failure) => failure.repeats === null || failure.repeats === undefined);
  const card = (failure: Failure, index: number) => <FailureCard key={index} failure={failure} rank={rank} />;
  const rest = distinct.slice(FEW_FAILURES);
  return (
    <>
      {distinct.slice(0, FEW_FAILURES).map(card)}
      {rest.length > 0 ? (
        <details>
          <summary>{count(rest.length)} more failures</summary>
          {rest.map(card)}
        </details>
      ) : null}
    </>
  );
}

/** Share of the capacity at the peak, where both are known. */
function peakWords({ page, rank }: PanelProps): string {
  const { peaks, capacity } = page.header.ranks[rank.index];
  const peak = peaks.DRAM?.bytes_per_bank ?? 0;
  const size = capacity.DRAM ?? 0;
  if (peak <= 0) return "";
  return size > 0 ? `DRAM peak ${bytes(peak)} per bank, ${percent(peak / size)}` : `DRAM peak ${bytes(peak)} per bank`;
}

export function VerdictPanel({ page, rank }: PanelProps) {
  const doc = memDoc(page);
  const told = doc.verdict ? badgesOf(doc.verdict) : [];
  const badges = told.length > 0 ? told : [answerOf(doc)];
  const trust = doc.verdict?.trust;
  const findings = (doc.verdict?.findings ?? []).map(({ severity, text }) => ({ level: severity, text }));
  // A failure tells its cause in a finding of its own.
  const failed = (doc.failures?.length ?? 0) > 0 && doc.verdict?.outcome === "out_of_memory";
  // So does a crash; whether it fits is told by no finding.
  const untold = doc.verdict?.outcome === "crashed" ? badges.slice(1) : badges;
  const whys = failed ? [] : untold.filter((badge) => badge.why !== "").map((badge) => ({ level: badge.level, text: badge.why }));
  const peak = peakWords({ page, rank });
  return (
    <div class="verdict-panel">
      <div class="verdict">
        <div class="verdict-badges">
          {badges.map((badge) => <VerdictBadge key={badge.words} level={badge.level} words={badge.words} />)}
          <p class="muted">
            {peak} {trust ? <span title={doc.verdict?.trust_detail?.text ?? CONFIDENCE_HINTS[trust]}><Tag of={trust} /></span> : null}
          </p>
        </div>
        <Findings findings={[...whys, ...findings]} />
      </div>
      <div class="verdict-columns">
        {doc.failures && doc.failures.length > 0 ? <div><Failures failures={doc.failures} rank={rank} /></div> : null}
        {doc.fixes && doc.fixes.length > 0 ? <Fixes fixes={doc.fixes} /> : null}
      </div>
    </div>
  );
}

// Two reports are chosen and their difference is asked for; it becomes a report of its own.
import { visible } from "kit/format";
import { notify } from "kit/notice";
import type { Column } from "kit/table/table";
import { useState } from "preact/hooks";
import { addressOf } from "./library";
import type { Report } from "./library";
import { compare } from "./server";

/** Names are made fit for folders: what is left of them tells. */
export const plainName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");

/** The older one is the run before. At most two: a third one takes the place of the one that was chosen first. */
export function chosenWith(chosen: string[], id: string): string[] {
  return chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(-2);
}

/** The report that a comparison became; undefined: it is not there yet. */
export function comparisonOf(reports: Report[], before: Report, after: Report): Report | undefined {
  const name = plainName(`${before.name} to ${after.name}`);
  const newest = Math.max(before.time_s, after.time_s);
  return reports.find((report) => plainName(report.name) === name && report.time_s >= newest);
}

/** A box for each report that can be compared. */
export function compareColumn(chosen: string[], onChoose: (id: string) => void): Column<Report> {
  return {
    id: "compare",
    title: "",
    unsorted: true,
    class: "compare",
    text: () => "",
    cell: (report) => (
      <input
        type="checkbox"
        checked={chosen.includes(report.id)}
        disabled={!report.comparable}
        aria-label={`Compare ${visible(report.name)}`}
        title={report.comparable ? "Compare with another report" : "Neither its log nor its JSON files are here: `ttscope diff A B --html FILE` compares the inputs"}
        onChange={() => onChoose(report.id)}
      />
    ),
  };
}

export function CompareBar({ reports, chosen, onClear }: { reports: Report[]; chosen: string[]; onClear: () => void }) {
  const [asked, setAsked] = useState("");
  const [error, setError] = useState("");
  const pair = chosen.map((id) => reports.find((report) => report.id === id)).filter((report) => report !== undefined);
  if (pair.length === 0) return null;
  const [before, after] = [...pair].sort((a, b) => a.time_s - b.time_s);
  if (!after) return <p class="compare-bar" role="status">Choose another report to compare {visible(before.name)} with.</p>;
  const key = `${before.id} ${after.id}`;
  const done = comparisonOf(reports, before, after);
  const ask = () => {
    setError("");
    setAsked(key);
    compare(before.id, after.id).then(
      () => notify("The reports are being compared"),
      (problem: Error) => {
        setAsked("");
        setError(problem.message);
      },
    );
  };
  return (
    <p class="compare-bar" role="status">
      <b>{visible(before.name)}</b> → <b>{visible(after.name)}</b>{" "}
      {done ? <a id="difference" href={addressOf(done)}>Open the difference</a> : null}
      {!done && asked === key ? "being compared…" : null}
      {!done && asked !== key ? <button type="button" id="compare" onClick={ask}>Compare</button> : null}{" "}
      <button type="button" onClick={onClear}>Clear</button>
      {error ? <span class="compare-error"> {visible(error)}</span> : null}
    </p>
  );
}

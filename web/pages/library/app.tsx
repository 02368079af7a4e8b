// The page: a searchable table of reports, the logs that are being profiled, and a place to drop new ones.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { bytes, count, percent, plural, visible, visibleLines } from "kit/format";
import { Section } from "kit/sections";
import { Shell } from "kit/shell";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { addressOf, curvePath, dateText, fitText, hasFailed, matches, outcomeText, share } from "./library";
import type { Job, Library, Peak, Report } from "./library";
import { upload, watchLibrary } from "./server";
import { chosenWith, CompareBar, compareColumn } from "./compare";
import { History } from "./history_view";
import { useDrop } from "./drop";

const CURVE = { width: 132, height: 34 };
const NEARLY_FULL = 0.9;

function Thumbnail({ report }: { report: Report }) {
  const path = curvePath(report.curve_permille_of_peak, CURVE.width, CURVE.height);
  if (path === "") return <span class="muted">no curve</span>;
  return (
    <svg class="curve" viewBox={`0 0 ${CURVE.width} ${CURVE.height}`} width={CURVE.width} height={CURVE.height} role="img" aria-label="DRAM over the run">
      <path d={path} />
    </svg>
  );
}

const peakText = (peak: Peak | null) => (peak ? bytes(peak.peak_bytes_per_bank) : "not known");

function PeakCell({ peak }: { peak: Peak | null }) {
  if (!peak) return <span class="muted">not known</span>;
  const used = share(peak);
  return (
    <>
      {peakText(peak)}
      {used !== null ? (
        <span class={used >= NEARLY_FULL ? "used used-high" : "used"} title={`of ${bytes(peak.capacity_bytes_per_bank)} per bank, ${peak.banks} banks`}>
          {percent(used)}
        </span>
      ) : null}
    </>
  );
}

function NameCell({ report }: { report: Report }) {
  const at = addressOf(report);
  const name = visible(report.name);
  return (
    <>
      {report.has_page ? <a href={at}>{name}</a> : <b title="This report has no page">{name}</b>}
      {report.folder && report.folder !== report.name ? <div class="muted folder">{visible(report.folder)}</div> : null}
      <details>
        <summary>{plural(report.files.length, "file")}</summary>
        <ul>
          {report.files.map((file) => (
            <li key={file.name}>
              <a href={at + encodeURIComponent(file.name)} download={file.name}>{visible(file.name)}</a> <span class="muted">{bytes(file.size_bytes)}</span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

function OutcomeCell({ report }: { report: Report }) {
  if (!report.outcome) return <span class="muted">not known</span>;
  const bad = hasFailed(report) || report.fit === "no";
  return (
    <>
      <span class={bad ? "outcome-bad" : undefined}>{visible(outcomeText(report))}</span>
      <span class="used">{fitText(report)}</span>
    </>
  );
}

function peakColumn(id: string, title: string, of: (report: Report) => Peak | null): Column<Report> {
  // What is not known lies below every figure.
  return { id, title, unit: "per bank", numeric: true, class: id, text: (report) => peakText(of(report)), value: (report) => of(report)?.peak_bytes_per_bank ?? -1, cell: (report) => <PeakCell peak={of(report)} /> };
}

export const COLUMNS: Column<Report>[] = [
  { id: "name", title: "Report", class: "name", text: (report) => visible(report.name), cell: (report) => <NameCell report={report} /> },
  { id: "outcome", title: "Outcome", class: "outcome", text: (report) => `${visible(outcomeText(report))} ${fitText(report)}`.trim(), cell: (report) => <OutcomeCell report={report} /> },
  { id: "curve", title: "DRAM over the run", class: "picture", unsorted: true, text: () => "", cell: (report) => <Thumbnail report={report} /> },
  peakColumn("peak", "DRAM peak", (report) => report.dram),
  peakColumn("l1", "L1 peak", (report) => report.l1),
  { id: "ops", title: "Ops", class: "ops", numeric: true, text: (report) => (report.ops === null ? "not known" : count(report.ops)), value: (report) => report.ops ?? -1 },
  { id: "size", title: "Size", class: "size", numeric: true, text: (report) => bytes(report.size_bytes), value: (report) => report.size_bytes },
  { id: "time", title: "Date", class: "date", largestFirst: true, text: (report) => dateText(report.time_s), value: (report) => report.time_s },
];

/** Newest first is what people look for. */
export const USUAL_ORDER = { column: "time", descending: true };

interface Sending {
  key: number;
  name: string;
  share: number;
  error: string | null;
}

const JOB_TEXT = { waiting: "waiting", running: "being profiled", done: "profiled", failed: "could not be profiled" };

/** Failed jobs that the user has seen, also after a reload; the address has the token of the server that counts them. */
function useDismissed(): [ReadonlySet<number>, (id: number) => void] {
  const key = `dismissed ${location.pathname}`;
  const [dismissed, setDismissed] = useState<ReadonlySet<number>>(() => new Set((sessionStorage.getItem(key) ?? "").split(" ").map(Number)));
  const dismiss = (id: number) => {
    const next = new Set([...dismissed, id]);
    sessionStorage.setItem(key, [...next].join(" "));
    setDismissed(next);
  };
  return [dismissed, dismiss];
}

function Work({ jobs, sending, onForget }: { jobs: Job[]; sending: Sending[]; onForget: (key: number) => void }) {
  const [dismissed, dismiss] = useDismissed();
  const open = jobs.filter((job) => job.state !== "done" && !dismissed.has(job.id));
  if (open.length === 0 && sending.length === 0) return null;
  return (
    <Section id="work" title="Logs at work">
      <ul class="work" role="status">
        {sending.map((one) => (
          <li key={`s${one.key}`} class={one.error ? "work-failed" : undefined}>
            <b>{visible(one.name)}</b> {one.error ? <>was not taken: {visible(one.error)} <button type="button" onClick={() => onForget(one.key)}>Dismiss</button></> : <>{percent(one.share, 0)} sent <progress value={one.share} /></>}
          </li>
        ))}
        {open.map((job) => (
          <li key={job.id} class={job.state === "failed" ? "work-failed" : undefined} data-job={job.state}>
            <b>{visible(job.name)}</b> {JOB_TEXT[job.state]}{" "}
            {job.state === "failed" ? <button type="button" onClick={() => dismiss(job.id)}>Dismiss</button> : null}
            {job.message ? <pre>{visibleLines(job.message)}</pre> : null}
          </li>
        ))}
      </ul>
    </Section>
  );
}

let nextKey = 1;

/** Uploads one file after the other, so that a slow line shows one moving bar. */
function useUploads(limit: number) {
  const [sending, setSending] = useState<Sending[]>([]);
  const queue = useRef(Promise.resolve());
  const change = (key: number, part: Partial<Sending>) => setSending((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)));
  const forget = (key: number) => setSending((all) => all.filter((one) => one.key !== key));
  const add = (files: File[]) => {
    for (const file of files) {
      const key = nextKey++;
      const tooLarge = file.size > limit ? `it has ${bytes(file.size)}, at most ${bytes(limit)} are taken` : null;
      setSending((all) => [...all, { key, name: file.name, share: 0, error: file.size === 0 ? "it is empty" : tooLarge }]);
      if (tooLarge !== null || file.size === 0) continue;
      queue.current = queue.current
        .then(() => upload(file, (sent) => change(key, { share: sent })))
        .then(() => forget(key), (error: Error) => change(key, { error: error.message }));
    }
  };
  return { sending, add, forget };
}

/** The library as the server has it, and the ids that have come while the page was open. */
function useLibrary() {
  const [library, setLibrary] = useState<Library | null>(null);
  const [lost, setLost] = useState(false);
  const known = useRef<Set<string> | null>(null);
  const [fresh, setFresh] = useState<Set<string>>(new Set());
  useEffect(
    () =>
      watchLibrary({
        onLibrary: (next) => {
          const before = known.current;
          const ids = next.reports.map((report) => report.id);
          if (before) setFresh((now) => new Set([...now, ...ids.filter((id) => !before.has(id))]));
          known.current = new Set([...(before ?? []), ...ids]);
          setLost(false);
          setLibrary(next);
        },
        onLost: () => setLost(true),
      }),
    [],
  );
  return { library, lost, fresh };
}

function Chooser({ onFiles }: { onFiles: (files: File[]) => void }) {
  return (
    <label class="choose">
      Add a log…
      <input
        type="file"
        multiple
        onChange={(event) => {
          const input = event.currentTarget;
          onFiles([...(input.files ?? [])]);
          input.value = "";
        }}
      />
    </label>
  );
}

function Empty({ library, query }: { library: Library; query: string }) {
  if (library.reports.length > 0) return <p class="absent">No report has “{visible(query)}” in its name.</p>;
  return (
    <p class="absent">
      No reports yet. {library.upload_limit_bytes > 0 ? "Drop a runtime log onto this page, or run " : "Run "}
      <code>ttmem LOG</code> on the machine that serves it.
    </p>
  );
}

export function App() {
  const { library, lost, fresh } = useLibrary();
  const [query, setQuery] = useState("");
  const limit = library?.upload_limit_bytes ?? 0;
  const { sending, add, forget } = useUploads(limit);
  const over = useDrop(limit > 0 ? add : null);
  const search = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<string[]>([]);
  const reports = useMemo(() => library?.reports.filter((report) => matches(report, query)) ?? [], [library, query]);
  const tools = (
    <>
      <input ref={search} type="search" placeholder="Search ( / )" aria-label="Search reports" value={query} onInput={(event) => setQuery(event.currentTarget.value)} />
      {limit > 0 ? <Chooser onFiles={add} /> : null}
    </>
  );
  return (
    <Shell
      name={library ? plural(library.reports.length, "report") : "reports"}
      tools={tools}
      sections={[]}
      keys={{ "/": () => search.current?.focus() }}
      help={[{ keys: ["/"], what: "search reports" }]}
      note="Files that are dropped onto the page are profiled."
      version={library?.tool_version ?? ""}
      foot="bytes are per bank · this page talks to its own server only"
    >
      {lost ? <p class="error" role="alert">The server does not answer. It may have been stopped; this page asks again every two seconds.</p> : null}
      <Work jobs={library?.jobs ?? []} sending={sending} onForget={forget} />
      <Section id="reports" title="Reports" hint={library ? "a name opens the report" : ""}>
        {library === null ? <div class="waiting" role="status">{lost ? "" : "Reading the library…"}</div> : null}
        {library ? <CompareBar reports={library.reports} chosen={chosen} onClear={() => setChosen([])} /> : null}
        {library && reports.length === 0 ? <Empty library={library} query={query} /> : null}
        {reports.length > 0 ? (
          <Table
            id="library"
            label="Reports"
            columns={library?.can_compare ? [compareColumn(chosen, (id) => setChosen((now) => chosenWith(now, id))), ...COLUMNS] : COLUMNS}
            records={reports}
            first={500}
            order={USUAL_ORDER}
            keyOf={(report) => report.id}
            rowProps={(report) => ({ "data-id": report.id, class: fresh.has(report.id) ? "is-new" : undefined })}
          />
        ) : null}
      </Section>
      <History reports={reports} />
      {over ? <div class="drop-here" aria-hidden="true"><b>Drop logs to profile them</b></div> : null}
    </Shell>
  );
}

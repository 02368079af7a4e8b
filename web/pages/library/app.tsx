// The page: a searchable table of reports, the logs that are being profiled, and a place to drop new ones.
import { useEffect, useRef, useState } from "preact/hooks";
import { bytes, count, percent, plural, visible } from "kit/format";
import { PageHead } from "kit/page_head";
import { curvePath, dateText, nextOrder, share, shown, USUAL_ORDER } from "./library";
import type { Job, Library, Order, Peak, Report, SortKey } from "./library";
import { upload, watchLibrary } from "./server";
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

function PeakCell({ peak }: { peak: Peak | null }) {
  if (!peak) return <span class="muted">not known</span>;
  const used = share(peak);
  return (
    <>
      {bytes(peak.peak_bytes_per_bank)}
      {used !== null ? (
        <span class={used >= NEARLY_FULL ? "used used-high" : "used"} title={`of ${bytes(peak.capacity_bytes_per_bank)} per bank, ${peak.banks} banks`}>
          {percent(used)}
        </span>
      ) : null}
    </>
  );
}

function Row({ report, isNew }: { report: Report; isNew: boolean }) {
  const at = `reports/${encodeURIComponent(report.id)}/`;
  const name = visible(report.name);
  return (
    <tr data-id={report.id} class={isNew ? "is-new" : undefined}>
      <td class="name">
        {report.has_page ? <a href={at}>{name}</a> : <span title="This report has no page">{name}</span>}
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
      </td>
      <td class="picture"><Thumbnail report={report} /></td>
      <td class="figure"><PeakCell peak={report.dram} /></td>
      <td class="figure"><PeakCell peak={report.l1} /></td>
      <td class="figure">{report.ops === null ? <span class="muted">not known</span> : count(report.ops)}</td>
      <td class="figure">{bytes(report.size_bytes)}</td>
      <td class="date">{dateText(report.time_s)}</td>
    </tr>
  );
}

const COLUMNS: { key: SortKey | null; label: string }[] = [
  { key: "name", label: "Report" },
  { key: null, label: "DRAM over the run" },
  { key: "peak", label: "DRAM peak per bank" },
  { key: "l1", label: "L1 peak per bank" },
  { key: "ops", label: "Ops" },
  { key: "size", label: "Size" },
  { key: "time", label: "Date" },
];

function Head({ order, onOrder }: { order: Order; onOrder: (order: Order) => void }) {
  return (
    <tr>
      {COLUMNS.map(({ key, label }) => {
        if (key === null) return <th key={label} scope="col">{label}</th>;
        const sorted = order.key === key ? (order.descending ? "descending" : "ascending") : "none";
        return (
          <th key={label} scope="col" aria-sort={sorted}>
            <button type="button" onClick={() => onOrder(nextOrder(order, key))}>
              {label} <span aria-hidden="true">{sorted === "none" ? "" : order.descending ? "▾" : "▴"}</span>
            </button>
          </th>
        );
      })}
    </tr>
  );
}

interface Sending {
  key: number;
  name: string;
  share: number;
  error: string | null;
}

const JOB_TEXT = { waiting: "waiting", running: "being profiled", done: "profiled", failed: "could not be profiled" };

function Work({ jobs, sending, onForget }: { jobs: Job[]; sending: Sending[]; onForget: (key: number) => void }) {
  const open = jobs.filter((job) => job.state !== "done");
  if (open.length === 0 && sending.length === 0) return null;
  return (
    <section class="section" id="work" aria-label="Logs at work">
      <ul class="work" role="status">
        {sending.map((one) => (
          <li key={`s${one.key}`} class={one.error ? "work-failed" : undefined}>
            <b>{visible(one.name)}</b> {one.error ? <>was not taken: {visible(one.error)} <button type="button" onClick={() => onForget(one.key)}>Dismiss</button></> : <>{percent(one.share, 0)} sent <progress value={one.share} /></>}
          </li>
        ))}
        {open.map((job) => (
          <li key={job.id} class={job.state === "failed" ? "work-failed" : undefined} data-job={job.state}>
            <b>{visible(job.name)}</b> {JOB_TEXT[job.state]}
            {job.message ? <pre>{visible(job.message).replaceAll("\\n", "\n")}</pre> : null}
          </li>
        ))}
      </ul>
    </section>
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
  const [order, setOrder] = useState(USUAL_ORDER);
  const limit = library?.upload_limit_bytes ?? 0;
  const { sending, add, forget } = useUploads(limit);
  const over = useDrop(limit > 0 ? add : null);
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      search.current?.focus();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  const reports = library ? shown(library.reports, query, order) : [];
  return (
    <>
      <PageHead name={library ? plural(library.reports.length, "report") : "reports"}>
        <input ref={search} type="search" class="search" placeholder="Search (/)" aria-label="Search reports" value={query} onInput={(event) => setQuery(event.currentTarget.value)} />
        {limit > 0 ? <Chooser onFiles={add} /> : null}
      </PageHead>
      <main>
        {lost ? <p class="error" role="alert">The server does not answer. It may have been stopped; this page asks again every two seconds.</p> : null}
        <Work jobs={library?.jobs ?? []} sending={sending} onForget={forget} />
        <section class="section" aria-label="Reports">
          {library === null ? <div class="waiting" role="status">{lost ? "" : "Reading the library…"}</div> : null}
          {library && reports.length === 0 ? <Empty library={library} query={query} /> : null}
          {reports.length > 0 ? (
            <div class="table-scroll">
              <table id="library">
                <thead><Head order={order} onOrder={setOrder} /></thead>
                <tbody>{reports.map((report) => <Row key={report.id} report={report} isNew={fresh.has(report.id)} />)}</tbody>
              </table>
            </div>
          ) : null}
        </section>
        <footer class="foot">ttscope {library ? visible(library.tool_version) : ""} · bytes are per bank · this page talks to its own server only</footer>
      </main>
      {over ? <div class="drop-here" aria-hidden="true"><b>Drop logs to profile them</b></div> : null}
    </>
  );
}

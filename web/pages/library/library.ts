// The document of the server (docs/serve_api.md) and what the list makes of it.

export interface Peak {
  peak_bytes_per_bank: number;
  capacity_bytes_per_bank: number;
  banks: number;
}

export interface ReportFile {
  name: string;
  size_bytes: number;
}

export interface Report {
  id: string;
  name: string;
  folder: string;
  time_s: number;
  size_bytes: number;
  has_page: boolean;
  /** As in the verdict of ttscope.mem/1. */
  outcome: string | null;
  fit: string | null;
  ops: number | null;
  dram: Peak | null;
  l1: Peak | null;
  /** Of a report of device time. */
  wall_us: number | null;
  /** Whether it can be compared with another one. */
  comparable: boolean;
  curve_permille_of_peak: number[];
  files: ReportFile[];
}

export interface Job {
  id: number;
  name: string;
  state: "waiting" | "running" | "done" | "failed";
  message: string;
}

export interface Library {
  schema: string;
  tool_version: string;
  version: number;
  upload_limit_bytes: number;
  can_compare: boolean;
  reports: Report[];
  jobs: Job[];
}

export const addressOf = (report: Report) => `reports/${encodeURIComponent(report.id)}/`;

/** Share of the bank that the peak takes; null where one of both is not known. */
export function share(peak: Peak | null): number | null {
  return peak && peak.capacity_bytes_per_bank > 0 ? peak.peak_bytes_per_bank / peak.capacity_bytes_per_bank : null;
}

/** `out_of_memory`: "out of memory". */
export const outcomeText = (report: Report) => report.outcome?.replaceAll("_", " ") ?? "not known";

const FIT_TEXT: Record<string, string> = { yes: "fits", no: "does not fit", unknown: "fit unknown" };
export const fitText = (report: Report) => FIT_TEXT[report.fit ?? ""] ?? "";

/** An allocation failed, or the program died. */
export const hasFailed = (report: Report) => report.outcome === "out_of_memory" || report.outcome === "crashed";

/** Every word must be in the name, the folder or the outcome; neither case nor order of the words matters. */
export function matches(report: Report, query: string): boolean {
  const text = `${report.name} ${report.folder} ${report.id} ${outcomeText(report)}`.toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** Outline of the area under a curve, in a box of the given size. */
export function curvePath(permille: number[], width: number, height: number): string {
  if (permille.length === 0) return "";
  const step = width / permille.length;
  const steps = permille.map((value, index) => {
    const y = (height - (Math.min(Math.max(value, 0), 1000) / 1000) * height).toFixed(1);
    return `${index === 0 ? "" : `L${(index * step).toFixed(1)} ${y}`}L${((index + 1) * step).toFixed(1)} ${y}`;
  });
  const first = (height - (Math.min(Math.max(permille[0], 0), 1000) / 1000) * height).toFixed(1);
  return `M0 ${height}L0 ${first}${steps.join("")}L${width} ${height}Z`;
}

const two = (value: number) => String(value).padStart(2, "0");

/** Local time: 2026-11-16 09:05. */
export function dateText(seconds: number): string {
  const date = new Date(seconds * 1000);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

import { describe, expect, it } from "vitest";
import { nextOrder, ordered } from "kit/table/order";
import { COLUMNS, USUAL_ORDER } from "../pages/library/app";
import { viewOf } from "../pages/frame/view";
import { curvePath, dateText, fitText, hasFailed, matches, outcomeText, share } from "../pages/library/library";
import type { Report } from "../pages/library/library";

function report(id: string, part: Partial<Report> = {}): Report {
  const dram = { peak_bytes_per_bank: 50, capacity_bytes_per_bank: 100, banks: 12 };
  return { id, name: id, folder: id, time_s: 0, size_bytes: 0, has_page: true, outcome: "finished", fit: "yes", ops: 1, dram, l1: null, wall_us: null, comparable: true, curve_permille_of_peak: [], files: [], ...part };
}

const columnOf = (id: string) => COLUMNS.find((one) => one.id === id) ?? COLUMNS[0];

function shown(reports: Report[], { column, descending }: { column: string; descending: boolean }): Report[] {
  return ordered(reports, columnOf(column).value ?? columnOf(column).text, descending);
}

const ids = (reports: Report[]) => reports.map((one) => one.id).join();

describe("the list of reports", () => {
  const all = [report("new", { time_s: 9 }), report("run 10", { time_s: 5, size_bytes: 7 }), report("Run 9", { time_s: 1, dram: null, ops: null })];

  it("shows the newest first until told otherwise", () => {
    expect(ids(shown([...all].reverse(), USUAL_ORDER))).toBe("new,run 10,Run 9");
    expect(ids(shown(all, { column: "name", descending: false }))).toBe("new,Run 9,run 10");
    expect(ids(shown(all, { column: "size", descending: true }))).toBe("run 10,new,Run 9");
  });

  it("puts what is not known below every figure", () => {
    expect(shown(all, { column: "peak", descending: true }).at(-1)?.id).toBe("Run 9");
    expect(shown(all, { column: "ops", descending: false })[0].id).toBe("Run 9");
  });

  it("says how each ended and whether it fits", () => {
    const died = report("a", { outcome: "out_of_memory", fit: "no" });
    expect([outcomeText(died), fitText(died), hasFailed(died)]).toEqual(["out of memory", "does not fit", true]);
    const old = report("b", { outcome: null, fit: null });
    expect([outcomeText(old), fitText(old), hasFailed(old)]).toEqual(["not known", "", false]);
    expect(matches(died, "out of memory")).toBe(true);
  });

  it("takes from a report in its frame the text of a fragment, and nothing else", () => {
    expect(viewOf({ ttscopeView: "op=3&at=ops" })).toBe("op=3&at=ops");
    for (const message of [null, "op=3", 7, {}, { ttscopeView: 7 }, { ttscopeView: "x".repeat(8193) }]) expect(viewOf(message)).toBe(null);
  });

  it("finds words in any order and case", () => {
    expect(matches(report("Bert-Large", { folder: "2026" }), "2026 bert")).toBe(true);
    expect(matches(report("bert"), "bert x")).toBe(false);
    expect(matches(report("bert"), "")).toBe(true);
  });

  it("turns a column round on the second click", () => {
    const click = (order: typeof USUAL_ORDER, id: string) => nextOrder(order, { ...columnOf(id), id }, columnOf(id).largestFirst);
    const first = click(USUAL_ORDER, "peak");
    expect(first).toEqual({ column: "peak", descending: true });
    expect(click(first, "peak")).toEqual({ column: "peak", descending: false });
    expect(click(first, "name")).toEqual({ column: "name", descending: false });
    expect(click(first, "time")).toEqual(USUAL_ORDER);
  });

  it("knows the share of the bank where both figures are there", () => {
    expect(share(report("a").dram)).toBe(0.5);
    expect(share(null)).toBeNull();
    expect(share({ peak_bytes_per_bank: 5, capacity_bytes_per_bank: 0, banks: 0 })).toBeNull();
  });
});

describe("the small curve", () => {
  it("is a closed outline inside its box, whatever the figures", () => {
    expect(curvePath([], 10, 10)).toBe("");
    expect(curvePath([0, 1000], 10, 10)).toBe("M0 10L0 10.0L5.0 10.0L5.0 0.0L10.0 0.0L10 10Z");
    const numbers = curvePath([-5, 99999, 500], 30, 10).match(/-?[\d.]+/g)?.map(Number) ?? [];
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(30);
  });
});

describe("dates", () => {
  it("have a fixed width", () => {
    expect(dateText(0)).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/);
  });
});

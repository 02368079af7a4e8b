import { NONE } from "kit/data/decode";
import { describe, expect, it } from "vitest";
import { amount, firstBehind, GAP_BIT, fragmentOf, lanesOf, opAt, opsByGapChange, opsOf, signedAmount, stretchOf, viewOf } from "../pages/diff/model";
import type { Document, OpColumns, Report } from "../pages/diff/model";
import { paintScene } from "../pages/diff/paint";

/** Label, kind, cost before and after, gaps, rows, places in the runs, percent, number of the same op in the other report. */
type OpRow = [number, number, number | null, number | null, number, number, number | null, number | null, number | null, number | null, number, number | null];

function columnsOf(rows: OpRow[], labels: string[], removed: number[] = []): OpColumns {
  const u32 = (place: number) => Uint32Array.from(rows, (row) => row[place] ?? NONE);
  const f64 = (place: number, missing: number) => Float64Array.from(rows, (row) => row[place] ?? missing);
  return {
    label: u32(0),
    labels,
    kind: Uint8Array.from(rows, (row) => row[1]),
    change: Uint32Array.from(rows, (_, index) => (removed.includes(index) ? 0 : NONE)),
    before: f64(2, 0),
    after: f64(3, 0),
    gapBefore: f64(4, 0),
    gapAfter: f64(5, 0),
    beforeRow: f64(6, -1),
    afterRow: f64(7, -1),
    beforePlace: u32(8),
    afterPlace: u32(9),
    sure: Uint8Array.from(rows, (row) => row[10]),
    beside: u32(11),
  };
}

/** Two ops that stay, one that goes, one that comes. */
function report(): Report {
  const side = { input: "a", what: "", device: "" };
  return {
    different: true,
    verdict: "",
    cost: "device",
    unit: "us",
    row: "row",
    remark: "",
    left_over_text: "",
    left_over: 0,
    band: 0,
    before: side,
    after: side,
    cautions: [],
    warnings: [],
    totals: [],
    changes: [{ text: "", change: -5, unannounced: false }],
    categories: [],
    movement: [],
    classes: [],
    placements: [],
    layers: [],
    devices: [],
    scale: 1,
    ops: columnsOf(
      [
        [0, 0, 10, 10, 0, 0, 2, 2, 0, 0, 100, null],
        [1, 4, 5, null, 1, 0, 3, null, 1, null, 100, null],
        [0, 3, null, 8, 0, 2, null, 3, null, 1, 100, null],
        [2, 1 + GAP_BIT, 20, 22, 0, 0.1, 4, 4, 2, 2, 90, 7],
      ],
      ["Matmul", "Unary", "Softmax"],
      [1],
    ),
  };
}

const document = (): Document => ({ tool: { version: "" }, reports: [report()] });

describe("the axis of two runs", () => {
  it("puts ops behind each other with their gaps", () => {
    const { before, after, end } = lanesOf(report());
    expect([...before.ops]).toEqual([0, 1, 3]);
    expect([...before.begins]).toEqual([0, 11, 16]);
    expect(before.end).toBe(36);
    expect([...after.begins]).toEqual([0, 12, 20.1]);
    expect(after.end).toBeCloseTo(42.1);
    expect(end).toBeCloseTo(42.1);
    expect(before.places[2]).toBe(-1);
  });

  it("finds the op at a place", () => {
    const { before } = lanesOf(report());
    expect(firstBehind(before, 10)).toBe(1);
    expect(opAt(before, 12, 0)).toBe(1);
    expect(opAt(before, 10.5, 0)).toBe(-1);
    expect(opAt(before, 100, 0)).toBe(-1);
  });

  it("knows which change an op is part of, and where that is", () => {
    expect(opsOf(report()).map((op) => op.change)).toEqual([-1, 0, -1, -1]);
    const stretch = stretchOf(lanesOf(report()), [1]);
    expect(stretch?.[0]).toBeLessThan(11);
    expect(stretch?.[1]).toBeGreaterThan(16);
    expect(stretchOf(lanesOf(report()), [])).toBeNull();
  });
});

describe("the picture of long runs", () => {
  it("paints ops of one pixel that look alike once", () => {
    const rows = Array.from({ length: 50_000 }, (_, index): OpRow => [0, 1, 1, 1.5, 0, 0, index, index, index, index, 100, null]);
    const long = { ...report(), ops: columnsOf(rows, ["Matmul"]) };
    let fills = 0;
    const ctx = new Proxy({} as CanvasRenderingContext2D, {
      get: (_, name) => (name === "measureText" ? () => ({ width: 10 }) : () => (name === "fill" || name === "fillRect" ? ++fills : 0)),
      set: () => true,
    });
    const surface = { ctx, palette: { of: () => "red" }, width: 500, height: 236 } as unknown as Parameters<typeof paintScene>[0];
    const lanes = lanesOf(long);
    paintScene(surface, { ops: opsOf(long), lanes, unit: "us", from: 0, to: lanes.end, change: -1 });
    expect(fills).toBeGreaterThan(500);
    expect(fills).toBeLessThan(4000);
  });
});

describe("gaps and the other subject", () => {
  it("lists gaps that are others and those of single ops, largest first", () => {
    expect(opsByGapChange(opsOf(report())).map((op) => [op.index, op.gapAfter - op.gapBefore])).toEqual([[2, 2], [1, -1], [3, 0.1]]);
  });

  it("keeps the number of the same op in the other report", () => {
    expect(opsOf(report()).map((op) => op.beside)).toEqual([null, null, null, 7]);
  });
});

describe("amounts and addresses", () => {
  it("are in the unit of the report", () => {
    expect(amount(1500, "us")).toBe("1.50 ms");
    expect(signedAmount(-1500, "us")).toBe("-1.50 ms");
    expect(signedAmount(2048, "bytes")).toBe("+2.0 KB");
    expect(amount(1, "flag")).toBe("yes");
  });

  it("hold what is shown, and take any text", () => {
    const view = { report: 0, change: 0, from: 1, to: 20 };
    expect(viewOf(`#${fragmentOf(view)}`, document())).toEqual(view);
    expect(viewOf("#change=7&from=9&to=2&report=5", document())).toEqual({ report: 0, change: -1, from: 0, to: 0 });
    expect(viewOf("#change=x", document()).change).toBe(-1);
  });
});

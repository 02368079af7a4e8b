import { describe, expect, it } from "vitest";
import { NONE, us } from "../perf/data";
import type { PerfData } from "../perf/data";
import { executionAt, layOut, LONGEST_SHOWN_GAP_US } from "../perf/lanes";
import { COLUMNS, orderRows } from "../perf/table";

/** Two devices of three ops each; the rows of the table are those of the first. */
function sample(): PerfData {
  const count = 6;
  const f64 = (...values: number[]) => Float64Array.from(values);
  return {
    header: {
      name: "sample",
      categories: ["Compute", "TM"],
      colors: ["#111111", "#222222"],
      causes: ["none", "compile"],
      limits: ["unknown", "dram"],
      models: ["none", "shapes"],
      riscs: ["BRISC"],
      signposts: [""],
      cores: [],
      columns: {},
    },
    document: {} as PerfData["document"],
    executions: {
      count,
      device: Uint32Array.of(0, 0, 0, 1, 1, 1),
      kind: Uint32Array.of(0, 1, 0, 0, 1, 0),
      row: Uint32Array.of(0, 1, 2, 0, 1, 2),
      signpost: new Uint32Array(count),
      ns: f64(1000, 2000, 3000, 1000, 2000, 3000),
      gapNs: f64(-1, 500_000_000, 1000, 77000, 2000, -1),
      riscNs: [new Uint32Array(count).fill(NONE)],
      coreNs: [0, 1, 2].map(() => new Uint32Array(count).fill(NONE)),
    },
    rows: {
      count: 3,
      id: Uint32Array.of(2, 3, 4),
      x: Uint32Array.of(0, 1, 2),
      kind: Uint32Array.of(0, 1, 0),
      form: new Uint8Array(3),
      cause: Uint8Array.of(0, 1, 0),
      limit: Uint8Array.of(1, 1, 1),
      model: Uint8Array.of(1, 1, 1),
      idealNs: f64(500, -1, 600),
      deviceNs: f64(1000, 2000, 3000),
      gapNs: f64(-1, 500_000_000, 1000),
      total: f64(100, 200, 300),
      flops: f64(-1, -1, -1),
      tflops: f64(-1, -1, -1),
      dram: f64(-1, -1, -1),
    },
    kinds: {
      label: ["Matmul 1 x 2 x 3", "Tilize"],
      fidelity: ["", ""],
      category: Uint8Array.of(0, 1),
      cores: Uint32Array.of(64, NONE),
      flops: f64(-1, -1),
      bytes: f64(-1, -1),
    },
  };
}

describe("the lanes of the timeline", () => {
  it("start each device at its first op and cut long gaps unless they are wanted", () => {
    const cut = layOut(sample(), false);
    expect(cut.lanes.map((lane) => lane.device)).toEqual([0, 1]);
    expect(cut.start[0]).toBe(0);
    expect(cut.start[1]).toBe(1 + LONGEST_SHOWN_GAP_US);
    expect(cut.start[3]).toBe(0); // the gap before a lane's first op is no part of it
    const whole = layOut(sample(), true);
    expect(whole.start[1]).toBe(1 + 500_000);
    expect(whole.span).toBe(1 + 500_000 + 2 + 1 + 3);
  });

  it("find the op at a time", () => {
    const layout = layOut(sample(), true);
    expect(executionAt(layout, layout.lanes[0], -5)).toBe(0);
    expect(executionAt(layout, layout.lanes[0], 500_001)).toBe(1);
    expect(executionAt(layout, layout.lanes[0], 1e9)).toBe(2);
    expect(executionAt(layout, layout.lanes[1], 0)).toBe(3);
  });
});

describe("the table", () => {
  it("filters by name and sorts by value, not by text", () => {
    const data = sample();
    expect([...orderRows(data, "tili", 0, false)]).toEqual([1]);
    const time = COLUMNS.findIndex((column) => column.name === "Time μs");
    expect([...orderRows(data, "", time, true)]).toEqual([2, 1, 0]);
    expect([...orderRows(data, "", 0, false)]).toEqual([0, 1, 2]);
  });

  it("leaves cells without a figure empty", () => {
    const data = sample();
    const cell = (name: string, row: number) => COLUMNS.find((column) => column.name === name)?.text(data, row);
    expect(cell("Cores", 1)).toBe("");
    expect(cell("At peak %", 1)).toBe("");
    expect(cell("At peak %", 0)).toBe("50.0");
    expect(cell("Cause", 1)).toBe("compile");
    expect(cell("FLOPs %", 0)).toBe("");
  });
});

describe("microseconds", () => {
  it("have as many decimals as are worth showing", () => {
    expect(us(0)).toBe("0.00");
    expect(us(1234567.8)).toBe("1,234,568");
    expect(us(45.67)).toBe("45.7");
    expect(us(-1)).toBe("");
  });
});

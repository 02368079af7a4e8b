import { describe, expect, it } from "vitest";
import { span, us } from "kit/format";
import { NONE } from "../pages/perf/data";
import type { PerfData } from "../pages/perf/data";
import { sumRiscs } from "../pages/perf/cores";
import { dotsOf, nearestRow, pixelsOf, pointsOf } from "../pages/perf/dots";
import { meshTexts, namedModules, opsByName } from "../pages/perf/kinds";
import { bandsOf, executionAt, executionOfRow, isCut, layOut, LONGEST_SHOWN_GAP_US } from "../pages/perf/lanes";
import { attributeLines, zonesOfOp } from "../pages/perf/details";
import { moduleOf, readable } from "../pages/perf/names";
import { repeatStarts } from "../pages/perf/path";
import { Plot, scaleOf } from "../pages/perf/plot";
import { modulesOf, partsOf } from "../pages/perf/signposts";
import { iterationTexts, movementTile, noAdviceText, piecesOfDevice, timeByDevice, windowOf } from "../pages/perf/summary";
import { COLUMNS, orderRows, sumOf } from "../pages/perf/table";
import { fragmentOf, matchRows, NO_FILTER, viewOf } from "../pages/perf/view";

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
      id: Uint32Array.of(2, 3, 4, 5, 6, 7),
      row: Uint32Array.of(0, 1, 2, 0, 1, 2),
      signpost: new Uint32Array(count),
      startNs: new Float64Array(count).fill(-1),
      path: new Uint8Array(count),
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
      call: f64(1024, 2048, 3072),
    },
    kinds: {
      label: ["Matmul 1 x 2 x 3", "Tilize"],
      fidelity: ["", ""],
      tensors: ["in 0: 1x2 BFLOAT16 TILE DEV_0_DRAM_INTERLEAVED\nout 0: 1x3 BFLOAT16 TILE DEV_0_L1_INTERLEAVED", ""],
      attributes: ["{'a': '1'; 'b': 'X(c=1;d=2)'}", ""],
      location: ["", ""],
      computeKernels: ["", ""],
      dataKernels: ["", ""],
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

  it("are on one clock, and only time in which no device works is cut", () => {
    const data = sample();
    data.executions.startNs = Float64Array.of(0, 101_000, 200_000, 40_000, 101_500, -1);
    const whole = layOut(data, true);
    expect([...whole.start]).toEqual([0, 101, 200, 40, 101.5, 103.5]);
    const cut = layOut(data, false);
    // 1 to 40, 41 to 101 and 106.5 to 200 are idle on both devices.
    expect([...cut.start]).toEqual([0, 42, 67.5, 21, 42.5, 44.5]);
    expect([cut.isOneClock, cut.span, whole.span]).toEqual([true, 70.5, 203]);
    expect([1, 2, 4].map((i) => isCut(data, cut, i))).toEqual([true, false, false]);
    data.executions.gapNs[2] = 97_000;
    expect([cut, whole].map((layout) => isCut(data, layout, 2))).toEqual([true, false]);
  });

  it("find the op at a time", () => {
    const layout = layOut(sample(), true);
    expect(executionAt(layout, layout.lanes[0], -5)).toBe(0);
    expect(executionAt(layout, layout.lanes[0], 500_001)).toBe(1);
    expect(executionAt(layout, layout.lanes[0], 1e9)).toBe(2);
    expect(executionAt(layout, layout.lanes[1], 0)).toBe(3);
  });

  it("find the op of a row, or none where a device did not run it", () => {
    const data = sample();
    const { lanes } = layOut(data, true);
    expect(lanes.map((lane) => executionOfRow(data, lane, 1))).toEqual([1, 4]);
    expect(executionOfRow(data, lanes[0], 7)).toBeNull();
    expect(executionOfRow(data, { device: 0, first: 0, end: 2 }, 2)).toBeNull();
  });
});

describe("the table", () => {
  it("filters by name and sorts by value, not by text", () => {
    const data = sample();
    expect([...orderRows(data, matchRows(data, { ...NO_FILTER, find: "tili" }), { column: "ID", descending: false })]).toEqual([1]);
    expect([...orderRows(data, null, { column: "Time μs", descending: true })]).toEqual([2, 1, 0]);
    expect([...orderRows(data, null, { column: "ID", descending: false })]).toEqual([0, 1, 2]);
  });

  it("leaves cells without a figure empty", () => {
    const data = sample();
    const cell = (name: string, row: number) => COLUMNS.find((column) => column.id === name)?.text(data, row);
    expect(cell("Cores", 1)).toBe("");
    expect(cell("At peak %", 1)).toBe("");
    expect(cell("At peak %", 0)).toBe("50.0");
    expect(cell("Cause", 1)).toBe("compile");
    expect(cell("FLOPs %", 0)).toBe("");
  });
});

describe("filters", () => {
  it("find names, types and rows, and hold together", () => {
    const data = sample();
    const found = (filter: Partial<typeof NO_FILTER>) => [...(matchRows(data, { ...NO_FILTER, ...filter }) ?? [9])];
    expect(found({})).toEqual([9]);
    expect(found({ find: " " })).toEqual([9]);
    expect(found({ find: "MATMUL" })).toEqual([1, 0, 1]);
    expect(found({ find: "3" })).toEqual([1, 1, 1]); // part of a name, or the row
    expect(found({ category: "TM" })).toEqual([0, 1, 0]);
    expect(found({ cause: "compile", find: "tilize" })).toEqual([0, 1, 0]);
    expect(found({ limit: "dram", category: "Compute" })).toEqual([1, 0, 1]);
  });

  it("are in the address, and what is not known there is left out", () => {
    const data = sample();
    const view = { ...NO_FILTER, find: "a b&c", category: "TM", row: 3 };
    expect(viewOf(`#${fragmentOf(view)}`, data)).toEqual(view);
    expect(viewOf("#row=77&category=x&limit=<b>&cause=1", data)).toEqual({ ...NO_FILTER, row: null });
    expect(fragmentOf({ ...NO_FILTER, row: null })).toBe("");
  });
});

describe("what signposts set off", () => {
  it("is summed up by name, compilation left out of the gaps", () => {
    const data = sample();
    data.header.signposts = ["", "a", "b", "a"];
    data.executions.signpost = Uint32Array.of(1, 2, 3, 1, 2, 3);
    const lane = layOut(data, false).lanes[0];
    const bands = bandsOf(data, lane);
    expect(bands.map((band) => [band.signpost, band.first, band.end])).toEqual([[1, 0, 1], [2, 1, 2], [3, 2, 3]]);
    const parts = partsOf(data, bands);
    expect(parts.map((part) => [part.name, part.stretches, part.ops, part.us, part.gapUs])).toEqual([
      ["a", 2, 2, 4, 1],
      ["b", 1, 1, 2, 0],
    ]);
  });
});

describe("modules", () => {
  it("are those that ops name; where signposts alone tell them, the table of signposts does", () => {
    const data = sample();
    data.document.modules = [{ module: "model.layers.*.mlp", ops: 2, device_us: 4, percent: 80 }, { module: "head", ops: 1, device_us: 1, percent: 20 }];
    data.header.signposts = ["", "layer 0", "layer 1"];
    expect(namedModules(data)).toEqual([]);
    data.kinds.location = ['loc("model.layers.0.mlp/dot")', ""];
    expect(namedModules(data)).toHaveLength(2);
  });
});

describe("what repeats", () => {
  it("says how many replays are not whole", () => {
    const data = sample();
    const series = { kind: "replay", name: "7", count: 4, cut: 2, mean_ns: 83000, spread_ns: 0, least_ns: 83000, most_ns: 83000, times: [] };
    data.document.iterations = [series];
    expect(iterationTexts(data.document)[0]).toMatch(/^Trace 7: 4 replays \(2 not whole\), 83.* each/);
    data.document.iterations = [{ ...series, cut: 4 }];
    expect(iterationTexts(data.document)[0]).toContain("(none of them whole)");
  });
});

describe("sums", () => {
  it("of names, devices and processors add up to the device time", () => {
    const data = sample();
    data.executions.riscNs = [Uint32Array.of(500, NONE, 1500, NONE, NONE, NONE)];
    expect(opsByName(data).map((one) => [one.name, one.ops, one.us])).toEqual([["Matmul", 2, 4], ["Tilize", 1, 2]]);
    data.rows.total = Float64Array.of(100_000, 200_000, 500_000, -1);
    expect(opsByName(data).map((one) => one.percent).reduce((sum, one) => sum + one, 0)).toBeCloseTo(80);
    expect(timeByDevice(data)).toEqual([{ device: 0, us: [4, 2] }, { device: 1, us: [4, 2] }]);
    const [brisc] = sumRiscs(data);
    expect([brisc.ops, brisc.us, brisc.ofUs, brisc.byCategory]).toEqual([2, 2, 4, [2, 0]]);
  });

  it("leave out processors that no op used", () => {
    expect(sumRiscs(sample())).toEqual([]);
  });
});

describe("the dots of the roofline", () => {
  it("are one for each pixel; what the filter leaves out comes first and is not hit", () => {
    const data = sample();
    data.rows.idealNs = Float64Array.of(500, 500, 600);
    data.rows.deviceNs = Float64Array.of(1000, 1000, 3000);
    const points = pointsOf(data, "time");
    const plot = new Plot(800, { low: 0.1, high: 10 }, { low: 0.1, high: 10 });
    const pixels = pixelsOf(points, plot);
    expect(dotsOf(points, pixels, 800, null)).toEqual({ of: [0, 2], matching: 0 });
    const filtered = dotsOf(points, pixels, 800, Uint8Array.of(0, 1, 0));
    expect(filtered).toEqual({ of: [0, 2, 1], matching: 2 });
    const at = (point: number) => ({ x: pixels.x[point] + 3, y: pixels.y[point] - 3 });
    expect(nearestRow(points, pixels, filtered, at(0))).toBe(1);
    expect(nearestRow(points, pixels, filtered, at(2))).toBeNull();
  });
});

describe("the axes of the roofline", () => {
  it("keep single points off the frame", () => {
    for (const value of [0.1, 1, 3, 1000]) {
      const { low, high } = scaleOf(Float64Array.of(value), 1);
      expect(low).toBeLessThan(value);
      expect(high).toBeGreaterThan(value);
      expect(Math.log10(high / low)).toBeGreaterThanOrEqual(2);
    }
  });
});

describe("times", () => {
  it("have a fitting unit", () => {
    expect([0, 12.34, 4560, 15_221_835].map(span)).toEqual(["0 μs", "12.3 μs", "4.56 ms", "15.2 s"]);
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

describe("names and modules", () => {
  it("are readable, and only their endings are lost", () => {
    expect(readable("MatmulDeviceOperation 32 x 64 x 96")).toBe("Matmul 32 x 64 x 96");
    expect(readable("ttnn::prim::UpsampleOperation")).toBe("Upsample");
    expect(readable("DeviceOperation")).toBe("DeviceOperation");
    expect(readable("(torch) argmax")).toBe("(torch) argmax");
  });

  it("put the layers of a model together", () => {
    expect(moduleOf("TTBasicBlock 12 forward started")).toBe("TTBasicBlock *");
    const part = (name: string, us: number) => ({ name, stretches: 1, ops: 1, us, gapUs: 1, first: { signpost: 0, first: 0, end: 1 } });
    const modules = modulesOf([part("layer 0", 1), part("layer 1", 2), part("head", 5)]);
    expect(modules.map((one) => [one.name, one.parts, one.us])).toEqual([["head", 1, 5], ["layer *", 2, 3]]);
    expect(modulesOf([part("a", 1), part("b", 2)])).toEqual([]);
  });
});

describe("what is told of the shown rows", () => {
  it("adds up, also under a filter", () => {
    const data = sample();
    const all = sumOf(data, orderRows(data, null, { column: "ID", descending: false }));
    expect(all.us).toBe(6);
    const one = sumOf(data, orderRows(data, Uint8Array.of(0, 1, 0), { column: "ID", descending: false }));
    expect([one.us, one.gapUs]).toEqual([2, 0]); // a gap of compiling is no part of it
    data.rows.cause = Uint8Array.of(0, data.header.causes.indexOf("dispatch"), 0, 0);
    expect(sumOf(data, orderRows(data, Uint8Array.of(0, 1, 0), { column: "ID", descending: false })).gapUs).toBe(500_000);
  });

  it("names the window", () => {
    expect(windowOf(["Architecture: x", "Using the last stretch with operations: after signpost 'a' (row 2)."])).toContain("signpost 'a'");
    expect(windowOf([])).toBe("The whole report.");
  });

  it("splits attributes at their outermost semicolons", () => {
    expect(attributeLines(sample().kinds.attributes[0])).toEqual(["'a': '1'", "'b': 'X(c=1;d=2)'"]);
  });
});

describe("zones of an op", () => {
  it("are those whose ops have its call", () => {
    const data = sample();
    const zone = { device: 0, risc: "BRISC", zone: "LOOP", kind: "user", ops: [{ call_count: 2048, count: 3, cycles: 30, us: 0.03 }] };
    data.document.zones = [zone as NonNullable<PerfData["document"]["zones"]>[number]];
    expect(zonesOfOp(data, 1)).toEqual([{ zone: "LOOP", risc: "BRISC", count: 3, us: 0.03 }]);
    expect(zonesOfOp(data, 0)).toEqual([]);
  });
});

describe("no advice", () => {
  it("says whether nothing was found or nothing is known", () => {
    const data = sample();
    data.document.totals = { device_us: 6 } as PerfData["document"]["totals"];
    expect(noAdviceText(data)).toContain("Nothing found");
    data.kinds.label = ["TraceReplay", "TraceReplay"];
    expect(noAdviceText(data)).toContain("Whole replays");
    data.document.totals.device_us = 0;
    expect(noAdviceText(data)).toContain("No op has a device time");
  });
});

describe("the headline", () => {
  it("says how much only moves data, and by whose doing", () => {
    const document = { trust: {}, totals: { device_us: 10 }, movement: { classes: [{ class: "compute", device_us: 5, percent: 50 }, { class: "layout", device_us: 2, percent: 20 }, { class: "structural", device_us: 1, percent: 10 }], conversions: [] } } as unknown as PerfData["document"];
    expect(movementTile(document)).toMatchObject({ value: "30.0 %", note: "20.0 % by layout, 10.0 % by the graph; 50.0 % computes" });
    expect(movementTile({ ...document, movement: undefined })).toBeNull();
    expect(movementTile({ ...document, movement: { classes: [{ class: "other", device_us: 10, percent: 100 }], conversions: [] } })).toBeNull();
  });

  it("calls no time of simulated chips measured", () => {
    const document = { trust: {}, totals: { device_us: 10 }, movement: { classes: [{ class: "layout", device_us: 2, percent: 20 }], conversions: [] } } as unknown as PerfData["document"];
    expect(movementTile(document)?.tag).toBe("measured");
    const simulated = { count: 1, what: "", first_places: [] };
    expect(movementTile({ ...document, trust: { ...document.trust, capture_problems: { simulated_chips: simulated } } })?.tag).toBe("modelled");
  });
  it("has mean and spread of what repeats", () => {
    const one = { kind: "replay", name: "0", count: 3, mean_ns: 387_000, spread_ns: 500, least_ns: 386_000, most_ns: 387_400, times: [] };
    const document = { iterations: [one, { ...one, kind: "signpost", name: "x", count: 2, spread_ns: null }] } as unknown as PerfData["document"];
    expect(iterationTexts(document)).toEqual([`Trace 0: 3 replays, ${span(387)} each on average (spread ${span(0.5)}, ${span(386)} to ${span(387.4)})`, `'x': 2 times, ${span(387)} each`]);
  });
  it("says who meets in collectives where not all devices do", () => {
    const data = sample();
    expect(meshTexts(data)).toEqual([]);
    data.document.critical_path = { device: 0, wall_us: 1, part_count: 1, mesh: [{ cluster_axis: 1, op: null, groups: [[0, 1], [2, 3]] }, { cluster_axis: null, op: "AllGatherDeviceOperation", groups: [[0, 2], [1, 3]] }] };
    expect(meshTexts(data)).toEqual(["Collectives along axis 1 of the mesh meet in 2 groups: devices 0 1 / 2 3", "AllGather meet in 2 groups: devices 0 2 / 1 3"]);
  });
  it("fills the bar of a device up to its wall time", () => {
    const data = sample();
    data.document.devices = [{ device: 0, wall_ns: 10_000, busy_ns: 8000, idle_ns: 2000 }];
    const pieces = piecesOfDevice(data, { device: 0, us: [5, 2] });
    expect(pieces.map((piece) => piece.us)).toEqual([5, 2, 3]);
    expect(piecesOfDevice(data, { device: 1, us: [5, 2] })).toHaveLength(2);
    data.document.devices = [{ device: 0, wall_ns: 90_000, busy_ns: 8000, idle_ns: 82_000, compile_ns: 80_000 }];
    expect(piecesOfDevice(data, { device: 0, us: [5, 2] }).map((piece) => piece.us)).toEqual([5, 2, 3]);
  });
});

describe("the repeats on the timeline", () => {
  it("are executions of the device that they are of", () => {
    const data = sample();
    data.document.iterations = [{ kind: "replay", name: "t", count: 2, mean_ns: 1, spread_ns: null, least_ns: 1, most_ns: 1, times: [{ number: 1, device: 0, first_id: 2 }, { number: 2, device: 1, first_id: 7 }] }];
    expect([...repeatStarts(data, layOut(data, false).lanes)]).toEqual([[0, "replay 1"], [5, "replay 2"]]);
  });
});

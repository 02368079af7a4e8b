import { describe, expect, it } from "vitest";
import { mb, signed } from "kit/format";
import { drawnParts, fragmentOf, kindsOf, marksOf, partsOf, scaleOf, viewOf } from "../pages/phases/model";
import { layOutBars, partBaseline, totalBaseline } from "../pages/phases/bars";
import type { Component, Run } from "../pages/phases/model";

const MB = 1048576;

function part(kind: string, measured: number): Component {
  return { kind, label: kind, color: "#000000", bytes: measured * MB, measured_bytes: measured * MB, confidence: "measured", meaning: "" };
}

function run(components: Component[], peak: number, device: number | null = null): Run {
  return {
    name: "r",
    file: 0,
    line: 1,
    severity: "ok",
    verdict: "",
    parameters: null,
    device: { bytes: device === null ? null : device * MB, devices: 1, origin: "log" },
    peak: { bytes: peak * MB, phase: null, share_of_device: null, fits: null },
    final_bytes: 0,
    sizes: {
      model: { actual_bytes: 100 * MB, expected_bytes: 90 * MB },
      optimizer: { actual_bytes: 200 * MB, expected_bytes: null },
      gradients: { actual_bytes: null, expected_bytes: null },
      activations_bytes: null,
    },
    actual_sizes: false,
    components,
    phases: [],
    steps: [],
    violations: [],
    advice: [],
    notes: [],
  };
}

const usual = run([part("other", 0), part("model", 100), part("optimizer", 200), part("activations", 50)], 350, 300);

describe("parts of a peak", () => {
  it("add up to it, with measured and with expected sizes", () => {
    for (const sizes of ["measured", "expected"] as const) {
      const sum = partsOf(usual, sizes).reduce((total, one) => total + one.bytes, 0);
      expect(sum).toBe(350 * MB);
    }
  });

  it("show the difference to an expected size as other, and say that it is modelled", () => {
    const parts = new Map(partsOf(usual, "expected").map((one) => [one.kind, one]));
    expect(parts.get("model")).toMatchObject({ bytes: 90 * MB, confidence: "modelled" });
    expect(parts.get("optimizer")).toMatchObject({ bytes: 200 * MB, confidence: "measured" });
    expect(parts.get("other")?.bytes).toBe(10 * MB);
  });

  it("are not drawn when they are nothing or rounding", () => {
    expect(drawnParts(usual, "measured").map((one) => one.kind)).toEqual(["model", "optimizer", "activations"]);
    const below = run([part("other", -5), part("model", 105)], 100);
    expect(drawnParts(below, "measured").map((one) => one.kind)).toEqual(["model"]);
  });

  it("are listed in stacking order whatever run has them", () => {
    const other = run([part("other", 0), part("gradients_overhead", 5), part("temporaries", 1)], 6);
    expect(kindsOf([usual, other], "measured").map((one) => one.kind)).toEqual(["other", "model", "gradients_overhead", "optimizer", "activations", "temporaries"]);
  });
});

describe("scale", () => {
  it("holds bars and limits, with few marks", () => {
    const most = scaleOf([usual, run([part("other", 10)], 10, 900)], "measured");
    expect(most).toBeGreaterThan(900 * MB);
    expect(marksOf(most, 8).length).toBeLessThan(11);
  });

  it("has round steps", () => {
    const step = (most: number) => marksOf(most * MB, 8)[1] / MB;
    expect(step(17000)).toBe(2500);
    expect(step(8)).toBe(1);
    expect(step(0.8)).toBeCloseTo(0.1);
  });
});

describe("text of figures", () => {
  it("is that of the tracker", () => {
    expect(mb(1863.25 * MB)).toBe("1,863.25");
    expect(mb(-0.001 * MB)).toBe("0.00");
    expect(signed(-5 * MB, mb)).toBe("-5.00");
    expect(signed(5 * MB, mb)).toBe("+5.00");
  });
});

describe("a link", () => {
  const first = { run: 0, base: 0, sizes: "expected" as const };
  it("brings the view back", () => {
    const view = { run: 2, base: 1, sizes: "measured" as const };
    expect(viewOf(`#${fragmentOf(view)}`, 3, first)).toEqual(view);
  });
  it("that names what is not there changes nothing", () => {
    expect(viewOf("#run=9&base=-1&sizes=x", 3, first)).toEqual(first);
    expect(viewOf("#run=1.5&base=", 3, first)).toEqual(first);
  });
});

describe("bars and their labels", () => {
  it("share the room there is, and scroll where that is too little", () => {
    const wide = layOutBars(7, 1150);
    expect(wide.width).toBeLessThanOrEqual(1150);
    expect(wide.slot).toBeGreaterThan(140);
    expect(layOutBars(2, 1150).slot).toBe(170);
    expect(layOutBars(7, 340)).toMatchObject({ left: 58, slot: 92 });
  });

  it("are not struck through by the line of the device", () => {
    expect(totalBaseline(100, null)).toBe(94);
    expect(totalBaseline(100, 60)).toBe(94); // far above
    expect(totalBaseline(100, 300)).toBe(94); // below: the run does not fit
    for (let line = 78; line <= 101; line++) {
      const at = totalBaseline(100, line);
      expect(line > at + 3 || line < at - 12, `line ${line}, text at ${at}`).toBe(true);
    }
  });

  it("inside of a part go beside that line, or are left out", () => {
    expect(partBaseline(0, 40, null)).toBe(24);
    expect(partBaseline(0, 16, null)).toBeNull();
    expect(partBaseline(0, 32, 16)).toBeNull();
    for (let line = 1; line < 100; line++) {
      const at = partBaseline(0, 100, line);
      expect(at !== null && (line > at || line < at - 10) && at > 10 && at < 100, `line ${line}, text at ${at}`).toBe(true);
    }
  });
});

import { describe, expect, it } from "vitest";
import { chosenWith, comparisonOf, plainName } from "../pages/library/compare";
import { changePoints, modelsByName, modelsOf, noiseOf } from "../pages/library/history";
import type { Report } from "../pages/library/library";

/** The same numbers at every run. */
function random(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return (state + 0.5) / 4294967296;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

function series(levels: number[], each: number, noise: number, seed: number): number[] {
  const next = random(seed);
  return levels.flatMap((level) => Array.from({ length: each }, () => level * (1 + noise * next())));
}

describe("change points", () => {
  it("are where levels change, with noise and without", () => {
    expect(changePoints([5, 5, 5, 8, 8, 8])).toEqual([3]);
    expect(changePoints([5, 5, 5, 8, 8, 8, 5, 5, 5])).toEqual([3, 6]);
    for (let seed = 1; seed <= 50; ++seed) {
      const found = changePoints(series([100, 110], 12, 0.01, seed));
      expect(found, `seed ${seed}`).toContain(12);
    }
  });

  it("are nearly never found in noise", () => {
    let wrong = 0;
    for (let seed = 1; seed <= 200; ++seed) wrong += changePoints(series([100], 20, 0.01, seed)).length;
    expect(wrong).toBeLessThanOrEqual(6);
  });

  // Four standard errors of a noise that five values tell had marked one series of twenty.
  it("are nearly never found in the noise of short series", () => {
    for (const count of [4, 5, 6, 8, 10]) {
      let marked = 0;
      for (let seed = 1; seed <= 400; ++seed) marked += changePoints(series([100], count, 0.01, seed)).length > 0 ? 1 : 0;
      expect(marked, `${count} reports`).toBeLessThanOrEqual(8);
    }
  });

  it("are not made of changes that nobody would notice", () => {
    expect(changePoints([1000, 1000, 1000, 1004, 1004, 1004])).toEqual([]);
    expect(changePoints([])).toEqual([]);
    expect(changePoints([7])).toEqual([]);
  });

  it("have a noise that steps do not make larger", () => {
    expect(noiseOf([5, 5, 5, 50, 50, 50])).toBe(0);
  });
});

function report(id: string, part: Partial<Report> = {}): Report {
  const dram = { peak_bytes_per_bank: 50, capacity_bytes_per_bank: 100, banks: 12 };
  return { id, name: id, folder: id, time_s: 0, size_bytes: 0, has_page: true, outcome: null, fit: null, ops: 1, dram, l1: null, wall_us: null, comparable: true, curve_permille_of_peak: [], files: [], ...part };
}

describe("models", () => {
  const models = (names: string[]) => [...modelsByName(names).values()];

  it("are names without what differs from run to run", () => {
    expect(models(["llama-2", "llama_20261118_093000", "llama-run7", "llama", "llama-run7-2"])).toEqual(Array(5).fill("llama"));
    expect(models(["resnet50", "42", "1"])).toEqual(["resnet50", "42", "1"]);
    expect(models(["ops_perf_results_2026_11_18_09_30_00.csv", "ops_perf_results.csv", "ops_perf_results-2.csv.gz"])).toEqual(Array(3).fill("ops_perf_results"));
  });

  // They had been one model, whose every other report was a change.
  it("are told apart by versions and sizes", () => {
    const apart = ["llama-3.1", "llama-3.2", "qwen2.5", "qwen2.1", "resnet-18", "resnet-34", "resnet-50", "mobilenet-v2", "mobilenet-v3", "prefill_1024", "prefill_2048"];
    expect(models(apart)).toEqual(apart);
    expect(models(["llama-3.1", "llama-3.1-2", "llama-3.1_2026-11-18", "llama-3.2-20261118T0930"])).toEqual(["llama-3.1", "llama-3.1", "llama-3.1", "llama-3.2"]);
  });

  it("have a history from three reports on, oldest first", () => {
    const reports = [report("llama-3", { time_s: 3 }), report("llama-1", { time_s: 1 }), report("llama-2", { time_s: 2 }), report("bert-1")];
    const models = modelsOf(reports, (one) => one.dram?.peak_bytes_per_bank ?? null);
    expect([...models.keys()]).toEqual(["llama"]);
    expect(models.get("llama")?.map((one) => one.id)).toEqual(["llama-1", "llama-2", "llama-3"]);
  });
});

describe("a comparison", () => {
  it("is of the two that were chosen last", () => {
    expect(chosenWith(["a"], "b")).toEqual(["a", "b"]);
    expect(chosenWith(["a", "b"], "c")).toEqual(["b", "c"]);
    expect(chosenWith(["a", "b"], "a")).toEqual(["b"]);
  });

  it("is found by its name once it is there", () => {
    const [a, b] = [report("a_1", { time_s: 5 }), report("b", { time_s: 6 })];
    expect(comparisonOf([a, b], a, b)).toBeUndefined();
    const made = report("x", { name: "a-1 to b", time_s: 9 });
    expect(comparisonOf([made, a, b], a, b)).toBe(made);
    expect(comparisonOf([{ ...made, time_s: 1 }, a, b], a, b)).toBeUndefined();
    expect(plainName("A_1 to B")).toBe("a-1-to-b");
  });
});

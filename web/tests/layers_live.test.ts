// Live sets, layers, growth, fragmentation: their sums add up.
import { beforeAll, describe, expect, test } from "vitest";
import { openPage } from "../pages/mem/data/page";
import type { Page } from "../pages/mem/data/page";
import { NONE } from "../pages/mem/data/rank";
import type { RankData } from "../pages/mem/data/rank";
import { fragmentationOf, worstFragmentation } from "../pages/mem/panels/fragmentation_model";
import { growthOf } from "../pages/mem/panels/growth_model";
import { matchingLines, nextMatch } from "../pages/mem/panels/ir";
import { irTargets } from "../pages/mem/panels/ir_links";
import { icicle, NO_LAYER, pathOfArgument, pathOfLocation } from "../pages/mem/panels/layer_tree";
import type { LayerNode } from "../pages/mem/panels/layer_tree";
import { LayerPaths, layersOfAll, layersOfLive } from "../pages/mem/panels/layers_model";
import { groupsOf, liveSet, momentOf } from "../pages/mem/panels/live_model";
import { paddedDimensions } from "../pages/mem/panels/padding";
import { Slicer } from "kit/slices";
import { allocatedAfter, allocatedBefore, stateAt } from "../pages/mem/panels/states";
import { makeFixture } from "./fixture";

let page: Page;
let rank: RankData;

beforeAll(async () => {
  const fixture = makeFixture();
  page = await openPage(fixture.header, fixture.mem, fixture.writer.source);
  rank = await page.rank(0);
});

/** The plain way: look at every buffer. */
function plainLive(memory: number, moment: number): number {
  let sum = 0;
  for (let i = 0; i < rank.buffers.count; i++) {
    const died = rank.buffers.died[i] === NONE ? Infinity : rank.buffers.died[i];
    if (rank.buffers.memory[i] === memory && rank.buffers.born[i] <= moment && moment < died) sum += rank.buffers.bytes[i];
  }
  return sum;
}

function checkSums(node: LayerNode): void {
  expect(node.kinds.reduce((sum, bytes) => sum + bytes, 0)).toBeCloseTo(node.bytes, 3);
  if (node.children.length === 0) return;
  expect(node.children.reduce((sum, child) => sum + child.bytes, 0)).toBeLessThanOrEqual(node.bytes + 1e-6);
  node.children.forEach(checkSums);
}

describe("live set", () => {
  test("kinds + unaccounted = measured at every moment", () => {
    for (const memory of ["DRAM", "L1"] as const) {
      for (let moment = 0; moment < 2 * rank.ops - 1; moment += 7) {
        const live = liveSet(page, rank, memory, moment);
        expect(live.kinds.reduce((sum, bytes) => sum + bytes, 0)).toBe(live.accounted);
        expect(live.accounted).toBe(plainLive(memory === "DRAM" ? 0 : 1, moment));
        expect(live.accounted + live.unaccounted).toBeCloseTo(live.measured, 3);
        expect(Math.abs(live.unaccounted)).toBeLessThanOrEqual(1048.576 / 2 + 1e-6);
      }
    }
  });

  test("the peak is shown without a chosen moment, with its own figure", () => {
    const peak = rank.header.peaks.DRAM;
    const moment = momentOf(rank, "DRAM", null);
    expect(moment).toBe(peak?.moment);
    expect(liveSet(page, rank, "DRAM", moment).measured).toBe(peak?.bytes_per_bank);
    expect(momentOf(rank, "DRAM", 12)).toBe(12);
  });

  test("groups hold every tensor once, most bytes first", () => {
    const live = liveSet(page, rank, "DRAM", momentOf(rank, "DRAM", null));
    const groups = groupsOf(page, rank, live);
    expect(groups.reduce((sum, group) => sum + group.bytes, 0)).toBe(live.accounted);
    expect(groups.reduce((sum, group) => sum + group.tensors, 0)).toBe(live.buffers.length);
    for (let i = 1; i < groups.length; i++) expect(groups[i - 1].bytes).toBeGreaterThanOrEqual(groups[i].bytes);
  });
});

describe("states", () => {
  test("after an op is before the next, less what came between programs", () => {
    for (let op = 0; op + 1 < rank.ops; op += 11) {
      expect(allocatedAfter(rank, op, "DRAM")).toBe(allocatedBefore(rank, op + 1, "DRAM"));
      expect(stateAt(rank, 2 * op, "DRAM").allocated).toBe(allocatedBefore(rank, op, "DRAM"));
    }
    const changes = { ...rank.changes, count: 1, op: Uint32Array.of(6), bytes: { DRAM: Float64Array.of(1000), L1: Float64Array.of(0) } };
    const changed = { ...rank, changes };
    expect(allocatedAfter(changed, 5, "DRAM")).toBe(allocatedBefore(changed, 6, "DRAM") - 1000);
    expect(stateAt(changed, 11, "DRAM").adjusted).toBe(true);
  });

  test("the last op has no memory line behind it", () => {
    expect(allocatedAfter(rank, rank.ops - 1, "DRAM")).toBeNaN();
  });
});

describe("layers", () => {
  test("paths of locations and of argument names meet", () => {
    expect(pathOfLocation("model/layers.0/self_attn/dot.12")).toEqual(["model", "layers.0", "self_attn", "dot.12"]);
    expect(pathOfArgument("model.layers.0.self_attn.weight")).toEqual(["model", "layers.0", "self_attn", "weight"]);
    expect(pathOfArgument("L__self___model_layers__modules__0___mlp_down.weight")).toEqual(["model", "layers.0", "mlp", "down", "weight"]);
    expect(pathOfLocation("reduce.50")).toEqual([NO_LAYER, "reduce.50"]);
    expect(pathOfArgument("")).toEqual([NO_LAYER]);
    expect(pathOfArgument("a/b.0/c")).toEqual(["a", "b.0", "c"]);
  });

  test("the live set's layers sum to the measured figure", () => {
    const paths = new LayerPaths(page, rank, []);
    for (const moment of [0, 40, momentOf(rank, "DRAM", null), 2 * rank.ops - 3]) {
      const live = liveSet(page, rank, "DRAM", moment);
      const { root } = layersOfLive(paths, rank, live);
      expect(root.bytes).toBeCloseTo(live.accounted + Math.max(0, live.unaccounted), 3);
      expect(root.tensors).toBe(live.buffers.length);
      checkSums(root);
    }
  });

  test("all allocations sum to all bytes ever made", async () => {
    const tree = await layersOfAll(new LayerPaths(page, rank, []), rank, "DRAM", new Slicer());
    let all = 0;
    for (let i = 0; i < rank.buffers.count; i++) if (rank.buffers.memory[i] === 0) all += rank.buffers.bytes[i];
    expect(tree.root.bytes).toBe(all);
    checkSums(tree.root);
    expect(tree.find("layers.3/attention")?.bytes).toBeGreaterThan(0);
    expect(tree.find("nowhere")).toBeNull();
  });

  test("icicle boxes lie inside the box above", async () => {
    const tree = await layersOfAll(new LayerPaths(page, rank, []), rank, "DRAM", new Slicer());
    const boxes = icicle(tree.root, 1 / 2000, 9);
    for (const box of boxes.slice(1)) {
      const above = boxes.find((one) => one.node === box.node.parent);
      expect(above).toBeDefined();
      expect(box.left).toBeGreaterThanOrEqual((above?.left ?? 0) - 1e-9);
      expect(box.left + box.width).toBeLessThanOrEqual((above?.left ?? 0) + (above?.width ?? 0) + 1e-9);
    }
  });
});

describe("growth and fragmentation", () => {
  test("each op of the model once, the largest first, sums as in the column", async () => {
    const growth = await growthOf(rank, "DRAM", 1000, new Slicer());
    const grown = Array.from(rank.grow.DRAM, (bytes, op) => ({ bytes, op })).filter((one) => one.bytes > 0);
    expect(growth.times).toBe(grown.length);
    expect(growth.sum).toBe(grown.reduce((sum, one) => sum + one.bytes, 0));
    expect(growth.groups[0].bytes).toBe(Math.max(...grown.map((one) => one.bytes)));
    for (const group of growth.groups) {
      const alike = grown.filter((one) => rank.text[one.op] === rank.text[group.op] && rank.loc[one.op] === rank.loc[group.op]);
      expect(group.times).toBe(alike.length);
      expect(group.bytes).toBe(Math.max(...alike.map((one) => one.bytes)));
      expect(group.op).toBe(alike.find((one) => one.bytes === group.bytes)?.op);
    }
    expect((await growthOf(rank, "DRAM", 3, new Slicer())).groups).toEqual(growth.groups.slice(0, 3));
  });

  test("worst stretches, worst first, equal neighbours together", async () => {
    const worst = await worstFragmentation(rank, "DRAM", 5, new Slicer());
    const free = rank.points.free.DRAM ?? [];
    const largestFree = rank.points.largest.DRAM ?? [];
    const all = Array.from(free, (value, i) => fragmentationOf(value, largestFree[i]));
    expect(worst[0].fraction).toBe(Math.max(...all));
    expect(worst.length).toBe(5);
    for (let i = 1; i < worst.length; i++) expect(worst[i - 1].fraction).toBeGreaterThanOrEqual(worst[i].fraction);
    expect(fragmentationOf(0, 0)).toBe(0);
  });
});

describe("padding words", () => {
  test.each([
    [[1, 200, 6144], [224, 6144], "rows 200 → 224"],
    [[1, 197, 1], [224, 32], "rows 197 → 224, columns 1 → 32"],
    [[], [32, 32], "scalar stored as a tile"],
    [[32, 32], [32, 32], "spread over shards"],
  ])("%j stored as %j", (shape, stored, words) => {
    expect(paddedDimensions(shape, stored)).toBe(words);
  });
});

describe("IR", () => {
  test("search in a module walks round", () => {
    const matches = matchingLines(["a b", "c", "B a", ""], "a B");
    expect([...matches]).toEqual([0, 2]);
    expect(nextMatch(matches, 0, false)).toBe(2);
    expect(nextMatch(matches, 2, false)).toBe(0);
    expect(nextMatch(matches, 0, true)).toBe(2);
    expect(nextMatch(matches, -1, false)).toBe(0);
    expect(nextMatch(new Uint32Array(0), 0, false)).toBeNull();
    expect(matchingLines(["a"], " ").length).toBe(0);
  });

  test("an op leads to the line that its location names", async () => {
    const op = rank.loc.findIndex(
      (loc, index) => page.locs.get(loc) === "layers.0/attention/q_proj" && rank.programs.graph[rank.program[index]] === 0,
    );
    expect(await irTargets(page, rank, op)).toEqual([{ module: 0, stage: "ttnn", line: 2 }]);
  });
});

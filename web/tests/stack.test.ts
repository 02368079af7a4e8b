import { describe, expect, it } from "vitest";
import { Labels, rows } from "../pages/mem/charts/labels";
import { layerGroups, OTHER_LAYERS } from "../pages/mem/data/layer_groups";
import { GroupSums, NO_GROUP } from "../pages/mem/data/live";
import { NONE } from "../pages/mem/data/rank";
import type { Buffers, RankData } from "../pages/mem/data/rank";
import { stackTensors, tensorAt, visitStack } from "../pages/mem/data/tensor_stack";
import type { StackView } from "../pages/mem/data/tensor_stack";
import { random } from "./fixture";

const OPS = 200;

function generated(count: number, seed: number): RankData {
  const next = random(seed);
  const born = Uint32Array.from({ length: count }, () => Math.floor(next() * 2 * OPS)).sort();
  const buffers = {
    count,
    born,
    died: Uint32Array.from(born, (moment) => (next() < 0.1 ? NONE : moment + 1 + Math.floor(next() * 120))),
    bytes: Float64Array.from({ length: count }, () => 64 * (1 + Math.floor(next() * 50))),
    memory: Uint8Array.from({ length: count }, () => (next() < 0.2 ? 1 : 0)),
    kind: Uint8Array.from({ length: count }, () => Math.floor(next() * 5)),
  } as Buffers;
  return { ops: OPS, buffers } as RankData;
}

const isLive = ({ born, died }: Buffers, i: number, moment: number) => born[i] <= moment && (died[i] === NONE || moment < died[i]);

const VIEW: StackView = {
  memory: "DRAM",
  moments: Float64Array.from({ length: 80 }, (_, c) => 40 + c * 3),
  leastBytes: 0,
  order: Int8Array.from([4, 0, 1, 3, 2]),
};

describe("a stack of tensors", () => {
  it("is in each column as high as what is live there", () => {
    for (let seed = 1; seed < 6; seed++) {
      const rank = generated(300, seed);
      const tops = visitStack(rank, stackTensors(rank, VIEW), 80, () => undefined);
      VIEW.moments.forEach((moment, c) => {
        let sum = 0;
        for (let i = 0; i < 300; i++) if (rank.buffers.memory[i] === 0 && isLive(rank.buffers, i, moment)) sum += rank.buffers.bytes[i];
        expect(tops[c], `seed ${seed}, column ${c}`).toBe(sum);
      });
    }
  });

  it("is drawn without gaps and overlaps, and the pointer finds what was drawn", () => {
    const rank = generated(200, 9);
    const stack = stackTensors(rank, VIEW);
    const drawn: { buffer: number; from: number; to: number; low: number; high: number }[] = [];
    const tops = visitStack(rank, stack, 80, (buffer, stretch) => drawn.push({ buffer, ...stretch }));
    for (let c = 0; c < 80; c++) {
      const here = drawn.filter((one) => one.from <= c && c < one.to).sort((a, b) => a.low - b.low);
      let height = 0;
      for (const one of here) {
        expect(one.low).toBe(height);
        height = one.high;
        expect(tensorAt(rank, stack, c, (one.low + one.high) / 2)).toBe(one.buffer);
      }
      expect(height).toBe(tops[c]);
      expect(tensorAt(rank, stack, c, tops[c] + 1)).toBeNull();
    }
  });

  it("leaves out small ones and hidden kinds", () => {
    const rank = generated(200, 4);
    const order = Int8Array.from([4, -1, 1, 3, 2]);
    const { tensors } = stackTensors(rank, { ...VIEW, leastBytes: 1000, order });
    expect(tensors.length).toBeGreaterThan(10);
    for (const buffer of tensors) {
      expect(rank.buffers.bytes[buffer]).toBeGreaterThanOrEqual(1000);
      expect(rank.buffers.kind[buffer]).not.toBe(1);
    }
  });
});

describe("sums by group", () => {
  it("are those of the live tensors of each group", () => {
    const rank = generated(300, 3);
    const groupOf = Uint8Array.from({ length: 300 }, (_, i) => (i % 7 === 0 ? NO_GROUP : i % 4));
    const sums = new GroupSums(rank, "DRAM", groupOf, 4);
    for (let moment = 0; moment <= 2 * OPS; moment += 13) {
      const slow = [0, 0, 0, 0];
      for (let i = 0; i < 300; i++) if (groupOf[i] !== NO_GROUP && rank.buffers.memory[i] === 0 && isLive(rank.buffers, i, moment)) slow[groupOf[i]] += rank.buffers.bytes[i];
      expect([...sums.at(moment)]).toEqual(slow);
    }
  });
});

describe("layers of a stack", () => {
  const groupsOf = (paths: string[][]) => {
    const rank = generated(paths.length, 2);
    rank.buffers.memory.fill(0);
    return layerGroups(rank, "DRAM", { keyOf: (buffer) => buffer, pathOf: (key) => paths[key] });
  };

  it("are as deep as a few allow, without what all share and without the op itself", () => {
    const { labels, groupOf } = groupsOf([
      ["model", "layers.0", "attn", "dot.1"], ["model", "layers.0", "mlp", "dot.2"], ["model", "layers.1", "mlp", "weight"], ["model", "embed", "weight"], ["(no layer path)", "x"],
    ]);
    expect(labels).toEqual(["(no layer path)", "embed", "layers.0/attn", "layers.0/mlp", "layers.1/mlp"]);
    expect([...groupOf].map((group) => labels[group])).toEqual(["layers.0/attn", "layers.0/mlp", "layers.1/mlp", "embed", "(no layer path)"]);
  });

  it("of a deep model are whole layers in their order, the small ones together", () => {
    const paths = Array.from({ length: 90 }, (_, i) => ["model", `layers.${i}`, i % 2 ? "mlp" : "attn", "dot"]);
    const { labels } = groupsOf(paths);
    expect(labels).toHaveLength(64);
    expect(labels.at(-1)).toBe(OTHER_LAYERS);
    const numbers = labels.slice(0, -1).map((label) => Number(/^layers\.(\d+)/.exec(label)?.[1]));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });
});

describe("a model beside its head", () => {
  it("is looked into, since nearly everything lies in it", () => {
    const paths = [...Array.from({ length: 40 }, (_, i) => ["model", `layers.${i}`, "mlp", "dot"]), ["lm_head", "weight"]];
    const rank = generated(paths.length, 2);
    rank.buffers.memory.fill(0);
    const { labels } = layerGroups(rank, "DRAM", { keyOf: (buffer) => buffer, pathOf: (key) => paths[key] });
    expect(labels).toHaveLength(41);
    expect(labels.slice(0, 3)).toEqual(["lm_head", "model/layers.0", "model/layers.1"]);
  });
});

describe("labels of a plot", () => {
  it("take the first place that is free, and none where there is none", () => {
    const labels = new Labels({ left: 0, right: 200, top: 0, bottom: 60 });
    const places = rows(5, 10, "left", 3);
    expect(labels.take(100, places)).toEqual(places[0]);
    expect(labels.take(100, places)).toEqual(places[1]);
    expect(labels.take(80, [{ x: 195, y: 10, align: "right" }])).not.toBeNull();
    expect(labels.take(100, places.slice(0, 2))).toBeNull();
    expect(labels.take(300, places)).toBeNull();
  });
});

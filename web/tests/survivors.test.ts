import { describe, expect, it } from "vitest";
import { NONE } from "../pages/mem/data/rank";
import type { Buffers, RankData } from "../pages/mem/data/rank";
import { findSurvivors, passesOf } from "../pages/mem/panels/survivors_model";
import { Slicer } from "kit/slices";

const SIZES = { typeLogical: Float64Array.from([1]), typePadded: Float64Array.from([1]) };
const OPS_PER_RUN = 10;

interface One {
  op: number;
  born: number;
  died: number;
  bytes: number;
  text?: number;
}

/** Three runs of ten ops each; ops at the same place of a run have the same text. */
function threeRuns(list: One[]): RankData {
  const ops = 3 * OPS_PER_RUN + 1;
  const u32 = (get: (one: One) => number) => Uint32Array.from(list, get);
  const buffers: Buffers = {
    count: list.length,
    op: u32((one) => one.op),
    born: u32((one) => one.born),
    died: u32((one) => one.died),
    bytes: Float64Array.from(list, (one) => one.bytes),
    type: u32(() => 0),
    name: u32(() => 0),
    program: u32(() => 0),
    arg: u32(() => NONE),
    memory: new Uint8Array(list.length),
    kind: new Uint8Array(list.length).fill(3),
  };
  const programs = {
    count: 4,
    first: Uint32Array.from([0, 2, 10, 20]),
    end: Uint32Array.from([10, 4, 20, 30]),
    parent: Uint32Array.from([NONE, 0, NONE, NONE]),
    flags: Uint8Array.from([0, 1, 0, 0]),
    graph: new Uint32Array(4),
  };
  return {
    ops,
    buffers,
    programs,
    text: Uint32Array.from({ length: ops }, (_, i) => i % OPS_PER_RUN),
    loc: new Uint32Array(ops),
    header: { peaks: {} },
    points: { count: 0, moment: new Uint32Array(0), line: new Uint32Array(0), alloc: {}, free: {}, largest: {}, toBytes: (value: number) => value },
  } as unknown as RankData;
}

/** What op `at` of each of the runs makes. */
const each = (at: number, bytes: number, died: (run: number) => number): One[] =>
  [0, 1, 2].map((run) => ({ op: run * OPS_PER_RUN + at, born: 2 * (run * OPS_PER_RUN + at) + 1, died: died(run), bytes }));

async function fatesOf(list: One[]) {
  const sorted = [...list].sort((a, b) => a.born - b.born);
  const found = await findSurvivors(threeRuns(sorted), "DRAM", SIZES, new Slicer());
  return found as NonNullable<typeof found>;
}

describe("what survives a run", () => {
  it("passes are the outermost programs", () => {
    expect(passesOf(threeRuns([]))).toEqual([0, 2, 3]);
  });

  it("adds up where every run keeps one, and the growth is that of a run", async () => {
    const found = await fatesOf([...each(3, 100, () => NONE), ...each(4, 70, (run) => 2 * (run * OPS_PER_RUN + 6) + 1)]);
    expect(found.survivors).toHaveLength(1);
    expect(found.survivors[0]).toMatchObject({ fate: "adds_up", tensors: 3, alive: 3, aliveBytes: 300, runs: 3 });
    expect(found.growth).toBe(100);
    expect(found.passes.map((pass) => pass.left)).toEqual([100, 100, 100]);
    expect(found.passes.map((pass) => pass.live)).toEqual([100, 200, 300]);
  });

  it("is replaced where the next run frees it", async () => {
    const found = await fatesOf(each(3, 100, (run) => (run === 2 ? NONE : 2 * ((run + 1) * OPS_PER_RUN + 5) + 1)));
    expect(found.survivors[0]).toMatchObject({ fate: "replaced", tensors: 3, alive: 1, runs: 1 });
    expect(found.growth).toBe(0);
  });

  it("stays, is freed later, or comes from outside", async () => {
    const found = await fatesOf([
      { op: 2, born: 5, died: NONE, bytes: 10 },
      { op: 2, born: 5, died: NONE, bytes: 10 },
      { op: 3, born: 7, died: 31, bytes: 20 },
      { op: NONE, born: 0, died: NONE, bytes: 40 },
    ]);
    expect(found.survivors.map((one) => [one.fate, one.tensors])).toEqual([["stays", 2], ["freed_later", 1], ["from_outside", 1]]);
    expect(found.growth).toBe(0);
  });

  it("nothing is said of a run that the log ends with", async () => {
    const rank = threeRuns([{ op: 23, born: 47, died: NONE, bytes: 10 }]);
    rank.ops = 3 * OPS_PER_RUN;
    const found = await findSurvivors(rank, "DRAM", SIZES, new Slicer());
    expect(found?.survivors).toEqual([]);
    expect(found?.passes[2].left).toBeNaN();
  });

  it("what is gone when its run ends does not count", async () => {
    expect((await fatesOf([{ op: 2, born: 5, died: 20, bytes: 10 }])).survivors).toEqual([]);
  });
});

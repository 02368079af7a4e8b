import { describe, expect, it } from "vitest";
import { accounted, liveBuffers, LiveSums, LOGICAL, PADDED, TENSORS } from "../pages/mem/data/live";
import { openPage } from "../pages/mem/data/page";
import { BUFFER_MEMORIES, KINDS, NONE } from "../pages/mem/data/rank";
import type { BufferMemory, Buffers, RankData } from "../pages/mem/data/rank";
import { makeFixture, random } from "./fixture";

const SIZES = {
  typeLogical: Float64Array.from([10, 20, 30, 40]),
  typePadded: Float64Array.from([32, 32, 64, 64]),
};

function generated(count: number, ops: number, seed: number): RankData {
  const next = random(seed);
  const u32 = (value: () => number) => Uint32Array.from({ length: count }, value);
  const born = u32(() => Math.floor(next() * 2 * ops));
  const buffers: Buffers = {
    count,
    born,
    died: Uint32Array.from(born, (moment) => (next() < 0.2 ? NONE : moment + Math.floor(next() * 30))),
    type: u32(() => (next() < 0.1 ? NONE : Math.floor(next() * 4))),
    name: u32(() => 0),
    program: u32(() => 0),
    op: u32(() => NONE),
    arg: u32(() => NONE),
    bytes: Float64Array.from({ length: count }, () => Math.floor(next() * 8) * 512),
    memory: Uint8Array.from({ length: count }, () => (next() < 0.3 ? 1 : 0)),
    kind: Uint8Array.from({ length: count }, () => Math.floor(next() * KINDS.length)),
  };
  return { ops, buffers } as RankData;
}

const isLive = ({ born, died }: Buffers, i: number, moment: number) => born[i] <= moment && (died[i] === NONE || moment < died[i]);

/** The sums by looking at every buffer. */
function slowSums(rank: RankData, memory: BufferMemory, moment: number): number[] {
  const { buffers } = rank;
  const sums = new Array<number>(KINDS.length + 3).fill(0);
  for (let i = 0; i < buffers.count; i++) {
    if (!isLive(buffers, i, moment) || BUFFER_MEMORIES[buffers.memory[i]] !== memory) continue;
    sums[buffers.kind[i]] += buffers.bytes[i];
    sums[TENSORS] += 1;
    if (buffers.type[i] === NONE) continue;
    sums[LOGICAL] += SIZES.typeLogical[buffers.type[i]];
    sums[PADDED] += SIZES.typePadded[buffers.type[i]];
  }
  return sums;
}

describe("live set", () => {
  it("sums at every moment agree with a look at every buffer", () => {
    for (let round = 0; round < 6; round++) {
      const rank = generated([0, 1, 30, 64, 200, 400][round], 120, round + 1);
      for (const memory of BUFFER_MEMORIES) {
        const sums = new LiveSums(rank, memory, SIZES);
        for (let moment = 0; moment <= 241; moment++) {
          expect([...sums.at(moment)], `round ${round} ${memory} moment ${moment}`).toEqual(slowSums(rank, memory, moment));
        }
      }
    }
  });

  it("the list holds the live buffers of the memory, largest first", () => {
    const rank = generated(150, 60, 77);
    for (let moment = 0; moment < 120; moment += 7) {
      const list = [...liveBuffers(rank, "DRAM", moment)];
      const expected = [...Array(150).keys()].filter((i) => isLive(rank.buffers, i, moment) && rank.buffers.memory[i] === 0);
      expect([...list].sort((a, b) => a - b)).toEqual(expected);
      for (let i = 1; i < list.length; i++) {
        expect(rank.buffers.bytes[list[i - 1]]).toBeGreaterThanOrEqual(rank.buffers.bytes[list[i]]);
      }
    }
  });

  it("the step functions of whole-tensor bytes end where the sums do", () => {
    const rank = generated(300, 100, 5);
    const sums = new LiveSums(rank, "DRAM", SIZES);
    const end = sums.at(1e9);
    expect(sums.padded[sums.padded.length - 1]).toBe(end[PADDED]);
    expect(sums.logical[sums.logical.length - 1]).toBe(end[LOGICAL]);
  });
});

describe("a page read back", () => {
  it("live bytes equal the measured state before every op", async () => {
    const { header, mem, writer } = makeFixture({ layers: 5, runs: 2 });
    const page = await openPage(header, mem, writer.source);
    const rank = await page.rank(0);
    const sums = new LiveSums(rank, "DRAM", page);
    const figures = rank.points.alloc.DRAM;
    expect(rank.complete).toBe(true);
    expect(figures).toHaveLength(rank.ops);
    for (let op = 0; op < rank.ops; op++) {
      const measured = rank.points.toBytes(figures![op]);
      expect(Math.abs(measured - accounted(sums.at(2 * op)))).toBeLessThan(1049);
    }
  });

  it("texts, strings, modules and missing parts", async () => {
    const { header, mem, writer } = makeFixture();
    const page = await openPage(header, mem, writer.source);
    expect(page.names.get(0)).toBe("ttnn.matmul");
    expect(page.locs.get(5)).toBe("layers.1/attention/out");
    expect(page.names.get(NONE)).toBe("");
    expect((await page.text(1)).text).toContain("ttnn.add");
    expect((await page.text(NONE)).text).toBe("");
    expect((await page.text(999)).text).toBe("");
    expect(await page.allTexts()).toHaveLength(7);
    expect((await page.moduleText(0))[1]).toContain("@main");
    expect((await page.moduleLocs(0)).get("layers.0/attention/q_proj")).toBe(2);
    expect(await page.moduleText(9)).toEqual([]);
  });
});

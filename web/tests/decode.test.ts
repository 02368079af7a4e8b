import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bytesOfBase64, Columns, gunzip, joinI64, joinU32, joinU8, NONE } from "kit/data/decode";
import type { ColumnInfo } from "kit/data/decode";
import { packColumn, packFast, PageWriter } from "./encoder";
import { random } from "./fixture";

/** The obvious decoder: every byte by its place, sums as BigInt. */
function slowDecode(planes: Uint8Array, info: ColumnInfo): number[] {
  const width = { u8: 1, u32: 4, i64: 8 }[info.type];
  const bits = BigInt(8 * width);
  const values: number[] = [];
  let before = 0n;
  for (let i = 0; i < info.count; i++) {
    let value = 0n;
    for (let plane = 0; plane < width; plane++) value += BigInt(planes[plane * info.count + i]) << BigInt(8 * plane);
    if (info.delta) value = BigInt.asUintN(Number(bits), before + value);
    before = value;
    values.push(Number(info.type === "i64" ? BigInt.asIntN(64, value) : value));
  }
  return values;
}

function generated(type: ColumnInfo["type"], count: number, seed: number): number[] {
  const next = random(seed);
  const limit = { u8: 256, u32: 4294967296, i64: 2 ** 50 }[type];
  const scale = [1, 1e-3, 1e-6][seed % 3];
  return Array.from({ length: count }, () => {
    const value = Math.floor(next() * limit * (type === "u8" ? 1 : scale));
    return type === "i64" && next() < 0.4 ? -value : value;
  });
}

const joiners = { u8: joinU8, u32: joinU32, i64: joinI64 };

describe("columns", () => {
  for (const type of ["u8", "u32", "i64"] as const) {
    for (const delta of [false, true]) {
      it(`${type}${delta ? " as differences" : ""}: fast decoder, slow decoder and input agree`, () => {
        for (let round = 0; round < 24; round++) {
          const count = round < 8 ? round : 50 + round * 13;
          const values = generated(type, count, round * 7 + 1);
          const info: ColumnInfo = { type, count, delta };
          const planes = packColumn(values, info);
          expect([...packFast(values, info)]).toEqual([...planes]);
          expect(slowDecode(planes, info)).toEqual(values);
          expect([...joiners[type](planes, count, delta)]).toEqual(values);
        }
      });
    }
  }

  it("decodes at any alignment of the planes", () => {
    for (let shift = 0; shift < 5; shift++) {
      for (let count = 0; count < 9; count++) {
        const values = Array.from({ length: count }, (_, i) => i * 3);
        const planes = packColumn(values, { type: "u32", count });
        const shifted = new Uint8Array(planes.length + shift);
        shifted.set(planes, shift);
        expect([...joinU32(shifted.subarray(shift), count, false)]).toEqual(values);
      }
    }
  });

  it("keeps the largest exact integers and none", () => {
    const values = [0, -1, 1, 2 ** 53 - 1, -(2 ** 53 - 1), 4294967295, 4294967296, -4294967296];
    const info: ColumnInfo = { type: "i64", count: values.length, delta: true };
    expect([...joinI64(packColumn(values, info), values.length, true)]).toEqual(values);
    const indices = [NONE, 0, NONE];
    expect([...joinU32(packColumn(indices, { type: "u32", count: 3, delta: true }), 3, true)]).toEqual(indices);
  });
});

describe("blobs", () => {
  it("unpacks what gzip packed, whatever the size", async () => {
    const next = random(3);
    for (const size of [0, 1, 100, 70_000, 1_000_000]) {
      const bytes = Uint8Array.from({ length: size }, () => next() * 256);
      const unpacked = await gunzip(new Uint8Array(gzipSync(bytes)));
      expect(Buffer.compare(Buffer.from(unpacked), Buffer.from(bytes))).toBe(0);
    }
  });

  it("base64 with and without the built-in decoder", () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    expect([...bytesOfBase64(Buffer.from(bytes).toString("base64"))]).toEqual([...bytes]);
  });

  it("says which column is cut off", async () => {
    const writer = new PageWriter();
    writer.column("r0.op.line", "u32", [1, 2, 3]);
    const columns = new Columns(writer.source, { "r0.op.line": { type: "u32", count: 4 } });
    await expect(columns.u32("r0.op.line")).rejects.toThrow(/column r0.op.line has 12 bytes, not 16/);
  });

  it("says which blob is damaged", async () => {
    const columns = new Columns(() => Buffer.from("not gzip at all, certainly").toString("base64"), {});
    await expect(columns.blob("args")).rejects.toThrow(/the blob args of this page is damaged/);
  });

  it("fills columns that the page lacks", async () => {
    const columns = new Columns(() => null, {});
    expect([...(await columns.u32("r0.op.loc", 2))]).toEqual([NONE, NONE]);
    expect([...(await columns.f64("r0.op.grow.L1", 2))]).toEqual([0, 0]);
    expect(await columns.figures("r0.pt.DRAM.alloc")).toBeUndefined();
    expect(await columns.json("args", [])).toEqual([]);
  });
});

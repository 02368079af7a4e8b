import { describe, expect, it } from "vitest";
import { axisMarks } from "kit/scale";

describe("marks of an axis", () => {
  it("are whole and different where things are counted", () => {
    expect(axisMarks(0, 4, 6, { whole: true })).toEqual([0, 1, 2, 3, 4]);
    expect(axisMarks(0.5, 3.2, 6, { whole: true })).toEqual([1, 2, 3]);
    expect(axisMarks(0, 41, 5, { whole: true })).toEqual([0, 10, 20, 30, 40]);
  });

  it("are no more than wanted, but for the one at the start", () => {
    for (const to of [1, 3, 7, 99, 1e6, 12345678]) {
      for (const wanted of [1, 2, 4.4, 8, 30]) expect(axisMarks(0, to, wanted).length, `${to} ${wanted}`).toBeLessThanOrEqual(wanted + 1);
    }
  });

  it("are several on the axis of a phone", () => {
    expect(axisMarks(0, 320_000, 275 / 62)).toEqual([0, 100_000, 200_000, 300_000]);
  });

  it("do not drift, and a range of nothing has one", () => {
    expect(axisMarks(0, 1, 10)).toContain(1);
    expect(axisMarks(0, 0.9, 9).at(-1)).toBeCloseTo(0.9, 12);
    expect(axisMarks(5, 5, 4)).toEqual([5]);
  });
});

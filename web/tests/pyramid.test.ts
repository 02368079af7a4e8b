import { describe, expect, it } from "vitest";
import { OverviewCurve, PyramidCurve } from "../pages/mem/data/curves";
import { Pyramid } from "../kit/data/pyramid";
import { random } from "./fixture";

interface Steps {
  moments: Uint32Array;
  values: Uint32Array;
}

function steps(count: number, seed: number): Steps {
  const next = random(seed);
  const moments = new Uint32Array(count);
  const values = new Uint32Array(count);
  let moment = Math.floor(next() * 5);
  for (let i = 0; i < count; i++) {
    moments[i] = moment;
    moment += next() < 0.1 ? 0 : next() < 0.05 ? 40 : 1 + Math.floor(next() * 2);
    values[i] = Math.floor(next() * 1000);
  }
  return { moments, values };
}

/** Value at every moment, by looking at all points. */
function valueAt({ moments, values }: Steps, moment: number): number {
  let value = NaN;
  for (let i = 0; i < moments.length; i++) if (moments[i] <= moment) value = values[i];
  return value;
}

/** Lowest and highest over a part of the moments: the value that holds at its start, and every point within. */
function extremes(data: Steps, from: number, to: number, closed: boolean): [number, number] {
  const seen: number[] = [];
  const start = valueAt(data, from);
  if (!Number.isNaN(start)) seen.push(start);
  for (let i = 0; i < data.moments.length; i++) {
    const moment = data.moments[i];
    if (moment > from && (closed ? moment <= to : moment < to)) seen.push(data.values[i]);
  }
  return seen.length === 0 ? [Infinity, -Infinity] : [Math.min(...seen), Math.max(...seen)];
}

describe("pyramid", () => {
  it("has the value of every moment", () => {
    const data = steps(300, 5);
    const pyramid = new Pyramid(data.moments, data.values);
    for (let moment = 0; moment < 700; moment++) expect(pyramid.at(moment)).toEqual(valueAt(data, moment));
  });

  it("range: the extremes of any stretch of points, and where the first highest is", () => {
    const data = steps(1000, 9);
    const pyramid = new Pyramid(data.moments, data.values);
    const next = random(4);
    for (let round = 0; round < 300; round++) {
      const from = Math.floor(next() * 1000);
      const to = from + Math.floor(next() * (1000 - from)) + 1;
      const part = [...data.values.subarray(from, to)];
      const found = pyramid.range(from, to);
      expect(found.low).toBe(Math.min(...part));
      expect(found.high).toBe(Math.max(...part));
      expect(found.highAt).toBe(from + part.indexOf(Math.max(...part)));
    }
  });

  it("query: no column loses its lowest or highest value, at any zoom", () => {
    const next = random(11);
    for (let round = 0; round < 60; round++) {
      const data = steps(1 + Math.floor(next() * 600), round + 1);
      const pyramid = new Pyramid(data.moments, data.values);
      const end = data.moments[data.moments.length - 1] + 10;
      const from = next() * end * 0.8;
      const to = from + 1 + next() * (end - from);
      const columns = 1 + Math.floor(next() * 90);
      const answer = pyramid.query(from, to, columns);
      for (let c = 0; c < columns; c++) {
        const width = (to - from) / columns;
        const start = from + c * width;
        const stop = from + (c + 1) * width;
        const expected = extremes(data, start, stop, c === columns - 1);
        expect([answer.low[c], answer.high[c]], `round ${round} column ${c}`).toEqual(expected);
        if (expected[0] <= expected[1]) expect(data.values[answer.highAt[c]]).toBe(expected[1]);
      }
    }
  });

  it("a spike of one op among a hundred thousand stays, however few the columns", () => {
    const moments = Uint32Array.from({ length: 100_000 }, (_, i) => 2 * i);
    const values = new Uint32Array(100_000).fill(7);
    values[61_234] = 99;
    const pyramid = new Pyramid(moments, values);
    for (const columns of [1, 3, 390, 1200]) {
      const { high } = pyramid.query(0, 200_000, columns);
      expect(Math.max(...high)).toBe(99);
      expect([...high].filter((value) => value === 99)).toHaveLength(1);
    }
  });

  it("is empty without points", () => {
    const { low, high } = new Pyramid(new Uint32Array(0), new Uint32Array(0)).query(0, 10, 2);
    expect(low[0] > high[0]).toBe(true);
  });
});

describe("curves", () => {
  it("between: the extremes from one moment to another", () => {
    const data = steps(400, 21);
    const curve = new PyramidCurve(data.moments, data.values, 1);
    const next = random(2);
    for (let round = 0; round < 100; round++) {
      const from = data.moments[0] + Math.floor(next() * 300);
      const to = from + Math.floor(next() * 300);
      expect(Object.values(curve.between(from, to)).slice(0, 2)).toEqual(extremes(data, from, to, true));
    }
  });

  it("overview: parts map to columns without losing extremes", () => {
    const low = Uint32Array.from([5, 1, 4, 3]);
    const high = Uint32Array.from([6, 9, 4, 8]);
    const curve = new OverviewCurve(low, high, 40, 1);
    expect([...curve.query(0, 40, 4).high]).toEqual([6, 9, 4, 8]);
    expect([...curve.query(0, 40, 2).low]).toEqual([1, 3]);
    expect([...curve.query(0, 40, 8).high]).toEqual([6, 6, 9, 9, 4, 4, 8, 8]);
    expect([curve.lowest, curve.highest]).toEqual([1, 9]);
  });
});

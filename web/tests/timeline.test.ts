import { describe, expect, it } from "vitest";
import type { TimelineData } from "../pages/timeline/data";
import { placeOf } from "../pages/timeline/data";
import { foldedAtFirst, layOut, lineAt, tracksBetween } from "../pages/timeline/lines";
import { findHits, firstEndingBehind, forEachShown, lowerBound, sumsOf, zoneAt } from "../pages/timeline/rows";
import { fragmentOf, readFragment } from "../pages/timeline/state";
import { markText, time } from "../pages/timeline/time";

type Zone = [start: number, length: number, name: number];

/** A timeline of tracks with rows of zones. */
function made(tracks: Zone[][][], groups = [{ name: "g", parent: null as number | null }]): TimelineData {
  const all = tracks.flat(2);
  let first = 0;
  const list = tracks.map((rows, index) => {
    const counts = rows.map((row) => row.length);
    const from = first;
    const stretches = counts.map((count) => ({ first, end: (first += count) }));
    return { name: `track ${index}`, kind: "lane" as const, group: Math.min(index, groups.length - 1), first: from, rows: counts, stretches };
  });
  const texts = ["", "alpha", "beta", "gamma", "id:1024"];
  return {
    header: { first_ns: 0 } as TimelineData["header"],
    span: 1e6,
    groups,
    tracks: list,
    zones: {
      count: all.length,
      start: Float64Array.from(all, (zone) => zone[0]),
      length: Float64Array.from(all, (zone) => zone[1]),
      location: Uint32Array.from(all, (zone) => zone[2]),
      detail: new Uint32Array(all.length),
    },
    plots: [],
    messages: { time: new Float64Array(0), text: new Uint32Array(0), track: new Uint32Array(0) },
    links: { from: new Uint32Array(0), to: new Uint32Array(0) },
    locations: { name: Uint32Array.of(0, 1, 2, 3), file: new Uint32Array(4), line: new Uint32Array(4) },
    details: { text: Uint32Array.of(0), name: Uint32Array.of(0), op: Float64Array.of(-1) },
    texts,
  };
}

function randomRow(count: number): Zone[] {
  const row: Zone[] = [];
  let at = 0;
  let seed = 7;
  const random = (end: number) => (seed = (seed * 48271) % 2147483647) % end;
  for (let i = 0; i < count; i++) {
    at += random(50);
    const length = random(40);
    row.push([at, length, 1 + random(3)]);
    at += length;
  }
  return row;
}

describe("rows of zones", () => {
  const row = randomRow(500);
  const data = made([[row]]);
  const stretch = data.tracks[0].stretches[0];

  it("are searched as the obvious way searches them", () => {
    for (let at = -5; at < 12000; at += 7) {
      const found = row.findIndex(([start, length]) => start + length > at);
      expect(firstEndingBehind(data.zones, 0, 500, at)).toBe(found < 0 ? 500 : found);
    }
  });

  it("show every zone where there is room, and at most two for each pixel where there is not", () => {
    const seen: number[] = [];
    forEachShown(data.zones, stretch, 0, 1e6, 100, (zone) => seen.push(zone));
    expect(seen.length).toBeGreaterThan(480);
    const pixels = new Set<number>();
    let calls = 0;
    forEachShown(data.zones, stretch, 0, 1e6, 0.001, (_, x) => {
      calls++;
      pixels.add(Math.floor(x));
    });
    expect(calls).toBeLessThanOrEqual(2 * pixels.size); // one that reaches into the next pixel is drawn too
    const wanted = new Set(row.map(([start]) => Math.floor(start * 0.001)));
    for (const pixel of pixels) expect(wanted.has(pixel)).toBe(true);
  });

  it("tell the zone at a time", () => {
    row.forEach(([start, length], zone) => {
      if (length > 0) expect(zoneAt(data.zones, stretch, start, 0)).toBe(zone);
    });
    expect(zoneAt(data.zones, stretch, -10, 0)).toBe(null);
  });
});

describe("sums and hits", () => {
  const data = made([[[[0, 100, 1], [100, 50, 2]], [[10, 20, 3]]], [[[0, 10, 1]]]]);

  it("count what lies in a stretch, cut to it", () => {
    const { sums, count } = sumsOf(data, [0], 50, 120);
    expect(count).toBe(2);
    expect(sums).toEqual([
      { name: "alpha", count: 1, total: 50, longest: 100 },
      { name: "beta", count: 1, total: 20, longest: 50 },
    ]);
    expect(sumsOf(data, [0, 1], -1, 1e6).count).toBe(4);
  });

  it("find zones by parts of their names", () => {
    expect([...findHits(data, "A")!.zones]).toEqual([0, 1, 2, 3]);
    expect([...findHits(data, "gam")!.zones]).toEqual([2]);
    expect(findHits(data, " ")).toBe(null);
    expect([...findHits(data, "alpha")!.byTime]).toEqual([0, 3]);
  });

  it("know where a zone is", () => {
    expect(placeOf(data, 2)).toEqual({ track: 0, depth: 1 });
    expect(placeOf(data, 3)).toEqual({ track: 1, depth: 0 });
    expect(lowerBound(Uint32Array.of(2, 4, 4, 9), 4)).toBe(1);
  });
});

describe("lines", () => {
  it("fold with their groups, and cores of a large device begin folded", () => {
    const groups = [{ name: "Device 0", parent: null as number | null }, ...Array.from({ length: 20 }, (_, i) => ({ name: `Core ${i}`, parent: 0 as number | null }))];
    const data = made(groups.map(() => [[[0, 1, 1]] as Zone[]]), groups);
    const open = layOut(data, new Set());
    expect(open.lines.filter((line) => line.kind === "track")).toHaveLength(21);
    const folded = foldedAtFirst(data);
    expect(folded.size).toBe(18);
    const some = layOut(data, folded);
    expect(some.lines.filter((line) => line.kind === "track")).toHaveLength(3);
    expect(some.lines.filter((line) => line.kind === "group")).toHaveLength(21);
    const none = layOut(data, new Set([0]));
    expect(none.lines).toHaveLength(1);
    expect(tracksBetween(data, none.lines, 0, 10)).toHaveLength(21);
    expect(lineAt(open.lines, open.height - 1)?.kind).toBe("track");
    expect(lineAt(open.lines, open.height + 1)).toBe(null);
    open.lines.forEach((line, i) => i > 0 && expect(line.top).toBe(open.lines[i - 1].top + open.lines[i - 1].height));
  });

  it("leave out groups without anything", () => {
    const data = made([[[[0, 1, 1]]]], [{ name: "a", parent: null }, { name: "empty", parent: null }]);
    expect(layOut(data, new Set()).lines.map((line) => line.kind)).toEqual(["group", "track"]);
  });
});

describe("texts", () => {
  it("of times keep the nanosecond", () => {
    expect(time(12)).toBe("12 ns");
    expect(time(3456)).toBe("3.456 µs");
    expect(time(1234567890)).toBe("1.235 s");
    expect(markText(1_500_000, 500_000)).toBe("1.5 ms");
    expect(markText(2_000_000_001, 1)).toBe("2.000000001 s");
  });

  it("of addresses lead back", () => {
    const text = fragmentOf("a b", 7, { from: 10, to: 20.5 });
    expect(readFragment(`#${text}`, 10)).toEqual({ range: { from: 10, to: 20.5 }, zone: 7, find: "a b" });
    expect(readFragment("#zone=99&from=x", 10)).toEqual({ range: null, zone: null, find: "" });
  });
});

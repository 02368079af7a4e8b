import { describe, expect, it } from "vitest";
import { Slicer } from "../kit/slices";
import { fragmentOf, readFragment, readStretches, stretchesText } from "../pages/timeline/address";
import { NameInks, rgbOfName } from "../pages/timeline/colours";
import type { TimelineData } from "../pages/timeline/data";
import { lengthsBefore, nameId, NONE, placeOf, plotsOf } from "../pages/timeline/data";
import { curveOf, foldedAtFirst, layOut, lineAt, speakerOf, tracksBetween } from "../pages/timeline/lines";
import { forEachMark, marksOf, messageAt, signpostTitle } from "../pages/timeline/marks";
import { partsOfOp, rowOfOp } from "../pages/timeline/op_row";
import { coverHits, firstEndingBehind, firstStartingAt, forEachHit, forEachShown, lengthsOf, lowerBound, zoneAt } from "../pages/timeline/rows";
import { setRange, shown } from "../pages/timeline/state";
import { findHits, nextHit, rankOfHit, sumsOf } from "../pages/timeline/sums";
import { markText, momentText, time } from "../pages/timeline/time";

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
  const length = Float64Array.from(all, (zone) => zone[1]);
  return {
    header: { first_ns: 0 } as TimelineData["header"],
    span: 1e6,
    groups,
    tracks: list,
    zones: {
      count: all.length,
      start: Float64Array.from(all, (zone) => zone[0]),
      length,
      busy: length,
      before: lengthsBefore(length),
      location: Uint32Array.from(all, (zone) => zone[2]),
      detail: new Uint32Array(all.length),
    },
    ids: null,
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

  it("tell where zones begin as the obvious way does", () => {
    for (let at = -5; at < 12000; at += 7) {
      const found = row.findIndex(([start]) => start >= at);
      expect(firstStartingAt(data.zones, 0, 500, at)).toBe(found < 0 ? 500 : found);
    }
  });

  it("add up lengths of any stretch by their blocks", () => {
    for (const [from, end] of [[0, 0], [0, 500], [3, 5], [15, 17], [16, 32], [1, 499], [480, 500], [33, 47]]) {
      expect(lengthsOf(data.zones, from, end)).toBe(row.slice(from, end).reduce((sum, zone) => sum + zone[1], 0));
    }
  });

  const shownAt = (scale: number) => {
    const zones: number[] = [];
    const pixels = new Map<number, number>();
    forEachShown(data.zones, stretch, { from: 0, to: 1e6, scale }, { zone: (zone) => zones.push(zone), pixel: (_, x, share) => pixels.set(x, (pixels.get(x) ?? 0) + share) });
    return { zones, pixels };
  };

  it("show every zone where there is room", () => {
    expect(shownAt(100).zones).toEqual(row.flatMap(([, length], zone) => (length > 0 ? [zone] : [])));
  });

  it("show pixels where there is none, each as busy as it is", () => {
    const { zones, pixels } = shownAt(0.001);
    expect(zones).toEqual([]);
    expect(new Set(pixels.keys())).toEqual(new Set(row.map(([start]) => Math.floor(start * 0.001))));
    for (const [pixel, share] of pixels) {
      const busy = row.filter(([start]) => Math.floor(start * 0.001) === pixel).reduce((sum, [, length]) => sum + length, 0);
      expect(share).toBeCloseTo(busy * 0.001, 9);
    }
  });

  it("lose no zone with room of its own among those without", () => {
    const mixed = made([[[[0, 1, 1], [2, 1, 1], [9, 500, 2], [509, 1, 1], [600, 1, 1]]]]);
    const zones: number[] = [];
    forEachShown(mixed.zones, mixed.tracks[0].stretches[0], { from: 0, to: 1000, scale: 0.1 }, { zone: (zone) => zones.push(zone), pixel: () => undefined });
    expect(zones).toEqual([2]);
  });

  it("mark hits at every place that has one, and not each of them", () => {
    const hits = Uint32Array.from(row.flatMap((zone, index) => (zone[2] === 2 ? [index] : [])));
    const near = new Set<number>();
    forEachHit(data.zones, hits, stretch, { from: 0, to: 1e6, scale: 100 }, (x) => near.add(Math.round(x / 100)));
    expect(near).toEqual(new Set([...hits].map((zone) => row[zone][0])));
    let calls = 0;
    forEachHit(data.zones, hits, stretch, { from: 0, to: 1e6, scale: 0.001 }, () => calls++);
    expect(calls).toBeLessThan(44); // two for each of 22 pixels; there are 160 hits
    expect(calls).toBeGreaterThan(5);
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

  it("count what lies in a stretch, cut to it", async () => {
    const { sums, count, total } = await sumsOf(data, { tracks: [0], from: 50, to: 120 }, new Slicer());
    expect([count, total]).toEqual([2, 70]);
    expect(sums).toEqual([
      { name: "alpha", count: 1, total: 50, shortest: 100, longest: 100 },
      { name: "beta", count: 1, total: 20, shortest: 50, longest: 50 },
    ]);
    expect((await sumsOf(data, { tracks: [0, 1], from: -1, to: 1e6 }, new Slicer())).count).toBe(4);
  });

  it("find zones by parts of their names", async () => {
    const found = async (word: string) => findHits(data, word, new Slicer());
    expect([...(await found("A"))!]).toEqual([0, 1, 2, 3]);
    expect([...(await found("gam"))!]).toEqual([2]);
    expect(await found(" ")).toBe(null);
    expect([...(await found("nothing"))!]).toEqual([]);
  });

  it("go through hits in order of time and round the end", () => {
    const hits = Uint32Array.of(0, 2, 3); // at 0, 10 and 0
    expect([null, 0, 3, 2].map((zone) => nextHit(data, hits, zone, 1))).toEqual([0, 3, 2, 0]);
    expect([null, 2, 3, 0].map((zone) => nextHit(data, hits, zone, -1))).toEqual([2, 3, 0, 2]);
    expect([0, 3, 2, 1].map((zone) => rankOfHit(data, hits, zone))).toEqual([1, 2, 3, 0]);
    expect(nextHit(data, new Uint32Array(0), null, 1)).toBe(null);
  });

  it("know where a zone is", () => {
    expect(placeOf(data, 2)).toEqual({ track: 0, depth: 1 });
    expect(placeOf(data, 3)).toEqual({ track: 1, depth: 0 });
    expect(lowerBound(Uint32Array.of(2, 4, 4, 9), 4)).toBe(1);
  });
});

describe("messages", () => {
  const data = made([[[[0, 100, 1]]], [[[0, 100, 1]]]]);
  data.tracks[0].kind = "thread";
  data.messages = { time: Float64Array.of(1, 10, 11, 50, 50), text: Uint32Array.of(1, 2, 1, 2, 1), track: Uint32Array.of(NONE, 1, 1, 0, 1) };

  it("of processors are marked on their lines, what the host says on the axis too", () => {
    const { axis, tracks } = marksOf(data);
    expect([...axis.messages]).toEqual([0, 3]);
    expect([...(tracks.get(1)?.messages ?? [])]).toEqual([1, 2, 4]);
    expect([...(tracks.get(0)?.messages ?? [])]).toEqual([3]);
  });

  it("are found near the pointer, the nearest first", () => {
    const marks = marksOf(data).tracks.get(1);
    expect(messageAt(marks, 10.6, 5)).toBe(2);
    expect(messageAt(marks, 10.4, 5)).toBe(1);
    expect(messageAt(marks, 30, 5)).toBe(null);
    expect(messageAt(marks, 48, 5)).toBe(4);
    expect(messageAt(undefined, 48, 5)).toBe(null);
  });

  it("that cannot be told apart have one mark", () => {
    const times: number[] = [];
    const marks = marksOf(data).tracks.get(1);
    if (marks) forEachMark(marks, { from: 0, to: 100 }, 5, (ns) => times.push(ns));
    expect(times).toEqual([10, 50]);
  });
});

describe("hits of a folded group", () => {
  it("cover the pixels that any of its rows has one in", () => {
    const random = (seed: number) => () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
    const next = random(7);
    const row = (): Zone[] => {
      const zones: Zone[] = [];
      for (let at = next() * 20; at < 1000; at += next() * 60) {
        const length = next() * 12 + 0.1;
        zones.push([at, length, next() < 0.4 ? 1 : 2]);
        at += length;
      }
      return zones;
    };
    const data = made([[row()], [row(), row()], [row()]]);
    const { zones } = data;
    const hits = Uint32Array.from([...Array(zones.count).keys()].filter((zone) => nameId(data, zone) === 1));
    for (const scale of [0.05, 0.3, 2]) {
      const [from, to] = [100, 600];
      const mask = new Uint8Array(Math.ceil((to - from) * scale));
      const expected = new Uint8Array(mask.length);
      for (const track of data.tracks) for (const stretch of track.stretches) coverHits(zones, hits, stretch, { from, to, scale }, mask);
      for (const hit of hits) {
        const first = Math.floor((zones.start[hit] - from) * scale);
        const last = Math.max(first + 1, Math.ceil((zones.start[hit] + zones.length[hit] - from) * scale));
        if (last > 0 && first < mask.length) expected.fill(1, Math.max(0, first), last);
      }
      expect([...mask]).toEqual([...expected]);
    }
  });
});

describe("the pointer", () => {
  it("stays where it is in the picture when the view moves under it", () => {
    setRange(0, 100, 1000);
    shown.set({ cursor: 25, hovered: 3, message: 1 });
    setRange(100, 300, 1000);
    expect(shown.get()).toMatchObject({ from: 100, to: 300, cursor: 150, hovered: null, message: null });
    shown.set({ cursor: null });
  });
});

describe("lines", () => {
  const open0 = { folded: new Set<number>(), flat: new Set<number>(), pinned: [] as string[] };

  it("fold with their groups, and cores of a large device begin folded", () => {
    const groups = [{ name: "Device 0", parent: null as number | null }, ...Array.from({ length: 20 }, (_, i) => ({ name: `Core ${i}`, parent: 0 as number | null }))];
    const data = made(groups.map(() => [[[0, 1, 1]] as Zone[]]), groups);
    const open = layOut(data, open0);
    expect(open.lines.filter((line) => line.kind === "track")).toHaveLength(21);
    const folded = foldedAtFirst(data);
    expect(folded.size).toBe(18);
    const some = layOut(data, { ...open0, folded });
    expect(some.lines.filter((line) => line.kind === "track")).toHaveLength(3);
    expect(some.lines.filter((line) => line.kind === "group")).toHaveLength(21);
    const none = layOut(data, { ...open0, folded: new Set([0]) });
    expect(none.lines).toHaveLength(1);
    expect(tracksBetween(data, none.lines, 0, 10)).toHaveLength(21);
    expect(lineAt(open.lines, open.height - 1)?.kind).toBe("track");
    expect(lineAt(open.lines, open.height + 1)).toBe(null);
    open.lines.forEach((line, i) => i > 0 && expect(line.top).toBe(open.lines[i - 1].top + open.lines[i - 1].height));
  });

  it("show one row of a track that is flat, and stand above where they are pinned", () => {
    const data = made([[[[0, 10, 1]], [[1, 2, 2]], [[1, 1, 3]]], [[[0, 5, 1]]]]);
    const tall = layOut(data, open0);
    const flat = layOut(data, { ...open0, flat: new Set([0]), pinned: ["t1", "t0"] });
    expect(tall.height - flat.height).toBe(34);
    expect(flat.pinned.map((line) => [line.kind, line.index, line.top])).toEqual([["track", 1, 0], ["track", 0, 21]]);
    expect(flat.pinnedHeight).toBe(42);
  });

  it("of a folded group show its ops", () => {
    const data = made([[[]], [[[0, 1, 1]]], [[[0, 1, 1]]]]);
    data.tracks[2].kind = "ops";
    expect(speakerOf(data, 0)).toBe(2);
    expect(speakerOf(made([[[]]]), 0)).toBe(-1);
  });

  it("of curves stand above those of devices", () => {
    const data = made([[[[0, 1, 1]]]], [{ name: "Device 0", parent: null }, { name: "Memory", parent: null }]);
    data.plots.push({ ...plotsOf([{ name: "DRAM", unit: "bytes", derived: true, group: 1, points: 1 }], Float64Array.of(0), Float64Array.of(1))[0] });
    expect(layOut(data, open0).lines.map((line) => `${line.kind} ${line.index}`)).toEqual(["group 1", "plot 0", "group 0", "track 0"]);
  });

  it("leave out groups without anything", () => {
    const data = made([[[[0, 1, 1]]]], [{ name: "a", parent: null }, { name: "empty", parent: null }]);
    expect(layOut(data, open0).lines.map((line) => line.kind)).toEqual(["group", "track"]);
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
    const sizes = { zones: 10, tracks: 8, groups: 6, plots: 1, messages: 5 };
    const atFirst = new Set([1, 2]);
    const chosen = { zone: 7, message: 4, area: { from: 1, to: 2.5, tracks: [0, 1, 2, 5] }, mark: { from: 3, to: 4 }, find: "a b&c", folded: new Set([2, 4]), flat: new Set([3]), pinned: ["t2", "p0"] };
    const text = fragmentOf({ from: 10, to: 20.5, scroll: 33 }, chosen, atFirst, 100);
    expect(readFragment(`#${text}`, sizes)).toEqual({ range: { from: 10, to: 20.5 }, scroll: 33, zone: 7, message: 4, area: chosen.area, mark: chosen.mark, find: "a b&c", turned: [1, 4], flat: [3], pinned: ["t2", "p0"] });
    const nothing = { range: null, scroll: 0, zone: null, message: null, area: null, mark: null, find: "", turned: [], flat: [], pinned: [] };
    expect(readFragment("#zone=99&message=5&from=x&pin=t8.p1.q.t1e9&area=1_2_9&mark=_&fold=9-7.x&flat=8&scroll=-4", sizes)).toEqual(nothing);
    expect(readFragment("#fold=0-999999999", sizes).turned).toHaveLength(6);
  });

  it("of many numbers are short", () => {
    expect(stretchesText([9, 0, 1, 2, 7, 10])).toBe("0-2.7.9-10");
    expect(readStretches("0-2.7.9-10", 10)).toEqual([0, 1, 2, 7, 9]);
  });

  it("have the colour of their name, in pixels and in words", () => {
    const inks = new NameInks(["", "alpha", "\u202ehostile"], true);
    const [red, green, blue] = rgbOfName("alpha", true);
    expect(inks.css(1)).toBe(`rgb(${red} ${green} ${blue})`);
    expect(inks.pixel(1)).toBe((0xff000000 | (blue << 16) | (green << 8) | red) >>> 0);
    expect(inks.text(2)).not.toContain("\u202e");
  });
});

describe("plots", () => {
  it("are stretches of one column", () => {
    const head = { name: "used", unit: "bytes" as const, derived: true, group: null };
    const plots = plotsOf([{ ...head, points: 2 }, { ...head, points: 0 }, { ...head, points: 1 }], Float64Array.of(0, 5, 3), Float64Array.of(1.5, -2, 7));
    expect(plots.map((plot) => [...plot.values])).toEqual([[1.5, -2], [], [7]]);
    expect(plots[0].pyramid.at(4)).toBe(1.5);
  });
});

describe("ops", () => {
  it("have their parts on devices and the row that the host wrote", () => {
    const data = made([[[[0, 4, 1]]], [[[10, 5, 2], [20, 5, 2]]]]);
    data.tracks[0].kind = "thread";
    data.tracks[1].kind = "ops";
    data.details = { text: new Uint32Array(2), name: new Uint32Array(2), op: Float64Array.of(-1, 1024) };
    data.zones.detail[1] = 1;
    data.links = { from: Uint32Array.of(0), to: Uint32Array.of(1) };
    expect(partsOfOp(data, 1024)).toEqual([{ zone: 1, sender: 0 }]);
    data.texts.push('`TT_DNN_DEVICE_OP: "M", 1 ->\n{"global_call_count": 10245, "op_code": "N"}`', '`TT_DNN_DEVICE_OP: "M", 1 ->\n{"attributes": {"t": "x"}, "global_call_count": 1024, "input_tensors": []}`');
    data.messages = { time: Float64Array.of(0, 0), text: Uint32Array.of(5, 6), track: new Uint32Array(2) };
    expect(rowOfOp(data, 1024)).toEqual([{ name: "attributes.t", text: "x" }, { name: "global_call_count", text: "1024" }]);
    expect(rowOfOp(data, 7)).toEqual([]);
  });
});

describe("signposts", () => {
  it("are told from other messages by their mark, and called by their first line", () => {
    expect(signpostTitle("`TT_SIGNPOST: Measure\nten runs`")).toBe("Measure");
    expect(signpostTitle("`TT_SIGNPOST: Warmup`")).toBe("Warmup");
    expect(signpostTitle("TT_SIGNPOST: a")).toBe("a");
    expect(signpostTitle("`TT_DNN_DEVICE_OP: \"TT_SIGNPOST\"")).toBeNull();
    const data = made([[[[0, 10, 1]]]]);
    data.texts = ["", "`TT_SIGNPOST: x`", "y"];
    data.messages = { time: Float64Array.of(1, 2, 3), text: Uint32Array.of(2, 1, 2), track: Uint32Array.of(NONE, NONE, NONE) };
    expect(marksOf(data).signposts).toEqual([{ time: 2, title: "x" }]);
  });
});

describe("moments", () => {
  it("were told to the microsecond where a pixel is a nanosecond", () => {
    expect(momentText(5_982_555, 1)).toBe("5.982555 ms");
    expect(momentText(5_982_555, 100)).toBe("5.9826 ms");
    expect(momentText(7_128_000_123, 1)).toBe("7.128000123 s");
    expect(momentText(5_982_555, 63_000)).toBe("6.0 ms");
  });
});

describe("folded groups", () => {
  it("of curves alone showed nothing", () => {
    const data = made([[[[0, 10, 1]]]], [{ name: "g", parent: null }, { name: "memory", parent: null }]);
    const plot = { name: "DRAM", unit: "bytes", group: 1 } as TimelineData["plots"][number];
    data.plots = [plot];
    expect(curveOf(data, 1)).toBe(plot);
    expect(curveOf(data, 0)).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import { NONE } from "kit/data/decode";
import { readDocument } from "../pages/graph/data";
import type { StoredDocument } from "../pages/graph/data";
import { binaryRange, firstFit, fragmentOf, holesAt, liveAt, mapView, moved, placeRange, usualView, viewOf, zoomed } from "../pages/graph/model";
import type { Blocks, GraphDocument, Segment } from "../pages/graph/model";
import { PageWriter } from "./encoder";

type Row = { memory?: number; address: number; size: number; from: number; to: number; device?: number; binary?: number };

function segmentOf(rows: Row[]): Segment {
  const column = (get: (row: Row, i: number) => number) => rows.map(get);
  const blocks: Blocks = {
    memory: column((row) => row.memory ?? 0),
    program: column(() => 0),
    address: column((row) => row.address),
    size: column((row) => row.size),
    whole: column((row) => row.size),
    from: column((row) => row.from),
    to: column((row) => row.to),
    device: column((row) => row.device ?? 0),
    title: column((_, i) => i),
    call: column(() => -1),
    part: column(() => 0),
    binary: column((row) => row.binary ?? 0),
    older: column(() => 0),
  };
  return {
    name: "s", file: 0, nodes: 100, mode: "NORMAL",
    dram: { peak: 1, allocations: 1, deallocations: 0, node: 7, call: "" },
    l1: { peak: 0, cb: 0, buffers: 0, node: -1, call: "" },
    joined: { dram: 1, dram_before: 0, l1_before: 0, part: [], bytes: [], buffers: [] },
    notes: [], devices: [], curve: { nodes: [], dram: [], l1: [] }, all_blocks: rows.length, blocks,
    all_calls: 0, calls: { name: [], level: [], start: [], end: [], allocated: [], freed: [], l1: [], cb: [], ns: [] },
    groups: { name: [], calls: [], allocated: [], freed: [], l1: [], cb: [], ns: [] },
    texts: rows.map((_, i) => `b${i}`),
  };
}

describe("holes", () => {
  const view = mapView(
    segmentOf([
      { address: 10, size: 10, from: 0, to: 50 },
      { address: 20, size: 10, from: 0, to: 30 },
      { address: 30, size: 5, from: 0, to: 50 },
      { address: 100, size: 5, from: 0, to: 50 },
      { address: 12, size: 2, from: 0, to: 50 },
      { memory: 1, address: 1, size: 5, from: 0, to: 50 },
    ]),
    "dram",
    null,
  );

  it("lie between live blocks of the memory, largest first", () => {
    expect(holesAt(view, 40)).toEqual([
      { from: 35, to: 100, below: 2, above: 3 },
      { from: 20, to: 30, below: 0, above: 2 },
    ]);
    expect(holesAt(view, 10)).toEqual([{ from: 35, to: 100, below: 2, above: 3 }]);
    expect(holesAt(view, 60)).toEqual([]);
  });

  it("leave together with the live blocks the whole range", () => {
    for (const node of [0, 10, 29, 30, 40, 49]) {
      const covered = new Set<number>();
      for (const i of liveAt(view, node)) {
        for (let at = view.places[i]; at < view.places[i] + view.segment.blocks.size[view.rows[i]]; at++) covered.add(at);
      }
      for (const hole of holesAt(view, node)) {
        for (let at = hole.from; at < hole.to; at++) {
          expect(covered.has(at)).toBe(false);
          covered.add(at);
        }
      }
      expect(covered.size).toBe(105 - 10);
    }
    expect(placeRange(view, 0, 100)).toEqual([10, 105]);
  });
});

describe("places of captures without addresses", () => {
  it("are the lowest that are free", () => {
    const { blocks } = segmentOf([
      { address: 0, size: 10, from: 0, to: 5 },
      { address: 0, size: 4, from: 1, to: 9 },
      { address: 0, size: 6, from: 6, to: 9 },
      { address: 0, size: 6, from: 7, to: 9 },
    ]);
    expect(firstFit(blocks, [0, 1, 2, 3])).toEqual([0, 10, 0, 14]);
  });

  it("never let two live blocks overlap", () => {
    let state = 1;
    const below = (limit: number) => (state = (state * 48271) % 2147483647) % limit;
    const rows = Array.from({ length: 200 }, () => {
      const from = below(500);
      return { address: 0, size: 1 + below(50), from, to: from + 1 + below(100) };
    });
    const view = mapView(segmentOf(rows), "dram", null);
    expect(view.modelled).toBe(true);
    for (let node = 0; node < 600; node += 7) {
      let reached = 0;
      for (const i of liveAt(view, node)) {
        expect(view.places[i]).toBeGreaterThanOrEqual(reached);
        reached = view.places[i] + rows[i].size;
      }
    }
  });
});

describe("the fragment", () => {
  const peak = { bytes: 1, segment: 1, node: 7, call: "", live: 0, older_freed: 0 };
  const doc: GraphDocument = {
    name: "", tool_version: "", generated: "", accounting: "corrected", files: [""], parts_by: "segment", joined: true, parts: [],
    dram_peak: peak, l1_peak: peak, all_owners: 0, owners: [], findings: [], segments: [segmentOf([]), segmentOf([])], fit: null,
  };

  it("that names nothing opens the overall peak", () => {
    expect(viewOf("", doc)).toEqual({ segment: 1, memory: "dram", device: null, node: 7 });
  });

  it("brings the view back", () => {
    const view = { segment: 1, memory: "l1" as const, device: 3, node: 44 };
    expect(viewOf(`#${fragmentOf(view)}`, doc)).toEqual(view);
  });
  it("that names what is not there is taken as far as it goes", () => {
    expect(viewOf("#segment=9&memory=x&node=1e9&device=-1", doc)).toEqual({ ...usualView(doc, 1), device: null });
    expect(viewOf("#node=5000", doc).node).toBe(99);
  });
});

describe("binaries", () => {
  const view = mapView(
    segmentOf([
      { address: 10, size: 10, from: 0, to: 50 },
      { address: 1_000_000, size: 10, from: 0, to: 50, binary: 1 },
    ]),
    "dram",
    null,
  );

  it("are kept apart: no hole up to them, and no place in the range", () => {
    expect(view.rows).toEqual([0]);
    expect(view.binaries).toEqual([1]);
    expect(holesAt(view, 5)).toEqual([]);
    expect(placeRange(view, 0, 100)).toEqual([10, 20]);
    expect(binaryRange(view)).toEqual([1_000_000, 1_000_010]);
  });
});

describe("zooming a range", () => {
  it("keeps what is under the pointer, and stays inside of the whole", () => {
    expect(zoomed([0, 100], [0, 100], 0.5, 50, 8)).toEqual([25, 75]);
    expect(zoomed([25, 75], [0, 100], 4, 30, 8)).toEqual([0, 100]);
    expect(zoomed([0, 100], [0, 100], 0.01, 0, 8)).toEqual([0, 8]);
    expect(moved([25, 75], [0, 100], 1000)).toEqual([50, 100]);
  });
});

describe("what a page stores", () => {
  const writer = new PageWriter();
  writer.strings("buffer.name", ["weight", "input", "weight"]);
  writer.column("buffer.in_dram", "u8", [1, 0, 1]);
  writer.column("buffer.address", "i64", [4096, 0, 4096]);
  writer.column("buffer.bank", "i64", [10, 20, 10]);
  writer.column("buffer.whole", "i64", [120, 20, 120]);
  writer.column("buffer.device", "i64", [0, 1, 0]);
  writer.column("buffer.from", "u32", [3, 4, 3]);
  writer.column("buffer.to", "u32", [50, 9, 7]);
  writer.column("buffer.maker", "u32", [5, NONE, 5]);
  writer.column("buffer.part", "u32", [1, 0, 1]);
  writer.column("buffer.marks", "u8", [0, 2, 1]);
  writer.column("maker.op", "u32", [5], true);
  writer.strings("maker.path", ["outer > inner"]);
  writer.strings("program.kind", ["circular buffer"]);
  writer.strings("program.cores", ["{[0-0 - 7-7]}"]);
  writer.column("program.address", "i64", [100]);
  writer.column("program.bytes", "i64", [64]);
  writer.column("program.device", "i64", [2]);
  writer.column("program.from", "u32", [1]);
  writer.column("program.to", "u32", [NONE]);
  writer.strings("call.name", ["outer", "outer"]);
  writer.column("call.level", "u8", [1, 2]);
  writer.column("call.start", "u32", [0, 2], true);
  writer.column("call.end", "u32", [8, NONE]);
  for (const name of ["allocated", "freed", "l1", "cb", "ns"]) writer.column(`call.${name}`, "i64", [1, 2]);
  const groups = { name: ["outer"], calls: [1], allocated: [1], freed: [1], l1: [1], cb: [1], ns: [1] };
  const { blocks: _, calls: __, texts: ___, ...plain } = segmentOf([]);
  const stored = (counts: number[], allBlocks: number) =>
    ({
      segments: [
        { ...plain, groups, buffers: counts[0], programs: 0, calls: 1, all_blocks: counts[0] },
        { ...plain, groups, buffers: 3 - counts[0], programs: 1, calls: 1, all_blocks: allBlocks },
      ],
      columns: writer.columns,
    }) as unknown as StoredDocument;

  it("are the rows of segment after segment", async () => {
    const { segments } = await readDocument(stored([2], 2), writer.source);
    const [first, second] = segments;
    expect(first.blocks.memory).toEqual([0, 1]);
    expect(first.blocks.binary).toEqual([0, 1]);
    expect(first.blocks.call.map((call) => first.texts[call])).toEqual(["outer > inner", undefined]);
    expect(first.calls.end).toEqual([8]);
    expect(first.texts[first.groups.name[0]]).toBe("outer");
    expect(second.blocks.program).toEqual([0, 1]);
    expect(second.blocks.title.map((title) => second.texts[title])).toEqual(["weight", "circular buffer {[0-0 - 7-7]}"]);
    expect(second.blocks.older).toEqual([1, 0]);
    expect(second.blocks.from).toEqual([0, 1]); // what is older is there from the start
    expect(second.blocks.to).toEqual([7, 100]); // what nothing releases lives to the end
    expect(second.blocks.call).toEqual([-1, -1]); // its call is one of the segment before
    expect(second.calls.start).toEqual([2]);
    expect(second.calls.end).toEqual([100]);
  });

  it("are put in order where the smallest blocks were left out", async () => {
    const [, second] = (await readDocument(stored([1], 5), writer.source)).segments;
    expect(second.blocks.from).toEqual([0, 1, 4]);
    expect(second.blocks.program).toEqual([0, 1, 0]);
  });
});

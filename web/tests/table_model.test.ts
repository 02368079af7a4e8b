// The ops table without its looks: sort, filter, search, columns, CSV, markdown, scrolling.
import { beforeAll, describe, expect, test } from "vitest";
import { openPage } from "../pages/mem/data/page";
import type { Page } from "../pages/mem/data/page";
import { FLAG_COUNTED } from "../pages/mem/data/rank";
import type { RankData } from "../pages/mem/data/rank";
import { findAll, nextHit, placeOfHit } from "../pages/mem/panels/search";
import { Cancelled, Latest, Slicer } from "kit/slices";
import { makeColumns } from "../pages/mem/panels/ops/columns";
import type { Column } from "../pages/mem/panels/ops/columns";
import { csvCell, csvHead, csvLines, markdownTable, markdownText } from "kit/table/export";
import { filterFromText, filterToText, NO_FILTER, numberCondition, textCondition } from "../pages/mem/panels/ops/filter";
import { columnsToText, nextSort, sheetOf, shownColumns, sortFromText, sortToText, tableRows, unreadable } from "../pages/mem/panels/ops/model";
import type { RowRequest } from "../pages/mem/panels/ops/model";
import { alphabeticRanks, sortRows } from "kit/table/radix";
import { lastTop, MAX_SCROLL_HEIGHT, scrollHeight, scrollOfTop, topOfScroll, topToShow } from "kit/table/scroll";
import { makeFixture, random } from "./fixture";

let page: Page;
let rank: RankData;
let columns: Column[];

beforeAll(async () => {
  const fixture = makeFixture();
  page = await openPage(fixture.header, fixture.mem, fixture.writer.source);
  rank = await page.rank(0);
  columns = makeColumns(page, rank);
});

function column(id: string): Column {
  const found = columns.find((one) => one.id === id);
  if (!found) throw new Error(`no column ${id}`);
  return found;
}

function request(changes: Partial<RowRequest>): RowRequest {
  return { rank, columns, filter: NO_FILTER, sort: { column: "op", descending: false }, range: null, hits: null, ...changes };
}

describe("sorting", () => {
  test.each(["whole", "mixed", "negative", "equal"])("agrees with the plain sort: %s", async (what) => {
    const next = random(11);
    const value = {
      whole: () => Math.floor(next() * 1e6),
      mixed: () => (next() - 0.5) * 1e12,
      negative: () => -Math.floor(next() * 50),
      equal: () => 3,
    };
    const values = Array.from({ length: 70_001 }, value[what as keyof typeof value]);
    const rows = Uint32Array.from(values, (_, i) => i);
    for (const descending of [false, true]) {
      const sorted = await sortRows(rows, (row) => values[row], descending, new Slicer());
      const sign = descending ? -1 : 1;
      const plain = [...rows].sort((a, b) => sign * (values[a] - values[b]) || a - b);
      expect([...sorted]).toEqual(plain);
    }
  });

  test("unknown values come last in both directions, -0 is 0", async () => {
    const values = [2, NaN, -0, 0, -5, NaN, 1e300, -1e-300];
    const rows = Uint32Array.from(values, (_, i) => i);
    expect([...(await sortRows(rows, (row) => values[row], false, new Slicer()))]).toEqual([4, 7, 2, 3, 0, 6, 1, 5]);
    expect([...(await sortRows(rows, (row) => values[row], true, new Slicer()))]).toEqual([6, 0, 2, 3, 7, 4, 1, 5]);
  });

  test("alphabetic ranks over several chunks, capitals do not matter, equal texts share a rank", async () => {
    const next = random(3);
    const texts = Array.from({ length: 9000 }, () => `${next() < 0.5 ? "L" : "l"}ayer.${Math.floor(next() * 500)}`);
    const ranks = await alphabeticRanks(texts.length, (id) => texts[id], new Slicer());
    const order = [...new Set(texts.map((text) => text.toLowerCase()))].sort();
    expect([...ranks]).toEqual(texts.map((text) => order.indexOf(text.toLowerCase())));
  });

  test("every column sorts as its key says", async () => {
    for (const one of columns) {
      const rows = await tableRows(request({ sort: { column: one.id, descending: true } }), new Slicer());
      const keys = [...rows].map((op) => one.key(op)).filter((key) => !Number.isNaN(key));
      for (let i = 1; i < keys.length; i++) expect(keys[i - 1], `column ${one.id}`).toBeGreaterThanOrEqual(keys[i]);
    }
  });

  test("a text column is in alphabetical order", async () => {
    const rows = await tableRows(request({ sort: { column: "loc", descending: false } }), new Slicer());
    const texts = [...rows].map((op) => column("loc").text(op));
    expect(texts).toEqual([...texts].sort());
  });

  test("one click sorts figures downwards and texts upwards, the next turns round", () => {
    const first = nextSort({ column: "op", descending: false }, column("dram.grow"));
    expect(first).toEqual({ column: "dram.grow", descending: true });
    expect(nextSort(first, column("dram.grow")).descending).toBe(false);
    expect(nextSort(first, column("name")).descending).toBe(false);
    for (const text of ["", "-dram.grow", "name", "-op"]) expect(sortToText(sortFromText(text))).toBe(text);
  });
});

describe("filtering", () => {
  test("counted ops only by default", async () => {
    const rows = await tableRows(request({}), new Slicer());
    expect(rows.length).toBe(rank.header.counted_ops);
    expect([...rows].every((op) => rank.flags[op] & FLAG_COUNTED)).toBe(true);
    const all = await tableRows(request({ filter: { ...NO_FILTER, counted: false } }), new Slicer());
    expect(all.length).toBe(rank.ops);
  });

  test("by texts, figures, range and hits together", async () => {
    const filter = { ...NO_FILTER, counted: false, hits: true, text: { name: "MATMUL", "dram.grow": "> 0" } };
    const hits = new Uint8Array(rank.ops).fill(1, 0, 300);
    const rows = await tableRows(request({ filter, range: [100, 260.5], hits }), new Slicer());
    const wanted: number[] = [];
    for (let op = 100; op < 261; op++) if (column("name").text(op).includes("matmul") && rank.grow.DRAM[op] > 0) wanted.push(op);
    expect([...rows]).toEqual(wanted);
    expect(wanted.length).toBeGreaterThan(3);
  });

  test("a filter that cannot be read filters nothing and is named", async () => {
    const filter = { ...NO_FILTER, text: { dram: "much" } };
    expect([...unreadable(columns, filter)]).toEqual(["dram"]);
    expect((await tableRows(request({ filter }), new Slicer())).length).toBe(rank.header.counted_ops);
  });

  test("text conditions", () => {
    expect(textCondition("layers.0 q_PROJ")("model/Layers.0/q_proj")).toBe(true);
    expect(textCondition("layers -mlp")("layers.0/mlp/fc1")).toBe(false);
    expect(textCondition("  ")("anything")).toBe(true);
  });

  test.each([
    ["> 1.5", 2, true],
    ["> 1.5", 1.5, false],
    ["<=3", 3, true],
    ["2 .. 4", 3, true],
    ["2 to 4", 4.1, false],
    ["= 7", 7, true],
    ["!= 7", 7, false],
    ["5", 5, true],
    ["5", 4, false],
    ["-1", 0, true],
    ["1e3", 999, false],
  ] as const)("number condition %s of %d", (pattern, value, wanted) => {
    expect(numberCondition(pattern, 1048576)?.(value * 1048576)).toBe(wanted);
  });

  test("number conditions that cannot be read", () => {
    for (const pattern of ["much", ">", "1..", "..2", "1.2.3", "> x"]) expect(numberCondition(pattern, 1)).toBeNull();
  });

  test("the URL form comes back", () => {
    const filter = { counted: false, range: false, hits: true, text: { loc: "a&b=c d", "dram.grow": "> 1" } };
    expect(filterFromText(filterToText(filter))).toEqual(filter);
    expect(filterToText(NO_FILTER)).toBe("");
    expect(filterFromText("")).toEqual(NO_FILTER);
  });
});

describe("columns", () => {
  test("chosen ones in table order, never none", () => {
    expect(shownColumns(columns, "loc,op").map((one) => one.id)).toEqual(["op", "loc"]);
    expect(shownColumns(columns, "nonsense").length).toBeGreaterThan(3);
    const usual = shownColumns(columns, "");
    expect(columnsToText(columns, usual)).toBe("");
    expect(columnsToText(columns, usual.slice(0, 2))).toBe("op,name");
  });

  test("memory after an op is what the next memory line shows", () => {
    for (const op of [0, 5, 100, rank.ops - 2]) expect(column("dram.after").key(op)).toBe(column("dram").key(op + 1));
    expect(column("dram.after").text(rank.ops - 1)).toBe("");
  });
});

describe("search", () => {
  test("finds names, locations, programs and texts, and walks round", async () => {
    const hits = await findAll(page, rank, "layers.3/ q_proj", new Slicer());
    const wanted = Array.from({ length: rank.ops }, (_, op) => op).filter(
      (op) => page.locs.get(rank.loc[op]) === "layers.3/attention/q_proj",
    );
    expect(hits.count).toBe(wanted.length);
    expect(nextHit(hits, null, false)).toBe(wanted[0]);
    expect(nextHit(hits, wanted[0], false)).toBe(wanted[1]);
    expect(nextHit(hits, wanted[0], true)).toBe(wanted[wanted.length - 1]);
    expect(nextHit(hits, wanted[wanted.length - 1], false)).toBe(wanted[0]);
    expect(placeOfHit(hits, wanted[1])).toBe(2);
    expect((await findAll(page, rank, "main_const", new Slicer())).count).toBeGreaterThan(0);
    expect((await findAll(page, rank, '"ttnn.gelu"(%0)', new Slicer())).count).toBeGreaterThan(0);
    expect(nextHit(await findAll(page, rank, "nowhere", new Slicer()), 3, false)).toBeNull();
  });

  test("#op and :line go straight to an op", async () => {
    expect(nextHit(await findAll(page, rank, "#17", new Slicer()), null, false)).toBe(17);
    expect(nextHit(await findAll(page, rank, `:${rank.line[40] + 2}`, new Slicer()), null, false)).toBe(40);
  });
});

describe("giving out", () => {
  test("CSV: quotes, and nothing that a spreadsheet would run", () => {
    expect(csvCell('a "b", c')).toBe('"a ""b"", c"');
    for (const formula of ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1"])
      expect(csvCell(formula).replace(/^"/, "").startsWith("'")).toBe(true);
    expect(csvCell(-5)).toBe("-5");
    expect(csvCell(null)).toBe("");
    expect(csvCell(NaN)).toBe("");
  });

  test("CSV: exact bytes under titles that say the unit", () => {
    const sheet = sheetOf([column("op"), column("name"), column("dram.grow")], true);
    expect(csvHead(sheet)).toBe("op,name,dram_own_growth_bytes_per_bank\r\n");
    expect(csvLines(sheet, Uint32Array.of(3, 4), 0, 1)).toBe(`3,${column("name").text(3)},${rank.grow.DRAM[3]}\r\n`);
  });

  test("markdown: a table whose cells stay cells", () => {
    expect(markdownText("a|b <b> `c` *d* [e](f)")).toBe("a\\|b \\<b\\> \\`c\\` \\*d\\* \\[e\\](f)");
    const text = markdownTable(sheetOf([column("op"), column("name")], false), [3]);
    expect(text.split("\n").slice(0, 2)).toEqual(["| Op | Operation |", "| ---: | --- |"]);
    expect(text.split("\n")[2]).toBe(`| 3 | ${markdownText(column("name").text(3))} |`);
  });
});

describe("scrolling", () => {
  const shape = { rows: 2_000_000, rowHeight: 26, viewHeight: 520 };

  test("every row can be reached though the element is lower than all rows", () => {
    expect(scrollHeight(shape)).toBe(MAX_SCROLL_HEIGHT);
    expect(topOfScroll(shape, 0)).toBe(0);
    expect(topOfScroll(shape, MAX_SCROLL_HEIGHT - shape.viewHeight)).toBe(lastTop(shape));
    expect(lastTop(shape)).toBe(2_000_000 - 20);
    for (const top of [0, 1, 123_456.5, 1_999_980]) expect(topOfScroll(shape, scrollOfTop(shape, top))).toBeCloseTo(top, 3);
  });

  test("short tables scroll pixel by pixel", () => {
    const short = { rows: 100, rowHeight: 26, viewHeight: 520 };
    expect(scrollHeight(short)).toBe(2600);
    expect(topOfScroll(short, 26)).toBeCloseTo(1);
    expect(topOfScroll({ ...short, rows: 3 }, 50)).toBe(0);
  });

  test("brings a row into view", () => {
    expect(topToShow(shape, 100, 110, true)).toBe(100);
    expect(topToShow(shape, 100, 500, true)).toBe(490);
    expect(topToShow(shape, 100, 120, false)).toBe(101);
    expect(topToShow(shape, 100, 99, false)).toBe(99);
    expect(topToShow(shape, 0, 1_999_999, true)).toBe(1_999_980);
  });
});

describe("slices", () => {
  test("a newer job stops the one before", async () => {
    const latest = new Latest();
    const seen: string[] = [];
    const slow = latest.run(
      async (slicer) => {
        for (let i = 0; i < 1000; i++) await slicer.turn();
        return "old";
      },
      (text) => seen.push(text),
    );
    await latest.run(
      () => Promise.resolve("new"),
      (text) => seen.push(text),
    );
    await slow;
    expect(seen).toEqual(["new"]);
  });

  test("a cancelled slicer throws at its next turn", async () => {
    const slicer = new Slicer();
    slicer.cancel();
    await expect(slicer.turn()).rejects.toBeInstanceOf(Cancelled);
  });
});

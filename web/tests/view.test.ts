import { describe, expect, it } from "vitest";
import { bandAt, bandsOf, visitBands } from "../pages/mem/data/bands";
import { NONE } from "../pages/mem/data/rank";
import type { Programs } from "../pages/mem/data/rank";
import { bytes, count, mib, percent, shortened, signed, visible, visibleLines } from "kit/format";
import { fromFragment, setUsualRank, store, toFragment } from "../pages/mem/state";
import type { View } from "../pages/mem/state";
import { clampRange, panRange, zoomRange } from "../pages/mem/viewport";

describe("the view in the URL", () => {
  const ops = () => 1000;

  it("comes back as it was", () => {
    const view: View = {
      ...store.get(), rank: 1, overlay: true, memory: "L1", scale: "changes", from: 12.5, to: 300.25, op: 77, moment: 154, range: [10, 20],
      query: "matmul & <b>#=~", section: "ops", theme: "dark", sort: "-grow", columns: "a,b", filter: "name~x&y", module: 3, line: 17,
    };
    expect(fromFragment(`#${toFragment(view, 1000)}`, ops, 2)).toEqual(view);
  });

  it("is empty for the usual view", () => {
    expect(toFragment(fromFragment("", ops, 1), 1000)).toBe("");
  });

  it("a link without a rank means the main one; rank 0 is named when it is not", () => {
    setUsualRank(2);
    const main = fromFragment("", ops, 3);
    expect(main.rank).toBe(2);
    expect(toFragment(main, 1000)).toBe("");
    expect(toFragment({ ...main, rank: 0 }, 1000)).toBe("rank=0");
    setUsualRank(0);
  });

  it("takes nothing from a damaged fragment that would break the page", () => {
    const hostile = "#rank=99&mem=__proto__&view=9e99~-1&op=-5&moment=1e9&range=b~a&at=constructor&theme=%00&scale=x&module=1.5&line=NaN";
    const view = fromFragment(hostile, ops, 2);
    expect(view).toEqual({ ...fromFragment("", ops, 2), rank: 1 });
    expect(fromFragment("#view=5~900000&op=1000", ops, 1)).toMatchObject({ from: 5, to: 1000, op: null });
  });
});

describe("the visible range", () => {
  it("zooms about the cursor, which stays where it is", () => {
    const [from, to] = zoomRange([0, 100], 25, 0.5, 1000);
    expect([from, to]).toEqual([12.5, 62.5]);
    expect((25 - from) / (to - from)).toBeCloseTo(0.25);
  });

  it("stays inside of the run and keeps a few ops", () => {
    expect(zoomRange([0, 100], 50, 1e9, 100)).toEqual([0, 100]);
    const [from, to] = zoomRange([0, 100], 50, 1e-9, 100);
    expect(to - from).toBeCloseTo(3);
    expect(clampRange(-50, 20, 100)).toEqual([0, 70]);
    expect(clampRange(90, 150, 100)).toEqual([40, 100]);
    expect(clampRange(0, 9, 2)).toEqual([0, 2]);
  });

  it("pans without changing the width", () => {
    expect(panRange([10, 20], 1000, 100)).toEqual([90, 100]);
    expect(panRange([10, 20], -1000, 100)).toEqual([0, 10]);
  });
});

function programs(list: [first: number, end: number, parent: number][]): Programs {
  const column = (pick: (one: [number, number, number]) => number) => Uint32Array.from(list, pick);
  return { count: list.length, first: column((one) => one[0]), end: column((one) => one[1]), parent: column((one) => one[2]) } as Programs;
}

describe("program bands", () => {
  const bands = bandsOf(programs([[0, 50, NONE], [10, 20, 0], [20, 20, 0], [50, 90, NONE], [60, 70, 3]]));

  it("puts nested programs in a second row and leaves empty ones out", () => {
    expect(bands.rows.map((row) => [...row.program])).toEqual([[0, 3], [1, 4]]);
    expect(bandAt(bands.rows[0], 49)).toBe(0);
    expect(bandAt(bands.rows[0], 50)).toBe(3);
    expect(bandAt(bands.rows[1], 30)).toBe(-1);
  });

  it("visits what is visible only, and of a crowd one a pixel", () => {
    const seen: number[] = [];
    visitBands(bands.rows[0], { from: 55, to: 80, step: 1 }, (program) => seen.push(program));
    expect(seen).toEqual([3]);
    const crowd = bandsOf(programs(Array.from({ length: 10_000 }, (_, i) => [i, i + 1, NONE])));
    let visits = 0;
    visitBands(crowd.rows[0], { from: 0, to: 10_000, step: 100 }, () => visits++);
    expect(visits).toBe(100);
  });

  it("survives a circle of parents", () => {
    expect(bandsOf(programs([[0, 5, 1], [5, 9, 0]])).rows.length).toBeGreaterThan(0);
  });
});

describe("texts", () => {
  it("figures", () => {
    expect(count(1234567)).toBe("1,234,567");
    expect(count(-1234)).toBe("-1,234");
    expect(bytes(0)).toBe("0 B");
    expect(bytes(1536)).toBe("1.5 KB");
    expect(bytes(1048576 * 1021.173)).toBe("1,021.173 MB");
    expect(bytes(12 * 1024 ** 3)).toBe("12.000 GB");
    expect(mib(-1)).toBe("0.000");
    expect(signed(2048, bytes)).toBe("+2.0 KB");
    expect(percent(0.1234)).toBe("12.3 %");
    expect(shortened("a/very/long/path/to/a/layer", 12)).toHaveLength(12);
  });

  it("nothing of a log can hide or reorder text", () => {
    expect(visible("a\x1b[31mred\u202e\u2066x\u200f")).toBe("a\\x1b[31mred\\u{202e}\\u{2066}x\\u{200f}");
    expect(visible("line\nnext\ttab\r")).toBe("line\\nnext\\ttab\\r");
    expect(visible("\ud800 lone")).toBe("\\u{d800} lone");
    expect(visible("</script><b>é 漢字 😀")).toBe("</script><b>é 漢字 😀");
    expect(visibleLines("a\nb\x07")).toBe("a\nb\\x07");
  });
});

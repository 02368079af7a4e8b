import { describe, expect, it } from "vitest";
import { nextOrder, ordered } from "kit/table/order";

describe("the order of a table", () => {
  it("leaves equal records as they are and puts what is not known last either way", () => {
    const records = [{ id: "a", value: 2 }, { id: "b", value: NaN }, { id: "c", value: 1 }, { id: "d", value: 2 }];
    const ids = (descending: boolean) => ordered(records, (one) => one.value, descending).map((one) => one.id).join("");
    expect(ids(true)).toBe("adcb");
    expect(ids(false)).toBe("cadb");
  });

  it("sorts texts as people count, long lists letter by letter", () => {
    expect(ordered(["layer.10", "Layer.9", "a"], (text) => text, false)).toEqual(["a", "Layer.9", "layer.10"]);
    const many = Array.from({ length: 6000 }, (_, i) => `layer.${i % 11}`);
    expect(ordered(many, (text) => text, false)[1100]).toBe("layer.10");
  });

  it("begins with the largest of figures and the first of texts", () => {
    const figure = { id: "x", title: "x", numeric: true };
    expect(nextOrder(null, figure)).toEqual({ column: "x", descending: true });
    expect(nextOrder({ column: "x", descending: true }, figure)).toEqual({ column: "x", descending: false });
    expect(nextOrder(null, figure, false).descending).toBe(false);
    expect(nextOrder(null, { id: "t", title: "t" }).descending).toBe(false);
  });
});

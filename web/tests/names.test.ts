import { describe, expect, it } from "vitest";
import { commonPrefix, dottedName, shortNames } from "../pages/mem/data/names";
import type { Argument } from "../pages/mem/data/page";
import { graphLabels } from "../pages/mem/data/programs";
import type { PageHeader } from "../pages/mem/data/page";

const named = (...names: string[]) => names.map((name) => ({ name })) as Argument[];

describe("names of tensors", () => {
  it("that torch has lifted are taken apart", () => {
    expect(dottedName("L__self___model_layers__modules__0___mlp_down_proj.weight")).toBe("model.layers.0.mlp.down_proj.weight");
    expect(dottedName("L__self___model_layers__modules__12___self_attn_k_proj.weight")).toBe("model.layers.12.self_attn.k_proj.weight");
    expect(dottedName("L__self___lm_head.weight")).toBe("lm_head.weight");
    expect(dottedName("attention_mask")).toBe("attention_mask");
  });

  it("lose what nearly all of them start with, and stay different", () => {
    const names = named("model.layers.0.mlp.down_proj", "model.layers.1.mlp.down_proj", "model.embed_tokens.weight", "lm_head.weight", "args_0");
    expect(shortNames(names)).toEqual(["layers.0.mlp.down_proj", "layers.1.mlp.down_proj", "embed_tokens.weight", "lm_head.weight", "args_0"]);
    expect(shortNames(named("model.a.b", "model.a.c", "a.b"))).toEqual(["model.a.b", "a.c", "a.b"]);
  });

  it("keep what only a few share, and the list that a number counts", () => {
    expect(commonPrefix(["a.x", "b.x", "c.x"])).toBe("");
    expect(commonPrefix(["layers.0.x", "layers.1.x"])).toBe("");
    expect(commonPrefix(["net.core.a.w", "net.core.b.w"])).toBe("net.core.");
  });
});

describe("graphs of one name", () => {
  it("are numbered in the order of the log", () => {
    const graph = (name: string) => ({ name, runs: 1, const_eval: false, modules: [] });
    const header = { graphs: [graph("main"), graph("eval"), graph("main")] } as unknown as PageHeader;
    expect(graphLabels(header)).toEqual(["main#1", "eval", "main#2"]);
  });
});

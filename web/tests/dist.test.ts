import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildPage, PAGES } from "../build.mjs";
import { pruneCss } from "../prune_css.mjs";

const REPORTS = { mem: ["title", "head", "data"], phases: ["title", "head"], graph: ["title", "head"], perf: ["title", "head", "data"], timeline: ["title", "head", "data"] };

describe.each(Object.keys(PAGES))("the built page %s", (name) => {
  const page = () => readFileSync(new URL(`../dist/${name}.html`, import.meta.url), "utf8");

  it("is current: `npm run build` writes what dist/ holds, byte for byte", async () => {
    expect((await buildPage({ name })) === page(), `dist/${name}.html is stale: run \`npm run build\` in web/`).toBe(true);
  });

  it("allows its own script only, and no request but of the list to its own server", () => {
    const scripts = [...page().matchAll(/<script>([^]*?)<\/script>/g)];
    expect(scripts).toHaveLength(1);
    const hash = createHash("sha256").update(scripts[0][1]).digest("base64");
    expect(page()).toContain(`default-src 'none'; script-src 'sha256-${hash}'`);
    expect(page().includes("connect-src 'self'")).toBe(name === "library");
    expect(page()).not.toMatch(/\b(?:src|href)="(?!data:|#)/);
    expect(page()).not.toMatch(/url\(|@import|\son[a-z]+="/);
  });

  it("keeps the licence of Preact", () => {
    // The page around a served report is without it.
    expect(/MIT License[^]*Permission is hereby granted/.test(page())).toBe(name !== "frame");
  });
});

describe.each(Object.entries(REPORTS))("the built page %s", (name, marks) => {
  const page = readFileSync(new URL(`../dist/${name}.html`, import.meta.url), "utf8");

  it("has its marks once each, the data behind the script", () => {
    for (const mark of ["title", "head", "data"]) expect(page.split(`<!--ttscope:${mark}-->`)).toHaveLength(marks.includes(mark) ? 2 : 1);
    expect(page.indexOf("<!--ttscope:head-->")).toBeLessThan(page.indexOf("<script>"));
    if (marks.includes("data")) expect(page.indexOf("<!--ttscope:data-->")).toBeGreaterThan(page.lastIndexOf("</script>"));
  });
});

describe("styles", () => {
  const script = 'h("div",{class:"tools small"});h("b",{class:`level-${x}`});of("accent")';

  it("of classes that the script never names are left out", () => {
    expect(pruneCss(".tools,.grid{a:b}.grid .small{a:b}.small:not(.grid){a:b}", script)).toBe(".tools{a:b}.small:not(.grid){a:b}");
    expect(pruneCss("@media print{.grid{a:b}}@media (x){.grid{a:b}.tools{a:b}}", script)).toBe("@media (x){.tools{a:b}}");
  });

  it("of classes that are put together stay", () => {
    expect(pruneCss(".level-ok{a:b}.kind-ok{a:b}", script)).toBe(".level-ok{a:b}");
  });

  it("name variables only where something reads them", () => {
    const css = ":root{--accent: #fff;--text: var(--ink);--ink: #000;--other: #111;--empty: ;color-scheme:light}body{color:var(--text)}";
    expect(pruneCss(css, script)).toBe(":root{--accent:#fff;--text:var(--ink);--ink:#000;color-scheme:light}body{color:var(--text)}");
  });
});

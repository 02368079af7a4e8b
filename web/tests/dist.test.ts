import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildPage } from "../build.mjs";

describe("the built library page", () => {
  const page = () => readFileSync(new URL("../dist/library.html", import.meta.url), "utf8");

  it("is current", async () => {
    expect((await buildPage({ name: "library" })) === page(), "dist/library.html is stale: run `npm run build` in web/").toBe(true);
  });

  it("allows its own script and its own server only", () => {
    const scripts = [...page().matchAll(/<script>([^]*?)<\/script>/g)];
    expect(scripts).toHaveLength(1);
    const hash = createHash("sha256").update(scripts[0][1]).digest("base64");
    expect(page()).toContain(`default-src 'none'; script-src 'sha256-${hash}'`);
    expect(page()).toContain("connect-src 'self'");
    expect(page()).not.toMatch(/\b(?:src|href)="(?!data:|#)/);
    expect(page()).not.toMatch(/url\(|@import|\son[a-z]+="/);
    expect(page()).toMatch(/MIT License[^]*Permission is hereby granted/);
  });
});

const committed = () => readFileSync(new URL("../dist/mem.html", import.meta.url), "utf8");

describe("the built page", () => {
  it("is current: `npm run build` writes what dist/mem.html holds, byte for byte", async () => {
    const page = await buildPage();
    expect(page === committed(), "dist/mem.html is stale: run `npm run build` in web/").toBe(true);
    expect(await buildPage()).toBe(page);
  });

  it("has the three marks, the data behind the script", () => {
    const page = committed();
    const places = ["title", "head", "data"].map((mark) => page.split(`<!--ttscope:${mark}-->`));
    for (const parts of places) expect(parts).toHaveLength(2);
    const script = page.indexOf("<script>");
    expect(page.indexOf("<!--ttscope:head-->")).toBeLessThan(script);
    expect(page.indexOf("<!--ttscope:data-->")).toBeGreaterThan(page.lastIndexOf("</script>"));
  });

  it("allows its own script only, and no request", () => {
    const page = committed();
    const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)];
    expect(scripts).toHaveLength(1);
    const hash = createHash("sha256").update(scripts[0][1]).digest("base64");
    expect(page).toContain(`default-src 'none'; script-src 'sha256-${hash}'`);
    expect(page).not.toMatch(/\b(?:src|href)="(?!data:|#)/);
    expect(page).not.toMatch(/url\(|@import|\son[a-z]+="/);
  });

  it("keeps the licence of Preact", () => {
    expect(committed()).toMatch(/MIT License[^]*Permission is hereby granted/);
  });
});

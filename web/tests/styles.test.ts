// One look: pages lay out what is theirs; colours and tiles are the kit's.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const PAGES = join(import.meta.dirname, "../pages");
const KIT = join(import.meta.dirname, "../kit/styles");

const pages = readdirSync(PAGES);
const styleOf = (page: string) => readFileSync(join(PAGES, page, "style.css"), "utf8").replace(/\/\*.*?\*\//gs, "");
const theme = readFileSync(join(KIT, "theme.css"), "utf8");

describe.each(pages)("the style of %s", (page) => {
  it("writes no colour but those of the theme", () => {
    expect(styleOf(page).match(/#[0-9a-f]{3,8}\b(?=[^{}]*;)/gi) ?? []).toEqual([]);
  });

  it("leaves tiles to the kit", () => {
    expect(styleOf(page).match(/[^{}]*\.tiles?\b[^{}]*\{/g) ?? []).toEqual([]);
  });

  it("names variables that are there", () => {
    const own = styleOf(page);
    const set = new Set([...theme.matchAll(/(--[\w-]+):/g), ...own.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
    const used = [...own.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name);
    expect(used.filter((name) => !set.has(name))).toEqual([]);
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Files below a folder of web/, and what they import, as paths of web/. */
function importsOf(folder: string): [string, string][] {
  const files = readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  return files.flatMap((file) => {
    const at = `${folder}/${file}`;
    const specifiers = [...readFileSync(`${root}${at}`, "utf8").matchAll(/from "([^"]+)"/g)].map((match) => match[1]);
    return specifiers.map((name): [string, string] => [at, name.startsWith(".") ? new URL(name, `http://x/${at}`).pathname.slice(1) : name]);
  });
}

describe("the floor plan", () => {
  it("has no way from the kit into a page", () => {
    expect(importsOf("kit").filter(([, name]) => name.startsWith("pages"))).toEqual([]);
  });

  it("has no way from a page into another", () => {
    const pageOf = (path: string) => path.split("/")[1];
    const strays = importsOf("pages").filter(([file, name]) => name.startsWith("pages/") && pageOf(file) !== pageOf(name));
    expect(strays).toEqual([]);
    expect(importsOf("pages").length).toBeGreaterThan(100);
  });
});

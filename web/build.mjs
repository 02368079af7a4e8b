// Builds the pages of dist/ (report, library, phases, graph, perf): one file each, every script and style inside. Same sources, same bytes.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(fileURLToPath(import.meta.url));

const ICON =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='3' fill='%230072b2'/>" +
  "<path d='M2 13V9h3V5h3v3h3V3h3v10z' fill='%23fff'/></svg>";

async function bundle(entry, extra) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    legalComments: "none",
    charset: "ascii",
    target: ["chrome110", "firefox113", "safari16.4"],
    logLevel: "warning",
    ...extra,
  });
  return result.outputFiles[0].text.trim();
}

/** A script that contains an end tag would end early; a string of it can be written otherwise. */
function asInlineScript(code) {
  return code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}

function licences() {
  const text = readFileSync(join(root, "node_modules/preact/LICENSE"), "utf8").trim();
  return `<!--\nThis page contains Preact (https://preactjs.com):\n\n${text.replaceAll("--", "- -")}\n-->`;
}

function fill(file, marks) {
  let page = readFileSync(join(root, file), "utf8");
  for (const [mark, text] of Object.entries(marks)) {
    if (!page.includes(`<!--build:${mark}-->`)) throw new Error(`${file} lacks <!--build:${mark}-->`);
    page = page.replace(`<!--build:${mark}-->`, () => text);
  }
  return page;
}

const PAGES = {
  report: { script: "src/main.tsx", style: "src/styles/main.css", frame: "src/index.html" },
  library: { script: "serve/main.tsx", style: "serve/style.css", frame: "serve/index.html" },
  phases: { script: "phases/main.tsx", style: "phases/style.css", frame: "phases/index.html" },
  graph: { script: "graph/main.tsx", style: "graph/style.css", frame: "phases/index.html" },
  perf: { script: "perf/main.tsx", style: "perf/style.css", frame: "src/index.html" },
};

/** A page as text: the memory report, the list of reports that the server shows, the comparison of training runs, a graph capture, or the report on
 * device time. `readable` keeps names and line ends, for a profiler. */
export async function buildPage({ readable = false, name = "report" } = {}) {
  const parts = PAGES[name];
  const script = asInlineScript(
    await bundle(parts.script, {
      format: "iife",
      jsx: "automatic",
      jsxImportSource: "preact",
      define: { "process.env.NODE_ENV": '"production"' },
      minify: !readable,
    }),
  );
  const style = await bundle(parts.style, {});
  const hash = createHash("sha256").update(script).digest("base64");
  return fill(parts.frame, {
    "script-hash": `sha256-${hash}`,
    icon: ICON.replaceAll("<", "%3C").replaceAll(">", "%3E"),
    licences: licences(),
    style,
    script,
  });
}

// node build.mjs [REPORT_FILE [LIBRARY_FILE [PHASES_FILE [GRAPH_FILE [PERF_FILE]]]]]
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = process.argv.slice(2).filter((argument) => argument !== "--readable");
  for (const [index, name] of Object.keys(PAGES).entries()) {
    const out = given[index] ?? (given.length === 0 ? join(root, `dist/${name}.html`) : null);
    if (out === null) continue;
    const page = await buildPage({ readable: process.argv.includes("--readable"), name });
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, page);
    console.log(`${out}: ${page.length} bytes`);
  }
}

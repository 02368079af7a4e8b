// Builds the pages of dist/ (mem, phases, graph, perf, timeline, diff, frame, library): one file each, every script and style inside. Same sources, same bytes.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { pruneCss } from "./prune_css.mjs";

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
    charset: "utf8",
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

const REPORT = {
  title: "<!--ttscope:title-->",
  requests: "",
  noscript: "This report needs JavaScript. Everything it needs is inside the file; it makes no request.",
  head: "<!--ttscope:head-->\n",
  data: "",
};
/** Of reports that are drawn before all of their data are read. */
const DATA = "<!--ttscope:data-->\n";

/** Folders of pages/, and how they fill the frame. The `ttscope` marks are filled by the program. */
export const PAGES = {
  mem: { ...REPORT, data: DATA },
  phases: REPORT,
  graph: REPORT,
  perf: { ...REPORT, data: DATA },
  // Where `ttscope serve` shows it, it asks for what it shows.
  timeline: { ...REPORT, requests: "<!--ttscope:requests-->", data: DATA },
  diff: REPORT,
  // Around a report that `ttscope serve` shows: a few lines, and nobody else's.
  frame: {
    title: "<!--ttscope:title-->",
    requests: " frame-src 'self';",
    noscript: "The report needs JavaScript.",
    head: "<!--ttscope:frame-->\n",
    data: "",
    licences: "",
  },
  library: {
    title: "ttscope: reports",
    requests: " connect-src 'self';",
    noscript: "The list of reports needs JavaScript. The files themselves are in the served folder.",
    head: "",
    data: "",
  },
};

/** A page as text. `readable` keeps names and line ends, for a profiler. */
export async function buildPage({ readable = false, name = "mem" } = {}) {
  const script = asInlineScript(
    await bundle(`pages/${name}/main.tsx`, {
      format: "iife",
      jsx: "transform",
      jsxFactory: "h",
      jsxFragment: "Fragment",
      inject: PAGES[name].licences === "" ? [] : ["kit/jsx.ts"],
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, paths: { "kit/*": ["./kit/*"] } } },
      define: { "process.env.NODE_ENV": '"production"' },
      minify: !readable,
    }),
  );
  const style = pruneCss(await bundle(`pages/${name}/style.css`, {}), script);
  const hash = createHash("sha256").update(script).digest("base64");
  return fill("kit/page.html", {
    "script-hash": `sha256-${hash}`,
    icon: ICON.replaceAll("<", "%3C").replaceAll(">", "%3E"),
    licences: licences(),
    ...PAGES[name],
    style,
    script,
  });
}

// node build.mjs [FOLDER]     dist/ unless a folder is named
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv.slice(2).find((argument) => argument !== "--readable") ?? join(root, "dist");
  mkdirSync(folder, { recursive: true });
  for (const name of Object.keys(PAGES)) {
    const page = await buildPage({ readable: process.argv.includes("--readable"), name });
    writeFileSync(join(folder, `${name}.html`), page);
    console.log(`${name}.html: ${Buffer.byteLength(page)} bytes`);
  }
}

// Opens the page of a timeline beside two that do less, and prints how they behave, as JSON: node tools/page/measure_timeline.mjs PAGE.html
// The others are: the same file with a script that only unpacks all columns, and an empty canvas of the same size that is cleared each frame.
// Window 1280x800, headless, no GPU. Times are in milliseconds from the start of the navigation.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, SOURCE } from "./browser.mjs";

const { buildSync } = createRequire(join(SOURCE, "web/package.json"))("esbuild");
const RUNS = 3;
const FRAMES = 90;
const ZOOMS = { "whole run": 1, "a tenth": 0.1, "a thousandth": 1e-3, "a hundred-thousandth": 1e-5, "a few cycles": 1e-12 };

const DECODE = `
import { Columns } from "./kit/data/decode";
const header = JSON.parse(document.getElementById("ttscope-page").textContent);
const columns = new Columns((id) => document.getElementById(id)?.textContent || null, header.columns);
const read = { u32: (id) => columns.u32(id), i64: (id) => columns.f64(id), u8: (id) => columns.u8(id) };
(async () => {
  for (const [id, info] of Object.entries(header.columns)) await read[info.type](id);
  await columns.blob("text.bytes");
  requestAnimationFrame(() => requestAnimationFrame(() => (window.decoded = performance.now())));
})();`;

/** The page with a script that only unpacks. */
function decodingPage(path) {
  const html = readFileSync(path, "utf8").replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "");
  const first = html.search(/<script>/);
  const end = html.indexOf("</script>", first) + "</script>".length;
  const bundle = buildSync({ stdin: { contents: DECODE, resolveDir: join(SOURCE, "web"), loader: "ts" }, bundle: true, write: false, minify: true, target: "es2022", format: "iife" });
  // Data stand behind the script in some pages, before it in others: it runs at the end in both.
  return html.slice(0, first) + html.slice(end).replace(/<\/body>/, () => `<script>${bundle.outputFiles[0].text}</script></body>`);
}

/** Runs in the page: frames a second while `step` is called in each, and the longest task. */
async function drive({ frames, kind }) {
  let longest = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) longest = Math.max(longest, entry.duration);
  });
  observer.observe({ type: "longtask" });
  const canvas = document.querySelector("canvas");
  const key = (name) => document.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
  const step = (i) => (kind === "empty" ? canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height) : key(Math.floor(i / 15) % 2 === 0 ? "d" : "a"));
  const times = [];
  await new Promise((resolve) => {
    const frame = () => {
      times.push(performance.now());
      if (times.length > frames) return resolve();
      step(times.length);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  observer.disconnect();
  return { fps: (1000 * frames) / (times[frames] - times[0]), longest_task_ms: longest };
}

const folder = mkdtempSync(join(tmpdir(), "ttscope-measure-"));
const browser = await launch();

async function opened(path, isThere) {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await tab.goto(pathToFileURL(path).href, { waitUntil: "commit" });
  const ready = await (await tab.waitForFunction(isThere, null, { timeout: 120000, polling: 20 })).jsonValue();
  return { tab, ready };
}

/** The time at which the first picture was painted: the page notes it. */
const isDrawn = () => performance.getEntriesByName("ttscope-first-picture")[0]?.startTime || false;

async function emptyCanvas(width, height) {
  const path = join(folder, "empty.html");
  writeFileSync(path, `<!doctype html><canvas width="${width}" height="${height}" style="width:${width}px;height:${height}px"></canvas>`);
  const { tab } = await opened(path, () => document.querySelector("canvas") !== null);
  const result = await tab.evaluate(drive, { frames: FRAMES, kind: "empty" });
  await tab.close();
  return result.fps;
}

const page = process.argv[2];
const decoding = join(folder, "decode.html");
writeFileSync(decoding, decodingPage(page));
const decode = [];
const picture = [];
for (let i = 0; i < RUNS; ++i) {
  const plain = await opened(decoding, () => window.decoded ?? false);
  decode.push(plain.ready);
  await plain.tab.close();
  const shown = await opened(page, isDrawn);
  picture.push(shown.ready);
  await shown.tab.close();
}
const { tab } = await opened(page, isDrawn);
await tab.waitForTimeout(1500);
const size = await tab.$eval(".canvas canvas", (canvas) => ({ width: canvas.clientWidth, height: canvas.clientHeight }));
const span = await tab.evaluate(() => {
  const { first_ns, last_ns } = JSON.parse(document.getElementById("ttscope-page").textContent);
  return last_ns - first_ns;
});
const zooms = {};
for (const [name, share] of Object.entries(ZOOMS)) {
  const empty = await emptyCanvas(size.width, size.height);
  await tab.bringToFront();
  const from = span * 0.4;
  await tab.evaluate((hash) => { location.hash = hash; }, `#from=${share === 1 ? 0 : from}&to=${share === 1 ? span : from + Math.max(4, span * share)}`);
  await tab.waitForTimeout(400);
  zooms[name] = { empty_fps: empty, ...(await tab.evaluate(drive, { frames: FRAMES, kind: "pan" })) };
}
const heap = await tab.evaluate(() => performance.memory?.usedJSHeapSize ?? null);
console.log(JSON.stringify({ decode_ms: Math.min(...decode), picture_ms: Math.min(...picture), heap_bytes: heap, size, zooms }));
await browser.close();
rmSync(folder, { recursive: true, force: true });

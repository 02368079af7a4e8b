// Opens a report page as a user would and prints how it behaves, as JSON: node tools/page/measure.mjs PAGE.html
// Window 1280x800, headless, no GPU. Times are in milliseconds from the start of the navigation.
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const STEPS = 120;

/** Runs in the page before its own scripts: notes when the parts are there, and every long task. */
function watch() {
  window.seen = { curve: null, table: null, longest: 0, frames: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.seen.longest = Math.max(window.seen.longest, entry.duration);
  }).observe({ type: "longtask", buffered: true });
  const look = () => {
    const seen = window.seen;
    const canvas = document.querySelector("#timeline .chart canvas");
    if (seen.curve === null && canvas?.width > 300) seen.curve = performance.now();
    if (seen.table === null && document.querySelectorAll("#ops-grid [role=row]").length > 5) seen.table = performance.now();
    seen.frames.push(performance.now());
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Frames a second and the longest task while `act` drives the page. */
async function during(tab, act) {
  await tab.evaluate(() => { window.seen.frames = []; window.seen.longest = 0; });
  await act();
  return tab.evaluate(() => {
    const { frames, longest } = window.seen;
    const gaps = frames.slice(1).map((time, i) => time - frames[i]).sort((a, b) => a - b);
    const seconds = (frames[frames.length - 1] - frames[0]) / 1000;
    return { fps: (frames.length - 1) / seconds, slowest_frame_ms: gaps[gaps.length - 1], longest_task_ms: longest };
  });
}

async function hold(tab, key, steps) {
  for (let i = 0; i < steps; ++i) {
    await tab.keyboard.press(key);
    await tab.waitForTimeout(8);
  }
}

const browser = await launch();
const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await tab.addInitScript(watch);
await tab.goto(pathToFileURL(process.argv[2]).href, { waitUntil: "commit" });
await tab.waitForFunction(() => window.seen.curve !== null && window.seen.table !== null, null, { timeout: 60000 });
const opened = await tab.evaluate(() => ({ curve_ms: window.seen.curve, table_ms: window.seen.table }));
await tab.waitForTimeout(1500);

await tab.locator("#timeline canvas.chart-overlay").first().hover();
const zoom = await during(tab, () => hold(tab, "w", 40));
const pan = await during(tab, async () => { await hold(tab, "d", STEPS / 2); await hold(tab, "a", STEPS / 2); });
const wheel = await during(tab, async () => {
  await tab.keyboard.down("Control");
  for (let i = 0; i < STEPS; ++i) {
    await tab.mouse.wheel(0, i < STEPS / 2 ? 60 : -60);
    await tab.waitForTimeout(8);
  }
  await tab.keyboard.up("Control");
});
await tab.locator("#ops-grid").scrollIntoViewIfNeeded();
await tab.locator("#ops-grid").hover();
const scroll = await during(tab, async () => {
  for (let i = 0; i < STEPS; ++i) {
    await tab.mouse.wheel(0, 400);
    await tab.waitForTimeout(8);
  }
});
const heap = await tab.evaluate(() => performance.memory?.usedJSHeapSize ?? null);
console.log(JSON.stringify({ ...opened, heap_bytes: heap, zoom, pan, wheel, scroll }));
await browser.close();

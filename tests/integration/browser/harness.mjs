// What the browser cases share: the programs, a browser without a network, pages that are watched while they are open.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const SOURCE = process.env.TTSCOPE_SOURCE_DIR ?? resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
export const BUILD = process.env.TTSCOPE_BUILD_DIR ?? join(SOURCE, "build/release");
export const SHARED = process.env.TTSCOPE_SHARED_DIR ?? null;
export const SKIPPED = 77;

const CHROMIUM = "/usr/bin/chromium";

/** Why the cases cannot run here; null when they can. */
export function whyNot() {
  if (!existsSync(CHROMIUM)) return "no chromium is installed";
  if (!existsSync(join(SOURCE, "web/node_modules/playwright-core"))) return "web/node_modules lacks playwright-core: run npm ci in web";
  if (!existsSync(join(BUILD, "ttscope"))) return `${join(BUILD, "ttscope")} is not built`;
  return null;
}

export const work = mkdtempSync(join(tmpdir(), "ttscope-browser-"));

/** Runs one of the programs; its output as text. */
export function run(program, ...args) {
  const environment = { ...process.env, HOME: work, TTMEM_HOME: join(work, "home") };
  return execFileSync(join(BUILD, program), args, { encoding: "utf8", env: environment, stdio: ["ignore", "pipe", "pipe"] });
}

let reports = 0;

/** The page and the JSON document of the same log. */
export function reportOf(log) {
  const html = join(work, `report${++reports}.html`);
  const json = html.replace(".html", ".json");
  run("ttscope", "mem", log, "--html", html, "--json", json);
  return { html, mem: JSON.parse(readFileSync(json, "utf8")) };
}

export class Failure extends Error {}

export function check(condition, what) {
  if (!condition) throw new Failure(what);
}

export function equal(actual, wanted, what) {
  check(Object.is(actual, wanted), `${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(wanted)}`);
}

/** `text` contains `part`; white space counts as one blank. */
export function contains(text, part, what) {
  const flat = (one) => one.replace(/\s+/g, " ");
  check(flat(text).includes(flat(part)), `${what}: no ${JSON.stringify(part)} in ${JSON.stringify(flat(text).slice(0, 400))}`);
}

/** As the page writes it: 1234567 -> 1,234,567. */
export function count(value) {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** As the page writes it: bytes -> MB with three decimals. */
export function mib(bytes) {
  const [whole, decimals] = (Math.abs(bytes) / 1048576).toFixed(3).split(".");
  return `${bytes < 0 ? "-" : ""}${count(whole)}.${decimals}`;
}

/** As the page writes it, in a fitting unit. */
export function bytes(value) {
  if (Math.abs(value) < 1024) return `${Math.round(value)} B`;
  if (Math.abs(value) < 1048576) return `${(value / 1024).toFixed(1)} KB`;
  return Math.abs(value) < 10 * 1024 ** 3 ? `${mib(value)} MB` : `${(value / 1024 ** 3).toFixed(3)} GB`;
}

let browser = null;

/** A window of its own. */
export async function newContext(options) {
  browser ??= await (await import("../../../tools/page/browser.mjs")).launch(); // needs web/node_modules
  return browser.newContext(options);
}

/** Any page opened from its file with the network off. `problems` holds console errors, exceptions and requests. */
export async function openFile(html, { width = 1280, height = 800, colorScheme = "light", hash = "", touch = false, ready = null } = {}) {
  const context = await newContext({
    viewport: { width, height },
    colorScheme,
    offline: true,
    hasTouch: touch,
    acceptDownloads: true,
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => undefined);
  await context.setOffline(true);
  const problems = [];
  const self = pathToFileURL(html).href;
  await context.route("**", (route) => {
    const url = route.request().url();
    if (url.split("#")[0] === self) return route.continue();
    problems.push(`request of ${url}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== self && !request.url().startsWith("data:") && !request.url().startsWith("blob:"))
      problems.push(`request of ${request.url()}`);
  });
  await page.goto(self + hash);
  if (ready !== null) await page.waitForSelector(ready, { timeout: 20000 });
  return { page, problems, close: () => context.close() };
}

/** A report page, once all of it is there; another page, once `ready` is. */
export async function open(html, options = {}) {
  const opened = await openFile(html, options);
  if (options.ready) return opened;
  const { page } = opened;
  await page.waitForSelector("#ops-grid .grid-row, #ops .absent, #ops .grid-empty", { timeout: 20000 });
  await page.waitForSelector("html[data-ready=yes]", { timeout: 20000 });
  await page.waitForFunction(() => document.querySelector(".waiting") === null, null, { timeout: 20000 });
  return opened;
}

/** Opens, runs the case, and holds it to zero problems. */
export async function withPage(html, options, body, opener = open) {
  const opened = await opener(html, options);
  try {
    await body(opened.page);
    await opened.page.waitForTimeout(50);
    check(opened.problems.length === 0, `the page had problems: ${opened.problems.join("; ")}`);
  } finally {
    await opened.close();
  }
}

export const textOf = (page, selector) => page.locator(selector).first().innerText();

/** Cells of the rows in view of a grid, by row. */
export function gridRows(page, id) {
  return page.$$eval(`#${id} .grid-row`, (rows) =>
    rows
      .map((row) => ({ at: Number(row.getAttribute("aria-rowindex")), cells: [...row.children].map((cell) => cell.textContent.trim()) }))
      .sort((a, b) => a.at - b.at)
      .map((row) => row.cells),
  );
}

/** The number of rows that a grid says it has. */
export async function gridCount(page, id) {
  return Number(await page.getAttribute(`#${id}`, "aria-rowcount")) - 1;
}

/** What the URL says, once the page has caught up with the last change. */
export async function fragment(page) {
  await page.waitForTimeout(400);
  return new URLSearchParams(new URL(page.url()).hash.slice(1));
}

export async function settled(page) {
  await page.waitForFunction(() => !/working/.test(document.querySelector("#ops .table-foot")?.textContent ?? ""));
  await page.waitForTimeout(60);
}

const cases = [];
export const browserCase = (name, body) => cases.push({ name, body });

/** A reason for not running a case, said at the end. */
export class Skip extends Error {}

/** A loaded machine can starve a browser for seconds, so a case that fails is tried once more, and that is said. */
async function runCase(name, body, tries = 2) {
  const start = performance.now();
  try {
    await body();
    console.log(`ok       ${name} (${Math.round(performance.now() - start)} ms)`);
    return "ok";
  } catch (error) {
    if (error instanceof Skip) {
      console.log(`skipped  ${name}: ${error.message}`);
      return "skipped";
    }
    const again = tries > 1;
    console.log(`${again ? "again   " : "FAILED  "} ${name}: ${error instanceof Failure ? error.message : error.stack}`);
    return again ? runCase(name, body, tries - 1) : "failed";
  }
}

export async function runAll(title = "report_browser") {
  const only = process.argv.slice(2);
  let failed = 0;
  let skipped = 0;
  const wanted = cases.filter((one) => only.length === 0 || only.some((word) => one.name.includes(word)));
  for (const { name, body } of wanted) {
    const outcome = await runCase(name, body);
    if (outcome === "skipped") ++skipped;
    if (outcome === "failed") ++failed;
  }
  await browser?.close();
  rmSync(work, { recursive: true, force: true });
  console.log(`${title}: ${wanted.length} cases, ${failed} failed, ${skipped} skipped`);
  return failed === 0 ? 0 : 1;
}

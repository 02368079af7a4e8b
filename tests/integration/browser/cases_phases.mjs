// The page of `ttscope phases --html` shows the figures of the JSON document of the same logs, and what clicks on it do.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browserCase, check, contains, equal, openFile, run, SHARED, Skip, SOURCE, textOf, withPage, work } from "./harness.mjs";

const TWO_RUNS = join(SOURCE, "examples/training/phases.log");
const MICRO_STEPS = join(SOURCE, "tests/golden/phases_micro_steps/input.log");
const MB = 1048576;

let pages = 0;

function phasesOf(...args) {
  const html = join(work, `phases${++pages}.html`);
  const json = html.replace(".html", ".json");
  run("ttscope", "phases", ...args, "-q", "--html", html, "--json", json);
  return { html, doc: JSON.parse(readFileSync(json, "utf8")) };
}

/** As the page writes it: bytes -> MB with two decimals. */
function mb(bytes) {
  const [whole, decimals] = (Math.abs(bytes) / MB).toFixed(2).split(".");
  const zero = Number(whole) === 0 && Number(decimals) === 0;
  return `${bytes < 0 && !zero ? "-" : ""}${whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",")}.${decimals}`;
}

async function openPhases(html, options) {
  const opened = await openFile(html, options);
  await opened.page.waitForSelector("#run #phases", { timeout: 20000 });
  return opened;
}

const withPhases = (html, options, body) => withPage(html, options, body, openPhases);

/** Heights of the parts of a bar in the page, by kind. */
const heights = (page, index) =>
  page.$$eval(`.bar[data-run="${index}"] .part`, (parts) =>
    Object.fromEntries(parts.map((part) => [part.getAttribute("data-part"), Number(part.querySelector("rect").getAttribute("height"))])),
  );

async function checkRun(page, doc, index) {
  const one = doc.configurations[index];
  await page.click(`.bar-name:nth-child(${index + 1})`);
  const details = await textOf(page, "#run");
  for (const phase of one.phases) contains(details, phase.name, "phase");
  for (const advice of one.advice) contains(details, advice.text, "advice");
  for (const note of one.notes) contains(details, note, "note");
  for (const phase of one.phases) contains(await textOf(page, "#phases"), mb(phase.reached_bytes), phase.name);
}

browserCase("phases: verdicts, parts and phases are those of the document", async () => {
  for (const logs of [[TWO_RUNS], [MICRO_STEPS], [TWO_RUNS, MICRO_STEPS]]) {
    const { html, doc } = phasesOf(...logs);
    await withPhases(html, {}, async (page) => {
      const verdict = await textOf(page, "#verdict");
      for (const one of doc.configurations) contains(verdict, `${one.name}: ${one.verdict}`, "verdict");
      for (let i = 0; i < doc.configurations.length; ++i) await checkRun(page, doc, i);
      equal(await page.locator(".bar .limit").count(), doc.configurations.length, "limits");
      contains(await textOf(page, "#trust"), doc.trust.scope, "scope");
    });
  }
});

browserCase("phases: bars have the heights of their parts, from below, under one scale", async () => {
  const { html, doc } = phasesOf(TWO_RUNS);
  await withPhases(html, {}, async (page) => {
    const scale = [];
    for (const [index, one] of doc.configurations.entries()) {
      const drawn = await heights(page, index);
      // A part of less than a pixel is drawn as one.
      for (const part of one.components) if (drawn[part.kind] > 2) scale.push(drawn[part.kind] / part.bytes);
      const tops = await page.$$eval(`.bar[data-run="${index}"] .part rect`, (rects) => rects.map((rect) => Number(rect.getAttribute("y"))));
      for (let i = 1; i < tops.length; ++i) check(tops[i] < tops[i - 1], "each part stands on the one before");
    }
    for (const one of scale) check(Math.abs(one / scale[0] - 1) < 0.1, `one scale for all: ${scale.join(" ")}`);
    const colours = await page.$$eval('.bar[data-run="0"] .part rect', (rects) => rects.map((rect) => rect.getAttribute("fill")));
    equal(colours.join(" "), doc.configurations[0].components.map((part) => part.color).join(" "), "colours");
    const stroke = await page.$eval(".bar .limit", (line) => [getComputedStyle(line).stroke, getComputedStyle(line).strokeDasharray]);
    equal(stroke[0], "rgb(255, 0, 0)", "limit colour");
    check(stroke[1] !== "none", "the limit is dashed");
  });
});

browserCase("phases: measured sizes, another base, a link to the same view", async () => {
  const { html, doc } = phasesOf(TWO_RUNS);
  await withPhases(html, {}, async (page) => {
    contains(await textOf(page, "#comparison"), mb(doc.configurations[0].sizes.model.expected_bytes), "expected size");
    await page.click('.switch button:has-text("measured")');
    contains(await textOf(page, "#comparison"), mb(doc.configurations[0].sizes.model.actual_bytes), "measured size");
    await page.click("#comparison th:nth-child(3) button");
    const change = doc.configurations[0].peak.bytes - doc.configurations[1].peak.bytes;
    contains(await textOf(page, "#comparison tbody tr:first-child"), mb(change), "difference to the second run");
    await page.click('.bar[data-run="0"]');
    const hash = new URL(page.url()).hash;
    equal(hash, "#run=0&base=1&sizes=measured", "link");
    await withPhases(html, { hash }, async (again) => {
      equal(await again.getAttribute('.switch button:has-text("measured")', "aria-pressed"), "true", "sizes of the link");
      contains(await textOf(again, "#run h2"), doc.configurations[0].name, "run of the link");
    });
  });
});

browserCase("phases: the run that does not fit is shown first", async () => {
  const { html, doc } = phasesOf(TWO_RUNS);
  await withPhases(html, {}, async (page) => contains(await textOf(page, "#run h2"), doc.configurations[1].name, "chosen run"));
});

browserCase("phases: names of a hostile log are text", async () => {
  const log = join(work, "hostile_phases.log");
  const evil = '</script><img src=x onerror="document.title=1">\u202eX';
  writeFileSync(log, readFileSync(TWO_RUNS, "utf8").replaceAll("FORWARD_PASS", evil).replaceAll("pico-llama", "<b>pico"));
  const { html } = phasesOf(log, "--title", "<i>t</i>");
  await withPhases(html, {}, async (page) => {
    equal(await page.title(), "<i>t</i>", "title");
    equal(await page.locator("img, main b b, main i i").count(), 0, "elements out of the log");
    contains(await textOf(page, "#phases"), "\\u{202e}X", "marks of direction are shown");
  });
});

browserCase("phases: narrow window and dark theme", async () => {
  const { html } = phasesOf(TWO_RUNS, MICRO_STEPS);
  for (const options of [{ width: 380 }, { colorScheme: "dark" }]) {
    await withPhases(html, options, async (page) => {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      check(wide <= 1, `the page is ${wide} px too wide`);
    });
  }
});

/** Seven runs, one of which nearly fills its device. */
function sevenRuns() {
  const log = join(work, "seven_phases.log");
  const two = readFileSync(TWO_RUNS, "utf8");
  writeFileSync(log, Array.from({ length: 4 }, () => two).join("\n"));
  return log;
}

browserCase("phases: many runs are all in the window, and no line strikes a total through", async () => {
  const { html, doc } = phasesOf(sevenRuns(), "--device-memory", "12500");
  check(doc.configurations.length >= 7, "runs");
  for (const width of [1280, 390]) {
    await withPhases(html, { width }, async (page) => {
      const found = await page.evaluate(() => {
        const box = (element) => element.getBoundingClientRect();
        const bars = [...document.querySelectorAll(".bar")];
        const totals = bars.map((bar) => box(bar.querySelector(".bar-total")));
        const struck = bars.filter((bar, i) => {
          const line = bar.querySelector(".limit");
          const y = line && box(line).top;
          return line && y > totals[i].top + 3 && y < totals[i].bottom - 3;
        }).length;
        const overlaps = totals.filter((one, i) => i > 0 && one.left < totals[i - 1].right && one.top < totals[i - 1].bottom && one.bottom > totals[i - 1].top).length;
        const scroll = document.querySelector("#peaks .scroll-x");
        return { struck, overlaps, cut: scroll.scrollWidth - scroll.clientWidth };
      });
      equal(found.struck, 0, `totals struck through at ${width}`);
      equal(found.overlaps, 0, `totals over each other at ${width}`);
      if (width > 1000) equal(found.cut, 0, "pixels of bars out of view");
    });
  }
});

browserCase("phases: every real log", async () => {
  if (SHARED === null) throw new Skip("TTSCOPE_SHARED_DIR is not set");
  const { html, doc } = phasesOf(join(SHARED, "data/analyze-memory/in_real_all_concatenated.log"), join(SHARED, "data/analyze-memory/in_mem_example.log"));
  equal(doc.configurations.length, 9, "runs");
  await withPhases(html, {}, async (page) => {
    for (let i = 0; i < doc.configurations.length; ++i) await checkRun(page, doc, i);
  });
});

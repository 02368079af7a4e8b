// Other inputs: hostile names, logs that lack lines, runs of four JSON files, also those of the Python tool.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  browserCase,
  bytes,
  check,
  contains,
  count,
  equal,
  gridCount,
  gridRows,
  mib,
  reportOf,
  run,
  SHARED,
  Skip,
  SOURCE,
  textOf,
  withPage,
  work,
} from "./harness.mjs";
import { FORMULA, hostileLog, MARKUP } from "./hostile_log.mjs";

const SHOWN_ESCAPE = "\\x1b[31mred\\x1b]0;title\\x07";
const SHOWN_TURNED = "\\u{202e}gnp.exe\\u{2066}";

browserCase("hostile names are text", async () => {
  const log = join(work, "evil<b>&amp;name.log");
  writeFileSync(log, hostileLog());
  const { html } = reportOf(log);
  await withPage(html, { hash: "#op=0" }, async (page) => {
    equal(await page.evaluate(() => window.broken), undefined, "code of the log that ran");
    equal(await page.$$eval("img, b > b, main script", (all) => all.length), 0, "elements made by the log");
    const ops = JSON.stringify(await gridRows(page, "ops-grid"));
    contains(ops, JSON.stringify(MARKUP).slice(1, -1), "markup in the table");
    contains(ops, JSON.stringify(SHOWN_ESCAPE).slice(1, -1), "terminal escape in the table");
    contains(ops, JSON.stringify(SHOWN_TURNED).slice(1, -1), "turned text in the table");
    contains(await textOf(page, ".drawer"), MARKUP, "markup in the details");
    await page.waitForSelector("#ir-grid .grid-row");
    contains(await textOf(page, "#ir"), MARKUP, "markup in the IR");
    contains(await textOf(page, "#layers"), MARKUP.split("/")[0], "markup in the layers");
    contains(await textOf(page, ".weights-panel"), MARKUP, "markup in a weight's name");
    const hidden = await page.evaluate(() =>
      /[\u0000-\u0008\u001b\u202a-\u202e\u2066-\u2069]/.test(document.documentElement.innerText + document.title),
    );
    check(!hidden, "no character of the log hides or turns text");
    contains(await page.title(), "evil", "title");
    const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Escape").then(() => page.click("text=Download CSV"))]);
    const csv = readFileSync(await file.path(), "utf8");
    contains(csv, `'${FORMULA}`, "formula in the CSV is text");
  });
});

/** The sample without the lines that match. */
function without(name, pattern) {
  const log = join(work, `${name}.log`);
  const lines = readFileSync(join(SOURCE, "examples/sample_oom.log"), "utf8").split("\n");
  writeFileSync(log, lines.filter((line) => !pattern.test(line)).join("\n"));
  return log;
}

/** What the page's header says about sections that the input cannot fill. */
const absentOf = (page) => page.$eval("#ttscope-page", (element) => JSON.parse(element.textContent).absent);

const PLACES = {
  fragmentation: "#fragmentation",
  composition: "#composition",
  padding: "#padding",
  weights: ".weights-panel",
  ir: "#ir",
  layers: "#layers",
};

/** Every sentence about something absent stands where it would be. */
async function checkAbsent(page, ...wanted) {
  const absent = await absentOf(page);
  for (const key of wanted) check(absent[key] !== undefined, `the page says why it has no ${key}`);
  for (const [key, place] of Object.entries(PLACES)) if (absent[key] !== undefined) contains(await textOf(page, place), absent[key], key);
}

browserCase("a log without memory lines says so", async () => {
  const { html, mem } = reportOf(without("no_memory", /memory state|MemoryView|Out of Memory|TT_FATAL/));
  await withPage(html, {}, async (page) => {
    await checkAbsent(page, "fragmentation");
    contains(await textOf(page, "#trust summary"), "missing", "the fold says that something is missing");
    await page.click("#trust summary");
    for (const sentence of mem.trust.missing) contains(await textOf(page, "#figures"), sentence, "what was missing");
    contains(await textOf(page, "#timeline h2"), "modelled", "what the curve is");
    contains(await textOf(page, ".peak-card.memory-DRAM"), "modelled", "confidence of the peak");
    contains(await textOf(page, "#composition .equation"), mib(mem.memory.DRAM.peak.bytes_per_bank), "modelled sum");
  });
});

browserCase("a log without op lines names the ops that its modules tell", async () => {
  const { html, mem } = reportOf(without("no_op_lines", /Executing operation/));
  await withPage(html, {}, async (page) => {
    await page.click("#trust summary");
    check(mem.trust.missing.some((sentence) => sentence.includes("op lines")), "op lines are missing");
    for (const sentence of mem.trust.missing) contains(await textOf(page, "#figures"), sentence, "what was missing");
    check((await gridCount(page, "ops-grid")) > 0, "ops of the module");
  });
});

browserCase("a log without op lines and modules says so", async () => {
  const { html, mem } = reportOf(without("no_ops", /Executing operation|"ttnn\.|ttnn\.[a-z_]+|#loc|loc\(/));
  await withPage(html, {}, async (page) => {
    await checkAbsent(page, "layers");
    contains(await textOf(page, ".peak-card.memory-DRAM"), mib(mem.memory.DRAM.peak.bytes_per_bank), "measured peak");
  });
});

/** `peak`: the highest DRAM state, MB per bank. */
async function checkRecorded(html, operations, peak) {
  await withPage(html, {}, async (page) => {
    equal(await gridCount(page, "ops-grid"), operations.length, "rows of the ops table");
    contains(await textOf(page, ".peak-card.memory-DRAM"), peak, "DRAM peak");
    contains(await textOf(page, "#figures"), peak, "peak among the figures");
    await checkAbsent(page, "composition");
    const first = (await gridRows(page, "ops-grid"))[0];
    equal(first[1], operations[0].mlir_op, "first op");
    await page.click("#ops-grid .grid-row >> nth=0");
    contains(await textOf(page, ".drawer"), operations[0].mlir_op, "details");
    check((await page.locator("#padding canvas").count()) > 0, "padding over time");
  });
}

const readPart = (folder, name, what) => JSON.parse(readFileSync(join(folder, `${name}_${what}.json`), "utf8"));

browserCase("a run of our own, opened by --visualize", async () => {
  const out = join(work, "own");
  const log = join(SOURCE, "examples/sample_oom.log");
  run("tt-memory-profiler", "--analyze", log, "--output-dir", out);
  const folder = join(out, "sample-oom");
  check(existsSync(folder), `the run is in ${folder}`);
  run("tt-memory-profiler", "--visualize", folder);
  // The files hold the states that were printed and no failure's message, which tells more.
  const [{ peak_bytes }] = JSON.parse(run("ttscope", "sql", log, "--json", "-", "select max(dram_allocated_bytes_per_bank) as peak_bytes from memory"));
  const peak = mib(peak_bytes);
  await checkRecorded(join(folder, "sample-oom_report.html"), readPart(folder, "sample-oom", "operations"), peak);
});

browserCase("a run of the Python tool, opened by --visualize", async () => {
  const golden = SHARED && join(SHARED, "data/ttmem-sample/golden/sample");
  if (!golden || !existsSync(golden)) throw new Skip("no run of the Python tool here");
  const folder = join(work, "python");
  mkdirSync(folder);
  for (const what of ["memory", "operations", "inputs_registry", "ir"])
    cpSync(join(golden, `sample_${what}.json`), join(folder, `sample_${what}.json`));
  run("tt-memory-profiler", "--visualize", folder, "--name", "sample");
  const states = readPart(folder, "sample", "memory").operations.map((one) => one.memory.DRAM.totalBytesAllocatedPerBank_MB);
  await checkRecorded(join(folder, "sample_report.html"), readPart(folder, "sample", "operations"), Math.max(...states).toFixed(3));
});

browserCase("real op lines of four ranks", async () => {
  const log = SHARED && join(SHARED, "data/injected/where_4ranks_bh_profile.log");
  if (!log || !existsSync(log)) throw new Skip("no reference logs here");
  const { html, mem } = reportOf(log);
  await withPage(html, {}, async (page) => {
    equal(await page.locator("#ranks tbody tr").count(), mem.ranks.length, "ranks");
    contains(await textOf(page, "#composition .equation"), mib(mem.live_at_peak.DRAM.bytes_per_bank), "sum at the peak");
    equal(await gridCount(page, "live-grid"), mem.live_at_peak.DRAM.tensors.length, "tensors at the peak");
    contains(await textOf(page, "#figures"), bytes(mem.weights.bytes), "weights");
    contains(await textOf(page, ".table-foot"), count(mem.ranks[mem.main_rank].executed_ops), "executed ops");
  });
});

// Every section shows the figures of the JSON document of the same log.
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
  open,
  reportOf,
  SOURCE,
  textOf,
  withPage,
} from "./harness.mjs";

const MEMORIES = ["DRAM", "L1", "L1_SMALL", "TRACE"];
const SECTIONS = ["verdict", "timeline", "composition", "figures", "padding", "fragmentation", "survivors", "peaks", "ops", "ir", "layers"];

/** Chooses the memory on show by its tab. */
async function showMemory(page, memory) {
  await page.click(`#tab-${memory}`);
  await page.waitForTimeout(120);
}

async function checkVerdict(page, mem) {
  const text = await textOf(page, "#verdict");
  const outcomes = { finished: "Finished", out_of_memory: "Ran out of memory", crashed: "Crashed", cut: "The log is cut" };
  contains(text, outcomes[mem.verdict.outcome], "outcome");
  contains(text, { yes: "Fits", no: "Does not fit", unknown: "Not known whether it fits" }[mem.verdict.fit], "fit");
  contains(text, mem.verdict.trust, "trust");
  for (const fix of (mem.fixes ?? []).slice(0, 3)) {
    contains(text, `${bytes(fix.saves_bytes_per_bank)} per bank ${fix.what}`, "what to do");
    contains(text, fix.effect, "what a fix comes to");
  }
  for (const finding of mem.verdict.findings) contains(text, finding.text, "finding");
}

async function checkFigures(page, mem) {
  equal(await page.$eval("#trust", (details) => details.open), false, "trust is folded");
  await page.click("#trust summary");
  const text = await textOf(page, "#figures");
  for (const sentence of [...mem.trust.missing, ...mem.trust.notes]) contains(text, sentence, "trust");
  for (const memory of MEMORIES) {
    const { peak, capacity_bytes_per_bank: capacity } = mem.memory[memory];
    if (peak.bytes_per_bank === 0 && !(capacity > 0)) continue; // a region that was not set up
    contains(
      text,
      capacity > 0 ? `${mib(peak.bytes_per_bank)} of ${mib(capacity)} MB per bank` : `${mib(peak.bytes_per_bank)} MB per bank`,
      `${memory} bar`,
    );
    for (const sentence of [...peak.includes, ...peak.excludes]) contains(text, sentence, "what the peaks include");
  }
  contains(text, `${bytes(mem.weights.bytes)} ${count(mem.weights.count)} tensor`, "weights");
  contains(text, bytes(mem.weights.duplicated_by_const_eval_bytes), "const-eval copies");
  contains(text, bytes(mem.padding.waste_bytes_at_peak), "padding at the peak");
}

/** Runs in the page: the largest share of pixels that differ from the first, over the canvases given. */
function paintedShare(canvases) {
  const shares = canvases.map((canvas) => {
    const data = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    return data.filter((pixel) => pixel !== data[0]).length / data.length;
  });
  return Math.max(...shares);
}

async function checkCharts(page) {
  for (const section of ["timeline", "composition", "padding", "fragmentation", "layers"]) {
    // Charts are drawn when they come into view.
    await page.locator(`#${section} canvas`).first().scrollIntoViewIfNeeded();
    await page.waitForTimeout(150);
    const share = await page.$$eval(`#${section} canvas`, paintedShare);
    check(share > 0.005, `${section} has a picture (${share} of it painted)`);
  }
}

async function checkTimeline(page, mem) {
  const text = await textOf(page, "#timeline");
  for (const memory of ["DRAM", "L1"]) contains(text, bytes(mem.memory[memory].peak.bytes_per_bank), `${memory} tab`);
  const canvas = page.locator("#timeline canvas");
  check((await canvas.count()) >= 2, "the timeline has a chart and a minimap");
}

async function checkComposition(page, mem, memory) {
  await showMemory(page, memory);
  const wanted = mem.live_at_peak[memory];
  equal(await gridCount(page, "live-grid"), wanted.tensors.length, `tensors live in ${memory}`);
  const rows = await gridRows(page, "live-grid");
  wanted.tensors.slice(0, rows.length).forEach((tensor, index) => {
    // What all names share is left out.
    equal(rows[index][0], (tensor.model_name ?? tensor.name).replace(/^model\./, ""), `tensor ${index}`);
    equal(rows[index][3], mib(tensor.bytes_per_bank), `bytes of ${tensor.name}`);
    contains(rows[index][2], `${tensor.shape.join("x")} ${tensor.dtype}`, `shape of ${tensor.name}`);
  });
  const sum = await textOf(page, "#composition .equation");
  contains(sum, `= ${mib(wanted.bytes_per_bank)} MB per bank`, "measured sum");
  for (const size of Object.values(wanted.bytes_per_bank_by_kind)) if (size !== 0) contains(sum, mib(size), "kind");
  contains(sum, bytes(Math.abs(wanted.unaccounted_bytes_per_bank)), "unaccounted");
}

async function checkPadding(page, mem) {
  const rows = await page.$$eval("#padding tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  equal(rows.length, Math.min(10, mem.padding.worst.length), "rows of worst padding");
  mem.padding.worst.slice(0, 10).forEach((worst, index) => {
    contains(rows[index].join(" "), `${worst.shape.join("x")} ${worst.dtype}`, "shape at fault");
    contains(rows[index].join(" "), worst.padded_shape.join("x"), "stored shape");
    equal(rows[index][5], mib(worst.waste_bytes), "bytes lost");
  });
}

async function checkFragmentation(page, mem) {
  for (const memory of ["DRAM", "L1"]) {
    await showMemory(page, memory);
    const worst = mem.fragmentation[memory];
    await page.waitForSelector("#fragmentation tbody tr, #fragmentation .fragmentation-panel .muted");
    const row = await textOf(page, "#fragmentation tbody tr");
    contains(row, `${(worst.worst_fraction * 100).toFixed(2)} %`, `${memory} worst fragmentation`);
    contains(row, mib(worst.largest_free_bytes_per_bank), `${memory} largest free block`);
  }
  await showMemory(page, "DRAM");
}

async function checkPeaks(page, mem) {
  for (const memory of MEMORIES) {
    const text = await textOf(page, `.peak-card.memory-${memory}`);
    const { peak } = mem.memory[memory];
    contains(text, `${mib(peak.bytes_per_bank)} MB per bank`, `${memory} card`);
    if (peak.op === null) continue;
    contains(text, `op #${count(peak.op_index)}`, `${memory} card`);
    contains(text, peak.op, `${memory} card`);
    if (peak.loc !== null) contains(text, peak.loc, `${memory} card`);
    contains(text, count(peak.line), `${memory} card`);
  }
}

async function checkGrowth(page, mem) {
  const main = mem.growth.filter((one) => one.rank === mem.main_rank && one.memory === "DRAM");
  const row = await textOf(page, '[aria-label="Top growth of DRAM"] tbody tr');
  contains(row, `+${mib(main[0].bytes_per_bank)}`, "top growth");
  contains(row, main[0].op, "top growth");
  const changes = mem.changes.filter((one) => one.rank === mem.main_rank && one.bytes_per_bank.DRAM !== 0);
  const largest = Math.max(...changes.map((one) => one.bytes_per_bank.DRAM));
  contains(await textOf(page, '[aria-label="Changes between ops"]'), mib(largest), "change between ops");
}

async function checkKindsAndWeights(page, mem) {
  const kinds = await textOf(page, ".kinds-panel");
  for (const kind of mem.operations_by_kind.slice(0, 12)) contains(kinds, kind.op, "operations by kind");
  contains(kinds, count(mem.operations_by_kind[0].executed), "operations by kind");
  const weights = await textOf(page, ".weights-panel");
  contains(weights, `${count(mem.weights.count)} distinct weights, ${bytes(mem.weights.bytes)}`, "weights");
  const names = (await gridRows(page, "weights-grid")).map((row) => row[0]);
  for (const weight of mem.weights.entries) check(names.includes(weight.name), `the weight ${weight.name} is listed`);
  for (const pair of mem.weights.duplicates) contains(weights, mib(pair.copy.bytes_per_bank), "copy of a weight");
}

async function checkOps(page, mem) {
  const rank = mem.ranks[mem.main_rank];
  contains(await textOf(page, ".table-foot"), `${count(rank.ops)} ops of ${count(rank.executed_ops)} executed`, "foot of the ops table");
  equal(await gridCount(page, "ops-grid"), rank.ops, "rows of the ops table");
}

async function checkRest(page, mem) {
  const lines = await gridRows(page, "ir-grid");
  check(
    lines.some((row) => row[1].includes("#ttnn")),
    "the IR view shows a ttnn module",
  );
  contains(
    await textOf(page, "#layers .crumbs"),
    mib(Math.max(mem.memory.DRAM.peak.bytes_per_bank, mem.live_at_peak.DRAM.accounted_bytes_per_bank)),
    "root of the layers",
  );
  // One rank needs no list of ranks.
  equal(await page.locator("#ranks").count(), mem.ranks.length > 1 ? 1 : 0, "sections of ranks");
  if (mem.ranks.length < 2) return;
  const ranks = await textOf(page, "#ranks");
  for (const rank of mem.ranks) contains(ranks, mib(rank.memory.DRAM.peak.bytes_per_bank), `peak of rank ${rank.rank}`);
}

for (const log of ["sample.log", "sample_oom.log"]) {
  browserCase(`figures of ${log}`, async () => {
    const { html, mem } = reportOf(join(SOURCE, "examples", log));
    await withPage(html, {}, async (page) => {
      for (const section of SECTIONS) check((await textOf(page, `#${section}`)).length > 20, `${section} is filled`);
      await checkVerdict(page, mem);
      await checkFigures(page, mem);
      await checkTimeline(page, mem);
      await checkCharts(page);
      await checkComposition(page, mem, "L1");
      await checkComposition(page, mem, "DRAM");
      await checkPadding(page, mem);
      await checkFragmentation(page, mem);
      await checkPeaks(page, mem);
      await checkGrowth(page, mem);
      await checkKindsAndWeights(page, mem);
      await checkOps(page, mem);
      await checkRest(page, mem);
    });
  });
}

/** Runs in the page: tries a request and says which rule of the policy stopped it. */
function forbiddenBy(url) {
  return new Promise((resolve) => {
    document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective), { once: true });
    void fetch(url).catch(() => setTimeout(() => resolve("nothing"), 1000));
  });
}

browserCase("one file, nothing outside it", async () => {
  const { html } = reportOf(join(SOURCE, "examples/sample.log"));
  const { page, problems, close } = await open(html);
  const policy = (await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', "content")) ?? "";
  contains(policy, "default-src 'none'", "policy");
  check(!/script-src[^;]*unsafe/.test(policy), "no unsafe scripts");
  const loading = "script[src], link[rel=stylesheet], iframe, object, embed";
  equal(await page.$$eval(loading, (all) => all.length), 0, "elements that load something");
  equal(problems.join(), "", "problems before the forbidden request");
  equal(await page.evaluate(forbiddenBy, "https://example.org/"), "connect-src", "rule that forbids a request");
  await close();
});

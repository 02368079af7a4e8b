// The page of `ttscope perf`: figures are those of the JSON document, charts answer, hostile names are text.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browserCase, BUILD, check, contains, count, equal, run, SHARED, Skip, SOURCE, textOf, withPage, work } from "./harness.mjs";

const READY = { ready: "html[data-ready]" };
const corpus = (name) => join(SOURCE, "tests/fuzz/corpus/chain_perf_ops_report", name);
let pages = 0;

function perfPage(...reports) {
  const html = join(work, `perf${++pages}.html`);
  const json = html.replace(".html", ".json");
  run("ttscope", "perf", ...reports, "--ignore-signposts", "-q", "--html", html, "--json", json);
  return { html, perf: JSON.parse(readFileSync(json, "utf8")) };
}

/** As the page writes microseconds. */
function us(value) {
  const [whole, rest] = value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0).split(".");
  return rest ? `${count(whole)}.${rest}` : count(whole);
}

const cells = (page) =>
  page.$$eval("#ops .grid-row", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())));

browserCase("perf: figures are those of the JSON document", async () => {
  const { html, perf } = perfPage(corpus("usual"));
  await withPage(html, READY, async (page) => {
    const head = await textOf(page, "#overview");
    contains(head, `${us(perf.totals.device_us)} μs`, "device time");
    contains(head, "blackhole at 1350 MHz", "device");
    for (const one of perf.categories) contains(await textOf(page, "#stacked"), one.category, "category");
    for (const one of perf.bounds) contains(await textOf(page, "#bounds"), one.bound, "bound");
    const rows = await cells(page);
    equal(rows.length, perf.ops.length, "rows of the table");
    perf.ops.forEach((op, i) => {
      equal(rows[i][0], String(op.id), "id");
      if (op.signpost !== undefined) return;
      equal(rows[i][2], op.op, "name");
      equal(rows[i][5], us(op.device_us), "device time of the row");
      equal(rows[i][9], op.bound, "bound of the row");
    });
    contains(await textOf(page, "#advice li"), perf.advice[0].title, "first advice");
  });
});

browserCase("perf: the timeline draws, zooms, and selects what the table shows", async () => {
  const { html } = perfPage(corpus("devices"));
  await withPage(html, READY, async (page) => {
    const painted = () =>
      page.$eval("#timeline-canvas", (canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        const colors = new Map();
        for (let i = 0; i < data.length; i += 4) {
          const key = `${data[i]},${data[i + 1]},${data[i + 2]}`;
          colors.set(key, (colors.get(key) ?? 0) + 1);
        }
        return [...colors.entries()].filter(([, pixels]) => pixels > 50).map(([key]) => key);
      });
    const colors = await painted();
    check(colors.length >= 3, `only ${colors.join(" | ")} in the timeline`);
    const box = await page.locator("#timeline-canvas").boundingBox();
    await page.mouse.move(box.x + 120, box.y + 10);
    contains(await textOf(page, "#timeline .readout"), "device 0", "text under the pointer");
    await page.mouse.click(box.x + 120, box.y + 10);
    equal(await page.locator("#ops .grid-row.active").count(), 1, "selected rows");
    await page.click("#timeline button:has-text('Zoom in')");
    await page.click("#timeline button:has-text('All')");
    await page.check("#timeline input[type=checkbox]");
    contains(await textOf(page, "#devices"), "Slowest device over median", "skew");
  });
});

browserCase("perf: the table filters and sorts, the roofline has two views", async () => {
  const { html } = perfPage(corpus("usual"));
  await withPage(html, READY, async (page) => {
    await page.fill("#ops input[type=search]", "unary");
    equal((await cells(page)).length, 1, "rows that match");
    await page.fill("#ops input[type=search]", "");
    await page.click("#ops .grid-head button:has-text('Time')");
    const times = (await cells(page)).map((row) => Number(row[5].replace(/,/g, "") || -1));
    equal(JSON.stringify(times), JSON.stringify([...times].sort((a, b) => b - a)), "largest first");
    await page.check("#roofline input >> nth=1");
    equal(await page.locator("#roofline canvas").count(), 1, "roofline of matmuls");
    await page.click("#theme");
    equal(await page.getAttribute("html", "data-theme"), "dark", "theme");
  });
});

browserCase("perf: a link from any part leads to the same op, and the address keeps it", async () => {
  const { html, perf } = perfPage(corpus("devices"));
  const op = perf.ops.find((one) => one.signpost === undefined && one.device_us > 0);
  let address = "";
  await withPage(html, READY, async (page) => {
    await page.click(`#ops .grid-row >> nth=${perf.ops.indexOf(op)}`);
    const card = await textOf(page, "#details");
    contains(card, `row ${op.id}`, "card of the op");
    contains(card, op.op, "name in the card");
    contains(card, `${us(op.device_us)} μs`, "time in the card");
    contains(card, "device 1", "the other device in the card");
    address = new URL(page.url()).hash;
    contains(address, `row=${op.id}`, "address");
    await page.keyboard.press("Escape");
    equal(await page.locator("#details").count(), 0, "cards after Escape");
    const name = await textOf(page, "#kinds .link");
    await page.click("#kinds .link");
    const rows = await cells(page);
    check(rows.length > 0 && rows.every((row) => row[2].startsWith(name)), `rows of ${name}: ${JSON.stringify(rows)}`);
  });
  await withPage(html, { ...READY, hash: address }, async (page) => {
    contains(await textOf(page, "#details"), `row ${op.id}`, "card of an op that a link names");
  });
});

browserCase("perf: keys choose, search, zoom and filter", async () => {
  const { html, perf } = perfPage(corpus("usual"));
  const ids = perf.ops.map((one) => String(one.id));
  const chosen = (page) => page.$$eval("#ops .grid-row.active", (rows) => rows.map((row) => row.children[0].textContent).join());
  await withPage(html, READY, async (page) => {
    await page.keyboard.press(".");
    equal(await chosen(page), ids[0], "first row");
    await page.keyboard.press(".");
    await page.keyboard.press(",");
    equal(await chosen(page), ids[0], "forth and back");
    await page.focus("#ops .grid");
    await page.keyboard.press("End");
    equal(await chosen(page), ids[ids.length - 1], "last row");
    await page.keyboard.press("ArrowUp");
    equal(await chosen(page), ids[ids.length - 2], "the row before");
    const axis = () => page.$eval("#timeline-canvas", (canvas) => canvas.toDataURL());
    const before = await axis();
    await page.keyboard.press("w");
    await page.waitForTimeout(50);
    check((await axis()) !== before, "W does not zoom");
    await page.keyboard.press("0");
    await page.keyboard.press("/");
    equal(await page.evaluate(() => document.activeElement.id), "find", "the search box has the focus");
    await page.keyboard.type("matmul");
    check((await cells(page)).every((row) => row[2].toLowerCase().includes("matmul")), "rows that match");
    await page.keyboard.press("Escape");
    await page.click("#ops button:has-text('Show all')");
    const limit = perf.bounds[0].bound;
    await page.click(`#bounds .link:has-text("${limit}")`);
    equal((await cells(page)).length, perf.bounds[0].ops, `rows with the bound ${limit}`);
  });
});

browserCase("perf: hostile names are text", async () => {
  const { html } = perfPage(corpus("hostile"));
  await withPage(html, READY, async (page) => {
    contains(JSON.stringify(await cells(page)), "</script>", "markup in the table");
    equal(await page.$$eval("main script, main img", (all) => all.length), 0, "elements made by the report");
    contains(await textOf(page, "#trust"), "rows with fewer cells", "problem in the trust section");
  });
});

browserCase("perf: reports that lack everything still open", async () => {
  for (const name of ["device_only", "quasar", "v1", "numbers", "conv", "trace", "cut"]) {
    const { html } = perfPage(corpus(name));
    await withPage(html, { ...READY, width: 390 }, async (page) => {
      contains(await textOf(page, "#cores"), "profile_log_device.csv", `${name}: cores`);
      for (const part of await page.$$eval("main > section", (all) => all.filter((one) => one.innerText.trim().split("\n").length < 2 && !one.querySelector("canvas")).map((one) => one.id))) check(false, `${name}: ${part} is empty and does not say why`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      check(overflow <= 0, `${name}: the page is ${overflow} pixels wider than a phone`);
    });
  }
});

browserCase("perf: the map of cores comes from the device log", async () => {
  if (!existsSync(join(BUILD, "ttscope-gen-device-log"))) throw new Skip("ttscope-gen-device-log is not built");
  const folder = join(work, "capture");
  run("ttscope-gen-device-log", "-o", folder, "--rows", "4000", "--cores", "16", "--devices", "2");
  const { html } = perfPage(folder);
  await withPage(html, READY, async (page) => {
    equal(await page.locator("#cores table").count(), 2, "devices in the map");
    equal(await page.$$eval("#cores td[title*=cycles]", (all) => all.length), 32, "cores with kernels");
    contains(await textOf(page, "#riscs"), "TRISC1", "processors");
  });
});

browserCase("perf: zones and what is wrong with the profiler's files", async () => {
  if (!existsSync(join(BUILD, "ttscope-gen-device-log"))) throw new Skip("ttscope-gen-device-log is not built");
  const folder = join(work, "damaged");
  run("ttscope-gen-device-log", "-o", folder, "--rows", "4000", "--cores", "16");
  const log = join(folder, "profile_log_device.csv");
  writeFileSync(log, readFileSync(log, "utf8").slice(0, -400));
  const { html, perf } = perfPage(folder, "--zones");
  await withPage(html, READY, async (page) => {
    const zones = await textOf(page, "#zones");
    for (const zone of perf.zones.slice(0, 5)) contains(zones, zone.zone, "zone");
    contains(await textOf(page, "#trust"), perf.trust.capture_problems.core_quarantined.what, "problem of the files");
  });
});

browserCase("perf: the panel has tensors, attributes and kernels of the op, as the document has", async () => {
  const { html, perf } = perfPage(corpus("usual"));
  const kind = perf.kinds.find((one) => one.tensors.length > 0 && one.attributes !== "");
  const op = perf.ops.find((one) => one.kind === kind.kind);
  await withPage(html, { ...READY, hash: `row=${op.id}` }, async (page) => {
    const tensors = await textOf(page, "#op-tensors");
    for (const one of kind.tensors) contains(tensors, one, "tensor");
    contains(await textOf(page, "#op-attributes"), "program_config", "attributes");
  });
});

browserCase("perf: the window is named on top, and what a filter shows is summed up", async () => {
  const { html, perf } = perfPage(corpus("usual"));
  await withPage(html, READY, async (page) => {
    contains(await textOf(page, "#window"), "Ignoring all signposts", "window");
    contains(await textOf(page, "#ops-sum"), `${us(perf.totals.device_us)} μs`, "sum of all rows");
    await page.fill("#find", "Matmul");
    const wanted = perf.ops.filter((op) => op.op?.includes("Matmul")).reduce((sum, op) => sum + (op.device_us ?? 0), 0);
    contains(await textOf(page, "#ops-sum"), `${us(wanted)} μs of device time`, "sum of the rows of a filter");
  });
});

browserCase("perf: 32 devices fit one screen, and the critical path is drawn below their ops", async () => {
  if (!existsSync(join(BUILD, "ttscope-gen-device-log"))) throw new Skip("ttscope-gen-device-log is not built");
  const folder = join(work, "many");
  run("ttscope-gen-device-log", "-o", folder, "--rows", "64000", "--cores", "4", "--devices", "32");
  const { html, perf } = perfPage(folder);
  equal(perf.devices.length, 32, "devices of the document");
  await withPage(html, { ...READY, height: 900 }, async (page) => {
    const box = await page.locator("#timeline-canvas").boundingBox();
    check(box.height <= 700, `the lanes of 32 devices are ${box.height} pixels high`);
    contains(await textOf(page, "#timeline .legend"), "critical path", "legend");
    const marked = await page.$eval("#timeline-canvas", (canvas) => {
      const ink = getComputedStyle(document.documentElement).getPropertyValue("--select").trim();
      const probe = document.createElement("canvas").getContext("2d");
      probe.fillStyle = ink;
      probe.fillRect(0, 0, 1, 1);
      const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
      const real = canvas instanceof HTMLCanvasElement ? canvas : canvas.querySelector("canvas");
      const { data } = real.getContext("2d").getImageData(0, 0, real.width, real.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] === r && data[i + 1] === g && data[i + 2] === b) count++;
      return count;
    });
    check(marked > 0, "no pixel of the timeline has the colour of the critical path");
  });
});

browserCase("perf: long names do not widen the page", async () => {
  const long = `${"VeryLongNameOfAnOp".repeat(20)}DeviceOperation`;
  const report = join(work, "long.csv");
  writeFileSync(report, readFileSync(corpus("usual"), "utf8").replaceAll("Unary,", `${long},`));
  const { html } = perfPage(report);
  for (const width of [1280, 700, 390]) {
    await withPage(html, { ...READY, width }, async (page) => {
      await page.fill("#find", "VeryLong");
      await page.click("#ops .grid-row >> nth=0");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      check(wide <= 0, `at ${width} the page is ${wide} pixels wider than the window`);
    });
  }
});

browserCase("perf: modules of a real model, and a roofline without noise", async () => {
  if (SHARED === null) throw new Skip("TTSCOPE_SHARED_DIR is not set");
  const { html, perf } = perfPage(join(SHARED, "data/perf/ops-reports/bh20_oft.csv"));
  await withPage(html, READY, async (page) => {
    contains(await textOf(page, "#modules"), "TTBasicBlock *", "layers together");
    const shares = await page.$$eval("#modules tbody tr td:nth-child(4)", (all) => all.map((cell) => Number(cell.textContent.replaceAll(",", ""))));
    check(Math.abs(shares.reduce((a, b) => a + b, 0) - perf.totals.device_us) < shares.length, "modules add up to the device time");
    contains(await textOf(page, "#roofline"), "also ops without weight", "choice of the noise");
    const before = await textOf(page, "#roofline");
    await page.check("#with-noise");
    check((await textOf(page, "#roofline")) !== before, "ops without weight appear when asked for");
  });
});

browserCase("perf: real reports", async () => {
  if (SHARED === null) throw new Skip("TTSCOPE_SHARED_DIR is not set");
  for (const name of ["bh20_oft", "falcon3_7b_tp4_ops_perf_results_2026_07_18_06_56_32"]) {
    const { html, perf } = perfPage(join(SHARED, "data/perf/ops-reports", `${name}.csv`));
    await withPage(html, READY, async (page) => {
      equal(await page.getAttribute("#ops .grid", "aria-rowcount"), String(perf.ops.length + 1), `${name}: rows`);
      await page.click("#advice .row-links button");
      equal(await page.locator("#ops .grid-row.active").count(), 1, `${name}: row of the first advice`);
    });
  }
});

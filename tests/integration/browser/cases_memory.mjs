// The page of memory: what stands first, clicks that move nothing, legends that hide, the stack by tensor and layer, what stays
// from run to run, the list of hits.
import { join } from "node:path";
import { browserCase, check, contains, equal, fragment, mib, reportOf, run, SOURCE, textOf, withPage, work } from "./harness.mjs";

let made = null;
const sample = () => (made ??= reportOf(join(SOURCE, "examples/sample.log")));
const top = (page, selector) => page.locator(selector).first().evaluate((element) => element.getBoundingClientRect().top);
const picture = (page, section) => page.locator(`#${section} .chart canvas`).first().evaluate((canvas) => canvas.toDataURL());

browserCase("the curve is on the first screen, below the verdict; one rank has no list of ranks", async () => {
  const { html } = sample();
  await withPage(html, { width: 1400, height: 900 }, async (page) => {
    const verdict = await top(page, "#verdict");
    const curve = await page.locator("#timeline .chart-overlay").first().boundingBox();
    check(curve.y > verdict && curve.y + curve.height < 900, `the curve ends at ${curve.y + curve.height}`);
    equal(await page.$eval("#trust", (details) => details.open), false, "trust is folded");
  });
  const { html: alone } = reportOf(join(SOURCE, "examples/sample_oom.log"));
  await withPage(alone, {}, async (page) => {
    equal(await page.locator("#ranks, nav a:has-text('Ranks')").count(), 0, "ranks of a log with one");
  });
});

browserCase("clicks move nothing: the details lie over the page, beside what was clicked", async () => {
  const { html } = sample();
  await withPage(html, { width: 1400, height: 900 }, async (page) => {
    const chart = page.locator("#timeline .chart-overlay").first();
    const before = await chart.boundingBox();
    for (const share of [0.2, 0.95]) {
      const [x, y] = [before.x + before.width * share, before.y + before.height / 2];
      await page.mouse.click(x, y);
      await page.waitForSelector(".drawer");
      await page.waitForTimeout(80);
      const after = await chart.boundingBox();
      equal(JSON.stringify(after), JSON.stringify(before), `place of the chart after a click at ${share}`);
      const drawer = await page.locator(".drawer").boundingBox();
      check(x < drawer.x || x > drawer.x + drawer.width, `the drawer (${drawer.x}) does not cover what was clicked (${x})`);
      await page.keyboard.press("Escape");
    }
    await page.mouse.move(before.x + 300, before.y + 100);
    await page.mouse.down();
    await page.mouse.move(before.x + 500, before.y + 100, { steps: 4 });
    await page.mouse.up();
    await page.waitForSelector(".range-note b");
    equal(JSON.stringify(await chart.boundingBox()), JSON.stringify(before), "place of the chart after a drag");
    await page.locator("#ops-grid").scrollIntoViewIfNeeded();
    const row = page.locator("#ops-grid .grid-row").nth(2);
    const at = (await row.boundingBox()).y;
    await row.click();
    await page.waitForSelector(".drawer");
    await page.waitForTimeout(200);
    const moved = Math.abs((await row.boundingBox()).y - at);
    check(moved < 2, `the row that was clicked moved by ${moved}`);
  });
});

browserCase("in a narrow window the strip of sections does not hide what closes the details", async () => {
  const { html } = sample();
  for (const width of [880, 720, 600]) {
    await withPage(html, { width, height: 700 }, async (page) => {
      const chart = page.locator("#timeline .chart-overlay").first();
      for (const share of [0.3, 0.9]) {
        await chart.scrollIntoViewIfNeeded();
        await page.waitForTimeout(100);
        const box = await chart.boundingBox();
        await page.mouse.click(box.x + box.width * share, box.y + box.height / 2);
        await page.waitForSelector(".drawer");
        await page.getByLabel("Close the details").click({ timeout: 3000 });
        equal(await page.locator(".drawer").count(), 0, `drawers after a click at ${share} of ${width}`);
      }
    });
  }
});

browserCase("legends hide and show, the link keeps it; without weights the axis fits the rest", async () => {
  const { html } = sample();
  await withPage(html, { width: 1400, height: 1400 }, async (page) => {
    const plain = await picture(page, "timeline");
    await page.click("#timeline .legend-toggle:has-text('capacity')");
    await page.waitForTimeout(100);
    check((await picture(page, "timeline")) !== plain, "the capacity is gone from the curve");
    equal((await fragment(page)).get("hide"), "capacity", "link");
    check(!(await textOf(page, "#composition")).includes("less what is hidden"), "the stack hides nothing");
    await page.click("#timeline .legend-toggle:has-text('capacity')");
    await page.waitForTimeout(100);
    equal(await picture(page, "timeline"), plain, "the curve with it again");
    await page.check("#without-weights");
    await page.waitForTimeout(100);
    equal((await fragment(page)).get("hide"), "kind-const_eval kind-weight", "link without weights");
    equal(await page.getAttribute("#composition .legend-toggle:has-text('weights')", "aria-pressed"), "false", "entry of the weights");
    contains(await textOf(page, "#composition h3"), "of the peak", "the axis says that it ends lower");
    await page.click("#composition .legend-toggle:has-text('weights')");
    equal(await page.isChecked("#without-weights"), false, "the box follows the legend");
  });
});

browserCase("the stack by tensor: a click gives the origin and the life of an allocation", async () => {
  const { html, mem } = sample();
  await withPage(html, { width: 1400, height: 1400, hash: "#stack=tensor" }, async (page) => {
    const largest = mem.live_at_peak.DRAM.tensors[0];
    const box = await page.locator("#composition .chart-overlay").boundingBox();
    // The largest is a weight and lies at the foot of the stack.
    await page.mouse.move(box.x + 400, box.y + box.height - 80);
    await page.waitForTimeout(80);
    contains(await textOf(page, ".hover-card"), "embed_tokens.weight", "the tensor under the pointer");
    await page.mouse.click(box.x + 400, box.y + box.height - 80);
    await page.waitForSelector(".drawer h2:has-text('embed_tokens.weight')");
    const details = await textOf(page, ".drawer");
    contains(details, largest.name, "full name");
    contains(details, `${mib(largest.bytes_per_bank)} MB`, "bytes");
    contains(details, "there to the end of the log", "life");
    const tensor = (await fragment(page)).get("tensor");
    check(tensor !== null, "the link names the tensor");
    await page.keyboard.press(".");
    await page.waitForTimeout(50);
    check((await textOf(page, ".drawer")) !== details, "the next tensor");
    await page.keyboard.press("Escape");
    equal(await page.locator(".drawer").count(), 0, "drawers after Escape");
  });
});

browserCase("the stack by layer, and names without what all share", async () => {
  const { html } = sample();
  await withPage(html, { width: 1400, height: 1400 }, async (page) => {
    const kinds = await picture(page, "composition");
    await page.click("#composition .switch button:has-text('by layer')");
    await page.waitForTimeout(150);
    check((await picture(page, "composition")) !== kinds, "another picture");
    const legend = await textOf(page, "#composition .legend");
    contains(legend, "embed_tokens", "a layer");
    contains(legend, "layers.0/self_attn", "a layer inside of a layer");
    check(!legend.includes("model/"), `the prefix of all is left out: ${legend}`);
    const before = await picture(page, "composition");
    await page.click("#composition .legend-toggle:has-text('embed_tokens')");
    await page.waitForTimeout(100);
    check((await picture(page, "composition")) !== before, "a hidden layer is gone");
    const names = await page.$$eval("#live-grid .grid-row .grid-cell:first-child", (cells) => cells.map((cell) => cell.textContent));
    check(names.includes("layers.0.self_attn.qkv_proj.weight"), `a short name in the list: ${names}`);
  });
});

browserCase("from run to run: memory after each run, and the tensors that outlive theirs", async () => {
  const { html, mem } = sample();
  await withPage(html, {}, async (page) => {
    await page.waitForSelector("#survivors table");
    contains(await textOf(page, "#survivors"), "Nothing piles up", "verdict of the sample");
    const runs = mem.programs.filter((one) => one.rank === mem.main_rank && one.parent === null);
    equal(await page.locator("#survivors table").first().locator("tbody tr").count(), runs.length, "runs");
    const table = await textOf(page, "#survivors-table");
    contains(table, "from outside", "fate of the weights");
    contains(table, "embed_tokens.weight", "a weight");
    check(!table.includes("one more each run"), "nothing grows in number");
    await page.click("#survivors-table tbody tr >> nth=0 >> button.link");
    contains(await textOf(page, ".drawer"), "outlives", "details of the tensor");
  });
});

browserCase("from run to run: what every run keeps is told with its bytes", async () => {
  const log = join(work, "pile.log");
  const truth = join(work, "pile.json");
  run("ttscope-gen-log", "--oom", "--runs", "4", "-o", log, "--truth", truth);
  const { html, mem } = reportOf(log);
  const passes = mem.programs.filter((one) => one.parent === null && one.end_line !== null && one.graph === mem.programs[0].graph); // the run that failed keeps nothing
  check(passes.length >= 3, "several runs of one graph");
  await withPage(html, {}, async (page) => {
    await page.waitForSelector("#survivors-table");
    contains(await textOf(page, "#survivors .findings"), "each run keeps", "finding");
    contains(await textOf(page, "#survivors-table tbody tr"), "one more each run", "fate of the first");
    const cells = await page.$$eval("#survivors-table tbody tr:first-child td", (all) => all.map((cell) => cell.textContent));
    equal(cells[6], String(passes.length), "tensors that outlived their run");
    equal(cells[7], String(passes.length), "tensors that were never freed");
  });
});

browserCase("search lists ops, lines, tensors and layers, and marks them on the curve", async () => {
  const { html } = sample();
  await withPage(html, { width: 1400, height: 900 }, async (page) => {
    const plain = await picture(page, "timeline");
    await page.keyboard.press("/");
    await page.keyboard.type("qkv_proj");
    await page.waitForSelector("#search-hits .hit");
    const list = await textOf(page, "#search-hits");
    for (const part of ["Layers", "model/layers.0/self_attn/qkv_proj", "Tensors", "layers.0.self_attn.qkv_proj.weight", "Ops", "ttnn.matmul"]) contains(list, part, "hits");
    await page.waitForTimeout(100);
    check((await picture(page, "timeline")) !== plain, "hits are marked on the curve");
    await page.click("#search-hits .hit:has-text('layers.0.self_attn.qkv_proj.weight')");
    contains(await textOf(page, ".drawer"), "4.000 MB", "details of the tensor");
    equal(await page.locator("#search-hits").count(), 0, "lists after a choice");
    await page.keyboard.press("Escape");
    await page.fill("#search-input", "225");
    await page.waitForSelector("#search-hits .hit");
    contains(await textOf(page, "#search-hits"), "log line 225", "a number is a log line");
    await page.focus("#search-input");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    contains(await textOf(page, ".drawer"), "log line 225", "the op of that line");
    await page.fill("#search-input", "self_attn/softmax");
    await page.waitForSelector("#search-hits .hit:has-text('self_attn/softmax')");
    await page.click("#search-hits .hit >> nth=0");
    await page.waitForFunction(() => document.querySelector("#layers .crumbs b")?.textContent === "softmax", null, { timeout: 5000 });
    contains(await textOf(page, "#layers .tools"), "all tensors", "of all tensors, since none of it lives at this moment");
  });
});

browserCase("a link to the IR stays one, and the IR opens on the graph of the peak", async () => {
  const { html, mem } = sample();
  await withPage(html, { hash: "#at=ir", height: 1400 }, async (page) => {
    await page.waitForTimeout(1200);
    equal((await fragment(page)).get("at"), "ir", "section of the link after a while");
    const inView = await top(page, "#ir");
    check(inView < 1400 && inView > -20, `the IR is in view, at ${inView}`);
    const chosen = await page.$eval("#ir select", (select) => select.selectedOptions[0].textContent);
    const { graph } = mem.programs.find((one) => one.rank === mem.main_rank && one.first_op_index <= mem.memory.DRAM.peak.op_index && mem.memory.DRAM.peak.op_index < one.first_op_index + one.executed_ops);
    const mains = mem.graphs.filter((one) => one.name === "main").map((one) => one.id);
    contains(chosen, `main#${mains.indexOf(graph) + 1}`, "graph of the module");
    await page.mouse.wheel(0, -6000);
    await page.waitForTimeout(300);
    check((await fragment(page)).get("at") !== "ir", "scrolling changes the section again");
  });
});

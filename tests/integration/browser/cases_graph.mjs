// The page of `ttscope graph --html` shows the figures of the JSON document of the same capture, its map, holes and calls.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browserCase, bytes, check, contains, count, equal, openFile, run, SOURCE, textOf, withPage, work } from "./harness.mjs";

const SEGMENTS = join(SOURCE, "examples/sample_graph.json");
let pages = 0;

function graphOf(...args) {
  const html = join(work, `graph${++pages}.html`);
  const json = html.replace(".html", ".json");
  run("ttscope", "graph", ...args, "-q", "--html", html, "--json", json);
  return { html, doc: JSON.parse(readFileSync(json, "utf8")) };
}

async function openGraph(html, options) {
  const opened = await openFile(html, options);
  await opened.page.waitForSelector("#map h2", { timeout: 20000 });
  return opened;
}

const withGraph = (html, options, body) => withPage(html, options, body, openGraph);

/** How much there is in the picture of the map; an empty canvas of that size has next to nothing. */
const painted = (page) => page.$eval(".map canvas", (canvas) => canvas.toDataURL().length);

/** Two buffers with a free range between them that a third one left. */
function captureWithHole() {
  const event = (counter, type, address, buffer) => ({
    arguments: [], connections: [buffer], counter, input_tensors: [], node_type: type, stacking_level: 0,
    params: { address, buffer_type: 0, device_id: 0, layout: "INTERLEAVED", max_size_per_bank: 4096, num_cores: 0, page_size: 4096, size: 49152, type: "DRAM" },
  });
  const buffer = (counter, tensor) => ({
    arguments: [], connections: [tensor], counter, input_tensors: [], node_type: "buffer", stacking_level: 0,
    params: { buffer_type: 0, device_id: 0, layout: "INTERLEAVED", size: 49152, type: "DRAM" },
  });
  const tensor = (counter, id) => ({
    arguments: [], connections: [], counter, input_tensors: [], node_type: "tensor", stacking_level: 0,
    params: { shape: "Shape([32, 768])", tensor_id: id, dtype: "DataType::BFLOAT16" },
  });
  return [
    buffer(0, 3), buffer(1, 4), buffer(2, 5), tensor(3, 11), tensor(4, 22), tensor(5, 33),
    event(6, "buffer_allocate", 1000, 0), event(7, "buffer_allocate", 5096, 1), event(8, "buffer_allocate", 9192, 2),
    event(9, "buffer_deallocate", 5096, 1),
  ];
}

browserCase("graph: figures and calls of every segment are those of the document", async () => {
  const { html, doc } = graphOf(SEGMENTS);
  await withGraph(html, {}, async (page) => {
    for (const [index, segment] of doc.segments.entries()) {
      await page.selectOption("select[aria-label=Segment]", String(index));
      const peaks = await textOf(page, "#peaks");
      contains(peaks, bytes(segment.dram.peak), `DRAM peak of ${segment.name}`);
      contains(peaks, bytes(segment.l1.peak_total), `L1 peak of ${segment.name}`);
      contains(peaks, `${count(segment.nodes)} nodes`, `nodes of ${segment.name}`);
      await page.click("#calls .switch button:has-text('By name')");
      equal(await page.locator("#calls tbody tr").count(), Math.min(100, new Set(segment.calltrace).size), "names of calls");
      await page.click("#calls .switch button:has-text('Each')");
      equal(await page.locator("#calls tbody tr").count(), Math.min(100, segment.calls.length), "calls");
      contains(await textOf(page, "#calls"), segment.calltrace[0], "first call");
      check((await painted(page)) > 8000, "the map is painted");
    }
  });
});

browserCase("graph: a file of segments opens on the overall peak, its bars are the parts of the document", async () => {
  const { html, doc } = graphOf(SEGMENTS);
  const { dram } = doc.overall;
  await withGraph(html, {}, async (page) => {
    contains(await textOf(page, "#overview"), bytes(dram.bytes), "overall peak");
    equal(await page.inputValue("select[aria-label=Segment]"), String(dram.segment), "segment that is shown");
    contains(await textOf(page, "#live"), `Live at node ${count(dram.node)}`, "moment that is shown");
    equal(await page.locator(".segment-bar").count(), doc.segments.length, "bars");
    for (const [index, segment] of doc.segments.entries()) {
      const drawn = await page.$$eval(`.segment-bar[data-segment="${index}"] i`, (parts) => parts.map((part) => [part.dataset.part, Number(part.dataset.bytes)]));
      equal(JSON.stringify(drawn.sort()), JSON.stringify(segment.parts.map(({ part, bytes: size }) => [part, size]).sort()), `parts of ${segment.name}`);
    }
    await page.click('.segment-bar[data-segment="0"]');
    equal(await page.inputValue("select[aria-label=Segment]"), "0", "a click on a bar shows its segment");
  });
});

browserCase("graph: binaries have a band of their own, addresses zoom, calls of a name are listed", async () => {
  const capture = captureWithHole();
  const binary = (counter) => ({
    arguments: [], connections: [counter - 1], counter, input_tensors: [], node_type: "buffer_allocate", stacking_level: 0,
    params: { address: 1073737728, buffer_type: 0, device_id: 0, layout: "INTERLEAVED", max_size_per_bank: 4096, num_cores: 0, page_size: 2048, size: 26624, type: "DRAM" },
  });
  const node = { arguments: [], connections: [], counter: 10, input_tensors: [], node_type: "buffer", stacking_level: 0, params: { buffer_type: 0, device_id: 0, layout: "INTERLEAVED", size: 26624, type: "DRAM" } };
  const call = (counter, type) => ({ arguments: [], connections: [], counter, input_tensors: [], node_type: type, stacking_level: 1, params: { name: "ttnn.add" } });
  const file = join(work, "binary.json");
  writeFileSync(file, JSON.stringify([...capture, node, binary(11), call(12, "function_start"), call(13, "function_end"), call(14, "function_start"), call(15, "function_end")]));
  const { html } = graphOf(file);
  await withGraph(html, { hash: "#node=11" }, async (page) => {
    contains(await textOf(page, "#live"), "(2), binaries apart", "live without binaries");
    check(!(await textOf(page, "#holes")).includes("1,073,737,728"), "no hole up to the binaries");
    contains(await page.getAttribute(".map canvas", "aria-label"), "1 binaries apart", "label");
    const before = await page.$eval(".map canvas", (canvas) => canvas.toDataURL());
    await page.click("[aria-label='Zoom in on addresses']");
    await page.waitForTimeout(200);
    check((await page.$eval(".map canvas", (canvas) => canvas.toDataURL())) !== before, "addresses zoomed");
    await page.click("#calls tbody tr");
    equal(await page.locator("#calls tbody tr").count(), 2, "both calls of the name");
  });
});

browserCase("graph: a hole is labelled with the two buffers that bound it", async () => {
  const capture = join(work, "hole.json");
  writeFileSync(capture, JSON.stringify(captureWithHole()));
  const { html } = graphOf(capture);
  await withGraph(html, { hash: "#segment=0&memory=dram&node=9" }, async (page) => {
    const holes = await textOf(page, "#holes");
    contains(holes, "between tensor 11 [32, 768] BFLOAT16 and tensor 33 [32, 768] BFLOAT16", "hole");
    contains(holes, "4.0 KB", "size of the hole");
    contains(holes, "5,096 to 9,192", "addresses of the hole");
    contains(await textOf(page, "#live"), "Live at node 9 (2)", "live");
  });
  await withGraph(html, { hash: "#segment=0&memory=dram&node=8" }, async (page) => {
    contains(await textOf(page, "#holes"), "none", "no hole before");
  });
});

browserCase("graph: keys and clicks move the moment, the fragment keeps it, both themes draw", async () => {
  const { html } = graphOf(SEGMENTS);
  for (const colorScheme of ["light", "dark"]) {
    await withGraph(html, { colorScheme, width: 420 }, async (page) => {
      await page.click(".switch button:has-text('L1')");
      await page.focus(".map canvas");
      const before = new URLSearchParams(page.url().split("#")[1]).get("node");
      await page.keyboard.press("ArrowRight");
      equal(Number(new URLSearchParams(page.url().split("#")[1]).get("node")), Number(before) + 1, "node after ArrowRight");
      await page.fill("input[type=search]", "no such call");
      equal(await page.locator("#calls tbody tr").count(), 0, "filtered calls");
      await page.click("[aria-label='Switch between light and dark']");
      check((await painted(page)) > 5000, "painted after the switch");
      equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), true, "no sideways scrolling");
    });
  }
});

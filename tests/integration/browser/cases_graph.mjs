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
      equal(await page.locator("#calls tbody tr").count(), Math.min(100, segment.calls.length), "calls");
      contains(await textOf(page, "#calls"), segment.calltrace[0], "first call");
      check((await painted(page)) > 8000, "the map is painted");
    }
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

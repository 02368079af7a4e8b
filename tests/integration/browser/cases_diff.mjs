// The page of `ttscope diff --html` shows the figures of the JSON document of the same runs, and what clicks on it do.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browserCase, bytes, check, contains, equal, fragment, openFile, run, SHARED, Skip, textOf, withPage, work } from "./harness.mjs";

const DIFFERENT = 3;
let pages = 0;

function diffOf(before, after) {
  const html = join(work, `diff${++pages}.html`);
  const json = html.replace(".html", ".json");
  try {
    run("ttscope", "diff", before, after, "-q", "--html", html, "--json", json);
  } catch (error) {
    if (error.status !== DIFFERENT) throw error;
  }
  return { html, doc: JSON.parse(readFileSync(json, "utf8")) };
}

function madeLog(...options) {
  const log = join(work, `made${++pages}.log`);
  run("ttscope-gen-log", "-o", log, "--compact", ...options);
  return log;
}

const withDiff = (html, options, body) => withPage(html, options, body, (file, open) => openFile(file, { ...open, ready: "#changes tbody tr, #sum" }));

/** Whether any pixel of the picture is not transparent. */
const isPainted = (page) =>
  page.$eval("#runs canvas", (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value !== 0));

browserCase("diff: totals and changes are those of the document", async () => {
  const { html, doc } = diffOf(madeLog("--layers", "2"), madeLog("--layers", "3"));
  await withDiff(html, {}, async (page) => {
    const totals = await textOf(page, "#totals");
    const peak = doc.totals.find((total) => total.name === "peak_dram");
    contains(totals, bytes(peak.before), "before");
    contains(totals, `+${bytes(peak.change)}`, "change");
    const lines = await page.locator("#changes tbody td:nth-child(3)").allTextContents();
    const times = lines.map((text) => Number(/^(\d+) times: /.exec(text)?.[1] ?? 1));
    equal(times.reduce((all, one) => all + one, 0), doc.changes.length, "changes, those of the same words in one line");
    contains(await textOf(page, "#changes tbody tr"), `+${bytes(doc.changes[0].change)}`, "largest change");
    contains(await textOf(page, "#sum"), `together +${bytes(peak.change)}`, "the parts are the change");
    check(await isPainted(page), "both runs are drawn");
  });
});

browserCase("diff: a change leads to its place, and the address holds it", async () => {
  const { html } = diffOf(madeLog("--layers", "2"), madeLog("--layers", "3"));
  await withDiff(html, {}, async (page) => {
    await page.click("#changes tbody tr:nth-child(2)");
    const view = await fragment(page);
    equal(view.get("change"), "1", "chosen change");
    check(Number(view.get("to")) > Number(view.get("from")), "the picture shows its stretch");
    equal(await page.locator("#changes tr.chosen").count(), 1, "it is marked");
    await page.keyboard.press("Escape");
    equal((await fragment(page)).get("change"), null, "Escape lets go");
    await page.keyboard.press("w");
    check(Number((await fragment(page)).get("to")) > 0, "W zooms");
    await page.keyboard.press("0");
    equal((await fragment(page)).get("to"), null, "0 shows everything");
  });
  await withDiff(html, { hash: "#change=1" }, async (page) => {
    equal(await page.locator("#changes tr.chosen").count(), 1, "a link leads to the same view");
  });
});

browserCase("diff: pointing at an op says what it became", async () => {
  const { html } = diffOf(madeLog("--layers", "2"), madeLog("--layers", "3"));
  await withDiff(html, {}, async (page) => {
    const box = await page.locator("#runs-chart").boundingBox();
    await page.mouse.move(box.x + box.width / 3, box.y + 55);
    await page.waitForFunction(() => /→/.test(document.querySelector(".chart-note")?.textContent ?? ""));
    contains(await textOf(page, ".chart-note"), "same", "what became of it");
  });
});

browserCase("diff: equal runs are said to be the same, in both themes", async () => {
  const log = madeLog();
  const { html } = diffOf(log, log);
  for (const colorScheme of ["light", "dark"]) {
    await withDiff(html, { colorScheme, width: 420 }, async (page) => {
      contains(await textOf(page, "#verdict"), "Same", "verdict");
      check(await isPainted(page), "drawn");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      check(wide <= 0, "nothing sticks out of a narrow window");
    });
  }
});

browserCase("diff: names of ops that try to be markup are text", async () => {
  const header = "OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,CORE COUNT,DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns]\n";
  const csv = (name, ns) => {
    const path = join(work, name);
    writeFileSync(path, `${header}<img src=x onerror=alert(1)></script>,tt_dnn_device,1,0,64,${ns},${ns}\nB,tt_dnn_device,2,0,64,90000,90000\n`);
    return path;
  };
  const { html } = diffOf(csv("evil1.csv", 1000), csv("evil2.csv", 90000));
  await withDiff(html, {}, async (page) => contains(await textOf(page, "#changes"), "<img src=x", "name"));
});

browserCase("diff: the published pair", async () => {
  if (SHARED === null) throw new Skip("the reference data are not there");
  const folder = join(SHARED, "data/perf-pairs/gemma-4-31b-sliding-prefill-fusing");
  const { html, doc } = diffOf(join(folder, "before.csv"), join(folder, "after.csv"));
  await withDiff(html, {}, async (page) => {
    contains(await textOf(page, "#changes"), "fidelity was HiFi2, is LoFi", "cause");
    contains(await textOf(page, "#changes"), "was it meant?", "unannounced");
    equal(doc.changes.filter((change) => change.beside_a_larger_change).length, 1, "unannounced changes");
    contains(await textOf(page, "#by"), "structural", "kinds of movement");
  });
});

browserCase("diff: gaps that changed, slow devices, and memory beside time", async () => {
  const csv = (name, matmul, gap) => {
    const path = join(work, name);
    const header = "OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,CORE COUNT,DEVICE FW START CYCLE,DEVICE FW END CYCLE,DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns],OP TO OP LATENCY [ns],LOC\n";
    const row = (op, call, device, start, ns, wait, loc) => `${op},tt_dnn_device,${call + device},${device},64,${start},${start + ns},${ns},${ns},${wait},${loc}\n`;
    const rows = [0, 1].map((device) => {
      const first = device === 1 ? matmul : 50000;
      return row("MatmulDeviceOperation", 1024, device, 1000, first, 0, 'loc("dot.7")') + row("UnaryDeviceOperation", 2048, device, 1000 + first + gap, 5000, gap, "");
    });
    writeFileSync(path, header + rows.join(""));
    return path;
  };
  const logs = [madeLog("--runs", "1"), madeLog("--runs", "1", "--layers", "3")];
  const { html, doc } = diffOf(`${logs[0]}+${csv("one.csv", 50000, 1000)}`, `${logs[1]}+${csv("two.csv", 80000, 9000)}`);
  const joined = doc.ops.filter((op) => op.beside);
  await withDiff(html, {}, async (page) => {
    contains(await textOf(page, "#gaps"), "UnaryDeviceOperation", "the op behind the gap");
    contains(await textOf(page, "#gaps"), "+8.00 μs", "by how much");
    contains(await textOf(page, "#by"), "(gaps between ops)", "gaps beside the categories");
    contains(await textOf(page, "#by"), "device 1", "the device");
    equal((await textOf(page, "#ops")).includes("peak_dram of it"), joined.length > 0, "memory beside time");
  });
});

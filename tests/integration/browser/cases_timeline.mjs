// The page of `ttscope timeline -o FILE.html`: what is chosen, found and summed up in it is what the JSON document of the same run says.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { browserCase, BUILD, check, contains, count, equal, openFile, run, Skip, textOf, withPage, work } from "./harness.mjs";

let made = null;

/** A made-up run of two devices. */
function timeline() {
  if (made) return made;
  const program = join(BUILD, "ttscope-gen-device-log");
  if (!existsSync(program)) throw new Skip("ttscope-gen-device-log is not built");
  const folder = join(work, "timeline-run");
  execFileSync(program, ["-o", folder, "--rows", "40000", "--devices", "2", "--cores", "20"], { stdio: "ignore" });
  const html = join(work, "timeline.html");
  const json = join(work, "timeline.json");
  run("ttscope", "timeline", folder, "-q", "-o", html, "--json", json);
  return (made = { html, doc: JSON.parse(readFileSync(json, "utf8")) });
}

async function openTimeline(html, options) {
  const opened = await openFile(html, options);
  await opened.page.waitForSelector("html[data-ready=yes] #timeline-canvas", { timeout: 20000 });
  return opened;
}

const withTimeline = (options, body) => withPage(timeline().html, options, body, openTimeline);

/** The colours of the canvas are more than the ground: something is drawn. */
const isDrawn = (page) =>
  page.$eval(".canvas canvas", (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set();
    for (let i = 0; i < data.length; i += 4 * 97) if (data[i + 3] > 0) colours.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return colours.size > 8;
  });

browserCase("timeline: it is drawn, in both themes, and says what it holds", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await withTimeline({ colorScheme }, async (page) => {
      check(await isDrawn(page), "the picture is empty");
      contains(await textOf(page, "#timeline"), `${count(timeline().doc.zones)} zones`, "content");
    });
  }
});

browserCase("timeline: finding marks as many zones as there are, and Enter goes through them", async () => {
  const { doc } = timeline();
  const wanted = doc.statistics.filter((stat) => stat.name === "BRISC-KERNEL").reduce((sum, stat) => sum + stat.count + stat.without_length, 0);
  check(wanted > 0, "the run has kernels");
  await withTimeline({}, async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("BRISC-KERNEL");
    contains(await textOf(page, "#hits"), count(wanted), "hits");
    await page.keyboard.press("Enter");
    contains(await textOf(page, "#hits"), `1 of ${count(wanted)}`, "the first hit");
    contains(await textOf(page, "#zone"), "BRISC-KERNEL", "the chosen zone");
    await page.keyboard.press("Escape");
    await page.waitForSelector("#zone", { state: "detached" });
  });
});

browserCase("timeline: the sums by name are those of the document", async () => {
  const { doc } = timeline();
  await withTimeline({}, async (page) => {
    const sums = await textOf(page, "#sums");
    const all = {};
    for (const stat of doc.statistics) all[stat.name] = (all[stat.name] ?? 0) + stat.count + stat.without_length;
    const most = Object.entries(all).sort((a, b) => b[1] - a[1])[0];
    contains(sums, count(most[1]), most[0]);
  });
});

browserCase("timeline: dragging chooses an area, keys zoom and move, the address leads back", async () => {
  await withTimeline({}, async (page) => {
    const box = await page.locator("#timeline-canvas").boundingBox();
    await page.mouse.move(box.x + 400, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 700, box.y + 200, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => /, \d[\d,]* zones?, together /.test(document.querySelector("#area")?.textContent ?? ""));
    for (const key of ["w", "w", "d", "a", "s", "w", "w", "w", "m"]) await page.keyboard.press(key);
    await page.waitForFunction(() => location.hash.includes("from="));
    const hash = await page.evaluate(() => location.hash);
    await withTimeline({ hash }, async (again) => {
      await again.keyboard.press("w");
      await again.keyboard.press("s");
      await again.waitForFunction(() => location.hash.includes("from="));
      const from = Number(new URLSearchParams(hash.slice(1)).get("from"));
      const to = Number(new URLSearchParams(hash.slice(1)).get("to"));
      const near = await again.evaluate(() => Number(new URLSearchParams(location.hash.slice(1)).get("from")));
      check(Math.abs(near - from) < (to - from) * 0.2, "the view is the same");
    });
  });
});

browserCase("timeline: a click on a zone shows it, F fills the picture with it", async () => {
  await withTimeline({}, async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("Matmul");
    await page.keyboard.press("Enter");
    await page.locator("#find").blur();
    await page.keyboard.press("f");
    await page.waitForFunction(() => location.hash.includes("zone="));
    const box = await page.locator("#timeline-canvas").boundingBox();
    check(box.height > 200, "the picture has room");
    check(await isDrawn(page), "the picture is empty");
    equal(await page.locator("#zone dt").first().textContent(), "Zone", "details");
  });
});

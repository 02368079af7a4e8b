// Using the page: keyboard, search, filter, zoom, links, themes, ranks, a phone.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  browserCase,
  check,
  contains,
  count,
  equal,
  fragment,
  gridCount,
  gridRows,
  mib,
  open,
  reportOf,
  settled,
  SOURCE,
  textOf,
  withPage,
} from "./harness.mjs";

const SAMPLE = join(SOURCE, "examples/sample.log");
let made = null;
const sample = () => (made ??= reportOf(SAMPLE));

const rangeOf = async (page, ops) => ((await fragment(page)).get("view") ?? `0~${ops}`).split("~").map(Number);
const sectionTop = (page, id) => page.$eval(`#${id}`, (element) => element.getBoundingClientRect().top);

browserCase("keyboard: help, zoom, pan, fit, sections", async () => {
  const { html, mem } = sample();
  const ops = mem.ranks[mem.main_rank].executed_ops;
  await withPage(html, {}, async (page) => {
    await page.keyboard.press("?");
    contains(await textOf(page, "[role=dialog]"), "zoom in and out", "help");
    await page.keyboard.press("Escape");
    equal(await page.locator("[role=dialog]").count(), 0, "dialogs after Escape");
    for (let i = 0; i < 4; i++) await page.keyboard.press("w");
    const [from, to] = await rangeOf(page, ops);
    check(to - from < ops * 0.6, `W zooms in: ${from} to ${to}`);
    await page.keyboard.press("d");
    const panned = await rangeOf(page, ops);
    check(panned[0] > from && Math.abs(panned[1] - panned[0] - (to - from)) < 0.01, "D pans right");
    await page.keyboard.press("a");
    check((await rangeOf(page, ops))[0] < panned[0], "A pans left");
    await page.keyboard.press("s");
    check((await rangeOf(page, ops))[1] - (await rangeOf(page, ops))[0] > to - from, "S zooms out");
    await page.keyboard.press("f");
    equal((await rangeOf(page, ops)).join(), [0, ops].join(), "range after F");
    for (const [key, id] of [
      ["9", "ops"],
      ["3", "composition"],
      ["7", "survivors"],
      ["1", "verdict"],
    ]) {
      await page.keyboard.press(key);
      await page.waitForTimeout(150);
      const top = await sectionTop(page, id);
      check(top > -5 && top < 400, `${key} goes to ${id}, now at ${top}`);
    }
  });
});

browserCase("keyboard alone: select, walk, copy, close", async () => {
  const { html } = sample();
  await withPage(html, {}, async (page) => {
    await page.keyboard.press(".");
    const first = await textOf(page, ".drawer");
    contains(first, "op #0 of", "details of the first op");
    await page.keyboard.press(".");
    contains(await textOf(page, ".drawer"), "op #1 of", "details of the next op");
    await page.keyboard.press(",");
    contains(await textOf(page, ".drawer"), "op #0 of", "details of the op before");
    await page.keyboard.press("y");
    await page.waitForTimeout(100);
    contains(await page.evaluate(() => navigator.clipboard.readText()), "| 0 | ttcore.load\\_cached |", "copied markdown");
    await page.keyboard.press("Escape");
    equal(await page.locator(".drawer").count(), 0, "drawers after Escape");
    await page.focus("#ops-grid");
    await page.keyboard.press("End");
    const last = await gridRows(page, "ops-grid");
    contains(await textOf(page, ".drawer"), `op #${last[last.length - 1][0]} of`, "last row");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    contains(await textOf(page, ".drawer"), "op #1 of", "second row");
  });
});

browserCase("every control has a name and a place in the tab order", async () => {
  const { html } = sample();
  await withPage(html, { hash: "#op=6" }, async (page) => {
    const nameless = await page.$$eval("button, input, select, [role=grid], [tabindex='0']", (all) =>
      all
        .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() || one.title || one.closest("label")))
        .map((one) => one.outerHTML.slice(0, 80)),
    );
    equal(nameless.join(), "", "controls without a name");
    const reached = new Set();
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement?.tagName));
    }
    check(reached.has("BUTTON") && reached.has("A") && reached.has("INPUT"), "Tab reaches links, buttons and inputs");
  });
});

browserCase("search: count, walking, words", async () => {
  const { html, mem } = sample();
  const kinds = Object.fromEntries(mem.operations_by_kind.map((one) => [one.op, one.executed]));
  await withPage(html, {}, async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type('"ttnn.matmul"');
    const wanted = kinds["ttnn.matmul"] / mem.ranks.length;
    await page.waitForFunction((text) => document.querySelector(".search-box .hit-count")?.textContent === text, `${wanted} ops`);
    await page.keyboard.press("Enter");
    contains(await textOf(page, ".drawer h2"), "ttnn.matmul", "first hit");
    equal(await textOf(page, ".search-box .hit-count"), `1 of ${wanted}`, "place");
    await page.keyboard.press("Enter");
    equal(await textOf(page, ".search-box .hit-count"), `2 of ${wanted}`, "place");
    await page.keyboard.press("Shift+Enter");
    equal(await textOf(page, ".search-box .hit-count"), `1 of ${wanted}`, "place");
    check((await page.locator("#ops-grid .grid-row.hit").count()) > 0, "hits are marked in the table");
    await page.click("text=only what the search finds");
    await settled(page);
    equal(await gridCount(page, "ops-grid"), wanted, "rows with hits only");
    await page.fill("#search-input", "qkv_proj dot");
    await page.waitForFunction(() => /ops?$|of/.test(document.querySelector(".search-box .hit-count")?.textContent ?? ""));
    await settled(page);
    for (const row of await gridRows(page, "ops-grid")) contains(row.join(" "), "qkv_proj/dot", "location found by two words");
  });
});

browserCase("filter, sort, columns, CSV", async () => {
  const { html, mem } = sample();
  const rank = mem.ranks[mem.main_rank];
  await withPage(html, {}, async (page) => {
    await page.click("text=counted ops only");
    await settled(page);
    equal(await gridCount(page, "ops-grid"), rank.executed_ops, "rows of all executed ops");
    await page.click("text=counted ops only");
    await page.fill('[aria-label^="Filter by Operation"]', "memory_config");
    await settled(page);
    const rows = await gridRows(page, "ops-grid");
    equal(
      rows.length,
      mem.operations_by_kind.find((one) => one.op === "ttnn.to_memory_config").executed / mem.ranks.length,
      "filtered rows",
    );
    await page.fill('[aria-label^="Filter by Operation"]', "");
    await page.click("#ops-grid [role=columnheader] button:has-text('own growth')");
    await settled(page);
    const growth = mem.growth.find((one) => one.rank === mem.main_rank && one.memory === "DRAM");
    const top = (await gridRows(page, "ops-grid"))[0];
    equal(top[0], count(growth.op_index), "op on top");
    check(top.includes(`+${mib(growth.bytes_per_bank)}`), "growth on top");
    await page.click(".chooser summary");
    await page.click(".chooser-list label:has-text('Role')");
    contains(await textOf(page, "#ops-grid .grid-head"), "Role", "column added");
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("text=Download CSV")]);
    const lines = readFileSync(await file.path(), "utf8")
      .trim()
      .split("\r\n");
    equal(lines.length, rank.ops + 1, "lines of the CSV");
    contains(lines[0], "dram_own_growth_bytes_per_bank", "head of the CSV");
    contains(lines[1], String(growth.bytes_per_bank), "first line of the CSV");
  });
});

browserCase("zoom to a known op, its details, its IR line", async () => {
  const { html, mem } = sample();
  const { peak } = mem.memory.DRAM;
  await withPage(html, {}, async (page) => {
    await page.fill("#search-input", `#${peak.op_index}`);
    await page.press("#search-input", "Enter");
    await page.waitForSelector(".drawer");
    await page.locator("#search-input").blur();
    await page.keyboard.press("f");
    const [from, to] = await rangeOf(page, mem.ranks[mem.main_rank].executed_ops);
    check(from <= peak.op_index && to >= peak.op_index + 1 && to - from <= 30, `the chart shows ${from} to ${to}`);
    const text = await textOf(page, ".drawer");
    for (const part of [
      peak.op,
      peak.loc,
      `log line ${count(peak.line)}`,
      mib(peak.bytes_per_bank),
      "Results",
      "Operands",
      "Tensors made",
      "Attributes",
    ]) {
      contains(text, part, "details");
    }
    contains(text, `"${peak.op}"(`, "text of the op");
    await page.click(".drawer .ir-link");
    await page.waitForSelector("#ir-grid .grid-row.active");
    contains(await textOf(page, "#ir-grid .grid-row.active"), peak.op, "line of the IR");
  });
});

browserCase("the chart: click selects, drag selects a range, the table follows", async () => {
  const { html, mem } = sample();
  await withPage(html, {}, async (page) => {
    await page.keyboard.press("2");
    await page.waitForTimeout(200);
    const box = await page.locator("#timeline .chart-overlay").first().boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForSelector(".drawer");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".drawer", { state: "detached" });
    await page.waitForTimeout(100); // the chart takes its width back
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction(() => location.hash.includes("range="), null, { timeout: 10000 });
    const [from, to] = ((await fragment(page)).get("range") ?? "").split("~").map(Number);
    check(to > from, "a range is selected");
    await settled(page);
    const rows = await gridRows(page, "ops-grid");
    check(rows.length > 0 && rows.length < mem.ranks[mem.main_rank].ops, "the table shows fewer ops");
    for (const row of rows) check(Number(row[0]) >= Math.floor(from) && Number(row[0]) < Math.ceil(to), `op ${row[0]} lies in the range`);
  });
});

browserCase("hovering a tensor, jump to peak, any moment", async () => {
  const { html, mem } = sample();
  await withPage(html, { height: 2600 }, async (page) => {
    await page.keyboard.press(".");
    const before = await textOf(page, "#composition .equation");
    check(!before.includes(mib(mem.memory.DRAM.peak.bytes_per_bank)), "the list follows the selected op");
    await page.locator("#composition button:has-text('Jump to peak')").last().click();
    contains(await textOf(page, "#composition .equation"), mib(mem.memory.DRAM.peak.bytes_per_bank), "list of the peak");
    await page.keyboard.press("Escape");
    const overlay = page.locator("#timeline .chart-overlay").first();
    const picture = () => overlay.evaluate((canvas) => canvas.toDataURL());
    await page.mouse.move(5, 5);
    await page.waitForTimeout(100);
    const plain = await picture();
    await page.hover("#live-grid .grid-row >> nth=2");
    await page.waitForTimeout(150);
    check((await picture()) !== plain, "hovering a tensor shows its lifetime on the curve");
  });
});

browserCase("a link reopens the exact view", async () => {
  const { html } = sample();
  const { page, problems, close } = await open(html);
  await page.click("#tab-L1");
  await page.fill("#search-input", "softmax");
  await page.press("#search-input", "Enter");
  await page.fill('[aria-label^="Filter by Operation"]', "softmax");
  await page.click("#ops-grid [role=columnheader] button:has-text('Log line')");
  await page.click("#ops-grid [role=columnheader] button:has-text('Log line')");
  await page.locator("#search-input").blur();
  await page.keyboard.press("w");
  await settled(page);
  const hash = `#${await fragment(page)}`;
  const state = async (one) =>
    JSON.stringify({
      drawer: await textOf(one, ".drawer"),
      tab: await one.getAttribute("#tab-L1", "aria-selected"),
      query: await one.inputValue("#search-input"),
      rows: await gridRows(one, "ops-grid"),
      list: await textOf(one, "#composition .live-sum"),
    });
  const wanted = await state(page);
  await close();
  equal(problems.join(), "", "problems");
  await withPage(html, { hash }, async (again) => {
    await again.waitForSelector(".drawer");
    await settled(again);
    await again.waitForTimeout(300);
    equal(await state(again), wanted, "the view reopened");
    equal(`#${await fragment(again)}`, hash, "its link");
  });
});

browserCase("a link pasted into the open page, also of another rank", async () => {
  const { html, mem } = sample();
  const other = mem.main_rank === 0 ? 1 : 0;
  await withPage(html, {}, async (page) => {
    await page.evaluate((hash) => void (location.hash = hash), `#rank=${other}&op=6&mem=L1`);
    await page.waitForSelector(".drawer");
    contains(await textOf(page, ".drawer"), `rank ${other}`, "details");
    contains(await textOf(page, ".drawer"), "op #6 of", "details");
    equal(await page.getAttribute("#tab-L1", "aria-selected"), "true", "L1 is shown");
  });
});

browserCase("dark and light: the system's, the key's, the link's", async () => {
  const { html } = sample();
  const light = (page) =>
    page.evaluate(() =>
      getComputedStyle(document.body)
        .backgroundColor.match(/\d+/g)
        .slice(0, 3)
        .every((one) => Number(one) > 128),
    );
  for (const [colorScheme, hash, wanted] of [
    ["light", "", true],
    ["dark", "", false],
    ["dark", "#theme=light", true],
    ["light", "#theme=dark", false],
  ]) {
    await withPage(html, { colorScheme, hash }, async (page) => {
      equal(await light(page), wanted, `light with system ${colorScheme} and link "${hash}"`);
      await page.keyboard.press("t");
      equal(await light(page), !wanted, "light after T");
      equal((await fragment(page)).get("theme"), wanted ? "dark" : "light", "theme in the link");
    });
  }
});

browserCase("several ranks: choose one, overlay them", async () => {
  const { html, mem } = sample();
  const other = mem.main_rank === 0 ? 1 : 0;
  await withPage(html, {}, async (page) => {
    const chart = page.locator("#timeline .chart canvas").first();
    const picture = async () => {
      await page.keyboard.press("2");
      await page.waitForTimeout(400);
      return chart.evaluate((canvas) => canvas.toDataURL());
    };
    const alone = await picture();
    await page.click("text=all ranks on the curve");
    check((await picture()) !== alone, "the overlay changes the chart");
    equal((await fragment(page)).get("overlay"), "1", "overlay in the link");
    await page.click(`#ranks tbody tr:nth-child(${other + 1}) input`);
    await page.waitForFunction(
      (text) => document.querySelector(".peak-card.memory-DRAM")?.textContent.includes(text),
      mib(mem.ranks[other].memory.DRAM.peak.bytes_per_bank),
    );
    equal(await gridCount(page, "ops-grid"), mem.ranks[other].ops, "ops of the other rank");
  });
});

browserCase("on a phone nothing is wider than the screen", async () => {
  const { html } = sample();
  for (const hash of ["", "#op=6"]) {
    await withPage(html, { width: 390, height: 844, hash, touch: true }, async (page) => {
      check((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, `the page fits with "${hash}"`);
      const wide = await page.$$eval("section.section, .drawer", (all) =>
        all.filter((one) => one.getBoundingClientRect().right > 391).map((one) => one.id || one.className),
      );
      equal(wide.join(), "", "parts wider than the screen");
      check(await page.locator("#search-input").isVisible(), "the search is there");
    });
  }
});

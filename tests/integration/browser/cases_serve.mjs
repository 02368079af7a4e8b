// The list of reports: finding one, adding one, opening one.
import { copyFileSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browserCase, check, contains, equal, run, Skip, textOf, work } from "./harness.mjs";
import { addReport, sampleLog, withServer } from "./server.mjs";

let made = null;

/** Two reports of the sample logs, made once by the real program. */
function samples() {
  if (made) return made;
  const base = join(work, "made");
  run("tt-memory-profiler", "--analyze", sampleLog(), "--output-dir", base);
  run("tt-memory-profiler", "--analyze", sampleLog("sample_oom.log"), "--output-dir", base);
  made = { plain: { folder: join(base, "sample"), name: "sample" }, full: { folder: join(base, "sample-oom"), name: "sample-oom" } };
  return made;
}

function setTime(folder, name, seconds) {
  for (const file of ["memory.json", "operations.json", "report.md"]) utimesSync(join(folder, name, `${name}_${file}`), seconds, seconds);
}

const three = (library) => {
  addReport(library, "bert-base", samples().plain);
  addReport(library, "llama-70b", samples().full);
  addReport(library, "bert-large", samples().full);
  setTime(library, "bert-base", 1700000000);
  setTime(library, "llama-70b", 1750000000);
  setTime(library, "bert-large", 1600000000);
};

const ids = (page) => page.$$eval("#library tbody tr", (rows) => rows.map((row) => row.dataset.id));

browserCase("serve: the list shows name, peak, date, size and curve, newest first", () =>
  withServer({ prepare: three }, async (page) => {
    equal((await ids(page)).join(), "llama-70b,bert-base,bert-large", "order");
    const row = await textOf(page, "tr[data-id=llama-70b]");
    for (const part of ["llama-70b", "90.249 MB", "99.9 %", "2025-06-15", "KB"]) contains(row, part, "row");
    check(await page.locator("tr[data-id=llama-70b] .used-high").count() > 0, "a peak near the capacity is marked");
    equal(await page.locator("#library .curve path").count(), 3, "curves");
    const box = await page.locator("tr[data-id=llama-70b] .curve path").first().boundingBox();
    check(box.width > 60 && box.height > 5, `the curve is drawn: ${JSON.stringify(box)}`);
  }),
);

browserCase("serve: search and sort", () =>
  withServer({ prepare: three }, async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("LARGE bert");
    equal((await ids(page)).join(), "bert-large", "found");
    await page.getByLabel("Search reports").fill("nothing like it");
    contains(await textOf(page, ".absent"), "No report has", "nothing found");
    await page.getByLabel("Search reports").fill("");
    await page.getByRole("button", { name: "Report", exact: true }).click();
    equal((await ids(page)).join(), "bert-base,bert-large,llama-70b", "by name");
    await page.getByRole("button", { name: /^Report/ }).first().click();
    equal((await ids(page)).join(), "llama-70b,bert-large,bert-base", "by name, turned round");
    await page.getByRole("button", { name: /^DRAM peak/ }).click();
    equal((await ids(page))[0], "bert-base", "highest peak first");
    equal(await page.locator("th[aria-sort=descending]").innerText().then((text) => /^DRAM peak/.test(text)), true, "aria-sort");
  }),
);

browserCase("serve: two reports are chosen, compared, and their difference opens", () =>
  withServer({ prepare: three }, async (page) => {
    await page.getByLabel("Compare bert-base").check();
    contains(await textOf(page, ".compare-bar"), "Choose another report", "what is missing");
    await page.getByLabel("Compare llama-70b").check();
    contains(await textOf(page, ".compare-bar"), "bert-base → llama-70b", "older first");
    await page.click("#compare");
    await page.waitForSelector("#difference", { timeout: 20000 });
    await page.click("#difference");
    const report = page.frameLocator("#report");
    await report.locator("#changes").waitFor({ timeout: 20000 });
    contains(await report.locator("#verdict").innerText(), "Different", "verdict");
  }),
);

browserCase("serve: reports of one model are a line with its change marked", () => {
  const many = (library) => {
    for (let i = 1; i <= 8; ++i) {
      addReport(library, `bert-${i}`, i <= 5 ? samples().plain : samples().full);
      setTime(library, `bert-${i}`, 1700000000 + i * 1000);
    }
  };
  return withServer({ prepare: many }, async (page) => {
    await page.waitForSelector("#history [data-figure=peak] circle");
    equal(await page.locator("#history circle").count(), 8, "reports");
    equal(await page.locator("#history .history-change").count(), 1, "change points");
    contains(await textOf(page, "#history .history-changes"), "bert-6", "where it changed");
  });
});

browserCase("serve: two versions of a model are two lines", () => {
  const runs = (library) => {
    ["llama-3.1", "llama-3.1-2", "llama-3.1-3", "llama-3.1-4", "llama-3.2", "llama-3.2_2026-11-17", "llama-3.2-run7"].forEach((name, i) => {
      addReport(library, name, i === 2 || i === 3 ? samples().full : samples().plain);
      setTime(library, name, 1700000000 + i * 1000);
    });
  };
  return withServer({ prepare: runs }, async (page) => {
    await page.waitForSelector("#history [data-figure=peak] circle");
    equal((await page.locator("#history select option").allInnerTexts()).join(), "llama-3.1,llama-3.2", "models");
    equal(await page.locator("#history circle").count(), 4, "reports of the first");
    equal(await page.locator("#history .history-change").count(), 1, "its change points");
    await page.locator("#history select").selectOption("llama-3.2");
    equal(await page.locator("#history circle").count(), 3, "reports of the second");
    equal(await page.locator("#history .history-change").count(), 0, "which did not change");
  });
});

browserCase("serve: pages of device time of one model are a line of their wall time", () => {
  const walls = (library) => {
    for (let i = 1; i <= 6; ++i) {
      const run_folder = join(work, `net-${i}`);
      run("ttscope-gen-device-log", "-o", run_folder, "--rows", "2000", "--clock", i <= 3 ? "1000" : "800");
      run("ttscope", "perf", run_folder, "--html", join(library, `net-${i}.html`));
      utimesSync(join(library, `net-${i}.html`), 1700000000 + i * 1000, 1700000000 + i * 1000);
    }
  };
  return withServer({ prepare: walls }, async (page) => {
    await page.waitForSelector("#history [data-figure=wall] circle");
    equal(await page.locator("#history [data-figure=wall] circle").count(), 6, "reports");
    equal(await page.locator("#history [data-figure=peak]").count(), 0, "there is no memory in them");
    contains(await textOf(page, "#history [data-figure=wall] .history-changes"), "net-4", "where it changed");
    contains(await textOf(page, "#history [data-figure=wall] .history-changes"), "+25", "by how much");
  });
});

/** Drops files onto the page as a file manager does. */
async function drop(page, files) {
  const data = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const { name, text } of all) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.dispatchEvent("body", "dragover", { dataTransfer: data });
  await page.waitForSelector(".drop-here");
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
}

browserCase("serve: a dropped log appears without a reload", () =>
  withServer({}, async (page) => {
    contains(await textOf(page, ".absent"), "No reports yet", "empty library");
    await page.evaluate(() => (window.notReloaded = true));
    await drop(page, [{ name: "dropped_profile.log", text: readFileSync(sampleLog(), "utf8") }]);
    await page.waitForSelector("tr[data-id=dropped].is-new", { timeout: 30000 });
    equal(await page.evaluate(() => window.notReloaded), true, "same page");
    await page.waitForSelector("#work", { state: "detached" });
    equal(await page.locator(".drop-here").count(), 0, "drop hint");
  }),
);

browserCase("serve: a chosen log is profiled, a useless one says why, a large one is not sent", () =>
  withServer({ args: ["--max-upload", "200000"] }, async (page) => {
    await page.setInputFiles("input[type=file]", [
      { name: "useless.log", mimeType: "text/plain", buffer: Buffer.from("nothing\n") },
      { name: "large.log", mimeType: "text/plain", buffer: Buffer.alloc(200001, 65) },
      { name: "empty.log", mimeType: "text/plain", buffer: Buffer.alloc(0) },
    ]);
    await page.waitForSelector("[data-job=failed]", { timeout: 30000 });
    contains(await textOf(page, "[data-job=failed]"), ": useless.log: neither op lines nor memory lines", "reason");
    contains(await textOf(page, "#work"), "large.log was not taken: it has 195.3 KB", "too large");
    contains(await textOf(page, "#work"), "empty.log was not taken: it is empty", "empty");
    await page.locator("[data-job=failed] button").click();
    await page.waitForSelector("[data-job=failed]", { state: "detached" });
    await page.reload();
    await page.waitForSelector("#library, .absent");
    equal(await page.locator("[data-job=failed]").count(), 0, "dismissed logs after a reload");
  }),
);

browserCase("serve: logs and reports that come into the folder appear, those that go disappear", () =>
  withServer({}, async (page, { library }) => {
    copyFileSync(sampleLog(), join(library, "added.log"));
    await page.waitForSelector("tr[data-id=added]", { timeout: 30000 });
    addReport(library, "other", samples().full);
    await page.waitForSelector("tr[data-id=other]", { timeout: 10000 });
    rmSync(join(library, "other"), { recursive: true });
    await page.waitForSelector("tr[data-id=other]", { state: "detached", timeout: 10000 });
  }),
);

browserCase("serve: names are text, whatever is in them", () =>
  withServer(
    {
      prepare: (library) => {
        addReport(library, "<img src=x onerror=alert(1)>", samples().plain);
        addReport(library, "a\u202egpj.exe", samples().plain);
        addReport(library, "%2e%2e & 50% #1?", samples().plain);
      },
    },
    async (page) => {
      const text = await textOf(page, "#library");
      contains(text, "<img src=x onerror=alert(1)>", "tags");
      contains(text, "a\\u{202e}gpj.exe", "marks of direction");
      equal(await page.locator("#library img").count(), 0, "images");
      for (const summary of await page.locator("summary").all()) await summary.click();
      const links = await page.$$eval("#library details a", (all) => all.map((link) => link.href));
      equal(links.length, 9, "files");
      for (const link of links) equal((await page.request.get(link)).status(), 200, link);
    },
  ),
);

browserCase("serve: a report opens from the list and works as from its file", async () => {
  const { folder, name } = samples().full;
  let html = null;
  try {
    html = readFileSync(join(folder, `${name}_report.html`), "utf8");
  } catch {
    throw new Skip("this build writes no report pages");
  }
  await withServer(
    {
      prepare: (library) => {
        mkdirSync(join(library, name));
        writeFileSync(join(library, name, `${name}_report.html`), html);
      },
    },
    async (page) => {
      await page.getByRole("link", { name, exact: true }).click();
      const report = page.frameLocator("#report");
      await report.locator("html[data-ready]").waitFor({ timeout: 20000 });
      await report.locator("#ops-grid .grid-row").first().waitFor();
      await page.keyboard.press("t");
      await page.waitForFunction(() => location.hash.includes("theme="));
      await report.locator("#ops-grid .grid-row").first().click();
      await page.waitForFunction(() => location.hash.includes("op="));
      const view = page.url();
      await page.goBack();
      await page.waitForSelector("#library");
      await page.goto(view);
      await report.locator("html[data-ready]").waitFor({ timeout: 20000 });
      check((await report.locator("html").evaluate(() => location.hash)).includes("op="), "the view follows the address");
      await page.getByRole("link", { name: "All reports" }).click();
      await page.waitForSelector("#library");
    },
  );
});

browserCase("serve: a server that is gone is said", () =>
  withServer({ prepare: three, allow: [/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE|Failed to load/] }, async (page, server) => {
    await server.stop();
    await page.waitForSelector("[role=alert]", { timeout: 10000 });
    contains(await textOf(page, "[role=alert]"), "does not answer", "message");
    equal((await ids(page)).length, 3, "the list stays");
  }),
);

browserCase("serve: a narrow window does not scroll sideways", () =>
  withServer({ prepare: three, width: 380 }, async (page) => {
    const [inner, whole] = await page.evaluate(() => [window.innerWidth, document.documentElement.scrollWidth]);
    check(whole <= inner, `${whole} px in a window of ${inner}`);
  }),
);

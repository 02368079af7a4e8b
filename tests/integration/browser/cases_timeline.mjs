// The page of `ttscope timeline -o FILE.html`: what is chosen, found and summed up in it is what the JSON document of the same run says.
// Nothing here waits for a time: what a loaded machine does late is waited for until it is there.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browserCase, BUILD, check, count, equal, openFile, run, Skip, withPage, work } from "./harness.mjs";

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

/** Waits until an element says something. */
const until = (page, selector, text) =>
  page.waitForFunction(([where, wanted]) => document.querySelector(where)?.innerText.includes(wanted), [selector, text]);

/** Waits until the address says something, and gives all that it says. */
async function addressWith(page, wanted) {
  await page.waitForFunction((word) => decodeURIComponent(location.hash).includes(word), wanted);
  return page.evaluate(() => location.hash);
}

/** Waits until the address has stayed the same for longer than the page waits with writing it. */
async function restingAddress(page) {
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        let last = location.hash;
        let same = 0;
        const look = () => {
          same = location.hash === last ? same + 1 : 0;
          last = location.hash;
          if (same > 8) resolve();
          else setTimeout(look, 100);
        };
        look();
      }),
  );
  return new URLSearchParams((await page.evaluate(() => location.hash)).slice(1));
}

const rangeOf = (address) => ({ from: Number(address.get("from")), to: Number(address.get("to")) });

const HEADER =
  "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, trace id, trace id counter, zone name, type, source line, source file, meta data";
const HOSTILE = "<img src=x onerror=alert(1)>\u202e";

let small = null;

/** A run of which every event is known: two ops, each on a device, the host that sent them, marks, and memory. In ns and cycles alike. */
function smallRun() {
  if (small) return small;
  const folder = join(work, "timeline-small", ".logs");
  mkdirSync(folder, { recursive: true });
  const rows = ["ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64", HEADER];
  const zone = (device, op, name, from, to) => {
    rows.push(`${device},1,1,BRISC,7,${from},0,${op},,,${name},ZONE_START,1,/a/k.cc,`, `${device},1,1,BRISC,7,${to},0,${op},,,${name},ZONE_END,1,/a/k.cc,`);
  };
  const times = ["name,src_file,src_line,zone_name,zone_text,ns_since_start,exec_time_ns,thread,special_parent_text"];
  const messages = ["MessageName;total_ns", "`TT_SIGNPOST: begin`;500"];
  const sync = ["device id,core_x, core_y,device,host_tracy,host_real,write_overhead,host_start,delay,frequency,tracy_ratio,tracy_base_time,device_frequency_ratio,device_shift"];
  for (const device of [0, 1]) {
    const op = 1024 * (device + 1);
    const start = 10_000 + 20_000 * device;
    zone(device, op, "BRISC-FW", start, start + 10_000);
    zone(device, op, "BRISC-KERNEL", start + 1000, start + 9000);
    zone(device, op, device === 0 ? "INNER" : HOSTILE, start + 2000, start + 2001);
    rows.push(`${device},1,1,BRISC,77,${start + 5000},42,${op},,,PROGRESS,TS_DATA,3,/a/k.cc,`);
    times.push(`TT_DNN_DEVICE_OP,op.hpp,9,,"id:${op}",${start - 5000},4000,1,`);
    const about = { op_code: "Matmul", device_id: device, op_type: "tt_dnn_device", global_call_count: op, math_fidelity: "HiFi4", input_tensors: [], output_tensors: [] };
    messages.push(`\`TT_DNN_DEVICE_OP: "Matmul", 77, ${device}, true, ${op} ->\n${JSON.stringify(about, null, 1)}\`;${start - 4500}`);
    for (let i = 0; i < 20; i++) sync.push(`${device},1,1,${i * 3000},${i * 3000},${i * 3000},4,7,0.0,1,1,7,1.0,0`);
  }
  // Zones of a processor stand in order of time; a zone in a zone closes first.
  const byTime = (row) => Number(row.split(",")[5]);
  rows.splice(2, rows.length, ...rows.slice(2).sort((a, b) => byTime(a) - byTime(b)));
  writeFileSync(join(folder, "profile_log_device.csv"), `${rows.join("\n")}\n`);
  writeFileSync(join(folder, "tracy_ops_times.csv"), `${times.join("\n")}\n`);
  writeFileSync(join(folder, "tracy_ops_data.csv"), `${messages.join("\n")}\n`);
  writeFileSync(join(folder, "sync_device_info.csv"), `${sync.join("\n")}\n`);
  const log = join(work, "timeline-small", "run.log");
  const view = (memory, used) =>
    `                 Always |     INFO | Device ${memory} memory state: MemoryView{numBanks: 12, totalBytesPerBank: 1000.000 MB, totalBytesAllocatedPerBank: ${used}.000 MB, totalBytesFreePerBank: ${1000 - used}.000 MB, largestContiguousBytesFreePerBank: ${1000 - used}.000 MB}`;
  const lines = [0, 1].flatMap((number) => {
    const stamp = `2026-11-18T09:00:00.${String(5500 + 20_000 * number).padStart(9, "0")}Z `;
    const op = `            RuntimeTTNN |    DEBUG | Executing operation: %${number} = "ttnn.matmul"(%a, %b) : (tensor<1xf32>) -> tensor<1xf32> loc("op${number}")`;
    return [op, "                 Always |     INFO | Device memory state before operation MatmulOp", view("DRAM", 10 * (number + 1)), view("L1", 1)].map((line) => stamp + line);
  });
  writeFileSync(log, `${lines.join("\n")}\n`);
  const html = join(work, "timeline-small.html");
  const json = join(work, "timeline-small.json");
  run("ttscope", "timeline", join(work, "timeline-small"), log, "-q", "-o", html, "--json", json);
  return (small = { html, doc: JSON.parse(readFileSync(json, "utf8")) });
}

const withSmall = (options, body) => withPage(smallRun().html, options, body, openTimeline);

/** Looks for a word, and shows its first hit. */
async function showHit(page, word) {
  await page.keyboard.press("/");
  await page.locator("#find").fill(word);
  await page.waitForFunction(() => /\d hits?$/.test(document.querySelector("#hits")?.textContent ?? ""));
  await page.keyboard.press("Enter");
  await page.waitForSelector("#zone");
  await page.locator("#find").blur();
}

browserCase("timeline: it is drawn, in both themes, and says what it holds", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await withTimeline({ colorScheme }, async (page) => {
      await page.waitForFunction(() => performance.getEntriesByName("ttscope-first-picture").length > 0);
      check(await isDrawn(page), "the picture is empty");
      await until(page, "#timeline", `${count(timeline().doc.zones)} zones`);
    });
  }
});

browserCase("timeline: finding marks as many zones as there are, and Enter goes through them", async () => {
  const { doc } = timeline();
  const wanted = doc.statistics.filter((stat) => stat.name === "BRISC-KERNEL").reduce((sum, stat) => sum + stat.count + stat.without_length, 0);
  check(wanted > 0, "the run has kernels");
  await withTimeline({}, async (page) => {
    await page.keyboard.press("/");
    await page.locator("#find").fill("BRISC-KERNEL");
    await until(page, "#hits", `${count(wanted)} hits`);
    await page.keyboard.press("Enter");
    await until(page, "#hits", `1 of ${count(wanted)}`);
    await page.keyboard.press("Enter");
    await until(page, "#hits", `2 of ${count(wanted)}`);
    await page.keyboard.press("Shift+Enter");
    await until(page, "#hits", `1 of ${count(wanted)}`);
    await until(page, "#zone", "RISC-KERNEL");
    await page.keyboard.press("Escape");
    await page.waitForSelector("#zone", { state: "detached" });
  });
});

browserCase("timeline: the sums by name are those of the document", async () => {
  const { doc } = timeline();
  await withTimeline({}, async (page) => {
    const all = {};
    for (const stat of doc.statistics) all[stat.name] = (all[stat.name] ?? 0) + stat.count + stat.without_length;
    const most = Object.entries(all).sort((a, b) => b[1] - a[1])[0];
    await page.waitForFunction(
      ([name, number]) => [...document.querySelectorAll("#sums tr")].some((row) => row.cells[0]?.innerText.trim() === name && row.cells[1]?.innerText.trim() === number),
      [most[0], count(most[1])],
    );
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
    await addressWith(page, "mark=");
    const left = await restingAddress(page);
    const area = await page.locator("#area p").innerText();
    await withTimeline({ hash: `#${left}` }, async (again) => {
      await again.waitForFunction((words) => document.querySelector("#area p")?.innerText === words, area);
      // Touched and untouched again, so that the address is written anew.
      await again.keyboard.press("m");
      for (const key of ["+", "-"]) await again.keyboard.press(key);
      const back = await restingAddress(again);
      const [one, other] = [rangeOf(left), rangeOf(back)];
      check(Math.abs(one.from - other.from) <= 1 && Math.abs(one.to - other.to) <= 1, `the view is another one: ${left} and ${back}`);
      for (const key of ["area", "mark", "pin", "fold"]) equal(back.get(key), left.get(key), key);
    });
  });
});

browserCase("timeline: W and S zoom at the pointer, down to a cycle and back to the whole run", async () => {
  await withSmall({}, async (page) => {
    await showHit(page, "INNER");
    await page.keyboard.press("f");
    await page.waitForFunction(() => {
      const at = new URLSearchParams(location.hash.slice(1));
      return Number(at.get("to")) - Number(at.get("from")) <= 6;
    });
    await until(page, "#zone", "1 ns, ");
    const box = await page.locator("#timeline-canvas").boundingBox();
    const before = rangeOf(await restingAddress(page));
    const share = 0.25;
    await page.mouse.move(box.x + 210 + share * (box.width - 210), box.y + 100);
    await page.keyboard.press("s");
    await page.keyboard.press("s");
    const after = rangeOf(await restingAddress(page));
    const timeAt = ({ from, to }) => from + share * (to - from);
    check(after.to - after.from > 1.5 * (before.to - before.from), "S shows more");
    check(Math.abs(timeAt(after) - timeAt(before)) < 0.05 * (after.to - after.from), `what is under the pointer stays there: ${timeAt(before)}, ${timeAt(after)}`);
    await page.keyboard.press("0");
    await page.waitForFunction(() => !location.hash.includes("from="));
  });
});

browserCase("timeline: an op's zone shows its row, where it was sent and what lies around it; keys go on from it", async () => {
  await withSmall({}, async (page) => {
    await showHit(page, "2048");
    await until(page, "#zone", "TT_DNN_DEVICE_OP");
    await until(page, "#zone", "op.hpp:9");
    await until(page, "#zone", "Leads to");
    await until(page, "#op", "Op 2048");
    await until(page, "#op", "HiFi4");
    await until(page, "#op", "begins 1.000 µs after the host sent it");
    await page.locator("#zone dd button.link").first().click();
    await until(page, "#zone", "Device 1 / Ops");
    await until(page, "#zone", "Comes from");
    await showHit(page, "INNER");
    await until(page, "#zone", "Device 0 / Core 1,1 / BRISC");
    await until(page, "#zone", "k.cc:1");
    await page.keyboard.press("ArrowUp");
    await until(page, "#zone", "BRISC-KERNEL");
    await until(page, "#zone", "7.999 µs"); // its own time
    await page.keyboard.press("ArrowUp");
    await until(page, "#zone", "BRISC-FW");
  });
});

browserCase("timeline: a message has a mark on its line, a click on it shows it, and the address leads back", async () => {
  const { doc } = smallRun();
  const place = doc.messages.findIndex((message) => message.text === "PROGRESS = 42");
  check(place >= 0, "the run has a mark");
  await withSmall({}, async (page) => {
    const row = page.locator("#messages tr", { hasText: "PROGRESS = 42" }).first();
    await row.click();
    await until(page, "#message", "PROGRESS = 42");
    await until(page, "#message", "Device 0 / Core 1,1 / BRISC");
    await until(page, "#message", "15.000 µs");
    const hash = await addressWith(page, "message=");
    await withSmall({ hash }, (again) => until(again, "#message", "PROGRESS = 42"));
    await page.keyboard.press("Escape");
    await page.waitForSelector("#message", { state: "detached" });
    // The signpost is the first thing on the axis.
    await page.keyboard.press("0");
    await page.evaluate(() => window.scrollTo(0, 0));
    const box = await page.locator("#timeline-canvas").boundingBox();
    const share = (500 - doc.first_ns) / (doc.last_ns - doc.first_ns);
    await page.mouse.click(box.x + 210 + share * (box.width - 210) + 1, box.y + 25);
    await until(page, "#message", "TT_SIGNPOST: begin");
  });
});

browserCase("timeline: lines fold and pin, by the mouse and by keys, and stay so in a link", async () => {
  await withSmall({}, async (page) => {
    await showHit(page, "INNER");
    await page.keyboard.press("p");
    await until(page, "#tracks", "let go");
    const pinned = await addressWith(page, "pin=t");
    await withSmall({ hash: pinned }, (again) => until(again, "#tracks", "let go"));
    await page.keyboard.press("p");
    await page.waitForFunction(() => !document.querySelector("#tracks")?.innerText.includes("let go"));
    const heightOf = () => page.locator("#timeline-canvas").evaluate((canvas) => canvas.clientHeight);
    await page.getByRole("button", { name: "Fold all" }).click();
    await addressWith(page, "fold=");
    await page.waitForFunction(() => document.querySelector("#timeline-canvas").clientHeight < 300);
    const low = await heightOf();
    // The first line is the group of the memory curves; a click opens it.
    const box = await page.locator("#timeline-canvas").boundingBox();
    await page.mouse.click(box.x + 60, box.y + 30 + 8);
    await page.waitForFunction((before) => document.querySelector("#timeline-canvas").clientHeight > before, low);
  });
});

browserCase("timeline: a hit in a folded group opens it without an empty picture below", async () => {
  await withSmall({ height: 1400 }, async (page) => {
    await page.getByRole("button", { name: "Fold all" }).click();
    await page.waitForFunction(() => document.querySelector("#timeline-canvas").clientHeight < 300);
    await showHit(page, "onerror");
    await addressWith(page, "zone=");
    equal((await restingAddress(page)).get("scroll"), null, "all lines have room, nothing is scrolled");
  });
});

browserCase("timeline: the line under the pointer says what the memory was", async () => {
  const { doc } = smallRun();
  await withSmall({}, async (page) => {
    const box = await page.locator("#timeline-canvas").boundingBox();
    const at = (ns) => box.x + 210 + ((ns - doc.first_ns) / (doc.last_ns - doc.first_ns)) * (box.width - 210);
    await page.mouse.move(at(15_000), box.y + 150);
    await until(page, ".readout", "DRAM allocated 120.000 MB");
    await page.mouse.move(at(35_000), box.y + 150);
    await until(page, ".readout", "DRAM allocated 240.000 MB");
  });
});

browserCase("timeline: an area has the sums of what lies in it, cut to it", async () => {
  // Device 0's ops and lanes, by their numbers in the document; half of the op.
  const { doc } = smallRun();
  const tracks = doc.tracks.flatMap((track, place) => (track.device === 0 && track.kind === "ops" ? [place] : []));
  equal(tracks.length, 1, "one track of ops");
  const [from, to] = [15_000 - doc.first_ns, 25_000 - doc.first_ns];
  await withSmall({ hash: `#area=${from}_${to}_${tracks[0]}` }, async (page) => {
    await until(page, "#area", "1 zone, together 5.000 µs, mean 5.000 µs");
    await page.keyboard.press("f");
    await addressWith(page, "from=");
    const range = rangeOf(await restingAddress(page));
    check(range.from < from && range.to > to && range.to - range.from < 1.5 * (to - from), "F shows the area");
  });
});

browserCase("timeline: hostile names are text", async () => {
  await withSmall({}, async (page) => {
    await showHit(page, "onerror");
    await until(page, "#zone", "<img src=x onerror=alert(1)>");
    equal(await page.locator("img").count(), 0, "pictures");
    check(!(await page.locator("#zone").innerText()).includes("\u202e"), "marks of direction are shown, not followed");
  });
});

browserCase("timeline: a click on a zone shows it, F fills the picture with it", async () => {
  await withTimeline({}, async (page) => {
    await showHit(page, "Matmul");
    await page.keyboard.press("f");
    await addressWith(page, "zone=");
    const box = await page.locator("#timeline-canvas").boundingBox();
    check(box.height > 200, "the picture has room");
    check(await isDrawn(page), "the picture is empty");
    equal(await page.locator("#zone dt").first().textContent(), "Zone", "details");
  });
});

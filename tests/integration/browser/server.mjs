// A server for one case, and a window that watches what its pages do.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { BUILD, check, newContext, SOURCE, work } from "./harness.mjs";

const READY_MS = 20000;

/** Starts `ttscope serve` on a library of its own; `prepare` fills it before. */
async function start(prepare, args) {
  const home = mkdtempSync(join(work, "serve-"));
  const library = join(home, "reports");
  mkdirSync(library);
  prepare(library);
  const child = spawn(join(BUILD, "ttscope"), ["serve", "--port", "0", ...args], {
    env: { ...process.env, HOME: home, TTMEM_HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const address = await new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => reject(new Error(`the server is not ready: ${text}`)), READY_MS);
    child.stdout.on("data", (data) => {
      text += data;
      const found = /http:\S+/.exec(text);
      if (!found || !text.includes("Ctrl-C")) return;
      clearTimeout(timer);
      resolve(found[0]);
    });
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
  });
  return { address, library, stop: () => (child.kill("SIGINT"), ended) };
}

/** Runs a case with a server and a page on its library; console errors, exceptions and foreign requests are problems. */
export async function withServer({ prepare = () => undefined, args = [], width = 1280, allow = [] }, body) {
  const server = await start(prepare, args);
  const context = await newContext({ viewport: { width, height: 800 }, acceptDownloads: true });
  const problems = [];
  // Not every browser knows every directive of the policy.
  const allowed = [/^console: Unrecognized Content-Security-Policy directive 'webrtc'/, ...allow];
  const note = (text) => allowed.some((one) => one.test(text)) || problems.push(text);
  try {
    const page = await context.newPage();
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && note(`console: ${message.text()}`));
    page.on("pageerror", (error) => note(`exception: ${error.message}`));
    page.on("request", (request) => {
      if (!request.url().startsWith(`${new URL(server.address).origin}/`) && !/^(data|blob):/.test(request.url())) note(`request of ${request.url()}`);
    });
    await page.goto(server.address);
    await page.waitForSelector("#library, .absent");
    await body(page, server);
    check(problems.length === 0, `the page had problems: ${problems.join("; ")}`);
  } finally {
    await context.close();
    await server.stop();
  }
}

/** The files of a report as the program writes them, under another name. */
export function addReport(library, name, from) {
  mkdirSync(join(library, name));
  for (const file of ["memory.json", "operations.json", "report.md"]) {
    cpSync(join(from.folder, `${from.name}_${file}`), join(library, name, `${name}_${file}`));
  }
}

export const sampleLog = (name = "sample.log") => join(SOURCE, "examples", name);

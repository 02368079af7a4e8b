// Boot: the data stand before the script, so all of them are there.
import { render } from "preact";
import { App } from "./app";
import { readData } from "./data";
import type { PageHeader, PerfDocument } from "./data";

const textOf = (id: string): string | null => document.getElementById(id)?.textContent ?? null;

async function boot(): Promise<void> {
  const root = document.getElementById("app");
  if (!root) return;
  const header = textOf("ttscope-page");
  const perf = textOf("ttscope-perf");
  if (!header || !perf) {
    root.textContent = "This page holds no report. `ttscope perf REPORT --html FILE` writes one.";
    return;
  }
  root.textContent = "Unpacking …";
  try {
    const data = await readData(JSON.parse(header) as PageHeader, JSON.parse(perf) as PerfDocument, textOf);
    root.textContent = "";
    render(<App data={data} />, root);
    document.documentElement.dataset.ready = "yes";
  } catch (error) {
    root.textContent = `This page cannot be shown: ${String(error)}`;
  }
}

void boot();

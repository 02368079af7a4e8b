// Boot: the data stand before the script, so all of them are there.
import { mount, readJson, textOf } from "kit/mount";
import { App } from "./app";
import { readData } from "./data";
import type { PageHeader, PerfDocument } from "./data";

async function boot(): Promise<void> {
  const header = readJson<PageHeader>("ttscope-page");
  const perf = readJson<PerfDocument>("ttscope-perf");
  if (!header || !perf) return mount("This page holds no report. `ttscope perf REPORT --html FILE` writes one.");
  mount("Unpacking …");
  try {
    mount(<App data={await readData(header, perf, textOf)} />);
  } catch (error) {
    mount(`This page cannot be shown: ${String(error)}`);
  }
}

void boot();

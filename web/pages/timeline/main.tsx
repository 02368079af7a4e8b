// Boot: the data stand before the script, so all of them are there.
import { mount, readJson, textOf } from "kit/mount";
import { App } from "./app";
import { readData } from "./data";
import type { PageHeader } from "./data";

async function boot(): Promise<void> {
  const header = readJson<PageHeader>("ttscope-page");
  if (!header) return mount("This page holds no timeline. `ttscope timeline PATH -o FILE.html` writes one.");
  mount("Unpacking …");
  try {
    mount(<App data={await readData(header, textOf)} />);
  } catch (error) {
    mount(`This page cannot be shown: ${String(error)}`);
  }
}

void boot();

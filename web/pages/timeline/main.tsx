// Boot: the data stand before the script, so all of them are there.
import { mount, readJson, textOf } from "kit/mount";
import { App } from "./app";
import { readData } from "./data";
import type { PageHeader } from "./data";
import { source } from "./source";
import { Feed } from "./windows";

async function boot(): Promise<void> {
  const header = readJson<PageHeader>("ttscope-page");
  if (!header) return mount("This page holds no timeline. `ttscope timeline PATH -o FILE.html` writes one.");
  mount("Unpacking …");
  try {
    const data = await readData(header, textOf);
    const feed = header.windows ? new Feed(data, (part) => source.set({ data: part, trouble: "" }), (trouble) => source.set({ trouble })) : null;
    source.set({ data, feed });
    mount(<App />);
  } catch (error) {
    mount(`This page cannot be shown: ${String(error)}`);
  }
}

void boot();

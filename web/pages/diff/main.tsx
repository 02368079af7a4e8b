// Boot: the data stand before the script, so all of them are there.
import { mount, readJson, textOf } from "kit/mount";
import { App } from "./app";
import { readDocument } from "./model";
import type { PageDocument } from "./model";

async function boot(): Promise<void> {
  const page = readJson<PageDocument>("ttscope-diff");
  if (!page || page.reports.length === 0) return mount("This page holds no report. `ttscope diff BEFORE AFTER --html FILE` writes one.");
  mount("Unpacking …");
  try {
    mount(<App document={await readDocument(page, textOf)} />);
  } catch (error) {
    mount(`This page cannot be shown: ${String(error)}`);
  }
}

void boot();

// Boot: the data stand before the script, so all of them are there.
import { mount, readJson, textOf } from "kit/mount";
import { App } from "./app";
import { readDocument } from "./data";
import type { StoredDocument } from "./data";

async function boot(): Promise<void> {
  const stored = readJson<StoredDocument>("ttscope-graph");
  if (!stored || stored.segments.length === 0) return mount("This page holds no capture. `ttscope graph FILE --html PAGE` writes one.");
  try {
    mount(<App document={await readDocument(stored, textOf)} />);
  } catch (error) {
    mount(`This page cannot be shown: ${String(error)}`);
  }
}

void boot();

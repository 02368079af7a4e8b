import { render } from "preact";
import { App } from "./app";
import type { Document } from "./model";

function boot(): void {
  const root = document.getElementById("app");
  if (!root) return;
  const text = document.getElementById("ttscope-phases")?.textContent;
  const data = text ? (JSON.parse(text) as Document) : null;
  if (!data || data.configurations.length === 0) {
    root.textContent = "This page holds no report. `ttscope phases LOG --html FILE` writes one.";
    return;
  }
  render(<App document={data} />, root);
}

boot();

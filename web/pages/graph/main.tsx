import { render } from "preact";
import { App } from "./app";
import type { GraphDocument } from "./model";

function boot(): void {
  const root = document.getElementById("app");
  if (!root) return;
  const text = document.getElementById("ttscope-graph")?.textContent;
  const data = text ? (JSON.parse(text) as GraphDocument) : null;
  if (!data || data.segments.length === 0) {
    root.textContent = "This page holds no capture. `ttscope graph FILE --html PAGE` writes one.";
    return;
  }
  render(<App document={data} />, root);
}

boot();

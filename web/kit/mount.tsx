// Boot: what the program put into the page, and the page that is made of it.
import { render } from "preact";
import type { VNode } from "preact";
import { followTheme } from "./theme";

/** Text of a data element; null where the page has none. */
export function textOf(id: string): string | null {
  return document.getElementById(id)?.textContent || null;
}

export function readJson<T>(id: string): T | null {
  const text = textOf(id);
  return text ? (JSON.parse(text) as T) : null;
}

/** Shows the page, or a sentence where there is nothing to show or not yet. */
export function mount(page: VNode | string): void {
  const root = document.getElementById("app");
  if (!root) return;
  if (!document.documentElement.dataset["theme"]) followTheme();
  root.textContent = typeof page === "string" ? page : "";
  if (typeof page !== "string") render(page, root);
}

// The bar at the top of every page: mark, name of the report, the page's own tools, light or dark.
import type { ComponentChildren } from "preact";
import { toggleTheme } from "./theme";

/** `name` is shown as it is: texts of a report pass `visible` first. */
export function Brand({ name }: { name: string }) {
  return (
    <div class="brand">
      <span class="logo" aria-hidden="true" />
      <b>ttscope</b>
      <span class="report-name" title={name}>{name}</span>
    </div>
  );
}

export function PageHead({ name, onTheme = toggleTheme, children }: { name: string; onTheme?: () => void; children?: ComponentChildren }) {
  return (
    <header class="top">
      <Brand name={name} />
      <div class="top-tools">
        {children}
        <button type="button" id="theme" class="icon-button" title="Light or dark" aria-label="Switch between light and dark" onClick={onTheme}>◐</button>
      </div>
    </header>
  );
}

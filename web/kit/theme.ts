// Light or dark: the system's choice until a link, the button or the key T says otherwise.
import { observable } from "./observable";

export type Theme = "auto" | "light" | "dark";

export const theme = observable<{ chosen: Theme }>({ chosen: "auto" });

const colours = new Set<() => void>();

/** Calls back after every change of colours. Returns how to stop. */
export function onColours(listener: () => void): () => void {
  colours.add(listener);
  return () => colours.delete(listener);
}

const system = () => window.matchMedia("(prefers-color-scheme: dark)");

export function toggleTheme(): void {
  const { chosen } = theme.get();
  const isDark = chosen === "auto" ? system().matches : chosen === "dark";
  theme.set({ chosen: isDark ? "light" : "dark" });
}

/** Keeps the page in the chosen theme. To be called once. */
export function followTheme(): void {
  const tell = () => {
    for (const listener of colours) listener();
  };
  const apply = () => {
    document.documentElement.dataset["theme"] = theme.get().chosen;
    tell();
  };
  apply();
  theme.subscribe(apply);
  system().addEventListener("change", tell);
}

// Light or dark: the system's choice until the button is used.

export function toggleTheme(): void {
  const root = document.documentElement;
  const system = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.dataset["theme"] = (root.dataset["theme"] ?? system) === "dark" ? "light" : "dark";
}

// The keyboard: the keys of the memory report where it has them.
import { isTyping, ownsArrows } from "kit/typing";
import { toggleTheme } from "kit/theme";
import type { TimelineControls } from "./timeline";

export interface KeyTargets {
  timeline(): TimelineControls | null;
  step(by: number): void;
  goTo(section: number): void;
  close(): void;
}

function actionOf(key: string, targets: KeyTargets): (() => void) | undefined {
  if (/^[1-9]$/.test(key)) return () => targets.goTo(Number(key) - 1);
  const zoom = (factor: number) => () => targets.timeline()?.zoom(factor);
  const pan = (share: number) => () => targets.timeline()?.pan(share);
  const actions: Record<string, () => void> = {
    w: zoom(0.8),
    s: zoom(1.25),
    "+": zoom(0.8),
    "=": zoom(0.8),
    "-": zoom(1.25),
    a: pan(-0.12),
    d: pan(0.12),
    arrowleft: pan(-0.12),
    arrowright: pan(0.12),
    "0": () => targets.timeline()?.all(),
    f: () => targets.timeline()?.focus(),
    ".": () => targets.step(1),
    ",": () => targets.step(-1),
    "/": () => document.getElementById("find")?.focus(),
    t: toggleTheme,
    escape: targets.close,
  };
  return actions[key];
}

/** Returns how to stop listening. */
export function listenToKeys(targets: () => KeyTargets): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (isTyping(event.target) && key !== "escape") return;
    if (isTyping(event.target)) (event.target as HTMLElement).blur();
    if (key.startsWith("arrow") && ownsArrows(event.target)) return;
    const action = actionOf(key, targets());
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

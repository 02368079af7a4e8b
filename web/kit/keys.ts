// The keyboard: one listener a page. Perfetto's keys where it has them.

/** Actions by key, in small letters as the browser names them: "w", "arrowleft", "escape". */
export type KeyMap = Record<string, (() => void) | undefined>;

/** A line of the help. */
export interface KeyHelp {
  keys: string[];
  what: string;
}

/** What keys do to a chart with a visible range. */
export interface ChartControls {
  zoom(factor: number): void;
  /** By a share of the visible range. */
  pan(share: number): void;
  all(): void;
  /** Shows what is chosen. */
  focus(): void;
}

export function chartKeys(chart: () => ChartControls | null): KeyMap {
  const zoom = (factor: number) => () => chart()?.zoom(factor);
  const pan = (share: number) => () => chart()?.pan(share);
  return {
    w: zoom(0.8),
    s: zoom(1.25),
    "+": zoom(0.8),
    "=": zoom(0.8),
    "-": zoom(1.25),
    a: pan(-0.12),
    d: pan(0.12),
    arrowleft: pan(-0.12),
    arrowright: pan(0.12),
    "0": () => chart()?.all(),
    f: () => chart()?.focus(),
  };
}

export const CHART_HELP: readonly KeyHelp[] = [
  { keys: ["W", "S"], what: "zoom in and out" },
  { keys: ["A", "D"], what: "pan left and right (also ← →)" },
  { keys: ["F"], what: "focus what is chosen" },
  { keys: ["+", "-", "0"], what: "zoom in, zoom out, everything" },
];

/** Check boxes and radio buttons take no text: the page's keys work on them too. */
function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type)) return false;
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Widgets that use arrow keys themselves keep them. */
function ownsArrows(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("[role=grid],[role=tablist],[role=tree],[role=listbox],input[type=radio]") !== null;
}

/** Returns how to stop listening. */
export function listenToKeys(actionOf: (key: string) => (() => void) | undefined): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (isTyping(event.target) && key !== "escape") return;
    if (isTyping(event.target)) (event.target as HTMLElement).blur();
    if (key.startsWith("arrow") && ownsArrows(event.target)) return;
    const action = actionOf(key);
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

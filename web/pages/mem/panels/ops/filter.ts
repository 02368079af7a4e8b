// The filter of the ops table: what the URL says, and what the user types above a column.

export interface OpFilter {
  /** Without deallocate and get_device. */
  counted: boolean;
  /** Only the area selected on the chart, when there is one. */
  range: boolean;
  /** Only what the search found. */
  hits: boolean;
  /** What was typed above each column, by column id. */
  text: Record<string, string>;
}

export const NO_FILTER: OpFilter = { counted: true, range: true, hits: false, text: {} };

/** Filter as a short string for the URL; "" is the default filter. */
export function filterToText(filter: OpFilter): string {
  const parts = new URLSearchParams();
  if (!filter.counted) parts.set("all", "1");
  if (!filter.range) parts.set("range", "0");
  if (filter.hits) parts.set("hits", "1");
  for (const id of Object.keys(filter.text).sort()) {
    if (filter.text[id]) parts.set(`c.${id}`, filter.text[id]);
  }
  return parts.toString();
}

export function filterFromText(text: string): OpFilter {
  const parts = new URLSearchParams(text);
  const result: OpFilter = {
    counted: parts.get("all") !== "1",
    range: parts.get("range") !== "0",
    hits: parts.get("hits") === "1",
    text: {},
  };
  for (const [key, value] of parts) {
    if (key.startsWith("c.")) result.text[key.slice(2)] = value;
  }
  return result;
}

/** Text condition: every word must occur; `-word` must not. Capitals do not matter. */
export function textCondition(pattern: string): (text: string) => boolean {
  const words = pattern
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const wanted = words.filter((word) => !word.startsWith("-") || word === "-");
  const unwanted = words.filter((word) => word.startsWith("-") && word !== "-").map((word) => word.slice(1));
  return (text) => {
    const lower = text.toLowerCase();
    return wanted.every((word) => lower.includes(word)) && !unwanted.some((word) => lower.includes(word));
  };
}

const COMPARISON = /^(<=|>=|<|>|=|!=)?\s*(-?[\d.]+(?:e[+-]?\d+)?)$/i;
const SPAN = /^(-?[\d.]+)\s*(?:\.\.|to)\s*(-?[\d.]+)$/i;

/**
 * Number condition: `> 1.5`, `<= 3`, `2 .. 4`, `= 7`; a bare number is "at least". Null when it cannot be read.
 * `unit` is what one typed unit means in the column's own (1048576 where MB are shown).
 */
export function numberCondition(pattern: string, unit: number, exact = false): ((value: number) => boolean) | null {
  const text = pattern.trim();
  const span = SPAN.exec(text);
  if (span) {
    const low = Number(span[1]) * unit;
    const high = Number(span[2]) * unit;
    return Number.isNaN(low + high) ? null : (value) => value >= low && value <= high;
  }
  const match = COMPARISON.exec(text);
  if (!match) return null;
  const limit = Number(match[2]) * unit;
  if (Number.isNaN(limit)) return null;
  switch (match[1] ?? (exact ? "=" : ">=")) {
    case "<":
      return (value) => value < limit;
    case "<=":
      return (value) => value <= limit;
    case ">":
      return (value) => value > limit;
    case "=":
      return (value) => Math.abs(value - limit) < Math.max(1e-9, unit * 0.0005);
    case "!=":
      return (value) => Math.abs(value - limit) >= Math.max(1e-9, unit * 0.0005);
    default:
      return (value) => value >= limit;
  }
}

// Rows as CSV and as markdown. Both may end in other programs, so nothing in them may act there.

/** What a table gives out; cells are numbers where the column holds figures. */
export interface Sheet {
  titles: string[];
  numeric: boolean[];
  cell(row: number, column: number): string | number | null;
}

/** Spreadsheets run text that starts like a formula: such text gets an apostrophe in front. */
function csvText(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  return csvText(value);
}

export function csvHead(sheet: Sheet): string {
  return sheet.titles.map(csvText).join(",") + "\r\n";
}

/** Lines of rows[from..to). */
export function csvLines(sheet: Sheet, rows: ArrayLike<number>, from: number, to: number): string {
  let text = "";
  for (let i = from; i < to; ++i) {
    text += sheet.titles.map((_, column) => csvCell(sheet.cell(rows[i], column))).join(",") + "\r\n";
  }
  return text;
}

/** Text that stays text where markdown is shown. */
export function markdownText(text: string): string {
  return text.replace(/[\\`*_~[\]<>|#&]/g, "\\$&");
}

function markdownCell(value: string | number | null): string {
  if (value === null) return "";
  return typeof value === "number" ? String(value) : markdownText(value);
}

export function markdownTable(sheet: Sheet, rows: ArrayLike<number>): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |\n`;
  let text = line(sheet.titles.map(markdownText)) + line(sheet.numeric.map((right) => (right ? "---:" : "---")));
  for (let i = 0; i < rows.length; ++i) {
    text += line(sheet.titles.map((_, column) => markdownCell(sheet.cell(rows[i], column))));
  }
  return text;
}

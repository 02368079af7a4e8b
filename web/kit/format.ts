// Text of figures, and the one gate through which text of a log reaches the screen.

const KIB = 1024;
const MIB = 1024 * 1024;
const GIB = 1024 * 1024 * 1024;

/** A number with so many decimals, the digits before them in groups of three: "1,234,567.80"; no sign before nothing but zeros. */
export function fixed(value: number, decimals: number): string {
  const [whole, rest] = Math.abs(value).toFixed(decimals).split(".");
  const digits = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",") + (rest ? `.${rest}` : "");
  return value < 0 && /[1-9]/.test(digits) ? `-${digits}` : digits;
}

/** Digits in groups of three: 1234567 -> "1,234,567". */
export function count(value: number): string {
  return fixed(Math.round(value), 0);
}

/** Bytes in a fitting unit of 1024, named as the runtime and the terminal name them: 0 B, 512 B, 1.5 KB, 12.345 MB, 12.000 GB. */
export function bytes(value: number): string {
  const size = Math.abs(value);
  if (size < KIB) return `${Math.round(value)} B`;
  if (size < MIB) return `${(value / KIB).toFixed(1)} KB`;
  if (size < 10 * GIB) return `${mib(value)} MB`;
  return `${(value / GIB).toFixed(3)} GB`;
}

/** Bytes as MB with the three decimals that the runtime prints, without the unit. */
export function mib(value: number): string {
  return fixed(value / MIB, 3);
}

/** Bytes as the tracker of training memory prints them: MB of 1,048,576 bytes with two decimals, without the unit. */
export function mb(value: number): string {
  return fixed(value / MIB, 2);
}

/** A figure with a leading + for growth: `signed(bytes, mb)`. */
export function signed(value: number, format: (value: number) => string): string {
  return value > 0 ? `+${format(value)}` : format(value);
}

/** Microseconds with as many decimals as are worth showing; "" for none (below 0). */
export function us(value: number): string {
  return value < 0 || !Number.isFinite(value) ? "" : fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0);
}

/** Microseconds in a fitting unit: 12.3 μs, 4.56 ms, 15.2 s. */
export function span(value: number): string {
  if (value === 0) return "0 μs";
  if (value < 1000) return `${us(value)} μs`;
  return value < 1e6 ? `${us(value / 1e3)} ms` : `${us(value / 1e6)} s`;
}

/** A fraction (0.25) as "25.0 %". */
export function percent(fraction: number, decimals = 1): string {
  return Number.isFinite(fraction) ? `${(fraction * 100).toFixed(decimals)} %` : "n/a";
}

/** "1 op", "2 ops". */
export function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

// C0, DEL, C1, soft hyphen, zero-width and bidi controls, line separators, byte order mark, tags, lone surrogates.
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x09) return "\\t";
  if (code === 0x0a) return "\\n";
  if (code === 0x0d) return "\\r";
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, "0")}`;
  return `\\u{${code.toString(16)}}`;
}

/**
 * Text of a log as it may be shown: whatever could hide, reorder or overwrite text (terminal escapes, bidi marks,
 * zero-width characters) becomes a visible escape.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, escaped);
}

/** `visible` for texts of several lines: line ends stay. */
export function visibleLines(text: string): string {
  return text.replace(HIDDEN, (character) => (character === "\n" ? character : escaped(character)));
}

/** The last part of a path. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1) || path;
}

/** The middle left out, so that both the start and the telling end of a path stay readable. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = Math.ceil((limit - 1) * 0.6);
  return `${text.slice(0, limit - 1 - tail)}…${text.slice(text.length - tail)}`;
}

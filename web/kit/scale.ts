// Marks of axes.

/** A step of 1, 2 or 5 times a power of ten that puts about `wanted` marks, and not more than that, on an axis. */
export function niceStep(span: number, wanted: number, factors: readonly number[] = [1, 2, 5]): number {
  const raw = span / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(raw));
  for (const factor of factors) if (raw <= factor * power) return factor * power;
  return 10 * power;
}

interface MarkOptions {
  /** Of things that are counted: no marks between two of them. */
  whole?: boolean;
  factors?: readonly number[];
}

/** Round values from `from` to `to`: about `wanted` of them, and not more than one above that. */
export function axisMarks(from: number, to: number, wanted: number, { whole = false, factors }: MarkOptions = {}): number[] {
  if (!(to > from)) return [whole ? Math.ceil(from) : from];
  const nice = niceStep(to - from, wanted, factors);
  const step = whole ? Math.max(1, nice) : nice;
  const first = Math.ceil(from / step - 1e-9);
  return Array.from({ length: Math.max(0, Math.floor(to / step + 1e-9) - first + 1) }, (_, i) => (first + i) * step);
}

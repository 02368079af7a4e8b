// Steps of axes.

/** A step of 1, 2 or 5 times a power of ten that puts about `wanted` marks, and not more than that, on an axis. */
export function niceStep(span: number, wanted: number, factors: readonly number[] = [1, 2, 5]): number {
  const raw = span / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(raw));
  for (const factor of factors) if (raw <= factor * power) return factor * power;
  return 10 * power;
}

// The reports of one model in order, and where its figures changed.
import type { Report } from "./library";

const ENDINGS = /(\.(csv|log|txt|json|html|mlir|gz|zst|xz|bz2))+$/i;
/** What only tells runs apart: dates, times, and `run7`. */
const RUN_AT_END = /[-_. ]+((run|r|build)\d+|\d{4}([-_.:T ]\d{1,2}){2,}|\d{8,}([-_.T ]?\d{2,6})?)$/i;
/** A number of its own: that of a run, or a part of the model's name. The `1` of `3.1` is none. */
const NUMBER_AT_END = /([-_ ]|(?<!\d)\.)v?(\d+)$/i;

function withoutRun(name: string): string {
  const shorter = name.replace(RUN_AT_END, "");
  return shorter === name || shorter === "" ? name : withoutRun(shorter);
}

/**
 * The model of each name: without the ending of its file and without what differs from run to run. A number at the end is that of a run where
 * the name stands without a number or with 1 too (`llama`, `llama-2`); else it tells models apart (`resnet-18`, `resnet-50`).
 */
export function modelsByName(names: string[]): Map<string, string> {
  const plain = new Map(names.map((name) => [name, withoutRun(name.replace(ENDINGS, "") || name)]));
  const withoutNumber = (name: string) => withoutRun(name.replace(NUMBER_AT_END, ""));
  const counted = new Set([...plain.values()].map((name) => (Number(NUMBER_AT_END.exec(name)?.[2]) === 1 ? withoutNumber(name) : name)));
  const modelOf = (name: string) => (counted.has(withoutNumber(name)) ? withoutNumber(name) : name);
  return new Map([...plain].map(([name, own]) => [name, modelOf(own)]));
}

/** Models with three reports or more that have a figure, by how many they have. */
export function modelsOf(reports: Report[], figure: (report: Report) => number | null): Map<string, Report[]> {
  const names = modelsByName(reports.map((report) => report.name));
  const models = new Map<string, Report[]>();
  for (const report of reports) {
    if (figure(report) === null) continue;
    const model = names.get(report.name) ?? report.name;
    models.set(model, [...(models.get(model) ?? []), report]);
  }
  const many = [...models].filter(([, list]) => list.length >= 3).sort((a, b) => b[1].length - a[1].length);
  return new Map(many.map(([model, list]) => [model, [...list].sort((a, b) => a.time_s - b.time_s)]));
}

const median = (values: number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Deviations of the difference of two means from which on it is no chance, also among the many places that are tried: four, and more where
 * few values tell the noise. Of series with noise alone about one in a hundred gets a mark, however long it is.
 */
export const deviationsOf = (count: number) => 4 + 20 / count;
/** Smaller changes are not worth a mark. */
const LEAST_SHARE = 0.005;

/**
 * Noise of one value: the median distance of neighbours, as a standard deviation. A step moves one of these distances only, so changes do
 * not make it larger.
 */
export function noiseOf(values: number[]): number {
  const steps = values.slice(1).map((value, i) => Math.abs(value - values[i]));
  return steps.length === 0 ? 0 : (1.4826 * median(steps)) / Math.SQRT2;
}

/**
 * The first values of new levels. A series is cut where the means on both sides differ most by Welch's measure (difference over its standard
 * error, with the noise of the whole series), if that is deviationsOf() or more and the change is 0.5 % or more; both parts are looked at again.
 */
export function changePoints(values: number[]): number[] {
  const noise = noiseOf(values);
  const deviations = deviationsOf(values.length);
  const found: number[] = [];
  const look = (from: number, to: number) => {
    let best = -1;
    let most = 0;
    for (let cut = from + 1; cut < to; ++cut) {
      const [left, right] = [values.slice(from, cut), values.slice(cut, to)];
      const change = Math.abs(mean(right) - mean(left));
      if (change < LEAST_SHARE * Math.abs(mean(left))) continue;
      const error = noise * Math.sqrt(1 / left.length + 1 / right.length);
      // Without noise the place that explains most is where both sides are level.
      const measure = error > 0 ? change / error : (change * change * left.length * right.length) / (to - from);
      if (measure > most && (error === 0 || measure >= deviations)) {
        most = measure;
        best = cut;
      }
    }
    if (best < 0) return;
    look(from, best);
    found.push(best);
    look(best, to);
  };
  look(0, values.length);
  return found;
}

// Two views of how near ops come to what limits them: time at the peak against measured time for every op with a bound, and the usual
// roofline (intensity against TFLOPs) for matmuls and convolutions.
import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import { plural, us } from "kit/format";
import type { PerfData } from "./data";
import { Absent } from "kit/parts";
import { Section } from "kit/sections";
import { dotsOf, nearestRow, pixelsOf, pointsOf } from "./dots";
import type { Dots, Pixels, Points } from "./dots";
import { shownName } from "./names";
import { EDGE, HEIGHT, Plot, scaleOf } from "./plot";
import type { Scale } from "./plot";
import { Canvas } from "kit/canvas/canvas";
import type { Surface } from "kit/canvas/canvas";

type Mode = "time" | "flops";
/** From this share of a peak on an op counts as bound by it. */
const BOUND = 0.65;
const PALE = 0.12;
/** Ops whose kind has less of the device time are noise among the dots. */
const NOISE_SHARE = 0.001;

/** Fidelities in the FLOPs view, each in a colour of its own, as its roof has. */
const FIDELITY_INKS: Record<string, string> = { LoFi: "failure", HiFi2: "alloc", HiFi3: "fragmentation", HiFi4: "weight-op" };
const fidelityOf = (data: PerfData, row: number) => data.kinds.fidelity[data.rows.kind[row]].split(" ", 1)[0];

/** Measured = ideal, and the share from which on an op counts as bound. */
function paintDiagonals(surface: Surface, plot: Plot): void {
  const { ctx } = surface;
  plot.clipped(surface, () => {
    for (const [share, color] of [[1, "text"], [BOUND, "muted"]] as const) {
      plot.line(surface, [plot.x.low, plot.x.low / share], [plot.x.high, plot.x.high / share], color);
      const x = Math.min(plot.x.high, plot.y.high * share) / 1.6;
      const label = `${share * 100} %`;
      ctx.fillStyle = surface.palette.of(color);
      ctx.fillText(label, plot.px(x) + (share === 1 ? 6 : -6 - ctx.measureText(label).width), plot.py(x / share) + (share === 1 ? 12 : -2));
    }
  });
}

/** Names of peaks are `hifi4`, those of ops `HiFi4`. */
const inkOf = (fidelity: string) => Object.entries(FIDELITY_INKS).find(([name]) => name.toLowerCase() === fidelity.toLowerCase())?.[1] ?? "muted";

function paintRoof(surface: Surface, plot: Plot, data: PerfData): void {
  const { device } = data.document;
  const bandwidth = device.peak_dram_gb_s;
  const cores = device.worker_cores;
  if (!bandwidth || !cores) return;
  const { ctx } = surface;
  for (const [name, perCore] of Object.entries(device.peak_tflops_per_core)) {
    const roof = (perCore ?? 0) * cores;
    if (roof < plot.y.low || roof > plot.y.high) continue;
    const ink = inkOf(name);
    plot.line(surface, [Math.max(plot.x.low, (roof * 1000) / bandwidth), roof], [plot.x.high, roof], ink);
    ctx.fillStyle = surface.palette.of(ink);
    ctx.fillText(name, surface.width - EDGE.right - ctx.measureText(name).width - 4, plot.py(roof) - 3);
  }
  plot.clipped(surface, () => plot.line(surface, [plot.x.low, (plot.x.low * bandwidth) / 1000], [plot.x.high, (plot.x.high * bandwidth) / 1000], "alloc"));
}

function paintDots(surface: Surface, data: PerfData, points: Points, placed: Placed, mode: Mode): void {
  const { ctx } = surface;
  const { dots, pixels } = placed;
  dots.of.forEach((i, k) => {
    ctx.globalAlpha = k < dots.matching ? PALE : 0.8;
    const row = points.row[i];
    ctx.fillStyle = mode === "flops" ? surface.palette.of(inkOf(fidelityOf(data, row))) : data.header.colors[data.kinds.category[data.rows.kind[row]]];
    ctx.fillRect(pixels.x[i] - 3, pixels.y[i] - 3, 6, 6);
  });
  ctx.globalAlpha = 1;
}

function pointText(data: PerfData, row: number): string {
  const { rows, kinds, header } = data;
  const share = rows.idealNs[row] > 0 ? `${((rows.idealNs[row] / rows.deviceNs[row]) * 100).toFixed(1)} % of its ${header.limits[rows.limit[row]]} bound` : "";
  return `row ${rows.id[row]} · ${shownName(kinds.label[rows.kind[row]])} · ${us(rows.deviceNs[row] / 1000)} μs · ${share} (${header.models[rows.model[row]]})`;
}

interface Placed {
  width: number;
  plot: Plot;
  pixels: Pixels;
  dots: Dots;
}

/** Places the points once for each width, and picks them once for each filter. */
function usePlaced(points: Points, scales: { x: Scale; y: Scale }, matches: Uint8Array | null): (width: number) => Placed {
  const placed = useRef<(Placed & { scales: object; matches: Uint8Array | null }) | null>(null);
  return (exact) => {
    const width = Math.ceil(exact);
    const last = placed.current;
    const isPlaced = last !== null && last.width === width && last.scales === scales;
    if (isPlaced && last.matches === matches) return last;
    const plot = isPlaced ? last.plot : new Plot(width, scales.x, scales.y);
    const pixels = isPlaced ? last.pixels : pixelsOf(points, plot);
    placed.current = { width, plot, pixels, dots: dotsOf(points, pixels, width, matches), scales, matches };
    return placed.current;
  };
}

interface Props {
  data: PerfData;
  selected: number | null;
  matches: Uint8Array | null;
  onSelect(row: number): void;
}

function useScales(data: PerfData, points: Points, mode: Mode) {
  return useMemo(() => {
    const scales = { x: scaleOf(points.x, points.count), y: scaleOf(points.y, points.count) };
    if (mode === "flops") {
      const { peak_tflops_per_core, worker_cores } = data.document.device;
      const roof = Math.max(1, ...Object.values(peak_tflops_per_core).map((one) => (one ?? 0) * (worker_cores ?? 0)));
      const bandwidth = data.document.device.peak_dram_gb_s;
      scales.y.high = Math.max(scales.y.high, 10 ** Math.ceil(Math.log10(roof)));
      // As far as the point where the highest roof meets the slope.
      if (bandwidth) scales.x.high = Math.max(scales.x.high, 10 ** Math.ceil(Math.log10((roof * 1000) / bandwidth)));
    } else {
      scales.y.low = Math.min(scales.y.low, scales.x.high / 10); // the line of the bound is in view
    }
    return scales;
  }, [points, mode, data]);
}

export function Roofline({ data, selected, matches, onSelect }: Props) {
  const [mode, setMode] = useState<Mode>("time");
  const [hovered, setHovered] = useState<number | null>(null);
  const [withNoise, setWithNoise] = useState(false);
  const points = useMemo(() => pointsOf(data, mode, withNoise ? 0 : NOISE_SHARE), [data, mode, withNoise]);
  const left = useMemo(() => pointsOf(data, mode).count - points.count, [data, mode, points]);
  const scales = useScales(data, points, mode);
  const placedFor = usePlaced(points, scales, matches);
  const width = useRef(1);
  const paint = useCallback(
    (surface: Surface) => {
      const { ctx } = surface;
      width.current = surface.width;
      const placed = placedFor(surface.width);
      const { plot } = placed;
      plot.axes(surface, mode === "time" ? "time at the peak of what limits it [μs]" : "FLOPs per byte of DRAM", mode === "time" ? "device time [μs]" : "TFLOPs");
      if (mode === "time") paintDiagonals(surface, plot);
      else paintRoof(surface, plot, data);
      paintDots(surface, data, points, placed, mode);
      const chosen = selected === null ? -1 : points.row.subarray(0, points.count).indexOf(selected);
      if (chosen < 0) return;
      ctx.strokeStyle = surface.palette.select;
      ctx.lineWidth = 2;
      ctx.strokeRect(plot.px(points.x[chosen]) - 6, plot.py(points.y[chosen]) - 6, 12, 12);
    },
    [points, scales, selected, mode, data, matches],
  );
  const nearest = (x: number, y: number): number | null => {
    const { pixels, dots } = placedFor(width.current);
    return nearestRow(points, pixels, dots, { x, y });
  };
  const choice = (of: Mode, text: string) => (
    <label>
      <input type="radio" name="roofline" checked={mode === of} onChange={() => setMode(of)} /> {text}
    </label>
  );
  return (
    <Section id="roofline" title="Roofline" hint={`${plural(points.count, "op")} ${mode === "time" ? "with a bound" : "with FLOPs and operands in DRAM"} (modelled)`}>
      <div class="tools">
        {choice("time", "time at peak, every op")}
        {choice("flops", "FLOPs, matmuls and convolutions")}
        <label title="Ops of a kind that has less than 0.1 % of the device time">
          <input type="checkbox" id="with-noise" checked={withNoise} onChange={(event) => setWithNoise(event.currentTarget.checked)} /> also ops without weight{left > 0 ? ` (${left})` : ""}
        </label>
      </div>
      {points.count === 0 ? (
        <Absent why={`No op has ${mode === "time" ? "a bound: the report has no architecture, clock or shapes (--arch NAME says which)" : "operations and operands in DRAM"}.`} />
      ) : (
        <>
          <Canvas
            height={HEIGHT}
            label={mode === "time" ? "Measured against ideal time" : "TFLOPs against FLOPs per byte"}
            paint={paint}
            pointer={{
              onMove: (x, y) => setHovered(nearest(x, y)),
              onLeave: () => setHovered(null),
              onClick: (x, y) => {
                const row = nearest(x, y);
                if (row !== null) onSelect(row);
              },
            }}
          />
          <p class="readout">{hovered !== null ? pointText(data, hovered) : mode === "time" ? "Lines: as fast as the bound allows, and 65 % of that. The higher above them, the more there is to gain." : "Slope: DRAM bandwidth; flat lines: peaks of the fidelities with all worker cores. A dot has the colour of its fidelity."}</p>
        </>
      )}
    </Section>
  );
}

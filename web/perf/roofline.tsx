// Two views of how near ops come to what limits them: time at the peak against measured time for every op with a bound, and the usual
// roofline (intensity against TFLOPs) for matmuls and convolutions.
import { useCallback, useMemo, useState } from "preact/hooks";
import { count, visible } from "../src/format";
import { NONE, us } from "./data";
import type { PerfData } from "./data";
import { Canvas } from "./surface";
import type { Surface } from "./surface";

const EDGE = { left: 64, right: 16, top: 12, bottom: 40 };
const HEIGHT = 320;

/** Columns rather than objects: a run can have a million ops. */
interface Points {
  count: number;
  row: Uint32Array;
  x: Float64Array;
  y: Float64Array;
}

type Mode = "time" | "flops";

function pointsOf(data: PerfData, mode: Mode): Points {
  const { rows, kinds } = data;
  const points: Points = { count: 0, row: new Uint32Array(rows.count), x: new Float64Array(rows.count), y: new Float64Array(rows.count) };
  const add = (row: number, x: number, y: number) => {
    points.row[points.count] = row;
    points.x[points.count] = x;
    points.y[points.count++] = y;
  };
  for (let row = 0; row < rows.count; row++) {
    if (mode === "time") {
      if (rows.idealNs[row] > 0 && rows.deviceNs[row] > 0) add(row, rows.idealNs[row] / 1000, rows.deviceNs[row] / 1000);
      continue;
    }
    const flops = kinds.flops[rows.kind[row]];
    const bytes = kinds.bytes[rows.kind[row]];
    if (flops > 0 && bytes > 0 && rows.tflops[row] > 0) add(row, flops / bytes, rows.tflops[row] / 1e6);
  }
  return points;
}

interface Scale {
  low: number;
  high: number;
}

function scaleOf(values: Float64Array, count: number): Scale {
  let low = Infinity;
  let high = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i];
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (high === 0) return { low: 0.1, high: 10 };
  return { low: 10 ** Math.floor(Math.log10(low)), high: 10 ** Math.ceil(Math.log10(high) + 1e-9) * (low === high ? 10 : 1) };
}

const along = (scale: Scale, value: number) => Math.log10(value / scale.low) / Math.log10(scale.high / scale.low);

class Plot {
  constructor(
    readonly surface: Surface,
    readonly x: Scale,
    readonly y: Scale,
  ) {}
  px(value: number): number {
    return EDGE.left + along(this.x, value) * (this.surface.width - EDGE.left - EDGE.right);
  }
  py(value: number): number {
    return HEIGHT - EDGE.bottom - along(this.y, value) * (HEIGHT - EDGE.top - EDGE.bottom);
  }
  axes(xName: string, yName: string): void {
    const { ctx, width } = this.surface;
    ctx.fillStyle = this.surface.color("muted");
    ctx.strokeStyle = this.surface.color("grid");
    for (let at = this.x.low; at <= this.x.high * 1.01; at *= 10) {
      ctx.fillText(String(Number(at.toPrecision(2))), this.px(at) - 8, HEIGHT - EDGE.bottom + 16);
      this.line(at, this.y.low, at, this.y.high, "grid");
    }
    for (let at = this.y.low; at <= this.y.high * 1.01; at *= 10) {
      ctx.fillText(String(Number(at.toPrecision(2))), 8, this.py(at) + 4);
      this.line(this.x.low, at, this.x.high, at, "grid");
    }
    ctx.fillStyle = this.surface.color("text");
    ctx.fillText(xName, (width - ctx.measureText(xName).width) / 2, HEIGHT - 6);
    ctx.save();
    ctx.translate(52, HEIGHT / 2 + 40);
    ctx.rotate(-Math.PI / 2);
    ctx.fillText(yName, 0, 0);
    ctx.restore();
  }
  line(x1: number, y1: number, x2: number, y2: number, color: string): void {
    const { ctx } = this.surface;
    ctx.strokeStyle = this.surface.color(color);
    ctx.lineWidth = 1;
    ctx.beginPath();
    ctx.moveTo(this.px(x1), this.py(y1));
    ctx.lineTo(this.px(x2), this.py(y2));
    ctx.stroke();
  }
}

/** Measured = ideal, and the 65 % from which on an op counts as bound. */
function paintDiagonals(plot: Plot): void {
  const { ctx } = plot.surface;
  ctx.save();
  ctx.beginPath();
  ctx.rect(EDGE.left, EDGE.top, plot.surface.width - EDGE.left - EDGE.right, HEIGHT - EDGE.top - EDGE.bottom);
  ctx.clip();
  plot.line(plot.x.low, plot.x.low, plot.x.high, plot.x.high, "text");
  plot.line(plot.x.low, plot.x.low / 0.65, plot.x.high, plot.x.high / 0.65, "muted");
  ctx.restore();
}

function paintRoof(plot: Plot, data: PerfData): void {
  const { device } = data.document;
  const bandwidth = device.peak_dram_gb_s;
  const cores = device.worker_cores;
  if (!bandwidth || !cores) return;
  for (const [name, perCore] of Object.entries(device.peak_tflops_per_core)) {
    if (!perCore) continue;
    const roof = perCore * cores;
    const ridge = (roof * 1000) / bandwidth;
    if (roof < plot.y.low || roof > plot.y.high) continue;
    plot.line(Math.max(plot.x.low, ridge), roof, plot.x.high, roof, "muted");
    plot.surface.ctx.fillStyle = plot.surface.color("muted");
    plot.surface.ctx.fillText(name, plot.surface.width - EDGE.right - 44, plot.py(roof) - 4);
  }
  const from = Math.max(plot.x.low, (plot.y.low * 1000) / bandwidth);
  const to = Math.min(plot.x.high, (plot.y.high * 1000) / bandwidth);
  if (to > from) plot.line(from, (from * bandwidth) / 1000, to, (to * bandwidth) / 1000, "alloc");
}

/** One square for each pixel that has points: a million of them would take seconds to draw. */
function paintPoints(plot: Plot, data: PerfData, points: Points): void {
  const { ctx, width } = plot.surface;
  const taken = new Uint8Array(Math.ceil(width) * HEIGHT);
  ctx.globalAlpha = 0.75;
  for (let i = 0; i < points.count; i++) {
    const x = Math.round(plot.px(points.x[i]));
    const y = Math.round(plot.py(points.y[i]));
    const place = y * Math.ceil(width) + x;
    if (taken[place] !== 0) continue;
    taken[place] = 1;
    ctx.fillStyle = data.header.colors[data.kinds.category[data.rows.kind[points.row[i]]]];
    ctx.fillRect(x - 2, y - 2, 4, 4);
  }
  ctx.globalAlpha = 1;
}

interface Props {
  data: PerfData;
  selected: number | null;
  onSelect(row: number): void;
}

export function Roofline({ data, selected, onSelect }: Props) {
  const [mode, setMode] = useState<Mode>("time");
  const [hovered, setHovered] = useState<number | null>(null);
  const points = useMemo(() => pointsOf(data, mode), [data, mode]);
  const scales = useMemo(() => {
    const xs = scaleOf(points.x, points.count);
    const ys = scaleOf(points.y, points.count);
    if (mode === "flops") {
      const roofs = Object.values(data.document.device.peak_tflops_per_core).map((one) => (one ?? 0) * (data.document.device.worker_cores ?? 0));
      ys.high = Math.max(ys.high, 10 ** Math.ceil(Math.log10(Math.max(1, ...roofs))));
    }
    return { x: xs, y: ys };
  }, [points, mode, data]);
  const paint = useCallback(
    (surface: Surface) => {
      const { ctx, width } = surface;
      ctx.clearRect(0, 0, width, HEIGHT);
      const plot = new Plot(surface, scales.x, scales.y);
      plot.axes(mode === "time" ? "time at the peak of what limits it [μs]" : "FLOPs per byte of DRAM", mode === "time" ? "device time [μs]" : "TFLOPs");
      if (mode === "time") paintDiagonals(plot);
      else paintRoof(plot, data);
      paintPoints(plot, data, points);
      const chosen = selected === null ? -1 : points.row.subarray(0, points.count).indexOf(selected);
      if (chosen < 0) return;
      ctx.strokeStyle = surface.color("select");
      ctx.lineWidth = 2;
      ctx.strokeRect(plot.px(points.x[chosen]) - 5, plot.py(points.y[chosen]) - 5, 10, 10);
    },
    [points, scales, selected, mode, data],
  );
  const nearest = (x: number, y: number): number | null => {
    const width = document.getElementById("roofline-canvas")?.clientWidth ?? 1;
    const plotWidth = width - EDGE.left - EDGE.right;
    const plotHeight = HEIGHT - EDGE.top - EDGE.bottom;
    let best: number | null = null;
    let distance = 12 * 12;
    for (let i = 0; i < points.count; i++) {
      const dx = EDGE.left + along(scales.x, points.x[i]) * plotWidth - x;
      const dy = HEIGHT - EDGE.bottom - along(scales.y, points.y[i]) * plotHeight - y;
      if (dx * dx + dy * dy >= distance) continue;
      distance = dx * dx + dy * dy;
      best = points.row[i];
    }
    return best;
  };
  const text = (row: number) => {
    const { rows, kinds, header } = data;
    const share = rows.idealNs[row] > 0 ? `${((rows.idealNs[row] / rows.deviceNs[row]) * 100).toFixed(1)} % of its ${header.limits[rows.limit[row]]} bound` : "";
    return `row ${rows.id[row]} · ${visible(kinds.label[rows.kind[row]])} · ${us(rows.deviceNs[row] / 1000)} μs · ${share} (${header.models[rows.model[row]]})`;
  };
  return (
    <section class="panel" id="roofline">
      <h2>
        Roofline <small>{count(points.count)} ops with a bound (modelled)</small>
      </h2>
      <div class="tools">
        <label>
          <input type="radio" name="roofline" checked={mode === "time"} onChange={() => setMode("time")} /> time at peak, every op
        </label>
        <label>
          <input type="radio" name="roofline" checked={mode === "flops"} onChange={() => setMode("flops")} /> FLOPs, matmuls and convolutions
        </label>
      </div>
      {points.count === 0 ? (
        <p class="absent">No op has {mode === "time" ? "a bound: the report has no architecture, clock or shapes" : "operations and operands in DRAM"}.</p>
      ) : (
        <Canvas
          id="roofline-canvas"
          height={HEIGHT}
          label="Measured against ideal time"
          paint={paint}
          onMove={(x, y) => setHovered(nearest(x, y))}
          onLeave={() => setHovered(null)}
          onClick={(x, y) => {
            const row = nearest(x, y);
            if (row !== null) onSelect(row);
          }}
        />
      )}
      <p class="readout">{hovered === null ? "\u00a0" : text(hovered)}</p>
    </section>
  );
}

/** Time of each processor over all ops, and per op for the one that is selected. */
export function Riscs({ data, selected }: { data: PerfData; selected: number | null }) {
  const { executions, header } = data;
  const sums = useMemo(
    () =>
      header.riscs.map((name, risc) => {
        let sum = 0;
        let ops = 0;
        const column = executions.riscNs[risc];
        for (let i = 0; i < executions.count; i++) {
          if (column[i] === NONE) continue;
          sum += column[i];
          ops++;
        }
        return { name, us: sum / 1000, ops };
      }),
    [data],
  );
  const execution = selected === null ? NONE : data.rows.x[selected];
  const most = Math.max(1e-9, ...sums.map((one) => one.us));
  const chosen = execution === NONE ? null : header.riscs.map((_, risc) => executions.riscNs[risc][execution]);
  const cores = execution === NONE ? null : executions.coreNs.map((column) => column[execution]);
  return (
    <section class="panel" id="riscs">
      <h2>
        Processors <small>kernel time of each RISC, all ops (measured)</small>
      </h2>
      {sums.every((one) => one.ops === 0) ? (
        <p class="absent">The report has no kernel durations of single RISCs.</p>
      ) : (
        <table class="bars">
          <thead>
            <tr>
              <th>RISC</th>
              <th>ops</th>
              <th>μs</th>
              <th />
              <th>selected op, μs</th>
            </tr>
          </thead>
          <tbody>
            {sums.map((one, risc) => (
              <tr key={one.name}>
                <td>{one.name}</td>
                <td class="number">{one.ops}</td>
                <td class="number">{us(one.us)}</td>
                <td class="bar-cell">
                  <span class="bar" style={{ width: `${(one.us / most) * 100}%` }} />
                </td>
                <td class="number">{chosen && chosen[risc] !== NONE ? us(chosen[risc] / 1000) : ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {cores && cores[0] !== NONE && (
        <p>
          Kernel time of a core in the selected op: {us(cores[0] / 1000)} to {us(cores[1] / 1000)} μs, mean {us(cores[2] / 1000)} μs.
        </p>
      )}
    </section>
  );
}

/** How busy each core was; only where the device log was read. */
export function Cores({ data }: { data: PerfData }) {
  const devices = useMemo(() => [...new Set(data.header.cores.map((core) => core[0]))], [data]);
  if (data.header.cores.length === 0) {
    return (
      <section class="panel" id="cores">
        <h2>Cores</h2>
        <p class="absent">Times of single cores are in profile_log_device.csv; give its folder to ttscope perf.</p>
      </section>
    );
  }
  const most = Math.max(...data.header.cores.map((core) => core[3]), 1);
  return (
    <section class="panel" id="cores">
      <h2>
        Cores <small>kernel cycles of each core over the run (measured)</small>
      </h2>
      <div class="grids">
        {devices.map((device) => (
          <CoreGrid key={device} device={device} cores={data.header.cores.filter((core) => core[0] === device)} most={most} />
        ))}
      </div>
    </section>
  );
}

function CoreGrid({ device, cores, most }: { device: number; cores: PerfData["header"]["cores"]; most: number }) {
  const width = Math.max(...cores.map((core) => core[1])) + 1;
  const at = new Map(cores.map((core) => [core[2] * 1000 + core[1], core]));
  const height = Math.max(...cores.map((core) => core[2])) + 1;
  return (
    <table class="cores" aria-label={`Cores of device ${device}`}>
      <caption>device {device}</caption>
      <tbody>
        {Array.from({ length: height }, (_, y) => (
          <tr key={y}>
            {Array.from({ length: width }, (__, x) => {
              const core = at.get(y * 1000 + x);
              const share = core ? core[3] / most : 0;
              return (
                <td
                  key={x}
                  title={core ? `core ${x}, ${y}: ${core[3]} cycles in ${core[4]} runs` : `core ${x}, ${y}: no kernels`}
                  style={core ? { background: `color-mix(in srgb, var(--weight-op) ${Math.round(share * 100)}%, var(--grid))` } : {}}
                />
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

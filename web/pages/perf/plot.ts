// Logarithmic axes for the roofline.
import type { Surface } from "kit/canvas/canvas";

export const EDGE = { left: 66, right: 20, top: 12, bottom: 40 };
export const HEIGHT = 340;

export interface Scale {
  low: number;
  high: number;
}

/** Whole decades around the values, two at least, and none of them on the frame. */
export function scaleOf(values: Float64Array, count: number): Scale {
  let least = Infinity;
  let most = 0;
  for (let i = 0; i < count; i++) {
    least = Math.min(least, values[i]);
    most = Math.max(most, values[i]);
  }
  if (most === 0) return { low: 0.1, high: 10 };
  let low = Math.floor(Math.log10(least) - 0.05);
  let high = Math.ceil(Math.log10(most) + 0.05);
  if (high - low < 2) high++;
  if (high - low < 2) low--;
  return { low: 10 ** low, high: 10 ** high };
}

const along = (scale: Scale, value: number) => Math.log10(value / scale.low) / Math.log10(scale.high / scale.low);

export class Plot {
  constructor(
    readonly width: number,
    readonly x: Scale,
    readonly y: Scale,
  ) {}
  px(value: number): number {
    return EDGE.left + along(this.x, value) * (this.width - EDGE.left - EDGE.right);
  }
  py(value: number): number {
    return HEIGHT - EDGE.bottom - along(this.y, value) * (HEIGHT - EDGE.top - EDGE.bottom);
  }

  axes(surface: Surface, xName: string, yName: string): void {
    const { ctx } = surface;
    const text = (value: number) => String(Number(value.toPrecision(2)));
    ctx.fillStyle = surface.palette.muted;
    for (let at = this.x.low; at <= this.x.high * 1.01; at *= 10) {
      const label = text(at);
      const half = ctx.measureText(label).width / 2;
      ctx.fillText(label, Math.min(this.px(at) - half, this.width - 2 * half), HEIGHT - EDGE.bottom + 16);
      this.line(surface, [at, this.y.low], [at, this.y.high], "grid");
    }
    for (let at = this.y.low; at <= this.y.high * 1.01; at *= 10) {
      const label = text(at);
      ctx.fillText(label, EDGE.left - 6 - ctx.measureText(label).width, this.py(at) + 4);
      this.line(surface, [this.x.low, at], [this.x.high, at], "grid");
    }
    ctx.fillStyle = surface.palette.text;
    ctx.fillText(xName, EDGE.left + (this.width - EDGE.left - EDGE.right - ctx.measureText(xName).width) / 2, HEIGHT - 6);
    ctx.save();
    ctx.translate(14, EDGE.top + (HEIGHT - EDGE.top - EDGE.bottom + ctx.measureText(yName).width) / 2);
    ctx.rotate(-Math.PI / 2);
    ctx.fillText(yName, 0, 0);
    ctx.restore();
  }

  line(surface: Surface, from: [number, number], to: [number, number], color: string): void {
    const { ctx } = surface;
    ctx.strokeStyle = surface.palette.of(color);
    ctx.lineWidth = 1;
    ctx.beginPath();
    ctx.moveTo(this.px(from[0]), this.py(from[1]));
    ctx.lineTo(this.px(to[0]), this.py(to[1]));
    ctx.stroke();
  }

  /** What `paint` draws stays inside the frame. */
  clipped(surface: Surface, paint: () => void): void {
    const { ctx } = surface;
    ctx.save();
    ctx.beginPath();
    ctx.rect(EDGE.left, EDGE.top, this.width - EDGE.left - EDGE.right, HEIGHT - EDGE.top - EDGE.bottom);
    ctx.clip();
    paint();
    ctx.restore();
  }
}

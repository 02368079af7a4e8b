// The whole run in small, with the visible part as a window: drag it, or drag its edges.
import { useCallback, useRef } from "preact/hooks";
import { Canvas } from "kit/canvas/canvas";
import type { Surface } from "kit/canvas/canvas";
import type { Curve } from "../data/curves";
import { store } from "../state";
import { clampRange, panRange, show, visibleRange } from "../viewport";
import type { Range } from "../viewport";
import { plotOf } from "./chart";
import { drawSteps, gutter, GUTTER_RIGHT } from "./frame";
import type { Frame } from "./frame";

const HEIGHT = 46;
const EDGE_PX = 6;

type Grip = "window" | "left" | "right";

/** No axis here: a curve that hardly changes is stretched, so that its shape can be found again. */
function shownValues(curve: Curve): { lowest: number; highest: number } {
  const { lowest, highest, unit } = curve;
  const flat = lowest > 0.5 * highest;
  const base = flat ? Math.max(0, lowest - (highest - lowest) * 0.8) : 0;
  return { lowest: base * unit, highest: Math.max(base * unit + 1e-9, highest * unit) };
}

function paintCurve(surface: Surface, curve: Curve, ops: number): void {
  const frame: Frame = { ...surface, ...plotOf(surface, 3, 1), from: 0, to: Math.max(1, ops), ...shownValues(curve) };
  const columns = curve.query(0, 2 * frame.to, Math.max(1, Math.floor(frame.right - frame.left)));
  drawSteps(frame, columns, { color: frame.palette.alloc, area: 0.3, thickness: 1, unit: curve.unit });
}

function paintWindow(surface: Surface, ops: number): void {
  const { ctx, palette } = surface;
  const { left, right } = plotOf(surface, 0, 0);
  const x = (op: number) => left + (op / Math.max(1, ops)) * (right - left);
  const [from, to] = visibleRange();
  const start = x(from);
  const end = Math.max(start + 3, x(to));
  ctx.fillStyle = palette.panel;
  ctx.globalAlpha = 0.7;
  ctx.fillRect(left, 0, start - left, HEIGHT);
  ctx.fillRect(end, 0, right - end, HEIGHT);
  ctx.globalAlpha = 1;
  ctx.strokeStyle = palette.select;
  ctx.lineWidth = 1;
  ctx.strokeRect(start + 0.5, 0.5, Math.max(2, end - start - 1), HEIGHT - 1);
  ctx.fillStyle = palette.select;
  ctx.fillRect(start - 1, HEIGHT / 2 - 9, 4, 18);
  ctx.fillRect(end - 3, HEIGHT / 2 - 9, 4, 18);
}

/** The window as something to take hold of. */
class Window {
  private grip: Grip | null = null;
  private startOp = 0;
  private startRange: Range = [0, 1];

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly ops: () => number,
  ) {}

  private bounds(): { left: number; right: number } {
    const width = this.canvas.clientWidth;
    return { left: gutter(width), right: Math.max(gutter(width) + 1, width - GUTTER_RIGHT) };
  }

  private x(op: number): number {
    const { left, right } = this.bounds();
    return left + (op / Math.max(1, this.ops())) * (right - left);
  }

  private op(event: PointerEvent): number {
    const { left, right } = this.bounds();
    return ((event.offsetX - left) / (right - left)) * Math.max(1, this.ops());
  }

  private gripAt(x: number): Grip | null {
    const [from, to] = visibleRange();
    if (Math.abs(x - this.x(from)) <= EDGE_PX) return "left";
    if (Math.abs(x - this.x(to)) <= EDGE_PX) return "right";
    return x > this.x(from) && x < this.x(to) ? "window" : null;
  }

  readonly down = (event: PointerEvent): void => {
    this.canvas.setPointerCapture(event.pointerId);
    const op = this.op(event);
    this.grip = this.gripAt(event.offsetX);
    if (this.grip === null) {
      const [from, to] = visibleRange();
      show(clampRange(op - (to - from) / 2, op + (to - from) / 2, this.ops()));
      this.grip = "window";
    }
    this.startOp = op;
    this.startRange = visibleRange();
  };

  readonly move = (event: PointerEvent): void => {
    if (!this.grip) {
      const grip = this.gripAt(event.offsetX);
      this.canvas.style.cursor = grip === "window" ? "grab" : grip ? "ew-resize" : "pointer";
      return;
    }
    const by = this.op(event) - this.startOp;
    const [from, to] = this.startRange;
    const ops = this.ops();
    if (this.grip === "window") show(panRange([from, to], by, ops));
    else if (this.grip === "left") show(clampRange(Math.max(0, Math.min(from + by, to - 3)), to, ops));
    else show(clampRange(from, Math.min(ops, Math.max(to + by, from + 3)), ops));
  };

  readonly up = (): void => {
    this.grip = null;
  };
}

function attachWindow(canvas: HTMLCanvasElement, ops: () => number): () => void {
  const own = new Window(canvas, ops);
  const stop = new AbortController();
  canvas.addEventListener("pointerdown", own.down, stop);
  canvas.addEventListener("pointermove", own.move, stop);
  canvas.addEventListener("pointerup", own.up, stop);
  canvas.addEventListener("pointercancel", own.up, stop);
  return () => stop.abort();
}

export function Minimap({ curve, ops }: { curve: Curve | null; ops: number }) {
  const latest = useRef(ops);
  latest.current = ops;
  const paint = useCallback((surface: Surface) => curve && paintCurve(surface, curve, ops), [curve, ops]);
  const paintOver = useCallback((surface: Surface) => paintWindow(surface, ops), [ops]);
  return (
    <div class="minimap">
      <Canvas
        height={HEIGHT}
        label="The whole run; the window is the visible part"
        paint={paint}
        paintOver={paintOver}
        follow={(_, repaintOver) => store.subscribe(repaintOver)}
        attach={(canvas) => attachWindow(canvas, () => latest.current)}
      />
    </div>
  );
}

// The whole run in small, with the visible part as a window: drag it, or drag its edges.
import { useEffect, useRef } from "preact/hooks";
import type { Curve } from "../data/curves";
import { store } from "../state";
import { clampRange, show, visibleRange } from "../viewport";
import type { Range } from "../viewport";
import { coalesced, redrawListeners } from "./canvas";
import { drawSteps, gutter, GUTTER_RIGHT } from "./frame";
import type { Frame } from "./frame";
import { palette } from "kit/canvas/palette";

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

class MinimapView {
  private grip: Grip | null = null;
  private startOp = 0;
  private startRange: Range = [0, 1];
  private picture: HTMLCanvasElement | null = null;
  readonly redraw = coalesced(() => this.draw());

  constructor(
    private readonly canvas: HTMLCanvasElement,
    public curve: Curve | null,
    public ops: number,
  ) {}

  private bounds(): { left: number; right: number } {
    const width = this.canvas.clientWidth;
    return { left: gutter(width), right: Math.max(gutter(width) + 1, width - GUTTER_RIGHT) };
  }

  private x(op: number): number {
    const { left, right } = this.bounds();
    return left + (op / Math.max(1, this.ops)) * (right - left);
  }

  private op(event: PointerEvent): number {
    const { left, right } = this.bounds();
    const x = event.clientX - this.canvas.getBoundingClientRect().left;
    return ((x - left) / (right - left)) * Math.max(1, this.ops);
  }

  /** The curve does not change with the window: it is painted once and then copied. */
  forgetPicture(): void {
    this.picture = null;
    this.redraw();
  }

  private curvePicture(width: number, ratio: number): HTMLCanvasElement {
    if (this.picture && this.picture.width === Math.round(width * ratio)) return this.picture;
    const picture = document.createElement("canvas");
    picture.width = Math.round(width * ratio);
    picture.height = Math.round(HEIGHT * ratio);
    const ctx = picture.getContext("2d");
    if (ctx && this.curve) {
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      const { left, right } = this.bounds();
      const frame: Frame = {
        ctx, palette: palette(), width, height: HEIGHT, left, right, top: 3, bottom: HEIGHT - 1, from: 0, to: Math.max(1, this.ops),
        ...shownValues(this.curve),
      };
      const columns = this.curve.query(0, 2 * frame.to, Math.max(1, Math.floor(right - left)));
      drawSteps(frame, columns, { color: frame.palette.alloc, area: 0.3, thickness: 1, unit: this.curve.unit });
    }
    this.picture = picture;
    return picture;
  }

  private draw(): void {
    const width = this.canvas.clientWidth;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    if (width === 0) return;
    if (this.canvas.width !== Math.round(width * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(HEIGHT * ratio);
    }
    const ctx = this.canvas.getContext("2d");
    if (!ctx) return;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, HEIGHT);
    ctx.drawImage(this.curvePicture(width, ratio), 0, 0, width, HEIGHT);
    this.drawWindow(ctx);
  }

  private drawWindow(ctx: CanvasRenderingContext2D): void {
    const colors = palette();
    const { left, right } = this.bounds();
    const [from, to] = visibleRange();
    const start = this.x(from);
    const end = Math.max(start + 3, this.x(to));
    ctx.fillStyle = colors.panel;
    ctx.globalAlpha = 0.7;
    ctx.fillRect(left, 0, start - left, HEIGHT);
    ctx.fillRect(end, 0, right - end, HEIGHT);
    ctx.globalAlpha = 1;
    ctx.strokeStyle = colors.select;
    ctx.lineWidth = 1;
    ctx.strokeRect(start + 0.5, 0.5, Math.max(2, end - start - 1), HEIGHT - 1);
    ctx.fillStyle = colors.select;
    ctx.fillRect(start - 1, HEIGHT / 2 - 9, 4, 18);
    ctx.fillRect(end - 3, HEIGHT / 2 - 9, 4, 18);
  }

  private gripAt(event: PointerEvent): Grip | null {
    const x = event.clientX - this.canvas.getBoundingClientRect().left;
    const [from, to] = visibleRange();
    if (Math.abs(x - this.x(from)) <= EDGE_PX) return "left";
    if (Math.abs(x - this.x(to)) <= EDGE_PX) return "right";
    return x > this.x(from) && x < this.x(to) ? "window" : null;
  }

  readonly down = (event: PointerEvent): void => {
    this.canvas.setPointerCapture(event.pointerId);
    const op = this.op(event);
    this.grip = this.gripAt(event);
    if (this.grip === null) {
      const [from, to] = visibleRange();
      show(clampRange(op - (to - from) / 2, op + (to - from) / 2, this.ops));
      this.grip = "window";
    }
    this.startOp = op;
    this.startRange = visibleRange();
  };

  readonly move = (event: PointerEvent): void => {
    if (!this.grip) {
      const grip = this.gripAt(event);
      this.canvas.style.cursor = grip === "window" ? "grab" : grip ? "ew-resize" : "pointer";
      return;
    }
    const by = this.op(event) - this.startOp;
    const [from, to] = this.startRange;
    if (this.grip === "window") {
      const width = to - from;
      const start = Math.min(Math.max(0, from + by), Math.max(0, this.ops - width));
      show([start, start + width]);
    } else if (this.grip === "left") {
      show(clampRange(Math.max(0, Math.min(from + by, to - 3)), to, this.ops));
    } else {
      show(clampRange(from, Math.min(this.ops, Math.max(to + by, from + 3)), this.ops));
    }
  };

  readonly up = (): void => {
    this.grip = null;
  };
}

export function Minimap({ curve, ops }: { curve: Curve | null; ops: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useRef<MinimapView | null>(null);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const own = new MinimapView(element, curve, ops);
    view.current = own;
    const repaint = () => own.forgetPicture();
    redrawListeners.add(repaint);
    const sizes = new ResizeObserver(own.redraw);
    sizes.observe(element);
    const unsubscribe = store.subscribe(own.redraw);
    element.addEventListener("pointerdown", own.down);
    element.addEventListener("pointermove", own.move);
    element.addEventListener("pointerup", own.up);
    element.addEventListener("pointercancel", own.up);
    own.redraw();
    return () => {
      redrawListeners.delete(repaint);
      sizes.disconnect();
      unsubscribe();
      element.removeEventListener("pointerdown", own.down);
      element.removeEventListener("pointermove", own.move);
      element.removeEventListener("pointerup", own.up);
      element.removeEventListener("pointercancel", own.up);
    };
  }, [curve, ops]);
  return <canvas ref={canvas} class="minimap" role="img" aria-label="The whole run; the window is the visible part" style={{ height: `${HEIGHT}px` }} />;
}

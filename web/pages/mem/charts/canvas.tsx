// Two canvases on top of each other: the picture, and what follows the mouse. A move of the mouse repaints only the second.
import { useEffect, useRef } from "preact/hooks";
import { hover, store } from "../state";
import type { RankData } from "../data/rank";
import { gutter, GUTTER_RIGHT } from "./frame";
import type { Frame } from "./frame";
import { attachPointer } from "./pointer";
import { forgetPalette, palette } from "kit/canvas/palette";
import type { Values } from "./value_scale";

export interface ChartPainter {
  /** Space above and below the plot. */
  top: number;
  bottom: number;
  /** Values at the foot and at the top of the plot. */
  values(from: number, to: number): Values;
  paint(frame: Frame): void;
  paintHover?(frame: Frame): void;
  /** A click above the plot (bands). True when it was used. */
  clickAbove?(frame: Frame, x: number, y: number, double: boolean): boolean;
}

export interface ChartProps {
  rank: RankData | null;
  ops: number;
  height: number;
  label: string;
  painter: ChartPainter;
}

/** Called after a change of theme. */
export const redrawListeners = new Set<() => void>();

/** After a change of theme: every chart again, with new colours. */
export function redrawAll(): void {
  forgetPalette();
  for (const redraw of redrawListeners) redraw();
}

/** Runs `work` once in the next animation frame, however often it is asked for. */
export function coalesced(work: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      work();
    });
  };
}

function prepare(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const pixelWidth = Math.round(width * ratio);
  const pixelHeight = Math.round(height * ratio);
  if (canvas.width !== pixelWidth || canvas.height !== pixelHeight) {
    canvas.width = pixelWidth;
    canvas.height = pixelHeight;
  }
  const ctx = canvas.getContext("2d");
  ctx?.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx?.clearRect(0, 0, width, height);
  return ctx;
}

function frameOn(canvas: HTMLCanvasElement, painter: ChartPainter, width: number, height: number): Frame | null {
  const ctx = width > 0 ? prepare(canvas, width, height) : null;
  if (!ctx) return null;
  const { from, to } = store.get();
  const { lowest, highest } = painter.values(from, to);
  return {
    ctx,
    palette: palette(),
    width,
    height,
    left: gutter(width),
    right: Math.max(gutter(width) + 1, width - GUTTER_RIGHT),
    top: painter.top,
    bottom: height - painter.bottom,
    from,
    to,
    lowest,
    highest: Math.max(lowest + 1e-9, highest),
  };
}

class Surface {
  painter: ChartPainter;
  private width = 0;
  private last: Frame | null = null;
  private visible = true;
  readonly redraw = coalesced(() => this.draw());
  readonly redrawHover = coalesced(() => this.drawHover());

  constructor(
    readonly picture: HTMLCanvasElement,
    readonly overlay: HTMLCanvasElement,
    painter: ChartPainter,
    private readonly height: number,
  ) {
    this.painter = painter;
  }

  /** Charts out of sight wait; panning pays only for what is on the screen. */
  setVisible(visible: boolean): void {
    this.visible = visible;
    if (visible) this.redraw();
  }

  private draw(): void {
    if (!this.visible) return;
    this.width = this.picture.clientWidth;
    const frame = frameOn(this.picture, this.painter, this.width, this.height);
    if (!frame) return;
    this.last = frame;
    this.painter.paint(frame);
    this.drawHover();
  }

  private drawHover(): void {
    const ctx = this.last && this.visible ? prepare(this.overlay, this.width, this.height) : null;
    if (!this.last || !ctx) return;
    this.painter.paintHover?.({ ...this.last, ctx });
  }

  frame(): Frame | null {
    return this.last;
  }
}

/** A chart over the visible ops. Pointer and wheel act on the shared view. */
export function Chart({ rank, ops, height, label, painter }: ChartProps) {
  const picture = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const surface = useRef<Surface | null>(null);

  useEffect(() => {
    if (!picture.current || !overlay.current) return undefined;
    const own = new Surface(picture.current, overlay.current, painter, height);
    surface.current = own;
    redrawListeners.add(own.redraw);
    const sizes = new ResizeObserver(own.redraw);
    sizes.observe(picture.current);
    const sight = new IntersectionObserver(
      (entries) => own.setVisible(entries.some((entry) => entry.isIntersecting)),
      { rootMargin: "120px" },
    );
    sight.observe(picture.current);
    const undo = [store.subscribe(own.redraw), hover.subscribe(own.redrawHover)];
    const detach = attachPointer(overlay.current, {
      frame: () => own.frame(),
      ops: () => ops,
      rank: () => rank,
      clickAbove: (frame, x, y, double) => own.painter.clickAbove?.(frame, x, y, double) ?? false,
    });
    own.redraw();
    return () => {
      undo.forEach((stop) => stop());
      detach();
      sizes.disconnect();
      sight.disconnect();
      redrawListeners.delete(own.redraw);
    };
  }, [rank, ops, height]);

  useEffect(() => {
    if (!surface.current) return;
    surface.current.painter = painter;
    surface.current.redraw();
  }, [painter]);

  return (
    <div class="chart" style={{ height: `${height}px` }}>
      <canvas ref={picture} class="chart-picture" aria-hidden="true" />
      <canvas ref={overlay} class="chart-overlay" role="img" aria-label={label} tabIndex={0} />
    </div>
  );
}

// A canvas that is painted again when its size, its colours or what it shows changes. What follows the pointer can lie on a second
// canvas above, so that a move of the mouse repaints only that.
import { useEffect, useRef } from "preact/hooks";
import { onColours } from "../theme";
import { forgetPalette, palette } from "./palette";
import type { Palette } from "./palette";
import { attachPointer } from "./pointer";
import type { PointerActions } from "./pointer";

export interface Surface {
  ctx: CanvasRenderingContext2D;
  palette: Palette;
  /** In CSS pixels. */
  width: number;
  height: number;
}

interface CanvasProps {
  id?: string;
  /** Of the canvas that has the pointer. */
  class?: string;
  height: number;
  label: string;
  /** Another function paints another picture, at once. */
  paint(surface: Surface): void;
  paintOver?(surface: Surface): void;
  /** Listens to what else the pictures show. Canvases out of sight wait. Returns how to stop. */
  follow?(repaint: () => void, repaintOver: () => void): () => void;
  pointer?: PointerActions;
  /** Takes care of the pointer in its own way. Called once; returns how to stop. */
  attach?(canvas: HTMLCanvasElement): () => void;
  onKeyDown?(event: KeyboardEvent): void;
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

function prepare(canvas: HTMLCanvasElement, height: number): Surface | null {
  const width = canvas.clientWidth;
  const ctx = width > 0 ? canvas.getContext("2d") : null;
  if (!ctx) return null;
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const wide = Math.round(width * ratio);
  const high = Math.round(height * ratio);
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  const colours = palette();
  ctx.font = colours.font;
  return { ctx, palette: colours, width, height };
}

/** Charts out of sight wait; panning pays only for what is on the screen. */
function whileInSight(canvas: HTMLCanvasElement, repaint: () => void): { isInSight(): boolean; stop(): void } {
  let isInSight = true;
  const observer = new IntersectionObserver(
    (entries) => {
      isInSight = entries.some((entry) => entry.isIntersecting);
      if (isInSight) repaint();
    },
    { rootMargin: "120px" },
  );
  observer.observe(canvas);
  return { isInSight: () => isInSight, stop: () => observer.disconnect() };
}

export function Canvas(props: CanvasProps) {
  const picture = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const paintOver = () => {
    const surface = over.current && prepare(over.current, latest.current.height);
    if (surface) latest.current.paintOver?.(surface);
  };
  const paint = () => {
    const surface = picture.current && prepare(picture.current, latest.current.height);
    if (!surface) return;
    latest.current.paint(surface);
    paintOver();
  };

  useEffect(paint, [props.paint, props.height]);
  useEffect(paintOver, [props.paintOver]);

  useEffect(() => {
    const element = picture.current;
    if (!element) return undefined;
    const repaint = coalesced(() => sight.isInSight() && paint());
    const repaintOver = coalesced(() => sight.isInSight() && paintOver());
    const sight = whileInSight(element, repaint);
    const sizes = new ResizeObserver(repaint);
    sizes.observe(element);
    const stops = [
      onColours(() => {
        forgetPalette();
        repaint();
      }),
      latest.current.follow?.(repaint, repaintOver),
      latest.current.attach?.(over.current ?? element),
      latest.current.pointer && attachPointer(over.current ?? element, () => latest.current.pointer ?? {}),
    ];
    return () => {
      stops.forEach((stop) => stop?.());
      sizes.disconnect();
      sight.stop();
    };
  }, []);

  const top = { id: props.id, class: props.class, role: "img", "aria-label": props.label, tabIndex: 0, onKeyDown: props.onKeyDown } as const;
  return (
    <div class="canvas" style={{ height: `${props.height}px` }}>
      {props.paintOver ? <canvas ref={picture} aria-hidden="true" /> : <canvas ref={picture} {...top} />}
      {props.paintOver ? <canvas ref={over} {...top} /> : null}
    </div>
  );
}

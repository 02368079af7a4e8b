// A canvas that is drawn again when its size, its theme or what it shows changes.
import { useEffect, useRef } from "preact/hooks";

export interface Surface {
  ctx: CanvasRenderingContext2D;
  width: number;
  height: number;
  /** Colours of the theme by the names of its CSS variables. */
  color(name: string): string;
}

interface Props {
  height: number;
  label: string;
  id?: string;
  paint(surface: Surface): void;
  onMove?(x: number, y: number): void;
  onLeave?(): void;
  onClick?(x: number, y: number): void;
  onWheel?(x: number, delta: number, sideways: number): void;
  onDrag?(dx: number): void;
}

export function Canvas(props: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const draw = () => {
      const ratio = Math.min(2, window.devicePixelRatio || 1);
      const { height, paint } = latest.current;
      const width = element.clientWidth;
      element.width = Math.round(width * ratio);
      element.height = Math.round(height * ratio);
      const ctx = element.getContext("2d");
      if (!ctx || width === 0) return;
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      const style = getComputedStyle(document.documentElement);
      ctx.font = "12px system-ui, 'DejaVu Sans', sans-serif";
      paint({ ctx, width, height, color: (name) => style.getPropertyValue(`--${name}`).trim() });
    };
    draw();
    const sizes = new ResizeObserver(draw);
    sizes.observe(element);
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributes: true });
    return () => {
      sizes.disconnect();
      theme.disconnect();
    };
  }, [props.paint, props.height]);

  useEffect(() => {
    const element = canvas.current;
    if (!element || !props.onWheel) return undefined;
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.shiftKey && !event.altKey) return;
      event.preventDefault();
      latest.current.onWheel?.(event.offsetX, event.deltaY, event.shiftKey ? event.deltaY + event.deltaX : 0);
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, []);

  const drag = useRef<{ from: number; moved: boolean } | null>(null);
  return (
    <canvas
      ref={canvas}
      id={props.id}
      class="surface"
      style={{ height: `${props.height}px` }}
      role="img"
      aria-label={props.label}
      tabIndex={0}
      onPointerDown={(event) => {
        drag.current = { from: event.clientX, moved: false };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerUp={(event) => {
        if (drag.current && !drag.current.moved) props.onClick?.(event.offsetX, event.offsetY);
        drag.current = null;
      }}
      onPointerMove={(event) => {
        if (drag.current && props.onDrag) {
          const moved = event.clientX - drag.current.from;
          if (!drag.current.moved && Math.abs(moved) < 4) return;
          props.onDrag(moved);
          drag.current = { from: event.clientX, moved: true };
          return;
        }
        props.onMove?.(event.offsetX, event.offsetY);
      }}
      onPointerLeave={() => props.onLeave?.()}
    />
  );
}

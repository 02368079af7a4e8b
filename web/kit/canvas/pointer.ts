// The pointer on a picture: hover, click, drag, wheel.

export interface PointerActions {
  onMove?(x: number, y: number): void;
  onLeave?(): void;
  onClick?(x: number, y: number): void;
  onDouble?(): void;
  /** By so many pixels since the last call. */
  onDrag?(dx: number, dy: number): void;
  /** True when the wheel was used, so that the page does not scroll. */
  onWheel?(x: number, event: WheelEvent): boolean;
}

const CLICK_SLACK_PX = 4;

/** `actions` gives the latest ones. Returns how to stop. */
export function attachPointer(canvas: HTMLCanvasElement, actions: () => PointerActions): () => void {
  let drag: { from: number; top: number; moved: boolean } | null = null;
  const listeners: Partial<Record<keyof HTMLElementEventMap, (event: never) => void>> = {
    pointerdown: (event: PointerEvent) => {
      drag = { from: event.clientX, top: event.clientY, moved: false };
      canvas.setPointerCapture(event.pointerId);
    },
    pointermove: (event: PointerEvent) => {
      const { onDrag, onMove } = actions();
      if (!drag || !onDrag) return onMove?.(event.offsetX, event.offsetY);
      const moved = event.clientX - drag.from;
      const sunk = event.clientY - drag.top;
      if (!drag.moved && Math.max(Math.abs(moved), Math.abs(sunk)) < CLICK_SLACK_PX) return undefined;
      drag = { from: event.clientX, top: event.clientY, moved: true };
      return onDrag(moved, sunk);
    },
    pointerup: (event: PointerEvent) => {
      if (drag && !drag.moved) actions().onClick?.(event.offsetX, event.offsetY);
      drag = null;
    },
    pointercancel: () => (drag = null),
    pointerleave: () => actions().onLeave?.(),
    dblclick: () => actions().onDouble?.(),
    wheel: (event: WheelEvent) => {
      if (actions().onWheel?.(event.offsetX, event)) event.preventDefault();
    },
  };
  const all = Object.entries(listeners) as [string, EventListener][];
  // Not passive: a zoom must keep the browser from zooming or scrolling the page.
  for (const [name, listener] of all) canvas.addEventListener(name, listener, { passive: false });
  return () => {
    for (const [name, listener] of all) canvas.removeEventListener(name, listener);
  };
}

// Mouse, touch and wheel on a chart: hover, click, drag to select, Shift+drag to pan, Ctrl+wheel and pinch to zoom.
import type { RankData } from "../data/rank";
import { hover, store } from "../state";
import { panRange, selectBuffer, selectOp, show, visibleRange, zoomBy, zoomRange } from "../viewport";
import type { Range } from "../viewport";
import { opAt } from "./frame";
import type { Frame } from "./frame";

export interface PointerTarget {
  frame(): Frame | null;
  ops(): number;
  rank(): RankData | null;
  clickAbove(frame: Frame, x: number, y: number, double: boolean): boolean;
  bufferAt(frame: Frame, x: number, y: number): number | null;
}

const CLICK_SLACK_PX = 4;

interface Drag {
  kind: "select" | "pan" | "pinch";
  startX: number;
  startY: number;
  startOp: number;
  startRange: Range;
  moved: boolean;
  /** Of a pinch: distance of the fingers at its start. */
  spread: number;
}

class ChartPointer {
  private drag: Drag | null = null;
  private readonly touches = new Map<number, number>();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly target: PointerTarget,
  ) {}

  private place(event: MouseEvent): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private opUnder(x: number): number | null {
    const frame = this.target.frame();
    if (!frame || x < frame.left - 2 || x > frame.right + 2) return null;
    return Math.min(this.target.ops() - 1, Math.max(0, Math.floor(opAt(frame, x))));
  }

  private start(kind: Drag["kind"], event: PointerEvent, spread = 0): void {
    const frame = this.target.frame();
    if (!frame) return;
    const { x, y } = this.place(event);
    this.drag = { kind, startX: x, startY: y, startOp: opAt(frame, x), startRange: visibleRange(), moved: false, spread };
  }

  readonly down = (event: PointerEvent): void => {
    if (event.button > 1) return;
    const { x } = this.place(event);
    this.canvas.setPointerCapture(event.pointerId);
    if (event.pointerType === "touch") {
      this.touches.set(event.pointerId, x);
      if (this.touches.size === 2) {
        const [a, b] = [...this.touches.values()];
        this.start("pinch", event, Math.max(20, Math.abs(a - b)));
        return;
      }
    }
    const pans = event.shiftKey || event.button === 1 || event.pointerType === "touch";
    this.start(pans ? "pan" : "select", event);
    if (event.button === 1) event.preventDefault();
  };

  readonly move = (event: PointerEvent): void => {
    const { x, y } = this.place(event);
    if (this.touches.has(event.pointerId)) this.touches.set(event.pointerId, x);
    const frame = this.target.frame();
    if (!this.drag || !frame) {
      hover.set({ op: this.opUnder(x), buffer: frame && this.target.bufferAt(frame, x, y) });
      return;
    }
    if (Math.abs(x - this.drag.startX) > CLICK_SLACK_PX) this.drag.moved = true;
    if (this.drag.moved || this.drag.kind === "pinch") this.follow(this.drag, frame, x);
  };

  private follow(drag: Drag, frame: Frame, x: number): void {
    const ops = this.target.ops();
    const [from, to] = drag.startRange;
    const perPixel = (to - from) / (frame.right - frame.left);
    if (drag.kind === "pan") {
      show(panRange(drag.startRange, (drag.startX - x) * perPixel, ops));
    } else if (drag.kind === "pinch") {
      const [a, b] = [...this.touches.values()];
      if (b === undefined) return;
      const factor = drag.spread / Math.max(20, Math.abs(a - b));
      show(zoomRange(drag.startRange, from + ((a + b) / 2 - frame.left) * perPixel, factor, ops));
    } else {
      const here = Math.min(ops, Math.max(0, opAt(frame, x)));
      const start = Math.min(ops, Math.max(0, drag.startOp));
      store.set({ range: [Math.floor(Math.min(start, here)), Math.ceil(Math.max(start, here))] });
      hover.set({ op: this.opUnder(x) });
    }
  }

  readonly up = (event: PointerEvent): void => {
    this.touches.delete(event.pointerId);
    const drag = this.drag;
    this.drag = null;
    if (!drag || drag.moved || drag.kind === "pinch") return;
    this.click(drag.startX, drag.startY);
  };

  private click(x: number, y: number): void {
    const frame = this.target.frame();
    const rank = this.target.rank();
    const op = this.opUnder(x);
    if (!frame || op === null) return;
    if (y < frame.top && this.target.clickAbove(frame, x, y, false)) return;
    const buffer = this.target.bufferAt(frame, x, y);
    if (rank && buffer !== null) selectBuffer(rank, buffer);
    else if (rank) selectOp(rank, op);
    store.set({ range: null });
  }

  readonly double = (event: MouseEvent): void => {
    const frame = this.target.frame();
    const { x, y } = this.place(event);
    if (frame && y < frame.top) this.target.clickAbove(frame, x, y, true);
  };

  readonly leave = (): void => {
    if (!this.drag) hover.set({ op: null, buffer: null });
  };

  readonly wheel = (event: WheelEvent): void => {
    const frame = this.target.frame();
    if (!frame) return;
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      zoomBy(Math.exp(Math.max(-1, Math.min(1, event.deltaY * lines * 0.003))), opAt(frame, this.place(event).x), this.target.ops());
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      const [from, to] = visibleRange();
      const by = (event.deltaX * lines * (to - from)) / (frame.right - frame.left);
      show(panRange([from, to], by, this.target.ops()));
    }
  };
}

/** Returns how to detach again. */
export function attachPointer(canvas: HTMLCanvasElement, target: PointerTarget): () => void {
  const pointer = new ChartPointer(canvas, target);
  const listeners: [string, (event: never) => void, AddEventListenerOptions?][] = [
    ["pointerdown", pointer.down],
    ["pointermove", pointer.move],
    ["pointerup", pointer.up],
    ["pointercancel", pointer.leave],
    ["pointerleave", pointer.leave],
    ["dblclick", pointer.double],
    // Not passive: a zoom must keep the browser from zooming the page.
    ["wheel", pointer.wheel, { passive: false }],
  ];
  for (const [name, listener, options] of listeners) {
    canvas.addEventListener(name, listener as unknown as EventListener, options);
  }
  return () => {
    for (const [name, listener] of listeners) canvas.removeEventListener(name, listener as unknown as EventListener);
  };
}

// A chart over the visible ops. Pointer and wheel act on the shared view.
import { useCallback, useRef } from "preact/hooks";
import { Canvas } from "kit/canvas/canvas";
import type { Surface } from "kit/canvas/canvas";
import type { RankData } from "../data/rank";
import { hits } from "../hits";
import { hover, store } from "../state";
import { gutter, GUTTER_RIGHT } from "./frame";
import type { Frame } from "./frame";
import { attachPointer } from "./pointer";
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
  /** The tensor at a place of the plot, where single ones are drawn. */
  bufferAt?(frame: Frame, x: number, y: number): number | null;
}

interface ChartProps {
  rank: RankData | null;
  ops: number;
  height: number;
  label: string;
  painter: ChartPainter;
}

/** The plot between the gutters, which are the same in all charts. */
export function plotOf(surface: Surface, top: number, bottom: number): Pick<Frame, "left" | "right" | "top" | "bottom"> {
  const left = gutter(surface.width);
  return { left, right: Math.max(left + 1, surface.width - GUTTER_RIGHT), top, bottom: surface.height - bottom };
}

function frameOn(surface: Surface, painter: ChartPainter): Frame {
  const { from, to } = store.get();
  const { lowest, highest } = painter.values(from, to);
  return { ...surface, ...plotOf(surface, painter.top, painter.bottom), from, to, lowest, highest: Math.max(lowest + 1e-9, highest) };
}

function follow(repaint: () => void, repaintOver: () => void): () => void {
  const stops = [store.subscribe(repaint), hover.subscribe(repaintOver), hits.subscribe(repaint)];
  return () => stops.forEach((stop) => stop());
}

export function Chart(props: ChartProps) {
  const { height, label, painter } = props;
  const latest = useRef(props);
  latest.current = props;
  const frame = useRef<Frame | null>(null);
  const paint = useCallback(
    (surface: Surface) => {
      frame.current = frameOn(surface, painter);
      painter.paint(frame.current);
    },
    [painter],
  );
  const paintOver = useCallback(({ ctx }: Surface) => frame.current && latest.current.painter.paintHover?.({ ...frame.current, ctx }), []);
  const attach = (canvas: HTMLCanvasElement) =>
    attachPointer(canvas, {
      frame: () => frame.current,
      ops: () => latest.current.ops,
      rank: () => latest.current.rank,
      clickAbove: (...at) => latest.current.painter.clickAbove?.(...at) ?? false,
      bufferAt: (...at) => latest.current.painter.bufferAt?.(...at) ?? null,
    });
  return (
    <div class="chart">
      <Canvas class="chart-overlay" height={height} label={label} paint={paint} paintOver={paintOver} follow={follow} attach={attach} />
    </div>
  );
}

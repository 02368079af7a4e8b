// The stacked histogram: one bar a run, the memory of its device as a red dashed line.
import { useState } from "preact/hooks";
import { count, mb, percent, visible } from "kit/format";
import { Breakable } from "kit/parts";
import { useWidth } from "kit/width";
import { Marks } from "./axis";
import { layOutBars, partBaseline, totalBaseline } from "./bars";
import type { BarLayout } from "./bars";
import { drawnParts, scaleOf } from "./model";
import type { Run, Sizes } from "./model";

const MB = 1048576;
const HEIGHT = 420;
const TOP = 26;
const USUAL_ROOM = 1000;
/** Narrower slots leave the unit of the total to the axis. */
const ROOM_FOR_UNIT = 120;

interface BarProps {
  run: Run;
  index: number;
  sizes: Sizes;
  layout: BarLayout;
  y(bytes: number): number;
  chosen: boolean;
  onChoose(index: number): void;
  /** The kind of part under the pointer, in any bar. */
  hovered: string | null;
  onHover(kind: string | null): void;
}

function Bar({ run, index, sizes, layout, y, chosen, onChoose, hovered, onHover }: BarProps) {
  const { slot, bar } = layout;
  const from = layout.left + slot * index;
  const x = from + (slot - bar) / 2;
  const device = run.device.bytes;
  const line = device === null ? null : y(device);
  let below = 0;
  return (
    <g class={chosen ? "bar bar-chosen" : "bar"} data-run={index} onClick={() => onChoose(index)}>
      <rect class="bar-room" x={from + 4} y={TOP - 20} width={slot - 8} height={HEIGHT + 20} />
      {drawnParts(run, sizes).map((part) => {
        const bottom = y(below);
        below += part.bytes;
        const top = y(below);
        const label = partBaseline(top, bottom, line);
        const faded = hovered !== null && hovered !== part.kind;
        return (
          <g key={part.kind} class={faded ? "part part-faded" : "part"} data-part={part.kind} data-bytes={part.bytes} onPointerEnter={() => onHover(part.kind)} onPointerLeave={() => onHover(null)}>
            <rect x={x} y={top} width={bar} height={Math.max(bottom - top, 1)} fill={part.color} />
            {label !== null ? <text class="part-label" x={x + bar / 2} y={label}>{count(part.bytes / MB)}</text> : null}
            <title>{`${part.label}: ${mb(part.bytes)} MB, ${percent(part.bytes / run.peak.bytes)} of the peak (${part.confidence}); ${part.meaning}`}</title>
          </g>
        );
      })}
      {line !== null && device !== null ? (
        <line class="limit" x1={from + 4} x2={from + slot - 4} y1={line} y2={line}>
          <title>{`Device memory: ${mb(device)} MB`}</title>
        </line>
      ) : null}
      <text class="bar-total" x={x + bar / 2} y={totalBaseline(y(Math.max(below, run.peak.bytes)), line)}>{mb(run.peak.bytes)}{slot >= ROOM_FOR_UNIT ? " MB" : ""}</text>
    </g>
  );
}

function fitWords({ fits, share_of_device: share }: Run["peak"]): string {
  if (fits === null) return "device not known";
  return `${fits ? "fits" : "does not fit"}, ${percent(share ?? 0)}`;
}

export function Histogram({ runs, sizes, chosen, onChoose }: { runs: Run[]; sizes: Sizes; chosen: number; onChoose: (index: number) => void }) {
  const [hovered, setHovered] = useState<string | null>(null);
  const [box, room] = useWidth<HTMLDivElement>(USUAL_ROOM);
  const most = scaleOf(runs, sizes);
  const layout = layOutBars(runs.length, room);
  const { left, slot, width } = layout;
  const y = (bytes: number) => TOP + HEIGHT * (1 - bytes / most);
  return (
    <div class="scroll-x" ref={box}>
      <svg class="histogram" width={width} height={TOP + HEIGHT + 8} viewBox={`0 0 ${width} ${TOP + HEIGHT + 8}`} role="img" aria-label="What the peak of each run is made of">
        <Marks most={most} wanted={8} y={y} left={left} right={width - 8} />
        {left > 70 ? <text class="axis-name" transform={`rotate(-90 16 ${TOP + HEIGHT / 2})`} x={16} y={TOP + HEIGHT / 2}>Memory (MB)</text> : null}
        {runs.map((run, index) => (
          <Bar key={index} run={run} index={index} sizes={sizes} layout={layout} y={y} chosen={index === chosen} onChoose={onChoose} hovered={hovered} onHover={setHovered} />
        ))}
      </svg>
      <div class="bar-names" style={{ paddingLeft: `${left}px`, width: `${width}px` }}>
        {runs.map((run, index) => (
          <button key={index} type="button" class={index === chosen ? "bar-name bar-name-chosen" : "bar-name"} style={{ width: `${slot}px` }} aria-pressed={index === chosen} onClick={() => onChoose(index)} title={visible(run.name)}>
            <span><Breakable text={visible(run.name)} /></span>
            <small class={run.peak.fits === false ? "misfit" : "muted"}>{fitWords(run.peak)}</small>
          </button>
        ))}
      </div>
    </div>
  );
}

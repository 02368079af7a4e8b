// The stacked histogram: one bar a run, the memory of its device as a red dashed line.
import { useState } from "preact/hooks";
import { count, mb, percent, visible } from "kit/format";
import { Marks } from "./axis";
import { drawnParts, scaleOf } from "./model";
import type { Run, Sizes } from "./model";

const MB = 1048576;
const HEIGHT = 420;
const TOP = 26;
const LEFT = 78;
const SLOT = 170;
const BAR = 92;
const LABEL_ROOM = 17;

interface Hovered {
  run: number;
  kind: string;
}

function Bar({ run, index, sizes, most, chosen, onChoose, hovered, onHover }: {
  run: Run;
  index: number;
  sizes: Sizes;
  most: number;
  chosen: boolean;
  onChoose: (index: number) => void;
  hovered: Hovered | null;
  onHover: (hovered: Hovered | null) => void;
}) {
  const y = (bytes: number) => TOP + HEIGHT * (1 - bytes / most);
  const x = LEFT + SLOT * index + (SLOT - BAR) / 2;
  let below = 0;
  const device = run.device.bytes;
  return (
    <g class={chosen ? "bar bar-chosen" : "bar"} data-run={index} onClick={() => onChoose(index)}>
      <rect class="bar-room" x={LEFT + SLOT * index + 4} y={TOP - 20} width={SLOT - 8} height={HEIGHT + 20} />
      {drawnParts(run, sizes).map((part) => {
        const bottom = y(below);
        below += part.bytes;
        const top = y(below);
        const faded = hovered !== null && hovered.kind !== part.kind;
        return (
          <g key={part.kind} class={faded ? "part part-faded" : "part"} data-part={part.kind} data-bytes={part.bytes} onPointerEnter={() => onHover({ run: index, kind: part.kind })} onPointerLeave={() => onHover(null)}>
            <rect x={x} y={top} width={BAR} height={Math.max(bottom - top, 1)} fill={part.color} />
            {bottom - top >= LABEL_ROOM ? (
              <text class="part-label" x={x + BAR / 2} y={(top + bottom) / 2 + 4}>{count(part.bytes / MB)}</text>
            ) : null}
            <title>{`${part.label}: ${mb(part.bytes)} MB, ${percent(part.bytes / run.peak.bytes)} of the peak (${part.confidence}); ${part.meaning}`}</title>
          </g>
        );
      })}
      <text class="bar-total" x={x + BAR / 2} y={y(Math.max(below, run.peak.bytes)) - 6}>{mb(run.peak.bytes)} MB</text>
      {device !== null ? (
        <line class="limit" x1={LEFT + SLOT * index + 4} x2={LEFT + SLOT * (index + 1) - 4} y1={y(device)} y2={y(device)}>
          <title>{`Device memory: ${mb(device)} MB`}</title>
        </line>
      ) : null}
    </g>
  );
}

export function Histogram({ runs, sizes, chosen, onChoose }: { runs: Run[]; sizes: Sizes; chosen: number; onChoose: (index: number) => void }) {
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const most = scaleOf(runs, sizes);
  const width = LEFT + SLOT * runs.length + 8;
  const y = (bytes: number) => TOP + HEIGHT * (1 - bytes / most);
  return (
    <div class="scroll-x">
      <svg class="histogram" width={width} height={TOP + HEIGHT + 8} viewBox={`0 0 ${width} ${TOP + HEIGHT + 8}`} role="img" aria-label="What the peak of each run is made of">
        <Marks most={most} wanted={8} y={y} left={LEFT} right={width - 8} />
        <text class="axis-name" transform={`rotate(-90 16 ${TOP + HEIGHT / 2})`} x={16} y={TOP + HEIGHT / 2}>Memory (MB)</text>
        {runs.map((run, index) => (
          <Bar key={index} run={run} index={index} sizes={sizes} most={most} chosen={index === chosen} onChoose={onChoose} hovered={hovered} onHover={setHovered} />
        ))}
      </svg>
      <div class="bar-names" style={{ paddingLeft: `${LEFT}px`, width: `${width}px` }}>
        {runs.map((run, index) => (
          <button key={index} type="button" class={index === chosen ? "bar-name bar-name-chosen" : "bar-name"} style={{ width: `${SLOT}px` }} aria-pressed={index === chosen} onClick={() => onChoose(index)} title={visible(run.name)}>
            <span>{visible(run.name)}</span>
            <small class={run.peak.fits === false ? "misfit" : "muted"}>{run.peak.fits === null ? "device not known" : run.peak.fits ? `fits, ${percent(run.peak.share_of_device ?? 0)}` : `does not fit, ${percent(run.peak.share_of_device ?? 0)}`}</small>
          </button>
        ))}
      </div>
    </div>
  );
}

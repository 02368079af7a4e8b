// Memory over the phases of one run: what is in use after each, and how far each reaches above it.
import { mb, shortened, visible } from "kit/format";
import { useWidth } from "kit/width";
import { Marks } from "./axis";
import type { Phase, Run } from "./model";

const HEIGHT = 240;
const TOP = 14;
const LEFT = 110;
const MB = 1048576;
const NAME_ROOM = 118;
const MOST_NAMED = 40;
const USUAL_ROOM = 1000;
/** Slanted names need this much from one to the next. */
const NAMED_SLOT = 24;

function tip(phase: Phase): string {
  return [
    visible(phase.name),
    `before ${mb(phase.start_bytes)} MB`,
    `reached ${mb(phase.reached_bytes)} MB`,
    `after ${mb(phase.current_bytes)} MB`,
    phase.allocations_bytes !== null ? `allocated ${mb(phase.allocations_bytes)} MB` : null,
    phase.deallocations_bytes !== null ? `freed ${mb(phase.deallocations_bytes)} MB` : null,
  ]
    .filter((text) => text !== null)
    .join("\n");
}

export function Timeline({ run, base }: { run: Run; base: Run | null }) {
  const all = [run, ...(base ? [base] : [])];
  const most = 1.08 * Math.max(MB, run.device.bytes ?? 0, ...all.map((one) => one.peak.bytes), ...all.flatMap((one) => one.phases.map((phase) => phase.reached_bytes)));
  const [box, room] = useWidth<HTMLDivElement>(USUAL_ROOM);
  const named = run.phases.length <= MOST_NAMED;
  const slot = Math.max(named ? NAMED_SLOT : 14, Math.min(110, (room - LEFT - 12) / Math.max(1, run.phases.length)));
  const width = LEFT + slot * run.phases.length + 12;
  const y = (bytes: number) => TOP + HEIGHT * (1 - Math.max(0, bytes) / most);
  const height = TOP + HEIGHT + (named ? NAME_ROOM : 10);
  // The other run is laid over by its share of the way, since it may have other phases.
  const shadow = (base?.phases ?? []).map((phase, i, phases) => `${i === 0 ? "M" : "L"}${LEFT + (slot * run.phases.length * (i + 0.5)) / phases.length},${y(phase.reached_bytes)}`).join("");
  return (
    <div class="scroll-x" ref={box}>
      <svg class="histogram" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label="Memory over the phases">
        <Marks most={most} wanted={5} y={y} left={LEFT} right={width - 8} />
        {run.phases.map((phase, i) => {
          const x = LEFT + slot * i + slot * 0.12;
          const wide = slot * 0.76;
          return (
            <g key={i} class={`phase phase-${phase.role}${run.peak.phase === i ? " phase-peak" : ""}`} data-phase={i}>
              <rect class="phase-reach" x={x} y={y(phase.reached_bytes)} width={wide} height={Math.max(0, y(0) - y(phase.reached_bytes))} />
              <rect class="phase-stay" x={x} y={y(phase.current_bytes)} width={wide} height={Math.max(0, y(0) - y(phase.current_bytes))} />
              {named ? (
                <text class="phase-name" x={x + wide / 2 + 4} y={TOP + HEIGHT + 14} transform={`rotate(-38 ${x + wide / 2 + 4} ${TOP + HEIGHT + 14})`}>{shortened(visible(phase.name), 26)}</text>
              ) : null}
              <title>{tip(phase)}</title>
            </g>
          );
        })}
        {shadow ? <path class="shadow-line" d={shadow} /> : null}
        {run.device.bytes !== null ? <line class="limit" x1={LEFT} x2={width - 8} y1={y(run.device.bytes)} y2={y(run.device.bytes)} /> : null}
      </svg>
    </div>
  );
}

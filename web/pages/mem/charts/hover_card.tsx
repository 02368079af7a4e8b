// The card beside the mouse: op, place, figures. Text of the log goes through visible().
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { opName, typeLabel } from "../data/page";
import type { Page } from "../data/page";
import { programName } from "../data/programs";
import { CONFIDENCES, FLAG_CACHE_HIT, FLAG_CACHE_MISS, FLAG_RETAINED, FLAG_WEIGHT, NONE, pointAt } from "../data/rank";
import type { BufferMemory, Memory, RankData } from "../data/rank";
import { bytes, count, percent, shortened, signed, visible } from "kit/format";
import { useHover } from "../state";
import { coalesced } from "kit/canvas/canvas";

interface Place {
  x: number;
  y: number;
  width: number;
}

/** Where the mouse is in a container; null outside of it. */
function useMouse(container: RefObject<HTMLElement | null>): Place | null {
  const [place, setPlace] = useState<Place | null>(null);
  const latest = useRef<Place | null>(null);
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    const update = coalesced(() => setPlace(latest.current));
    const move = (event: PointerEvent) => {
      const box = element.getBoundingClientRect();
      latest.current = event.buttons ? null : { x: event.clientX - box.left, y: event.clientY - box.top, width: box.width };
      update();
    };
    const leave = () => {
      latest.current = null;
      update();
    };
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerdown", leave);
    element.addEventListener("pointerleave", leave);
    return () => {
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerdown", leave);
      element.removeEventListener("pointerleave", leave);
    };
  }, [container]);
  return place;
}

const CARD_WIDTH = 320;

/** A card that follows the mouse over `container` while an op is under it. */
export function HoverCard({ container, children }: { container: RefObject<HTMLElement | null>; children: (op: number) => ComponentChildren }) {
  const place = useMouse(container);
  const op = useHover((state) => state.op);
  if (!place || op === null) return null;
  const onLeft = place.x + 24 + CARD_WIDTH > place.width;
  const left = onLeft ? Math.max(0, place.x - CARD_WIDTH - 18) : place.x + 18;
  return (
    <div class="hover-card" style={{ left: `${left}px`, top: `${Math.max(0, place.y - 20)}px` }} aria-hidden="true">
      {children(op)}
    </div>
  );
}

export function Row({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="card-row">
      <span>{label}</span>
      <b>{children}</b>
    </div>
  );
}

function flagText(flags: number): string {
  const words: string[] = [];
  if (flags & FLAG_WEIGHT) words.push("weight op");
  if (flags & FLAG_CACHE_HIT) words.push("const-eval cache hit");
  if (flags & FLAG_CACHE_MISS) words.push("const-eval cache miss");
  if (flags & FLAG_RETAINED) words.push("freed nothing (retained)");
  return words.join(", ");
}

/** Head of every card: which op, where in the model and in the log. */
export function OpHead({ page, rank, op }: { page: Page; rank: RankData; op: number }) {
  const name = opName(page, rank, op);
  const loc = rank.loc[op] === NONE ? "" : page.locs.get(rank.loc[op]);
  const flags = flagText(rank.flags[op]);
  return (
    <>
      <div class="card-title">
        <span class="card-op">op {count(op)}</span> {visible(name) || "(no op line)"}
      </div>
      {loc ? <div class="card-loc">{shortened(visible(loc), 64)}</div> : null}
      <div class="card-sub">
        {rank.line[op] === NONE ? "" : `line ${count(rank.line[op])}`}
        {rank.program[op] === NONE ? "" : ` · ${programName(page, rank, rank.program[op])}`}
      </div>
      {flags ? <div class={rank.flags[op] & FLAG_WEIGHT ? "card-flag card-weight" : "card-flag"}>{flags}</div> : null}
    </>
  );
}

function Growth({ rank, memory, op }: { rank: RankData; memory: Memory; op: number }) {
  if (memory !== "DRAM" && memory !== "L1") return null;
  const confidence = rank.conf[memory as BufferMemory][op];
  if (confidence === 0) return null;
  const own = rank.grow[memory as BufferMemory][op];
  return (
    <Row label={`own growth (${CONFIDENCES[confidence] ?? ""})`}>
      <span class={own > 0 ? "grew" : own < 0 ? "shrank" : ""}>{signed(own, bytes)}</span>
    </Row>
  );
}

function Shapes({ page, rank, op }: { page: Page; rank: RankData; op: number }) {
  const text = rank.text[op];
  if (text === NONE) return null;
  const from = page.textFirstIn[text] ?? NONE;
  const to = page.textFirstOut[text] ?? NONE;
  if (from === NONE && to === NONE) return null;
  return (
    <div class="card-shapes">
      {visible(typeLabel(page, from)) || "–"} → {visible(typeLabel(page, to)) || "–"}
    </div>
  );
}

/** The card of the timeline. */
export function TimelineCard({ page, rank, memory, op }: { page: Page; rank: RankData; memory: Memory; op: number }) {
  const { points, header } = rank;
  const point = pointAt(rank, 2 * op);
  const figure = (what: "alloc" | "free" | "largest") => {
    const figures = points[what][memory];
    return figures && point >= 0 ? points.toBytes(figures[point]) : NaN;
  };
  const allocated = figure("alloc");
  const capacity = header.capacity[memory] ?? 0;
  return (
    <>
      <OpHead page={page} rank={rank} op={op} />
      <Row label={`${memory} before, per bank`}>
        {Number.isNaN(allocated) ? "unknown" : bytes(allocated)}
        {capacity > 0 && !Number.isNaN(allocated) ? ` (${percent(allocated / capacity)})` : ""}
      </Row>
      <Growth rank={rank} memory={memory} op={op} />
      {Number.isNaN(figure("largest")) ? null : <Row label="largest free block, per bank">{bytes(figure("largest"))}</Row>}
      <Shapes page={page} rank={rank} op={op} />
    </>
  );
}

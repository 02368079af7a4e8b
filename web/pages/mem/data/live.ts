// What is on the device at a moment: the tensors, their kinds, and what their padding costs. Everything follows from
// births and deaths of buffers; a checkpoint every so many events keeps a question about any moment short.
import { BUFFER_MEMORIES, KINDS, lastAtOrBelow, NONE } from "./rank";
import type { BufferMemory, RankData } from "./rank";

const EVENTS_PER_CHECKPOINT = 64;
const DEATH = 0x80000000;

/** Where in a sum vector: bytes per bank of each kind, then whole-tensor totals. */
export const LOGICAL = KINDS.length;
export const PADDED = KINDS.length + 1;
export const TENSORS = KINDS.length + 2;
const SUMS = KINDS.length + 3;

export interface TypeSizes {
  typeLogical: Float64Array;
  typePadded: Float64Array;
}

/** Buffers of a memory live at the moment, largest first, ties in the order of birth. */
export function liveBuffers(rank: RankData, memory: BufferMemory, moment: number): Uint32Array {
  const { count, born, died, bytes } = rank.buffers;
  const wanted = BUFFER_MEMORIES.indexOf(memory);
  const found: number[] = [];
  for (let i = 0; i < count; i++) {
    if (born[i] <= moment && moment < lifeEnd(died[i]) && rank.buffers.memory[i] === wanted) found.push(i);
  }
  found.sort((a, b) => bytes[b] - bytes[a] || a - b);
  return Uint32Array.from(found);
}

/** "Never freed" as a moment behind every other. */
export function lifeEnd(died: number): number {
  return died === NONE ? Infinity : died;
}

/** Births and deaths of one memory's buffers in order of time, as buffer | DEATH; what is behind the run is put at its end. */
function orderedEvents(rank: RankData, memory: number): Events {
  const { count, born, died } = rank.buffers;
  const moments = 2 * rank.ops + 3;
  const starts = new Uint32Array(moments + 1);
  const clamped = (moment: number) => Math.min(moment, moments - 1);
  let total = 0;
  for (let i = 0; i < count; i++) {
    if (rank.buffers.memory[i] !== memory || died[i] <= born[i]) continue;
    starts[clamped(born[i]) + 1]++;
    total++;
    if (died[i] === NONE) continue;
    starts[clamped(died[i]) + 1]++;
    total++;
  }
  for (let i = 0; i < moments; i++) starts[i + 1] += starts[i];
  const moment = new Uint32Array(total);
  const event = new Uint32Array(total);
  const put = (at: number, what: number) => {
    const place = starts[clamped(at)]++;
    moment[place] = clamped(at);
    event[place] = what;
  };
  for (let i = 0; i < count; i++) {
    if (rank.buffers.memory[i] !== memory || died[i] <= born[i]) continue;
    put(born[i], i);
    if (died[i] !== NONE) put(died[i], (i | DEATH) >>> 0);
  }
  return { moment, event };
}

interface Events {
  moment: Uint32Array;
  event: Uint32Array;
}

const eventsKnown = new WeakMap<RankData, Map<BufferMemory, Events>>();

/** The same for sums by kind and by layer. */
function eventsOf(rank: RankData, memory: BufferMemory): Events {
  let known = eventsKnown.get(rank);
  if (!known) eventsKnown.set(rank, (known = new Map()));
  let events = known.get(memory);
  if (!events) known.set(memory, (events = orderedEvents(rank, BUFFER_MEMORIES.indexOf(memory))));
  return events;
}

/** Sums over the live tensors of one memory at any moment; `apply` says what a birth or a death changes. */
abstract class EventSums {
  readonly moment: Uint32Array;
  protected readonly event: Uint32Array;
  private readonly checkpoints: Float64Array;

  constructor(
    protected readonly rank: RankData,
    readonly memory: BufferMemory,
    readonly width: number,
  ) {
    const events = eventsOf(rank, memory);
    this.moment = events.moment;
    this.event = events.event;
    this.checkpoints = new Float64Array((Math.floor(this.event.length / EVENTS_PER_CHECKPOINT) + 1) * width);
  }

  protected abstract apply(sums: Float64Array, buffer: number, sign: 1 | -1): void;

  /** To be called once by whoever knows how to apply. `each`: after every event. */
  protected build(each?: (index: number, sums: Float64Array) => void): void {
    const { length } = this.event;
    const sums = new Float64Array(this.width);
    for (let i = 0; i <= length; i++) {
      if (i % EVENTS_PER_CHECKPOINT === 0) this.checkpoints.set(sums, (i / EVENTS_PER_CHECKPOINT) * this.width);
      if (i === length) break;
      this.happen(sums, this.event[i]);
      each?.(i, sums);
    }
  }

  private happen(sums: Float64Array, event: number): void {
    if (event >= DEATH) this.apply(sums, event - DEATH, -1);
    else this.apply(sums, event, 1);
  }

  /** Sets `into`. */
  at(moment: number, into: Float64Array = new Float64Array(this.width)): Float64Array {
    const events = lastAtOrBelow(this.moment, moment) + 1;
    const checkpoint = Math.floor(events / EVENTS_PER_CHECKPOINT);
    const start = checkpoint * this.width;
    for (let i = 0; i < this.width; i++) into[i] = this.checkpoints[start + i];
    for (let i = checkpoint * EVENTS_PER_CHECKPOINT; i < events; i++) this.happen(into, this.event[i]);
    return into;
  }
}

/** By kind in bytes per bank; LOGICAL and PADDED of whole tensors, TENSORS a count. */
export class LiveSums extends EventSums {
  /** Whole-tensor totals after each event: step functions over `moment`. */
  readonly logical: Float64Array;
  readonly padded: Float64Array;

  constructor(rank: RankData, memory: BufferMemory, private readonly sizes: TypeSizes) {
    super(rank, memory, SUMS);
    this.logical = new Float64Array(this.event.length);
    this.padded = new Float64Array(this.event.length);
    this.build((i, sums) => {
      this.logical[i] = sums[LOGICAL];
      this.padded[i] = sums[PADDED];
    });
  }

  protected apply(sums: Float64Array, buffer: number, sign: 1 | -1): void {
    const { kind, bytes, type } = this.rank.buffers;
    sums[Math.min(kind[buffer], KINDS.length - 1)] += sign * bytes[buffer];
    sums[TENSORS] += sign;
    if (type[buffer] === NONE) return;
    sums[LOGICAL] += sign * this.sizes.typeLogical[type[buffer]];
    sums[PADDED] += sign * this.sizes.typePadded[type[buffer]];
  }
}

/** Group of a buffer that is in none. */
export const NO_GROUP = 0xff;

/** By any groups, bytes per bank. */
export class GroupSums extends EventSums {
  constructor(rank: RankData, memory: BufferMemory, private readonly groupOf: Uint8Array, groups: number) {
    super(rank, memory, groups);
    this.build();
  }

  protected apply(sums: Float64Array, buffer: number, sign: 1 | -1): void {
    const group = this.groupOf[buffer];
    if (group !== NO_GROUP) sums[group] += sign * this.rank.buffers.bytes[buffer];
  }
}

/** Bytes per bank of all kinds together. */
export function accounted(sums: Float64Array): number {
  let total = 0;
  for (let kind = 0; kind < KINDS.length; kind++) total += sums[kind];
  return total;
}

const known = new WeakMap<RankData, Map<BufferMemory, LiveSums>>();

/** The sums of a rank, built when first asked for. */
export function liveSums(rank: RankData, memory: BufferMemory, sizes: TypeSizes): LiveSums {
  let sums = known.get(rank);
  if (!sums) known.set(rank, (sums = new Map()));
  let one = sums.get(memory);
  if (!one) sums.set(memory, (one = new LiveSums(rank, memory, sizes)));
  return one;
}

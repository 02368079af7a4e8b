// The list of tensors that make up any chosen moment, and the sum that they make.

import { useEffect, useMemo, useState } from "preact/hooks";
import { KIND_LABELS, KINDS, NONE } from "../data/rank";
import type { BufferMemory, RankData } from "../data/rank";
import { typeLabel } from "../data/page";
import type { Argument, Page } from "../data/page";
import { bytes, count, mib, percent, plural, visible } from "kit/format";
import { goTo } from "kit/sections";
import { hover, store, useView } from "../state";
import { jumpToPeak, selectBuffer } from "../viewport";
import { Grid } from "kit/table/grid";
import type { GridColumn } from "kit/table/grid";
import { nextOrder, ordered } from "kit/table/order";
import type { Order } from "kit/table/order";
import { Lifetime } from "./lifetime_bar";
import { bufferName, fullBufferName, liveSet, makerName, momentOf, momentWords, paddingOf } from "./live_model";
import type { LiveSet } from "./live_model";
import { Absent, Middle, Tag } from "kit/parts";
import { KindMark, OpLink, shownOpName, useLoaded } from "./parts";
import type { PanelProps } from "./parts";
import { lineOf } from "./states";

const COLUMNS: GridColumn[] = [
  { id: "name", title: "Tensor", hint: "Name in the model, else in the program", width: 226 },
  { id: "kind", title: "Kind", width: 132 },
  { id: "type", title: "Shape", hint: "Logical shape and type as stored", width: 138 },
  { id: "bytes", title: "Per bank", unit: "MB", hint: "What it takes in each bank, with pages and alignment", width: 70, numeric: true },
  { id: "share", title: "Share", unit: "of all", width: 66, numeric: true },
  { id: "padded", title: "Padded", unit: "MB, whole", hint: "Bytes of the whole tensor as stored", width: 76, numeric: true },
  { id: "waste", title: "Padding", unit: "MB, whole", hint: "Padded less logical bytes of the whole tensor", width: 76, numeric: true },
  { id: "maker", title: "Made by", width: 110 },
  { id: "line", title: "Log line", width: 58, numeric: true },
  { id: "life", title: "Lifetime", hint: "First and last op it is live for, and its place in the run", width: 140 },
];

/** Sort key of a column: a figure or a text. */
function keyOf(column: string, page: Page, rank: RankData, args: Argument[] | null): (buffer: number) => number | string {
  const { type, bytes: size, kind, born, op } = rank.buffers;
  switch (column) {
    case "name":
      return (buffer) => bufferName(page, rank, args, buffer);
    case "kind":
      return (buffer) => kind[buffer];
    case "type":
      return (buffer) => typeLabel(page, type[buffer]);
    case "padded":
      return (buffer) => page.typePadded[type[buffer]] ?? -1;
    case "waste":
      return (buffer) => paddingOf(page, rank, buffer) || 0;
    case "maker":
      return (buffer) => makerName(page, rank, buffer);
    case "line":
      return (buffer) => lineOf(rank, op[buffer]) || -1;
    case "life":
      return (buffer) => born[buffer];
    default:
      return (buffer) => size[buffer];
  }
}

function cellOf(page: Page, rank: RankData, args: Argument[] | null, live: LiveSet, buffer: number, column: string) {
  const { type, bytes: size, kind, op } = rank.buffers;
  const waste = paddingOf(page, rank, buffer);
  switch (column) {
    case "name":
      return (
        <Middle
          text={visible(bufferName(page, rank, args, buffer))}
          title={visible(fullBufferName(page, rank, args, buffer))}
        />
      );
    case "kind":
      return <KindMark kind={kind[buffer]} single />;
    case "type":
      return (
        <span title={visible(`stored as ${page.padshapes.get(type[buffer])}, ${page.layouts.get(type[buffer])}`)}>
          {visible(typeLabel(page, type[buffer]))}
        </span>
      );
    case "bytes":
      return mib(size[buffer]);
    case "share":
      return percent(size[buffer] / (live.measured || live.accounted));
    case "padded":
      return type[buffer] === NONE ? "" : mib(page.typePadded[type[buffer]]);
    case "waste":
      return Number.isNaN(waste) ? "" : waste === 0 ? "0" : mib(waste);
    case "maker":
      return op[buffer] === NONE ? (
        <span class="muted" title="On the device before the program">
          {rank.buffers.arg[buffer] === NONE ? "before" : "argument"}
        </span>
      ) : (
        visible(makerName(page, rank, buffer))
      );
    case "line":
      return Number.isNaN(lineOf(rank, op[buffer])) ? "" : count(lineOf(rank, op[buffer]));
    default:
      return <Lifetime rank={rank} buffer={buffer} />;
  }
}

/** The parts, the unaccounted rest and the measured sum, as a bar and as words. */
function Sum({ live, measuredRank }: { live: LiveSet; measuredRank: boolean }) {
  const known = !Number.isNaN(live.measured);
  const parts = KINDS.map((kind, index) => ({ kind, index, bytes: live.kinds[index] })).filter((part) => part.bytes !== 0);
  const whole = Math.max(1, live.accounted + Math.max(0, known ? live.unaccounted : 0));
  return (
    <div class="live-sum">
      <div class="stack" aria-hidden="true">
        {parts.map((part) => (
          <i key={part.kind} class={`kind-swatch kind-${part.kind}`} style={{ width: `${(100 * part.bytes) / whole}%` }} />
        ))}
        {known && live.unaccounted > 0 ? (
          <i class="kind-swatch kind-unaccounted" style={{ width: `${(100 * live.unaccounted) / whole}%` }} />
        ) : null}
      </div>
      <p class="equation">
        {parts.map((part, index) => (
          <span key={part.kind}>
            {index > 0 ? " + " : ""}
            <KindMark kind={part.index} label={false} /> {KIND_LABELS[part.kind]} <b>{mib(part.bytes)}</b>
          </span>
        ))}
        {parts.length === 0 ? "no tensors" : ""}
        {known ? (
          <span>
            {" "}
            {live.unaccounted < 0 ? "−" : "+"} <i class="kind-swatch kind-unaccounted" aria-hidden="true" /> unaccounted{" "}
            <b title={`${mib(Math.abs(live.unaccounted))} MB per bank`}>
              {Math.abs(live.unaccounted) < 1048576 ? bytes(Math.abs(live.unaccounted)) : mib(Math.abs(live.unaccounted))}
            </b>
          </span>
        ) : null}
        {known ? (
          <span>
            {" "}
            = <b>{mib(live.measured)}</b> MB per bank <Tag of={measuredRank ? "measured" : "modelled"} />
          </span>
        ) : (
          <span>
            {" "}
            = <b>{mib(live.accounted)}</b> MB per bank <Tag of="modelled" /> (no memory line shows this moment)
          </span>
        )}
      </p>
      <p class="muted">
        {plural(live.buffers.length, "tensor")}
        {live.failing > 0 ? ` and ${plural(live.failing, "result")} that the failing op had got already` : ""}; whole tensors: {bytes(live.logical)} logical, {bytes(live.padded)} padded
        {live.logical > 0 ? `, padding ${bytes(live.padded - live.logical)} (${percent((live.padded - live.logical) / live.logical)})` : ""}
      </p>
    </div>
  );
}

function setMoment(rank: RankData, moment: number): void {
  store.set({ moment: Math.min(2 * rank.ops, Math.max(0, moment)) });
}

function MomentBar({ page, rank, memory, moment, chosen }: PanelProps & { memory: BufferMemory; moment: number; chosen: boolean }) {
  const { side, op } = momentWords(moment);
  const selected = useView((view) => view.op);
  const after = op >= rank.ops;
  return (
    <div class="tools moment-bar">
      <div class="moment-words">
        <b>{memory}</b> {chosen ? "" : "at the peak: "}
        {after ? (
          "at the end"
        ) : (
          <>
            {side}{" "}
            <OpLink rank={rank} op={op}>
              op #{count(op)} {shownOpName(page, rank, op)}
            </OpLink>
          </>
        )}
      </div>
      <div class="buttons" role="group" aria-label="Choose the moment">
        <button type="button" aria-pressed={!chosen} onClick={() => jumpToPeak(rank)}>
          Jump to peak
        </button>
        <button type="button" onClick={() => setMoment(rank, moment - 1)} aria-label="One step back">
          ◂ step
        </button>
        <button type="button" onClick={() => setMoment(rank, moment + 1)} aria-label="One step on">
          step ▸
        </button>
        {/* Always there: a button that comes and goes would move the list below. */}
        <button type="button" disabled={selected === null} onClick={() => selected !== null && setMoment(rank, 2 * selected)}>
          before {selected === null ? "the op" : `op #${count(selected)}`}
        </button>
        <button type="button" disabled={selected === null} onClick={() => selected !== null && setMoment(rank, 2 * selected + 1)}>
          after {selected === null ? "the op" : `op #${count(selected)}`}
        </button>
      </div>
    </div>
  );
}

function LiveList({ page, rank, memory }: PanelProps & { memory: BufferMemory }) {
  const chosen = useView((view) => view.moment);
  const moment = momentOf(rank, memory, chosen);
  const live = useMemo(() => liveSet(page, rank, memory, moment), [rank, memory, moment]);
  const args = useLoaded(() => page.args(), page);
  const [order, setOrder] = useState<Order>({ column: "bytes", descending: true });
  const [active, setActive] = useState(-1);
  const rows = useMemo(
    // The list comes with the largest first.
    () => (order.column === "bytes" && order.descending ? live.buffers : ordered(live.buffers, keyOf(order.column, page, rank, args), order.descending)),
    [live, order, args],
  );
  useEffect(() => setActive(-1), [live, order]);
  const activate = (row: number) => {
    setActive(row);
    selectBuffer(rank, rows[row]);
  };
  return (
    <div class="live">
      <MomentBar page={page} rank={rank} memory={memory} moment={moment} chosen={chosen !== null} />
      <Sum live={live} measuredRank={rank.header.measured} />
      <Grid
        id="live-grid"
        label={`Tensors live in ${memory}`}
        columns={COLUMNS}
        rows={rows.length}
        visibleRows={12}
        cell={(row, column) => cellOf(page, rank, args, live, rows[row], COLUMNS[column].id)}
        active={active}
        onActivate={activate}
        onHover={(row) => hover.set({ buffer: row === null ? null : rows[row] })}
        order={order}
        onSort={(column) => setOrder(nextOrder(order, column))}
        empty={`No tensor is known to be in ${memory} at this moment.`}
      />
      <p class="muted">Point at a tensor to see its life on the curve; a click tells where it comes from.</p>
    </div>
  );
}

/** Tensors are known in DRAM and L1 only; the other memories have a curve but no list. */
export function LivePanel({ page, rank }: PanelProps) {
  const memory = useView((view) => view.memory);
  const why = page.header.absent["composition"];
  if (why !== undefined || rank.buffers.count === 0) return <Absent why={why} />;
  if (memory === "DRAM" || memory === "L1") return <LiveList page={page} rank={rank} memory={memory} />;
  return (
    <p class="absent">
      The log does not say which tensors lie in {memory}.{" "}
      <button
        type="button"
        class="link"
        onClick={() => {
          store.set({ memory: "DRAM" });
          goTo("composition");
        }}
      >
        Show DRAM
      </button>
    </p>
  );
}

// Details of the selected tensor: where it comes from, how long it lives, what it costs.

import { Drawer } from "kit/drawer";
import { bytes, count, percent, plural, visible } from "kit/format";
import { Breakable, Tag } from "kit/parts";
import { goTo } from "kit/sections";
import { lifeEnd } from "../data/live";
import { typeLabel } from "../data/page";
import type { Argument, Page } from "../data/page";
import { programName } from "../data/programs";
import { BUFFER_MEMORIES, NONE } from "../data/rank";
import type { RankData } from "../data/rank";
import { store } from "../state";
import { clampRange, selectBuffer, show } from "../viewport";
import { LayerPaths } from "./layers_model";
import { bufferName, fullBufferName } from "./live_model";
import { Lifetime } from "./lifetime_bar";
import { KindMark, OpLink, shownOpName, useLoaded } from "./parts";
import type { PanelProps } from "./parts";
import { lineOf } from "./states";
import { passesOf } from "./survivors_model";

type TensorProps = PanelProps & { buffer: number; args: Argument[] | null };

/** The op whose work ends the life; null where the run or something between programs ends it. */
export function freedBy(rank: RankData, buffer: number): number | null {
  const died = rank.buffers.died[buffer];
  return died !== NONE && (died & 1) === 1 && died >>> 1 < rank.ops ? died >>> 1 : null;
}

/** Runs of programs that ended during the life. */
export function runsOutlived(rank: RankData, buffer: number): number {
  const { born, died } = rank.buffers;
  return passesOf(rank).filter((program) => {
    const end = 2 * rank.programs.end[program];
    return end > born[buffer] && end < lifeEnd(died[buffer]);
  }).length;
}

function Origin({ page, rank, buffer, args }: TensorProps) {
  const { op, arg, program } = rank.buffers;
  const maker = op[buffer];
  const argument = args?.[arg[buffer]];
  const layer = args ? new LayerPaths(page, rank, args) : null;
  const path = layer ? layer.pathOf(layer.keyOf(buffer)).join("/") : "";
  const line = maker === NONE ? NaN : lineOf(rank, maker);
  return (
    <dl class="facts">
      <dt>Made by</dt>
      <dd>
        {maker === NONE ? (
          `on the device before ${programName(page, rank, program[buffer]) || "the program"} starts`
        ) : (
          <OpLink rank={rank} op={maker}>op #{count(maker)} {shownOpName(page, rank, maker)}</OpLink>
        )}
      </dd>
      {argument ? <><dt>Argument</dt><dd class="breakable">{visible(argument.name || argument.ssa)} ({argument.kv_cache ? "KV cache" : argument.role})</dd></> : null}
      {maker !== NONE && page.locs.get(rank.loc[maker]) !== "" ? <><dt>Location</dt><dd><Breakable text={visible(page.locs.get(rank.loc[maker]))} /></dd></> : null}
      {path ? <><dt>Layer</dt><dd><button type="button" class="link" onClick={() => { store.set({ layer: layerAbove(path) }); goTo("layers"); }}><Breakable text={visible(path)} /></button></dd></> : null}
      {Number.isNaN(line) ? null : <><dt>Log line</dt><dd>{count(line)}</dd></>}
      <dt>Program</dt>
      <dd>{programName(page, rank, program[buffer]) || "not known"}</dd>
    </dl>
  );
}

const layerAbove = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

function Life({ page, rank, buffer }: TensorProps) {
  const { born, died } = rank.buffers;
  const freed = freedBy(rank, buffer);
  const end = Math.min(2 * rank.ops, lifeEnd(died[buffer]));
  const runs = runsOutlived(rank, buffer);
  return (
    <>
      <Lifetime rank={rank} buffer={buffer} />
      <dl class="facts">
        <dt>Lives for</dt>
        <dd>{plural(Math.max(1, (end >>> 1) - (born[buffer] >>> 1)), "op")}{runs > 0 ? `; outlives ${plural(runs, "run")} of a program` : ""}</dd>
        <dt>Freed by</dt>
        <dd>
          {died[buffer] === NONE ? "nothing: it is there to the end of the log" : freed === null ? `no op: it is gone before op #${count(died[buffer] >>> 1)}` : (
            <OpLink rank={rank} op={freed}>op #{count(freed)} {shownOpName(page, rank, freed)}</OpLink>
          )}
        </dd>
      </dl>
    </>
  );
}

function Cost({ page, rank, buffer }: TensorProps) {
  const { type, bytes: size, memory, born, died } = rank.buffers;
  const where = BUFFER_MEMORIES[memory[buffer]] ?? "DRAM";
  const logical = page.typeLogical[type[buffer]];
  const padded = page.typePadded[type[buffer]];
  const peak = rank.header.peaks[where];
  const isLive = peak !== undefined && born[buffer] <= peak.moment && peak.moment < lifeEnd(died[buffer]);
  return (
    <dl class="facts">
      <dt>Per bank</dt>
      <dd><b>{bytes(size[buffer])}</b> in {where} <Tag of="modelled" /></dd>
      <dt>At the peak</dt>
      <dd>{isLive ? `live: ${percent(size[buffer] / Math.max(1, peak.bytes_per_bank))} of it` : "not there"}</dd>
      <dt>Whole tensor</dt>
      <dd>{Number.isFinite(padded) ? `${bytes(padded)}, ${padded > logical ? `${bytes(padded - logical)} of it padding (${percent((padded - logical) / logical)})` : "no padding"}` : "not known"}</dd>
      <dt>Stored as</dt>
      <dd class="breakable">{type[buffer] === NONE ? "not known" : `${visible(page.padshapes.get(type[buffer]))} · ${visible(page.layouts.get(type[buffer]))}`}</dd>
    </dl>
  );
}

/** The other half of a weight that const-eval copied. */
function Twins({ page, rank, buffer, args }: TensorProps) {
  const twins = [...rank.dupWeight].flatMap((weight, index) => {
    const copy = rank.dupCopy[index];
    return weight === buffer ? [copy] : copy === buffer ? [weight] : [];
  });
  if (twins.length === 0) return null;
  return (
    <>
      <h4>{rank.dupWeight.includes(buffer) ? "Copied by const-eval to" : "Copied by const-eval from"}</h4>
      <ul class="tensors">
        {twins.slice(0, 10).map((twin) => (
          <li key={twin}><KindMark kind={rank.buffers.kind[twin]} label={false} /> <button type="button" class="link" onClick={() => selectBuffer(rank, twin)}>{visible(bufferName(page, rank, args, twin))}</button> {bytes(rank.buffers.bytes[twin])} per bank</li>
        ))}
      </ul>
    </>
  );
}

function zoomToLife(rank: RankData, buffer: number): void {
  const from = rank.buffers.born[buffer] / 2;
  const to = Math.min(rank.ops, lifeEnd(rank.buffers.died[buffer]) / 2);
  const air = Math.max(2, (to - from) * 0.1);
  show(clampRange(from - air, to + air, rank.ops));
}

function titleOf(page: Page, rank: RankData, args: Argument[] | null, buffer: number) {
  return <><KindMark kind={rank.buffers.kind[buffer]} label={false} /> {visible(bufferName(page, rank, args, buffer))} <small>{visible(typeLabel(page, rank.buffers.type[buffer]))}</small></>;
}

export function TensorDrawer({ page, rank, buffer }: PanelProps & { buffer: number }) {
  const args = useLoaded(() => page.args(), page);
  const props = { page, rank, buffer, args };
  return (
    <Drawer
      what="tensor"
      of={buffer}
      title={titleOf(page, rank, args, buffer)}
      place={visible(fullBufferName(page, rank, args, buffer))}
      tools={<button type="button" onClick={() => zoomToLife(rank, buffer)}>Zoom to its life</button>}
      isFirst={buffer === 0}
      isLast={buffer === rank.buffers.count - 1}
      onStep={(by) => selectBuffer(rank, Math.min(rank.buffers.count - 1, Math.max(0, buffer + by)))}
      onClose={() => store.set({ buffer: null })}
    >
      <h4>Origin</h4>
      <Origin {...props} />
      <h4>Life</h4>
      <Life {...props} />
      <h4>Cost</h4>
      <Cost {...props} />
      <Twins {...props} />
    </Drawer>
  );
}

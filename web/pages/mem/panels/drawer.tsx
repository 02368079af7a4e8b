// Details of the selected op: text, shapes, layouts, attributes, memory before and after, tensors made and freed.

import { useMemo } from "preact/hooks";
import { Drawer } from "kit/drawer";
import { typeLabel } from "../data/page";
import type { Argument, OpText, Page } from "../data/page";
import { programName } from "../data/programs";
import { CONFIDENCES, FLAG_CACHE_HIT, FLAG_CACHE_MISS, FLAG_COUNTED, FLAG_RETAINED, FLAG_WEIGHT, MEMORIES, NONE } from "../data/rank";
import type { BufferMemory, Memory, RankData } from "../data/rank";
import { bytes, count, mib, percent, signed, visible } from "kit/format";
import { goTo } from "kit/sections";
import { hover, store, useView } from "../state";
import { selectBuffer, selectOp } from "../viewport";
import { IrLinks } from "./ir_links";
import { bufferName } from "./live_model";
import { TensorDrawer } from "./tensor_drawer";
import { copyText } from "kit/clipboard";
import { Tag } from "kit/parts";
import { KindMark, shownOpName, useLoaded } from "./parts";
import type { PanelProps } from "./parts";
import { lineOf, stateAfter, stateBefore } from "./states";
import { markdownText } from "kit/table/export";

type OpProps = PanelProps & { op: number };

function Badges({ flags }: { flags: number }) {
  const badges: [boolean, string, string][] = [
    [(flags & FLAG_WEIGHT) !== 0, "weight op", "Its result depends on weights alone"],
    [(flags & FLAG_COUNTED) === 0, "not counted", "deallocate and get_device are not counted as ops"],
    [(flags & FLAG_RETAINED) !== 0, "kept", "The deallocate did nothing: the tensor is retained"],
    [(flags & FLAG_CACHE_HIT) !== 0, "const-eval cache hit", "The results of an earlier run were used"],
    [(flags & FLAG_CACHE_MISS) !== 0, "const-eval cache miss", "The const-eval program ran"],
  ];
  return (
    <>
      {badges
        .filter(([on]) => on)
        .map(([, label, hint]) => (
          <span key={label} class="badge" title={hint}>
            {label}
          </span>
        ))}
    </>
  );
}

function placeOfOp(page: Page, rank: RankData, op: number): string {
  const program = rank.program[op];
  const parts = [`op #${count(op)} of ${count(rank.ops)}`];
  if (program !== NONE) parts.push(programName(page, rank, program));
  if (isKnown(lineOf(rank, op))) parts.push(`log line ${count(lineOf(rank, op))}`);
  if (page.header.ranks.length > 1) parts.push(visible(rank.header.label));
  return parts.join(" · ");
}

function Location({ page, rank, op }: OpProps) {
  const name = visible(page.locs.get(rank.loc[op]));
  const raw = visible(page.locraw.get(rank.loc[op]));
  if (name === "" && raw === "") return <p class="muted">The log gives no location for this op.</p>;
  return (
    <p class="breakable">
      {name}
      {raw !== "" && raw !== name && raw !== `"${name}"` ? (
        <>
          <br />
          <code class="muted">loc({raw})</code>
        </>
      ) : null}
    </p>
  );
}

function isKnown(value: number): boolean {
  return !Number.isNaN(value);
}

function MemoryRow({ rank, op, memory }: { rank: RankData; op: number; memory: Memory }) {
  const before = stateBefore(rank, op, memory);
  const after = stateAfter(rank, op, memory);
  if (!isKnown(before.allocated) && !isKnown(after.allocated)) return null;
  const tensorMemory = memory === "DRAM" || memory === "L1" ? memory : null;
  const confidence = tensorMemory ? rank.conf[tensorMemory][op] : 0;
  const grow = tensorMemory ? rank.grow[tensorMemory][op] : 0;
  const figure = (value: number) => (isKnown(value) ? mib(value) : "–");
  return (
    <tr>
      <th scope="row">{memory}</th>
      <td class="numeric">{figure(before.allocated)}</td>
      <td class="numeric">
        {figure(after.allocated)}
        {after.adjusted ? <span title="Less what changed between the programs">*</span> : null}
      </td>
      <td class="numeric">
        {tensorMemory && confidence !== 0 ? (
          <>
            {grow === 0 ? "0" : signed(grow, mib)} <Tag of={CONFIDENCES[confidence]} />
          </>
        ) : (
          "–"
        )}
      </td>
      <td class="numeric">{figure(after.largest)}</td>
    </tr>
  );
}

function MemoryTable({ rank, op }: OpProps) {
  return (
    <div class="scroll-x">
      <table class="drawer-memory">
        <thead>
          <tr>
            <th>
              <span class="hidden">Memory</span>
            </th>
            <th class="numeric">before</th>
            <th class="numeric">after</th>
            <th class="numeric">own growth</th>
            <th class="numeric">largest free</th>
          </tr>
        </thead>
        <tbody>
          {MEMORIES.map((memory) => (
            <MemoryRow key={memory} rank={rank} op={op} memory={memory} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TypeRow({ page, name, type }: { page: Page; name: string; type: number }) {
  const logical = page.typeLogical[type];
  const padded = page.typePadded[type];
  const waste = padded - logical;
  return (
    <li>
      <code>{visible(name)}</code> <b>{visible(typeLabel(page, type))}</b>
      <div class="muted">
        {visible(page.layouts.get(type))}
        {page.padshapes.get(type) ? ` · stored as ${visible(page.padshapes.get(type))}` : ""}
        {Number.isFinite(padded)
          ? ` · whole ${bytes(padded)}${waste > 0 ? `, ${bytes(waste)} of it padding (${percent(waste / logical)})` : ""}`
          : ""}
      </div>
    </li>
  );
}

function Types({ page, title, names, types }: { page: Page; title: string; names: string[]; types: number[] }) {
  if (types.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul class="types">
        {types.map((type, index) => (
          <TypeRow key={index} page={page} name={names[index] ?? ""} type={type} />
        ))}
      </ul>
    </>
  );
}

/** Tensors whose life this op starts or ends. One pass over all tensors is quick enough for a click. */
function tensorsOf(rank: RankData, op: number): { made: number[]; freed: number[] } {
  const made: number[] = [];
  const freed: number[] = [];
  const { op: makers, died, count: buffers } = rank.buffers;
  for (let i = 0; i < buffers; ++i) {
    if (makers[i] === op) made.push(i);
    if (died[i] === 2 * op + 1) freed.push(i);
  }
  return { made, freed };
}

function TensorList({ page, rank, args, title, buffers }: PanelProps & { args: Argument[] | null; title: string; buffers: number[] }) {
  if (buffers.length === 0) return null;
  const { kind, bytes: size, memory, died, born, type } = rank.buffers;
  const names: BufferMemory[] = ["DRAM", "L1"];
  return (
    <>
      <h4>{title}</h4>
      <ul class="tensors">
        {buffers.slice(0, 50).map((buffer) => (
          <li
            key={buffer}
            onPointerEnter={() => hover.set({ buffer })}
            onPointerLeave={() => hover.set({ buffer: null })}
          >
            <KindMark kind={kind[buffer]} label={false} /> <button type="button" class="link" onClick={() => selectBuffer(rank, buffer)}><code>{visible(bufferName(page, rank, args, buffer))}</code></button>{" "}
            {visible(typeLabel(page, type[buffer]))} <b>{bytes(size[buffer])}</b> per bank in {names[memory[buffer]]}
            <span class="muted">
              {" "}
              · ops {count(born[buffer] >>> 1)} to {died[buffer] === NONE ? "the end" : count(died[buffer] >>> 1)}
            </span>
          </li>
        ))}
      </ul>
      {buffers.length > 50 ? <p class="muted">and {count(buffers.length - 50)} more</p> : null}
    </>
  );
}

function markdownOf(page: Page, rank: RankData, op: number, text: OpText): string {
  const lines = [`**${markdownText(shownOpName(page, rank, op))}** (${placeOfOp(page, rank, op)})`];
  const loc = visible(page.locs.get(rank.loc[op]));
  if (loc) lines.push(`- location: ${markdownText(loc)}`);
  for (const memory of MEMORIES) {
    const before = stateBefore(rank, op, memory).allocated;
    const after = stateAfter(rank, op, memory).allocated;
    if (isKnown(before) && isKnown(after)) lines.push(`- ${memory}: ${mib(before)} → ${mib(after)} MB per bank`);
  }
  if (text.text) lines.push("", "    " + visible(text.text));
  return lines.join("\n") + "\n";
}

function Details(props: OpProps) {
  const { page, rank, op } = props;
  const text = useLoaded(() => page.text(rank.text[op]), `${rank.index} ${rank.text[op]}`);
  const args = useLoaded(() => page.args(), page);
  const { made, freed } = useMemo(() => tensorsOf(rank, op), [rank, op]);
  const showTensors = () => {
    store.set({ moment: 2 * op + 1 });
    goTo("composition");
  };
  const tools = (
    <>
      <button type="button" onClick={() => text && void copyText(markdownOf(page, rank, op, text), "this op as markdown")}>Copy</button>
      <button type="button" onClick={showTensors}>Tensors after it</button>
    </>
  );
  return (
    <Drawer
      of={op}
      title={<>{shownOpName(page, rank, op)} <Badges flags={rank.flags[op]} /></>}
      place={placeOfOp(page, rank, op)}
      tools={tools}
      isFirst={op === 0}
      isLast={op === rank.ops - 1}
      onStep={(by) => selectOp(rank, Math.min(rank.ops - 1, Math.max(0, op + by)))}
      onClose={() => store.set({ op: null })}
    >
      <Location {...props} />
      <div class="tools small">
        <IrLinks page={page} rank={rank} op={op} />
      </div>
      <h4>Memory <small>MB per bank</small></h4>
      <MemoryTable {...props} />
      {text ? <Types page={page} title="Results" names={text.results} types={text.out} /> : null}
      {text ? <Types page={page} title="Operands" names={text.operands} types={text.in} /> : null}
      <TensorList page={page} rank={rank} args={args} title="Tensors made" buffers={made} />
      <TensorList page={page} rank={rank} args={args} title="Tensors freed" buffers={freed} />
      <h4>Attributes</h4>
      <p class="breakable">{text ? <code>{visible(text.attributes ?? "") || "none"}</code> : "…"}</p>
      <h4>Text</h4>
      {text && text.text === "" ? (
        <p class="muted">{visible(page.header.absent["texts"] ?? "The log has no text for this op.")}</p>
      ) : (
        <pre class="op-text">{text ? visible(text.text) : "…"}</pre>
      )}
    </Drawer>
  );
}

/** Over the page while an op or a tensor is selected. */
export function DetailsDrawer({ page, rank }: PanelProps) {
  const op = useView((view) => view.op);
  const buffer = useView((view) => view.buffer);
  if (buffer !== null && buffer < rank.buffers.count) return <TensorDrawer page={page} rank={rank} buffer={buffer} />;
  return op !== null && op < rank.ops ? <Details page={page} rank={rank} op={op} /> : null;
}

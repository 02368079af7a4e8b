// The hits of a search as a list: numbers, layers, tensors, ops.

import { goTo } from "kit/sections";
import { bytes, count, plural, shortened, visible } from "kit/format";
import { typeLabel } from "../data/page";
import type { Argument, Page } from "../data/page";
import type { RankData } from "../data/rank";
import { programName } from "../data/programs";
import type { Hits } from "../hits";
import { store } from "../state";
import { selectBuffer, selectOp } from "../viewport";
import { bufferName, fullBufferName } from "./live_model";
import { shownOpName, useLoaded } from "./parts";
import type { PanelProps } from "./parts";
import { lineOf } from "./states";

/** Of each kind; the table has all ops. */
const FEW = 6;

export interface Choice {
  key: string;
  group: "Numbers" | "Layers" | "Tensors" | "Ops";
  /** Texts that are safe to show; `args` give tensors their names. */
  text(args: Argument[] | null): string;
  note(args: Argument[] | null): string;
  choose(): void;
}

function opChoice(page: Page, rank: RankData, op: number): Choice {
  const line = lineOf(rank, op);
  return {
    key: `op${op}`,
    group: "Ops",
    text: () => `#${count(op)} ${shownOpName(page, rank, op)}`,
    note: () => [visible(page.locs.get(rank.loc[op])), Number.isNaN(line) ? "" : `line ${count(line)}`, programName(page, rank, rank.program[op])].filter((part) => part !== "").join(" · "),
    choose: () => selectOp(rank, op),
  };
}

function firstOps({ found }: Hits): number[] {
  const ops: number[] = [];
  for (let op = found.indexOf(1); op >= 0 && ops.length < FEW; op = found.indexOf(1, op + 1)) ops.push(op);
  return ops;
}

/** What is listed, in its order. */
export function choicesOf(page: Page, rank: RankData, found: Hits): Choice[] {
  const lines = found.lines.map(({ what, number, op }): Choice => {
    const choice = opChoice(page, rank, op);
    const name = what === "op" ? `op #${count(number)}` : `log line ${count(number)}`;
    return { ...choice, key: `${what}${number}`, group: "Numbers", text: () => `${name}: ${what === "line" ? `in op #${count(op)} ` : ""}${shownOpName(page, rank, op)}` };
  });
  const layers = found.layers.slice(0, FEW).map(({ path }): Choice => ({
    key: `layer${path}`,
    group: "Layers",
    text: () => visible(path),
    note: () => "",
    choose: () => {
      store.set({ layer: path });
      goTo("layers");
    },
  }));
  const tensors = found.tensors.slice(0, FEW).map(({ buffer, tensors: number }): Choice => ({
    key: `tensor${buffer}`,
    group: "Tensors",
    text: (args) => visible(bufferName(page, rank, args, buffer)),
    note: (args) => [visible(typeLabel(page, rank.buffers.type[buffer])), `${bytes(rank.buffers.bytes[buffer])} per bank`, number > 1 ? plural(number, "tensor") : visible(fullBufferName(page, rank, args, buffer))].join(" · "),
    choose: () => selectBuffer(rank, buffer),
  }));
  return [...lines, ...layers, ...tensors, ...firstOps(found).map((op) => opChoice(page, rank, op))];
}

const allOf = (found: Hits): Record<Choice["group"], number> => ({
  Numbers: found.lines.length,
  Layers: found.layers.length,
  Tensors: found.tensors.length,
  Ops: found.count,
});

interface ListProps extends PanelProps {
  found: Hits;
  choices: Choice[];
  active: number;
  onChoose(index: number): void;
}

export function HitList({ page, found, choices, active, onChoose }: ListProps) {
  const args = useLoaded(() => page.args(), page);
  const all = allOf(found);
  if (choices.length === 0) return <div class="hit-list" id="search-hits"><p class="muted">Nothing is called so.</p></div>;
  return (
    <div class="hit-list" id="search-hits" role="listbox" aria-label="Hits">
      {choices.map((choice, index) => (
        <div key={choice.key} role="presentation">
          {choices[index - 1]?.group === choice.group ? null : <h4>{choice.group} <small>{count(all[choice.group])}</small></h4>}
          {/* The press would take the focus and with it the list. */}
          <div role="option" aria-selected={index === active} class={index === active ? "hit active" : "hit"} onPointerDown={(event) => event.preventDefault()} onClick={() => onChoose(index)}>
            <span>{shortened(choice.text(args), 80)}</span>
            <small>{shortened(choice.note(args), 110)}</small>
          </div>
        </div>
      ))}
      {found.count > FEW ? <p class="muted">Enter walks all {count(found.count)} ops; the table can show them alone.</p> : null}
    </div>
  );
}

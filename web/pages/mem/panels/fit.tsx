// Whether the run fits: its own device and all products, by a replay of its allocations.

import { FitTable } from "kit/fit";
import { visible } from "kit/format";
import { Absent } from "kit/parts";
import { OpLink, useLoaded } from "./parts";
import type { PanelProps } from "./parts";

export function FitPanel(props: PanelProps) {
  const loaded = useLoaded(async () => ({ doc: await props.page.fit() }), props.page);
  if (loaded === null) return <div class="waiting" role="status">Unpacking…</div>;
  const { doc } = loaded;
  if (doc === null) return <Absent why="Nothing of this input can be placed in a device: when its tensors are freed is not recorded." />;
  const advice = (
    <>
      <code>ttscope fit LOG --search</code> finds the smallest change that fits, <code>--max batch</code> the largest batch.
    </>
  );
  return <FitTable doc={doc} advice={advice} failure={(one) => (one.failure ? <OpLink rank={props.rank} op={one.failure.op_index}>{visible(one.failure.text)}</OpLink> : null)} />;
}

// The page: its sections in order, the details drawer.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { count, visible } from "kit/format";
import { goTo, Section } from "kit/sections";
import { Shell } from "kit/shell";
import { CompositionStrip } from "./charts/composition";
import { FragmentationChart } from "./charts/fragmentation";
import { PaddingChart } from "./charts/padding";
import { Timeline } from "./charts/timeline";
import type { Page, PageHeader } from "./data/page";
import type { RankData } from "./data/rank";
import { HELP, keysOf } from "./keys";
import { useLoaded } from "./loading";
import type { AppProps } from "./loading";
import { DetailsDrawer } from "./panels/drawer";
import { FiguresPanel } from "./panels/figures";
import { FitPanel } from "./panels/fit";
import { FragmentationPanel } from "./panels/fragmentation";
import { ConsumersPanel, GrowthPanel } from "./panels/growth";
import { IrPanel } from "./panels/ir";
import { LayersPanel } from "./panels/layers";
import { LivePanel } from "./panels/live";
import { OpKindsPanel } from "./panels/op_kinds";
import { OpsTable } from "./panels/ops/ops_table";
import { PaddingPanel } from "./panels/padding";
import { PeakCards } from "./panels/peaks";
import { RankChooser, RankSelect } from "./panels/ranks";
import { SearchBox } from "./panels/search_box";
import { SurvivorsPanel } from "./panels/survivors";
import { VerdictPanel } from "./panels/verdict";
import { WeightsPanel } from "./panels/weights";
import { SECTIONS, sectionsOf, store } from "./state";

function Tools({ header, page, rank }: { header: PageHeader; page: Page | null; rank: RankData | null }) {
  return (
    <>
      {page && header.ranks.length > 1 ? <RankSelect page={page} /> : null}
      {page && rank ? <SearchBox page={page} rank={rank} /> : <span class="muted" role="status">loading…</span>}
    </>
  );
}

function Part({ id, hint, children }: { id: string; hint?: string; children: ComponentChildren }) {
  const title = SECTIONS.find((one) => one.id === id)?.label ?? id;
  return <Section id={id} title={title} hint={hint}>{children}</Section>;
}

/** How many parts may be there by now: one more each time the browser is done with the last, so that no task is long. */
function useGradually(parts: number, start: boolean): number {
  const [done, setDone] = useState(0);
  useEffect(() => {
    if (!start || done >= parts) return undefined;
    const timer = window.setTimeout(() => setDone(done + 1), 0);
    return () => window.clearTimeout(timer);
  }, [start, done, parts]);
  return done;
}

const PARTS = 9;

const Waiting = () => <div class="waiting" role="status">Unpacking…</div>;

/** Sections below the timeline. The table comes first: it needs the least, and people scroll to it. */
function DataSections({ page, rank, onReady }: { page: Page; rank: RankData; onReady: () => void }) {
  const props = { page, rank };
  const done = useGradually(PARTS, rank.complete);
  useEffect(() => {
    if (done === PARTS) onReady();
  }, [done]);
  const part = (number: number, content: () => ComponentChildren) => (done > number ? content() : <Waiting />);
  return (
    <>
      <Part id="composition" hint="what is in memory, and why">
        {part(0, () => <CompositionStrip {...props} />)}
        {part(1, () => <LivePanel {...props} />)}
      </Part>
      <Part id="figures">
        {part(2, () => <FiguresPanel {...props} />)}
      </Part>
      <Part id="padding" hint="bytes that tiles and aligned rows cost">
        {part(3, () => <PaddingChart {...props} />)}
        {part(3, () => <PaddingPanel {...props} />)}
      </Part>
      <Part id="fragmentation" hint="free memory that one tensor could not use">
        {part(4, () => <><FragmentationChart {...props} /><FragmentationPanel {...props} /></>)}
      </Part>
      <Part id="survivors" hint="tensors that outlive the run of a program that made them">
        {part(5, () => <SurvivorsPanel {...props} />)}
      </Part>
      <Part id="peaks">
        {part(5, () => <><PeakCards {...props} /><GrowthPanel {...props} /></>)}
        {part(6, () => <><ConsumersPanel {...props} /><OpKindsPanel {...props} /><WeightsPanel {...props} /></>)}
      </Part>
      <Part id="ops" hint={`${count(rank.ops)} executed, in order`}>
        <OpsTable {...props} />
      </Part>
      <Part id="fit" hint="the recorded allocations, placed again by a model of the allocator">{part(7, () => <FitPanel {...props} />)}</Part>
      <Part id="ir">{part(7, () => <IrPanel {...props} />)}</Part>
      <Part id="layers" hint="bytes by the path in the location">{part(8, () => <LayersPanel {...props} />)}</Part>
      {page.header.ranks.length > 1 ? (
        <Part id="ranks">
          <RankChooser {...props} />
        </Part>
      ) : null}
    </>
  );
}

/** Of a text without a run: no curve, no ops, no tensors. */
function MessageSections({ page, rank, onReady }: { page: Page; rank: RankData; onReady: () => void }) {
  useEffect(onReady, []);
  return (
    <>
      <Part id="figures"><FiguresPanel page={page} rank={rank} /></Part>
      <Part id="fit" hint="what the message asks for, placed by a model of the allocator"><FitPanel page={page} rank={rank} /></Part>
    </>
  );
}

const FOOT = "this file makes no network request · bytes are per bank unless a label says otherwise · MB is 1,048,576 bytes, as in the log";

export function App(props: AppProps) {
  const { header } = props;
  const loaded = useLoaded(props);
  const { page, rank } = loaded;
  const [ready, setReady] = useState(false);
  const hasRun = header.absent["run"] === undefined;
  const Rest = hasRun ? DataSections : MessageSections;
  useEffect(() => {
    const wanted = store.get().section;
    if (ready && wanted !== SECTIONS[0].id) goTo(wanted);
  }, [ready]);
  return (
    <Shell
      name={header.name}
      tools={<Tools header={header} page={page} rank={rank} />}
      sections={sectionsOf(header.ranks.length, hasRun)}
      keys={keysOf(rank)}
      help={HELP}
      version={header.tool_version}
      foot={header.generated ? `generated ${header.generated} · ${FOOT}` : FOOT}
      ready={ready}
      aside={page && rank?.complete ? <DetailsDrawer page={page} rank={rank} /> : null}
    >
      {loaded.error ? <p class="error" role="alert">This report could not be read whole: {visible(loaded.error)}</p> : null}
      <Part id="verdict">{page && rank ? <VerdictPanel page={page} rank={rank} /> : <div class="waiting" />}</Part>
      {hasRun ? <Part id="timeline" hint={header.ranks[0]?.measured === false ? "modelled from layouts and lives: no memory lines" : "state before each op, as the runtime printed it"}>
        <Timeline header={header} page={page} rank={rank} points={loaded.points} overview={loaded.overview} others={loaded.others} />
      </Part> : null}
      {page && rank ? <Rest key={rank.index} page={page} rank={rank} onReady={() => setReady(true)} /> : <div class="waiting" role="status">Unpacking the data…</div>}
    </Shell>
  );
}

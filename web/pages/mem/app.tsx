// The shell: header, navigation, the ten sections in order, the details drawer.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { CompositionStrip } from "./charts/composition";
import { FragmentationChart } from "./charts/fragmentation";
import { PaddingChart } from "./charts/padding";
import { Timeline } from "./charts/timeline";
import type { Page, PageHeader } from "./data/page";
import type { RankData } from "./data/rank";
import { count, visible } from "kit/format";
import { listenToKeys, toggleTheme } from "./keys";
import { useLoaded } from "./loading";
import type { AppProps } from "./loading";
import { Brand } from "kit/page_head";
import { DetailsDrawer } from "./panels/drawer";
import { FragmentationPanel } from "./panels/fragmentation";
import { ConsumersPanel, GrowthPanel } from "./panels/growth";
import { HelpOverlay } from "./panels/help";
import { IrPanel } from "./panels/ir";
import { LayersPanel } from "./panels/layers";
import { LivePanel } from "./panels/live";
import { OpKindsPanel } from "./panels/op_kinds";
import { OpsTable } from "./panels/ops/ops_table";
import { PaddingPanel } from "./panels/padding";
import { PeakCards } from "./panels/peaks";
import { RankChooser, RankSelect } from "./panels/ranks";
import { SearchBox } from "./panels/search_box";
import { VerdictPanel } from "./panels/verdict";
import { WeightsPanel } from "./panels/weights";
import { goTo, SECTIONS, store, ui, useUi, useView } from "./state";

function Header({ header, page, rank }: { header: PageHeader; page: Page | null; rank: RankData | null }) {
  const theme = useView((view) => view.theme);
  return (
    <header class="top">
      <Brand name={visible(header.name)} />
      <div class="top-tools">
        {page && header.ranks.length > 1 ? <RankSelect page={page} /> : null}
        {page && rank ? <SearchBox page={page} rank={rank} /> : <span class="loading" role="status">loading…</span>}
        <button type="button" class="icon-button" title={`Light or dark (T), now ${theme}`} aria-label="Switch between light and dark" onClick={toggleTheme}>
          ◐
        </button>
        <button type="button" class="icon-button" title="Keys (?)" aria-label="Keyboard help" onClick={() => ui.set({ help: true })}>
          ?
        </button>
      </div>
    </header>
  );
}

function Navigation() {
  const section = useView((view) => view.section);
  return (
    <nav class="side" aria-label="Sections">
      {SECTIONS.map((one, index) => (
        <a
          key={one.id}
          href={`#at=${one.id}`}
          aria-current={one.id === section ? "true" : undefined}
          onClick={(event) => {
            event.preventDefault();
            goTo(one.id);
          }}
        >
          {one.label} {index < 9 ? <kbd>{index + 1}</kbd> : null}
        </a>
      ))}
    </nav>
  );
}

function Section({ id, hint, children }: { id: string; hint?: string; children: ComponentChildren }) {
  const label = SECTIONS.find((one) => one.id === id)?.label ?? id;
  return (
    <section id={id} class="section" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        {label} {hint ? <small>{hint}</small> : null}
      </h2>
      {children}
    </section>
  );
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
      <Section id="composition" hint="what is in memory, and why">
        {part(0, () => <CompositionStrip {...props} />)}
        {part(1, () => <LivePanel {...props} />)}
      </Section>
      <Section id="padding" hint="bytes that tiles and aligned rows cost">
        {part(2, () => <PaddingChart {...props} />)}
        {part(3, () => <PaddingPanel {...props} />)}
      </Section>
      <Section id="fragmentation" hint="free memory that one tensor could not use">
        {part(4, () => <><FragmentationChart {...props} /><FragmentationPanel {...props} /></>)}
      </Section>
      <Section id="peaks">
        {part(5, () => <><PeakCards {...props} /><GrowthPanel {...props} /></>)}
        {part(6, () => <><ConsumersPanel {...props} /><OpKindsPanel {...props} /><WeightsPanel {...props} /></>)}
      </Section>
      <Section id="ops" hint={`${count(rank.ops)} executed, in order`}>
        <OpsTable {...props} />
      </Section>
      <Section id="ir">{part(7, () => <IrPanel {...props} />)}</Section>
      <Section id="layers" hint="bytes by the path in the location">{part(8, () => <LayersPanel {...props} />)}</Section>
      <Section id="ranks">
        <RankChooser {...props} />
      </Section>
    </>
  );
}

/** Follows the scroll position, so that navigation and link name the section in view. */
function useSectionInView(ready: boolean): void {
  useEffect(() => {
    if (!ready) return undefined;
    document.documentElement.dataset["ready"] = "yes";
    const wanted = store.get().section;
    if (wanted !== SECTIONS[0].id) goTo(wanted);
    const find = () => {
      const line = window.innerHeight * 0.3;
      let current = SECTIONS[0].id;
      for (const { id } of SECTIONS) {
        const box = document.getElementById(id)?.getBoundingClientRect();
        if (box && box.top <= line) current = id;
      }
      store.set({ section: current });
    };
    let waiting = false;
    const onScroll = () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        find();
      });
    };
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, [ready]);
}

function Notice() {
  const notice = useUi((state) => state.notice);
  return <div class={notice ? "notice notice-shown" : "notice"} role="status">{notice}</div>;
}

function Footer({ header }: { header: PageHeader }) {
  return (
    <footer class="foot">
      ttscope {visible(header.tool_version)}
      {header.generated ? ` · generated ${visible(header.generated)}` : ""} · this file makes no network request · bytes are per bank
      unless a label says otherwise
    </footer>
  );
}

export function App(props: AppProps) {
  const { header } = props;
  const loaded = useLoaded(props);
  const { page, rank } = loaded;
  const latest = useRef<RankData | null>(null);
  latest.current = rank;
  useEffect(() => listenToKeys(() => latest.current), []);
  const [ready, setReady] = useState(false);
  useSectionInView(ready);
  return (
    <>
      <a class="skip" href="#timeline" onClick={(event) => { event.preventDefault(); goTo("timeline"); }}>Skip to the timeline</a>
      <Header header={header} page={page} rank={rank} />
      <Navigation />
      <main>
        {loaded.error ? <p class="error" role="alert">This report could not be read whole: {visible(loaded.error)}</p> : null}
        <Section id="verdict">{page && rank ? <VerdictPanel page={page} rank={rank} /> : <div class="waiting" />}</Section>
        <Section id="timeline" hint="state before each op, as the runtime printed it">
          <Timeline header={header} page={page} rank={rank} points={loaded.points} overview={loaded.overview} others={loaded.others} />
        </Section>
        {page && rank ? <DataSections key={rank.index} page={page} rank={rank} onReady={() => setReady(true)} /> : <div class="waiting" role="status">Unpacking the data…</div>}
        <Footer header={header} />
      </main>
      {page && rank?.complete ? <DetailsDrawer page={page} rank={rank} /> : null}
      <HelpOverlay />
      <Notice />
    </>
  );
}

// Brings the data in by steps: the coarse curve, the curve, everything. Each step is shown as soon as it is there.
// The marks (performance.mark) are what the benchmark reads.
import { useEffect, useState } from "preact/hooks";
import { overviewCurve } from "./data/curves";
import type { Curve } from "./data/curves";
import { Columns } from "kit/data/decode";
import type { BlobSource } from "kit/data/decode";
import { openPage } from "./data/page";
import type { Page, PageHeader } from "./data/page";
import { MEMORIES } from "./data/rank";
import type { Memory, Points, RankData } from "./data/rank";
import { useView } from "./state";

export interface AppProps {
  header: PageHeader;
  mem: unknown;
  source: BlobSource;
  /** When the whole file is there. */
  parsed: Promise<void>;
}

export type Overview = Partial<Record<Memory, Curve>>;

export interface Loaded {
  page: Page | null;
  overview: Overview;
  points: Points | null;
  /** Ops and curve at first, then everything: `complete` tells. */
  rank: RankData | null;
  others: { index: number; points: Points }[];
  error: string;
}

async function loadOverview(header: PageHeader, source: BlobSource, index: number): Promise<Overview> {
  const columns = new Columns(source, header.columns);
  const overview: Overview = {};
  for (const memory of MEMORIES) {
    const curve = await overviewCurve(columns, index, header.ranks[index], memory);
    if (curve) overview[memory] = curve;
  }
  return overview;
}

/** Runs an asynchronous load; its answers are dropped when the component has gone on to another. */
function useLoad(load: (alive: () => boolean) => Promise<void>, fail: (text: string) => void, inputs: unknown[]): void {
  useEffect(() => {
    let alive = true;
    load(() => alive).catch((error: unknown) => alive && fail(error instanceof Error ? error.message : String(error)));
    return () => {
      alive = false;
    };
  }, inputs);
}

/** After what was just set is on the screen: two frames, or a short while in a tab that draws none. */
function drawn(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
    window.setTimeout(resolve, HIDDEN_TAB_WAIT_MS);
  });
}

const HIDDEN_TAB_WAIT_MS = 300;
const NO_OTHERS: Loaded["others"] = [];

export function useLoaded({ header, mem, source, parsed }: AppProps): Loaded {
  const index = useView((view) => view.rank);
  const overlay = useView((view) => view.overlay);
  const [error, setError] = useState("");
  const [page, setPage] = useState<Page | null>(null);
  const [overview, setOverview] = useState<{ index: number; curves: Overview }>({ index: -1, curves: {} });
  const [points, setPoints] = useState<{ index: number; points: Points } | null>(null);
  const [rank, setRank] = useState<RankData | null>(null);
  const [others, setOthers] = useState<Loaded["others"]>(NO_OTHERS);

  useLoad(async (alive) => {
    const curves = await loadOverview(header, source, index);
    if (alive()) setOverview({ index, curves });
  }, setError, [index]);

  useLoad(async (alive) => {
    await parsed;
    performance.mark("ttscope:parsed");
    const opened = await openPage(header, mem, source);
    performance.mark("ttscope:opened");
    if (alive()) setPage(opened);
  }, setError, []);

  useLoad(async (alive) => {
    if (!page) return;
    const curve = await page.curve(index);
    performance.mark("ttscope:curve");
    if (alive()) setPoints({ index, points: curve });
    const early = await page.early(index);
    performance.mark("ttscope:ops");
    if (alive()) setRank((known) => (known?.index === index && known.complete ? known : early));
    await drawn();
    const whole = await page.rank(index);
    performance.mark("ttscope:whole");
    if (alive()) setRank(whole);
  }, setError, [page, index]);

  useLoad(async (alive) => {
    if (!page || !overlay) return setOthers(NO_OTHERS);
    const found: Loaded["others"] = [];
    for (let other = 0; other < header.ranks.length; other++) {
      if (other === index) continue;
      found.push({ index: other, points: await page.allocated(other) });
      if (!alive()) return undefined;
      setOthers([...found]);
    }
    return undefined;
  }, setError, [page, index, overlay]);

  const mine = rank?.index === index ? rank : null;
  return {
    page,
    overview: overview.index === index ? overview.curves : {},
    points: mine?.points ?? (points?.index === index ? points.points : null),
    rank: mine,
    others,
    error,
  };
}

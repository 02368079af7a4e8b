// Boot. The script stands between the page's head data and the rest: the first picture needs only the former.
import { showInAddress } from "kit/address";
import { mount, readJson, textOf } from "kit/mount";
import { place } from "kit/sections";
import { theme } from "kit/theme";
import { App } from "./app";
import type { PageHeader } from "./data/page";
import { fromFragment, setUsualRank, store, toFragment } from "./state";

const FRAGMENT_DELAY_MS = 250;

/** Keeps the URL fragment and the store the same, in both directions. */
function followFragment(header: PageHeader): void {
  const ops = (rank: number) => header.ranks[rank]?.ops ?? 0;
  setUsualRank(header.main_rank);
  const read = () => {
    const view = fromFragment(location.hash, ops, header.ranks.length);
    // The rank first: a change of it clears what was selected in the other, and must not clear what the link names.
    store.set({ rank: view.rank });
    store.set(view);
  };
  read();
  let timer = 0;
  const write = () => {
    const view = store.get();
    showInAddress(toFragment(view, ops(view.rank)));
  };
  store.subscribe(() => {
    window.clearTimeout(timer);
    timer = window.setTimeout(write, FRAGMENT_DELAY_MS);
  });
  window.addEventListener("hashchange", read);
}

/** Another rank has other ops: what was selected by op number means nothing there. */
function followRank(header: PageHeader): void {
  let rank = store.get().rank;
  store.subscribe(() => {
    const now = store.get().rank;
    if (now === rank) return;
    rank = now;
    store.set({ from: 0, to: Math.max(1, header.ranks[now]?.ops ?? 1), op: null, buffer: null, moment: null, range: null });
  });
}

/** The link holds the theme and the section too. */
function followShell(): void {
  const apply = () => {
    theme.set({ chosen: store.get().theme });
    place.set({ section: store.get().section });
  };
  apply();
  store.subscribe(apply);
  theme.subscribe(() => store.set({ theme: theme.get().chosen }));
  place.subscribe(() => store.set({ section: place.get().section }));
}

function whenParsed(): Promise<void> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("DOMContentLoaded", () => resolve(), { once: true }));
}

function boot(): void {
  const header = readJson<PageHeader>("ttscope-page");
  if (!header || header.ranks.length === 0) return mount("This page holds no report. `ttscope mem LOG --html FILE` writes one.");
  followFragment(header);
  followRank(header);
  followShell();
  return mount(<App header={header} mem={readJson("ttscope-mem")} source={textOf} parsed={whenParsed()} />);
}

boot();

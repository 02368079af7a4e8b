// The search of the page: words over ops, tensors, layers and log lines. The hits are listed below it and marked on the
// curve; Enter walks the ops.

import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { count, plural } from "kit/format";
import { SEARCH_ID } from "../keys";
import { store, useView } from "../state";
import { selectOp } from "../viewport";
import type { PanelProps } from "./parts";
import { hits } from "../hits";
import { findAll, nextHit, placeOfHit } from "./search";
import { choicesOf, HitList } from "./search_list";
import { Latest } from "kit/slices";

const DELAY_MS = 120;

/** Searches when the query rests; the result is shared by `hits`. */
function useSearch({ page, rank }: PanelProps, query: string): boolean {
  const [busy, setBusy] = useState(false);
  const latest = useRef(new Latest());
  useEffect(() => {
    latest.current.cancel();
    if (query.trim() === "") {
      hits.set(null);
      setBusy(false);
      return undefined;
    }
    setBusy(true);
    const timer = window.setTimeout(() => {
      void latest.current.run(
        (slicer) => findAll(page, rank, query, slicer),
        (found) => {
          hits.set(found);
          setBusy(false);
        },
      );
    }, DELAY_MS);
    return () => window.clearTimeout(timer);
  }, [page, rank, query]);
  useEffect(() => () => latest.current.cancel(), []);
  return busy;
}

function hitWords(op: number | null): string {
  const found = hits.get();
  if (!found) return "";
  const place = placeOfHit(found, op);
  return place > 0 ? `${count(place)} of ${count(found.count)}` : plural(found.count, "op");
}

/** Whether the list is open: while the box or the list has the focus and Escape was not pressed. */
function useOpen() {
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const outside = (event: Event) => {
      if (box.current && event.target instanceof Node && !box.current.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, []);
  return { box, isOpen, setOpen };
}

export function SearchBox(props: PanelProps) {
  const { page, rank } = props;
  const query = useView((view) => view.query);
  const op = useView((view) => view.op);
  const [, render] = useReducer((n: number) => n + 1, 0);
  const [active, setActive] = useState(-1);
  const { box, isOpen, setOpen } = useOpen();
  const busy = useSearch(props, query);
  /** Enter pressed before the search was done: go to the first hit as soon as there is one. */
  const waiting = useRef<"forward" | "backward" | null>(null);
  const walk = (backward: boolean) => {
    const found = hits.get();
    if (busy || !found || found.query !== query) {
      waiting.current = backward ? "backward" : "forward";
      return;
    }
    const next = nextHit(found, store.get().op, backward);
    if (next !== null) selectOp(rank, next);
  };
  useEffect(() => hits.subscribe(() => render(undefined)), []);
  useEffect(() => setActive(-1), [query]);
  useEffect(() => {
    if (busy || waiting.current === null) return;
    const backward = waiting.current === "backward";
    waiting.current = null;
    walk(backward);
  }, [busy]);
  const found = query.trim() === "" || busy ? null : hits.get();
  const choices = found && isOpen ? choicesOf(page, rank, found) : [];
  const choose = (index: number) => {
    choices[index]?.choose();
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined && choices.length > 0) {
      event.preventDefault();
      setActive(Math.min(choices.length - 1, Math.max(-1, active + by)));
    } else if (event.key === "Escape") {
      setOpen(false);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (active >= 0 && choices.length > 0) choose(active);
      else walk(event.shiftKey);
      setOpen(false);
    }
  };
  return (
    <div class="search-box" role="search" ref={box}>
      <input
        id={SEARCH_ID}
        type="search"
        value={query}
        autocomplete="off"
        placeholder="Search  ( / )"
        title="Words in names, locations, programs and op texts, tensors and layers; -word leaves out; #12 goes to an op, :345 to a log line, %7 finds a tensor"
        aria-label="Search ops, tensors, layers and log lines"
        aria-controls="search-hits"
        onFocus={() => setOpen(true)}
        onInput={(event) => {
          setOpen(true);
          store.set({ query: event.currentTarget.value });
        }}
        onKeyDown={onKeyDown}
      />
      <span class="hit-count" role="status">
        {query.trim() === "" ? "" : busy ? "…" : hitWords(op)}
      </span>
      <button type="button" onClick={() => walk(true)} disabled={query === ""} aria-label="Previous hit" title="Previous op (Shift+Enter)">
        ▴
      </button>
      <button type="button" onClick={() => walk(false)} disabled={query === ""} aria-label="Next hit" title="Next op (Enter)">
        ▾
      </button>
      {found && isOpen ? <HitList page={page} rank={rank} found={found} choices={choices} active={active} onChoose={choose} /> : null}
    </div>
  );
}

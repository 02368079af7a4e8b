// The search of the page: words over names, locations, programs and texts of all ops; Enter walks the hits.

import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { count, plural } from "kit/format";
import { SEARCH_ID } from "../keys";
import { store, useView } from "../state";
import { selectOp } from "../viewport";
import type { PanelProps } from "./parts";
import { findOps, hits, nextHit, placeOfHit } from "./search";
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
        (slicer) => findOps(page, rank, query, slicer),
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
  return place > 0 ? `${count(place)} of ${count(found.count)}` : plural(found.count, "hit");
}

export function SearchBox(props: PanelProps) {
  const { rank } = props;
  const query = useView((view) => view.query);
  const op = useView((view) => view.op);
  const [, render] = useReducer((n: number) => n + 1, 0);
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
  useEffect(() => {
    if (busy || waiting.current === null) return;
    const backward = waiting.current === "backward";
    waiting.current = null;
    walk(backward);
  }, [busy]);
  return (
    <div class="search-box" role="search">
      <input
        id={SEARCH_ID}
        type="search"
        value={query}
        placeholder="Search ops  ( / )"
        title="Words in names, locations, programs and op texts; -word leaves out; #12 goes to an op, :345 to a log line"
        aria-label="Search ops by name, location, program or text"
        onInput={(event) => store.set({ query: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          walk(event.shiftKey);
        }}
      />
      <span class="hit-count" role="status">
        {query.trim() === "" ? "" : busy ? "…" : hitWords(op)}
      </span>
      <button type="button" onClick={() => walk(true)} disabled={query === ""} aria-label="Previous hit" title="Previous hit (Shift+Enter)">
        ▴
      </button>
      <button type="button" onClick={() => walk(false)} disabled={query === ""} aria-label="Next hit" title="Next hit (Enter)">
        ▾
      </button>
    </div>
  );
}

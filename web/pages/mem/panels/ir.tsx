// The IR modules: lines on demand, search, and the line that an op points at.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { GraphHeader, ModuleHeader, Page } from "../data/page";
import { graphLabels } from "../data/programs";
import { NONE } from "../data/rank";
import type { RankData } from "../data/rank";
import { count, plural, visible } from "kit/format";
import { store, useView } from "../state";
import { Grid } from "kit/table/grid";
import { Absent } from "kit/parts";
import { useLoaded } from "./parts";
import type { PanelProps } from "./parts";
import { textCondition } from "./ops/filter";

const CHARACTER_WIDTH = 7.4;

/** Graphs that have this module; const-eval graphs stand in that of their caller. */
function graphsOfModule(page: Page, module: number): string[] {
  const labels = graphLabels(page.header);
  return page.header.graphs.flatMap((graph, index) => (!graph.const_eval && graph.modules.includes(module) ? [visible(labels[index])] : []));
}

function moduleLabel(page: Page, module: ModuleHeader, index: number): string {
  const parts = [visible(module.stage), ...graphsOfModule(page, index), plural(module.lines, "line")];
  if (page.header.ranks.length > 1) parts.push(visible(page.header.ranks[module.rank]?.label ?? `rank ${module.rank}`));
  if (module.line > 0) parts.push(`log line ${count(module.line)}`);
  if (!module.complete) parts.push("cut off in the log");
  if (!module.kept) parts.push("left out of this page");
  return parts.join(" · ");
}

/** The graph that was running at the peak of DRAM. */
function graphOfPeak(page: Page, rank: RankData): GraphHeader | undefined {
  const peak = rank.header.peaks.DRAM;
  const op = peak ? Math.min(rank.ops - 1, peak.op ?? peak.moment >>> 1) : -1;
  const program = op >= 0 ? rank.program[op] : NONE;
  return program === NONE ? undefined : page.header.graphs[rank.programs.graph[program]];
}

/** The module to show first: the last stage of the graph of the peak, else of the most run graph, else the first kept. */
export function usualModule(page: Page, rank: RankData): number | null {
  const others = [...page.header.graphs].sort((a, b) => Number(a.const_eval) - Number(b.const_eval) || b.runs - a.runs);
  for (const graph of [graphOfPeak(page, rank), ...others]) {
    if (!graph) continue;
    const kept = graph.modules.filter((index) => page.header.modules[index]?.kept);
    if (kept.length > 0) return kept[kept.length - 1];
  }
  const first = page.header.modules.findIndex((module) => module.kept);
  return first < 0 ? null : first;
}

/** Lines (from 0) that contain every word of the query. */
export function matchingLines(lines: string[], query: string): Uint32Array {
  if (query.trim() === "") return new Uint32Array(0);
  const matches = textCondition(query);
  const found: number[] = [];
  for (let i = 0; i < lines.length; ++i) if (matches(lines[i])) found.push(i);
  return Uint32Array.from(found);
}

/** The match behind `line` (or before it), round the end; null without any. */
export function nextMatch(matches: Uint32Array, line: number, backward: boolean): number | null {
  if (matches.length === 0) return null;
  if (backward) {
    for (let i = matches.length - 1; i >= 0; --i) if (matches[i] < line) return matches[i];
    return matches[matches.length - 1];
  }
  return matches.find((match) => match > line) ?? matches[0];
}

function Search({ query, setQuery, matches, line }: { query: string; setQuery(text: string): void; matches: Uint32Array; line: number }) {
  const walk = (backward: boolean) => {
    const next = nextMatch(matches, line, backward);
    if (next !== null) store.set({ line: next + 1 });
  };
  const place = matches.indexOf(line);
  return (
    <span class="ir-search">
      <input
        type="search"
        id="ir-search"
        value={query}
        placeholder="Search in this module"
        aria-label="Search in this module"
        onInput={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") walk(event.shiftKey);
          if (event.key !== "Escape") event.stopPropagation();
        }}
      />
      <span class="hit-count" role="status">
        {query === "" ? "" : place >= 0 ? `${count(place + 1)} of ${count(matches.length)}` : plural(matches.length, "line")}
      </span>
      <button type="button" onClick={() => walk(true)} disabled={matches.length === 0} aria-label="Previous match">
        ▴
      </button>
      <button type="button" onClick={() => walk(false)} disabled={matches.length === 0} aria-label="Next match">
        ▾
      </button>
    </span>
  );
}

function ModuleText({ page, module }: { page: Page; module: number }) {
  const lines = useLoaded(() => page.moduleText(module), module);
  const line = useView((view) => view.line);
  const [query, setQuery] = useState("");
  const matches = useMemo(() => matchingLines(lines ?? [], query), [lines, query]);
  const isMatch = useMemo(() => new Set(matches), [matches]);
  const longest = useMemo(() => (lines ?? []).reduce((most, text) => Math.max(most, Math.min(text.length, 4000)), 40), [lines]);
  if (lines === null) return <p class="muted">Unpacking…</p>;
  const columns = [
    { id: "number", title: "Line", width: 64, numeric: true },
    { id: "text", title: visible(page.header.modules[module].stage), width: Math.ceil(longest * CHARACTER_WIDTH) + 24 },
  ];
  const active = line === null ? -1 : line - 1;
  return (
    <>
      <div class="tools">
        <Search query={query} setQuery={setQuery} matches={matches} line={active} />
      </div>
      <Grid
        id="ir-grid"
        label={`Module ${visible(page.header.modules[module].stage)}`}
        columns={columns}
        rows={lines.length}
        visibleRows={22}
        cell={(row, column) => (column === 0 ? count(row + 1) : <code>{visible(lines[row].slice(0, 4000))}</code>)}
        rowClass={(row) => (isMatch.has(row) ? "hit" : "")}
        active={active}
        onActivate={(row) => store.set({ module, line: row + 1 })}
        empty="This module has no text."
      />
    </>
  );
}

export function IrPanel({ page, rank }: PanelProps) {
  const chosen = useView((view) => view.module);
  const modules = page.header.modules;
  const usual = useMemo(() => usualModule(page, rank), [page, rank]);
  const module = chosen !== null && modules[chosen]?.kept ? chosen : usual;
  const [ready, setReady] = useState(false);
  // Large modules are unpacked only when the page has come to rest or somebody asks for one.
  useEffect(() => {
    const timer = window.setTimeout(() => setReady(true), 300);
    return () => window.clearTimeout(timer);
  }, []);
  const why = page.header.absent["ir"];
  if (why !== undefined || module === null) return <Absent why={why} />;
  return (
    <div class="ir-panel">
      <label class="ir-choice">
        Module{" "}
        <select value={String(module)} onChange={(event) => store.set({ module: Number(event.currentTarget.value), line: null })}>
          {modules.map((one, index) => (
            <option key={index} value={String(index)} disabled={!one.kept}>
              {moduleLabel(page, one, index)}
            </option>
          ))}
        </select>
      </label>
      {ready || chosen !== null ? <ModuleText key={module} page={page} module={module} /> : null}
    </div>
  );
}

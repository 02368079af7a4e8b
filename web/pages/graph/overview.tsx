// All segments at once: the overall peak, what each segment's peak is made of, and whose memory it is.
import { useMemo } from "preact/hooks";
import { bytes, count, percent, plural, visible } from "kit/format";
import { Legend } from "kit/legend";
import { Link } from "kit/parts";
import { Findings } from "kit/findings";
import { Section } from "kit/sections";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { Tiles } from "kit/tiles";
import { partColor } from "./model";
import type { GraphDocument, Memory, OverallPeak, Owner, Segment } from "./model";

/** More bars than this tell nothing: the highest stay. */
const MOST_BARS = 60;
const FEW_OWNERS = 15;

export type Show = (segment: number, memory: Memory, node: number) => void;

export function nameOf(doc: GraphDocument, segment: Segment): string {
  return visible(segment.name || doc.files[segment.file] || "capture");
}

function Bar({ doc, index, most, chosen, onShow }: { doc: GraphDocument; index: number; most: number; chosen: boolean; onShow: Show }) {
  const segment = doc.segments[index];
  const { joined, dram } = segment;
  const name = nameOf(doc, segment);
  return (
    <button type="button" class="segment-bar" aria-pressed={chosen} data-segment={index} title={`${name}: show its DRAM peak`} onClick={() => onShow(index, "dram", Math.max(0, dram.node))}>
      <span class="segment-name">{name}</span>
      <span class="segment-track">
        {joined.part.map((part, i) => ({ part, i })).sort((a, b) => a.part - b.part).map(({ part, i }) => (
          <i key={part} data-part={doc.parts[part]} data-bytes={joined.bytes[i]} style={{ width: `${(100 * joined.bytes[i]) / most}%`, background: `var(--${partColor(doc, part)})` }} title={`${visible(doc.parts[part])}: ${bytes(joined.bytes[i])}, ${plural(joined.buffers[i], "buffer")}`} />
        ))}
      </span>
      <span class="segment-total">{bytes(joined.dram)}</span>
    </button>
  );
}

function Bars({ doc, chosen, onShow }: { doc: GraphDocument; chosen: number; onShow: Show }) {
  const shown = useMemo(() => {
    const order = doc.segments.map((_, i) => i);
    if (order.length <= MOST_BARS) return order;
    return order.sort((a, b) => doc.segments[b].joined.dram - doc.segments[a].joined.dram).slice(0, MOST_BARS).sort((a, b) => a - b);
  }, [doc]);
  const used = useMemo(() => doc.parts.map((_, part) => part).filter((part) => shown.some((i) => doc.segments[i].joined.part.includes(part))), [doc, shown]);
  const sumOf = (segment: Segment) => segment.joined.bytes.reduce((sum, one) => sum + one, 0);
  const most = Math.max(1, ...shown.map((i) => Math.max(doc.segments[i].joined.dram, sumOf(doc.segments[i]))));
  const legend = used.slice(0, 12).map((part) => ({ label: doc.parts[part], color: `var(--${partColor(doc, part)})` }));
  return (
    <>
      <h3>DRAM peak of each segment, with what earlier ones left</h3>
      <Legend entries={legend} hint={doc.parts_by === "kind" ? undefined : "parts are the segments that allocated them: this capture does not say whose memory a buffer is"} />
      <div class="segment-bars">{shown.map((i) => <Bar key={i} doc={doc} index={i} most={most} chosen={i === chosen} onShow={onShow} />)}</div>
      {shown.length < doc.segments.length ? <p class="muted">The {count(shown.length)} highest of {count(doc.segments.length)} segments.</p> : null}
    </>
  );
}

function Owners({ doc }: { doc: GraphDocument }) {
  const all = doc.dram_peak.bytes;
  const columns: Column<Owner>[] = [
    { title: "Kind", text: (owner) => visible(owner.kind) || "not told" },
    { title: "Whose", text: (owner) => visible(owner.owner) },
    { title: "buffers", numeric: true, text: (owner) => count(owner.buffers), value: (owner) => owner.buffers },
    { title: "size", numeric: true, text: (owner) => bytes(owner.bytes), value: (owner) => owner.bytes },
    { title: "of the peak", numeric: true, text: (owner) => percent(owner.bytes / Math.max(1, all)), value: (owner) => owner.bytes },
  ];
  const left = doc.all_owners - doc.owners.length;
  return (
    <>
      <h3>Live at the overall DRAM peak ({plural(doc.dram_peak.live, "buffer")})</h3>
      <Table id="owners" label="Live at the overall peak" columns={columns} records={doc.owners} first={FEW_OWNERS} />
      {left > 0 ? <p class="muted">{count(left)} smaller groups are left out; <code>ttscope graph --json</code> has every buffer.</p> : null}
    </>
  );
}

export function Overview({ doc, chosen, onShow }: { doc: GraphDocument; chosen: number; onShow: Show }) {
  const place = (peak: OverallPeak) => (peak.segment < 0 ? "never above the start" : `in ${nameOf(doc, doc.segments[peak.segment])}`);
  const link = (memory: Memory, peak: OverallPeak) => (peak.segment < 0 ? null : <Link onClick={() => onShow(peak.segment, memory, peak.node)}>show node {count(peak.node)}</Link>);
  return (
    <Section id="overview" title="All segments" hint={plural(doc.segments.length, "segment")}>
      <Tiles
        tiles={[
          { label: "Overall DRAM peak", value: bytes(doc.dram_peak.bytes), note: place(doc.dram_peak), more: link("dram", doc.dram_peak) },
          { label: "Reached by", value: visible(doc.dram_peak.call.split(" > ")[0]) || "no call", note: visible(doc.dram_peak.call.split(" > ").slice(1).join(" > ")) },
          { label: "Overall L1 peak per core", value: bytes(doc.l1_peak.bytes), note: place(doc.l1_peak), more: link("l1", doc.l1_peak) },
        ]}
      />
      <Findings findings={doc.findings.filter(({ segment }) => segment < 0).map(({ text }) => ({ level: "warning", text }))} />
      <Bars doc={doc} chosen={chosen} onShow={onShow} />
      {doc.owners.length > 0 ? <Owners doc={doc} /> : null}
    </Section>
  );
}

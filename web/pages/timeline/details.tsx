// What is chosen: one zone, or an area with its sums.
import { useMemo } from "preact/hooks";
import { count, fixed, percent, plural, visible, visibleLines } from "kit/format";
import { useObservable } from "kit/observable";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { linksOf } from "./chart";
import { groupPath, placeOf, zoneName } from "./data";
import type { TimelineData } from "./data";
import { plotText, pointAt } from "./paint";
import { firstEndingBehind, sumsOf, zoneAt } from "./rows";
import type { NameSum } from "./rows";
import { chosen, shown } from "./state";
import { time } from "./time";

export const SUM_COLUMNS: Column<NameSum>[] = [
  { title: "Zone", text: (sum) => visible(sum.name) },
  { title: "Count", numeric: true, text: (sum) => count(sum.count), value: (sum) => sum.count },
  { title: "Total", numeric: true, text: (sum) => time(sum.total), value: (sum) => sum.total },
  { title: "Mean", numeric: true, text: (sum) => time(sum.total / sum.count), value: (sum) => sum.total / sum.count },
  { title: "Longest", numeric: true, text: (sum) => time(sum.longest), value: (sum) => sum.longest },
];

/** Where the pointer is, and what is under it. */
export function Readout({ data, hint }: { data: TimelineData; hint: string }) {
  const { cursor, hovered } = useObservable(shown, (state) => state);
  if (cursor === null) return <p class="readout" aria-live="off">{hint}</p>;
  const parts = [time(cursor + data.header.first_ns)];
  if (hovered !== null) parts.push(`${visible(zoneName(data, hovered))} · ${time(data.zones.length[hovered])}`);
  for (const plot of data.plots.slice(0, 4)) {
    const point = pointAt(plot, cursor);
    if (point >= 0) parts.push(`${visible(plot.name)} ${plotText(plot, plot.values[point])}`);
  }
  return <p class="readout" aria-live="off">{parts.join(" · ")}</p>;
}

/** Without the zones directly inside. */
function selfOf(data: TimelineData, zone: number): number {
  const { track, depth } = placeOf(data, zone);
  const { zones } = data;
  const row = data.tracks[track].stretches[depth + 1];
  const end = zones.start[zone] + zones.length[zone];
  let self = zones.length[zone];
  if (!row) return self;
  for (let at = firstEndingBehind(zones, row.first, row.end, zones.start[zone]); at < row.end && zones.start[at] < end; at++) self -= zones.length[at];
  return self;
}

function ZoneLink({ data, zone }: { data: TimelineData; zone: number }) {
  const { track } = placeOf(data, zone);
  return (
    <button type="button" class="link" onClick={() => chosen.set({ zone, area: null })}>
      {visible(zoneName(data, zone))} <small>{visible(groupPath(data, data.tracks[track].group))} / {visible(data.tracks[track].name)}, {time(data.zones.length[zone])}</small>
    </button>
  );
}

function ZoneDetails({ data, zone }: { data: TimelineData; zone: number }) {
  const { zones, details, locations, texts, header } = data;
  const { track, depth } = placeOf(data, zone);
  const detail = zones.detail[zone];
  const place = zones.location[zone];
  const file = texts[locations.file[place]];
  const around = depth > 0 ? zoneAt(zones, data.tracks[track].stretches[depth - 1], zones.start[zone], 0) : null;
  const links = linksOf(data, zone);
  const op = details.op[detail];
  return (
    <dl class="facts" id="zone">
      <dt>Zone</dt><dd><b>{visible(zoneName(data, zone))}</b></dd>
      <dt>Track</dt><dd>{visible(groupPath(data, data.tracks[track].group))} / {visible(data.tracks[track].name)}</dd>
      <dt>Start</dt><dd>{time(zones.start[zone] + header.first_ns)}</dd>
      <dt>Length</dt><dd>{time(zones.length[zone])} <small>{fixed(zones.length[zone], 0)} ns, {percent(zones.length[zone] / data.span, 3)} of the timeline</small></dd>
      <dt>Self</dt><dd>{time(selfOf(data, zone))} <small>without the zones directly inside</small></dd>
      {op >= 0 ? <><dt>Op</dt><dd>{fixed(op, 0)} <small>GLOBAL CALL COUNT</small></dd></> : null}
      {file ? <><dt>Source</dt><dd>{visible(file)}:{locations.line[place]}</dd></> : null}
      {details.text[detail] ? <><dt>Text</dt><dd><pre>{visibleLines(texts[details.text[detail]])}</pre></dd></> : null}
      {around !== null ? <><dt>Inside of</dt><dd><ZoneLink data={data} zone={around} /></dd></> : null}
      {links.map((link) => <><dt>{link.from === zone ? "Leads to" : "Comes from"}</dt><dd><ZoneLink data={data} zone={link.from === zone ? link.to : link.from} /></dd></>)}
    </dl>
  );
}

function AreaSums({ data }: { data: TimelineData }) {
  const area = useObservable(chosen, (state) => state.area);
  const found = useMemo(() => area && sumsOf(data, area.tracks, area.from, area.to), [data, area]);
  if (!area || !found) return null;
  return (
    <div id="area">
      <p>
        <b>{time(area.to - area.from)}</b> from {time(area.from + data.header.first_ns)}, {plural(area.tracks.length, "track")}, {plural(found.count, "zone")}; lengths inside of the area
      </p>
      <Table label="Zones of the area by name" columns={SUM_COLUMNS} records={found.sums} first={12} />
    </div>
  );
}

export function Details({ data }: { data: TimelineData }) {
  const zone = useObservable(chosen, (state) => state.zone);
  const area = useObservable(chosen, (state) => state.area);
  if (zone !== null) return <ZoneDetails data={data} zone={zone} />;
  if (area !== null) return <AreaSums data={data} />;
  return <p class="muted">A click chooses a zone, dragging an area: what is in them is shown here.</p>;
}

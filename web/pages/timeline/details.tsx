// What is chosen: one zone, or an area with its sums.
import { useEffect, useMemo, useState } from "preact/hooks";
import { count, fixed, percent, plural, visible, visibleLines } from "kit/format";
import { useObservable } from "kit/observable";
import { Latest } from "kit/slices";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { linksOf } from "./chart";
import { reveal } from "./moves";
import { groupPath, placeOf, trackPath, zoneName } from "./data";
import type { TimelineData } from "./data";
import { partsOfOp, rowOfOp } from "./op_row";
import { plotText, pointAt } from "./paint_plots";
import { firstEndingBehind, firstStartingAt, lengthsOf, zoneAt } from "./rows";
import { source } from "./source";
import { chosen, shown } from "./state";
import type { Area } from "./state";
import { sumsOf } from "./sums";
import type { NameSum, Sums } from "./sums";
import { exactTime, momentText, time } from "./time";
import { nsPerPixel } from "./view";

export const SUM_COLUMNS: Column<NameSum>[] = [
  { title: "Zone", text: (sum) => visible(sum.name) },
  { title: "Count", numeric: true, text: (sum) => count(sum.count), value: (sum) => sum.count },
  { title: "Total", numeric: true, text: (sum) => time(sum.total), value: (sum) => sum.total },
  { title: "Mean", numeric: true, text: (sum) => time(sum.total / sum.count), value: (sum) => sum.total / sum.count },
  { title: "Shortest", numeric: true, text: (sum) => time(sum.shortest), value: (sum) => sum.shortest },
  { title: "Longest", numeric: true, text: (sum) => time(sum.longest), value: (sum) => sum.longest },
];

/** Where the pointer is, and what is under it. */
export function Readout({ data, hint }: { data: TimelineData; hint: string }) {
  const view = useObservable(shown, (state) => state);
  const { cursor, hovered, message } = view;
  if (cursor === null) return <p class="readout" aria-live="off">{hint}</p>;
  const parts = [momentText(cursor + data.header.first_ns, nsPerPixel(view, document.getElementById("timeline-canvas")?.clientWidth ?? 1200))];
  if (hovered !== null) parts.push(`${visible(zoneName(data, hovered))} · ${time(data.zones.length[hovered])}`);
  if (message !== null) parts.push(visible(data.texts[data.messages.text[message]].slice(0, 200)));
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
  if (!row) return zones.length[zone];
  const first = firstEndingBehind(zones, row.first, row.end, zones.start[zone]);
  const end = firstStartingAt(zones, first, row.end, zones.start[zone] + zones.length[zone]);
  return zones.length[zone] - lengthsOf(zones, first, end);
}

function ZoneLink({ data, zone }: { data: TimelineData; zone: number }) {
  const { track } = placeOf(data, zone);
  return (
    <button type="button" class="link" onClick={() => reveal(data, zone)}>
      {visible(zoneName(data, zone))} <small>{visible(trackPath(data, track))}, {time(data.zones.length[zone])}</small>
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
      <dt>Track</dt><dd>{visible(trackPath(data, track))}</dd>
      <dt>Start</dt><dd>{time(zones.start[zone] + header.first_ns)} <small>{exactTime(zones.start[zone] + header.first_ns)}</small></dd>
      <dt>Length</dt><dd>{time(zones.length[zone])} <small>{fixed(zones.length[zone], 0)} ns, {percent(zones.length[zone] / data.span, 3)} of the timeline</small></dd>
      <dt>Self</dt><dd>{time(selfOf(data, zone))} <small>without the zones directly inside</small></dd>
      {op >= 0 ? <><dt>Op</dt><dd>{String(op)} <small>GLOBAL CALL COUNT</small></dd></> : null}
      {file ? <><dt>Source</dt><dd>{visible(file)}:{locations.line[place]}</dd></> : null}
      {details.text[detail] ? <><dt>Text</dt><dd><pre>{visibleLines(texts[details.text[detail]])}</pre></dd></> : null}
      {around !== null ? <><dt>Inside of</dt><dd><ZoneLink data={data} zone={around} /></dd></> : null}
      {links.map((link) => <><dt>{link.from === zone ? "Leads to" : "Comes from"}</dt><dd><ZoneLink data={data} zone={link.from === zone ? link.to : link.from} /></dd></>)}
    </dl>
  );
}

function MessageDetails({ data, message }: { data: TimelineData; message: number }) {
  const { time: times, text, track } = data.messages;
  const path = trackPath(data, track[message]);
  return (
    <dl class="facts" id="message">
      <dt>Message</dt><dd><pre>{visibleLines(data.texts[text[message]])}</pre></dd>
      {path ? <><dt>Track</dt><dd>{visible(path)}</dd></> : null}
      <dt>Time</dt><dd>{time(times[message] + data.header.first_ns)} <small>{exactTime(times[message] + data.header.first_ns)}</small></dd>
    </dl>
  );
}

/** The op that a zone belongs to: where it ran, how long it waited, and the row that the runtime wrote about it. */
function OpDetails({ data, op }: { data: TimelineData; op: number }) {
  const parts = useMemo(() => partsOfOp(data, op), [data, op]);
  const facts = useMemo(() => rowOfOp(data, op), [data, op]);
  if (parts.length === 0 && facts.length === 0) return null;
  const { start, length } = data.zones;
  return (
    <div id="op">
      <h3>Op {String(op)}</h3>
      <dl class="facts">
        {parts.map(({ zone, sender }) => (
          <>
            <dt>{visible(groupPath(data, data.tracks[placeOf(data, zone).track].group))}</dt>
            <dd>
              <ZoneLink data={data} zone={zone} />
              {sender !== null ? <small> begins {time(start[zone] - start[sender] - length[sender])} after the host sent it</small> : null}
            </dd>
          </>
        ))}
        {facts.slice(0, 60).map((fact) => <><dt>{visible(fact.name)}</dt><dd>{visible(fact.text.slice(0, 2000))}</dd></>)}
      </dl>
    </div>
  );
}

/** Sums of an area; null until they are there. */
export function useSums(data: TimelineData, area: Area): Sums | null {
  const [sums, setSums] = useState<Sums | null>(null);
  useEffect(() => {
    const latest = new Latest();
    setSums(null);
    const { feed } = source.get();
    latest.run((slicer) => (feed ? feed.sums(area) : sumsOf(data, area, slicer)), setSums).catch((error) => source.set({ trouble: String(error) }));
    return () => latest.cancel();
    // A window that arrives changes nothing in the sums of the server.
  }, [data.texts, area]);
  return sums;
}

function AreaSums({ data, area }: { data: TimelineData; area: Area }) {
  const found = useSums(data, area);
  return (
    <div id="area">
      <p>
        <b>{time(area.to - area.from)}</b> from {time(area.from + data.header.first_ns)}, {plural(area.tracks.length, "track")}
        {found ? `, ${plural(found.count, "zone")}, together ${time(found.total)}, mean ${time(found.total / Math.max(1, found.count))}; lengths inside of the area` : "; adding up …"}
      </p>
      {found ? <Table label="Zones of the area by name" columns={SUM_COLUMNS} records={found.sums} first={12} /> : null}
    </div>
  );
}

/** Said by a screen reader when it changes. */
function chosenWords(data: TimelineData, zone: number | null): string {
  if (zone === null) return "";
  const { track } = placeOf(data, zone);
  return `${visible(zoneName(data, zone))}, ${time(data.zones.length[zone])}, on ${visible(data.tracks[track].name)}, at ${time(data.zones.start[zone] + data.header.first_ns)}`;
}

export function Details({ data }: { data: TimelineData }) {
  const zone = useObservable(chosen, (state) => state.zone);
  const area = useObservable(chosen, (state) => state.area);
  const message = useObservable(chosen, (state) => state.message);
  const op = zone === null ? -1 : data.details.op[data.zones.detail[zone]];
  return (
    <>
      <p class="visually-hidden" role="status">{chosenWords(data, zone)}</p>
      {zone !== null ? <ZoneDetails data={data} zone={zone} /> : null}
      {op >= 0 ? <OpDetails data={data} op={op} /> : null}
      {message !== null ? <MessageDetails data={data} message={message} /> : null}
      {area !== null ? <AreaSums data={data} area={area} /> : null}
      {zone === null && area === null && message === null ? <p class="muted">A click chooses a zone or the mark of a message, dragging an area: what is in them is shown here.</p> : null}
    </>
  );
}

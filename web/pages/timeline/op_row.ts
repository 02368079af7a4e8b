// What is known of an op: its parts on all devices, and what the host wrote about it.
import { placeOf } from "./data";
import type { TimelineData } from "./data";

/** An op on a device: its zone, and the host's zone that an arrow leads from; null: there is none. */
export interface OpPart {
  zone: number;
  sender: number | null;
}

/** Zones of the devices' ops with this GLOBAL CALL COUNT. */
export function partsOfOp(data: TimelineData, op: number): OpPart[] {
  const { zones, details, links } = data;
  const parts: OpPart[] = [];
  for (const track of data.tracks) {
    if (track.kind !== "ops") continue;
    for (const row of track.stretches) {
      for (let zone = row.first; zone < row.end; zone++) {
        if (details.op[zones.detail[zone]] === op) parts.push({ zone, sender: null });
      }
    }
  }
  for (const part of parts) {
    for (let i = 0; i < links.to.length; i++) {
      if (links.to[i] === part.zone && data.tracks[placeOf(data, links.from[i]).track].kind === "thread") part.sender = links.from[i];
    }
  }
  return parts;
}

export interface Fact {
  name: string;
  text: string;
}

function factsOf(value: unknown, name: string, facts: Fact[]): void {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return;
  if (typeof value !== "object") {
    facts.push({ name, text: String(value) });
  } else if (Array.isArray(value) && value.every((one) => typeof one !== "object")) {
    facts.push({ name, text: value.join(", ") });
  } else {
    for (const [key, inner] of Object.entries(value)) factsOf(inner, name === "" ? key : `${name}.${key}`, facts);
  }
}

/** The row that the runtime wrote in a message about an op: `TT_DNN_DEVICE_OP: … -> {json}`; empty: there is none. */
export function rowOfOp(data: TimelineData, op: number): Fact[] {
  const wanted = `"global_call_count": ${op}`;
  for (const id of data.messages.text) {
    const text = data.texts[id];
    const at = text.indexOf(wanted);
    if (at < 0 || /\d/.test(text[at + wanted.length] ?? "")) continue;
    const first = text.indexOf("{");
    const last = text.lastIndexOf("}");
    try {
      const facts: Fact[] = [];
      factsOf(JSON.parse(text.slice(first, last + 1)), "", facts);
      return facts;
    } catch {
      return [{ name: "message", text }];
    }
  }
  return [];
}

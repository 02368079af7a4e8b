// Columns of the ops table: what each shows, sorts by, filters by and writes into a CSV.

import { CONFIDENCES, FLAG_CACHE_HIT, FLAG_CACHE_MISS, FLAG_COUNTED, FLAG_RETAINED, FLAG_WEIGHT, NONE } from "../../data/rank";
import type { BufferMemory, Memory, RankData } from "../../data/rank";
import type { Page, Strings } from "../../data/page";
import { typeLabel } from "../../data/page";
import { programText } from "../../data/programs";
import { count, mib, signed, visible } from "kit/format";
import type { Slicer } from "kit/slices";
import { allocatedAfter, allocatedBefore, lineOf } from "../states";
import { numberCondition, textCondition } from "./filter";
import { alphabeticRanks } from "kit/table/radix";

export interface Column {
  id: string;
  title: string;
  /** Unit under the title; "" where there is none. */
  unit: string;
  /** Said on hover of the title. */
  hint: string;
  width: number;
  numeric: boolean;
  /** Shown unless the user chose otherwise. */
  usual: boolean;
  csvTitle: string;
  /** What the cell shows, safe to show. */
  text(op: number): string;
  csv(op: number): string | number | null;
  /** Work to be done once before `key` may be called. */
  prepare(slicer: Slicer): Promise<void>;
  /** Sort key; NaN where it is not known. */
  key(op: number): number;
  /** Condition for what was typed above the column; null when it cannot be read. */
  condition(pattern: string): ((op: number) => boolean) | null;
}

const MIB = 1048576;

type Plain = Pick<Column, "id" | "title" | "hint" | "width" | "usual"> & Partial<Pick<Column, "unit" | "csvTitle">>;

const nothing = () => Promise.resolve();

/** A column over a dictionary: each distinct text is compared, sorted and matched once. */
function textColumn(plain: Plain, size: number, idOf: (op: number) => number, get: (id: number) => string): Column {
  let ranks: Uint32Array | null = null;
  const shown = (op: number) => (idOf(op) === NONE ? "" : visible(get(idOf(op))));
  return {
    unit: "",
    csvTitle: plain.id,
    ...plain,
    numeric: false,
    text: shown,
    csv: shown,
    prepare: async (slicer) => {
      ranks ??= await alphabeticRanks(size, get, slicer);
    },
    key: (op) => {
      const id = idOf(op);
      return id === NONE || ranks === null ? NaN : ranks[id];
    },
    condition: (pattern) => {
      const matches = textCondition(pattern);
      const known = new Uint8Array(size);
      const ofNone = matches("");
      return (op) => {
        const id = idOf(op);
        if (id === NONE || id >= size) return ofNone;
        if (known[id] === 0) known[id] = matches(get(id)) ? 1 : 2;
        return known[id] === 1;
      };
    },
  };
}

function numberColumn(plain: Plain, value: (op: number) => number, show: (value: number) => string, unit: number): Column {
  return {
    unit: "",
    csvTitle: plain.id,
    ...plain,
    numeric: true,
    text: (op) => (Number.isNaN(value(op)) ? "" : show(value(op))),
    csv: (op) => (Number.isNaN(value(op)) ? null : Math.round(value(op))),
    prepare: nothing,
    key: value,
    condition: (pattern) => {
      const matches = numberCondition(pattern, unit, unit === 1);
      return matches === null ? null : (op) => matches(value(op));
    },
  };
}

const signedMib = (value: number) => (value === 0 ? "0" : signed(value, mib));

export const ROLES = ["activation op", "weight op", "deallocate or get_device", "deallocate, kept", "cache hit", "cache miss"];

/** Place in ROLES. */
export function roleOf(flags: number): number {
  if (flags & FLAG_CACHE_HIT) return 4;
  if (flags & FLAG_CACHE_MISS) return 5;
  if (flags & FLAG_RETAINED) return 3;
  if (!(flags & FLAG_COUNTED)) return 2;
  return flags & FLAG_WEIGHT ? 1 : 0;
}

function placeColumns(page: Page, rank: RankData): Column[] {
  const ofNames = (strings: Strings) => (id: number) => strings.get(id);
  const name = (op: number) => (rank.text[op] === NONE ? NONE : page.textName[rank.text[op]]);
  return [
    numberColumn(
      { id: "op", title: "Op", hint: "Index of the op in the order of execution", width: 64, usual: true },
      (op) => op,
      count,
      1,
    ),
    textColumn(
      { id: "name", title: "Operation", hint: "Name of the op", width: 170, usual: true },
      page.names.count,
      name,
      ofNames(page.names),
    ),
    textColumn(
      { id: "loc", title: "Location", hint: "Where the op comes from in the model", width: 240, usual: true },
      page.locs.count,
      (op) => rank.loc[op],
      ofNames(page.locs),
    ),
    textColumn(
      { id: "program", title: "Program", hint: "Program and its run", width: 126, usual: true },
      rank.programs.count,
      (op) => rank.program[op],
      (id) => programText(page, rank, id),
    ),
    numberColumn(
      { id: "line", title: "Log line", hint: "Line of the op in the log", width: 72, usual: true },
      (op) => lineOf(rank, op),
      count,
      1,
    ),
    textColumn(
      { id: "role", title: "Role", hint: "Weight ops depend on weights alone", width: 140, usual: false },
      ROLES.length,
      (op) => roleOf(rank.flags[op]),
      (id) => ROLES[id],
    ),
  ];
}

function memoryColumns(rank: RankData, memory: Memory, usual: boolean): Column[] {
  const lower = memory.toLowerCase();
  const unit = "MB/bank";
  const before: Plain = {
    id: `${lower}`,
    title: `${memory} before`,
    unit,
    hint: `${memory} allocated before the op, per bank`,
    width: 96,
    usual: false,
    csvTitle: `${lower}_before_bytes_per_bank`,
  };
  const after: Plain = {
    id: `${lower}.after`,
    title: `${memory} after`,
    unit,
    hint: `${memory} allocated once the op is done, per bank`,
    width: 92,
    usual,
    csvTitle: `${lower}_after_bytes_per_bank`,
  };
  const columns = [
    numberColumn(before, (op) => allocatedBefore(rank, op, memory), mib, MIB),
    numberColumn(after, (op) => allocatedAfter(rank, op, memory), mib, MIB),
  ];
  if (memory === "DRAM" || memory === "L1") columns.push(...growthColumns(rank, memory, usual));
  return columns;
}

function growthColumns(rank: RankData, memory: BufferMemory, usual: boolean): Column[] {
  const lower = memory.toLowerCase();
  const grow: Plain = {
    id: `${lower}.grow`,
    title: `${memory} own growth`,
    unit: "MB/bank",
    hint: "What the op itself added (or freed), per bank; nested programs and changes between programs not included",
    width: 100,
    usual,
    csvTitle: `${lower}_own_growth_bytes_per_bank`,
  };
  const conf: Plain = {
    id: `${lower}.conf`,
    title: `${memory} confidence`,
    hint: "Where the own growth comes from",
    width: 110,
    usual: false,
  };
  const value = (op: number) => (rank.conf[memory][op] === 0 ? NaN : rank.grow[memory][op]);
  return [
    numberColumn(grow, value, signedMib, MIB),
    textColumn(
      conf,
      CONFIDENCES.length,
      (op) => rank.conf[memory][op],
      (id) => CONFIDENCES[id],
    ),
  ];
}

function typeColumns(page: Page, rank: RankData): Column[] {
  const first = (column: Uint32Array) => (op: number) => (rank.text[op] === NONE ? NONE : column[rank.text[op]]);
  const input = first(page.textFirstIn);
  const output = first(page.textFirstOut);
  const types = page.shapes.count;
  const label = (id: number) => typeLabel(page, id);
  const of = (column: Float64Array) => (op: number) => (output(op) === NONE ? NaN : column[output(op)]);
  const waste = (op: number) => of(page.typePadded)(op) - of(page.typeLogical)(op);
  const whole = (id: string, title: string, hint: string, csvTitle: string): Plain => ({
    id,
    title,
    hint,
    csvTitle,
    unit: "MB, whole",
    width: 112,
    usual: false,
  });
  return [
    textColumn(
      { id: "in", title: "First input", hint: "Shape and type of the first operand", width: 126, usual: true },
      types,
      input,
      label,
    ),
    textColumn(
      { id: "out", title: "First output", hint: "Shape and type of the first result", width: 126, usual: true },
      types,
      output,
      label,
    ),
    textColumn(
      { id: "layout", title: "Output layout", hint: "Layout of the first result", width: 220, usual: false },
      types,
      output,
      (id) => page.layouts.get(id),
    ),
    numberColumn(
      whole("logical", "Output logical", "Bytes of the first result without padding, whole tensor", "output_logical_bytes"),
      of(page.typeLogical),
      mib,
      MIB,
    ),
    numberColumn(
      whole("padded", "Output padded", "Bytes of the first result as stored, whole tensor", "output_padded_bytes"),
      of(page.typePadded),
      mib,
      MIB,
    ),
    numberColumn(
      whole("waste", "Padding", "Padded less logical bytes of the first result, whole tensor", "output_padding_bytes"),
      waste,
      mib,
      MIB,
    ),
  ];
}

/** Every column that the rank can fill, in the order of the table. */
export function makeColumns(page: Page, rank: RankData): Column[] {
  const has = (memory: Memory) => rank.points.alloc[memory] !== undefined;
  const [input, output, ...rest] = typeColumns(page, rank);
  return [
    ...placeColumns(page, rank),
    ...(has("DRAM") ? memoryColumns(rank, "DRAM", true) : growthColumns(rank, "DRAM", true)),
    ...(has("L1") ? memoryColumns(rank, "L1", false) : growthColumns(rank, "L1", false)),
    ...(has("L1_SMALL") ? memoryColumns(rank, "L1_SMALL", false) : []),
    ...(has("TRACE") ? memoryColumns(rank, "TRACE", false) : []),
    input,
    output,
    ...rest,
  ];
}

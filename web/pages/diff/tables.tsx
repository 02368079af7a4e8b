// The figures behind the picture.
import { percent, visible } from "kit/format";
import { Table } from "kit/table/table";
import type { Column } from "kit/table/table";
import { amount, changeOfOp, gapChange, KIND_WORDS, opsByGapChange, SAME, signedAmount } from "./model";
import type { Op, Report, Sum, Total } from "./model";

const shade = (change: number) => (change > 0 ? "worse" : change < 0 ? "better" : "muted");

function share(change: number, before: number): string {
  return before > 0 ? `${change > 0 ? "+" : ""}${percent(change / before)}` : "";
}

export function Totals({ report }: { report: Report }) {
  const columns: Column<Total>[] = [
    { title: "total", text: (one) => visible(one.name) },
    { title: "before", numeric: true, text: (one) => (one.before === null ? "-" : amount(one.before, one.unit)) },
    { title: "after", numeric: true, text: (one) => (one.after === null ? "-" : amount(one.after, one.unit)) },
    {
      title: "change",
      numeric: true,
      text: (one) => (one.before === null || one.after === null || one.unit === "flag" ? "" : signedAmount(one.after - one.before, one.unit)),
      cell: (one) => {
        if (one.before === null || one.after === null || one.unit === "flag") return "";
        const change = one.after - one.before;
        return <span class={shade(change)}>{signedAmount(change, one.unit)}</span>;
      },
    },
    { title: "", id: "share", numeric: true, text: (one) => (one.before === null || one.after === null || one.unit === "flag" ? "" : share(one.after - one.before, one.before)) },
  ];
  return <Table id="totals" label="Totals" columns={columns.map((column) => ({ ...column, unsorted: true }))} records={report.totals} first={20} compact />;
}

/** A line for each change, and one for what did not change: together they are the change of the total. */
export function Changes({ report, chosen, onChoose }: { report: Report; chosen: number; onChoose(change: number): void }) {
  const most = Math.max(...report.changes.map((change) => Math.abs(change.change)), 1e-9);
  const sum = report.changes.reduce((all, change) => all + change.change, report.left_over);
  const shown = report.changes.map((change, number) => ({ ...change, number }));
  const columns: Column<(typeof shown)[number]>[] = [
    {
      title: "change",
      numeric: true,
      class: "change-cell",
      value: (one) => one.change,
      text: (one) => signedAmount(one.change, report.unit),
      cell: (one) => <span class={shade(one.change)}>{signedAmount(one.change, report.unit)}</span>,
    },
    {
      title: "",
      id: "bar",
      class: "change-cell",
      unsorted: true,
      text: () => "",
      cell: (one) => (
        <span class="change-bar" aria-hidden="true">
          <i class={one.change > 0 ? "bar-worse" : "bar-better"} style={{ width: `${(100 * Math.abs(one.change)) / most}%` }} />
        </span>
      ),
    },
    {
      title: "what",
      text: (one) => visible(one.text),
      cell: (one) => (
        <>
          {visible(one.text)}
          {one.unannounced ? <span class="tag tag-unannounced" title="A property that changed beside the largest change: was it meant?">was it meant?</span> : null}
        </>
      ),
    },
  ];
  return (
    <>
      <Table
        id="changes"
        label="What accounts for the change"
        columns={columns}
        records={shown}
        first={15}
        keyOf={(one) => one.number}
        rowProps={(one) => ({
          class: one.number === chosen ? "change-row chosen" : "change-row",
          tabIndex: 0,
          "aria-selected": one.number === chosen,
          onClick: () => onChoose(one.number === chosen ? -1 : one.number),
          onKeyDown: (event: KeyboardEvent) => {
            if (event.key === "Enter" || event.key === " ") {
              event.preventDefault();
              onChoose(one.number === chosen ? -1 : one.number);
            }
          },
        })}
      />
      <p class="muted" id="sum">
        {signedAmount(report.left_over, report.unit)} {visible(report.left_over_text)}; together {signedAmount(sum, report.unit)}
      </p>
    </>
  );
}

function SumTable({ title, sums, unit }: { title: string; sums: Sum[]; unit: string }) {
  const told = sums.filter(([, before, after]) => before !== 0 || after !== 0);
  if (told.length === 0 || (told.length === 1 && told[0][0] === "")) return null;
  const columns: Column<Sum>[] = [
    { title, text: ([name]) => visible(name) || "(not told)" },
    { title: "before", numeric: true, value: (sum) => sum[1], text: (sum) => amount(sum[1], unit) },
    { title: "after", numeric: true, value: (sum) => sum[2], text: (sum) => amount(sum[2], unit) },
    {
      title: "change",
      numeric: true,
      value: (sum) => sum[2] - sum[1],
      text: (sum) => signedAmount(sum[2] - sum[1], unit),
      cell: (sum) => <span class={shade(sum[2] - sum[1])}>{signedAmount(sum[2] - sum[1], unit)}</span>,
    },
  ];
  return <Table label={title} columns={columns} records={told} first={8} compact />;
}

export function Sums({ report }: { report: Report }) {
  const { unit } = report;
  return (
    <div class="sums">
      <SumTable title="by category" sums={report.categories} unit={unit} />
      <SumTable title="by kind of movement" sums={report.movement} unit={unit} />
      <SumTable title="by op" sums={report.classes} unit={unit} />
      <SumTable title={unit === "us" ? "by place of the first input" : "by memory"} sums={report.placements} unit={unit} />
      <SumTable title="by layer" sums={report.layers} unit={unit} />
      <SumTable title="by device, without collectives" sums={report.devices} unit={unit} />
    </div>
  );
}

/** Gaps are in no op's cost: those that changed most say where the wall was lost or won. */
export function Gaps({ report, ops }: { report: Report; ops: Op[] }) {
  const { unit, row } = report;
  const shown = opsByGapChange(ops);
  if (unit !== "us" || shown.length === 0) return null;
  const columns: Column<Op>[] = [
    { title: "gap before", text: (op) => visible(op.label) },
    { title: "before", numeric: true, value: (op) => op.gapBefore, text: (op) => (op.beforeRow === null ? "-" : amount(op.gapBefore, unit)) },
    { title: "after", numeric: true, value: (op) => op.gapAfter, text: (op) => (op.afterRow === null ? "-" : amount(op.gapAfter, unit)) },
    {
      title: "change",
      numeric: true,
      value: gapChange,
      text: (op) => signedAmount(gapChange(op), unit),
      cell: (op) => <span class={shade(gapChange(op))}>{signedAmount(gapChange(op), unit)}</span>,
    },
    { title: row, numeric: true, value: (op) => op.afterRow ?? op.beforeRow ?? -1, text: (op) => `${op.beforeRow ?? "-"} → ${op.afterRow ?? "-"}` },
  ];
  return <Table id="gaps" label="Where gaps changed" columns={columns} records={shown} first={6} keyOf={(op) => op.index} compact />;
}

/** What the same op did in the report of the other subject. */
function besideColumn(other: Report): Column<Op> {
  const changeOf = (op: Op) => {
    return op.beside === null ? null : (other.ops.after[op.beside] - other.ops.before[op.beside]) / other.scale;
  };
  return {
    title: `${other.cost} of it`,
    numeric: true,
    value: (op) => changeOf(op) ?? 0,
    text: (op) => {
      const change = changeOf(op);
      return change === null ? "" : signedAmount(change, other.unit);
    },
  };
}

/** `other`: the report that `beside` refers to, where memory and time were given together. */
export function Ops({ report, ops, other }: { report: Report; ops: Op[]; other: Report | undefined }) {
  const { unit, row } = report;
  const shown = ops.filter((op) => op.kind !== SAME || (op.before ?? 0) > 0 || (op.after ?? 0) > 0);
  const columns: Column<Op>[] = [
    { title: "op", text: (op) => visible(op.label) },
    { title: "what", text: (op) => KIND_WORDS[op.kind] },
    { title: "before", numeric: true, value: (op) => op.before ?? 0, text: (op) => (op.before === null ? "-" : amount(op.before, unit)) },
    { title: "after", numeric: true, value: (op) => op.after ?? 0, text: (op) => (op.after === null ? "-" : amount(op.after, unit)) },
    {
      title: "change",
      numeric: true,
      value: changeOfOp,
      text: (op) => signedAmount(changeOfOp(op), unit),
      cell: (op) => <span class={shade(changeOfOp(op))}>{signedAmount(changeOfOp(op), unit)}</span>,
    },
    { title: `${row} before`, numeric: true, value: (op) => op.beforeRow ?? -1, text: (op) => (op.beforeRow === null ? "" : String(op.beforeRow)) },
    { title: `${row} after`, numeric: true, value: (op) => op.afterRow ?? -1, text: (op) => (op.afterRow === null ? "" : String(op.afterRow)) },
  ];
  if (other && ops.some((op) => op.beside !== null)) columns.splice(5, 0, besideColumn(other));
  return <Table id="ops" label="Ops of both runs" columns={columns} records={shown} first={25} keyOf={(op) => op.index} />;
}

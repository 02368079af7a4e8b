// A table of any number of rows: only those in view exist. Keyboard: arrows, page keys, Home, End, Enter.

import type { ComponentChildren, TargetedKeyboardEvent } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef } from "preact/hooks";
import { ariaSort, ColumnTitle } from "./head";
import type { ColumnHead, Order } from "./order";
import { lastTop, MAX_SCROLL_HEIGHT, scrollHeight, scrollOfTop, topOfScroll, topToShow } from "./scroll";
import type { ScrollShape } from "./scroll";

const ROW_HEIGHT = 26;
/** Room for a scroll bar below, and the frame. */
const SCROLL_BAR = 12;

export interface GridColumn extends ColumnHead {
  width: number;
}

interface GridProps {
  id: string;
  label: string;
  columns: GridColumn[];
  rows: number;
  /** Rows in view when there are that many. */
  visibleRows: number;
  cell(row: number, column: number): ComponentChildren;
  rowClass?(row: number): string;
  /** Row that is marked and kept in view; -1 for none. */
  active: number;
  onActivate(row: number): void;
  onHover?(row: number | null): void;
  order?: Order;
  onSort?(column: ColumnHead): void;
  /** What stands under a column's title. */
  under?(column: GridColumn): ComponentChildren;
  /** What an empty table says. */
  empty: ComponentChildren;
}

/** Scroll state kept outside of rendering: the fractional first row, and what the element shows for it. */
class Scroller {
  top = 0;
  element: HTMLDivElement | null = null;
  head: HTMLDivElement | null = null;
  shape: ScrollShape = { rows: 0, rowHeight: ROW_HEIGHT, viewHeight: 0 };

  constructor(private readonly render: () => void) {}

  measure(rows: number): void {
    const room = (this.element?.clientHeight ?? 0) - (this.head?.offsetHeight ?? 0);
    const viewHeight = Math.max(0, room);
    if (rows === this.shape.rows && viewHeight === this.shape.viewHeight) return;
    this.shape = { rows, rowHeight: ROW_HEIGHT, viewHeight };
    this.moveTo(this.top);
    this.render();
  }

  moveTo(top: number): void {
    this.top = Math.min(lastTop(this.shape), Math.max(0, top));
    const scroll = scrollOfTop(this.shape, this.top);
    if (this.element && Math.abs(this.element.scrollTop - scroll) > 0.5) this.element.scrollTop = scroll;
    this.render();
  }

  /** The scroll bar moved. Our own moves come back here too and must not round the row away. */
  scrolled(): void {
    const scroll = this.element?.scrollTop ?? 0;
    if (Math.abs(scroll - scrollOfTop(this.shape, this.top)) <= 1) return;
    this.top = topOfScroll(this.shape, scroll);
    this.render();
  }

  /** Over the maximum height one wheel step would jump many rows, so it is done by rows. */
  wheel(event: WheelEvent): void {
    if (event.ctrlKey || event.deltaY === 0 || scrollHeight(this.shape) < MAX_SCROLL_HEIGHT) return;
    const pixels = event.deltaMode === 1 ? event.deltaY * ROW_HEIGHT : event.deltaY;
    const wanted = this.top + pixels / ROW_HEIGHT;
    if (wanted <= 0 && this.top === 0) return;
    event.preventDefault();
    this.moveTo(wanted);
  }

  show(row: number, centre: boolean): void {
    this.moveTo(topToShow(this.shape, this.top, row, centre));
  }
}

function useScroller(rows: number): Scroller {
  const [, render] = useReducer((n: number) => n + 1, 0);
  const ref = useRef<Scroller | null>(null);
  ref.current ??= new Scroller(() => render(undefined));
  const scroller = ref.current;
  useLayoutEffect(() => scroller.measure(rows));
  useEffect(() => {
    const element = scroller.element;
    if (!element) return undefined;
    const wheel = (event: WheelEvent) => scroller.wheel(event);
    element.addEventListener("wheel", wheel, { passive: false });
    const observer = new ResizeObserver(() => scroller.measure(scroller.shape.rows));
    observer.observe(element);
    return () => {
      element.removeEventListener("wheel", wheel);
      observer.disconnect();
    };
  }, [scroller]);
  return scroller;
}

/** The row that a key leads to; null for keys that are not the table's. */
function rowOfKey(key: string, active: number, rows: number, page: number): number | null {
  switch (key) {
    case "ArrowDown":
      return Math.min(rows - 1, active + 1);
    case "ArrowUp":
      return Math.max(0, active - 1);
    case "PageDown":
      return Math.min(rows - 1, active + page);
    case "PageUp":
      return Math.max(0, active - page);
    case "Home":
      return 0;
    case "End":
      return rows - 1;
    default:
      return null;
  }
}

function HeadCell(props: GridProps & { column: GridColumn }) {
  const { column, order, onSort } = props;
  return (
    <div role="columnheader" class={column.numeric ? "grid-cell numeric" : "grid-cell"} aria-sort={ariaSort(order, column.id)} title={column.hint}>
      <ColumnTitle column={column} order={order} onSort={onSort} />
      {props.under?.(column)}
    </div>
  );
}

function Row(props: GridProps & { row: number; top: number }) {
  const { row, columns, cell } = props;
  const active = row === props.active;
  const extra = props.rowClass?.(row) ?? "";
  return (
    <div
      role="row"
      id={`${props.id}-row-${row}`}
      aria-rowindex={row + 2}
      aria-selected={active}
      class={`grid-row ${row % 2 ? "odd" : ""} ${active ? "active" : ""} ${extra}`}
      style={{ transform: `translateY(${(row - props.top) * ROW_HEIGHT}px)` }}
      onClick={() => props.onActivate(row)}
      onPointerEnter={props.onHover ? () => props.onHover?.(row) : undefined}
    >
      {columns.map((column, index) => (
        <div role="gridcell" key={column.id} class={column.numeric ? "grid-cell numeric" : "grid-cell"}>
          {cell(row, index)}
        </div>
      ))}
    </div>
  );
}

function rowsInView(scroller: Scroller, rows: number): number[] {
  const first = Math.floor(scroller.top);
  const end = Math.min(rows, Math.ceil(scroller.top + scroller.shape.viewHeight / ROW_HEIGHT) + 1);
  return Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
}

export function Grid(props: GridProps) {
  const { rows, columns, active } = props;
  const scroller = useScroller(rows);
  const seen = useRef(-1);
  useLayoutEffect(() => {
    // A new mark far away (a click on the chart) is centred; a step within the table only scrolls as needed.
    if (active >= 0 && active < rows) scroller.show(active, Math.abs(active - seen.current) > 1);
    seen.current = active;
  }, [active, rows, scroller]);
  const keyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target !== event.currentTarget || rows === 0) return;
    const page = Math.max(1, Math.floor(scroller.shape.viewHeight / ROW_HEIGHT) - 1);
    const start = active >= 0 ? active : Math.floor(scroller.top) - (event.key === "ArrowDown" ? 1 : 0);
    const row = event.key === "Enter" ? Math.max(0, active) : rowOfKey(event.key, start, rows, page);
    if (row === null) return;
    event.preventDefault();
    event.stopPropagation();
    props.onActivate(row);
  };
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  const template = columns.map((column) => `minmax(${column.width}px, ${column.width}fr)`).join(" ");
  const height = Math.max(3, Math.min(props.visibleRows, rows)) * ROW_HEIGHT;
  const inView = rowsInView(scroller, rows);
  // Rows that scroll out give their elements to those that scroll in.
  const keys = Math.ceil(scroller.shape.viewHeight / ROW_HEIGHT) + 2;
  const headHeight = scroller.head?.offsetHeight ?? 60;
  const style = { "--grid-columns": template, "--grid-width": `${width}px`, height: `${height + headHeight + SCROLL_BAR}px` };
  return (
    <div
      id={props.id}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={rows + 1}
      aria-colcount={columns.length}
      aria-activedescendant={active >= 0 ? `${props.id}-row-${active}` : undefined}
      style={style}
      ref={(element) => void (scroller.element = element)}
      onScroll={() => scroller.scrolled()}
      onKeyDown={keyDown}
      onPointerLeave={props.onHover ? () => props.onHover?.(null) : undefined}
    >
      <div role="row" class="grid-head" ref={(element) => void (scroller.head = element)}>
        {columns.map((column) => (
          <HeadCell key={column.id} {...props} column={column} />
        ))}
      </div>
      <div role="presentation" class="grid-sizer" style={{ height: `${scrollHeight(scroller.shape)}px` }}>
        <div
          role="presentation"
          class="grid-window"
          style={{ top: `${headHeight}px`, height: `${scroller.shape.viewHeight}px` }}
        >
          {rows === 0 ? <div class="grid-empty">{props.empty}</div> : null}
          {inView.map((row) => (
            <Row key={row % keys} {...props} row={row} top={scroller.top} />
          ))}
        </div>
      </div>
    </div>
  );
}

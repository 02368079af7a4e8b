// Scroll position of tables with more rows than an element can be high.

/** Browsers stop at about 17 to 33 million pixels; stay well below all of them. */
export const MAX_SCROLL_HEIGHT = 10_000_000;

/** A table of `rows` rows of `rowHeight` pixels seen through a window `viewHeight` high. */
export interface ScrollShape {
  rows: number;
  rowHeight: number;
  viewHeight: number;
}

/** Height of the element that makes the scroll bar. */
export function scrollHeight(shape: ScrollShape): number {
  return Math.min(MAX_SCROLL_HEIGHT, Math.max(shape.viewHeight, shape.rows * shape.rowHeight));
}

/** Highest first row (fractional): with it the last row stands at the bottom. */
export function lastTop(shape: ScrollShape): number {
  return Math.max(0, shape.rows - shape.viewHeight / shape.rowHeight);
}

/** First visible row (fractional) for a scroll position. Over the maximum, one pixel is more than one pixel. */
export function topOfScroll(shape: ScrollShape, scroll: number): number {
  const way = scrollHeight(shape) - shape.viewHeight;
  if (way <= 0) return 0;
  return Math.min(1, Math.max(0, scroll / way)) * lastTop(shape);
}

export function scrollOfTop(shape: ScrollShape, top: number): number {
  const last = lastTop(shape);
  if (last <= 0) return 0;
  return (Math.min(last, Math.max(0, top)) / last) * (scrollHeight(shape) - shape.viewHeight);
}

/** The first row that shows `row` with a little air; unchanged when it is in view already. */
export function topToShow(shape: ScrollShape, top: number, row: number, centre: boolean): number {
  const visible = shape.viewHeight / shape.rowHeight;
  if (row >= top && row + 1 <= top + visible) return top;
  const wanted = centre ? row - visible / 2 : row < top ? row : row + 1 - visible;
  return Math.min(lastTop(shape), Math.max(0, wanted));
}

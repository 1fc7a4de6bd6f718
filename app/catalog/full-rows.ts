/**
 * The number of products per page. It is a multiple of every number of columns, so that earlier rows stay unchanged
 * when the next page is loaded.
 */
export const PAGE = 12;
/** If at most this many products (one row) would be left for another page, the last page shows them, too. */
export const REST = 4;

/**
 * The number of pages in one list. The page after them begins a new list, so that no list becomes too long for a phone
 * or for the server.
 */
export const PAGES_BELOW = 5;

/** The number of products before the list that contains this page. */
export function startOfList(page: number): number {
  return Math.floor((page - 1) / PAGES_BELOW) * PAGES_BELOW * PAGE;
}

export type Columns = 2 | 3 | 4;
/** A wide card takes two columns of one row, a large one two columns of two rows. */
export type Shape = "single" | "wide" | "large";

/**
 * The shape of the card at `index` among `count` cards, chosen so that no row has a gap. Only cards of the last page
 * get another shape, and only their position and number decide, so loading more pages changes nothing above. If there
 * are fewer cards than columns, all stay single, except a lone card in two columns.
 */
export function shapeOf(index: number, count: number, columns: Columns): Shape {
  const start = startOfLastPage(count);
  const left = count - start;
  const over = left % columns;
  if (over === 0 || (left < columns && columns > 2)) return "single";
  const isFirst = index === start;
  if (columns === 4 && over === 1) return isFirst ? "large" : "single";
  const beginsSecondRow = index === start + columns - 1;
  return isFirst || (columns - over === 2 && beginsSecondRow) ? "wide" : "single";
}

function startOfLastPage(count: number): number {
  const rest = count % PAGE;
  if (count <= PAGE + REST) return 0;
  return count - rest - (rest <= REST ? PAGE : 0);
}

/** Products a page of the list: a multiple of every number of columns, so that the rows above stay as they are when the next page is loaded. */
export const PAGE = 12;
/** A rest of one row is shown with the last page: nobody has to ask for it. */
export const REST = 4;

export type Columns = 2 | 3 | 4;
/** A wide card takes two columns of one row, a large one two columns of two rows. */
export type Shape = "single" | "wide" | "large";

/**
 * The shape of one card among `count`, such that no row of cards is left with a hole. The cards of the last page see to that, by their place and
 * number alone: loading more changes nothing above. Fewer cards than columns stay as they are, but for a single one in two columns.
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

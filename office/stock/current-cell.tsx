import type { Ref } from "react";
import { Link } from "react-router";
import { sizeName } from "#app/catalog/sizes.ts";
import { type Cell, type CellPosition, type CellState, positionsIn, type Range } from "./sheet.ts";

type Props = {
  cell?: Cell;
  standing?: CellState;
  range: Range;
  sumOf(place: CellPosition): number | undefined;
  said: string;
  /** The link to the cell's history, which the keyboard reaches with Escape. */
  link: Ref<HTMLAnchorElement>;
};

/** Details of the current cell, like the formula bar of a spreadsheet. */
export function CurrentCell({ cell, standing, range, sumOf, said, link }: Props) {
  const numbers = positionsIn(range).flatMap((place) => sumOf(place) ?? []);
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-5 border-b border-hairline py-1 text-[0.8125rem] leading-4.5">
      {cell && standing ? (
        <p className="tabular-nums">
          <strong className="font-semibold">
            {cell.title} {sizeName(cell.size)}
          </strong>{" "}
          {cellWords(cell, standing)}{" "}
          <Link ref={link} to={`/products/${cell.id}/stock?size=${cell.size}`} className="underline underline-offset-3">
            History
          </Link>
        </p>
      ) : (
        <p className="text-muted">The product doesn’t have this size.</p>
      )}
      {numbers.length > 1 && (
        <p className="text-muted tabular-nums">
          {numbers.length} cells, {numbers.reduce((sum, one) => sum + one, 0)} pieces
        </p>
      )}
      <p role="status" className="ml-auto font-medium text-waiting">
        {said}
      </p>
    </div>
  );
}

/** The state of a cell as a sentence, like "22 in stock, 2 reserved for open payments and exchanges, 20 free." */
export function cellWords(cell: Cell, { value, edit, sold, isChanged, isBelow }: CellState): string {
  const aside = cell.held > 0 ? `, ${cell.held} reserved for open payments and exchanges` : "";
  const now = `${cell.onHand} in stock${aside}, ${cell.onHand - cell.held} free.`;
  if (!edit) return now;
  if (isChanged) return `${now} You typed ${edit.typed} when it was ${edit.onHand}: somebody has changed it.`;
  if (isBelow) return `${now} It can’t be ${value}: It can’t be less than what’s reserved.`;
  if (sold > 0)
    return `${now} You typed ${edit.typed}, and ${sold} ${sold === 1 ? "was" : "were"} sold since: ${value} will be saved.`;
  return `${now} ${value} once it is saved.`;
}

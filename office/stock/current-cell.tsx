import type { Ref } from "react";
import { Link } from "react-router";
import { type Cell, type Place, placesIn, type Range, type Standing } from "./sheet.ts";

type Props = {
  cell?: Cell;
  standing?: Standing;
  range: Range;
  sumOf(place: Place): number | undefined;
  said: string;
  /** The way to the cell's history, for who comes by the keyboard. */
  link: Ref<HTMLAnchorElement>;
};

/** What there is to know of the cell that one stands on, as a spreadsheet's line above its cells. */
export function CurrentCell({ cell, standing, range, sumOf, said, link }: Props) {
  const numbers = placesIn(range).flatMap((place) => sumOf(place) ?? []);
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-5 border-b border-hairline py-1 text-[0.8125rem] leading-4.5">
      {cell && standing ? (
        <p className="tabular-nums">
          <strong className="font-semibold">
            {cell.title} {cell.size}
          </strong>{" "}
          {cellWords(cell, standing)}{" "}
          <Link ref={link} to={`/products/${cell.id}/stock?size=${cell.size}`} className="underline underline-offset-3">
            History
          </Link>
        </p>
      ) : (
        <p className="text-muted">The product has no such size.</p>
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

/** "22 in stock, 2 put aside for open payments and exchanges, 20 free." */
export function cellWords(cell: Cell, { value, edit, sold, isChanged, isBelow }: Standing): string {
  const aside = cell.held > 0 ? `, ${cell.held} put aside for open payments and exchanges` : "";
  const now = `${cell.onHand} in stock${aside}, ${cell.onHand - cell.held} free.`;
  if (!edit) return now;
  if (isChanged) return `${now} You typed ${edit.typed} when it was ${edit.onHand}: somebody has changed it since.`;
  if (isBelow) return `${now} It cannot be ${value}: never less than what is put aside.`;
  if (sold > 0)
    return `${now} You typed ${edit.typed}, and ${sold} ${sold === 1 ? "was" : "were"} sold since: ${value} will stand there.`;
  return `${now} ${value} once it is saved.`;
}

import { Link } from "react-router";
import { FEW } from "#app/owner/catalog/stock-edit.ts";
import type { GridRow } from "#app/owner/catalog/stock-grid.server.ts";
import type { Cell, CellState } from "./sheet.ts";

/** The picture, name and colour of a product, with a link to its page. */
export function ProductName({ product }: { product: GridRow }) {
  return (
    <span className="flex items-center gap-2.5">
      <Picture hash={product.image} className="h-10 w-8 flex-none" />
      <span className="min-w-0 leading-4.5">
        <Link to={`/products/${product.id}`} className="block truncate font-semibold hover:underline">
          {product.title}
        </Link>{" "}
        <span className="block truncate text-muted">
          {product.color}
          {product.hidden && <span className="font-medium"> · Hidden</span>}
        </span>
      </span>
    </span>
  );
}

export function Picture({ hash, className }: { hash: string | null; className: string }) {
  return hash ? (
    <img src={`/images/${hash}/160.webp`} alt="" loading="lazy" className={`bg-linen object-cover ${className}`} />
  ) : (
    <span className={`block bg-linen ${className}`} />
  );
}

/** A cell's number, with a note below it. */
export function CellContent({ cell, standing }: { cell?: Cell; standing?: CellState }) {
  if (!cell || !standing) return <span className="sr-only">no such size</span>;
  const free = standing.value - cell.held;
  const tone = free <= 0 ? "text-muted" : free <= FEW ? "text-waiting" : "";
  return (
    <>
      <span className={`block font-semibold ${standing.edit ? "" : tone}`}>{standing.value}</span>{" "}
      <CellNote cell={cell} standing={standing} />
    </>
  );
}

/** A note about a cell: reserved units, the number before the edit, or a problem. */
function CellNote({ cell, standing }: { cell: Cell; standing: CellState }) {
  const { edit, sold, isChanged, isBelow } = standing;
  const look = "block text-[0.6875rem] leading-3.5 whitespace-nowrap";
  if (isChanged) return <span className={`${look} font-semibold`}>{cell.onHand} by now</span>;
  if (isBelow) return <span className={`${look} font-semibold`}>{cell.held} held</span>;
  if (sold > 0) return <span className={look}>{`${edit?.typed} − ${sold} sold`}</span>;
  if (edit) return <span className={`${look}`}>was {cell.onHand}</span>;
  return cell.held > 0 ? <span className={`${look} text-muted`}>{cell.held} held</span> : null;
}

export function cellLook(cell: Cell | undefined, standing: CellState | undefined, isSelected: boolean): string {
  return `relative border-x border-hairline p-0 text-right tabular-nums focus:outline-2 focus:-outline-offset-2 focus:outline-ink ${isSelected ? "shadow-[inset_0_0_0_1px_var(--color-ink)]" : ""} ${groundOf(cell, standing) || (isSelected ? "bg-linen" : "")}`;
}

/**
 * The background of a cell: for an edit, a problem, a sold-out size, or a size that does not exist. Empty for all
 * others.
 */
export function groundOf(cell: Cell | undefined, standing: CellState | undefined): string {
  if (!cell || !standing) return "bg-[repeating-linear-gradient(135deg,transparent_0_5px,rgb(23_19_14/0.05)_5px_6px)]";
  if (standing.isBelow) return "bg-person-ground";
  if (standing.edit) return "bg-waiting-ground";
  return standing.value <= cell.held ? "bg-linen/60" : "";
}

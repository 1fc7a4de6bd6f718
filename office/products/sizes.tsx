import { Link } from "react-router";
import { ONE_SIZE, SIZES, sizeName } from "#app/catalog/sizes.ts";
import type { OwnedSize } from "#app/owner/catalog/product-view.server.ts";
import { Hint, Section } from "../frame/page.tsx";
import type { Draft } from "./draft.ts";

type Props = {
  /** Undefined for a new product. */
  id?: string;
  /** The current stock. */
  stock: OwnedSize[];
  draft: Pick<Draft, "sizes" | "pieces">;
  isReadOnly: boolean;
  problem?: string;
  onChange(change: Partial<Pick<Draft, "sizes" | "pieces">>): void;
};

const ALL = [...SIZES, ONE_SIZE];
const NEARLY_OUT = 3;

/**
 * The sizes of a product with the stock of each. Only the initial stock of a new size can be entered here; later
 * changes are made on the stock screen.
 */
export function Sizes({ id, stock, draft, isReadOnly, problem, onChange }: Props) {
  const known = new Map(stock.map((one) => [one.size, one]));
  const isKept = (size: string) => known.get(size)?.untouched === false;
  const toggle = (size: string) => {
    if (draft.sizes.includes(size)) return onChange({ sizes: draft.sizes.filter((one) => one !== size) });
    const others = draft.sizes.filter((one) => (size === ONE_SIZE ? isKept(one) : one !== ONE_SIZE));
    onChange({ sizes: ALL.filter((one) => one === size || others.includes(one)) });
  };
  return (
    <Section
      title="Sizes and stock"
      aside={
        id && (
          <Link to={`/products/${id}/stock`} className="inline-flex min-h-11 items-center underline underline-offset-3">
            History
          </Link>
        )
      }
    >
      <fieldset disabled={isReadOnly}>
        <legend className="sr-only">Sizes</legend>
        <div className="flex flex-wrap gap-x-5">
          {ALL.map((size) => (
            <label key={size} className="tick">
              <input
                type="checkbox"
                checked={draft.sizes.includes(size)}
                disabled={isKept(size) || isOtherSort(size, stock)}
                onChange={() => toggle(size)}
              />
              <span>{sizeName(size)}</span>{" "}
            </label>
          ))}
        </div>
        {draft.sizes.length > 0 && (
          <div className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(3.75rem,1fr))] gap-1.5">
            {draft.sizes.map((size) => {
              const one = known.get(size);
              const name = size === ONE_SIZE ? "One" : size;
              return one ? (
                <StockBox key={size} name={name} {...one} />
              ) : (
                <label key={size} className="relative block">
                  <span className="absolute top-1 left-2 text-xs leading-4 text-muted">{name}</span>{" "}
                  <input
                    aria-label={`Pieces of ${name}`}
                    value={draft.pieces[size] ?? ""}
                    onChange={({ target }) => onChange({ pieces: { ...draft.pieces, [size]: target.value } })}
                    inputMode="numeric"
                    pattern="\d*"
                    maxLength={6}
                    placeholder="0"
                    autoComplete="off"
                    className="min-h-14 w-full rounded-cut border border-field bg-white px-2 pt-4 text-right text-base font-semibold tabular-nums"
                  />
                </label>
              );
            })}
          </div>
        )}
      </fieldset>
      {problem && <p className="mt-2 text-[0.8125rem] font-medium text-error">{problem}</p>}
      {id && stock.length > 0 && (
        <Hint className="mt-2">
          Numbers are changed in{" "}
          <Link to={`/products/stock?q=${encodeURIComponent(id)}`} className="text-ink underline underline-offset-3">
            Stock
          </Link>
          . A size that once had stock stays.
        </Hint>
      )}
    </Section>
  );
}

/**
 * Whether the size cannot be combined with the others: a product has either the one size ONE, or sizes from S to XXL.
 */
function isOtherSort(size: string, stock: OwnedSize[]): boolean {
  return stock.some((one) => !one.untouched && (one.size === ONE_SIZE) !== (size === ONE_SIZE));
}

function StockBox({ name, pieces, held }: OwnedSize & { name: string }) {
  const look = pieces === 0 ? "bg-linen text-muted" : "bg-white";
  return (
    <div className={`relative min-h-14 rounded-cut border border-hairline px-2 pt-4 text-right tabular-nums ${look}`}>
      <span className="absolute top-1 left-2 text-xs leading-4 text-muted">{name}</span>{" "}
      {held > 0 && <span className="absolute top-1 right-2 text-xs leading-4 text-muted">{held} held</span>}{" "}
      <span
        className={`block pt-1.5 text-base font-semibold ${pieces > 0 && pieces - held <= NEARLY_OUT ? "text-waiting" : ""}`}
      >
        {pieces}
        <span className="sr-only"> in stock</span>
      </span>
    </div>
  );
}

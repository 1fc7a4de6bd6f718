import { type Filters, filterQuery } from "#app/catalog/filter/filters.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import type { ProductCard } from "../product.ts";
import { ProductGrid } from "../product-card.tsx";

type Props = { filters: Filters; suggestion?: string; near: ProductCard[]; rate: Rate };

/** Shown instead of an empty list: a spelling suggestion, and similar products. */
export function NothingFound({ filters, suggestion, near, rate }: Props) {
  const { search } = filters;
  const isFiltered = filterQuery(filters, { sort: "" }) !== "";
  return (
    <>
      <h2 className="headline text-2xl [overflow-wrap:anywhere] sm:text-3xl">
        {search ? `No results for “${search}”.` : isFiltered ? "No results for these filters." : "Nothing here yet."}
      </h2>
      <p className="mt-2 mb-8 text-muted">
        {suggestion && (
          <span>
            Did you mean{" "}
            <Link
              to={`/shop?${new URLSearchParams({ q: suggestion })}`}
              className="inline-flex min-h-11 items-center font-semibold text-palm underline underline-offset-4"
            >
              {suggestion}
            </Link>
            ?{" "}
          </span>
        )}
        {near.length > 0 && <span>You might like:</span>}
      </p>
      <ProductGrid products={near} rate={rate} eager={near.length} />
      <ButtonLink to="/shop" look="outline" className="mt-10">
        Show everything
      </ButtonLink>
    </>
  );
}

import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import type { CollectionLink } from "#app/catalog/collections/collection.ts";
import { PAGE } from "#app/catalog/full-rows.ts";
import { LoadMore } from "#app/catalog/load-more.tsx";
import type { KindCount, ProductCard } from "#app/catalog/product.ts";
import { ProductGrid } from "#app/catalog/product-card.tsx";
import { NothingFound } from "#app/catalog/search/nothing-found.tsx";
import type { Rate } from "#app/money/exchange-rate.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { collectionPath } from "#app/ui/frame/paths.ts";
import { Spinner } from "#app/ui/spinner.tsx";
import { FilterChips } from "./chips.tsx";
import type { Family } from "./colors.ts";
import { type Filters, filterQuery, productsText, readFilters } from "./filters.ts";
import { FilterForm } from "./form.tsx";
import { KindChips } from "./kinds.tsx";

const FIRST_ROW = 4;

type Props = {
  /** The path of the page. Its filters are in the query. */
  path: string;
  title?: ReactNode;
  /** What stands above the list, as wide as the window, in place of a title. */
  lead?: ReactNode;
  /** Whether the list's first order is one that the owner has chosen. */
  isFeatured?: boolean;
  list: {
    products: ProductCard[];
    /** The number of products before these. */
    start: number;
    total: number;
    /** The corrected search, if the original one had a misspelled word and found nothing. */
    instead?: string;
    /** If nothing matches: a search that has results, and similar products. */
    suggestion?: string;
    near: ProductCard[];
    /** The collections whose name has all words of the search. */
    named?: CollectionLink[];
    filters: Filters;
    rate: Rate;
    kinds: KindCount[];
    collections: CollectionLink[];
    families: Family[];
    hasSale: boolean;
  };
};

/** A page's list of products with its filters: of the whole shop, of one collection, or of one kind. */
export function ProductList({ path, title, lead, isFeatured, list }: Props) {
  const { products, start, total, instead, suggestion, near, named, rate, filters } = list;
  const { families, kinds, collections, hasSale } = list;
  const next = useNavigation().location;
  const to = next?.pathname.toLowerCase() ?? "";
  const loading = to === "/shop" || to.startsWith(collectionPath(""));
  // While a filter is loading, a second choice is added to it.
  const asked = next && loading ? readFilters(new URLSearchParams(next.search)) : filters;
  const askedPath = loading ? to : path;
  const Column = lead ? "div" : "main";
  const column = (
    <Column className="page [--page:111rem] pt-3 pb-8 sm:py-12">
      <div className="mb-2 flex items-baseline justify-between gap-4 sm:mb-6">
        {title}
        <p role="status" className="whitespace-nowrap text-muted">
          {productsText(total)}
        </p>
      </div>
      <KindChips filters={asked} counts={kinds} collections={collections} path={askedPath} />
      <FilterForm
        path={askedPath}
        filters={asked}
        families={families}
        hasSale={hasSale}
        isFeatured={isFeatured}
        total={loading ? undefined : total}
      />
      <FilterChips path={askedPath} filters={asked} />
      <div className="relative" aria-busy={loading}>
        {loading && (
          <div className="absolute inset-x-0 top-24 z-10 grid place-items-center">
            <Spinner label="Loading products" />
          </div>
        )}
        <div className={loading ? "opacity-40" : ""}>
          {instead && (
            <p className="mb-6 text-muted [overflow-wrap:anywhere]">
              <span>{`No results for “${filters.search}”.`}</span> Showing{" "}
              <strong className="text-ink">{instead}</strong>:
            </p>
          )}
          {named?.map(({ id, name }) => (
            <p key={id} className="mb-6">
              <ButtonLink to={collectionPath(id)} look="outline" className="wrap-anywhere">
                {`See the collection ${name}`}
              </ButtonLink>
            </p>
          ))}
          {start > 0 && (
            <p className="mb-8 text-center">
              <ButtonLink to={`${path}${filterQuery(filters, { page: String(start / PAGE) })}`} look="outline">
                Earlier products
              </ButtonLink>
            </p>
          )}
          {products.length > 0 ? (
            <ProductGrid products={products} rate={rate} eager={FIRST_ROW} />
          ) : (
            <NothingFound filters={filters} suggestion={suggestion} near={near} rate={rate} />
          )}
        </div>
      </div>
      <LoadMore
        path={path}
        start={start}
        shown={products.length}
        total={total}
        filters={filters}
        asked={asked}
        askedPath={askedPath}
      />
    </Column>
  );
  if (!lead) return column;
  return (
    <main>
      {lead}
      {column}
    </main>
  );
}

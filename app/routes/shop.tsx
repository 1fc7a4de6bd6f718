import { useNavigation } from "react-router";
import { countKinds, hasSale, listColors } from "#app/catalog/catalog.server.ts";
import { FilterChips } from "#app/catalog/filter/chips.tsx";
import { familiesIn } from "#app/catalog/filter/color-words.server.ts";
import { type Filters, filterQuery, productsText, readFilters } from "#app/catalog/filter/filters.ts";
import { FilterForm } from "#app/catalog/filter/form.tsx";
import { KindChips } from "#app/catalog/filter/kinds.tsx";
import { PAGE, PAGES_BELOW, REST, startOfList } from "#app/catalog/full-rows.ts";
import { LoadMore } from "#app/catalog/load-more.tsx";
import type { ProductCard } from "#app/catalog/product.ts";
import { ProductGrid } from "#app/catalog/product-card.tsx";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { NothingFound } from "#app/catalog/search/nothing-found.tsx";
import { type Found, findCards } from "#app/catalog/search/search.server.ts";
import { SIZE_RANGE } from "#app/catalog/sizes.ts";
import { db } from "#app/infra/database/db.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { Spinner } from "#app/ui/spinner.tsx";
import type { Route } from "./+types/shop";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Shop: all jerseys and tees | Irepo",
    description: `Every Irepo jersey and tee, sizes ${SIZE_RANGE}, with prices in dollars and naira.`,
  });

export async function loader({ request }: Route.LoaderArgs) {
  const filters = readFilters(new URL(request.url).searchParams);
  const [{ products, start, page, ...rest }, colors, kinds, sale, { rate }] = await Promise.all([
    findList(filters),
    listColors(db()),
    countKinds(db()),
    hasSale(db()),
    rateInForce(db()),
  ]);
  const families = familiesIn(colors);
  return { products, start, ...rest, families, kinds, hasSale: sale, rate, filters: { ...filters, page } };
}

/** The list that contains this page, or the first list if there are fewer products. */
async function findList(filters: Filters): Promise<List> {
  const start = startOfList(filters.page);
  const most = filters.page * PAGE - start;
  const { found, total, ...rest } = await findCards(db(), filters, { after: start, most: most + REST });
  if (found.length === 0 && start > 0) return findList({ ...filters, page: PAGES_BELOW });
  const products = total > start + most + REST ? found.slice(0, most) : found;
  return { products, start, page: filters.page, total, ...rest };
}

type List = Omit<Found, "found"> & { products: ProductCard[]; start: number; page: number };

const FIRST_ROW = 4;

export default function Shop({ loaderData }: Route.ComponentProps) {
  const { products, start, total, instead, suggestion, near, families, kinds, hasSale, rate, filters } = loaderData;
  const next = useNavigation().location;
  const loading = next?.pathname.toLowerCase() === "/shop";
  // While a filter is loading, a second choice is added to it.
  const asked = loading ? readFilters(new URLSearchParams(next.search)) : filters;
  return (
    <main className="page [--page:111rem] pt-3 pb-8 sm:py-12">
      <div className="mb-2 flex items-baseline justify-between gap-4 sm:mb-6">
        <h1 className="display text-3xl sm:text-6xl">SHOP</h1>
        <p role="status" className="text-muted">
          {productsText(total)}
        </p>
      </div>
      <KindChips filters={asked} counts={kinds} />
      <FilterForm filters={asked} families={families} hasSale={hasSale} total={loading ? undefined : total} />
      <FilterChips filters={asked} />
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
          {start > 0 && (
            <p className="mb-8 text-center">
              <ButtonLink to={`/shop${filterQuery(filters, { page: String(start / PAGE) })}`} look="outline">
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
      <LoadMore start={start} shown={products.length} total={total} filters={filters} asked={asked} />
    </main>
  );
}

import { useNavigation } from "react-router";
import { countKinds, listColors } from "#app/catalog/catalog.server.ts";
import { FilterChips } from "#app/catalog/filter/chips.tsx";
import { productsText, readFilters } from "#app/catalog/filter/filters.ts";
import { FilterForm } from "#app/catalog/filter/form.tsx";
import { KindChips } from "#app/catalog/filter/kinds.tsx";
import { PAGE, REST } from "#app/catalog/full-rows.ts";
import { LoadMore } from "#app/catalog/load-more.tsx";
import { ProductGrid } from "#app/catalog/product-card.tsx";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { NothingFound } from "#app/catalog/search/nothing-found.tsx";
import { findCards } from "#app/catalog/search/search.server.ts";
import { SIZE_RANGE } from "#app/catalog/sizes.ts";
import { db } from "#app/infra/database/db.server.ts";
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
  const most = filters.page * PAGE;
  const [{ found, total, ...rest }, colors, kinds, { rate }] = await Promise.all([
    findCards(db(), filters, most + REST),
    listColors(db()),
    countKinds(db()),
    rateInForce(db()),
  ]);
  const products = total > most + REST ? found.slice(0, most) : found;
  return { products, total, ...rest, colors, kinds, rate, filters };
}

const FIRST_ROW = 4;

export default function Shop({ loaderData }: Route.ComponentProps) {
  const { products, total, instead, suggestion, near, colors, kinds, rate, filters } = loaderData;
  const next = useNavigation().location;
  const loading = next?.pathname.toLowerCase() === "/shop";
  // A choice that is made while another one loads is added to it.
  const asked = loading ? readFilters(new URLSearchParams(next.search)) : filters;
  return (
    <main className="page py-8 sm:py-12">
      <div className="mb-6 flex items-baseline justify-between gap-4">
        <h1 className="display text-4xl sm:text-6xl">SHOP</h1>
        <p role="status" className="text-muted">
          {productsText(total)}
        </p>
      </div>
      <KindChips filters={asked} counts={kinds} />
      <FilterForm filters={asked} colors={colors} total={loading ? undefined : total} />
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
              Nothing is called “{filters.search}”. This is what we have for{" "}
              <strong className="text-ink">{instead}</strong>:
            </p>
          )}
          {products.length > 0 ? (
            <ProductGrid products={products} rate={rate} eager={FIRST_ROW} />
          ) : (
            <NothingFound filters={filters} suggestion={suggestion} near={near} rate={rate} />
          )}
        </div>
      </div>
      <LoadMore shown={products.length} total={total} filters={filters} asked={asked} />
    </main>
  );
}

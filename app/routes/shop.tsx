import { useNavigation } from "react-router";
import { listAndCountCards, listColors } from "#app/catalog/catalog.server.ts";
import { FilterChips } from "#app/catalog/filter/chips.tsx";
import { productsText, readFilters } from "#app/catalog/filter/filters.ts";
import { FilterForm } from "#app/catalog/filter/form.tsx";
import { PAGE, REST } from "#app/catalog/full-rows.ts";
import { LoadMore } from "#app/catalog/load-more.tsx";
import { ProductGrid } from "#app/catalog/product-card.tsx";
import { rateInForce } from "#app/catalog/rates.server.ts";
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
  const most = filters.page * PAGE;
  const [{ found, total }, colors, { rate }] = await Promise.all([
    listAndCountCards(db(), filters, most + REST),
    listColors(db()),
    rateInForce(db()),
  ]);
  const products = total > most + REST ? found.slice(0, most) : found;
  return { products, total, colors, rate, filters };
}

const FIRST_ROW = 4;

export default function Shop({ loaderData: { products, total, colors, rate, filters } }: Route.ComponentProps) {
  const loading = useNavigation().location?.pathname.toLowerCase() === "/shop";
  return (
    <main className="page py-8 sm:py-12">
      <div className="mb-6 flex items-baseline justify-between gap-4">
        <h1 className="display text-4xl sm:text-6xl">SHOP</h1>
        <p role="status" className="text-muted">
          {productsText(total)}
        </p>
      </div>
      <FilterForm filters={filters} colors={colors} total={total} />
      <FilterChips filters={filters} />
      <div className="relative" aria-busy={loading}>
        {loading && (
          <div className="absolute inset-x-0 top-24 z-10 grid place-items-center">
            <Spinner label="Loading products" />
          </div>
        )}
        <div className={loading ? "opacity-40" : ""}>
          {products.length > 0 ? (
            <ProductGrid products={products} rate={rate} eager={FIRST_ROW} />
          ) : (
            // Widths that do not depend on how much of the text has arrived: centred, it would move.
            <div className="grid gap-4 py-24 text-center">
              <p className="headline text-2xl">Nothing fits all of this.</p>
              <ButtonLink to="/shop" className="w-52 justify-self-center">
                Show everything
              </ButtonLink>
            </div>
          )}
        </div>
      </div>
      <LoadMore shown={products.length} total={total} filters={filters} />
    </main>
  );
}

import { useEffect, useRef } from "react";
import { useNavigation } from "react-router";
import { listAndCountCards, listColors } from "#app/catalog/catalog.server.ts";
import { FilterForm } from "#app/catalog/filter-form.tsx";
import {
  countText,
  type FilterName,
  type Filters,
  filterQuery,
  MOST_PAGES,
  productsText,
  readFilters,
} from "#app/catalog/filters.ts";
import { ProductGrid } from "#app/catalog/product-card.tsx";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { SIZE_RANGE } from "#app/catalog/sizes.ts";
import { db } from "#app/infra/database/db.server.ts";
import { dollarText } from "#app/money/money.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { CloseIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Spinner } from "#app/ui/spinner.tsx";
import type { Route } from "./+types/shop";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Shop: all jerseys and tees | Irepo",
    description: `Every Irepo jersey and tee, sizes ${SIZE_RANGE}, with prices in dollars and naira.`,
  });

const PAGE = 12;
/** A rest that fills no row of its own comes along: nobody has to ask for one last product. */
const REST = 3;

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
      <Chips filters={filters} />
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
      <More shown={products.length} total={total} filters={filters} />
    </main>
  );
}

/** The next products below these; the URL counts the pages, so Back and a reload find the same place. */
function More({ shown, total, filters }: { shown: number; total: number; filters: Filters }) {
  const before = useRef(shown);
  const pressed = useRef(false);
  useEffect(() => {
    // The pressed link may be gone: whoever walks by keyboard goes on at the first new product.
    if (pressed.current && shown > before.current)
      document.querySelectorAll<HTMLElement>("main li > a")[before.current]?.focus({ preventScroll: true });
    if (shown !== before.current) pressed.current = false;
    before.current = shown;
  }, [shown]);
  if (shown === total && filters.page === 1) return null;
  return (
    <div className="mt-12 grid justify-items-center gap-4">
      <p className="price text-muted">{`${countText(shown)} of ${countText(total)}`}</p>
      {shown < total && filters.page === MOST_PAGES && <p>A search or a filter finds the others.</p>}
      {shown < total && filters.page < MOST_PAGES && (
        <ButtonLink
          to={`/shop${filterQuery(filters, { page: String(filters.page + 1) })}`}
          look="outline"
          replace
          keepScroll
          onClick={() => {
            pressed.current = true;
          }}
        >
          Load more
        </ButtonLink>
      )}
    </div>
  );
}

/** What is filtered, each with its way out. */
function Chips({ filters }: { filters: Filters }) {
  const active: [FilterName, string][] = [];
  if (filters.search) active.push(["q", `“${filters.search}”`]);
  if (filters.size) active.push(["size", `Size ${filters.size}`]);
  if (filters.color) active.push(["color", filters.color]);
  if (filters.minCents !== undefined) active.push(["min", `From $${dollarText(filters.minCents)}`]);
  if (filters.maxCents !== undefined) active.push(["max", `To $${dollarText(filters.maxCents)}`]);
  if (filters.available) active.push(["available", "In stock"]);
  if (active.length === 0) return null;
  return (
    <ul className="mb-6 flex flex-wrap items-center gap-2">
      {active.map(([name, text]) => (
        <li key={name} className="flex">
          <Link
            to={`/shop${filterQuery(filters, { [name]: "" })}`}
            keepScroll
            className="inline-flex min-h-11 items-center gap-2 rounded-cut border border-ink px-3 text-sm"
          >
            {text} <CloseIcon className="size-4" />
            <span className="sr-only">remove this filter</span>
          </Link>
        </li>
      ))}
      <li className="flex">
        <Link
          to="/shop"
          keepScroll
          className="inline-flex min-h-11 items-center px-3 text-sm underline underline-offset-4"
        >
          Clear all
        </Link>
      </li>
    </ul>
  );
}

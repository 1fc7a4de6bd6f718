import { Form, Link, useNavigation, useSubmit } from "react-router";
import { getFacets, listProducts } from "#app/catalog/catalog.server.ts";
import { type Filters, readFilters, SORTS, writeFilters } from "#app/catalog/filters.ts";
import { ProductGrid } from "#app/catalog/product-card.tsx";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { SIZES } from "#app/catalog/sizes.ts";
import { db } from "#app/infra/db.server.ts";
import { dollarText } from "#app/money/money.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Field, SelectField } from "#app/ui/field.tsx";
import { CloseIcon } from "#app/ui/icons.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { Spinner } from "#app/ui/spinner.tsx";
import type { Route } from "./+types/shop";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Shop: all jerseys and tees | Irepo",
    description: "Every Irepo jersey and tee, sizes S to XXL, with prices in dollars and naira.",
  });

export async function loader({ request }: Route.LoaderArgs) {
  const filters = readFilters(new URL(request.url).searchParams);
  const [products, facets, { rate }] = await Promise.all([
    listProducts(db(), filters),
    getFacets(db()),
    rateInForce(db()),
  ]);
  return { products, facets, rate, filters };
}

const FIRST_ROW = 4;

export default function Shop({ loaderData: { products, facets, rate, filters } }: Route.ComponentProps) {
  const loading = useNavigation().location?.pathname === "/shop";
  return (
    <main className="page py-8 sm:py-12">
      <div className="mb-6 flex items-baseline justify-between gap-4">
        <h1 className="display text-4xl sm:text-6xl">SHOP</h1>
        <p role="status" className="text-muted">
          {products.length} {products.length === 1 ? "product" : "products"}
        </p>
      </div>
      <FilterForm filters={filters} colors={facets.colors} />
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
            <div className="grid justify-items-center gap-4 py-24 text-center">
              <p className="text-lg">Nothing fits all of this.</p>
              <ButtonLink to="/shop">Show everything</ButtonLink>
            </div>
          )}
        </div>
      </div>
    </main>
  );
}

function FilterForm({ filters, colors }: { filters: Filters; colors: string[] }) {
  const submit = useSubmit();
  return (
    <details className="mb-6 border-y border-hairline">
      <summary className="label flex min-h-12 items-center justify-between">
        Filter and sort <span aria-hidden="true">+</span>
      </summary>
      <Form
        method="get"
        action="/shop"
        className="grid items-end gap-4 pb-6 sm:grid-cols-3 lg:grid-cols-6"
        onChange={(event) =>
          event.target instanceof HTMLInputElement && event.target.type !== "checkbox"
            ? undefined
            : submit(event.currentTarget, { preventScrollReset: true })
        }
      >
        <Field label="Search" name="q" type="search" defaultValue={filters.search} />
        <SelectField label="Size" name="size" defaultValue={filters.size ?? ""}>
          <option value="">All sizes</option>
          {SIZES.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </SelectField>
        <SelectField label="Colour" name="color" defaultValue={filters.color ?? ""}>
          <option value="">All colours</option>
          {colors.map((color) => (
            <option key={color}>{color}</option>
          ))}
        </SelectField>
        <div className="grid grid-cols-2 gap-2">
          <Field
            label="From $"
            name="min"
            inputMode="decimal"
            defaultValue={filters.minCents === undefined ? "" : dollarText(filters.minCents)}
          />
          <Field
            label="To $"
            name="max"
            inputMode="decimal"
            defaultValue={filters.maxCents === undefined ? "" : dollarText(filters.maxCents)}
          />
        </div>
        <SelectField label="Sort" name="sort" defaultValue={filters.sort}>
          {Object.entries(SORTS).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
        <div className="grid gap-2">
          <label className="flex min-h-11 items-center gap-2 text-sm font-semibold">
            <input type="checkbox" name="available" defaultChecked={filters.available} className="size-5 accent-ink" />{" "}
            In stock only
          </label>
          <Button look="outline">Show</Button>
        </div>
      </Form>
    </details>
  );
}

/** What is filtered, each with its way out. */
function Chips({ filters }: { filters: Filters }) {
  const active: [string, string][] = [];
  if (filters.search) active.push(["q", `“${filters.search}”`]);
  if (filters.size) active.push(["size", `Size ${filters.size}`]);
  if (filters.color) active.push(["color", filters.color]);
  if (filters.minCents !== undefined) active.push(["min", `From $${dollarText(filters.minCents)}`]);
  if (filters.maxCents !== undefined) active.push(["max", `To $${dollarText(filters.maxCents)}`]);
  if (filters.available) active.push(["available", "In stock"]);
  if (active.length === 0) return null;
  return (
    <ul className="mb-6 flex flex-wrap gap-2">
      {active.map(([name, text]) => (
        <li key={name}>
          <Link
            to={{ search: without(filters, name) }}
            preventScrollReset
            className="inline-flex min-h-11 items-center gap-2 border border-ink px-3 text-sm"
          >
            {text} <CloseIcon className="size-4" />
            <span className="sr-only">remove this filter</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function without(filters: Filters, name: string): string {
  const query = writeFilters(filters);
  query.delete(name);
  return query.toString();
}

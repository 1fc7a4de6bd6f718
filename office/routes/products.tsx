import { Fragment } from "react";
import { type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router";
import { KIND_NAMES, KINDS } from "#app/catalog/product.ts";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { countProducts, searchProducts } from "#app/owner/catalog/product-list.server.ts";
import { may } from "#app/staff/roles.ts";
import { PlusIcon } from "#app/ui/icons.tsx";
import { ButtonLink } from "../frame/button.tsx";
import { useFresh } from "../frame/fresh.browser.tsx";
import { Pager, Search, SelectFilter, useFilters, View, Views } from "../frame/list-tools.tsx";
import { Page } from "../frame/page.tsx";
import { justNow, RecentWork } from "../frame/progress.tsx";
import { requirePermission } from "../http/staff.server.ts";
import { recentImports } from "../import/works.server.ts";
import { placeText, productSearchOf } from "../products/filters.server.ts";
import { ProductsTable } from "../products/table.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { id, role } = requirePermission(context, "look");
  const mayChange = may(role, "catalogue");
  const { before, after, ...search } = productSearchOf(new URL(request.url).searchParams);
  const { products, newer, older } = await searchProducts(db(), search, { before, after });
  return {
    products,
    newer: placeText(newer),
    older: placeText(older),
    view: search.view,
    counts: await countProducts(db()),
    rate: (await rateInForce(db())).rate,
    works: mayChange ? justNow(recentImports(id)) : [],
    mayChange,
  };
}

const VIEWS = {
  all: "List",
  published: "Published",
  "sold-out": "Sold out",
  draft: "Drafts",
  "at-a-time": "At a time",
};
const SORTS = [
  { value: "changed", name: "Last changed" },
  { value: "title", name: "By title" },
  { value: "cheap", name: "Cheapest first" },
  { value: "dear", name: "Dearest first" },
];

export default function Products() {
  useFresh();
  const { products, newer, older, view, counts, rate, works, mayChange } = useLoaderData<typeof loader>();
  const filters = useFilters();
  return (
    <Page
      title="Products"
      actions={
        mayChange && (
          <>
            <ButtonLink look="line" to="/products/import" className="max-lg:hidden">
              Import
            </ButtonLink>
            <ButtonLink look="line" to="/products/new">
              <PlusIcon className="size-5" />
              New<span className="max-lg:sr-only">product</span>
            </ButtonLink>
          </>
        )
      }
    >
      <Views label="Views">
        {Object.entries(VIEWS).map(([name, title]) => (
          <Fragment key={name}>
            <View
              to={filters.to("view", name === "all" ? "" : name)}
              current={view === name}
              count={counts[name as keyof typeof counts]}
            >
              {title}
            </View>
            {name === "all" && (
              <View to="/products/stock" current={false}>
                Stock
              </View>
            )}
          </Fragment>
        ))}
      </Views>
      <RecentWork works={works} />
      <div className="flex flex-wrap gap-2 py-3">
        <Search label="Title, colour or kind" />
        <SelectFilter name="kind" label="Kind" options={KIND_NAMES.map((value) => ({ value, name: KINDS[value] }))} />
        <SelectFilter name="sort" label="In the shop’s order" options={SORTS} />
      </div>
      {products.length === 0 ? (
        <Empty mayChange={mayChange} />
      ) : (
        <>
          <ProductsTable label={VIEWS[view]} products={products} rate={rate} />
          <Pager about={`${products.length} on this page`} newer={newer} older={older} names={["Back", "Next"]} />
        </>
      )}
    </Page>
  );
}

function Empty({ mayChange }: { mayChange: boolean }) {
  const [params] = useSearchParams();
  const isNarrowed = [...params.keys()].length > 0;
  return (
    <div className="grid justify-items-start gap-3 py-6">
      <p className="text-muted">{isNarrowed ? "No product fits." : "There is nothing to sell yet."}</p>
      {isNarrowed ? (
        <ButtonLink look="line" to="/products">
          See all products
        </ButtonLink>
      ) : (
        mayChange && <ButtonLink to="/products/new">Add the first product</ButtonLink>
      )}
    </div>
  );
}

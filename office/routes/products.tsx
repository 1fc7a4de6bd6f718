import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { kindIds } from "#app/catalog/kind-field.server.ts";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { countProducts, PRODUCT_SORTS, PRODUCT_VIEWS, searchProducts } from "#app/owner/catalog/product-list.server.ts";
import { may } from "#app/staff/roles.ts";
import { PlusIcon } from "#app/ui/icons.tsx";
import { ButtonLink } from "../frame/button.tsx";
import { useFresh } from "../frame/fresh.browser.tsx";
import { Filters, List, Pager, SelectFilter } from "../frame/list-tools.tsx";
import { Page } from "../frame/page.tsx";
import { justNow, RecentWork } from "../frame/progress.tsx";
import { keysetOf, listParams } from "../http/list-params.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { recentImports } from "../import/works.server.ts";
import { useKindOptions } from "../kinds/context.ts";
import { ProductsTable } from "../products/table.tsx";
import { PRODUCT_VIEW_NAMES, ProductViews } from "../products/views.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { id, role } = requirePermission(context, "products");
  const mayChange = may(role, "catalogue");
  const params = new URL(request.url).searchParams;
  const { text, oneOf } = listParams(params);
  const view = oneOf("view", PRODUCT_VIEWS) ?? "all";
  const search = { view, text, kind: oneOf("kind", kindIds()), sort: oneOf("sort", PRODUCT_SORTS) ?? "shop" };
  return {
    ...(await searchProducts(db(), search, keysetOf(params))),
    view,
    counts: await countProducts(db()),
    rate: (await rateInForce(db())).rate,
    works: mayChange ? justNow(recentImports(id)) : [],
    mayChange,
    maySeeSales: may(role, "discounts"),
  };
}

const SORTS = { changed: "Last changed", title: "By title", cheap: "Cheapest first", dear: "Most expensive first" };

export default function Products() {
  useFresh();
  const kinds = useKindOptions();
  const { rows, newer, older, view, counts, rate, works, mayChange, maySeeSales } = useLoaderData<typeof loader>();
  const first = mayChange && <ButtonLink to="/products/new">Add the first product</ButtonLink>;
  const none = (
    <>
      There’s nothing to sell yet. <span className="mt-3 block">{first}</span>
    </>
  );
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
              New <span className="max-lg:sr-only">product</span>
            </ButtonLink>
          </>
        )
      }
    >
      <ProductViews current={view} counts={counts} mayChange={mayChange} maySeeSales={maySeeSales} />
      <RecentWork works={works} />
      <Filters search="Title, colour or kind">
        <SelectFilter name="kind" label="Kind" options={kinds} />
        <SelectFilter name="sort" label="In the shop’s order" options={SORTS} />
      </Filters>
      <List
        rows={rows}
        one="product"
        nothing={view === "all" ? none : "No products match."}
        all="/products"
        isAll={view === "all"}
      >
        <ProductsTable label={PRODUCT_VIEW_NAMES[view]} products={rows} rate={rate} />
        <Pager about={`${rows.length} on this page`} newer={newer} older={older} names={["Back", "Next"]} />
      </List>
    </Page>
  );
}

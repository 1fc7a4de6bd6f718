import { redirect } from "react-router";
import { SHIPPED_BRAND } from "#app/brand/brand.ts";
import { listOfProducts } from "#app/catalog/filter/list.server.ts";
import { ProductList } from "#app/catalog/filter/list.tsx";
import { SHOP_TITLE, shownOfList, versionOf } from "#app/catalog/link-pictures/shown.server.ts";
import { SIZE_RANGE } from "#app/catalog/sizes.ts";
import { db } from "#app/infra/database/db.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { brandIn, linkPicture, pageMeta } from "#app/ui/frame/page-meta.ts";
import { collectionPath } from "#app/ui/frame/paths.ts";
import type { Route } from "./+types/shop";

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    image: loaderData && linkPicture(matches[1].loaderData?.site, "shop", loaderData.link, brandIn(matches).name),
    title: "Shop: all jerseys and tees",
    description: `Every ${brandIn(matches).name} jersey and tee, sizes ${SIZE_RANGE}, with prices in dollars and naira.`,
  });

export async function loader({ request }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const { brand = SHIPPED_BRAND, kinds } = await shopSettings(db());
  const kind = kinds.find(({ id }) => id === query.get("kind"));
  if (kind) throw redirect(kindPath(kind.id, query), 301);
  const list = await listOfProducts(request);
  return { ...list, link: versionOf(shownOfList(SHOP_TITLE, list.products, brand)) };
}

/** The page of a kind, with the rest of a query that names it. */
function kindPath(kind: string, query: URLSearchParams): string {
  query.delete("kind");
  return collectionPath(kind) + (query.size > 0 ? `?${query}` : "");
}

export default function Shop({ loaderData }: Route.ComponentProps) {
  return <ProductList path="/shop" title={<h1 className="display text-3xl sm:text-6xl">SHOP</h1>} list={loaderData} />;
}

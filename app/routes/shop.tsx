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
    title: "Shop all products",
    description: `All products by ${brandIn(matches).name}, sizes ${SIZE_RANGE}, with prices in dollars and naira.`,
  });

export async function loader({ request }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  if (query.has("kind")) await toPageOfKind(query);
  const [list, { brand = SHIPPED_BRAND }] = await Promise.all([listOfProducts(request), shopSettings(db())]);
  return { ...list, link: versionOf(shownOfList(SHOP_TITLE, list.products, brand)) };
}

/**
 * Redirects to the page of the kind that the query names, with the rest of the query, if there is such a kind. Reading
 * the kinds comes before the list, so only an address that names one waits for it.
 */
async function toPageOfKind(query: URLSearchParams): Promise<void> {
  const { kinds } = await shopSettings(db());
  const kind = kinds.find(({ id }) => id === query.get("kind"));
  if (!kind) return;
  query.delete("kind");
  throw redirect(collectionPath(kind.id) + (query.size > 0 ? `?${query}` : ""), 301);
}

export default function Shop({ loaderData }: Route.ComponentProps) {
  return <ProductList path="/shop" title={<h1 className="display text-3xl sm:text-6xl">SHOP</h1>} list={loaderData} />;
}

import { SHIPPED_BRAND } from "#app/brand/brand.ts";
import { listOfProducts } from "#app/catalog/filter/list.server.ts";
import { ProductList } from "#app/catalog/filter/list.tsx";
import { SHOP_TITLE, shownOfList, versionOf } from "#app/catalog/link-pictures/shown.server.ts";
import { SIZE_RANGE } from "#app/catalog/sizes.ts";
import { db } from "#app/infra/database/db.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { brandIn, linkPicture, pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/shop";

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    image: loaderData && linkPicture(matches[1].loaderData?.site, "shop", loaderData.link, brandIn(matches).name),
    title: "Shop: all jerseys and tees",
    description: `Every ${brandIn(matches).name} jersey and tee, sizes ${SIZE_RANGE}, with prices in dollars and naira.`,
  });

export async function loader({ request }: Route.LoaderArgs) {
  const [list, { brand = SHIPPED_BRAND }] = await Promise.all([listOfProducts(request), shopSettings(db())]);
  return { ...list, link: versionOf(shownOfList(SHOP_TITLE, list.products, brand)) };
}

export default function Shop({ loaderData }: Route.ComponentProps) {
  return <ProductList path="/shop" title={<h1 className="display text-3xl sm:text-6xl">SHOP</h1>} list={loaderData} />;
}

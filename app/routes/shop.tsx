import { listOfProducts } from "#app/catalog/filter/list.server.ts";
import { ProductList } from "#app/catalog/filter/list.tsx";
import { SIZE_RANGE } from "#app/catalog/sizes.ts";
import { brandIn, pageMeta, shopPicture } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/shop";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    image: shopPicture(matches[1].loaderData?.site, brandIn(matches)),
    title: "Shop: all jerseys and tees",
    description: `Every ${brandIn(matches).name} jersey and tee, sizes ${SIZE_RANGE}, with prices in dollars and naira.`,
  });

export function loader({ request }: Route.LoaderArgs) {
  return listOfProducts(request);
}

export default function Shop({ loaderData }: Route.ComponentProps) {
  return <ProductList path="/shop" title={<h1 className="display text-3xl sm:text-6xl">SHOP</h1>} list={loaderData} />;
}

import { toSpecification } from "#app/catalog/product.ts";
import { listProductPage, readPlace } from "#app/catalog/product-pages.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import type { Route } from "./+types/api.products";

/** Up to 200 products; where there are more, a Link header leads to the next ones. */
export async function loader({ request }: Pick<Route.LoaderArgs, "request">) {
  const after = new URL(request.url).searchParams.get("after");
  const place = after === null ? undefined : readPlace(after);
  if (after !== null && !place)
    return Response.json({ error: "'after' names no place: follow the Link header" }, { status: 400 });
  const { products, next } = await listProductPage(db(), place);
  const headers = next ? { Link: `</api/products?after=${next}>; rel="next"` } : undefined;
  const site = env.publicUrl.origin;
  return Response.json(
    products.map((product) => toSpecification(product, site)),
    { headers },
  );
}

import { toSpecification } from "#app/catalog/product.ts";
import { listProductPage, readCursor } from "#app/catalog/product-pages.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import type { Route } from "./+types/api.products";

/** Up to 200 products. If there are more, a Link header has the URL of the next ones. */
export async function loader({ request }: Pick<Route.LoaderArgs, "request">) {
  const after = new URL(request.url).searchParams.get("after");
  const cursor = after === null ? undefined : readCursor(after);
  if (after !== null && !cursor)
    return Response.json({ error: "'after' names no place: follow the Link header" }, { status: 400 });
  const { products, next } = await listProductPage(db(), cursor);
  const headers = next ? { Link: `</api/products?after=${next}>; rel="next"` } : undefined;
  const site = env.publicUrl.origin;
  return Response.json(
    products.map((product) => toSpecification(product, site)),
    { headers },
  );
}

import { getProduct } from "#app/catalog/catalog.server.ts";
import { toSpecification } from "#app/catalog/product.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import * as messages from "#app/messages.ts";
import type { Route } from "./+types/api.product";

export async function loader({ params }: Route.LoaderArgs) {
  const product = await getProduct(db(), params.id);
  return product
    ? Response.json(toSpecification(product, env.publicUrl.origin))
    : Response.json({ error: messages.product.notFound }, { status: 404 });
}

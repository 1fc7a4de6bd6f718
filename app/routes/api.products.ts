import { listProducts } from "#app/catalog/catalog.server.ts";
import { toSpecification } from "#app/catalog/product.ts";
import { db } from "#app/infra/database/db.server.ts";

export async function loader() {
  return Response.json((await listProducts(db())).map(toSpecification));
}

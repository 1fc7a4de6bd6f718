import { data, type LoaderFunctionArgs } from "react-router";
import { productDocuments } from "#app/catalog/documents/product.server.ts";
import { pictureUrl } from "#app/catalog/product.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { knownKinds } from "#app/infra/settings/shop-settings.server.ts";
import { foreignTable, isForeignShop } from "#app/owner/catalog/foreign/foreign.ts";
import { productTable } from "#app/owner/catalog/product-table.server.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { csvFile } from "../import/csv-file.server.ts";

/** All products as a CSV table, in the import's format, or in that of the shop that the URL's `for` names. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  requirePermission(context, "products");
  const documents = await productDocuments(db(), (image) => env.publicUrl.origin + pictureUrl(image, 1200, "jpg"));
  const shop = new URL(request.url).searchParams.get("for");
  if (shop === null) return csvFile(`products-${shopDay()}.csv`, productTable(documents));
  if (!isForeignShop(shop)) throw data(null, 404);
  return csvFile(`products-${shop}-${shopDay()}.csv`, foreignTable(documents, shop, knownKinds()));
}

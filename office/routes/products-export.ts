import type { LoaderFunctionArgs } from "react-router";
import { productDocuments } from "#app/catalog/documents/product.server.ts";
import { pictureUrl } from "#app/catalog/product.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { productTable } from "#app/owner/catalog/product-table.server.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { csvFile } from "../import/csv-file.server.ts";

/** All products as a CSV table, in the format of the import. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  requirePermission(context, "products");
  const documents = await productDocuments(db(), (image) => env.publicUrl.origin + pictureUrl(image, 1200, "jpg"));
  return csvFile(`products-${shopDay()}.csv`, productTable(documents));
}

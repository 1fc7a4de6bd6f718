import type { LoaderFunctionArgs } from "react-router";
import { tableTemplate } from "#app/owner/catalog/product-table.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { csvFile } from "../import/csv-file.server.ts";

/** An empty table for the import, with an example row. */
export function loader({ context }: LoaderFunctionArgs): Response {
  requirePermission(context, "catalogue");
  return csvFile("products-template.csv", tableTemplate());
}

import type { LoaderFunctionArgs } from "react-router";
import { csvText } from "#app/infra/document/csv.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { csvFile } from "../import/csv-file.server.ts";
import { courierFile } from "../orders/print/print.server.ts";

/** The courier's file, with a row for each order in the URL that can be sent. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  requirePermission(args.context, "export");
  const { fields, data } = await courierFile(args);
  return csvFile(`courier-${shopDay()}.csv`, `${csvText({ fields, data })}\r\n`);
}

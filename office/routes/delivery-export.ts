import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { deliveryPlaces } from "#app/owner/delivery/rates.server.ts";
import { RATE_KINDS } from "#app/owner/delivery/rates.ts";
import { ratesCsv } from "#app/owner/delivery/sheet.server.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { csvFile } from "../import/csv-file.server.ts";

/** All delivery rates as CSV, in the format of the import. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  requirePermission(context, "products");
  const places = await deliveryPlaces(db());
  places.sort((a, b) => RATE_KINDS.indexOf(a.kind) - RATE_KINDS.indexOf(b.kind));
  return csvFile(`delivery-${shopDay()}.csv`, `${ratesCsv(places)}\r\n`);
}

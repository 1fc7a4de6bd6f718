import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { deliveryPlaces } from "#app/owner/delivery/rates.server.ts";
import { RATE_KINDS } from "#app/owner/delivery/rates.ts";
import { ratesCsv } from "#app/owner/delivery/sheet.server.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { requirePermission } from "../http/staff.server.ts";

/** All delivery rates as CSV, which the import reads again. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  requirePermission(context, "look");
  const places = await deliveryPlaces(db());
  places.sort((a, b) => RATE_KINDS.indexOf(a.kind) - RATE_KINDS.indexOf(b.kind));
  return new Response(`\uFEFF${ratesCsv(places)}\r\n`, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8", // the mark tells Excel that it is UTF-8
      "Content-Disposition": `attachment; filename="delivery-${shopDay()}.csv"`,
    },
  });
}

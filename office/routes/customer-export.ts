import { data, type LoaderFunctionArgs } from "react-router";
import { customerData } from "#app/customer-data/user-document.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { requirePermission } from "../http/staff.server.ts";

/** Everything that is kept of a customer, for the customer, as JSON. */
export async function loader({ params, context }: LoaderFunctionArgs): Promise<Response> {
  requirePermission(context, "customers");
  const document = await customerData(db(), params.id ?? "", env.publicUrl.origin);
  if (!document) throw data(null, 404);
  return new Response(JSON.stringify(document, null, 2), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="customer-${shopDay()}.json"`,
    },
  });
}

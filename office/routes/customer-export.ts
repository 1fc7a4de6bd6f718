import { data, type LoaderFunctionArgs } from "react-router";
import { customerData } from "#app/customer-data/user-document.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { recordExport } from "#app/owner/audit.server.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { actorOf } from "#app/staff/sessions.server.ts";
import { requirePermission } from "../http/staff.server.ts";

/** A download of all data about a customer as JSON, to be given to the customer. */
export async function loader({ params, context }: LoaderFunctionArgs): Promise<Response> {
  const staff = requirePermission(context, "customers");
  const { id = "" } = params;
  const document = await customerData(db(), id, env.publicUrl.origin);
  if (!document) throw data(null, 404);
  await recordExport(db(), actorOf(staff), { what: "customers", rows: 1, id });
  return new Response(JSON.stringify(document, null, 2), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="customer-${shopDay()}.json"`,
    },
  });
}

import { data, type LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { listCodes } from "#app/owner/offers/offers.server.ts";
import { csvResponse } from "../http/csv.server.ts";
import { requirePermission } from "../http/staff.server.ts";

/** The codes of an offer as CSV, with the number of orders that use each. */
export function loader({ params, context }: LoaderFunctionArgs): Response {
  const staff = requirePermission(context, "offers");
  if (!/^\d{1,9}$/.test(params.id ?? "")) throw data(null, 404);
  const id = Number(params.id);
  const page = async () => ({ rows: await listCodes(db(), id) });
  const table = {
    name: "codes",
    fields: ["code", "mostUses", "uses"],
    staff,
    filters: new URLSearchParams({ offer: String(id) }),
  };
  return csvResponse(table, page, ({ code, mostUses, uses }) => ({ code, mostUses, uses }));
}

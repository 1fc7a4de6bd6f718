import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { ADDRESS_COLUMNS, searchOldAddresses } from "#app/owner/shop/old-addresses.server.ts";
import { csvResponse } from "../http/csv.server.ts";
import { requirePermission } from "../http/staff.server.ts";

/** All old addresses as CSV, which the import and the command `redirects import` read. */
export function loader({ context }: LoaderFunctionArgs): Response {
  const staff = requirePermission(context, "shop");
  const table = { name: "redirects", fields: [...ADDRESS_COLUMNS], staff };
  return csvResponse(
    table,
    (...at) => searchOldAddresses(db(), undefined, ...at),
    ({ from, to }) => ({ old: from, new: to }),
  );
}

import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { type FoundCustomer, searchCustomers } from "#app/owner/customers/search.server.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { customerSearchOf } from "../customers/filters.server.ts";
import { csvResponse } from "../http/csv.server.ts";
import { requirePermission } from "../http/staff.server.ts";

/** The filtered list of customers, all pages, as CSV. */
export function loader({ request, context }: LoaderFunctionArgs): Response {
  const staff = requirePermission(context, "customers", "export");
  const filters = new URL(request.url).searchParams;
  const table = { name: "customers", fields: COLUMNS, staff, filters };
  return csvResponse(table, (...page) => searchCustomers(db(), customerSearchOf(filters), ...page), rowOf);
}

const COLUMNS = ["name", "email", "since", "newsletter", "orders", "spent naira", "last order", "uid"];

function rowOf({ id, name, email, since, newsletter, orders, spentKobo, lastOrderAt }: FoundCustomer) {
  return {
    name,
    email,
    since: shopTime(since),
    newsletter: newsletter ? "yes" : "no",
    orders,
    "spent naira": spentKobo / 100,
    "last order": lastOrderAt && shopTime(lastOrderAt),
    uid: id,
  };
}

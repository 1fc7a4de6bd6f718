import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { searchCustomers } from "#app/owner/customers/search.server.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { customerSearchOf } from "../customers/filters.server.ts";
import { csvResponse } from "../http/csv.server.ts";
import { requirePermission } from "../http/staff.server.ts";

const AT_ONCE = 1000;

/** What the list of customers shows, all of its pages, as CSV. */
export function loader({ request, context }: LoaderFunctionArgs): Response {
  const staff = requirePermission(context, "customers");
  const filters = new URL(request.url).searchParams;
  const { before: _, after: __, ...search } = customerSearchOf(filters);
  return csvResponse({ name: "customers", fields: COLUMNS, staff, filters }, async (before) => {
    const { customers, older } = await searchCustomers(db(), search, { before }, AT_ONCE);
    const rows = customers.map(({ id, name, email, since, newsletter, orders, spentKobo, lastOrderAt }) => ({
      name,
      email,
      since: shopTime(since),
      newsletter: newsletter ? "yes" : "no",
      orders,
      "spent naira": spentKobo / 100,
      "last order": lastOrderAt && shopTime(lastOrderAt),
      uid: id,
    }));
    return { rows, next: older };
  });
}

const COLUMNS = ["name", "email", "since", "newsletter", "orders", "spent naira", "last order", "uid"];

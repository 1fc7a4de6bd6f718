import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { dollars, usdCents } from "#app/money/money.ts";
import { type FoundOrder, searchOrders } from "#app/owner/order-search.server.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { csvResponse } from "../http/csv.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { searchOf } from "../orders/filters.server.ts";

const AT_ONCE = 1000;

/** What a list shows, all of its pages, as CSV. */
export function loader({ request, context }: LoaderFunctionArgs): Response {
  const staff = requirePermission(context, "orders");
  const filters = new URL(request.url).searchParams;
  const { before: _, after: __, ...search } = searchOf(filters);
  return csvResponse({ name: "orders", fields: COLUMNS, staff, filters }, async (before) => {
    const { orders, older } = await searchOrders(db(), search, { before }, AT_ONCE);
    return { rows: orders.map(rowOf), next: older };
  });
}

const COLUMNS = [
  "order",
  "placed",
  "customer",
  "email",
  "to",
  "how",
  "pieces",
  "state",
  "naira",
  "dollars",
  "carrier",
  "tracking",
  "reference",
];

function rowOf({
  number,
  placedAt,
  standing,
  kobo,
  cents,
  ...order
}: FoundOrder): Record<string, string | number | null> {
  const { customer, email, to, how, pieces, carrier, tracking, reference } = order;
  const sums = { naira: kobo / 100, dollars: dollars(usdCents(cents)) };
  return {
    order: number,
    placed: shopTime(placedAt),
    customer,
    email,
    to,
    how,
    pieces,
    state: standing.text,
    ...sums,
    carrier,
    tracking,
    reference,
  };
}

import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { dollars, usdCents } from "#app/money/money.ts";
import { searchWholeOrders, type WholeOrder } from "#app/owner/orders/search.server.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { addressText } from "#app/shipping/address.ts";
import { wayText } from "#app/shipping/ways/text.ts";
import { csvResponse } from "../http/csv.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { searchOf } from "../orders/list/filters.server.ts";

/** The filtered list of orders, all pages, as CSV. */
export function loader({ request, context }: LoaderFunctionArgs): Response {
  const staff = requirePermission(context, "export");
  const filters = new URL(request.url).searchParams;
  const table = { name: "orders", fields: COLUMNS, staff, filters };
  return csvResponse(table, (...page) => searchWholeOrders(db(), searchOf(filters, staff.role), ...page), rowOf);
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
  "phone",
  "address",
  "delivery naira",
  "refunded naira",
  "rate",
  "paid by",
  "delivery way",
  "cash rounded down naira",
];

function rowOf({
  number,
  orderedAt,
  standing,
  kobo,
  cents,
  ...order
}: WholeOrder): Record<string, string | number | null> {
  const { customer, email, to, how, pieces, carrier, tracking, reference, shipping } = order;
  const sums = { naira: kobo / 100, dollars: dollars(usdCents(cents)) };
  return {
    order: number,
    placed: shopTime(orderedAt),
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
    phone: shipping.phoneNumber,
    address: addressText(shipping),
    "delivery naira": order.deliveryKobo / 100,
    "refunded naira": order.refundedKobo / 100,
    rate: order.rate,
    "paid by": order.paidBy,
    "delivery way": shipping.deliveryWay ? wayText(shipping.deliveryWay) : "",
    "cash rounded down naira": order.roundedKobo / 100,
  };
}

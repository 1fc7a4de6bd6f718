import Papa from "papaparse";
import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { dollars, usdCents } from "#app/money/money.ts";
import { type FoundOrder, searchOrders } from "#app/owner/order-search.server.ts";
import { shopDay, shopTime } from "#app/owner/shop-time.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { searchOf } from "../orders/filters.server.ts";

const AT_ONCE = 1000;

/** What a list shows, all of its pages, as CSV. It is written as it is read: its length needs no memory. */
export function loader({ request, context }: LoaderFunctionArgs): Response {
  requirePermission(context, "orders");
  const { before: _, after: __, ...search } = searchOf(new URL(request.url).searchParams);
  let before: string | undefined;
  let isFirst = true;
  const csv = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { orders, older } = await searchOrders(db(), search, { before }, AT_ONCE);
      const text = Papa.unparse(
        { fields: COLUMNS, data: orders.map(rowOf) },
        { header: isFirst, escapeFormulae: true },
      );
      controller.enqueue(new TextEncoder().encode(isFirst ? `\uFEFF${text}\r\n` : `${text}\r\n`)); // the mark tells Excel that it is UTF-8
      isFirst = false;
      before = older;
      if (!older) controller.close();
    },
  });
  return new Response(csv, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="orders-${shopDay()}.csv"`,
    },
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

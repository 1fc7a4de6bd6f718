import type { Db } from "#app/infra/database/db.server.ts";

export const MOST_PRINTED = 200;

/** What is printed for orders: slips and labels. In the order of `numbers`; those that do not exist are left out. */
export async function ordersToPrint(on: Db, numbers: string[]) {
  if (numbers.length === 0) return [];
  const rows = await on
    .selectFrom("orders")
    .leftJoin("sales", "sales.orderId", "orders.id")
    .select(["number", "orders.createdAt as placedAt", "orders.shipping", "orders.lines", "carrier", "tracking"])
    .where("number", "in", numbers)
    .execute();
  return rows.sort((a, b) => numbers.indexOf(a.number) - numbers.indexOf(b.number));
}

import { sql } from "kysely";
import { pieceText } from "#app/catalog/sizes.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { HOUR } from "#app/infra/durations.ts";

/**
 * An event that staff may want to hear of at once. `subject` is unique within the kind. `name`: the order's number,
 * or the size's name; empty for a payment without an order. `path`: its page in the office.
 */
export type Happening = {
  kind: "order" | "payment" | "size";
  subject: string;
  at: Date;
  about: { name: string; kobo?: number; path: string };
};

/**
 * How far each read looks back. Transactions become visible in the order in which they commit, not in that of their
 * times, and the job that reads may stop for a while.
 */
const READ_AGAIN_FOR = HOUR;
const since = sql<Date>`now() - ${millisecondsSql(READ_AGAIN_FOR)}`;

/** Orders that were paid, payments that need a person, and sizes that sold out, of the last hour. */
export async function recentHappenings(on: Db): Promise<Happening[]> {
  return (await Promise.all([newOrders(on), payments(on), soldOut(on)])).flat();
}

async function newOrders(on: Db): Promise<Happening[]> {
  const rows = await on
    .selectFrom("sales")
    .innerJoin("orders", "orders.id", "sales.orderId")
    .select(["orders.number", "sales.kobo", "sales.createdAt"])
    .where("sales.createdAt", ">", since)
    .where("status", "=", "completed")
    .execute();
  return rows.map(({ number, kobo, createdAt: at }) => {
    return { kind: "order", subject: number, at, about: { name: number, kobo: Number(kobo), path: pathOf(number) } };
  });
}

const pathOf = (number: string) => `/orders/${number}`;

/** The payments that Today lists as needing attention. */
async function payments(on: Db): Promise<Happening[]> {
  const rows = await on
    .selectFrom("paymentIssues")
    .leftJoin("payments", "payments.reference", "paymentIssues.reference")
    .leftJoin("orders", "orders.id", "payments.orderId")
    .select(["paymentIssues.reference", "orders.number", "payments.kobo", "paymentIssues.createdAt"])
    .where("paymentIssues.createdAt", ">", since)
    .where("resolvedAt", "is", null)
    .execute();
  return rows.map(({ reference, number, kobo, createdAt: at }) => {
    const path = number ? pathOf(number) : "/orders?view=person";
    const about = { name: number ?? "", ...(kobo !== null && { kobo: Number(kobo) }), path };
    return { kind: "payment", subject: reference, at, about };
  });
}

/** The sizes of visible products that were sold out, each with the sale that took the last piece, or changed to it. */
async function soldOut(on: Db): Promise<Happening[]> {
  const { rows } = await sql<{
    productId: string;
    size: string;
    title: string;
    color: string;
    sale: string;
    at: Date;
  }>`
    select distinct on (product_id, size)
      product_id, size, products.title, products.color, sale, taken.at
    from (
      select product_id, size, sales.id as sale, created_at as at from sales join sale_lines on sale_id = sales.id
      union all
      select product_id, to_size, sale_id, changed_at from size_changes
    ) taken
      join product_sizes using (product_id, size) join products on products.id = product_id
    where taken.at > ${since} and on_hand = 0 and not hidden
    order by product_id, size, taken.at desc`.execute(on);
  return rows.map(({ productId, size, title, color, sale, at }) => {
    const about = { name: pieceText({ title, color, size }), path: `/products/${productId}/stock` };
    return { kind: "size", subject: `${productId} ${size} ${sale}`, at, about };
  });
}

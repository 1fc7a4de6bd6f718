import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { IS_REAL_SALE } from "#app/orders/state.ts";

/** The refunds between two times with their orders, oldest first. `salesReport` contains their sum. */
export async function refundsReport(on: Db, from: Date, until: Date) {
  const rows = await on
    .selectFrom("refunds")
    .innerJoin("sales", "sales.reference", "refunds.reference")
    .innerJoin("orders", "orders.id", "sales.orderId")
    .select(["refunds.createdAt as at", "number", "refunds.kobo", "refunds.state", "reason", "cause", "origin"])
    .select(["refunds.reference", sql<number>`round(refunds.kobo / sales.rate)::int`.as("cents")])
    .where("refunds.state", "in", ["open", "sent", "done"])
    .where(sql<boolean>`${sql.raw(IS_REAL_SALE)}`)
    .where("refunds.createdAt", ">=", from)
    .where("refunds.createdAt", "<", until)
    .orderBy("refunds.createdAt")
    .orderBy("refunds.id")
    .execute();
  return rows.map(({ kobo, ...row }) => ({ ...row, kobo: Number(kobo) }));
}

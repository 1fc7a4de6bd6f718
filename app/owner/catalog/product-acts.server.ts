import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import type { Act } from "../orders/orders.server.ts";

export type ProductAct = Act & { id: string };

/**
 * The changes that people made to a product, except to its stock, sale prices and queue, oldest first. Only those
 * after the act `after`.
 */
export async function actsOnProduct(on: Db | Transaction, id: string, after = "0"): Promise<ProductAct[]> {
  return await on
    .selectFrom("auditLog")
    .leftJoin("staff", "staff.email", "actor")
    .select(["auditLog.id", "at", "action", sql<string>`coalesce(nullif(staff.name, ''), actor)`.as("by")])
    .where("subjectKind", "=", "product")
    .where("subjectId", "=", id)
    .where("action", "not like", "stock %") // a save does not overwrite stock
    .where("action", "not like", "prices %") // nor sale prices
    .where("action", "not like", "queue %") // nor a queue
    .where("auditLog.id", ">", after)
    .orderBy("auditLog.id")
    .execute();
}

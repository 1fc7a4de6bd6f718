import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import type { Act } from "../orders.server.ts";

export type ProductAct = Act & { id: string };

/** What people have done to a product beside its stock, the oldest first; `after` leaves out all up to this act. */
export async function actsOnProduct(on: Db | Transaction, id: string, after = "0"): Promise<ProductAct[]> {
  return await on
    .selectFrom("auditLog")
    .leftJoin("staff", "staff.email", "actor")
    .select(["auditLog.id", "at", "action", sql<string>`coalesce(nullif(staff.name, ''), actor)`.as("by")])
    .where("subjectKind", "=", "product")
    .where("subjectId", "=", id)
    .where("action", "not like", "stock %") // which nobody overwrites here
    .where("auditLog.id", ">", after)
    .orderBy("auditLog.id")
    .execute();
}

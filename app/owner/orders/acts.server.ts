import { sql } from "kysely";
import type { Actor } from "#app/infra/audit.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import type { Act } from "../orders.server.ts";

type Door = Actor["door"];
/** As the audit log has it. */
export type RecordedAct = Act & { id: string; door: Door; done: string | null; failed: FailedRefund[] | null };
/** A refund that had failed, as the log has it of the act that asked for it once more. */
export type FailedRefund = { kobo: number; at: string };

/** Who has done something, with the way they came in where it was not the office. */
export function whoOf({ by, door }: { by: string; door: Door }): string {
  return door === "command" ? `${by} by command` : by;
}

/** What people have done to an order, the oldest first, by the reference of any of its payments; `after` leaves out all up to this act. */
export async function actsOn(on: Db | Transaction, reference: string, after = "0"): Promise<RecordedAct[]> {
  return await acts(on, "order", after)
    .where("subjectId", "in", (eb) =>
      eb
        .selectFrom("payments as one")
        .innerJoin("payments as asked", "asked.orderId", "one.orderId")
        .select("one.reference")
        .where("asked.reference", "=", reference),
    )
    .where("action", "!=", "orders note") // takes nothing from under anybody
    .execute();
}

/** What people have done to things of a kind after this act, the oldest first, with their names. `done`: in the words that they were answered with. */
export function acts(on: Db | Transaction, kind: string, after: string) {
  return on
    .selectFrom("auditLog")
    .leftJoin("staff", "staff.email", "actor")
    .select([
      "auditLog.id",
      "at",
      "action",
      "actor",
      "door",
      sql<string>`coalesce(nullif(staff.name, ''), actor)`.as("by"),
    ])
    .select(sql<string | null>`after ->> 'done'`.as("done"))
    .select(sql<FailedRefund[] | null>`after -> 'failed'`.as("failed"))
    .where("subjectKind", "=", kind)
    .where("auditLog.id", ">", after)
    .orderBy("auditLog.id");
}

import { sql } from "kysely";
import type { Actor } from "#app/infra/audit.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import type { Act } from "./orders.server.ts";

type Door = Actor["door"];
/** An act as the audit log has it. `takenBack`: the id of the act that it took back. */
export type RecordedAct = Act & {
  id: string;
  actor: string;
  door: Door;
  done: string | null;
  failed: FailedRefund[] | null;
  takenBack: string | null;
};
/** A failed refund, as recorded by the act that retried it. */
export type FailedRefund = { kobo: number; at: string };

/** The acts that conflict with no other change of an order. */
export const ASIDE = ["note", "tag", "untag", "add-photo", "remove-photo", "handover"].map((name) => `orders ${name}`);

/** The act as shown to a member. The member's own acts in the office, such as on another device, are by "You". */
export function actTo(reader: string, { at, by, actor, action, door }: RecordedAct): Act {
  return { at, by: actor === reader && door === "office" ? "You" : by, action };
}

/** The actor's name. Acts by a command are marked. */
export function whoOf({ by, door }: { by: string; door: Door }): string {
  return door === "command" ? `${by} by command` : by;
}

/**
 * The acts of people on an order, oldest first, by the reference of any of its payments: only those after the act
 * `after`, and none that conflicts with no other change.
 */
export async function actsOn(on: Db | Transaction, reference: string, after = "0"): Promise<RecordedAct[]> {
  return await allActsOn(on, reference, after).where("action", "not in", ASIDE).execute();
}

/** A query of all acts of people on an order, otherwise as `actsOn`. */
export function allActsOn(on: Db | Transaction, reference: string, after = "0") {
  return acts(on, "order", after).where("subjectId", "in", (eb) =>
    eb
      .selectFrom("payments as one")
      .innerJoin("payments as asked", "asked.orderId", "one.orderId")
      .select("one.reference")
      .where("asked.reference", "=", reference),
  );
}

/**
 * The acts of people on subjects of this kind after the act `after`, oldest first, with the people's names. `done` is
 * the text of the act's result.
 */
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
    .select(sql<string | null>`after ->> 'takenBack'`.as("takenBack"))
    .where("subjectKind", "=", kind)
    .where("auditLog.id", ">", after)
    .orderBy("auditLog.id");
}

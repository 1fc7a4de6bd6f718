import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";

/** Who changes something, and where they came in. */
export type Actor = { name: string; door: "command" | "office" };
export type Subject = { kind: string; id: string };
/** `before` and `after` hold what has changed, and no personal data of customers: the log is never shortened. */
export type Change = { by: Actor; action: string; subject: Subject; before?: object; after?: object };

const json = (value?: object) => (value === undefined ? null : JSON.stringify(value));

/** Writes a change down, in its own transaction. */
export async function recordChange(trx: Transaction, { by, action, subject, before, after }: Change): Promise<void> {
  await trx
    .insertInto("auditLog")
    .values({
      actor: by.name,
      door: by.door,
      action,
      subjectKind: subject.kind,
      subjectId: subject.id,
      before: json(before),
      after: json(after),
    })
    .execute();
}

export type AuditQuery = { subject?: string; since?: Date; limit: number; offset: number };

/** The newest changes first, and how many there are. `subject` is a kind (product), an id, or both (product:eko-jersey). */
export async function listChanges(on: Db, { subject, since, limit, offset }: AuditQuery) {
  let query = on.selectFrom("auditLog");
  if (since) query = query.where("at", ">=", since);
  if (subject)
    query = query.where(sql<boolean>`${subject} in (subject_kind, subject_id, subject_kind || ':' || subject_id)`);
  const changes = await query.selectAll().orderBy("id", "desc").limit(limit).offset(offset).execute();
  const { total } = await query.select(sql<number>`count(*)::int`.as("total")).executeTakeFirstOrThrow();
  return { changes, total };
}

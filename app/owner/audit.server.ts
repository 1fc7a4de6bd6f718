import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";

export { type Actor, type Change, recordChange, type Subject } from "#app/infra/audit.server.ts";

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

import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { readOrderNumber } from "#app/orders/number.ts";

export type AuditQuery = { subject?: string; since?: Date; limit: number; offset: number };

/**
 * The newest changes first, and how many there are. `subject` is a kind (product), an id, or both (product:eko-jersey); an order's is its number or the
 * reference of a payment.
 */
export async function listChanges(on: Db, { subject, since, limit, offset }: AuditQuery) {
  let query = on.selectFrom("auditLog");
  if (since) query = query.where("at", ">=", since);
  if (subject) query = query.where(await isAbout(on, subject));
  // What is about one thing is found by its index and sorted; by the order of all rows PostgreSQL would read what lies between.
  const order = subject ? sql`id + 0` : sql.ref("id");
  const changes = await query.selectAll().orderBy(order, "desc").limit(limit).offset(offset).execute();
  const { total } = await query.select(sql<number>`count(*)::int`.as("total")).executeTakeFirstOrThrow();
  return { changes: await withNumbers(on, changes), total };
}

async function isAbout(on: Db, subject: string) {
  const [, kind = "", id = ""] = /^([^:]*):(.*)$/s.exec(subject) ?? [];
  const number = readOrderNumber(kind === "order" ? id : subject);
  if (number) return isOrder(on, number);
  return sql<boolean>`(subject_kind = ${subject} or subject_id = ${subject} or (subject_kind = ${kind} and subject_id = ${id}))`;
}

/** Whether a row is about the order of this number: the log names an order by the references of its payments. */
async function isOrder(on: Db, number: string) {
  const payments = await on
    .selectFrom("payments")
    .innerJoin("orders", "orders.id", "payments.orderId")
    .select("reference")
    .where("orders.number", "=", number)
    .execute();
  const references = payments.map(({ reference }) => reference);
  return sql<boolean>`(subject_kind = 'order' and subject_id = any(${references}::text[]))`;
}

/** With the number of the order that each is about, where it is about one. */
async function withNumbers<Row extends { subjectKind: string; subjectId: string }>(on: Db, rows: Row[]) {
  const references = rows.flatMap(({ subjectKind, subjectId }) => (subjectKind === "order" ? [subjectId] : []));
  if (references.length === 0) return rows.map((row) => ({ ...row, number: undefined }));
  const known = await on
    .selectFrom("payments")
    .innerJoin("orders", "orders.id", "payments.orderId")
    .select(["reference", "number"])
    .where("reference", "in", references)
    .execute();
  const numbers = new Map(known.map(({ reference, number }) => [reference, number]));
  return rows.map((row) => ({ ...row, number: row.subjectKind === "order" ? numbers.get(row.subjectId) : undefined }));
}

export type AuditFilter = { words?: string; kind?: string; door?: string; since?: Date; until?: Date };
/** `newer` and `older` name the neighbouring pages, where there are any. */
export type AuditPage = { changes: AuditRow[]; newer?: string; older?: string };
export type AuditRow = Awaited<ReturnType<typeof listChanges>>["changes"][number];

/** A page of the log, the newest change first, at the same cost wherever it is. `words`: how the actor, the action or the subject begins, or an order's number. */
export async function auditPage(
  on: Db,
  { words, kind, door, since, until }: AuditFilter,
  { before, after, size }: { before?: string; after?: string; size: number },
): Promise<AuditPage> {
  let query = on.selectFrom("auditLog").selectAll();
  if (kind) query = query.where("subjectKind", "=", kind);
  if (door) query = query.where(sql<boolean>`door = ${door}`);
  if (since) query = query.where("at", ">=", since);
  if (until) query = query.where("at", "<", until);
  const number = readOrderNumber(words ?? "");
  if (number) query = query.where(await isOrder(on, number));
  else if (words)
    query = query.where(
      sql<boolean>`(starts_with(actor, ${words}) or starts_with(action, ${words}) or starts_with(subject_id, ${words}))`,
    );
  if (before) query = query.where("id", "<", before);
  if (after) query = query.where("id", ">", after);
  // A day, and an order, is found by its own index and sorted; by the order of all rows PostgreSQL would read what lies between.
  const order = since || number ? sql`id + 0` : sql.ref("id");
  const found = await query
    .orderBy(order, after ? "asc" : "desc")
    .limit(size + 1)
    .execute();
  const changes = after ? found.slice(0, size).reverse() : found.slice(0, size);
  const isMore = found.length > size;
  const [first, last] = [changes[0]?.id, changes.at(-1)?.id];
  return {
    changes: await withNumbers(on, changes),
    newer: before || (after && isMore) ? first : undefined,
    older: after || isMore ? last : undefined,
  };
}

type Export = {
  /** The command's first word: orders, customers. */
  what: string;
  /** So many rows were handed out. */
  rows: number;
  /** Of one alone, by its id; of those that a list showed, its filters. */
  id?: string;
  filters?: URLSearchParams;
};

/** Writes down that data was taken out of the shop. What was searched for is left out: it may be a name, and the log is never shortened. */
export async function recordExport(on: Db, by: Actor, { what, rows, id, filters }: Export): Promise<void> {
  const chosen = [...(filters ?? [])].map(([name, value]) => [name, name === "q" ? "…" : value.slice(0, 100)]);
  const subject = id ? { kind: "customer", id } : { kind: "export", id: what };
  const after = { rows, ...(chosen.length > 0 && { filters: Object.fromEntries(chosen) }) };
  await retryingTransaction(on, (trx) => recordChange(trx, { by, action: `${what} export`, subject, after }));
}

import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { SUBJECT_KINDS } from "./audit-kinds.ts";
import { type Keyset, type Page, pageOf } from "./keyset.server.ts";

export type AuditQuery = { subject?: string; since?: Date; limit: number; offset: number };

/**
 * Changes in the audit log, newest first, and how many there are. `subject` is a kind (product), an id, or both
 * (product:eko-jersey). An order is named by its number or by a payment's reference.
 */
export async function listChanges(on: Db, { subject, since, limit, offset }: AuditQuery) {
  let query = on.selectFrom("auditLog");
  if (since) query = query.where("at", ">=", since);
  if (subject) query = query.where(await isAboutSql(on, subject));
  // `id + 0` keeps PostgreSQL from walking the primary key: the rows of one subject are found by their index and then
  // sorted, instead of reading all rows in between.
  const order = subject ? sql`id + 0` : sql.ref("id");
  const changes = await query.selectAll().orderBy(order, "desc").limit(limit).offset(offset).execute();
  const { total } = await query.select(sql<number>`count(*)::int`.as("total")).executeTakeFirstOrThrow();
  return { changes: await withNumbers(on, changes), total };
}

/** Whether the audit log may contain this subject. One that is neither a kind nor in the log is a typing error. */
export async function isKnownSubject(on: Db, subject: string): Promise<boolean> {
  if (SUBJECT_KINDS.some((kind) => kind === subject)) return true; // the log may not have a row of it yet
  const row = on
    .selectFrom("auditLog")
    .select("id")
    .where(await isAboutSql(on, subject));
  return (await row.limit(1).executeTakeFirst()) !== undefined;
}

async function isAboutSql(on: Db, subject: string) {
  const [, kind = "", id = ""] = /^([^:]*):(.*)$/s.exec(subject) ?? [];
  const number = readOrderNumber(kind === "order" ? id : subject);
  if (number) return isAboutOrderSql(on, number);
  return sql<boolean>`(subject_kind = ${subject} or subject_id = ${subject} or (subject_kind = ${kind} and subject_id = ${id}))`;
}

/**
 * A condition in SQL: whether a row is about the order of this number. The log names orders by their payments'
 * references.
 */
async function isAboutOrderSql(on: Db, number: string) {
  const payments = await on
    .selectFrom("payments")
    .innerJoin("orders", "orders.id", "payments.orderId")
    .select("reference")
    .where("orders.number", "=", number)
    .execute();
  const references = payments.map(({ reference }) => reference);
  return sql<boolean>`(subject_kind = 'order' and subject_id = any(${references}::text[]))`;
}

/** The rows with the number of the order that each is about; undefined for other rows. */
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
export type AuditRow = Awaited<ReturnType<typeof listChanges>>["changes"][number];

/**
 * A page of the audit log, newest first. Later pages cost no more than the first. `words` is the beginning of the
 * actor, the action or the subject, or an order's number.
 */
export async function auditPage(
  on: Db,
  { words, kind, door, since, until }: AuditFilter,
  keyset: Keyset = {},
  size?: number,
): Promise<Page<AuditRow>> {
  let query = on.selectFrom("auditLog").selectAll();
  if (kind) query = query.where("subjectKind", "=", kind);
  if (door) query = query.where(sql<boolean>`door = ${door}`);
  if (since) query = query.where("at", ">=", since);
  if (until) query = query.where("at", "<", until);
  const number = readOrderNumber(words ?? "");
  if (number) query = query.where(await isAboutOrderSql(on, number));
  else if (words)
    query = query.where(
      sql<boolean>`(starts_with(actor, ${words}) or starts_with(action, ${words}) or starts_with(subject_id, ${words}))`,
    );
  // As above: the rows of a day or an order are found by their index and then sorted.
  const key = since || number ? "id + 0" : "id";
  const { rows, ...ends } = await pageOf(query, { [key]: "bigint" }, keyset, { size });
  return {
    rows: await withNumbers(
      on,
      rows.map(({ place, ...row }) => row),
    ),
    ...ends,
  };
}

type Export = {
  /** The command's first word, such as "orders" or "customers". */
  what: string;
  /** The number of exported rows. */
  rows: number;
  /** `id`: of a single exported customer. `filters`: of an exported list. */
  id?: string;
  filters?: URLSearchParams;
};

/**
 * Records in the audit log that data was exported. The search text is left out, as it may be a name and the log is
 * never shortened.
 */
export async function recordExport(on: Db, by: Actor, { what, rows, id, filters }: Export): Promise<void> {
  const chosen = [...(filters ?? [])].map(([name, value]) => [name, name === "q" ? "…" : value.slice(0, 100)]);
  const subject = id ? { kind: "customer", id } : { kind: "export", id: what };
  const after = { rows, ...(chosen.length > 0 && { filters: Object.fromEntries(chosen) }) };
  await retryingTransaction(on, (trx) => recordChange(trx, { by, action: `${what} export`, subject, after }));
}

/** Records in the audit log that addresses were shown for printing, with the numbers of their orders. */
export async function recordPrint(
  on: Db,
  by: Actor,
  what: "labels" | "slips" | "courier" | "customs",
  numbers: string[],
): Promise<void> {
  if (numbers.length === 0) return;
  const after = { rows: numbers.length, orders: numbers };
  const subject = { kind: "export", id: what };
  await retryingTransaction(on, (trx) => recordChange(trx, { by, action: `orders print ${what}`, subject, after }));
}

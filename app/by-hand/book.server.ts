import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { comparedLetters } from "./means.ts";
import type { CashRounding } from "./rounding.ts";

/** What was taken for a payment. `by` is null if another shop took it, from which the sale was imported. */
export type Taking = { kobo: number; by: string | null; at: Date | null; mode: "test" | "live" | null };

/**
 * What was taken for a payment by this means. The sale of an imported order is in no book: its payment says what was
 * paid. Undefined if nothing was taken.
 */
export async function readTaking(on: Db, means: string, reference: string): Promise<Taking | undefined> {
  const row = await on
    .selectFrom("payments")
    .leftJoin("handTakings", "handTakings.reference", "payments.reference")
    .select(["payments.mode", "payments.paidKobo", "payments.paidAt"])
    .select(["handTakings.kobo", "handTakings.takenBy", "handTakings.takenAt"])
    .where("payments.reference", "=", reference)
    .where("payments.provider", "=", means)
    .executeTakeFirst();
  const sum = row?.kobo ?? row?.paidKobo;
  if (!row || !sum) return;
  const mode = row.mode === "test" || row.mode === "live" ? row.mode : null;
  return { kobo: Number(sum), by: row.takenBy, at: row.takenAt ?? row.paidAt, mode };
}

/**
 * A new entry of the book. `roundingKobo`: by how much cash was rounded down. `bankReference` is that of the transfer,
 * or of the terminal's receipt.
 */
export type NewTaking = {
  reference: string;
  kobo: number;
  roundingKobo: number;
  bankReference: string | null;
  by: string;
  form?: string;
};

export async function addTaking(trx: Transaction, { by: takenBy, form, ...taking }: NewTaking): Promise<void> {
  await trx
    .insertInto("handTakings")
    .values({ ...taking, takenBy, form: form ?? null })
    .execute();
}

/** SQL: by how much cash was rounded down for a sale, in kobo; 0 for all other sales. */
export const ROUNDED_OF_SALE =
  "coalesce((select rounding_kobo from hand_takings where hand_takings.reference = sales.reference), 0)";

/** Whether cash is rounded down now. */
export async function cashRounding(on: Db | Transaction): Promise<CashRounding> {
  const row = await on.selectFrom("shopSettings").select("cashRounding").executeTakeFirst();
  return row?.cashRounding ?? "down";
}

/**
 * The number of the order that was paid with this bank reference. Undefined if there is none. Locks the reference until
 * the transaction ends, so that it cannot be used twice at once.
 */
export async function orderPaidWith(trx: Transaction, bankReference: string): Promise<string | undefined> {
  const letters = comparedLetters(bankReference);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bank reference ${letters}`}, 0))`.execute(trx);
  const before = await trx
    .selectFrom("handTakings")
    .innerJoin("payments", "payments.reference", "handTakings.reference")
    .innerJoin("orders", "orders.id", "payments.orderId")
    .select("orders.number")
    .where("bankReference", "is not", null)
    .where(sql<boolean>`upper(regexp_replace(bank_reference, '[^A-Za-z0-9]', '', 'g')) = ${letters}`)
    .executeTakeFirst();
  return before?.number;
}

export type HandRefund = { id: string; reference: string; kobo: number; note: string; isGiven: boolean };

/** Records a refund, which a member of staff has to give by hand. */
export async function addHandRefund(
  on: Db,
  refund: { reference: string; kobo: number; note: string },
): Promise<HandRefund> {
  const { id } = await on.insertInto("handRefunds").values(refund).returning("id").executeTakeFirstOrThrow();
  return { id, ...refund, isGiven: false };
}

/** The refunds of a payment, given and not, with those of the shop from which the sale was imported. */
export async function listHandRefunds(on: Db | Transaction, reference: string): Promise<HandRefund[]> {
  const rows = await on
    .selectFrom("handRefunds")
    .select(["id", "reference", "kobo", "note", "givenAt"])
    .where("reference", "=", reference)
    .orderBy("askedAt")
    .execute();
  const backs = rows.map(({ kobo, givenAt, ...row }) => ({ ...row, kobo: Number(kobo), isGiven: givenAt !== null }));
  return [...(await givenBefore(on, reference)), ...backs];
}

/** The refunds that were imported with a sale, which are not in the book. As there, the note has the refund's id. */
async function givenBefore(on: Db | Transaction, reference: string): Promise<HandRefund[]> {
  const rows = await on
    .selectFrom("refunds")
    .innerJoin("payments", "payments.reference", "refunds.reference")
    .innerJoin("orders", "orders.id", "payments.orderId")
    .select(["refunds.id", "refunds.kobo"])
    .where("refunds.reference", "=", reference)
    .where("refunds.state", "=", "done")
    .where(sql<boolean>`orders.cart_version = 0`)
    .where(
      sql<boolean>`not exists (select from hand_refunds book where book.reference = refunds.reference and position(refunds.id::text in book.note) > 0)`,
    )
    .execute();
  return rows.map(({ id, kobo }) => ({ id, reference, kobo: Number(kobo), note: id, isGiven: true }));
}

/** Marks money as given back. What was marked before keeps who gave it, and when. */
export async function markGiven(
  trx: Transaction,
  ids: string[],
  { by: givenBy, bankReference }: { by: string; bankReference: string | null },
): Promise<void> {
  await trx
    .updateTable("handRefunds")
    .set({ givenBy, givenAt: sql<Date>`now()`, bankReference })
    .where("id", "in", ids)
    .where("givenAt", "is", null)
    .execute();
}

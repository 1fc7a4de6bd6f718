import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { env } from "#app/infra/env.server.ts";
import { descriptionOf } from "#app/providers/descriptions.ts";
import { longDate } from "#app/ui/long-date.ts";
import { type CreditNote, creditNumber, type Receipt, receiptNumber } from "./receipt.ts";

const TIME = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: env.SHOP_TIMEZONE,
});

/** Sweden writes dates as ISO 8601 does. */
const ISO_DATE = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: env.SHOP_TIMEZONE });

const inShopZone = (at: Date) => ({
  day: longDate(at, env.SHOP_TIMEZONE),
  date: ISO_DATE.format(at),
  time: TIME.format(at),
});

/**
 * The receipt of a sale, by the reference of the payment that made it, with its credit notes, oldest first. Undefined
 * if it has none. Callers check whose order it is.
 */
export async function readReceipt(on: Db | Transaction, reference: string): Promise<Receipt | undefined> {
  const row = await on
    .selectFrom("receipts")
    .innerJoin("sales", "sales.id", "receipts.saleId")
    .innerJoin("orders", "orders.id", "sales.orderId")
    .innerJoin("payments", "payments.reference", "sales.reference")
    .select(["receipts.saleId", "receipts.year", "receipts.number", "receipts.kobo", "vatTenths", "vatKobo"])
    .select(["seller", "buyer", "contents", "sales.createdAt", "sales.totalCents", "sales.rate", "sales.reference"])
    .select(["orders.number as order", "payments.mode", "payments.provider"])
    .where("sales.reference", "=", reference)
    .executeTakeFirst();
  if (!row) return;
  const { saleId, year, number, kobo, vatKobo, createdAt, mode, provider, ...receipt } = row;
  return {
    ...receipt,
    ...inShopZone(createdAt),
    number: receiptNumber(year, number),
    kobo: Number(kobo),
    vatKobo: Number(vatKobo),
    paidBy: descriptionOf(provider).name,
    isTest: mode === "test",
    credits: await creditNotesOf(on, saleId),
  };
}

async function creditNotesOf(on: Db | Transaction, saleId: string): Promise<CreditNote[]> {
  const rows = await on
    .selectFrom("creditNotes")
    .select(["year", "number", "kobo", "vatKobo", "parts", "givenAt"])
    .where("saleId", "=", saleId)
    .orderBy("year")
    .orderBy("number")
    .execute();
  return rows.map(({ year, number, kobo, vatKobo, parts, givenAt }) => ({
    ...inShopZone(givenAt),
    parts,
    number: creditNumber(year, number),
    kobo: Number(kobo),
    vatKobo: Number(vatKobo),
  }));
}

const numberOfSale = statement(
  { takes: { saleId: sqlType.text }, gives: { year: sqlType.int, number: sqlType.int } },
  "select year, number from receipts where sale_id = :saleId",
);

/** The number of a sale's receipt. Undefined if it has none. */
export async function receiptNumberOf(on: Db, saleId: string): Promise<string | undefined> {
  const [row] = await numberOfSale(on, { saleId });
  return row && receiptNumber(row.year, row.number);
}

const receiptOrDue = statement(
  { takes: { saleId: sqlType.text }, gives: { isThere: sqlType.bool } },
  `select exists (select from receipts where sale_id = :saleId) or exists (
     select from receipts_due where sale_id = :saleId and exists (select from receipt_settings where since is not null)
   ) as is_there`,
);

/** Whether a sale has a receipt, or is about to get its number. */
export async function hasReceipt(on: Db, saleId: string): Promise<boolean> {
  const [row] = await receiptOrDue(on, { saleId });
  return row?.isThere ?? false;
}

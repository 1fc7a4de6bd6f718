import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { creditNumber, receiptNumber } from "#app/orders/receipts/receipt.ts";

/**
 * A receipt or a credit note in the bookkeeper's list. `receipt`: the receipt that a credit note belongs to. `at`: when
 * it was sold or given back. `vatTenths`: the rate in tenths of a percent; null if the shop had none.
 */
export type ReceiptRow = {
  kind: "receipt" | "credit note";
  number: string;
  receipt: string | null;
  order: string;
  at: Date;
  kobo: number;
  vatTenths: number | null;
  vatKobo: number;
};

const LISTED = sql`(
  select 'receipt' as kind, r.year, r.number, null::int as receipt_year, null::int as receipt_number,
    o.number as "order", s.created_at as at, r.kobo, r.vat_tenths, r.vat_kobo
  from receipts r join sales s on s.id = r.sale_id join orders o on o.id = s.order_id
  union all
  select 'credit note', c.year, c.number, r.year, r.number, o.number, c.given_at, c.kobo, r.vat_tenths, c.vat_kobo
  from credit_notes c join receipts r on r.sale_id = c.sale_id
  join sales s on s.id = r.sale_id join orders o on o.id = s.order_id)`;

type Listed = Pick<ReceiptRow, "kind" | "order" | "at" | "vatTenths"> & {
  year: number;
  number: number;
  receiptYear: number | null;
  receiptNumber: number | null;
  kobo: string;
  vatKobo: string;
};

/** The receipts and then the credit notes of sales and refunds from this time on, by their numbers. */
export async function listReceipts(
  on: Db,
  { from, limit, offset }: { from?: Date; limit: number; offset: number },
): Promise<{ rows: ReceiptRow[]; total: number }> {
  const since = from ?? new Date(0);
  const { rows } = await sql<Listed>`
    select * from ${LISTED} listed where listed.at >= ${since}
    order by kind desc, year, number limit ${limit} offset ${offset}`.execute(on);
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from ${LISTED} listed where listed.at >= ${since}`.execute(on);
  return { rows: rows.map(rowOf), total: counted.rows[0]?.total ?? 0 };
}

function rowOf({ year, number, receiptYear, receiptNumber: of, ...row }: Listed): ReceiptRow {
  const numbers =
    receiptYear === null || of === null
      ? { number: receiptNumber(year, number), receipt: null }
      : { number: creditNumber(year, number), receipt: receiptNumber(receiptYear, of) };
  return { ...row, ...numbers, kobo: Number(row.kobo), vatKobo: Number(row.vatKobo) };
}

/** How many receipts and credit notes there are. */
export async function countReceipts(on: Db): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select ((select count(*) from receipts) + (select count(*) from credit_notes))::int as total`.execute(on);
  return rows[0]?.total ?? 0;
}

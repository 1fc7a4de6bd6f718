import { setTimeout as sleep } from "node:timers/promises";
import { type Selectable, sql } from "kysely";
import { ROUNDED_OF_SALE } from "#app/by-hand/book.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { MINUTE, SECOND } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";
import { NOBODY } from "#app/infra/mail.server.ts";
import { FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { IS_MOVED_IN } from "#app/orders/history.server.ts";
import { lockNumbers } from "#app/orders/receipts/lock.server.ts";
import { contentsOf, creditOf, vatIn } from "#app/orders/receipts/receipt.ts";
import { partTexts } from "#app/orders/view.ts";
import { addressLines } from "#app/shipping/address.ts";
import { isNigeria } from "#app/shipping/nigeria.ts";
import type { Database, ReceiptLine } from "#db/types.ts";
import { shopDayOf } from "../shop-time.server.ts";
import type { VatRate } from "./settings.ts";

type Settings = Selectable<Database["receiptSettings"]>;

/** The most numbers that are drawn in one transaction. */
export const AT_ONCE = 100;

/** The id of the sale or the refund that is due. */
const DUE_TEXT = "coalesce(sale_id, refund_id::text)";

const anyDue = statement(
  { takes: { failed: sqlType.textList() }, gives: {} },
  `select from receipts_due where ${DUE_TEXT} not in (select unnest(:failed::text[]))
     and exists (select from receipt_settings where since is not null) limit 1`,
);

/**
 * Draws the numbers of receipts and credit notes that are due, at most `AT_ONCE`. Any number of processes may run it at
 * once: each number is drawn once, and none is left out, since numbers, receipts and what was due are one transaction.
 * What cannot be made draws no number and stays due: its sale or refund is logged and added to `failed`, and what is in
 * `failed` is not tried. Returns how many were due.
 */
export async function numberReceipts(on: Db, failed: Set<string>): Promise<number> {
  if ((await anyDue(on, { failed: [...failed] })).length === 0) return 0;
  return retryingTransaction(on, async (trx) => {
    await lockNumbers(trx); // the statements after it see all that the last transaction has drawn
    return numberDue(trx, failed);
  });
}

/** The same in a transaction that has locked the numbers. */
export async function numberDue(trx: Transaction, failed: Set<string>): Promise<number> {
  const settings = await trx
    .selectFrom("receiptSettings")
    .selectAll()
    .where("since", "is not", null)
    .executeTakeFirst();
  if (!settings) return 0;
  const due = await trx
    .selectFrom("receiptsDue")
    .selectAll()
    .where(sql<boolean>`${sql.raw(DUE_TEXT)} not in (select unnest(${[...failed]}::text[]))`)
    .orderBy("id")
    .limit(AT_ONCE)
    .execute();
  if (due.length === 0) return 0;
  // A refund is due after its sale, so its receipt has a number already, or gets it in this transaction.
  await numberSales(
    trx,
    due.flatMap(({ saleId }) => saleId ?? []),
    settings,
    failed,
  );
  const refunds = due.flatMap(({ refundId, at }) => (refundId ? [[refundId, at] as const] : []));
  await numberRefunds(trx, new Map(refunds), failed);
  const numbered = due.filter(({ saleId, refundId }) => !failed.has(saleId ?? refundId ?? "")).map(({ id }) => id);
  await trx.deleteFrom("receiptsDue").where(sql<boolean>`id = any(${numbered}::bigint[])`).execute();
  return due.length;
}

/** What `make` returns. If it throws, the sale or refund `of` is logged and added to `failed`. */
function made<T>(of: string, failed: Set<string>, make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    failed.add(of);
    log.error({ err: error, of }, "numbering a receipt");
    return;
  }
}

const SOLD_LINES = sql<Omit<ReceiptLine, "kobo">[]>`coalesce((
  select jsonb_agg(jsonb_build_object('title', title, 'color', color, 'size', size, 'quantity', quantity, 'cents', price_cents) order by position)
  from sale_lines where sale_id = sales.id), '[]')`;

/** Gives each of these sales a receipt, in the order of their time. Sales of a trial and imported ones get none. */
async function numberSales(trx: Transaction, ids: string[], settings: Settings, failed: Set<string>): Promise<void> {
  if (ids.length === 0) return;
  const sales = await trx
    .selectFrom("sales")
    .innerJoin("orders", "orders.id", "sales.orderId")
    .select(["sales.id", "sales.email", "sales.createdAt", "sales.kobo", "sales.rate", "sales.shipping"])
    .select(["sales.subtotalCents", "sales.shippingCents", SOLD_LINES.as("lines")])
    .select(sql<string>`${sql.raw(ROUNDED_OF_SALE)}`.as("rounded"))
    .where("sales.id", "in", ids)
    .where("orders.trial", "=", false)
    .where(sql<boolean>`not ${IS_MOVED_IN}`)
    .where(sql<boolean>`sales.created_at >= (select since from receipt_settings)`)
    .where(sql<boolean>`not exists (select from receipts where receipts.sale_id = sales.id)`)
    .orderBy("sales.createdAt")
    .orderBy("sales.id")
    .execute();
  const { seller: name, address, tin, showsVat } = settings;
  const seller = JSON.stringify({ name, address, tin, showsVat });
  const rates = await vatRates(trx);
  const next = counter(trx, "receipts");
  for (const { id: saleId, email, createdAt, shipping, lines, rounded, ...sale } of sales) {
    const day = shopDayOf(createdAt);
    const kobo = Number(sale.kobo);
    const receipt = made(saleId, failed, () => {
      const isAbroad = !isNigeria(shipping.country);
      const vatTenths = rateOn(rates, day, isAbroad);
      const rate = parseRate(sale.rate) ?? FALLBACK_RATE;
      const contents = JSON.stringify(
        contentsOf({ ...sale, kobo, roundedKobo: Number(rounded), rate, isAbroad }, lines),
      );
      const known = addressLines({ ...shipping, phoneNumber: "" });
      const buyer = email === NOBODY ? null : JSON.stringify(known); // null: the account is gone
      return { vatTenths, vatKobo: vatIn(kobo, vatTenths), contents, buyer };
    });
    if (!receipt) continue;
    await trx
      .insertInto("receipts")
      .values({ saleId, ...(await next(day)), kobo, seller, ...receipt })
      .execute();
  }
}

/**
 * Gives each of these refunds, with the time at which it was done, a credit note, if its sale has a receipt. If the
 * provider later says that more has gone back, the refund gets a second one, for the difference.
 */
async function numberRefunds(trx: Transaction, due: Map<string, Date>, failed: Set<string>): Promise<void> {
  if (due.size === 0) return;
  const refunds = await trx
    .selectFrom("refunds")
    .innerJoin("sales", "sales.reference", "refunds.reference")
    .leftJoin("receipts", "receipts.saleId", "sales.id")
    .innerJoin("orders", "orders.id", "sales.orderId")
    .select(["refunds.id", "refunds.kobo", "refunds.pieces", "refunds.withShipping", "orders.lines"])
    .select(["sales.id as saleId", "receipts.kobo as receiptKobo", "receipts.vatTenths"])
    .where("refunds.id", "in", [...due.keys()])
    .where("refunds.state", "=", "done")
    .execute();
  const found = new Map(refunds.map((refund) => [refund.id, refund]));
  const next = counter(trx, "credit_notes");
  for (const [refundId, givenAt] of due) {
    const refund = found.get(refundId);
    if (!refund) continue;
    const { saleId, receiptKobo, vatTenths, lines } = refund;
    if (receiptKobo === null && failed.has(saleId)) failed.add(refundId); // it waits for its receipt
    if (receiptKobo === null) continue;
    const receipt = { kobo: Number(receiptKobo), vatTenths };
    const credited = await creditedOf(trx, saleId, refundId);
    const credit = creditOf(receipt, credited.all, Number(refund.kobo) - credited.ofRefund);
    if (credit.kobo <= 0) continue; // it has its credit note, or nothing of the receipt's sum is left
    const parts = made(refundId, failed, () => JSON.stringify(credited.ofRefund > 0 ? [] : partTexts(lines, refund)));
    if (!parts) continue;
    await trx
      .insertInto("creditNotes")
      .values({ refundId, saleId, ...(await next(shopDayOf(givenAt))), ...credit, parts, givenAt })
      .execute();
  }
}

/** The sum of a receipt's credit notes, and of those of one refund. */
async function creditedOf(
  trx: Transaction,
  saleId: string,
  refundId: string,
): Promise<{ all: number; ofRefund: number }> {
  const { all, ofRefund } = await trx
    .selectFrom("creditNotes")
    .select(sql<string>`coalesce(sum(kobo), 0)`.as("all"))
    .select(sql<string>`coalesce(sum(kobo) filter (where refund_id = ${refundId}), 0)`.as("ofRefund"))
    .where("saleId", "=", saleId)
    .executeTakeFirstOrThrow();
  return { all: Number(all), ofRefund: Number(ofRefund) };
}

/** Counts on in the series of the day's year. Each caller has its own, and has locked the numbers. */
function counter(trx: Transaction, table: "receipts" | "credit_notes") {
  const last = new Map<number, number>();
  return async (day: string): Promise<{ year: number; number: number }> => {
    const year = Number(day.slice(0, 4));
    const number = (last.get(year) ?? (await lastNumber(trx, table, year))) + 1;
    last.set(year, number);
    return { year, number };
  };
}

async function lastNumber(trx: Transaction, table: string, year: number): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(number), 0)::int as last from ${sql.table(table)} where year = ${year}`.execute(trx);
  return rows[0]?.last ?? 0;
}

/** The rates of VAT, the newest first. */
export function vatRates(on: Db | Transaction): Promise<VatRate[]> {
  return on.selectFrom("vatRates").selectAll().orderBy("fromDay", "desc").execute();
}

/** The rate of a sale in tenths of a percent: none abroad, and null before the shop's first one. */
function rateOn(rates: VatRate[], day: string, isAbroad: boolean): number | null {
  const rate = rates.find(({ fromDay }) => fromDay <= day);
  return rate ? (isAbroad ? 0 : rate.tenths) : null;
}

/** How often a process asks whether numbers are due. */
const REST = SECOND / 2;
/** How long what could not be numbered waits for the next try. */
const RETRY = 10 * MINUTE;

/** What could not be numbered in this process since `clearedAt`. */
const failed = new Set<string>();
let clearedAt = 0;

/** The sales and refunds that are not tried now, since this process could not number them within `RETRY`. */
export function failedLately(): Set<string> {
  if (performance.now() >= clearedAt + RETRY) {
    failed.clear();
    clearedAt = performance.now();
  }
  return failed;
}

/** Draws numbers in a loop. The returned function stops the loop and resolves when the current round has ended. */
export function startNumbering(on: Db): () => Promise<void> {
  const ending = new AbortController();
  const rounds = (async () => {
    while (!ending.signal.aborted) {
      const drawn = await numberReceipts(on, failedLately()).catch((error) => {
        log.error({ err: error }, "numbering receipts");
        return 0;
      });
      if (drawn === 0) await sleep(REST, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  })();
  return () => {
    ending.abort();
    return rounds;
  };
}

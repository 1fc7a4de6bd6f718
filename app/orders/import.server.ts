import { sql } from "kysely";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { moveOrder } from "./lifecycle.server.ts";
import type { PastRefund, PastSale } from "./past-sale.ts";
import { balanceOf } from "./refund-rows.server.ts";

/**
 * Writes a sale of the past: sold and paid, its units counted as once supplied, so that the stock stays as it is. False: a sale with this
 * reference is there already.
 */
export async function importSale(trx: Transaction, sale: PastSale): Promise<boolean> {
  if (await isKnown(trx, sale.reference)) return false;
  const user = await trx.selectFrom("users").select("id").where("id", "=", sale.userId).executeTakeFirst();
  const userId = user?.id ?? null;
  const orderId = await insertOrder(trx, userId, sale);
  await insertPayment(trx, orderId, sale);
  const saleId = await insertSale(trx, userId, orderId, sale);
  await recordAsMailed(trx, `sale:${saleId}`, sale.at);
  for (const refund of sale.refunds) await insertRefund(trx, sale.reference, refund);
  const { refunded } = await balanceOf(trx, sale.reference);
  if (refunded < sale.sums.kobo) return true;
  await trx.updateTable("sales").set({ status: "refunded" }).where("id", "=", saleId).execute();
  await moveOrder(trx, orderId, "refunded");
  return true;
}

async function isKnown(trx: Transaction, reference: string): Promise<boolean> {
  const known = await trx
    .selectFrom("payments")
    .select("reference")
    .where("reference", "=", reference)
    .executeTakeFirst();
  return known !== undefined;
}

async function insertOrder(trx: Transaction, userId: string | null, sale: PastSale): Promise<string> {
  const { email, shipping, lines, sums, at } = sale;
  const { id } = await trx
    .insertInto("orders")
    .values({
      ...sums,
      userId,
      email,
      shipping: JSON.stringify(shipping),
      state: "sold",
      cartVersion: "0",
      lines: JSON.stringify(lines),
      rateAt: at,
      expiresAt: at,
      createdAt: at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

async function insertPayment(trx: Transaction, orderId: string, { reference, sums, at }: PastSale): Promise<void> {
  const { kobo } = sums;
  const paid = { providerStatus: "success", paidKobo: kobo, paidCurrency: "NGN", paidAt: at };
  await trx
    .insertInto("payments")
    .values({ reference, orderId, state: "paid", kobo, ...paid, createdAt: at })
    .execute();
}

async function insertSale(trx: Transaction, userId: string | null, orderId: string, sale: PastSale): Promise<string> {
  const { reference, email, shipping, sums, lines, at } = sale;
  const { id } = await trx
    .insertInto("sales")
    .values({ ...sums, userId, email, shipping: JSON.stringify(shipping), orderId, reference, createdAt: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (const [position, line] of lines.entries()) {
    await trx
      .insertInto("saleLines")
      .values({ ...line, image: null, saleId: id, position })
      .execute();
    await sql`
      update product_sizes set supplied = supplied + ${line.quantity}, sold = sold + ${line.quantity}
      where product_id = ${line.productId} and size = ${line.size}`.execute(trx);
  }
  return id;
}

async function insertRefund(
  trx: Transaction,
  reference: string,
  { kobo, pieces, withShipping, at }: PastRefund,
): Promise<void> {
  const times = { createdAt: at, updatedAt: at };
  const { id } = await trx
    .insertInto("refunds")
    .values({
      reference,
      kobo,
      reason: "returned",
      state: "done",
      pieces: JSON.stringify(pieces),
      withShipping,
      ...times,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (const key of [`refund:${id}`, `refund-done:${id}`]) await recordAsMailed(trx, key, at);
}

/** The mail of it went out long ago, from the old shop. */
async function recordAsMailed(trx: Transaction, key: string, at: Date): Promise<void> {
  await trx
    .insertInto("outbox")
    .values({
      idempotencyKey: key,
      recipient: "moved in",
      kind: "moved-in",
      data: "{}",
      messageId: `moved-in:${key}`,
      state: "sent",
      sentAt: at,
    })
    .execute();
}

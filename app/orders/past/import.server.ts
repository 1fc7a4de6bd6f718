import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Transaction } from "#app/infra/database/db.server.ts";
import type { Imported, Misfit } from "#app/infra/document/read.ts";
import type { OrderLine } from "#db/types.ts";
import { recordIssue } from "../issues.server.ts";
import { moveOrder } from "../lifecycle.server.ts";
import { balanceOf } from "../refund-rows.server.ts";
import type { PastPictures } from "./pictures.server.ts";
import type { PastRefund, PastSale } from "./sale.ts";

/**
 * Imports a sale of another shop as sold and paid. Its units are added to the supplied units and to the sold ones, so
 * that the stock stays the same. If the reference already exists, nothing changes and `isNew` is false.
 */
export async function importSale(
  trx: Transaction,
  sale: PastSale,
  pictures: PastPictures = new Map(),
): Promise<Imported> {
  if (await isKnown(trx, sale.reference)) return { isNew: false, leftOut: [] };
  const { lines, leftOut } = withPictures(sale, pictures);
  const user = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", sale.userId ?? "")
    .executeTakeFirst();
  if (sale.userId && !user)
    leftOut.push({ field: "userId", reason: `there is no customer '${sale.userId}': it is kept without one` });
  const userId = user?.id ?? null;
  const orderId = await insertOrder(trx, userId, sale, lines);
  await insertPayment(trx, orderId, sale);
  const saleId = await insertSale(trx, userId, orderId, sale, lines);
  await recordAsMailed(trx, `sale:${saleId}`, sale.paidAt);
  for (const refund of sale.refunds) await insertRefund(trx, sale.reference, refund);
  await endAsBefore(trx, { ...sale, id: saleId }, orderId);
  return { isNew: true, leftOut };
}

function withPictures({ lines }: PastSale, pictures: PastPictures): { lines: OrderLine[]; leftOut: Misfit[] } {
  const leftOut: Misfit[] = [];
  const shown = lines.map(({ picture, ...line }, index): OrderLine => {
    const found = picture === undefined ? undefined : pictures.get(picture);
    if (!found) return { ...line, image: null };
    if (!("problem" in found)) return { ...line, image: found };
    leftOut.push({ field: `products.${index}.images`, reason: `${picture}: ${found.problem}` });
    return { ...line, image: null };
  });
  return { lines: shown, leftOut };
}

async function isKnown(trx: Transaction, reference: string): Promise<boolean> {
  const known = await trx
    .selectFrom("payments")
    .select("reference")
    .where("reference", "=", reference)
    .executeTakeFirst();
  return known !== undefined;
}

async function insertOrder(
  trx: Transaction,
  userId: string | null,
  { email, shipping, sums, orderedAt }: PastSale,
  lines: OrderLine[],
): Promise<string> {
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
      rateAt: orderedAt,
      expiresAt: orderedAt,
      createdAt: orderedAt,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

async function insertPayment(
  trx: Transaction,
  orderId: string,
  { reference, provider, sums, paidAt }: PastSale,
): Promise<void> {
  const { kobo } = sums;
  const paid = { providerStatus: "success", paidKobo: kobo, paidCurrency: "NGN", paidAt };
  await trx
    .insertInto("payments")
    .values({ reference, orderId, provider, state: "paid", kobo, mode: "live", ...paid, createdAt: paidAt })
    .execute();
}

async function insertSale(
  trx: Transaction,
  userId: string | null,
  orderId: string,
  { id: given, reference, email, shipping, sums, importedStatus, orderedAt, delivery }: PastSale,
  lines: OrderLine[],
): Promise<string> {
  const id = given && !(await isSaleId(trx, given)) ? given : randomUUID();
  const whose = { userId, email, shipping: JSON.stringify(shipping) };
  await trx
    .insertInto("sales")
    .values({
      ...sums,
      ...whose,
      ...delivery,
      id,
      orderId,
      reference,
      importedStatus,
      greetingDismissedAt: orderedAt, // the other shop has thanked the shopper
      createdAt: orderedAt,
    })
    .execute();
  for (const [position, { image, ...line }] of lines.entries()) {
    await trx
      .insertInto("saleLines")
      .values({ ...line, image: image && JSON.stringify(image), saleId: id, position })
      .execute();
    await sql`
      update product_sizes set supplied = supplied + ${line.quantity}, sold = sold + ${line.quantity}
      where product_id = ${line.productId} and size = ${line.size}`.execute(trx);
  }
  return id;
}

async function isSaleId(trx: Transaction, id: string): Promise<boolean> {
  return (await trx.selectFrom("sales").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
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

/**
 * Marks the imported sale as refunded if all of its money had gone back. A refund that was still under way becomes an
 * issue for the owner, as this shop has not requested it.
 */
async function endAsBefore(
  trx: Transaction,
  { id, reference, sums, status, refundingKobo }: PastSale,
  orderId: string,
): Promise<void> {
  const { refunded } = await balanceOf(trx, reference);
  const isRefunded = refunded >= sums.kobo;
  if (refundingKobo > 0 || (status === "refunding" && !isRefunded))
    await recordIssue(trx, reference, "refund-failed", {
      amount: refundingKobo || sums.kobo - refunded,
      currency: "NGN",
    });
  const ends = isRefunded ? "refunded" : status === "refunding" ? "refunding" : undefined;
  if (!ends) return;
  await trx
    .updateTable("sales")
    .set({ status: ends })
    .where("id", "=", id ?? "")
    .execute();
  await moveOrder(trx, orderId, ends === "refunded" ? "refunded" : "refund");
}

/** Records a mail as sent, because the old shop has sent it. */
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

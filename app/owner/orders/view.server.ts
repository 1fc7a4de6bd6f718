import { sql } from "kysely";
import { ROUNDED_OF_SALE } from "#app/by-hand/book.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { HANDOVER_LINK } from "#app/orders/handover/handover.server.ts";
import type { PaymentIssueKind } from "#app/orders/issue-kind.ts";
import { dueOf } from "#app/orders/issues.server.ts";
import { HAS_PIECES_LEFT } from "#app/orders/pieces-left.server.ts";
import { refundableOf } from "#app/payments/refunds/refund-sale.server.ts";
import { actsOn } from "./acts.server.ts";
import { IS_GIVEN_BACK } from "./may-leave.server.ts";
import { PARCEL_PICTURES } from "./parcels/pictures.server.ts";
import { refusalsOf } from "./refusals.server.ts";
import { OPEN_ISSUES, ownersOrders, withSums } from "./search.server.ts";
import { standingOf } from "./standing.ts";

/** An order as the staff see it, by its number. Undefined if there is none. `version` is the last act on it. */
export async function viewOrder(on: Db, number: string) {
  const row = await ownersOrders(on)
    .select(["orders.id", "orders.userId", "sales.id as saleId"])
    .select(["orders.subtotalCents", "orders.shippingCents", "orders.totalCents", "orders.rate", "orders.rateAt"])
    .select(["paid.paidKobo", "paid.refundedKobo", "paid.refundingKobo", "paid.providerRefundedKobo", "paid.provider"])
    .select([OPEN_ISSUES.as("issues"), IS_GIVEN_BACK.as("isGivenBack"), HAS_PIECES_LEFT.as("hasPieces")])
    .select(sql<boolean>`exists (select from staff_orders where order_id = orders.id)`.as("isByStaff"))
    .select([HANDOVER_LINK.as("handoverLink"), PARCEL_PICTURES.as("pictures")])
    .select(sql<string>`${sql.raw(ROUNDED_OF_SALE)}`.as("roundedKobo"))
    .where("number", "=", number)
    .executeTakeFirst();
  if (!row) return;
  const { reference } = row;
  const { paidKobo, providerRefundedKobo, roundedKobo, ...order } = row;
  return {
    ...withSums(order),
    standing: standingOf(row),
    paidKobo: paidKobo === null ? null : Number(paidKobo),
    roundedKobo: Number(roundedKobo),
    providerRefundedKobo: providerRefundedKobo === null ? null : Number(providerRefundedKobo),
    version: (await actsOn(on, reference)).at(-1)?.id ?? "0",
    refundable: row.saleId && row.state === "sold" && !row.trial ? await refundableOf(on, reference, row) : undefined,
    stock: await stockOf(on, row.lines),
  };
}

/**
 * An order with its lines, address and payments, by the reference of any of its payments. Undefined if there is none.
 */
export async function showOrder(on: Db, reference: string) {
  const order = await ownersOrders(on)
    .select(["paid.refundedKobo", "paid.refundingKobo"])
    .select(sql<number>`${sql.raw(ROUNDED_OF_SALE)}::int`.as("cashRoundedKobo"))
    .where("orders.id", "=", (eb) =>
      eb.selectFrom("payments").select("orderId").where("payments.reference", "=", reference),
    )
    .executeTakeFirst();
  if (!order) return;
  const payments = await on
    .selectFrom("payments as one")
    .innerJoin("payments as asked", "asked.orderId", "one.orderId")
    .select(["one.reference", "one.provider", "one.state", "one.providerStatus", "one.paidKobo", "one.paidAt"])
    .where("asked.reference", "=", reference)
    .orderBy("one.createdAt")
    .execute();
  const references = payments.map((one) => one.reference);
  const refunds = await on
    .selectFrom("refunds")
    .select(["reference", "kobo", "state", "origin", "reason", "pieces", "withShipping", "restock"])
    .select(["lastError", "createdAt", "updatedAt"])
    .where("reference", "in", references)
    .orderBy("createdAt")
    .execute();
  const refusals = await refusalsOf(on, references);
  const refundsOf = (payment: string) =>
    refunds.flatMap(({ reference, kobo, ...one }) => (reference === payment ? [{ ...one, kobo: Number(kobo) }] : []));
  const refusalsOfOne = (payment: string) =>
    refusals.flatMap(({ reference, ...one }) => (reference === payment ? [one] : []));
  return {
    ...withSums(order),
    payments: payments.map((one) => ({
      ...one,
      refunds: refundsOf(one.reference),
      refusals: refusalsOfOne(one.reference),
    })),
  };
}

/**
 * An open issue with the payment it is about. `dueAt` is the deadline for answering a dispute, if the provider has
 * given one.
 */
export type OpenIssue = { reference: string; kind: PaymentIssueKind; provider: string; dueAt?: Date };

export async function openIssues(on: Db, orderId: string): Promise<OpenIssue[]> {
  const rows = await on
    .selectFrom("paymentIssues")
    .innerJoin("payments", "payments.reference", "paymentIssues.reference")
    .select(["paymentIssues.reference", "kind", "paymentIssues.provider", "details"])
    .$narrowType<{ kind: PaymentIssueKind }>()
    .where("orderId", "=", orderId)
    .where("resolvedAt", "is", null)
    .execute();
  return rows.map(({ details, ...issue }) => ({ ...issue, dueAt: dueOf(details) }));
}

/** The stock on hand of each bought size that still exists, by `productId size`. */
async function stockOf(on: Db, lines: { productId: string; size: string }[]): Promise<Record<string, number>> {
  const rows = await on
    .selectFrom("productSizes")
    .select(["productId", "size", "onHand"])
    .where("productId", "in", ["", ...lines.map(({ productId }) => productId)])
    .execute();
  return Object.fromEntries(rows.map(({ productId, size, onHand }) => [`${productId} ${size}`, onHand]));
}

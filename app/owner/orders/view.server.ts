import type { Db } from "#app/infra/database/db.server.ts";
import { NEWEST_REFERENCE } from "#app/orders/history.server.ts";
import type { PaymentIssueKind } from "#app/orders/issue-kind.ts";
import { HAS_PIECES_LEFT } from "#app/orders/pieces-left.server.ts";
import { refundableOf } from "#app/payments/reject.server.ts";
import { IS_GIVEN_BACK, OPEN_ISSUES } from "../order-search.server.ts";
import { actsOn } from "./acts.server.ts";
import { standingOf } from "./standing.ts";

/** An order as staff see it, by its number; undefined where there is none. `version` is the last thing that was done to it. */
export async function viewOrder(on: Db, number: string) {
  const row = await on
    .selectFrom("orders")
    .leftJoin("sales", "sales.orderId", "orders.id")
    .leftJoin("payments as paid", "paid.reference", "sales.reference")
    .select(["orders.id", "number", "orders.createdAt as placedAt", "orders.state", "orders.lines", "orders.shipping"])
    .select("orders.userId")
    .select(["orders.email", "orders.subtotalCents", "orders.shippingCents", "orders.totalCents", "orders.rate"])
    .select(["orders.kobo", "orders.rateAt", NEWEST_REFERENCE.as("reference"), "sales.id as saleId"])
    .select(["packedAt", "fulfilledAt", "readyAt", "deliveredAt", "returnedAt", "carrier", "tracking"])
    .select(["paid.paidKobo", "paid.refundedKobo", "paid.refundingKobo", "paid.providerRefundedKobo"])
    .select([OPEN_ISSUES.as("issues"), IS_GIVEN_BACK.as("isGivenBack"), HAS_PIECES_LEFT.as("hasPieces")])
    .where("number", "=", number)
    .executeTakeFirst();
  if (!row) return;
  const { reference } = row;
  const { kobo, paidKobo, refundedKobo, refundingKobo, providerRefundedKobo, isGivenBack, ...order } = row;
  return {
    ...order,
    standing: standingOf(row),
    isGivenBack,
    kobo: Number(kobo),
    paidKobo: paidKobo === null ? null : Number(paidKobo),
    refundedKobo: Number(refundedKobo ?? 0),
    refundingKobo: Number(refundingKobo ?? 0),
    providerRefundedKobo: providerRefundedKobo === null ? null : Number(providerRefundedKobo),
    version: (await actsOn(on, reference)).at(-1)?.id ?? "0",
    refundable: row.saleId && row.state === "sold" ? await refundableOf(on, reference, row) : undefined,
    stock: await stockOf(on, row.lines),
  };
}

/** What needs a person, each with the payment that it is about. */
export function openIssues(on: Db, orderId: string): Promise<{ reference: string; kind: PaymentIssueKind }[]> {
  return on
    .selectFrom("paymentIssues")
    .innerJoin("payments", "payments.reference", "paymentIssues.reference")
    .select(["paymentIssues.reference", "kind"])
    .$narrowType<{ kind: PaymentIssueKind }>()
    .where("orderId", "=", orderId)
    .where("resolvedAt", "is", null)
    .execute();
}

/** Units on hand of each size that was bought, as far as there still is such a size; keys are `productId size`. */
async function stockOf(on: Db, lines: { productId: string; size: string }[]): Promise<Record<string, number>> {
  const rows = await on
    .selectFrom("productSizes")
    .select(["productId", "size", "onHand"])
    .where("productId", "in", ["", ...lines.map(({ productId }) => productId)])
    .execute();
  return Object.fromEntries(rows.map(({ productId, size, onHand }) => [`${productId} ${size}`, onHand]));
}

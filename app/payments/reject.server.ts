import { sql } from "kysely";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { freeOffers } from "#app/offers/offers.server.ts";
import type { PaymentIssueKind, RefundReason } from "#app/orders/issue-kind.ts";
import { recordIssue } from "#app/orders/issues.server.ts";
import { moveOrder, type Order, type Payment } from "#app/orders/lifecycle.server.ts";
import { recordReversal, requestRefund, settleRefunds } from "#app/orders/refund-rows.server.ts";
import { releaseReservation } from "#app/orders/reservation.server.ts";
import { isLive } from "#app/orders/state.ts";
import type { ProviderTransaction } from "#app/payment-provider/contract.ts";

// Decides that money goes back, in the caller's transaction. refunds/refunds.server.ts carries out these decisions.

/** Refuses a payment that cannot become a sale: requests a full refund and tells the shopper by mail. */
export async function rejectPayment(
  trx: Transaction,
  payment: Payment,
  order: Order,
  transaction: ProviderTransaction,
  reason: PaymentIssueKind & RefundReason,
): Promise<void> {
  const { amount, currency, mode } = transaction;
  await refuse(trx, payment, order);
  if (order.state !== "sold") await moveOrder(trx, order.id, "refund"); // else another payment bought it
  await recordIssue(trx, payment.reference, reason, { amount, currency, mode, expected: payment.kobo });
  const paid = { ...payment, paidKobo: String(amount), paidCurrency: currency };
  await requestRefund(trx, { payment: paid, order }, { kobo: amount, reason });
}

/** Refuses a payment that the provider reversed before the shop had recorded it as paid. */
export async function rejectReversed(trx: Transaction, payment: Payment, order: Order): Promise<void> {
  await refuse(trx, payment, order);
  await recordIssue(trx, payment.reference, "reversed");
  await recordReversal(trx, { payment, order });
  await settleRefunds(trx, { payment, order });
}

async function refuse(trx: Transaction, { reference }: Payment, order: Order): Promise<void> {
  if (isLive(order.state)) await releaseReservation(trx, order.id);
  else if (order.state === "released") await freeOffers(trx, order.id); // a late payment had taken them again
  await trx
    .updateTable("payments")
    .set({ state: "refused", nextCheckAt: null, updatedAt: sql`now()` })
    .where("reference", "=", reference)
    .execute();
}

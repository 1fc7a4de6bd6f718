import type { Transaction } from "#app/infra/database/db.server.ts";
import { termsAtPay } from "#app/offers/offers.server.ts";
import type { LockedOrder, Order } from "#app/orders/lifecycle.server.ts";
import { sumsToday } from "#app/orders/quote.server.ts";
import { SOLD_LATE_WITHIN } from "#app/orders/time-limits.ts";
import type { ProviderTransaction } from "#app/payment-provider/contract.ts";

type Paid = Pick<ProviderTransaction, "paidAt">;

/**
 * Whether the shopper paid after the order was released. False if the payment is older and only its report came late;
 * true if the time of payment is unknown.
 */
export function isPaidLate({ state, releasedAt }: Order, { paidAt }: Paid): boolean {
  if (state !== "released") return false;
  return !paidAt || !releasedAt || new Date(paidAt) >= releasedAt;
}

/**
 * The reason to refuse a late payment: the order is too old, costs more today, is no longer sold or delivered, or is
 * from before its products were sold in turns. Undefined if the payment can be accepted. Does not check the stock.
 */
export async function lateRefusal(
  trx: Transaction,
  { order, byStaff }: Pick<LockedOrder, "order" | "byStaff">,
  { paidAt }: Paid,
): Promise<"too-late" | "price-risen" | "out-of-stock" | undefined> {
  const paid = paidAt ? Date.parse(paidAt) : Date.now();
  // Staff have promised the order until its hold ends, or until they end it. The day for late payments begins then.
  const ended = Math.min(order.expiresAt.getTime(), order.releasedAt?.getTime() ?? Infinity);
  const begins = byStaff ? ended : order.createdAt.getTime();
  if (paid - begins > SOLD_LATE_WITHIN) return "too-late";
  const today = await sumsToday(trx, order, await termsAtPay(trx, order.id), !byStaff);
  if (!today) return "out-of-stock";
  return today.kobo > Number(order.kobo) ? "price-risen" : undefined;
}

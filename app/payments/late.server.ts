import type { Transaction } from "#app/infra/database/db.server.ts";
import { termsAtPay } from "#app/offers/offers.server.ts";
import type { Order } from "#app/orders/lifecycle.server.ts";
import { sumsToday } from "#app/orders/quote.server.ts";
import { SOLD_LATE_WITHIN } from "#app/orders/time-limits.ts";
import type { ProviderTransaction } from "#app/payment-provider/contract.ts";

type Paid = Pick<ProviderTransaction, "paidAt">;

/**
 * Whether the payment came after the order was released. False if it came before, but the provider could not be reached
 * in time.
 */
export function isPaidLate({ state, releasedAt }: Order, { paidAt }: Paid): boolean {
  if (state !== "released") return false;
  return !paidAt || !releasedAt || new Date(paidAt) >= releasedAt;
}

/**
 * Why a late payment does not buy this order, as its prices may be outdated. Undefined if it does. Stock is not checked
 * here.
 */
export async function lateRefusal(
  trx: Transaction,
  order: Order,
  { paidAt }: Paid,
): Promise<"too-late" | "price-risen" | "out-of-stock" | undefined> {
  const paid = paidAt ? Date.parse(paidAt) : Date.now();
  if (paid - order.createdAt.getTime() > SOLD_LATE_WITHIN) return "too-late";
  const today = await sumsToday(trx, order, await termsAtPay(trx, order.id));
  if (!today) return "out-of-stock";
  return today.kobo > Number(order.kobo) ? "price-risen" : undefined;
}

import { sql } from "kysely";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import type { PaymentIssueKind, RefundReason } from "#app/orders/issue-kind.ts";
import { recordIssue } from "#app/orders/issues.server.ts";
import { lockOrder, moveOrder, type Order, type Payment } from "#app/orders/lifecycle.server.ts";
import type { RefundCause } from "#app/orders/refund-causes.ts";
import { planRefund, type Refundable, type RefundPlan, replacedBy } from "#app/orders/refund-plan.ts";
import {
  balanceOf,
  type Refund,
  type RefundedOrder,
  recordReversal,
  refundsOf,
  requestRefund,
  settleRefunds,
  voidRefund,
} from "#app/orders/refund-rows.server.ts";
import { releaseReservation, restockUnits } from "#app/orders/reservation.server.ts";
import { piecesInReturns } from "#app/orders/returns/rows.server.ts";
import { isLive } from "#app/orders/state.ts";
import type { ProviderTransaction } from "#app/payment-provider/contract.ts";

// The decisions that money goes back, each in the transaction of its caller. refunds.server.ts carries them out.

/** Refuses money that has come in and cannot become a sale: it goes back whole, and the shopper is told. */
export async function rejectPayment(
  trx: Transaction,
  payment: Payment,
  order: Order,
  transaction: ProviderTransaction,
  reason: PaymentIssueKind & RefundReason,
): Promise<void> {
  const { amount, currency, mode } = transaction;
  await refuse(trx, payment, order);
  if (order.state !== "sold") await moveOrder(trx, order.id, "refund"); // sold: by another payment, which stands
  await recordIssue(trx, payment.reference, reason, { amount, currency, mode, expected: payment.kobo });
  const paid = { ...payment, paidKobo: String(amount), paidCurrency: currency };
  await requestRefund(trx, { payment: paid, order }, { kobo: amount, reason });
}

/** The provider took the money back before the shop ever saw it. */
export async function rejectReversed(trx: Transaction, payment: Payment, order: Order): Promise<void> {
  await refuse(trx, payment, order);
  await recordIssue(trx, payment.reference, "reversed");
  await recordReversal(trx, { payment, order });
  await settleRefunds(trx, { payment, order });
}

async function refuse(trx: Transaction, { reference }: Payment, order: Order): Promise<void> {
  if (isLive(order.state)) await releaseReservation(trx, order.id);
  await trx
    .updateTable("payments")
    .set({ state: "refused", nextCheckAt: null, updatedAt: sql`now()` })
    .where("reference", "=", reference)
    .execute();
}

/**
 * Gives all that is left of a sale's money back; its pieces stay sold, or with `restock` go back into stock. False when there is no sale to give
 * back, or its pieces have left already and cannot go back into stock.
 */
export async function refundSale(
  on: Db | Transaction,
  reference: string,
  reason: "returned" | "cancelled",
  { restock = false } = {},
): Promise<boolean> {
  return retryingTransaction(on, async (trx) => {
    const sale = await lockSale(trx, reference);
    if (!sale || (restock && sale.isSentOff)) return false;
    const plan = planRefund(sale, { restock });
    if (plan.ok) await carryOut(trx, sale.order, plan, reason);
    return plan.ok;
  });
}

export type RefundableSale = NonNullable<Awaited<ReturnType<typeof lockSale>>>;

/** A sale whose money has not been given back as a whole, locked; undefined where there is none. The pieces of `exceptReturn` count as not under way. */
export async function lockSale(trx: Transaction, reference: string, exceptReturn?: string) {
  const known = await trx.selectFrom("sales").select("id").where("reference", "=", reference).executeTakeFirst();
  if (!known) return;
  const order = await lockOrder(trx, reference);
  if (order.order.state !== "sold") return;
  const { fulfilledAt, readyAt, returnedAt } = await trx
    .selectFrom("sales")
    .select(["fulfilledAt", "readyAt", "returnedAt"])
    .where("id", "=", known.id)
    .executeTakeFirstOrThrow();
  const isSentOff = fulfilledAt !== null || (readyAt !== null && returnedAt === null); // what is ready lies at its centre
  return { order, isSentOff, ...(await refundableOf(trx, reference, order.order, exceptReturn)) };
}

/** A sale as refunds of it are planned. What open returns are about is theirs, but for `exceptReturn`. */
export async function refundableOf(
  on: Db | Transaction,
  reference: string,
  { lines, subtotalCents, shippingCents, rate }: Pick<Order, "lines" | "subtotalCents" | "shippingCents" | "rate">,
  exceptReturn?: string,
): Promise<Refundable> {
  const { paid, kobo, left } = await balanceOf(on, reference);
  const all = await refundsOf(on, reference);
  const [refunds, others] = [all.filter(counts), all.filter((one) => !counts(one))];
  const inReturns = await piecesInReturns(on, reference, exceptReturn);
  return {
    lines,
    subtotalCents,
    shippingCents,
    rate: parseRate(rate) ?? FALLBACK_RATE,
    kobo,
    paidKobo: paid,
    backKobo: paid - left,
    backPieces: refunds.flatMap(({ pieces }) => pieces),
    isShippingBack: refunds.some(({ withShipping }) => withShipping),
    failed: others.filter(hasFailed).map(({ pieces, withShipping }) => ({ pieces, withShipping })),
    returningPieces: inReturns.live,
    exchangedPieces: inReturns.exchanged,
    restockedPieces: others.flatMap(({ restock, pieces }) => (restock ? pieces : [])),
  };
}

const hasFailed = ({ state }: Refund) => state === "failed";
const counts = (one: Refund) => !hasFailed(one) && one.state !== "void";

/** What is said of a refund: why, words for the shopper, and the key of the form that they asked for it with. */
export type RefundAsked = { cause?: RefundCause; words?: string; idempotencyKey?: string };

/** Writes down that this much goes back; answers the refund's id. */
export async function carryOut(
  trx: Transaction,
  order: RefundedOrder,
  { kobo, pieces, withShipping, restock, isWhole }: RefundPlan,
  reason: RefundReason,
  asked: RefundAsked = {},
): Promise<string> {
  if (isWhole) {
    await moveOrder(trx, order.order.id, "refund");
    const { reference } = order.payment;
    await trx.updateTable("sales").set({ status: "refunding" }).where("reference", "=", reference).execute();
  }
  const failed = (await refundsOf(trx, order.payment.reference)).filter(hasFailed);
  // They are not tried again; should the provider carry one out after all, that is a refund of its own.
  for (const { id } of replacedBy({ pieces, withShipping, isWhole }, failed) ?? []) await voidRefund(trx, id);
  const plan = { kobo, pieces: JSON.stringify(pieces), withShipping, restock };
  const id = await requestRefund(trx, order, { ...plan, reason, ...asked });
  if (restock) await restockUnits(trx, pieces);
  return id;
}

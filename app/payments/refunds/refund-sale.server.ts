import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { freeOffersSql } from "#app/offers/offers.server.ts";
import type { RefundReason } from "#app/orders/issue-kind.ts";
import { lockOrder, moveOrder, type Order } from "#app/orders/lifecycle.server.ts";
import type { RefundCause } from "#app/orders/refund-causes.ts";
import { planRefund, type Refundable, type RefundPlan, replacedBy } from "#app/orders/refund-plan.ts";
import {
  balanceOf,
  type Refund,
  type RefundedOrder,
  refundsOf,
  requestRefund,
  voidRefund,
} from "#app/orders/refund-rows.server.ts";
import { restockUnits } from "#app/orders/reservation.server.ts";
import { piecesInReturns } from "#app/orders/returns/rows.server.ts";

// Decides that a sale's money goes back, in the caller's transaction. refunds.server.ts carries out these decisions.

/**
 * Refunds everything that is left of a sale. Its pieces stay sold or, with `restock`, go back into stock. Returns false
 * if there is nothing to refund, or if the pieces have been sent off and so cannot be restocked.
 */
export async function refundSale(
  on: Db | Transaction,
  reference: string,
  reason: "returned" | "cancelled",
  { restock = false, ...asked }: { restock?: boolean } & RefundAsked = {},
): Promise<boolean> {
  return retryingTransaction(on, async (trx) => {
    const sale = await lockSale(trx, reference);
    if (!sale || (restock && sale.isSentOff)) return false;
    const plan = planRefund(sale, { restock });
    if (plan.ok) await recordPlannedRefund(trx, sale.order, plan, reason, asked);
    return plan.ok;
  });
}

export type RefundableSale = NonNullable<Awaited<ReturnType<typeof lockSale>>>;

/**
 * Locks a sale made with real money that is not refunded as a whole. Undefined if there is none. The pieces of the
 * return `exceptReturn` count as not being returned.
 */
export async function lockSale(trx: Transaction, reference: string, exceptReturn?: string) {
  const known = await trx.selectFrom("sales").select("id").where("reference", "=", reference).executeTakeFirst();
  if (!known) return;
  const order = await lockOrder(trx, reference);
  if (order.order.state !== "sold" || order.order.trial) return;
  const { fulfilledAt, readyAt, returnedAt } = await trx
    .selectFrom("sales")
    .select(["fulfilledAt", "readyAt", "returnedAt"])
    .where("id", "=", known.id)
    .executeTakeFirstOrThrow();
  // Pieces that are ready for pick-up have left for the pick-up centre.
  const isSentOff = fulfilledAt !== null || (readyAt !== null && returnedAt === null);
  return { order, isSentOff, ...(await refundableOf(trx, reference, order.order, exceptReturn)) };
}

/**
 * The figures from which a refund is planned. Pieces in open returns cannot be part of the refund, except those of the
 * return `exceptReturn`.
 */
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

/** The details of a refund's request: the cause, a text for the shopper, and the form's idempotency key. */
export type RefundAsked = { cause?: RefundCause; words?: string; idempotencyKey?: string };

const freeOffersUnlessPacked = statement(
  { takes: { reference: sqlType.text }, gives: { freed: sqlType.bool } },
  `select ${freeOffersSql("order_id")} as freed from sales where reference = :reference and packed_at is null`,
);

/** Records a planned refund in the caller's transaction. Returns the refund's id. */
export async function recordPlannedRefund(
  trx: Transaction,
  order: RefundedOrder,
  { kobo, pieces, withShipping, restock, isWhole }: RefundPlan,
  reason: RefundReason,
  asked: RefundAsked = {},
): Promise<string> {
  if (isWhole) await moveOrder(trx, order.order.id, "refund");
  if (restock) await restockUnits(trx, pieces); // sizes are locked before offers, as by checkouts
  if (isWhole) {
    const { reference } = order.payment;
    await freeOffersUnlessPacked(trx, { reference });
    await trx.updateTable("sales").set({ status: "refunding" }).where("reference", "=", reference).execute();
  }
  const failed = (await refundsOf(trx, order.payment.reference)).filter(hasFailed);
  // Replaced refunds are not tried again. If the provider carries one out all the same, that counts as a separate
  // refund.
  for (const { id } of replacedBy({ pieces, withShipping, isWhole }, failed) ?? []) await voidRefund(trx, id);
  const plan = { kobo, pieces: JSON.stringify(pieces), withShipping, restock };
  const id = await requestRefund(trx, order, { ...plan, reason, ...asked });
  return id;
}

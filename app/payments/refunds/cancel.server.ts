import { sql } from "kysely";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { lockOrder, releaseOrder } from "#app/orders/lifecycle.server.ts";
import { planRefund } from "#app/orders/refund-plan.ts";
import { isLive } from "#app/orders/state.ts";
import { IS_BY_HAND } from "../provider.server.ts";
import { settlePayment } from "../settle.server.ts";
import { lockSale, type RefundAsked, refundSale } from "./refund-sale.server.ts";

/** The result of a cancellation, in words for staff. */
export type Cancellation = { ok: true; what: string } | { ok: false; problem: string };
type Work = (trx: Transaction) => Promise<Cancellation>;

/**
 * Cancels an order that has not been sent. The provider is asked about its payment first. An unpaid order releases its
 * stock; a sale is refunded and its pieces go back into stock. The shopper is told the words of `asked`.
 * `inTransaction` runs the work in a transaction, or refuses it.
 */
export async function cancelOrder<Refusal = never>(
  on: Db,
  reference: string,
  inTransaction: (work: Work) => Promise<Refusal | Cancellation> = (work) => retryingTransaction(on, work),
  asked: RefundAsked = {},
): Promise<Refusal | Cancellation> {
  const settlement = await settlePayment(reference, on);
  switch (settlement.outcome) {
    case "sold":
      return inTransaction((trx) => cancelSale(trx, reference, asked));
    case "unpaid":
      return inTransaction(async (trx): Promise<Cancellation> => {
        const { order } = await lockOrder(trx, reference);
        if (!isLive(order.state)) return { ok: false, problem: "It’s already ended" };
        if (await hasAwaited(trx, order.id)) return { ok: false, problem: UNDER_WAY };
        await releaseOrder(trx, order.id);
        await checkUnopenedNow(trx, order.id);
        return { ok: true, what: "ended unpaid; its items are back in stock" };
      });
    case "pending":
      return { ok: false, problem: UNDER_WAY };
    case "refunding":
      return { ok: false, problem: "A refund is already on its way" };
    case "unavailable":
      return { ok: false, problem: "The payment provider can’t be reached at the moment" };
    case "unknown-reference":
      return { ok: false, problem: `There’s no order with the reference '${reference}'` };
  }
}

const UNDER_WAY = "A payment for it is under way. Wait until it has arrived or failed";

/** Whether a payment of the order is a pending transfer, or was just taken by hand. */
async function hasAwaited(trx: Transaction, orderId: string): Promise<boolean> {
  const awaited = await trx
    .selectFrom("payments")
    .select("reference")
    .where("orderId", "=", orderId)
    .where("state", "=", "pending")
    .where(({ or, eb }) => or([eb("awaitedSince", "is not", null), IS_BY_HAND]))
    .executeTakeFirst();
  return awaited !== undefined;
}

/** Makes payments that nobody has opened due for a check, which ends them, so that they do not count as under way. */
export async function checkUnopenedNow(trx: Transaction, orderId: string): Promise<void> {
  await trx
    .updateTable("payments")
    .set({ nextCheckAt: sql<Date>`now()` })
    .where("orderId", "=", orderId)
    .where("state", "=", "created")
    .where("nextCheckAt", ">", sql<Date>`now()`)
    .execute();
}

async function cancelSale(on: Transaction, reference: string, asked: RefundAsked): Promise<Cancellation> {
  if (await refundSale(on, reference, "cancelled", { restock: true, ...asked }))
    return { ok: true, what: "cancelled; it’s refunded, and its items are back in stock" };
  const sale = await lockSale(on, reference);
  if (sale?.isSentOff) return no("It’s already been sent. Refund it instead ('orders refund')");
  const plan = sale && planRefund(sale, { restock: true });
  return plan?.ok === false ? plan : no("It’s already been refunded");
}

function no(problem: string): Cancellation {
  return { ok: false, problem };
}

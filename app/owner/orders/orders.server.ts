import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { lockOrder, releaseOrder } from "#app/orders/lifecycle.server.ts";
import { planRefund } from "#app/orders/refund-plan.ts";
import { isLive } from "#app/orders/state.ts";
import { lockSale, type RefundAsked, refundSale } from "#app/payments/refunds/refund-sale.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";

/**
 * The result of a change. `isRepeat`: it had already been done, and nothing was changed. `since`: it was refused
 * because of these acts of others. `recorded`: additional data for the audit log. `field`: the field with the invalid
 * input.
 */
export type Done =
  | { ok: true; what: string; isRepeat?: true; recorded?: object }
  | { ok: false; problem: string; field?: string; since?: Act[] };

/** An act of somebody on an order. */
export type Act = { at: Date; by: string; action: string };

/** Runs work in a transaction: a new one, or that of a caller who does more in it. */
export type InTransaction = (work: (trx: Transaction) => Promise<Done>) => Promise<Done>;

/**
 * Cancels an order that has not been sent. The provider is asked about its payment first. An unpaid order releases its
 * stock; a sale is refunded and its pieces go back into stock. The shopper is told the words of `asked`.
 */
export async function cancelOrder(
  on: Db,
  reference: string,
  inTransaction: InTransaction = (work) => retryingTransaction(on, work),
  asked: RefundAsked = {},
): Promise<Done> {
  const settlement = await settlePayment(reference, on);
  switch (settlement.outcome) {
    case "sold":
      return inTransaction((trx) => cancelSale(trx, reference, asked));
    case "unpaid":
      return inTransaction(async (trx): Promise<Done> => {
        const { order } = await lockOrder(trx, reference);
        if (!isLive(order.state)) return { ok: false, problem: "It’s already ended" };
        await releaseOrder(trx, order.id);
        return { ok: true, what: "ended unpaid; its items are back in stock" };
      });
    case "pending":
      return { ok: false, problem: "A payment for it is under way. Wait until it has arrived or failed" };
    case "refunding":
      return { ok: false, problem: "A refund is already on its way" };
    case "unavailable":
      return { ok: false, problem: "The payment provider can’t be reached at the moment" };
    case "unknown-reference":
      return { ok: false, problem: `There is no order with the reference '${reference}'` };
  }
}

async function cancelSale(on: Transaction, reference: string, asked: RefundAsked): Promise<Done> {
  if (await refundSale(on, reference, "cancelled", { restock: true, ...asked }))
    return { ok: true, what: "cancelled; it’s refunded, and its items are back in stock" };
  const sale = await lockSale(on, reference);
  if (sale?.isSentOff) return no("It’s already been sent. Refund it instead ('orders refund')");
  const plan = sale && planRefund(sale, { restock: true });
  return plan?.ok === false ? plan : no("It’s already been refunded");
}

function no(problem: string): Done {
  return { ok: false, problem };
}

import type { Clock } from "./clock.ts";
import { strikes } from "./faults.ts";
import { type Ledger, type Refund, type RefundStatus, type Status, sumOf, type Transaction } from "./ledger.ts";
import type { Webhooks } from "./webhooks.ts";

export type RefundRefusal = "fully-refunded" | "not-paid" | "bad-amount";
export type Refunds = {
  /** `amount` in the minor unit; without it, all that is left. */
  ask(transaction: Transaction, amount?: number, merchantNote?: string): Refund | RefundRefusal;
  /** With the shopper's bank details; only where they were asked for. */
  retry(refund: Refund): boolean;
};

const STEP = 500;

/** Money going back: pending, then processing, then processed (or what the transaction's faults say). */
export function createRefunds({
  ledger,
  webhooks,
  clock,
}: {
  ledger: Ledger;
  webhooks: Webhooks;
  clock: Clock;
}): Refunds {
  function move(transaction: Transaction, refund: Refund, status: RefundStatus): void {
    refund.status = status;
    ledger.save({ refund });
    transaction.status = statusWith(transaction, ledger.refundsOf(transaction));
    ledger.save({ transaction });
    if (!transaction.faults.refund?.webhookNever) webhooks.refundMoved(transaction, refund);
  }
  function work(transaction: Transaction, refund: Refund): void {
    clock.after(STEP, () => move(transaction, refund, "processing"));
    clock.after(2 * STEP, () => move(transaction, refund, transaction.faults.refund?.result ?? "processed"));
  }

  for (const refund of ledger.refunds) {
    const transaction = ledger.byId(refund.transaction);
    if (transaction && (refund.status === "pending" || refund.status === "processing")) work(transaction, refund);
  }
  return {
    ask(transaction, amount, merchantNote) {
      if (!transaction.paidAt) return "not-paid";
      const left = transaction.amount - ledger.refundedOf(transaction);
      if (left <= 0) return "fully-refunded";
      const wanted = amount ?? (strikes(transaction.faults.refund?.half) ? Math.floor(left / 2) : left);
      if (!Number.isInteger(wanted) || wanted <= 0 || wanted > left) return "bad-amount";
      const refund = ledger.addRefund(transaction, wanted, merchantNote);
      move(transaction, refund, "pending");
      work(transaction, refund);
      return refund;
    },
    retry(refund) {
      const transaction = ledger.byId(refund.transaction);
      if (!transaction || refund.status !== "needs-attention") return false;
      clock.after(STEP, () => move(transaction, refund, "processed"));
      return true;
    },
  };
}

/** A part given back leaves a payment a success; all of it reverses it, once it has arrived. */
function statusWith({ amount }: Transaction, refunds: Refund[]): Status {
  if (sumOf(refunds.filter(({ status }) => status === "processed")) >= amount) return "reversed";
  if (sumOf(refunds.filter(({ status }) => status !== "failed")) >= amount) return "reversal_pending";
  return "success";
}

import { z } from "zod";
import type { RefundReason } from "../issue-kind.ts";
import { MAIL_DATA, type OrderMail, REASONS, type RefundMail } from "../mail-data.ts";

// Mails to whoever has paid somebody else's order. They have no name, no place and no text of the shopper.

const receipt = MAIL_DATA["order-confirmation"].pick({
  number: true,
  reference: true,
  lines: true,
  subtotal: true,
  shipping: true,
  total: true,
  charged: true,
  naira: true,
});
const refund = MAIL_DATA["refund-started"].pick({ number: true, reference: true, sum: true, numbers: true }).extend({
  /** Why the money goes back; empty if that is not told. */
  reason: z.string(),
  /** False while it is on its way. */
  isDone: z.boolean(),
});

/** The data of each kind of mail to a payer, as in `MAIL_DATA`. */
export const PAYER_MAIL_DATA = { "payer-receipt": receipt, "payer-refund": refund };
export type PayerReceipt = z.infer<typeof receipt>;
export type PayerRefund = z.infer<typeof refund>;

/** The receipt of a payer: what the shopper's has, without whom and where it goes to. */
export function payerReceipt(order: OrderMail): PayerReceipt {
  return receipt.parse(order); // drops every other field
}

/** `reason`: why the money goes back; undefined once that has been told. */
export function payerRefund(
  { number, reference, sum }: RefundMail,
  isDone: boolean,
  reason?: RefundReason,
): PayerRefund {
  return { number, reference, sum, isDone, reason: reason ? { ...REASONS, ...TO_PAYER }[reason] : "" };
}

/** The reasons that are told differently to somebody whose order it is not. */
const TO_PAYER: Partial<Record<RefundReason, string>> = {
  "second-charge": "The order had already been paid when your payment arrived.",
  "out-of-stock": "When your payment arrived, the items were no longer held, and some had sold out.",
  "price-risen":
    "You paid after the time for which we keep a price. Since then it has risen, so we couldn’t make the order at the sum that you paid.",
  "too-late": "You paid after the link had ended.",
  "wrong-amount": "The sum that was paid isn’t the sum of the order.",
  returned: "It is for items that went back to us, or as we’ve agreed with the person the order is for.",
  cancelled: "The order has been cancelled.",
};

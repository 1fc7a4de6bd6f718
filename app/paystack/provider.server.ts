import type { PaymentProvider } from "#app/payment-provider/contract.ts";
import { initialise, isSigned, listCharges, listRefunds, listRefundsSince, refund, verify } from "./client.server.ts";
import { readEvent } from "./webhook-event.ts";

export const paystack: PaymentProvider = {
  open: initialise,
  verify,
  listCharges,
  refund,
  listRefunds,
  listRefundsSince,
  isSigned,
  readEvent,
};

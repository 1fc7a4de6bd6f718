import { env } from "#app/infra/env.server.ts";
import type { PaymentProvider } from "#app/payment-provider/contract.ts";
import { initialise, isSigned, listCharges, listRefunds, listRefundsSince, refund, verify } from "./client.server.ts";
import { PAYSTACK } from "./description.ts";
import { readEvent } from "./webhook-event.ts";

export const paystack: PaymentProvider = {
  description: PAYSTACK,
  mode: () => (env.live ? "live" : "test"),
  open: initialise,
  verify,
  refund,
  listRefunds,
  records: { listCharges, listRefundsSince },
  webhook: { isSigned, readEvent },
  inBrowser: () => ({ checkoutUrl: env.paystack.checkoutUrl, takesWallet: env.paystack.wallet }),
};

import type { PaymentProvider } from "#app/payment-provider/contract.ts";
import { paystack } from "#app/paystack/provider.server.ts";

/** The one provider. A second one is a folder beside app/paystack, a column of `payments` that names it, and the choice by that column here. */
export const provider: PaymentProvider = paystack;

import { byHandProviders } from "#app/by-hand/provider.server.ts";
import type { Failure, PaymentProvider } from "#app/payment-provider/contract.ts";
import { paystack } from "#app/paystack/provider.server.ts";
import { descriptionOf } from "./descriptions.ts";

/** The same providers as in descriptions.ts, with what they do. */
export const PROVIDERS: PaymentProvider[] = [paystack, ...byHandProviders];

/** The provider that a shopper's checkout opens its payments with. */
export const checkoutProvider: PaymentProvider = paystack;

/** The provider that a row names. */
export function providerOf(id: string): PaymentProvider {
  return PROVIDERS.find(({ description }) => description.id === id) ?? unknownProvider(id);
}

/** A provider that this version does not know, as after a downgrade. Every request is answered with a failure. */
function unknownProvider(id: string): PaymentProvider {
  const failure: Failure = { ok: false, failure: "unavailable", message: `there is no payment provider '${id}' here` };
  const ask = async () => failure;
  return { description: descriptionOf(id), mode: () => "test", open: ask, verify: ask, refund: ask, listRefunds: ask };
}

import { BY_HAND } from "#app/by-hand/means.ts";
import type { ProviderDescription } from "#app/payment-provider/contract.ts";
import { PAYSTACK } from "#app/paystack/description.ts";

/** The provider of what names none, such as documents of other shops. */
export const DEFAULT_PROVIDER: ProviderDescription = PAYSTACK;
/** Every provider that a payment can name. */
export const DESCRIPTIONS: ProviderDescription[] = [DEFAULT_PROVIDER, ...BY_HAND];

/** The description of the provider that a row names. An unknown provider has its id as its name. */
export function descriptionOf(id: string): ProviderDescription {
  const unknown = { id, name: id, paidWith: id, records: `the records of ${id}`, isOutside: false };
  return DESCRIPTIONS.find((one) => one.id === id) ?? unknown;
}

/** The description of the provider with this name, as in the document of a sale. Unknown names mean the default one. */
export function providerNamed(name: string): ProviderDescription {
  return DESCRIPTIONS.find((one) => one.name.toLowerCase() === name.trim().toLowerCase()) ?? DEFAULT_PROVIDER;
}

/** The names of the companies that take the shop's payments, in a sentence. */
export function companyNames(): string {
  return new Intl.ListFormat("en").format(DESCRIPTIONS.filter((one) => one.isOutside).map(({ name }) => name));
}

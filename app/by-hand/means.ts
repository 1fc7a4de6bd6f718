import type { ProviderDescription } from "#app/payment-provider/contract.ts";

/** How staff take money by hand. Each is a provider of its own, so that sums are kept apart by `payments.provider`. */
export const MEANS = ["cash", "transfer", "terminal"] as const;
export type Means = (typeof MEANS)[number];

export const MEANS_NAMES: Record<Means, string> = {
  cash: "Cash",
  transfer: "Bank transfer",
  terminal: "Card terminal",
};

export const BY_HAND: ProviderDescription[] = MEANS.map((id) => {
  const name = MEANS_NAMES[id];
  return { id, name, paidWith: name, records: "the shop’s own book", isOutside: false };
});

/** The longest reference of a bank that is read, and the fewest letters and digits in one. */
export const LONGEST_REFERENCE = 64;
const FEWEST_LETTERS = 4;

/** A bank's reference as people type it, with single spaces. Undefined if it can't be one. */
export function readBankReference(text: string): string | undefined {
  const read = text.trim().replaceAll(/\s+/g, " ");
  const isOne =
    comparedLetters(read).length >= FEWEST_LETTERS && read.length <= LONGEST_REFERENCE && /^[ -~]+$/.test(read);
  return isOne ? read : undefined;
}

/** The characters that count when bank references are compared: letters in capitals, and digits. */
export function comparedLetters(bankReference: string): string {
  return bankReference.replaceAll(/[^A-Za-z0-9]/g, "").toUpperCase();
}

/** Whether the payments of the provider with this id are taken by hand. */
export function isByHand(provider: string): boolean {
  return MEANS.some((id) => id === provider);
}

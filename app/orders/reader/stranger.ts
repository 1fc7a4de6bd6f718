/**
 * The replacements for what a mail to an unverified address must not have: all that the shopper typed, all that the
 * staff wrote, and the place of delivery.
 */
const WITHHELD = {
  firstName: "",
  deliverTo: [],
  pickUpAt: "",
  pickup: undefined,
  words: undefined,
  answer: undefined,
  carrier: undefined,
  tracking: null,
  trackingUrl: undefined,
};

/**
 * A mail's data for an unverified recipient: number, pieces, sums, days, and links that need a sign-in. The checkout
 * accepts any address, and nobody must be able to send texts of their own to a stranger that way.
 */
export function forStranger(data: Record<string, unknown>): Record<string, unknown> {
  const taken = Object.entries(WITHHELD).filter(([name]) => name in data);
  return { ...data, ...Object.fromEntries(taken), isWithheld: true };
}

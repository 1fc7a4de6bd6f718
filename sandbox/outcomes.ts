/** What the buttons of the payment pages do; their names are the buttons' accessible names. */
export const OUTCOMES = {
  success: "Pay success",
  decline: "Decline",
  insufficient_funds: "Insufficient funds",
  bank_authentication: "Bank authentication",
  pending_transfer: "Pay by transfer (pending)",
} as const;
export type Outcome = keyof typeof OUTCOMES;

export function isOutcome(given: string): given is Outcome {
  return Object.hasOwn(OUTCOMES, given);
}

type Card = { number: string; says: string; outcome: Outcome; refund?: "failed" | "needs-attention" };

/** The provider's test cards. PIN, phone and one-time codes are taken as given. */
export const TEST_CARDS: Card[] = [
  { number: "4084084084084081", says: "success", outcome: "success" },
  { number: "507850785078507812", says: "success with a PIN", outcome: "success" },
  { number: "5060666666666666666", says: "success with a PIN and a code", outcome: "success" },
  { number: "507850785078507804", says: "success with a PIN, a phone and a code", outcome: "success" },
  { number: "5192602720584796", says: "bank authentication", outcome: "bank_authentication" },
  { number: "4084080000005408", says: "declined", outcome: "decline" },
  { number: "507850785078507853", says: "no token", outcome: "decline" },
  { number: "4084080000670037", says: "insufficient funds", outcome: "insufficient_funds" },
  { number: "4084080000671803", says: "success; its refund fails", outcome: "success", refund: "failed" },
  {
    number: "4084080000671902",
    says: "success; its refund needs attention",
    outcome: "success",
    refund: "needs-attention",
  },
];

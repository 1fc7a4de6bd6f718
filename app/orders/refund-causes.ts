/** The causes that staff can choose for a refund. */
export const REFUND_CAUSES = [
  "Too small",
  "Too large",
  "Faulty or damaged",
  "Not as pictured",
  "Wrong piece sent",
  "Never arrived",
  "Changed their mind",
  "Goodwill",
  "Other",
] as const;

/** Why staff cancel an order, with what the shopper reads about it. */
export const CANCEL_CAUSES = {
  "They asked for it": "You asked us to cancel it.",
  "Out of stock": "We’re sorry, it’s no longer in stock.",
  "We can’t deliver there": "We’re sorry, we can’t deliver to your address.",
  Other: "",
} as const;
export type CancelCause = keyof typeof CANCEL_CAUSES;

/** Why the money of an order goes back that its shopper has cancelled, with what the mail says about it. */
export const OWN_CANCEL = {
  cause: "Cancelled by the shopper",
  words: "You cancelled it. If that wasn’t you, please answer this mail.",
} as const;

export type RefundCause = (typeof REFUND_CAUSES)[number] | CancelCause | typeof OWN_CANCEL.cause;

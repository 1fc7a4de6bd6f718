/** Why staff give money back. */
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
export type RefundCause = (typeof REFUND_CAUSES)[number];

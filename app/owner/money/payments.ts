import type { Standing } from "../orders/standing.ts";

export const PAYMENT_STATES = ["created", "pending", "paid", "unpaid", "refused"] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** The label of each state, and whether somebody must act. */
export const PAYMENT_STANDING: Record<PaymentState, Standing> = {
  created: { text: "Begun", tone: "going" },
  pending: { text: "On its way", tone: "going" },
  paid: { text: "Paid", tone: "done" },
  unpaid: { text: "Not paid", tone: "rest" },
  refused: { text: "Refused", tone: "rest" },
};

import { type FulfilmentTimes, isStillHere, stageOf } from "#app/orders/fulfilment/progress.ts";
import type { PaymentIssueKind } from "#app/orders/issue-kind.ts";
import type { OrderState } from "#app/orders/state.ts";

/**
 * The state of an order in a list. `tone` says who must act: nobody, as it is done; staff ("waiting"); staff, as
 * something is wrong ("person"); nobody for now ("going"); or nobody, as nothing came of it ("rest").
 */
export type Standing = { text: string; tone: "done" | "waiting" | "person" | "going" | "rest" };

const UNSOLD: Record<Exclude<OrderState, "sold">, Standing> = {
  open: { text: "Being paid", tone: "going" },
  waiting: { text: "Payment on its way", tone: "going" },
  released: { text: "Not paid", tone: "rest" },
  refunding: { text: "Money on its way back", tone: "going" },
  refunded: { text: "Refunded", tone: "rest" },
};

const SOLD: Record<ReturnType<typeof stageOf>, Standing> = {
  paid: { text: "To pack", tone: "waiting" },
  packed: { text: "Packed", tone: "going" },
  sent: { text: "Sent", tone: "going" },
  ready: { text: "Ready for pick-up", tone: "going" },
  delivered: { text: "Delivered", tone: "done" },
  returned: { text: "Came back", tone: "rest" },
};

/** All of its pieces were refunded before they left, but the delivery charge was not. */
const NOTHING_TO_SEND: Standing = { text: "Nothing to send", tone: "rest" };

const TEST: Standing = { text: "Test", tone: "rest" };

/** The labels of an order's states in a filter. */
export const STATE_WORDS: Record<OrderState, string> = {
  open: UNSOLD.open.text,
  waiting: UNSOLD.waiting.text,
  released: UNSOLD.released.text,
  sold: "Sold",
  refunding: UNSOLD.refunding.text,
  refunded: UNSOLD.refunded.text,
};

type Order = FulfilmentTimes & {
  state: OrderState;
  /** Whether it was made in test mode, before the shop went live. */
  trial: boolean;
  /** The kinds of its open issues. */
  issues: readonly PaymentIssueKind[];
  /** Whether all of its money is refunded or being refunded. */
  isGivenBack: boolean;
  /** Whether it has a piece that is not refunded. */
  hasPieces: boolean;
};

/** An order's state in a list. Problems take precedence. */
export function standingOf({ state, trial, issues, isGivenBack, hasPieces, ...times }: Order): Standing {
  if (trial) return TEST;
  if (issues.includes("refund-failed")) return { text: "Refund failed", tone: "person" };
  if (issues.length > 0) return { text: "Needs attention", tone: "person" };
  if (state !== "sold") return UNSOLD[state];
  if (isGivenBack) return UNSOLD.refunding;
  if (!hasPieces && isStillHere(times)) return NOTHING_TO_SEND;
  return SOLD[stageOf(times)];
}

import { type FulfilmentTimes, isStillHere, stageOf } from "#app/orders/fulfilment/progress.ts";
import type { PaymentIssueKind } from "#app/orders/issue-kind.ts";
import type { OrderState } from "#app/orders/state.ts";

/** Who has to do something about an order: nobody any more, staff, staff because something is wrong, nobody as it goes on by itself, nobody ever. */
export type Standing = { text: string; tone: "done" | "waiting" | "person" | "going" | "rest" };

const UNSOLD: Record<Exclude<OrderState, "sold">, Standing> = {
  open: { text: "Being paid", tone: "going" },
  waiting: { text: "Payment on its way", tone: "going" },
  released: { text: "Not paid", tone: "rest" },
  refunding: { text: "Money on its way back", tone: "going" },
  refunded: { text: "Given back", tone: "rest" },
};

const SOLD: Record<ReturnType<typeof stageOf>, Standing> = {
  paid: { text: "To pack", tone: "waiting" },
  packed: { text: "Packed", tone: "going" },
  sent: { text: "Sent", tone: "going" },
  ready: { text: "Ready for pick-up", tone: "going" },
  delivered: { text: "Delivered", tone: "done" },
  returned: { text: "Came back", tone: "rest" },
};

/** All of its pieces have been given back before they left, and delivery was kept. */
const NOTHING_TO_SEND: Standing = { text: "Nothing to send", tone: "rest" };

/** An order's states in the words of a filter. */
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
  /** What a person must look at. */
  issues: readonly PaymentIssueKind[];
  /** All of its money has gone back, or is on its way. */
  isGivenBack: boolean;
  /** A piece is left that is not given back. */
  hasPieces: boolean;
};

/** Where an order stands, in the words of a list. What needs a person comes first. */
export function standingOf({ state, issues, isGivenBack, hasPieces, ...times }: Order): Standing {
  if (issues.includes("refund-failed")) return { text: "Refund failed", tone: "person" };
  if (issues.length > 0) return { text: "Needs a person", tone: "person" };
  if (state !== "sold") return UNSOLD[state];
  if (isGivenBack) return UNSOLD.refunding;
  if (!hasPieces && isStillHere(times)) return NOTHING_TO_SEND;
  return SOLD[stageOf(times)];
}

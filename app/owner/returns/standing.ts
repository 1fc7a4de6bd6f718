import type { ReturnReason, ReturnWish } from "#app/orders/returns/return.ts";
import type { ReturnState } from "#app/orders/returns/state.ts";
import type { OrderLine } from "#db/types.ts";
import type { Standing } from "../orders/standing.ts";

type Given = {
  state: ReturnState;
  wish: ReturnWish;
  sendBack: boolean;
  isOverdue: boolean;
  /** The state of its refund, as in the table refunds. */
  refundState: string | null;
};

/** A return's state in a list. Late returns and problems take precedence. */
export function returnStanding({ state, wish, sendBack, isOverdue, refundState }: Given): Standing {
  const isMoney = wish === "money";
  if (refundState === "failed") return { text: "Refund failed", tone: "person" };
  if (isOverdue) return { text: isMoney ? "Refund overdue" : "Exchange overdue", tone: "person" };
  switch (state) {
    case "asked":
      return { text: "To answer", tone: "waiting" };
    case "approved":
      if (sendBack) return { text: "On its way back", tone: "going" };
      return { text: isMoney ? "To refund" : "To send", tone: "waiting" };
    case "received":
      return { text: "Received", tone: "waiting" };
    case "declined":
      return { text: "Declined", tone: "rest" };
    case "withdrawn":
      return { text: "Withdrawn", tone: "rest" };
    case "done":
      if (!isMoney) return { text: "Exchanged", tone: "done" };
      return refundState === "open" || refundState === "sent"
        ? { text: "Money on its way", tone: "going" }
        : { text: "Refunded", tone: "done" };
  }
}

/** The reasons for a return, as the office words them. */
export const REASON_WORDS: Record<ReturnReason, string> = {
  unwanted: "Changed their mind",
  size: "Doesn’t fit",
  damaged: "Damaged",
  wrong: "Wrong piece",
};

/** The order line of this piece. */
export function lineOf(lines: readonly OrderLine[], piece: { productId: string; size: string }): OrderLine | undefined {
  return lines.find(({ productId, size }) => productId === piece.productId && size === piece.size);
}

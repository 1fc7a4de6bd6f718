import type { PaymentIssueKind } from "#app/orders/issue-kind.ts";

/** What has happened, and what staff can do: docs/running.md has the same for commands. */
export const ISSUE_ADVICE: Record<PaymentIssueKind, { what: string; advice: string }> = {
  "unknown-reference": {
    what: "Money has come in that belongs to no order here.",
    advice:
      "Look at it in Paystack's dashboard. It may be of another shop with the same key, or from after a backup that was restored.",
  },
  "second-charge": goesBack("The order was paid a second time."),
  "out-of-stock": goesBack("When it was paid, its pieces had been sold to somebody else."),
  "price-risen": goesBack("It was paid late, and its price had risen by then."),
  "too-late": goesBack("It was paid more than a day after it was begun."),
  "wrong-amount": goesBack("Another sum was paid than that of the order."),
  "wrong-currency": goesBack("It was not paid in naira."),
  "wrong-mode": goesBack("It was paid as a test, in which no money moves."),
  reversed: {
    what: "The bank has taken the money back, and the shop was not asked.",
    advice:
      "Do not send the order. Look at it in Paystack's dashboard, write to the shopper, then say that it was looked into.",
  },
  dispute: {
    what: "The shopper disputes the charge at their bank.",
    advice:
      "Answer it in Paystack's dashboard before its time is over, with the carrier's proof of delivery. Then say that it was looked into.",
  },
  "refund-failed": {
    what: "The provider could not give the money back, or only a part, or asks for the customer's bank details.",
    advice: "Try it again, or give it back in Paystack's dashboard: the shop sees it there.",
  },
};

function goesBack(what: string) {
  return {
    what,
    advice:
      "The money goes back by itself, and this is off the list when it has. If it stays, look at it in Paystack's dashboard.",
  };
}

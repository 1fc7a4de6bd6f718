import { isByHand } from "#app/by-hand/means.ts";
import type { PaymentIssueKind } from "#app/orders/issue-kind.ts";
import type { ProviderDescription } from "#app/payment-provider/contract.ts";

type Advice = {
  what: string;
  /** For a payment of this provider. */
  advice(provider: Pick<ProviderDescription, "id" | "records">): string;
};

/** What has happened, and what staff can do. docs/running.md says the same for commands. */
export const ISSUE_ADVICE: Record<PaymentIssueKind, Advice> = {
  "unknown-reference": {
    what: "Money has come in that belongs to no order here.",
    advice: ({ records }) =>
      `Look at it in ${records}. It may be of another shop with the same key, or from after a backup that was restored.`,
  },
  "second-charge": goesBack("The order was paid twice."),
  "out-of-stock": goesBack("By the time it was paid, its items had been sold to somebody else."),
  "price-risen": goesBack("It was paid late, after its price had risen."),
  "too-late": goesBack("It was paid more than a day after it was started."),
  "wrong-amount": goesBack("A different amount was paid."),
  "wrong-currency": goesBack("It wasn’t paid in naira."),
  "wrong-mode": goesBack("It was a test payment, so no money moved."),
  reversed: {
    what: "The bank took the money back without asking the shop.",
    advice: ({ records }) =>
      `Don’t send the order. Look at it in ${records}, write to the shopper, then say that it was looked into.`,
  },
  dispute: {
    what: "The shopper disputes the charge at their bank.",
    advice: ({ records }) =>
      `Answer it in ${records} before its time is over, with the carrier's proof of delivery; don’t pack what’s still here. Then say that it was looked into.`,
  },
  "refund-failed": {
    what: "The provider couldn't refund the money, or only part of it, or needs the customer's bank details.",
    advice: ({ records }) => `Try it again, or give it back in ${records}: the shop sees it there.`,
  },
};

function goesBack(what: string): Advice {
  return {
    what,
    advice: ({ id, records }) =>
      isByHand(id)
        ? "Give the money back by hand, and mark it as given on the order's page. It leaves this list then."
        : `It's refunded automatically, and leaves this list once that's done. If it stays, look at it in ${records}.`,
  };
}

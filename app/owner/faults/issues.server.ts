import { z } from "zod";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { PAYMENT_ISSUE_KINDS, type PaymentIssueKind } from "#app/orders/issue-kind.ts";
import type { Fault } from "./fault.ts";

const LOOKED_INTO = "When you have looked into it: npm run shop -- orders resolve WHERE";
const GOES_BACK = "The shop gives the money back by itself; this line goes when that is done.";

/** What each kind of issue says to the owner. */
const ISSUES: Record<PaymentIssueKind, Pick<Fault, "what" | "todo">> = {
  "unknown-reference": {
    what: "the provider has charged it, and the shop has no order of this reference",
    todo: `Give it back: npm run shop -- orders refund WHERE. ${LOOKED_INTO}`,
  },
  "second-charge": { what: "it was charged for an order that was paid already", todo: GOES_BACK },
  "out-of-stock": { what: "it was paid, and its pieces were sold meanwhile", todo: GOES_BACK },
  "price-risen": { what: "it was paid late, and costs more today", todo: GOES_BACK },
  "too-late": { what: "it was paid more than a day late", todo: GOES_BACK },
  "wrong-amount": { what: "another sum was paid than was asked for", todo: GOES_BACK },
  "wrong-currency": { what: "it was not paid in naira", todo: GOES_BACK },
  "wrong-mode": { what: "it was paid with a test card", todo: GOES_BACK },
  reversed: { what: "the provider or the bank has taken the money back without the shop", todo: LOOKED_INTO },
  dispute: {
    what: "the shopper disputes the charge at the bank",
    todo: `Answer on the payment provider's dashboard. ${LOOKED_INTO}`,
  },
  "refund-failed": {
    what: "money that was to go back has not gone back",
    todo: `Try it again: npm run shop -- orders refund WHERE. ${LOOKED_INTO}`,
  },
};

const details = z.object({ amount: z.number(), currency: z.string() }).partial();

/** What waits for a person to look at it. */
export async function issueFaults(on: Db | Transaction): Promise<Fault[]> {
  const open = await on
    .selectFrom("paymentIssues")
    .select(["reference", "kind", "details"])
    .where("resolvedAt", "is", null)
    .orderBy("id")
    .execute();
  return open.map((issue) => {
    const known = PAYMENT_ISSUE_KINDS.find((one) => one === issue.kind);
    const { what, todo } = known ? ISSUES[known] : { what: "it is to be looked at", todo: LOOKED_INTO };
    const { data: { amount, currency } = {} } = details.safeParse(issue.details);
    const sum = amount !== undefined && currency ? `, ${currency} ${(amount / 100).toFixed(2)}` : "";
    return { rule: "I13", where: issue.reference, what: `${what} (${issue.kind}${sum})`, todo };
  });
}

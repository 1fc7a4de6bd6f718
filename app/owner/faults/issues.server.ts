import { z } from "zod";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { PAYMENT_ISSUE_KINDS, type PaymentIssueKind } from "#app/orders/issue-kind.ts";
import { dueOf } from "#app/orders/issues.server.ts";
import type { Fault } from "./fault.ts";

const LOOKED_INTO = "Once you've checked it: npm run shop -- orders resolve WHERE";
const GOES_BACK = "The shop refunds it by itself; this line disappears once that's done.";

/** The texts of each kind of issue for the owner. */
const ISSUES: Record<PaymentIssueKind, Pick<Fault, "what" | "todo">> = {
  "unknown-reference": {
    what: "the provider has charged it, but the shop has no order with this reference",
    todo: `Refund it: npm run shop -- orders refund WHERE. ${LOOKED_INTO}`,
  },
  "second-charge": { what: "it was charged for an order that had already been paid", todo: GOES_BACK },
  "out-of-stock": { what: "it was paid, but its pieces had just been sold", todo: GOES_BACK },
  "price-risen": { what: "it was paid late, and the price has risen since", todo: GOES_BACK },
  "too-late": { what: "it was paid more than a day late", todo: GOES_BACK },
  "wrong-amount": { what: "a different amount was paid", todo: GOES_BACK },
  "wrong-currency": { what: "it wasn't paid in naira", todo: GOES_BACK },
  "wrong-mode": { what: "it was paid with a test card", todo: GOES_BACK },
  reversed: { what: "the provider or the bank took the money back without the shop", todo: LOOKED_INTO },
  dispute: {
    what: "the shopper disputes the charge at the bank",
    todo: `Answer on the payment provider's dashboard. ${LOOKED_INTO}`,
  },
  "refund-failed": {
    what: "a refund hasn't gone through",
    todo: `Retry it: npm run shop -- orders refund WHERE. ${LOOKED_INTO}`,
  },
};

const details = z.object({ amount: z.number(), currency: z.string() }).partial();

/** The issues that the owner must look at. */
export async function issueFaults(on: Db | Transaction): Promise<Fault[]> {
  const open = await on
    .selectFrom("paymentIssues")
    .select(["reference", "kind", "details"])
    .where("resolvedAt", "is", null)
    .orderBy("id")
    .execute();
  return open.map((issue) => {
    const known = PAYMENT_ISSUE_KINDS.find((one) => one === issue.kind);
    const { what, todo } = known ? ISSUES[known] : { what: "it needs to be checked", todo: LOOKED_INTO };
    const { data: { amount, currency } = {} } = details.safeParse(issue.details);
    const sum = amount !== undefined && currency ? `, ${currency} ${(amount / 100).toFixed(2)}` : "";
    const due = dueOf(issue.details);
    const by = due ? `, to be answered by ${due.toISOString()}` : "";
    return { rule: "I13", where: issue.reference, what: `${what} (${issue.kind}${sum}${by})`, todo };
  });
}

import { z } from "zod";
import type { Db } from "#app/infra/database/db.server.ts";
import { PAYMENT_ISSUE_KINDS, type PaymentIssueKind } from "#app/orders/issue-kind.ts";

/** What waits for a person, with its order where it has one. `sum` is what the provider says was charged, in the currency's hundredths. */
export type OpenIssue = {
  id: string;
  reference: string;
  kind: PaymentIssueKind;
  at: Date;
  number: string | null;
  customer: string;
  kobo: number | null;
  sum?: { amount: number; currency: string };
};

const PAGE = 50;
const sumOf = z.object({ amount: z.number(), currency: z.string() });

/** The issues that nobody has looked into, the oldest first; `older` begins the next page. */
export async function openIssuesPage(on: Db, after = "0"): Promise<{ issues: OpenIssue[]; next?: string }> {
  const rows = await on
    .selectFrom("paymentIssues as issue")
    .leftJoin("payments", "payments.reference", "issue.reference")
    .leftJoin("orders", "orders.id", "payments.orderId")
    .select(["issue.id", "issue.reference", "issue.kind", "issue.details", "issue.createdAt as at"])
    .select(["orders.number", "orders.shipping", "payments.kobo"])
    .where("resolvedAt", "is", null)
    .where("issue.id", ">", after)
    .orderBy("issue.id")
    .limit(PAGE + 1)
    .execute();
  const issues = rows.slice(0, PAGE).flatMap(({ kind, details, shipping, kobo, ...row }): OpenIssue[] => {
    const known = PAYMENT_ISSUE_KINDS.find((one) => one === kind);
    if (!known) return [];
    const customer = shipping ? `${shipping.firstName} ${shipping.lastName}`.trim() : "";
    const sum = sumOf.safeParse(details).data;
    return [{ ...row, kind: known, customer, kobo: kobo === null ? null : Number(kobo), sum }];
  });
  return { issues, next: rows.length > PAGE ? issues.at(-1)?.id : undefined };
}

export async function countIssues(on: Db): Promise<number> {
  const { count } = await on
    .selectFrom("paymentIssues")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("resolvedAt", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

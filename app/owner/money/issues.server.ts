import { z } from "zod";
import type { Db } from "#app/infra/database/db.server.ts";
import { PAYMENT_ISSUE_KINDS, type PaymentIssueKind } from "#app/orders/issue-kind.ts";
import { dueOf } from "#app/orders/issues.server.ts";
import { type Keyset, type Page, pageOf } from "../keyset.server.ts";

/**
 * An open issue, with its order if it has one. `sum` is the charge that the provider reports, in hundredths of the
 * currency.
 */
export type OpenIssue = {
  id: string;
  reference: string;
  kind: PaymentIssueKind;
  provider: string;
  at: Date;
  number: string | null;
  customer: string;
  kobo: number | null;
  sum?: { amount: number; currency: string };
  /** The deadline for answering a dispute. */
  dueAt?: Date;
};

const sumOf = z.object({ amount: z.number(), currency: z.string() });

/** A page of the open issues, oldest first. */
export async function openIssuesPage(on: Db, keyset: Keyset = {}): Promise<Page<OpenIssue>> {
  const found = on
    .selectFrom("paymentIssues as issue")
    .leftJoin("payments", "payments.reference", "issue.reference")
    .leftJoin("orders", "orders.id", "payments.orderId")
    .select(["issue.id", "issue.reference", "issue.kind", "issue.provider", "issue.details", "issue.createdAt as at"])
    .select(["orders.number", "orders.shipping", "payments.kobo"])
    .where("resolvedAt", "is", null);
  const { rows, ...ends } = await pageOf(found, { "issue.id": "bigint" }, keyset, { ascending: true });
  const issues = rows.flatMap(({ kind, details, shipping, kobo, place: _, ...row }): OpenIssue[] => {
    const known = PAYMENT_ISSUE_KINDS.find((one) => one === kind);
    if (!known) return [];
    const customer = shipping ? `${shipping.firstName} ${shipping.lastName}`.trim() : "";
    const sum = sumOf.safeParse(details).data;
    return [{ ...row, kind: known, customer, kobo: kobo === null ? null : Number(kobo), sum, dueAt: dueOf(details) }];
  });
  return { rows: issues, ...ends };
}

export async function countIssues(on: Db): Promise<number> {
  const { count } = await on
    .selectFrom("paymentIssues")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("resolvedAt", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

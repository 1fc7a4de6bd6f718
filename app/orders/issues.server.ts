import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { log } from "#app/infra/log.server.ts";
import { ENDED_BY_REFUND, type PaymentIssueKind } from "./issue-kind.ts";

/**
 * Writes down what a person must look at. Each kind stands once for a payment; what fails of refunds once for each `refund`, as it was last, and again when
 * it has changed since it was resolved; a dispute again when the provider speaks of it again, but for its end. `npm run shop -- check` lists them.
 */
export async function recordIssue(
  on: Db | Transaction,
  reference: string,
  kind: PaymentIssueKind,
  details: Record<string, unknown> = {},
  refund: string | null = null,
): Promise<void> {
  await on
    .insertInto("paymentIssues")
    .values({ reference, kind, refundId: refund, details: JSON.stringify(details) })
    .onConflict((conflict) =>
      conflict
        .columns(["reference", "kind", "refundId"])
        .doUpdateSet({ details: sql`excluded.details`, resolvedAt: null })
        .where(
          sql<boolean>`case payment_issues.kind
            when 'refund-failed' then payment_issues.details - 'closedByOwner' <> excluded.details
            when 'dispute' then payment_issues.resolved_at is not null and excluded.details ->> 'event' <> 'charge.dispute.resolve'
            else false end`,
        ),
    )
    .execute();
  log.warn({ reference, kind, details, refund }, "a payment to be looked at");
}

/** Resolves the issues that a person has looked into. Returns how many. */
export async function closeIssues(on: Db | Transaction, reference: string): Promise<number> {
  const closed = await on
    .updateTable("paymentIssues")
    .set({ resolvedAt: sql`now()`, details: sql`details || '{"closedByOwner": true}'` })
    .where("reference", "=", reference)
    .where("resolvedAt", "is", null)
    .executeTakeFirst();
  return Number(closed.numUpdatedRows);
}

/** All money has gone back: resolves both why it had to and what had failed on the way. */
export async function resolveRefundedIssues(trx: Transaction, reference: string): Promise<void> {
  await trx
    .updateTable("paymentIssues")
    .set({ resolvedAt: sql`now()` })
    .where("reference", "=", reference)
    .where("kind", "in", ENDED_BY_REFUND)
    .where("resolvedAt", "is", null)
    .execute();
}

/** Resolves what had failed of a refund, once all that was asked for is back: `kobo`, the whole sum that has come, may still be less. */
export async function resolveFailure(trx: Transaction, refund: string, kobo: number): Promise<void> {
  await trx
    .updateTable("paymentIssues")
    .set({ resolvedAt: sql`now()` })
    .where("refundId", "=", refund)
    .where("resolvedAt", "is", null)
    .where(sql<boolean>`coalesce((details ->> 'asked')::bigint, 0) <= ${kobo}`)
    .execute();
}

/** Resolves what had failed of these refunds, or of all of a payment's, since they are asked for again: should one fail again, it is a new failure. */
export async function resolveRetried(trx: Transaction, reference: string, refunds?: string[]): Promise<void> {
  await trx
    .updateTable("paymentIssues")
    .set({ resolvedAt: sql`now()`, details: sql`details || '{"triedAgain": true}'` })
    .where("reference", "=", reference)
    .where("kind", "=", "refund-failed")
    .where("resolvedAt", "is", null)
    .$if(refunds !== undefined, (query) => query.where("refundId", "in", refunds ?? []))
    .execute();
}

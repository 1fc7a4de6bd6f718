import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { log } from "#app/infra/log.server.ts";
import { ENDED_BY_REFUND, type PaymentIssueKind } from "./issue-kind.ts";

/** Marks the details of a refund that came back only in part: the issue ends when the rest has come. */
export const PARTLY = "partly-processed";

/**
 * Writes down what a person must look at; each kind once for a reference, but another failure of a refund once more after the first one is resolved.
 * `npm run shop -- check` lists them.
 */
export async function recordIssue(
  on: Db | Transaction,
  reference: string,
  kind: PaymentIssueKind,
  details: Record<string, unknown> = {},
): Promise<void> {
  await on
    .insertInto("paymentIssues")
    .values({ reference, kind, details: JSON.stringify(details) })
    .onConflict((conflict) =>
      conflict
        .columns(["reference", "kind"])
        .doUpdateSet({ details: sql`excluded.details`, resolvedAt: null })
        .where("paymentIssues.kind", "=", "refund-failed")
        .where("paymentIssues.resolvedAt", "is not", null)
        .where(sql<boolean>`payment_issues.details - 'closedByOwner' <> excluded.details`),
    )
    .execute();
  log.warn({ reference, kind, details }, "a payment to be looked at");
}

/** Resolves, for good, the issues that a person has looked into. Returns how many. */
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

/**
 * Resolves what had failed once it has gone back after all, and nothing else of this payment still fails. An issue about a partial refund is resolved only by `grown`:
 * if it was about this refund, which is now complete.
 */
export async function resolveFailure(
  trx: Transaction,
  reference: string,
  grown?: { refund: string; kobo: number },
): Promise<void> {
  const failed = trx
    .selectFrom("refunds")
    .select("id")
    .where("reference", "=", reference)
    .where("state", "=", "failed");
  await trx
    .updateTable("paymentIssues")
    .set({ resolvedAt: sql`now()` })
    .where("reference", "=", reference)
    .where("kind", "=", "refund-failed")
    .where("resolvedAt", "is", null)
    .where(({ not, exists }) => not(exists(failed)))
    .where(
      grown
        ? sql<boolean>`details ->> 'refund' = ${grown.refund} and (details ->> 'asked')::bigint <= ${grown.kobo}`
        : sql<boolean>`details ->> 'status' is distinct from ${PARTLY}`,
    )
    .execute();
}

/** Forgets an issue that is being mended: should it happen again, it is recorded again. */
export async function removeIssue(on: Db | Transaction, reference: string, kind: PaymentIssueKind): Promise<void> {
  await on.deleteFrom("paymentIssues").where("reference", "=", reference).where("kind", "=", kind).execute();
}

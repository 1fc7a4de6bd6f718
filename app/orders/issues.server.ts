import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { log } from "#app/infra/log.server.ts";
import { DEFAULT_PROVIDER } from "#app/providers/descriptions.ts";
import { ENDED_BY_REFUND, type PaymentIssueKind, TAKEN_MONEY } from "./issue-kind.ts";

/**
 * A condition in SQL on the table `sales`: whether the bank takes or may take the money of a sale back, and the owner
 * has not resolved the issue yet.
 */
export const IS_MONEY_TAKEN = sql<boolean>`exists (
  select from payment_issues where payment_issues.reference = sales.reference and resolved_at is null and kind in (${sql.join(TAKEN_MONEY)}))`;

/**
 * Records an issue that the owner must look at. `npm run shop -- check` lists the open ones. Each kind is recorded once
 * per payment, with two exceptions. A failed refund has an issue per `refund`; it is updated, and reopened, when its
 * details change. A dispute is updated when the deadline for an answer changes, and reopened when the provider reports
 * it again after it was resolved, unless it reports the dispute's end. A deadline is kept if a later report has none.
 */
export async function recordIssue(
  on: Db | Transaction,
  reference: string,
  kind: PaymentIssueKind,
  details: Record<string, unknown> = {},
  refund: string | null = null,
): Promise<void> {
  const provider = sql<string>`coalesce((select provider from payments where reference = ${reference}), ${DEFAULT_PROVIDER.id})`;
  await insertIssue(on, { reference, kind, provider, refundId: refund }, details);
}

/** Records that `provider` has money under a reference that none of its payments here has. */
export async function recordUnknownReference(
  on: Db | Transaction,
  reference: string,
  provider: string,
  details: Record<string, unknown>,
): Promise<void> {
  await insertIssue(on, { reference, kind: "unknown-reference", provider, refundId: null }, details);
}

async function insertIssue(
  on: Db | Transaction,
  issue: { reference: string; kind: PaymentIssueKind; provider: string | RawBuilder<string>; refundId: string | null },
  details: Record<string, unknown>,
): Promise<void> {
  await on
    .insertInto("paymentIssues")
    .values({ ...issue, details: JSON.stringify(details) })
    .onConflict((conflict) =>
      conflict
        .columns(["reference", "kind", "refundId"])
        .doUpdateSet({
          details: sql`case when excluded.kind = 'dispute' and payment_issues.details ? 'dueAt'
            then jsonb_build_object('dueAt', payment_issues.details -> 'dueAt') || excluded.details else excluded.details end`,
          resolvedAt: null,
        })
        .where(
          sql<boolean>`case payment_issues.kind
            when 'refund-failed' then payment_issues.details - 'closedByOwner' <> excluded.details
            when 'dispute' then case when payment_issues.resolved_at is null
              then excluded.details -> 'dueAt' <> coalesce(payment_issues.details -> 'dueAt', 'null')
              else excluded.details ->> 'event' <> 'charge.dispute.resolve' end
            else false end`,
        ),
    )
    .execute();
  const { reference, kind, refundId: refund } = issue;
  log.warn({ reference, kind, details, refund }, "a payment to be looked at");
}

const dispute = z.object({ dueAt: z.iso.datetime({ offset: true }).transform((text) => new Date(text)) });

/** The deadline for answering a dispute, from the issue's details. Undefined if the provider has not given one. */
export function dueOf(details: unknown): Date | undefined {
  return dispute.safeParse(details).data?.dueAt;
}

/** Resolves all open issues of a payment, for the owner. Returns how many. */
export async function closeIssues(on: Db | Transaction, reference: string): Promise<number> {
  const closed = await on
    .updateTable("paymentIssues")
    .set({ resolvedAt: sql`now()`, details: sql`details || '{"closedByOwner": true}'` })
    .where("reference", "=", reference)
    .where("resolvedAt", "is", null)
    .executeTakeFirst();
  return Number(closed.numUpdatedRows);
}

/** Resolves the issues that end once all money has gone back: the reason for the refund, and failures on the way. */
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
 * Resolves the failure of a refund once the whole requested sum is back. `kobo` is the sum that has come back so far.
 */
export async function resolveFailure(trx: Transaction, refund: string, kobo: number): Promise<void> {
  await trx
    .updateTable("paymentIssues")
    .set({ resolvedAt: sql`now()` })
    .where("refundId", "=", refund)
    .where("resolvedAt", "is", null)
    .where(sql<boolean>`coalesce((details ->> 'asked')::bigint, 0) <= ${kobo}`)
    .execute();
}

/**
 * Resolves the failures of these refunds, or of all of a payment's refunds, because they are requested again. If one
 * fails again, that is a new failure.
 */
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

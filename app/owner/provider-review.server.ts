import { sql } from "kysely";
import { isDatabaseConnectionError } from "#app/infra/database/connection-errors.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { errorMessage } from "#app/infra/error-fields.ts";
import type { Failure, ProviderRefund } from "#app/payment-provider/contract.ts";
import type { Settlement } from "#app/payments/outcomes.ts";
import { provider } from "#app/payments/provider.server.ts";
import { reviewRefunds } from "#app/payments/refunds.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import type { Fault } from "./faults/fault.ts";
import { recordUnknownCharge } from "./unknown-charge.server.ts";

export type Review = { ok: true; charges: number; broken: Fault[] } | { ok: false; problem: string };

/** What has come of looking at one payment; `says` where it stands otherwise now than before. */
export type Looked = { reference: string; says?: string };

/**
 * Goes through what the provider has charged and given back in the last days: what the shop had not seen yet is settled or recorded; what it knows
 * nothing of (as after an old backup was restored) becomes an issue, which `checkInvariants` lists. `broken` has the sales that the provider does not know.
 */
export async function reviewProvider(
  on: Db,
  days: number,
  onLooked: (one: Looked, known: number) => void = () => {},
): Promise<Review> {
  const since = new Date(Date.now() - days * DAY);
  const broken: Fault[] = [];
  const charged = new Set<string>();
  let known = 0;
  for (let page = 1, more = true; more; page++) {
    const answer = await provider.listCharges(since, page);
    if (!answer.ok) return noList(answer);
    known += answer.transactions.length;
    for (const { id, reference, amount, currency } of answer.transactions) {
      charged.add(reference);
      const before = await stateOf(on, reference);
      const { outcome } = await settlePayment(reference, on);
      if (outcome === "unknown-reference") await recordUnknownCharge(on, { id, reference, amount, currency });
      onLooked({ reference, says: newsOf(outcome, before, await stateOf(on, reference)) }, known);
    }
    more = answer.more;
  }
  const changed = await listChangedRefunds(on, since);
  if (!changed.ok) return noList(changed);
  // A sale that the provider does not list as charged: its bank may have taken the money back.
  const sales = await on
    .selectFrom("sales")
    .innerJoin("payments", "payments.reference", "sales.reference")
    .select("sales.reference")
    .where("sales.createdAt", ">=", since)
    .where("providerId", "is not", null) // else it was moved in from another shop
    .execute();
  const unlisted = sales.map(({ reference }) => reference).filter((reference) => !charged.has(reference));
  for (const reference of new Set([...changed.references, ...unlisted])) {
    const looked = await reviewRefunds(on, reference);
    if (!looked.ok && looked.failure !== "not-found") return noList(looked);
    if (!looked.ok)
      broken.push({
        rule: "I4",
        where: reference,
        what: "the payment provider knows nothing of this sale",
        todo: "Look for it on the payment provider's dashboard: perhaps these are not the keys that it was paid with.",
      });
  }
  return { ok: true, charges: charged.size, broken };
}

async function stateOf(on: Db, reference: string): Promise<string | undefined> {
  const row = await on.selectFrom("payments").select("state").where("reference", "=", reference).executeTakeFirst();
  return row?.state;
}

function newsOf(outcome: Settlement["outcome"], before: string | undefined, after: string | undefined) {
  if (outcome === "unknown-reference") return "No order here belongs to it";
  if (outcome === "unavailable") return "The provider did not answer for it";
  return before === after ? undefined : `It was “${before}” here, and is “${after}” now`;
}

function noList({ message, failure }: Failure): Review {
  return { ok: false, problem: `The payment provider gives no list: ${message || failure}` };
}

/** So many payments that cannot be looked at hold up none of the others; with more the provider is away. */
const MOST_FAILED = 5;

/** Records what was given back in the last days without the shop: by hand on the provider's dashboard, where no webhook has told of it. */
export async function reviewRefundsMade(on: Db, days: number): Promise<void> {
  const listed = await listChangedRefunds(on, new Date(Date.now() - days * DAY));
  if (!listed.ok)
    throw new Error(`The payment provider does not list its refunds: ${listed.message || listed.failure}`);
  const failed: string[] = [];
  for (const reference of listed.news) {
    if (failed.length === MOST_FAILED) break;
    const why = await reviewRefunds(on, reference).then(
      (looked) => (looked.ok || looked.failure === "not-found" ? undefined : looked.message || looked.failure),
      (error: unknown) => {
        if (isDatabaseConnectionError(error)) throw error;
        return errorMessage(error);
      },
    );
    if (why !== undefined) failed.push(`${reference}: ${why}`);
  }
  if (failed.length > 0) throw new Error(`The refunds of ${failed.length} payments cannot be looked at: ${failed[0]}`);
}

/** What a refund of ours is called of which the provider says so. */
const SAME_HERE = { processed: "done", failed: "failed", pending: "sent", "needs-attention": "sent" } as const;

/** The payments of which money goes back since then, by the provider's list or by ours; `news` are those whose refund, or whose sum, stands otherwise here. */
async function listChangedRefunds(
  on: Db,
  since: Date,
): Promise<{ ok: true; references: string[]; news: string[] } | Failure> {
  const own = await on
    .selectFrom("refunds")
    .innerJoin("payments", "payments.reference", "refunds.reference")
    .select("refunds.reference")
    .where("refunds.updatedAt", ">=", since)
    .where("payments.providerId", "is not", null)
    .execute();
  const references = new Set(own.map(({ reference }) => reference));
  const news = new Set<string>();
  for (let page = 1, more = true; more; page++) {
    const answer = await provider.listRefundsSince(since, page);
    if (!answer.ok) return answer;
    const { references: paid, changed } = await compareWithOwn(on, answer.refunds);
    for (const reference of paid) references.add(reference);
    for (const reference of changed) news.add(reference);
    more = answer.more;
  }
  return { ok: true, references: [...references], news: [...news] };
}

async function compareWithOwn(on: Db, listed: ProviderRefund[]) {
  const ids = [...new Set(listed.flatMap(({ transactionId }) => transactionId ?? []))];
  const rows = await on
    .selectFrom("payments")
    .leftJoin("refunds", "refunds.reference", "payments.reference")
    .select(["payments.reference", "payments.providerId as transactionId"])
    .select(sql<boolean>`provider_refunded_kobo <> refunded_kobo`.as("differs"))
    .select(["refunds.providerId", "refunds.state", "refunds.kobo"])
    .where("payments.providerId", "=", sql<string>`any(${ids}::text[])`)
    .execute();
  const changed = listed.flatMap(({ id, status, amount = 0, transactionId }) => {
    const own = rows.filter((row) => row.transactionId === transactionId);
    const isKnown = own.some(
      ({ providerId, state, kobo }) =>
        providerId === id && state === SAME_HERE[status] && (state !== "done" || amount <= Number(kobo)),
    );
    const differs = own.some((row) => row.differs); // an older list may have come in after a newer one
    return (isKnown && !differs) || status === "failed" ? [] : own.slice(0, 1).map(({ reference }) => reference);
  });
  return { references: rows.map(({ reference }) => reference), changed };
}

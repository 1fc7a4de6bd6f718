import { sql } from "kysely";
import { isDatabaseConnectionError } from "#app/infra/database/connection-errors.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { errorMessage } from "#app/infra/error-fields.ts";
import type { Failure, PaymentProvider, ProviderRefund } from "#app/payment-provider/contract.ts";
import type { Settlement } from "#app/payments/outcomes.ts";
import { isOfKeysSql } from "#app/payments/provider.server.ts";
import { reviewRefunds } from "#app/payments/refunds/refunds.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { PROVIDERS } from "#app/providers/registry.server.ts";
import type { Fault } from "./faults/fault.ts";
import { recordUnknownCharge } from "./orders/refunds/unknown-charge.server.ts";

export type Review = { ok: true; charges: number; broken: Fault[] } | { ok: false; problem: string };

/** The result of checking one payment. `says` is given if its state has changed. */
export type ReviewedPayment = { reference: string; says?: string };

/**
 * Compares the charges and refunds of the last days with the records of each provider that has any. Missed charges and
 * refunds are settled or recorded. Charges without a payment here (as after an old backup was restored) become issues,
 * which `checkInvariants` lists. `broken` has the sales that the provider does not know.
 */
export async function reviewProvider(
  on: Db,
  days: number,
  onReviewed: (one: ReviewedPayment, known: number) => void = () => {},
): Promise<Review> {
  const since = new Date(Date.now() - days * DAY);
  const all = { charges: 0, broken: [] as Fault[] };
  for (const provider of comparedProviders()) {
    const before = all.charges;
    const one = await reviewOne(on, provider, since, (payment, known) => onReviewed(payment, before + known));
    if (!one.ok) return one;
    all.charges += one.charges;
    all.broken.push(...one.broken);
  }
  return { ok: true, ...all };
}

type Compared = PaymentProvider & Required<Pick<PaymentProvider, "records">>;

function comparedProviders(): Compared[] {
  return PROVIDERS.filter((one): one is Compared => one.records !== undefined);
}

async function reviewOne(
  on: Db,
  provider: Compared,
  since: Date,
  onReviewed: (one: ReviewedPayment, known: number) => void,
): Promise<Review> {
  const broken: Fault[] = [];
  const charged = new Set<string>();
  let known = 0;
  for (let page = 1, more = true; more; page++) {
    const answer = await provider.records.listCharges(since, page);
    if (!answer.ok) return noList(answer);
    known += answer.transactions.length;
    for (const { id, reference, amount, currency } of answer.transactions) {
      charged.add(reference);
      const before = await stateOf(on, reference);
      const { outcome } = await settlePayment(reference, on);
      if (outcome === "unknown-reference") await recordUnknownCharge(on, provider, { id, reference, amount, currency });
      onReviewed({ reference, says: outcomeText(outcome, before, await stateOf(on, reference)) }, known);
    }
    more = answer.more;
  }
  const changed = await listChangedRefunds(on, provider, since);
  if (!changed.ok) return noList(changed);
  // Sales that the provider does not list as charged, because the bank may have taken their money back.
  const sales = await on
    .selectFrom("sales")
    .innerJoin("payments", "payments.reference", "sales.reference")
    .select("sales.reference")
    .where("sales.createdAt", ">=", since)
    .where("payments.provider", "=", provider.description.id)
    .where(isOfKeysSql())
    .where("providerId", "is not", null) // null for sales imported from another shop
    .execute();
  const unlisted = sales.map(({ reference }) => reference).filter((reference) => !charged.has(reference));
  for (const reference of new Set([...changed.references, ...unlisted])) {
    const reviewed = await reviewRefunds(on, reference);
    if (!reviewed.ok && reviewed.failure !== "not-found") return noList(reviewed);
    if (!reviewed.ok)
      broken.push({
        rule: "I4",
        where: reference,
        what: "the payment provider knows nothing of this sale",
        todo: "Look for it on the payment provider's dashboard: perhaps these aren’t the keys that it was paid with.",
      });
  }
  return { ok: true, charges: charged.size, broken };
}

async function stateOf(on: Db, reference: string): Promise<string | undefined> {
  const row = await on.selectFrom("payments").select("state").where("reference", "=", reference).executeTakeFirst();
  return row?.state;
}

function outcomeText(outcome: Settlement["outcome"], before: string | undefined, after: string | undefined) {
  if (outcome === "unknown-reference") return "No order here belongs to it";
  if (outcome === "unavailable") return "The provider didn’t answer for it";
  return before === after ? undefined : `It was “${before}” here, and is “${after}” now`;
}

function noList({ message, failure }: Failure): Review {
  return { ok: false, problem: `The payment provider gives no list: ${message || failure}` };
}

/** After this many payments in a row that cannot be checked the review stops: the provider is probably unavailable. */
const FAILED_IN_A_ROW = 5;

/**
 * Records refunds of the last days that the shop did not request and no webhook reported, for example refunds made in
 * the provider's dashboard.
 */
export async function reviewRefundsMade(on: Db, days: number): Promise<void> {
  for (const provider of comparedProviders())
    await reviewRefundsMadeAt(on, provider, new Date(Date.now() - days * DAY));
}

async function reviewRefundsMadeAt(on: Db, provider: Compared, since: Date): Promise<void> {
  const listed = await listChangedRefunds(on, provider, since);
  if (!listed.ok) throw new Error(`The payment provider doesn’t list its refunds: ${listed.message || listed.failure}`);
  const failed: string[] = [];
  let inARow = 0;
  for (const reference of listed.differing) {
    if (inARow === FAILED_IN_A_ROW) break;
    const why = await reviewRefunds(on, reference).then(
      (reviewed) =>
        reviewed.ok || reviewed.failure === "not-found" ? undefined : reviewed.message || reviewed.failure,
      (error: unknown) => {
        if (isDatabaseConnectionError(error)) throw error;
        return errorMessage(error);
      },
    );
    inARow = why === undefined ? 0 : inARow + 1;
    if (why !== undefined) failed.push(`${reference}: ${why}`);
  }
  if (failed.length > 0) throw new Error(`The refunds of ${failed.length} payments cannot be looked at: ${failed[0]}`);
}

/** The state that a refund of the shop has for each status at the provider. */
const SAME_HERE = { processed: "done", failed: "failed", pending: "sent", "needs-attention": "sent" } as const;

/**
 * The payments with refunds since then, in the provider's data or here. `differing` are those with a refund whose
 * state or sum differs here.
 */
async function listChangedRefunds(
  on: Db,
  { description: { id }, records }: Compared,
  since: Date,
): Promise<{ ok: true; references: string[]; differing: string[] } | Failure> {
  const own = await on
    .selectFrom("refunds")
    .innerJoin("payments", "payments.reference", "refunds.reference")
    .select("refunds.reference")
    .where("refunds.updatedAt", ">=", since)
    .where("payments.provider", "=", id)
    .where(isOfKeysSql())
    .where("payments.providerId", "is not", null)
    .execute();
  const references = new Set(own.map(({ reference }) => reference));
  const differing = new Set<string>();
  for (let page = 1, more = true; more; page++) {
    const answer = await records.listRefundsSince(since, page);
    if (!answer.ok) return answer;
    const { references: paid, changed } = await compareWithOwn(on, id, answer.refunds);
    for (const reference of paid) references.add(reference);
    for (const reference of changed) differing.add(reference);
    more = answer.more;
  }
  return { ok: true, references: [...references], differing: [...differing] };
}

async function compareWithOwn(on: Db, provider: string, listed: ProviderRefund[]) {
  const ids = [...new Set(listed.flatMap(({ transactionId }) => transactionId ?? []))];
  const rows = await on
    .selectFrom("payments")
    .leftJoin("refunds", "refunds.reference", "payments.reference")
    .select(["payments.reference", "payments.providerId as transactionId"])
    .select(sql<boolean>`provider_refunded_kobo <> refunded_kobo`.as("differs"))
    .select(["refunds.providerId", "refunds.state", "refunds.kobo"])
    .where("payments.provider", "=", provider)
    .where("payments.providerId", "=", sql<string>`any(${ids}::text[])`)
    .execute();
  const changed = listed.flatMap(({ id, status, amount = 0, transactionId }) => {
    const own = rows.filter((row) => row.transactionId === transactionId);
    const isKnown = own.some(
      ({ providerId, state, kobo }) =>
        providerId === id && state === SAME_HERE[status] && (state !== "done" || amount <= Number(kobo)),
    );
    const differs = own.some((row) => row.differs); // an older response may have arrived after a newer one
    return (isKnown && !differs) || status === "failed" ? [] : own.slice(0, 1).map(({ reference }) => reference);
  });
  return { references: rows.map(({ reference }) => reference), changed };
}

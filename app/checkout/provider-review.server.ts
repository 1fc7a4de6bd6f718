import { sql } from "kysely";
import { type Db, type Transaction, transact } from "#app/infra/db.server.ts";
import { noteBreak } from "./breaks.server.ts";
import type { Broken } from "./invariants.server.ts";
import type { Done } from "./owner-orders.server.ts";
import { listCharges, listRefunds, refund, verify } from "./paystack.server.ts";
import { settlePayment } from "./settle.server.ts";

const DAY = 24 * 3600 * 1000;

export type Review = { ok: true; charges: number; broken: Broken[] } | { ok: false; problem: string };

/**
 * Goes through what the provider has charged in the last days: what the shop had not seen yet is settled; what it knows nothing of (as after an old
 * backup was restored) is written down for a person, who may have it given back.
 */
export async function reviewCharges(on: Db, days: number): Promise<Review> {
  const since = new Date(Date.now() - days * DAY);
  const broken: Broken[] = [];
  let charges = 0;
  for (let page = 1, more = true; more; page++) {
    const answer = await listCharges(since, page);
    if (!answer.ok)
      return { ok: false, problem: `The payment provider gives no list: ${answer.message || answer.failure}` };
    for (const { id, reference, amount, currency } of answer.transactions) {
      charges++;
      const { outcome } = await settlePayment(reference, on);
      if (outcome !== "unknown-reference") continue;
      await noteBreak(on, reference, "unknown-reference", { amount, currency });
      const refunds = await listRefunds(id);
      const goesBack = refunds.ok && refunds.refunds.some(({ status }) => status !== "failed");
      if (await resolve(on, reference, goesBack)) continue;
      broken.push({
        rule: "I3",
        what: `charged ${amount} ${currency}, and the shop knows nothing of it`,
        where: reference,
      });
    }
    more = answer.more;
  }
  return { ok: true, charges, broken };
}

/**
 * Gives back a charge that `reviewCharges` or a webhook has noted and that no payment of the shop belongs to. Said again, it asks for nothing twice:
 * the provider's list of refunds is looked at first, and what was asked for without an answer is not asked for again before it must show there.
 */
export async function refundUnknown(
  on: Db,
  reference: string,
  noteAsked: (trx: Transaction) => Promise<void> = async () => {},
): Promise<Done> {
  const problem = (text: string): Done => ({ ok: false, problem: text });
  const done = async (what: string): Promise<Done> => {
    await resolve(on, reference, true);
    return { ok: true, what };
  };
  const payment = await on.selectFrom("payments").select("state").where("reference", "=", reference).executeTakeFirst();
  if (payment || !(await unknownCharge(on, reference)))
    return problem(
      "There is no sale of this reference whose money could go back, and no charge that 'check --provider' has found",
    );
  const charge = await verify(reference);
  if (!charge.ok) return problem(`The payment provider does not tell of it: ${charge.message || charge.failure}`);
  const { id, status } = charge.transaction;
  if (status === "reversed") return done("the money has gone back");
  if (status !== "success") return problem(`Nothing was charged: the payment provider says '${status}'`);
  const listed = await listRefunds(id);
  if (!listed.ok) return problem(`The payment provider does not list its refunds: ${listed.message || listed.failure}`);
  const known = listed.refunds.find((one) => one.status !== "failed");
  if (known) return done(`the money goes back: '${known.status}'`);
  if (!(await mayAsk(on, reference, noteAsked)))
    return problem("It was asked for a moment ago: say it again in five minutes");
  const asked = await refund(reference, "no order belongs to it");
  if (!asked.ok)
    return problem(
      `The payment provider did not take it: ${asked.message || asked.failure}. Say it again in five minutes`,
    );
  return done("the money goes back");
}

function unknownCharge(on: Db, reference: string) {
  return on
    .selectFrom("reconciliationBreaks")
    .select("id")
    .where("reference", "=", reference)
    .where("kind", "=", "unknown-reference")
    .executeTakeFirst();
}

/** `noteAsked` writes down, in the same transaction, that the money is asked for. */
async function mayAsk(on: Db, reference: string, noteAsked: (trx: Transaction) => Promise<void>): Promise<boolean> {
  return transact(on, async (trx) => {
    const asking = await trx
      .updateTable("reconciliationBreaks")
      .set({ details: sql`details || jsonb_build_object('askedAt', now())` })
      .where("reference", "=", reference)
      .where("kind", "=", "unknown-reference")
      .where(sql<boolean>`coalesce((details ->> 'askedAt')::timestamptz < now() - interval '5 minutes', true)`)
      .executeTakeFirst();
    if (asking.numUpdatedRows === 0n) return false;
    await noteAsked(trx);
    return true;
  });
}

/** `resolved` false: a refund that has failed later brings the charge back on the list, unless the owner has closed it. True when it is off the list. */
async function resolve(on: Db, reference: string, resolved: boolean): Promise<boolean> {
  const known = await on
    .updateTable("reconciliationBreaks")
    .set({
      resolvedAt: sql<Date | null>`case when ${resolved} or details ? 'closedByOwner' then coalesce(resolved_at, now()) end`,
    })
    .where("reference", "=", reference)
    .where("kind", "=", "unknown-reference")
    .returning("resolvedAt")
    .executeTakeFirst();
  return known?.resolvedAt != null;
}

import { sql } from "kysely";
import { rateInForce } from "#app/catalog/rates.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { IS_LOST, IS_UNDELIVERED, refusedMails } from "#app/infra/mail.server.ts";
import { rateText } from "#app/money/exchange-rate.ts";
import { LOCKED_LINKS } from "#app/orders/handover/handover.server.ts";
import { type WaitingToGive, waitingToGive } from "#app/payments/by-hand/give.server.ts";
import { lastBackup } from "./backups.server.ts";
import { mailsWaiting, type WaitingMails } from "./mails/waiting.server.ts";
import { exchangeRateFault } from "./missing-rates.server.ts";
import { countOrders, searchOrders } from "./orders/search.server.ts";
import { forgottenQueues } from "./queues/queues.server.ts";
import { countReturns, oldestReturns } from "./returns/search.server.ts";

/** The tasks that need the owner's attention. `oldest`: since when the oldest task waits; null if there is none. */
export type Status = {
  toSend: { orders: number; oldest: Date | null };
  toLookInto: { payments: number; oldest: Date | null };
  /**
   * `asked`: returns that wait for an answer. `toEnd`: returns that wait for a refund or another size; `overdue`: how
   * many of these are late.
   */
  returns: { asked: number; toEnd: number; overdue: number; oldest: Date | null; oldestOverdue: Date | null };
  toGive: WaitingToGive;
  /** The numbers of the orders whose handover link is locked, the oldest first. */
  lockedLinks: string[];
  /**
   * `waiting`: mails that should have been sent by now. `oldest`: the time of the oldest mail that was given up or
   * refused.
   */
  mails: { givenUp: number; refused: number; oldest: Date | null; waiting: WaitingMails };
  /** The queues of products that have been open for more than a day, the oldest first. */
  openQueues: { productId: string; title: string; opensAt: Date }[];
  /** `fault`: why a shop with real money should not charge at this rate. */
  rate: { rate: string; since: Date | null; fault: string | null };
  lastBackup: Date | null;
};

export async function shopStatus(on: Db): Promise<Status> {
  const { rows } = await searchOrders(on, { view: "to-send", sort: "oldest" }, {}, 1);
  const toSend = { orders: await countOrders(on, { view: "to-send" }), oldest: rows[0]?.orderedAt ?? null };
  const { lockedLinks, ...toLookInto } = await on
    .selectFrom("paymentIssues")
    .select(sql<number>`count(distinct reference)::int`.as("payments"))
    .select(sql<Date | null>`min(created_at)`.as("oldest"))
    .select(LOCKED_LINKS.as("lockedLinks"))
    .where("resolvedAt", "is", null)
    .executeTakeFirstOrThrow();
  const { "to-answer": asked, due: toEnd, overdue } = await countReturns(on);
  const { givenUp } = await on
    .selectFrom("outbox")
    .select(sql<number>`count(*)::int`.as("givenUp"))
    .where(IS_LOST)
    .executeTakeFirstOrThrow();
  const undelivered = await on
    .selectFrom("outbox")
    .select(sql<Date | null>`min(outbox.created_at)`.as("oldest"))
    .where(IS_UNDELIVERED)
    .executeTakeFirstOrThrow();
  const { rate, at, stored } = await rateInForce(on);
  const fault = env.live ? await exchangeRateFault(on) : undefined;
  return {
    toSend,
    toLookInto,
    returns: { asked, toEnd, overdue, ...(await oldestReturns(on)) },
    toGive: await waitingToGive(on),
    lockedLinks,
    mails: {
      givenUp,
      refused: (await refusedMails(on)).length,
      oldest: undelivered.oldest,
      waiting: await mailsWaiting(on),
    },
    openQueues: await forgottenQueues(on),
    rate: { rate: rateText(rate), since: stored ? at : null, fault: fault?.what ?? null },
    lastBackup: await lastBackup(on),
  };
}

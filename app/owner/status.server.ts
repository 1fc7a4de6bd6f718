import { sql } from "kysely";
import { rateInForce } from "#app/catalog/rates.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { isLost, refusedMails } from "#app/infra/mail.server.ts";
import { rateText } from "#app/money/exchange-rate.ts";
import { listAllOrders } from "./orders.server.ts";
import { returnsWaiting } from "./returns/list.server.ts";

/** What waits for the owner. */
export type Status = {
  toSend: { orders: number; oldest: Date | null };
  toLookInto: { payments: number };
  /** Returns that wait for an answer, and for their money or another size; of these, those that are late. */
  returns: { asked: number; toEnd: number; overdue: number };
  mails: { givenUp: number; refused: number };
  rate: { rate: string; since: Date | null };
  lastBackup: Date | null;
};

export async function shopStatus(on: Db): Promise<Status> {
  const { total } = await listAllOrders(on, { toSend: true }, { limit: 1, offset: 0 });
  const { orders } = await listAllOrders(on, { toSend: true }, { limit: 1, offset: Math.max(0, total - 1) });
  const toSend = { orders: total, oldest: orders[0]?.orderedAt ?? null };
  const toLookInto = await on
    .selectFrom("paymentIssues")
    .select(sql<number>`count(distinct reference)::int`.as("payments"))
    .where("resolvedAt", "is", null)
    .executeTakeFirstOrThrow();
  const returns = await returnsWaiting(on);
  const { givenUp } = await on
    .selectFrom("outbox")
    .select(sql<number>`count(*)::int`.as("givenUp"))
    .where(isLost)
    .executeTakeFirstOrThrow();
  const { rate, at, stored } = await rateInForce(on);
  const { lastBackup } = await on
    .selectFrom("auditLog")
    .select((eb) => eb.fn.max("at").as("lastBackup"))
    .where("action", "=", "backup")
    .executeTakeFirstOrThrow();
  return {
    toSend,
    toLookInto,
    returns,
    mails: { givenUp, refused: (await refusedMails(on)).length },
    rate: { rate: rateText(rate), since: stored ? at : null },
    lastBackup,
  };
}

import { sql } from "kysely";
import { rateInForce } from "#app/catalog/rates.server.ts";
import type { Db } from "#app/infra/db.server.ts";
import { isGivenUp, refusedMails } from "#app/infra/mail.server.ts";
import { rateText } from "#app/money/exchange-rate.ts";

/** What waits for the owner. */
export type Status = {
  toSend: { orders: number; oldest: Date | null };
  toLookInto: { payments: number };
  mails: { givenUp: number; refused: number };
  rate: { rate: string; since: Date | null };
  lastBackup: Date | null;
};

const count = sql<number>`count(*)::int`;

export async function shopStatus(on: Db): Promise<Status> {
  const toSend = await on
    .selectFrom("sales")
    .innerJoin("attempts", "attempts.id", "sales.attemptId")
    .select([count.as("orders"), (eb) => eb.fn.min("sales.createdAt").as("oldest")])
    .where("attempts.state", "=", "sold")
    .where("sales.fulfilledAt", "is", null)
    .executeTakeFirstOrThrow();
  const toLookInto = await on
    .selectFrom("reconciliationBreaks")
    .select(sql<number>`count(distinct reference)::int`.as("payments"))
    .where("resolvedAt", "is", null)
    .executeTakeFirstOrThrow();
  const { givenUp } = await on
    .selectFrom("outbox")
    .select(count.as("givenUp"))
    .where(isGivenUp)
    .where(sql<boolean>`created_at < now() - interval '2 days'`) // as 'check' counts
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
    mails: { givenUp, refused: (await refusedMails(on)).length },
    rate: { rate: rateText(rate), since: stored ? at : null },
    lastBackup,
  };
}

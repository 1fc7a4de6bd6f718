import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { normalizeEmail } from "#app/infra/email-address.ts";
import { fold } from "#app/infra/text/fold.ts";
import { unsubscribe } from "#app/newsletter/newsletter.server.ts";
import { type Keyset, pageOf } from "../keyset.server.ts";
import { SHOP_ZONE, shopDay, startOfDay } from "../shop-time.server.ts";
import type { Growth, GrowthSpan } from "./growth.ts";

/** A subscriber of the newsletter. */
export type Subscriber = { id: string; firstName: string; email: string; since: Date };

const BY_TIME = { created_at: "time", id: "uuid" } as const;

/** A page of the subscribers whose name or address contains the text, newest first. */
export async function searchSubscribers(on: Db, text: string | undefined, keyset: Keyset = {}, size?: number) {
  const wanted = (text ?? "").trim().toLowerCase();
  const folded = fold(wanted);
  const found = on
    .selectFrom("subscriptions")
    .select(["id", "firstName", "email", "createdAt as since"])
    .$if(wanted !== "", (query) =>
      query.where(
        sql<boolean>`(position(${wanted} in email) > 0 or (${folded} <> '' and position(${folded} in fold(first_name)) > 0))`,
      ),
    );
  const { rows, ...ends } = await pageOf(found, BY_TIME, keyset, { size });
  return { rows: rows.map(({ place, ...one }): Subscriber => one), ...ends };
}

/**
 * Removes an address from the newsletter. Returns false if it is not subscribed. The audit log records the removal
 * without the address.
 */
export function removeSubscriber(on: Db, by: Actor, email: string): Promise<boolean> {
  return retryingTransaction(on, async (trx) => {
    const id = await unsubscribe(trx, normalizeEmail(email));
    if (id) await recordChange(trx, { by, action: "subscribers remove", subject: { kind: "subscriber", id } });
    return id !== undefined;
  });
}

/** The growth over the last `span` days in the shop's time zone, including today. */
export async function newsletterGrowth(on: Db, span: GrowthSpan): Promise<Growth> {
  const [begin, earlier] = [startOfDay(shopDay(span - 1)), startOfDay(shopDay(2 * span - 1))];
  const day = sql<string>`to_char(created_at at time zone ${SHOP_ZONE}, 'YYYY-MM-DD')`;
  const [days, { all, addedBefore }] = await Promise.all([
    on
      .selectFrom(
        on
          .selectFrom("subscriptions")
          .select(day.as("day"))
          .where("createdAt", ">=", begin ?? new Date(0))
          .as("added"),
      )
      .select(["day", sql<number>`count(*)::int`.as("added")])
      .groupBy("day")
      .execute(),
    on
      .selectFrom("subscriptions")
      .select([
        sql<number>`count(*)::int`.as("all"),
        sql<number>`(count(*) filter (where created_at >= ${earlier} and created_at < ${begin}))::int`.as(
          "addedBefore",
        ),
      ])
      .executeTakeFirstOrThrow(),
  ]);
  const of = new Map(days.map(({ day, added }) => [day, added]));
  const added = days.reduce((sum, day) => sum + day.added, 0);
  const length = span > 90 ? 7 : 1;
  const parts: Growth["parts"] = [];
  let sofar = all - added;
  for (let ago = span - 1; ago >= 0; ago -= length) {
    const inPart = Array.from({ length }, (_, at) => of.get(shopDay(ago - at)) ?? 0);
    const added = inPart.reduce((sum, count) => sum + count, 0);
    sofar += added;
    parts.push({ day: shopDay(ago), added, all: sofar });
  }
  return { all, added, addedBefore, parts };
}

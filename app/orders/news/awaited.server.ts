import type { Db } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { env } from "#app/infra/env.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { dayWords } from "../fulfilment/days.ts";
import { HAS_BOUGHT_SINCE } from "../lifecycle.server.ts";
import { IS_LIVE } from "../state.ts";
import type { AwaitedOrder } from "./news.ts";

/**
 * A condition in SQL: whether the money of the payment `p` of an order `a` is on its way, as the provider last
 * reported. Excludes payments that are no longer checked, and those of a shopper who has bought since: that money would
 * be refunded.
 */
export const IS_AWAITED = `p.awaited_since is not null and p.state = 'pending' and p.next_check_at is not null
  and not ${HAS_BOUGHT_SINCE}`;

const newestAwaited = statement(
  {
    takes: { userId: sqlType.text },
    gives: {
      reference: sqlType.text,
      number: sqlType.text,
      kobo: sqlType.bigint,
      byPayer: sqlType.bool,
      createdAt: sqlType.time,
      heldUntil: sqlType.orNull(sqlType.time),
    },
  },
  `select p.reference, a.number, a.kobo, p.payer_email is not null as by_payer, p.created_at,
     case when a.holds_stock and a.${IS_LIVE} and expires_at > now() then expires_at end as held_until
   from orders a join payments p on p.order_id = a.id where a.user_id = :userId and ${IS_AWAITED}
   order by p.created_at desc limit 1`,
);

/** The shopper's order with a pending transfer, read from the database only. Undefined if there is none. */
export async function awaitedOrder(on: Db, userId: string): Promise<AwaitedOrder | undefined> {
  const [awaited] = await newestAwaited(on, { userId });
  if (!awaited) return;
  const words = dayWords(new Date(), env.SHOP_TIMEZONE);
  const { reference, number, byPayer, createdAt, heldUntil } = awaited;
  return {
    reference,
    number,
    sum: formatKobo(kobo(Number(awaited.kobo))),
    byPayer,
    started: words.since(createdAt),
    heldUntil: heldUntil && words.clock(heldUntil),
    lookedAt: words.clock(new Date()),
  };
}

import { type RawBuilder, sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { NOBODY } from "#app/infra/mail.server.ts";
import { NIGERIA } from "#app/shipping/shipping.ts";
import { IS_MOVED_IN } from "./history.server.ts";
import { forgetParcelPictures } from "./parcel-pictures/pictures.server.ts";
import { HAS_PIECES_LEFT } from "./pieces-left.server.ts";
import { lockNumbers } from "./receipts/lock.server.ts";
import { IS_UNFINISHED } from "./refund-rows.server.ts";
import { forgetReturnPictures } from "./returns/pictures.server.ts";
import { isLiveReturnSql } from "./returns/state.ts";
import { isOneOfSql, LIVE_STATES } from "./state.ts";

/** The numbers of orders for which the shop still needs the shopper's data. */
export type OpenOrders = {
  /** A payment or refund is not settled. */
  underWay: string[];
  /** A return or an exchange is open. */
  returning: string[];
  /** Paid and not sent off. */
  unsent: string[];
};

/** An imported sale counts as sent after this time, because this shop may never mark it as sent. */
const MOVED_IN_SENT_AFTER = "30 days";

/** Those of an account, with those that staff put together for its address. */
export function openOrders(on: Db | Transaction, userId: string): Promise<OpenOrders> {
  return openAmong(
    on,
    sql`select id from orders where user_id = ${userId}
      union all select order_id from staff_orders where user_id = ${userId}
      union all select order_id from staff_orders join users using (email) where user_id is null and users.id = ${userId}`,
  );
}

/** Those of the orders with these ids. */
export function openOf(on: Db | Transaction, orders: readonly string[]): Promise<OpenOrders> {
  return openAmong(on, sql`select unnest(${orders}::uuid[])`);
}

async function openAmong(on: Db | Transaction, ids: RawBuilder<unknown>): Promise<OpenOrders> {
  const { rows } = await sql<{ number: string; kind: keyof OpenOrders }>`
    select number, case when is_under_way then 'underWay' when is_returning then 'returning' else 'unsent' end as kind
    from (
      select *, ${sql.raw(isOneOfSql([...LIVE_STATES, "refunding"]))}
        or exists (
          select from payments where order_id = all_of_them.id and (next_check_at is not null
            or exists (select from refunds where refunds.reference = payments.reference and ${sql.raw(IS_UNFINISHED)}))
        ) as is_under_way, exists (
          select from returns join payments using (reference)
          where order_id = all_of_them.id and ${sql.raw(isLiveReturnSql("returns"))}
        ) as is_returning
      from orders as all_of_them where not trial and id in (${ids})
    ) as orders
    left join sales on sales.order_id = orders.id
    where is_under_way or is_returning or (
      sales.id is not null and sales.fulfilled_at is null and state <> 'refunded' and ${HAS_PIECES_LEFT}
      and (sales.created_at > now() - ${MOVED_IN_SENT_AFTER}::interval
        or not ${IS_MOVED_IN}))
    order by orders.created_at
  `.execute(on);
  const { underWay = [], returning = [], unsent = [] } = Object.groupBy(rows, ({ kind }) => kind);
  const numbers = (orders: typeof rows) => orders.map(({ number }) => number);
  return { underWay: numbers(underWay), returning: numbers(returning), unsent: numbers(unsent) };
}

/** Removes all personal data of an account's shopper from the orders, as `anonymizeOrders` does. */
export async function anonymizeBuyer(trx: Transaction, userId: string, email: string): Promise<string[]> {
  // Orders that staff put together and that ended unpaid, or were paid by hand before there was an account, are theirs.
  await sql`
    with ended as (
      delete from staff_orders where user_id = ${userId} or user_id is null and staff_orders.email = ${email} returning order_id
    ), found as (
      update orders set user_id = ${userId} from ended
      where orders.id = order_id and orders.user_id is null and not ${sql.raw(isOneOfSql(LIVE_STATES))}
      returning orders.id
    )
    update sales set user_id = ${userId} from found where sales.order_id = found.id and sales.user_id is null
  `.execute(trx);
  const { rows } = await sql<{ id: string }>`
    select id from orders where user_id = ${userId} union select order_id from sales where user_id = ${userId}
  `.execute(trx);
  return anonymizeOrders(
    trx,
    rows.map(({ id }) => id),
    email,
  );
}

/**
 * Removes all personal data from the orders with these ids and from their mails. What was sold, the place (country, in
 * Nigeria the state) and the sums stay. `email`: the address that the shopper pays other orders with; empty if none is
 * known. Returns the ids in the keys of mails about the orders: those of orders, payments, sales, refunds and returns.
 */
export async function anonymizeOrders(trx: Transaction, orders: readonly string[], email: string): Promise<string[]> {
  const those = sql`any(${orders}::uuid[])`;
  const { rows: named } = await sql<{ email: string }>`
    select distinct email from orders where id = ${those}
  `.execute(trx);
  const addresses = [email, ...named.map(({ email }) => email)].filter(Boolean);
  const theirs = sql`(select reference from payments where order_id = ${those})`;
  await sql`
    update webhook_inbox set body = '{}'
    where reference in ${theirs} or reference in (select reference from payments where payer_email = ${email})
      or not exists (select from payments where payments.reference = webhook_inbox.reference)
        and exists (select from unnest(${addresses}::text[]) address where position(lower(address) in lower(body::text)) > 0)
  `.execute(trx);
  await sql`
    update payments set access_code = null, authorization_url = null, last_error = null where reference in ${theirs}
  `.execute(trx);
  await sql`
    update payments set payer_email = ${NOBODY}, access_code = null, authorization_url = null, last_error = null
    where payer_email = ${email} or payer_email is not null and reference in ${theirs}
  `.execute(trx);
  await sql`delete from payer_links where order_id = ${those}`.execute(trx);
  await sql`update refunds set last_error = null where reference in ${theirs}`.execute(trx);
  await sql`update returns set words = '', answer = '' where reference in ${theirs}`.execute(trx);
  await forgetReturnPictures(trx, orders);
  await forgetParcelPictures(trx, orders);
  await sql`update payment_issues set details = details - 'message' where reference in ${theirs}`.execute(trx);
  await sql`delete from order_notes where order_id = ${those}`.execute(trx);
  const anonymous = sql`(
    select jsonb_object_agg(key, case
      when key in ('country', 'deliveryType', 'shippingCost', 'shippingRate', 'deliveryWay') then value
      when key = 'state' and shipping ->> 'country' = ${NIGERIA.name} then value -- abroad it is whatever was typed
      else '""' end)
    from jsonb_each(shipping))`;
  await sql`update sales set email = ${NOBODY}, shipping = ${anonymous} where order_id = ${those}`.execute(trx);
  await sql`update orders set email = ${NOBODY}, shipping = ${anonymous} where id = ${those}`.execute(trx);
  await lockNumbers(trx); // a receipt that is being drawn has the address that was read before
  await sql`
    update receipts set buyer = null where sale_id in (select id from sales where order_id = ${those})
  `.execute(trx);
  const { rows } = await sql<{ id: string }>`
    select unnest(${orders}::uuid[])::text as id
    union all ${theirs}
    union all select id from sales where order_id = ${those}
    union all select id::text from refunds where reference in ${theirs}
    union all select id::text from returns where reference in ${theirs}
  `.execute(trx);
  return rows.map(({ id }) => id);
}

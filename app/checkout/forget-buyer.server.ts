import { sql } from "kysely";
import type { Transaction } from "#app/infra/db.server.ts";
import { NOBODY } from "#app/infra/mail.server.ts";
import { isOneOf, LIVE_STATES } from "./order-state.ts";
import { IS_UNFINISHED } from "./refund-rows.server.ts";

/** Whether a payment or a refund of this shopper may still move: then who they are is still needed. */
export async function hasMoneyUnderWay(trx: Transaction, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from attempts
    where user_id = ${userId} and (
      ${sql.raw(isOneOf([...LIVE_STATES, "refunding"]))}
      or exists (select 1 from payments where attempt_id = attempts.id and (next_check_at is not null
        or exists (select from refunds where refunds.reference = payments.reference and ${sql.raw(IS_UNFINISHED)}))))
    limit 1
  `.execute(trx);
  return rows.length > 0;
}

/**
 * Takes name, address and mail address out of a shopper's orders; what was sold, where to (country and state) and for how much stays. Returns
 * the mail addresses.
 */
export async function forgetBuyer(trx: Transaction, userId: string): Promise<string[]> {
  const addresses = await trx.selectFrom("attempts").select("email").distinct().where("userId", "=", userId).execute();
  const anonymous = sql`(
    select jsonb_object_agg(key, case when key in ('country', 'state', 'deliveryType', 'shippingCost', 'shippingRate') then value else '""' end)
    from jsonb_each(shipping))`;
  await sql`
    update webhook_inbox set body = '{}' where reference in (
      select reference from payments join attempts on attempts.id = attempt_id where user_id = ${userId})
  `.execute(trx);
  for (const table of ["sales", "attempts"])
    await sql`update ${sql.table(table)} set email = ${NOBODY}, shipping = ${anonymous} where user_id = ${userId}`.execute(
      trx,
    );
  return addresses.map(({ email }) => email);
}

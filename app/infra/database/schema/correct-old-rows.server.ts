import { sql } from "kysely";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { columnsOf } from "./tables.server.ts";

/**
 * Adds values that later versions rely on but that were missing in `schema`, from whose tables the rows were copied.
 */
export async function correctOldRows(trx: Transaction, schema: string): Promise<void> {
  const payments = await columnsOf(trx, schema, "payments");
  if (!payments.has("refunding_kobo")) await countRefunds(trx);
  if (payments.has("attempt_id"))
    await sql`update orders set released_at = updated_at where state = 'released' and released_at is null`.execute(trx);
  await askAgain(trx);
}

/**
 * Fills in the sums of refunds that a payment holds. Older versions recorded only the shop's own refunds, and every
 * refund by the provider was of the whole payment: the missing refunds are added first.
 */
async function countRefunds(trx: Transaction): Promise<void> {
  await sql`
    insert into refunds (reference, kobo, reason, origin, state)
    select p.reference, coalesce(p.paid_kobo, p.kobo), 'reversed', 'provider', 'done'
    from payments p left join sales s using (reference)
    where (p.state = 'refused' or s.status = 'refunded') and not exists (select from refunds r where r.reference = p.reference)
  `.execute(trx);
  await sql`
    update payments p set refunding_kobo = r.refunding, refunded_kobo = r.refunded
    from (
      select reference, coalesce(sum(kobo) filter (where state in ('open', 'sent')), 0) as refunding,
        coalesce(sum(kobo) filter (where state = 'done'), 0) as refunded
      from refunds group by reference
    ) r where r.reference = p.reference`.execute(trx);
}

/**
 * Schedules new checks of payments. Versions before 0.1.0 gave up on a payment that the provider did not answer about,
 * and left it to a person.
 */
async function askAgain(trx: Transaction): Promise<void> {
  await sql`
    with unanswered as (delete from payment_issues where kind = 'never-answered' returning reference)
    update payments set next_check_at = now()
    where reference in (select reference from unanswered) and state in ('created', 'pending') and next_check_at is null`.execute(
    trx,
  );
}

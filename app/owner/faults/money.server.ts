import { sql } from "kysely";
import { ROUNDED_OF_SALE } from "#app/by-hand/book.server.ts";
import { MEANS } from "#app/by-hand/means.ts";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { IS_LOST } from "#app/infra/mail.server.ts";
import { RESERVED_FOR_TRANSFER, SOLD_LATE_WITHIN } from "#app/orders/time-limits.ts";
import { WATCHED_FOR } from "#app/payments/check-schedule.ts";
import { WAITING_MAILS } from "../mails/waiting.server.ts";
import { SHOP_ZONE } from "../shop-time.server.ts";
import { type FaultQuery, NOT_BY_ITSELF } from "./fault.ts";

const LOOK = "See what happened to its money: npm run shop -- orders show WHERE";
const COMPARE = "Compare with the payment provider's books: npm run shop -- check --provider";
const TELL = "Email the shopper yourself: the shop never wrote that email.";

/** The requested and the finished sum of each payment's refunds. */
const REFUND_SUMS = sql`(
  select reference, sum(kobo) filter (where state in ('open', 'sent')) as refunding, sum(kobo) filter (where state = 'done') as refunded
  from refunds group by 1)`;

/** Faults of payments and sales. */
export const PAYMENT_FAULTS: FaultQuery[] = [
  {
    rule: "I3",
    todo: COMPARE,
    rows: sql`
      select reference as where, 'it is paid, and there is no sale' as what from payments p
      where state = 'paid' and not exists (select from sales where reference = p.reference)`,
  },
  {
    rule: "I3",
    todo: COMPARE,
    rows: sql`
      select reference as where, format('there is a sale, and its payment is %s', state) as what
      from payments join sales using (reference) where state <> 'paid'`,
  },
  {
    rule: "I3",
    todo: "Refund it: npm run shop -- orders refund WHERE",
    rows: sql`
      select reference as where, 'it was paid, no order can be made of it, and the money is not on its way back' as what
      from payments p
      where state = 'refused' and paid_kobo is not null and not exists (select from refunds where reference = p.reference)`,
  },
  {
    rule: "I3",
    todo: "Refund it: npm run shop -- orders refund WHERE",
    rows: sql`
      select reference as where, format('all of it is to go back, and %s kobo of it do not', least(p.kobo, paid_kobo) - refunded_kobo) as what
      from payments p join orders on orders.id = order_id
      where p.state = 'paid' and orders.state = 'refunding' and refunding_kobo = 0 and refunded_kobo < least(p.kobo, paid_kobo)
        and not exists (select from payment_issues
            where reference = p.reference and kind = 'refund-failed' and (resolved_at is null or details ? 'closedByOwner'))`,
  },
  {
    rule: "I3",
    todo: LOOK,
    rows: sql`
      select reference as where, 'all of its money has gone back, and the sale is not marked as refunded' as what
      from sales join payments using (reference) where sales.status = 'completed' and refunded_kobo >= payments.kobo`,
  },
  {
    rule: "I3",
    todo: LOOK,
    rows: sql`
      select reference as where,
        format('the sale is marked as refunded, and %s of %s kobo have gone back', refunded_kobo, payments.kobo) as what
      from sales join payments using (reference) where sales.status = 'refunded' and refunded_kobo < payments.kobo`,
  },
  {
    rule: "I4",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select s.reference as where, 'its sale and its payment belong to two orders' as what
      from sales s join payments p using (reference) where p.order_id <> s.order_id`,
  },
  {
    rule: "I4",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select sales.reference as where, format('it is sold for %s kobo, and was ordered for %s', sales.kobo, orders.kobo) as what
      from sales join orders on orders.id = sales.order_id where sales.kobo + ${sql.raw(ROUNDED_OF_SALE)} <> orders.kobo`,
  },
  {
    rule: "I4",
    todo: COMPARE,
    rows: sql`
      select reference as where, format('it is sold for %s kobo, and %s %s were paid', s.kobo, p.paid_kobo, p.paid_currency) as what
      from sales s join payments p using (reference)
      where p.paid_kobo is null or p.paid_kobo < s.kobo or p.paid_currency is distinct from 'NGN'`,
  },
  {
    rule: "I12",
    todo: COMPARE,
    rows: sql`
      select reference as where, format('the payment is %s, and the provider is not asked about it any more', state) as what
      from payments
      where state in ('created', 'pending') and next_check_at is null and provider_status is distinct from 'not-found'`,
  },
  {
    rule: "I15",
    todo: COMPARE,
    rows: sql`
      select reference as where, 'the payment provider has not answered about it for three days: ' || last_error as what
      from payments
      where next_check_at is not null and last_error is not null
        and greatest(created_at, webhook_at, updated_at) < now() - ${millisecondsSql(WATCHED_FOR)}`,
  },
  {
    rule: "I21",
    todo: "Ask the shopper if they still want it; to refund it: npm run shop -- orders refund WHERE",
    rows: sql`
      select s.reference as where, 'it was paid more than a day after the order was made and after its end, and is sold' as what
      from sales s join payments p using (reference) join orders on orders.id = s.order_id
      where p.paid_at >= orders.released_at and p.paid_at > ${millisecondsSql(SOLD_LATE_WITHIN)} + case
        when orders.expires_at > orders.created_at + ${millisecondsSql(RESERVED_FOR_TRANSFER)}
          or exists (select from staff_orders where order_id = orders.id) then orders.expires_at -- held by staff
        else orders.created_at end`,
  },
];

/** Faults of refunds. */
export const REFUND_FAULTS: FaultQuery[] = [
  {
    rule: "I18",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select p.reference as where, format('its counters say %s kobo on the way back and %s gone back, its refunds say %s and %s',
        p.refunding_kobo, p.refunded_kobo, coalesce(r.refunding, 0), coalesce(r.refunded, 0)) as what
      from payments p left join ${REFUND_SUMS} r using (reference)
      where p.refunding_kobo <> coalesce(r.refunding, 0) or p.refunded_kobo <> coalesce(r.refunded, 0)`,
  },
  {
    rule: "I18",
    todo: COMPARE,
    rows: sql`
      select reference as where,
        format('%s kobo go back or have gone back, and %s were paid', refunding_kobo + refunded_kobo, coalesce(paid_kobo, kobo)) as what
      from payments where refunding_kobo + refunded_kobo > coalesce(paid_kobo, kobo)`,
  },
  {
    rule: "I18",
    todo: LOOK,
    rows: sql`
      select reference as where, format('%s of %s in %s go back, and %s were bought', back.units, back.product_id, back.size, coalesce(bought.units, 0)) as what
      from (
        select reference, product_id, size, sum(quantity) as units from (
          select reference, piece."productId" as product_id, piece.size, piece.quantity
          from refunds, jsonb_to_recordset(pieces) as piece("productId" text, size text, quantity integer)
          where state not in ('failed', 'void')
          union all
          select reference, product_id, size, quantity from return_pieces join returns on returns.id = return_id
          where state in ('asked', 'approved', 'received')
        ) each group by 1, 2, 3
      ) back left join (
        select sales.reference, product_id, size, sum(quantity) as units
        from sent_pieces() join sales on sales.id = sale_id group by 1, 2, 3
      ) bought using (reference, product_id, size)
      where back.units > coalesce(bought.units, 0)`,
  },
  {
    rule: "I19",
    todo: COMPARE,
    rows: sql`
      select reference as where, format('%s kobo have gone back here, %s at the provider', refunded_kobo, provider_refunded_kobo) as what
      from payments join sales using (reference) where provider_refunded_kobo <> refunded_kobo`,
  },
];

/** A condition in SQL on the table `payments` as `p`: whether staff have taken the money, here and in no other shop. */
const IS_IN_BOOK = sql`(p.provider in (${sql.join([...MEANS])})
  and exists (select from orders where orders.id = p.order_id and cart_version <> 0))`;

/** Differences between payments and the shop's own book of the money that staff take and give back by hand. */
export const BY_HAND_FAULTS: FaultQuery[] = [
  {
    rule: "I26",
    todo: LOOK,
    rows: sql`
      select reference as where, format('%s kobo were taken by hand, and the book says %s', paid_kobo, coalesce(taken.kobo::text, 'nothing')) as what
      from payments p left join hand_takings taken using (reference)
      where paid_kobo is not null and ${IS_IN_BOOK} and taken.kobo is distinct from paid_kobo`,
  },
  {
    rule: "I26",
    todo: LOOK,
    rows: sql`
      select reference as where, format('%s kobo were taken and %s rounded down (%s), and the order costs %s', taken.kobo, rounding_kobo, p.provider, orders.kobo) as what
      from hand_takings taken join payments p using (reference) join orders on orders.id = p.order_id
      where taken.kobo + rounding_kobo <> orders.kobo or (rounding_kobo > 0 and (p.provider <> 'cash' or taken.kobo % 5000 <> 0))`,
  },
  {
    rule: "I26",
    todo: LOOK,
    rows: sql`
      select reference as where, format('it was taken by hand by %s, and is neither sold nor going back', taken_by) as what
      from hand_takings join payments p using (reference)
      where p.state not in ('paid', 'refused') and taken_at < now() - interval '1 hour'`,
  },
  {
    rule: "I26",
    todo: LOOK,
    rows: sql`
      select reference as where, format('%s kobo were given back by hand, and the shop says %s', coalesce(back.given, 0), refunded_kobo) as what
      from payments p left join (
        select reference, sum(kobo) as given, sum(kobo) filter (where given_at < now() - interval '2 hours') as given_before
        from hand_refunds where given_at is not null group by 1
      ) back using (reference)
      where back.given_before > refunded_kobo or (${IS_IN_BOOK} and refunded_kobo > coalesce(back.given, 0))`,
  },
];

/** Faults of mails. */
export const MAIL_FAULTS: FaultQuery[] = [
  {
    rule: "I8",
    todo: TELL,
    rows: sql`
      select reference as where, 'the shopper was not told of the sale' as what from sales
      where not exists (select from outbox where idempotency_key = 'sale:' || sales.id)`,
  },
  {
    rule: "I8",
    todo: TELL,
    rows: sql`
      select reference as where, format('the shopper was not told that %s kobo go back', kobo) as what from refunds
      where origin = 'shop' and not exists (select from outbox where idempotency_key in ('refund:' || refunds.id, 'refund:' || reference))`,
  },
  {
    rule: "I8",
    todo: TELL,
    rows: sql`
      select reference as where, format('the shopper was not told that %s kobo have gone back', kobo) as what from refunds
      where state = 'done' and not exists (select from outbox where idempotency_key in ('refund-done:' || refunds.id, 'refund-done:' || reference))`,
  },
  {
    rule: "I14",
    todo: "Once the mail server works: npm run shop -- mails resend",
    rows: sql`
      select recipient as where, format('the mail %s was given up after two days of trying', kind) as what from outbox
      where ${IS_LOST}`,
  },
  {
    rule: "I23",
    todo: "To see what the server answers: npm run shop -- mails try ADDRESS",
    rows: sql`
      select 'mails' as where, format('%s wait since %s; the mail server says: %s', count,
        to_char(since at time zone ${SHOP_ZONE}, 'YYYY-MM-DD HH24:MI'), coalesce(error, 'nothing, nobody has asked it')) as what
      from (${WAITING_MAILS}) as waiting where count > 0`,
  },
];

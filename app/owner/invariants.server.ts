import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { milliseconds } from "#app/infra/database/statement.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { isGivenUp } from "#app/infra/mail.server.ts";
import { IS_LIVE } from "#app/orders/state.ts";
import { RESERVED_UNANSWERED, SOLD_LATE_WITHIN } from "#app/orders/time-limits.ts";
import { WATCHED_FOR } from "#app/payments/check-schedule.ts";
import { missingRates } from "./missing-rates.server.ts";

const LIVE = sql.raw(IS_LIVE);

/** `what` does not hold for `where` (a size, an order, a reference). */
export type Broken = { rule: string; what: string; where: string };

/** What the payment provider says that it charged and gave back, where that can be asked for (tests: the sandbox). */
export type LedgerEntry = { reference: string; status: string; kobo: number; currency: string; refundedKobo: number };

type Rules = Record<string, { what: string; places: ReturnType<typeof sql<{ place: string }>> }>;

/** Each query answers with the places where its rule is broken. What `check` prints names them by their numbers. */
const RULES: Rules = {
  I1: {
    what: "units sold are the units of the sales",
    places: sql`
      select s.product_id || ' ' || s.size as place from product_sizes s
      left join (select product_id, size, sum(quantity) as units from sale_lines group by 1, 2) l using (product_id, size)
      where s.sold <> coalesce(l.units, 0)`,
  },
  I2: {
    what: "reserved units are the reservations of live orders",
    places: sql`
      select s.product_id || ' ' || s.size as place from product_sizes s
      left join (
        select r.product_id, r.size, sum(r.quantity) as units
        from reservations r join orders a on a.id = r.order_id and a.${LIVE} group by 1, 2
      ) r using (product_id, size)
      where s.reserved <> coalesce(r.units, 0) or s.reserved not between 0 and s.on_hand
      union all
      select 'order ' || a.id from orders a
      where (a.${LIVE} and a.holds_stock) <> exists (select from reservations where order_id = a.id)`,
  },
  I3: {
    what: "money that has come in is one sale or one refund",
    places: sql`
      select p.reference as place from payments p left join sales s using (reference)
      where (p.state = 'paid') <> (s.id is not null)
        or (p.state = 'refused' and p.paid_kobo is not null and not exists (select from refunds r where r.reference = p.reference))
        or (s.status = 'completed' and p.refunded_kobo >= p.kobo)
        or (s.status = 'refunded' and p.refunded_kobo < p.kobo)`,
  },
  I4: {
    what: "a sale is paid for in full, in naira",
    places: sql`
      select s.reference as place from sales s join payments p using (reference) join orders a on a.id = s.order_id
      where p.order_id <> s.order_id or s.kobo <> a.kobo or p.paid_kobo < s.kobo or p.paid_currency <> 'NGN'`,
  },
  I5: {
    what: "an order is sold exactly when it has its one sale",
    places: sql`
      select 'order ' || a.id as place from orders a left join sales s on s.order_id = a.id
      where (a.state = 'sold' and s.id is null) or ((a.state = 'released' or a.${LIVE}) and s.id is not null)`,
  },
  I6: {
    what: "lines and delivery add up, and the charge is rounded up once",
    places: sql`
      select 'order ' || a.id as place from orders a
      where a.subtotal_cents <> (
          select sum((line->>'priceCents')::int * (line->>'quantity')::int) from jsonb_array_elements(a.lines) line)
        or a.kobo <> ceil(a.total_cents * a.rate / 100) * 100
      union all
      select s.reference from sales s
      where s.subtotal_cents <> (select sum(price_cents * quantity) from sale_lines where sale_id = s.id)`,
  },
  I8: {
    what: "the shopper is told of each sale and each refund, once",
    places: sql`
      select reference as place from sales where not exists (select from outbox where idempotency_key = 'sale:' || sales.id)
      union all
      select reference from refunds
      where origin = 'shop' and not exists (select from outbox where idempotency_key in ('refund:' || refunds.id, 'refund:' || reference))
      union all
      select reference from refunds
      where state = 'done' and not exists (select from outbox where idempotency_key in ('refund-done:' || refunds.id, 'refund-done:' || reference))`,
  },
  I9: {
    what: "no stock is held for longer than its time and a grace of half an hour",
    places: sql`
      select 'order ' || id as place from orders
      where ${LIVE} and expires_at < now() - ${milliseconds(RESERVED_UNANSWERED + 15 * MINUTE)}`,
  },
  I10: {
    what: "a sale stands in the history of whoever ordered it",
    places: sql`
      select s.reference as place from sales s join orders a on a.id = s.order_id
      where s.user_id is distinct from a.user_id`,
  },
  I12: {
    what: "every unpaid payment is watched for three days",
    places: sql`
      select reference as place from payments
      where state in ('created', 'pending') and next_check_at is null and provider_status is distinct from 'not-found'`,
  },
  I13: {
    what: "nothing waits for a person to look at it",
    places: sql`
      select reference || ': ' || kind as place from payment_issues where resolved_at is null`,
  },
  I14: {
    what: "no mail has been given up after two days of trying",
    places: sql`
      select kind || ' to ' || recipient as place from outbox
      where created_at < now() - interval '2 days' and ${isGivenUp}`,
  },
  I15: {
    what: "the payment provider answers about every payment within three days",
    places: sql`
      select reference as place from payments
      where next_check_at is not null and last_error is not null
        and greatest(created_at, webhook_at, updated_at) < now() - ${milliseconds(WATCHED_FOR)}`,
  },
  I21: {
    what: "what was paid after its release, and more than a day after it was begun, is not sold",
    places: sql`
      select s.reference as place from sales s join payments p using (reference) join orders a on a.id = s.order_id
      where p.paid_at >= a.released_at and p.paid_at > a.created_at + ${milliseconds(SOLD_LATE_WITHIN)}`,
  },
};

const PARTS: Rules = {
  I18: {
    what: "the parts that go back are counted, and come to no more than was paid and bought",
    places: sql`
      select p.reference as place from payments p left join (
        select reference, sum(kobo) filter (where state in ('open', 'sent')) as refunding, sum(kobo) filter (where state = 'done') as refunded
        from refunds group by 1
      ) r using (reference)
      where p.refunding_kobo <> coalesce(r.refunding, 0) or p.refunded_kobo <> coalesce(r.refunded, 0)
        or p.refunding_kobo + p.refunded_kobo > coalesce(p.paid_kobo, p.kobo)
      union all
      select reference || ' ' || back.product_id || ' ' || back.size from (
        select reference, piece."productId" as product_id, piece.size, sum(piece.quantity) as units
        from refunds, jsonb_to_recordset(pieces) as piece("productId" text, size text, quantity integer)
        where state not in ('failed', 'void') group by 1, 2, 3
      ) back left join (
        select sales.reference, product_id, size, sum(quantity) as units from sale_lines join sales on sales.id = sale_id group by 1, 2, 3
      ) bought using (reference, product_id, size)
      where back.units > coalesce(bought.units, 0)`,
  },
  I19: {
    what: "what has gone back of a sale is what the payment provider says",
    places: sql`
      select reference || ': ' || refunded_kobo || ' kobo here, ' || provider_refunded_kobo || ' at the provider' as place
      from payments join sales using (reference) where provider_refunded_kobo <> refunded_kobo`,
  },
};

const ALL = { ...RULES, ...PARTS };

/** Everything that is wrong between stock, orders, payments and mails; with a ledger, with the provider's books too. */
export async function checkInvariants(on: Db | Transaction, ledger?: LedgerEntry[]): Promise<Broken[]> {
  const queries = Object.entries(ALL).map(
    ([rule, { places }]) => sql`select ${rule}::text as rule, place::text as where from (${places}) as places`,
  );
  const { rows } = await sql<{ rule: string; where: string }>`${sql.join(queries, sql` union all `)}`.execute(on);
  const missing = env.paystack.live ? await missingRates(on) : []; // in the demo they are there, or do not matter
  const broken = [
    ...rows.map(({ rule, where }) => ({ rule, what: ALL[rule]?.what ?? "", where })),
    ...missing.map((what) => ({ rule: "I20", what, where: "settings" })),
  ];
  return ledger ? [...broken, ...(await compare(on, ledger))] : broken;
}

async function compare(on: Db | Transaction, ledger: LedgerEntry[]): Promise<Broken[]> {
  const sales = new Map((await on.selectFrom("sales").selectAll().execute()).map((sale) => [sale.reference, sale]));
  const payments = await on
    .selectFrom("payments")
    .select(["reference", "refundingKobo", "refundedKobo"])
    .where(sql<boolean>`exists (select from refunds where refunds.reference = payments.reference)`)
    .execute();
  const refunds = new Map(payments.map((one) => [one.reference, one]));
  const charged = ledger.filter(({ status }) => status === "success" || status.startsWith("revers"));
  const wrong = charged.flatMap(({ reference, status, kobo, currency, refundedKobo }): Broken[] => {
    const sale = sales.get(reference);
    const refund = refunds.get(reference);
    const [underWay, back] = [Number(refund?.refundingKobo ?? 0), Number(refund?.refundedKobo ?? 0)];
    const issue = (rule: string, what: string) => [{ rule, what, where: reference }];
    if (status === "success" && !sale && !refund && refundedKobo === 0)
      return issue("I3", "charged, and neither sold nor refunded");
    if (refundedKobo > kobo) return issue("I3", "refunded more than once");
    if (sale && refundedKobo > underWay + back) return issue("I19", "more goes back than the shop knows of");
    if (sale && status !== "reversed" && back > refundedKobo)
      return issue("I19", "less has gone back than the shop says");
    if (sale && (kobo < Number(sale.kobo) || currency !== "NGN"))
      return issue("I4", "sold for another sum than was charged");
    return [];
  });
  const paid = new Set(charged.map(({ reference }) => reference));
  const unpaid = [...sales.keys()].filter((reference) => !paid.has(reference));
  return [...wrong, ...unpaid.map((where) => ({ rule: "I4", what: "sold without a charge", where }))];
}

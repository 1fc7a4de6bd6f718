import { sql } from "kysely";
import { type FaultQuery, NOT_BY_ITSELF } from "./fault.ts";

/** All numbers that were drawn, each with the name of its series and as people read it. */
const NUMBERS = sql`(
  select 'receipts ' || year as series, number, format('%s-%s', year, lpad(number::text, greatest(6, length(number::text)), '0')) as written from receipts
  union all
  select 'credit notes ' || year, number, format('CN-%s-%s', year, lpad(number::text, greatest(6, length(number::text)), '0')) from credit_notes)`;

/** A receipt's number as people read it. */
const WRITTEN = sql`format('%s-%s', receipts.year, lpad(receipts.number::text, greatest(6, length(receipts.number::text)), '0'))`;

/** Faults of receipts and credit notes. */
export const RECEIPT_FAULTS: FaultQuery[] = [
  {
    rule: "I32",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select series as where, format('the last number is %s, and %s are there', max(number), count(distinct number)) as what
      from ${NUMBERS} numbers group by series having max(number) <> count(distinct number)`,
  },
  {
    rule: "I32",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select written as where, format('%s have this number', count(*)) as what
      from ${NUMBERS} numbers group by written having count(*) > 1`,
  },
  {
    rule: "I32",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select reference as where, format('its receipt %s says %s kobo, and it is sold for %s', ${WRITTEN}, receipts.kobo, sales.kobo) as what
      from receipts join sales on sales.id = sale_id where receipts.kobo <> sales.kobo`,
  },
  {
    rule: "I32",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select ${WRITTEN} as where, format('its credit notes come to %s kobo with %s of VAT, and it says %s with %s',
        back.kobo, back.vat_kobo, receipts.kobo, receipts.vat_kobo) as what
      from receipts join (select sale_id, sum(kobo) as kobo, sum(vat_kobo) as vat_kobo from credit_notes group by 1) back using (sale_id)
      where back.kobo > receipts.kobo or back.vat_kobo > receipts.vat_kobo`,
  },
  {
    rule: "I32",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select ${WRITTEN} as where, format('%s kobo of it have gone back, and its credit notes come to %s', gone.kobo, coalesce(back.kobo, 0)) as what
      from receipts join sales on sales.id = sale_id
      join (select reference, sum(kobo) as kobo from refunds where state = 'done' group by 1) gone using (reference)
      left join (select sale_id, sum(kobo) as kobo from credit_notes group by 1) back on back.sale_id = sales.id
      where coalesce(back.kobo, 0) < least(gone.kobo, receipts.kobo) and not exists (
        select from receipts_due join refunds on refunds.id = refund_id where refunds.reference = sales.reference)`,
  },
  {
    rule: "I32",
    todo: "See that the shop runs, and what its log says about receipts",
    rows: sql`
      select coalesce(sales.reference, refunds.reference) as where, 'its number is due for more than an hour' as what
      from receipts_due left join sales on sales.id = sale_id left join refunds on refunds.id = refund_id
      where receipts_due.at < now() - interval '1 hour' and exists (select from receipt_settings where since is not null)`,
  },
];

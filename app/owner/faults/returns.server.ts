import { sql } from "kysely";
import { type FaultQuery, NOT_BY_ITSELF } from "./fault.ts";

/** Faults of returns and exchanges. */
export const RETURN_FAULTS: FaultQuery[] = [
  {
    rule: "I22",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select number as where, 'its money is said to have been given back, and no refund of its payment says so' as what
      from returns r where state = 'done' and wish = 'money'
        and not exists (select from refunds where refunds.id = r.refund_id and refunds.reference = r.reference)`,
  },
  {
    rule: "I22",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select number as where, format('%s kobo go back for it, and %s were paid', refunds.kobo, coalesce(paid_kobo, payments.kobo)) as what
      from returns join refunds on refunds.id = refund_id join payments on payments.reference = returns.reference
      where refunds.kobo > coalesce(paid_kobo, payments.kobo)`,
  },
  {
    rule: "I22",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select number as where, format('its money went back for %s of %s in %s, and %s were asked for', back.quantity, "productId", back.size, coalesce(asked.quantity, 0)) as what
      from returns join refunds on refunds.id = refund_id
      cross join lateral jsonb_to_recordset(refunds.pieces) as back("productId" text, size text, quantity integer)
      left join return_pieces asked on return_id = returns.id and asked.product_id = "productId" and asked.size = back.size
      where back.quantity > coalesce(asked.quantity, 0)`,
  },
  {
    rule: "I22",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select number as where, 'it has no pieces, or an exchange names no other size for one' as what from returns
      where not exists (select from return_pieces where return_id = returns.id)
        or (wish = 'exchange' and exists (select from return_pieces where return_id = returns.id and new_size is null))`,
  },
  {
    rule: "I8",
    todo: "Email the shopper yourself: the shop never wrote that email.",
    rows: sql`
      select number as where, 'the shopper was not told what has become of it' as what from returns
      where returns.state <> 'done' and not exists (select from outbox where idempotency_key = 'return:' || returns.id || ':' || returns.state)`,
  },
];

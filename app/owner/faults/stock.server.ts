import { sql } from "kysely";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { HOLDS_STOCK } from "#app/orders/returns/state.ts";
import { IS_LIVE } from "#app/orders/state.ts";
import { RESERVED_UNANSWERED } from "#app/orders/time-limits.ts";
import { type FaultQuery, NOT_BY_ITSELF } from "./fault.ts";

const LIVE = sql.raw(IS_LIVE);

/** The reference by which the owner knows an order. */
export const REFERENCE = sql`coalesce((
  select reference from payments where order_id = orders.id order by created_at desc limit 1), 'order ' || orders.id)`;

const RESERVED_SIZES = sql`
  select s.product_id || ' ' || s.size as where, s.reserved, s.on_hand, coalesce(r.units, 0) as units
  from product_sizes s left join (
    select product_id, size, sum(quantity) as units from (
      select r.product_id, r.size, r.quantity from reservations r join orders on orders.id = r.order_id and ${LIVE}
      union all
      select coalesce(new_product_id, product_id), new_size, quantity from return_pieces join returns on returns.id = return_id where ${sql.raw(HOLDS_STOCK)}
    ) held group by 1, 2
  ) r using (product_id, size)`;

/** Faults of stock, reservations, orders and the orders' uses of offers. */
export const STOCK_FAULTS: FaultQuery[] = [
  {
    rule: "I25",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select "where", format('its counter says %s uses, its orders hold %s', used, held) as what from (
        select 'offer ' || id as where, used,
          (select count(*) from offer_uses where offer_id = offers.id and held) as held
        from offers where most_uses is not null
        union all
        select 'code ' || written, used,
          (select count(*) from offer_uses where code = offer_codes.code and held)
        from offer_codes where most_uses is not null
      ) counted where used <> held`,
  },
  {
    rule: "I25",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select ${REFERENCE} as where, format('it has ended, and holds a use of offer %s', offer_id) as what
      from offer_uses join orders on orders.id = order_id where held and state = 'released'`,
  },
  {
    rule: "I1",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select s.product_id || ' ' || s.size as where,
        format('its counter says %s sold, its sales and exchanges say %s', s.sold, coalesce(l.units, 0)) as what
      from product_sizes s
      left join (
        select product_id, size, sum(quantity) as units from (
          select product_id, size, quantity from sent_pieces()
          union all
          select coalesce(new_product_id, product_id), new_size, quantity from return_pieces join returns on returns.id = return_id
          where state = 'done' and wish = 'exchange'
        ) left_the_shop group by 1, 2
      ) l using (product_id, size)
      where s.sold <> coalesce(l.units, 0)`,
  },
  {
    rule: "I1",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select sales.reference as where, 'its order names other pieces than its sale with the changed sizes' as what
      from (select distinct sale_id from size_changes) changed
      join sales on sales.id = sale_id join orders on orders.id = order_id
      where exists (
        select from (
          select "productId" as product_id, size, quantity
          from jsonb_to_recordset(lines) as line("productId" text, size text, quantity integer)
          union all
          select product_id, size, -quantity from sent_pieces() sent where sent.sale_id = sales.id
        ) pieces group by product_id, size having sum(quantity) <> 0
      )`,
  },
  {
    rule: "I2",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select "where", format('its counter says %s reserved, the live orders and approved exchanges hold %s', reserved, units) as what
      from (${RESERVED_SIZES}) as sizes where reserved <> units`,
  },
  {
    rule: "I2",
    todo: "Count what is there, and say so: npm run shop -- stock set WHERE N",
    rows: sql`
      select "where", format('%s are reserved, and %s are in stock', reserved, on_hand) as what
      from (${RESERVED_SIZES}) as sizes where reserved not between 0 and on_hand`,
  },
  {
    rule: "I2",
    todo: "End it, unless it is paid meanwhile: npm run shop -- orders cancel WHERE",
    rows: sql`
      select ${REFERENCE} as where, 'the order waits for its payment, and its stock is not reserved' as what from orders
      where ${LIVE} and holds_stock and not exists (select from reservations where order_id = orders.id)`,
  },
  {
    rule: "I2",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select ${REFERENCE} as where, format('stock is reserved for the order, which is %s', state) as what from orders
      where not (${LIVE} and holds_stock) and exists (select from reservations where order_id = orders.id)`,
  },
  {
    rule: "I5",
    todo: "See what happened to its money: npm run shop -- orders show WHERE",
    rows: sql`
      select ${REFERENCE} as where, 'the order is sold, and there is no sale' as what from orders
      where state = 'sold' and not exists (select from sales where order_id = orders.id)`,
  },
  {
    rule: "I5",
    todo: "See what happened to its money: npm run shop -- orders show WHERE",
    rows: sql`
      select sales.reference as where, format('there is a sale, and its order is %s', state) as what
      from orders join sales on sales.order_id = orders.id where state = 'released' or ${LIVE}`,
  },
  {
    rule: "I6",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select "where", format('its lines come to %s cents, its subtotal says %s', coalesce(sum, 0), subtotal_cents) as what
      from (
        select ${REFERENCE} as where, subtotal_cents,
          (select sum((line->>'priceCents')::int * (line->>'quantity')::int) from jsonb_array_elements(lines) line) as sum
        from orders
        union all
        select reference, subtotal_cents, (select sum(price_cents * quantity) from sale_lines where sale_id = sales.id)
        from sales
      ) as sums where sum is distinct from subtotal_cents`,
  },
  {
    rule: "I6",
    todo: "See what was charged: npm run shop -- orders show WHERE",
    rows: sql`
      select ${REFERENCE} as where,
        format('its charge is %s kobo, and its total at its rate comes to %s', kobo, ceil(total_cents * rate / 100) * 100) as what
      from orders where kobo <> ceil(total_cents * rate / 100) * 100`,
  },
  {
    rule: "I9",
    todo: "See that the shop runs and reaches the payment provider; or end it: npm run shop -- orders cancel WHERE",
    rows: sql`
      select ${REFERENCE} as where, 'the order still waits, more than half an hour after its time was over' as what
      from orders where ${LIVE} and expires_at < now() - ${millisecondsSql(RESERVED_UNANSWERED + 15 * MINUTE)}`,
  },
  {
    rule: "I10",
    todo: NOT_BY_ITSELF,
    rows: sql`
      select s.reference as where, 'the sale is not in the history of the customer who ordered it' as what
      from sales s join orders on orders.id = s.order_id where s.user_id is distinct from orders.user_id`,
  },
];

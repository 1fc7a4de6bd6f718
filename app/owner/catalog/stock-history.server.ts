import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { IS_LIVE } from "#app/orders/state.ts";
import { type Keyset, type Page, pageOf } from "../keyset.server.ts";

const STOCK_EVENTS = [
  "start", // the stock before the first recorded event
  "sold",
  "reserved", // reserved for an open payment
  "lapsed", // not paid in time, or paid but not sold: available again
  "refunded", // back in stock with a refund
  "returned", // back in stock with a return
  "exchange-held", // reserved for an approved exchange
  "exchange-ended", // an exchange that was declined or withdrawn
  "exchange-sent", // sent in exchange for another size or colour
  "exchange-returned", // returned in an exchange
  "size-left", // not sent after all: the order's size was changed to another one
  "size-taken", // sent instead of another size of an order
  "set", // set by somebody, in the office or by a command
] as const;
export type StockEvent = (typeof STOCK_EVENTS)[number];
/**
 * An event in a size's stock. `change` is the difference in pieces on hand, `held` that in reserved pieces. `left` and
 * `leftHeld` are the numbers after the event.
 */
export type StockHappening = {
  at: Date;
  size: string;
  kind: StockEvent;
  change: number;
  held: number;
  left: number;
  leftHeld: number;
  order: string | null;
  return: string | null;
  by: string | null;
  door: "command" | "office" | null;
  action: string | null;
  reason: string | null;
  place: string;
};

const NOTHING = sql`null::text`;

/**
 * A page of a product's stock history, newest first, for one size or all. The numbers are calculated back from the
 * current stock. The difference that no event explains, such as the demo's stock or an imported collection, is the
 * oldest entry.
 */
export async function stockHistory(
  on: Db,
  { id, size, ...keyset }: { id: string; size?: string } & Keyset,
  most?: number,
): Promise<Page<StockHappening>> {
  const history = sql<Omit<StockHappening, "place"> & { key: string }>`(
    with events as (${eventsSql(id)}),
    begun as (
      select s.product_id, s.size, s.on_hand - coalesce(sum(change), 0)::int as change,
        s.reserved - coalesce(sum(held), 0)::int as held, least(min(at), min(products.created_at)) as at
      from product_sizes s join products on products.id = s.product_id left join events using (size)
      where s.product_id = ${id} group by s.product_id, s.size
    ),
    reckoned as (
      select happened.*,
        s.on_hand - coalesce(sum(change) over later, 0)::int as left,
        s.reserved - coalesce(sum(happened.held) over later, 0)::int as left_held
      from (
        select at, key, size, kind, change, held, "order", return, actor, door, action, reason from events
        union all
        select at, 'at first ' || size, size, 'start', change, held, ${NOTHING}, ${NOTHING}, ${NOTHING}, ${NOTHING}, ${NOTHING}, ${NOTHING} from begun
        where change <> 0 or held <> 0
      ) happened join product_sizes s on s.product_id = ${id} and s.size = happened.size
      window later as (partition by happened.size order by at desc, key desc rows between unbounded preceding and 1 preceding)
    )
    select reckoned.*, coalesce(nullif(staff.name, ''), actor) as by
    from reckoned left join staff on staff.email = actor
    where ${size ?? null}::text is null or size = ${size ?? null})`;
  const query = on
    .selectFrom(history.as("history"))
    .select(["at", "size", "kind", "change", "held", "left", "leftHeld", "order", "return"])
    .select(["by", "door", "action", "reason"]);
  return pageOf(query, { at: "time", key: "text" }, keyset, { size: most });
}

/** The events of a product, each with a unique key. Keys must not sort before "at first", that of the initial stock. */
function eventsSql(id: string) {
  const columns = sql`null::text as return, ${NOTHING} as actor, ${NOTHING} as door, ${NOTHING} as action, ${NOTHING} as reason`;
  return sql`
    with bought as (
      select sale_id, reference, order_id, sales.created_at as sold_at, size, sum(quantity)::int as units
      from sale_lines join sales on sales.id = sale_id where product_id = ${id}
      group by sale_id, reference, order_id, sales.created_at, size
    ),
    wanted as (
      select orders.id, orders.number, orders.created_at, coalesce(released_at, (
          select min(refunds.created_at) from refunds join payments using (reference) where payments.order_id = orders.id
        )) as ended_at, line.size, sum(line.quantity)::int as units
      from orders cross join lateral jsonb_to_recordset(lines) as line("productId" text, size text, quantity integer)
      where state in ('released', 'refunding', 'refunded') and holds_stock and line."productId" = ${id}
        and jsonb_path_query_array(lines, '$[*].productId') @> to_jsonb(${id}::text)
        and not exists (select from sales where order_id = orders.id)
      group by orders.id, line.size
    ),
    backs as (
      select returns.id, returns.number, returns.state, wish, restocked, decided_at, ended_at, orders.number as order, p.size, p.new_product_id, p.new_size, p.quantity,
        p.product_id || ' ' || p.size as piece
      from (select distinct reference, order_id from bought) sold join returns using (reference)
      join return_pieces p on p.return_id = returns.id and p.product_id = ${id} join orders on orders.id = sold.order_id
    ),
    exchanged as (
      select id, number, state, decided_at, ended_at, "order", new_size, quantity, piece from backs where wish = 'exchange' and new_product_id is null
      union all
      select returns.id, returns.number, returns.state, decided_at, ended_at, orders.number, p.new_size, p.quantity, p.product_id || ' ' || p.size
      from return_pieces p join returns on returns.id = p.return_id join sales using (reference) join orders on orders.id = sales.order_id
      where p.new_product_id = ${id} and wish = 'exchange'
    )
    select sold_at as at, 'sold ' || sale_id || size as key, size, 'sold' as kind, -units as change,
      case when is_held and (released_at is null or released_at > sold_at) then -units else 0 end as held, number as order, ${columns}
    from bought join lateral (
      select number, released_at, holds_stock and created_at < sold_at as is_held from orders where orders.id = order_id
    ) o on true
    union all
    select created_at, 'reserved ' || orders.id || size, size, 'reserved', 0, units, number, ${columns}
    from bought join orders on orders.id = order_id where holds_stock and created_at < sold_at
    union all
    select released_at, 'lapsed ' || orders.id || size, size, 'lapsed', 0, -units, number, ${columns}
    from bought join orders on orders.id = order_id where holds_stock and released_at < sold_at
    union all
    select created_at, 'reserved ' || id || size, size, 'reserved', 0, units, number, ${columns} from wanted where ended_at is not null
    union all
    select ended_at, 'lapsed ' || id || size, size, 'lapsed', 0, -units, number, ${columns} from wanted where ended_at is not null
    union all
    select created_at, 'reserved ' || orders.id || r.size, r.size, 'reserved', 0, r.quantity, number, ${columns}
    from reservations r join orders on orders.id = r.order_id where product_id = ${id} and ${sql.raw(IS_LIVE)}
    union all
    select refunds.created_at, 'refund ' || refunds.id || piece.size, piece.size,
      case when returns.id is null then 'refunded' else 'returned' end, sum(piece.quantity)::int, 0, orders.number,
      returns.number, ${NOTHING}, ${NOTHING}, ${NOTHING}, cause
    from (select distinct reference, order_id from bought) sold join refunds using (reference)
    cross join lateral jsonb_to_recordset(refunds.pieces) as piece("productId" text, size text, quantity integer)
    left join returns on returns.refund_id = refunds.id join orders on orders.id = sold.order_id
    where restock and piece."productId" = ${id} group by refunds.id, piece.size, returns.id, orders.number
    union all
    select decided_at, 'held ' || id || piece, new_size, 'exchange-held', 0, quantity, "order", number, ${NOTHING}, ${NOTHING}, ${NOTHING}, ${NOTHING}
    from exchanged where decided_at is not null and decided_at is distinct from ended_at
    union all
    select ended_at, 'ended ' || id || piece, new_size, 'exchange-ended', 0, -quantity, "order", number, ${NOTHING}, ${NOTHING}, ${NOTHING}, ${NOTHING}
    from exchanged where state in ('declined', 'withdrawn') and decided_at is not null and decided_at <> ended_at
    union all
    select ended_at, 'sent ' || id || piece, new_size, 'exchange-sent', -quantity, -quantity, "order", number, ${NOTHING}, ${NOTHING}, ${NOTHING}, ${NOTHING}
    from exchanged where state = 'done'
    union all
    select ended_at, 'back ' || id || size, size, 'exchange-returned', quantity, 0, "order", number, ${NOTHING}, ${NOTHING}, ${NOTHING}, ${NOTHING}
    from backs where wish = 'exchange' and state = 'done' and restocked
    union all
    select changed_at, 'size ' || sale_id || changes.number || size, size, kind, change, 0, orders.number, ${columns}
    from size_changes changes join sales on sales.id = sale_id join orders on orders.id = order_id
    cross join lateral (values (from_size, 'size-left', quantity), (to_size, 'size-taken', -quantity)) moved(size, kind, change)
    where product_id = ${id}
    union all
    select at, 'set ' || audit_log.id || counted.key, counted.key, 'set',
      counted.value::int - coalesce((before -> 'sizes' ->> counted.key)::int, 0), 0, ${NOTHING}, ${NOTHING}, actor, door, action, after ->> 'reason'
    from audit_log cross join lateral jsonb_each_text(case jsonb_typeof(after -> 'sizes') when 'object' then after -> 'sizes' end) counted
    where subject_kind = 'product' and subject_id = ${id}`;
}

import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import type { ReturnPiece } from "#app/orders/returns/return.ts";
import { overdueBefore, refundDueBy } from "#app/orders/returns/rules.ts";
import { isLiveReturnIn, LIVE_RETURNS, type ReturnState } from "#app/orders/returns/state.ts";

/** `live`: something is still to be done. `search`: the number of a return or an order, or the mail address of the order, whole. */
export type ReturnFilter = { state?: ReturnState; live?: boolean; search?: string };

/** The newest returns that fit, at most `limit`; those before `before`, which is `cursor` of the last one of the page before. */
export async function listReturns(
  on: Db,
  { state, live, search }: ReturnFilter = {},
  { before, limit = 50 }: { before?: number; limit?: number } = {},
) {
  const rows = await ownersReturns(on)
    .$if(state !== undefined, (query) => query.where("returns.state", "=", state ?? "asked"))
    .$if(live === true, (query) => query.where("returns.state", "in", LIVE_RETURNS))
    .$if(search !== undefined, (query) =>
      query.where(sql<boolean>`${search ?? ""} in (returns.number, orders.number, lower(orders.email))`),
    )
    .$if(before !== undefined, (query) => query.where(sql<boolean>`returns.counted < ${before ?? 0}`))
    .orderBy("returns.counted", "desc")
    .limit(limit)
    .execute();
  return rows.map(withDueDay);
}

/** One return with all that was said of it; undefined where there is none of this number. */
export async function showReturn(on: Db, number: string) {
  const row = await ownersReturns(on)
    .select(["returns.words", "returns.answer", "returns.carrier", "returns.tracking", "returns.restocked"])
    .select(["orders.lines", "orders.shipping", "orders.rate"])
    .select(
      sql<string[]>`array(select id::text from return_pictures where return_id = returns.id order by place)`.as(
        "pictures",
      ),
    )
    .where("returns.number", "=", number)
    .executeTakeFirst();
  return row && withDueDay(row);
}

/** Its money, or its other size, is due: its pieces came, or need not. */
export const IS_DUE = sql<boolean>`(returns.state = 'received' or (returns.state = 'approved' and not send_back))`;
/** Its refund has been asked for and has not ended well; null where there is none. */
const IS_REFUND_OPEN = sql<boolean>`(refunds.state in ('open', 'sent', 'failed'))`;
/** What is due since more than 7 business days. */
export function isOverdueIn(now = new Date()) {
  const since = sql`coalesce(received_at, case when not send_back then decided_at end)`;
  return sql<boolean>`((${IS_DUE} or ${IS_REFUND_OPEN}) and ${since} < ${overdueBefore(now, env.SHOP_TIMEZONE)})`;
}

/** The returns whose money, or other size, should have left by now: more than 7 business days after their pieces came, or needed not to. */
export async function overdueReturns(on: Db, now = new Date()) {
  const rows = await ownersReturns(on).where(isOverdueIn(now)).orderBy("returns.counted").execute();
  return rows.map(withDueDay);
}

/** Open returns. In these words the database uses an index and reads nothing that has ended. */
export const IS_OPEN = sql<boolean>`returns.id in (
  select id from returns where ${sql.raw(isLiveReturnIn("returns"))}
  union all select ended.id from refunds join returns ended on ended.refund_id = refunds.id where ${IS_REFUND_OPEN})`;

/** How many wait for an answer, how many for their money or another size, and how many of these are late. */
export async function returnsWaiting(on: Db, now = new Date()) {
  return await on
    .selectFrom("returns")
    .leftJoin("refunds", "refunds.id", "returns.refundId")
    .select([
      sql<number>`(count(*) filter (where returns.state = 'asked'))::int`.as("asked"),
      sql<number>`(count(*) filter (where ${IS_DUE}))::int`.as("toEnd"),
      sql<number>`(count(*) filter (where ${isOverdueIn(now)}))::int`.as("overdue"),
    ])
    .where(IS_OPEN)
    .executeTakeFirstOrThrow();
}

export function ownersReturns(on: Db) {
  return on
    .selectFrom("returns")
    .innerJoin("sales", "sales.reference", "returns.reference")
    .innerJoin("orders", "orders.id", "sales.orderId")
    .leftJoin("refunds", "refunds.id", "returns.refundId")
    .select([
      "returns.number",
      "returns.counted",
      "returns.state",
      "returns.reason",
      "wish",
      "sendBack",
      "returns.reference",
    ])
    .select(["askedAt", "decidedAt", "receivedAt", "endedAt", "orders.number as orderNumber", "orders.email"])
    .select(["refunds.kobo as refundKobo", "refunds.state as refundState", "refunds.pieces as refunded"])
    .select(
      sql<ReturnPiece[]>`(
        select jsonb_agg(jsonb_build_object('productId', product_id, 'size', size, 'quantity', quantity, 'newSize', new_size) order by product_id, size)
        from return_pieces where return_id = returns.id)`.as("pieces"),
    );
}

type Dated = {
  state: ReturnState;
  sendBack: boolean;
  receivedAt: Date | null;
  decidedAt: Date | null;
  refundState: string | null;
};

/** Since when the owner is to act; null while the pieces are awaited. */
function dueSince({ receivedAt, sendBack, decidedAt }: Dated): Date | null {
  return receivedAt ?? (sendBack ? null : decidedAt);
}

/** `dueBy`: the last day for its money, or the other size, as 2026-01-31; null where nothing is due. */
export function withDueDay<Row extends Dated & { counted: string; refundKobo: string | null }>({
  counted,
  ...row
}: Row) {
  const isOpen = LIVE_RETURNS.includes(row.state) || ["open", "sent", "failed"].includes(row.refundState ?? "");
  const since = isOpen ? dueSince(row) : null;
  const refundKobo = row.refundKobo === null ? null : Number(row.refundKobo);
  const dueBy = since && refundDueBy(since, env.SHOP_TIMEZONE).toString();
  return { ...row, refundKobo, cursor: Number(counted), dueBy };
}

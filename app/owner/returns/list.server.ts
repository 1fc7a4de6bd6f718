import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { NUMBER_LIMITS, type OrderNumbers, orderNumbers, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { NUMBERS } from "#app/orders/returns/numbers.server.ts";
import { PIECES } from "#app/orders/returns/rows.server.ts";
import { overdueBefore, refundDueBy } from "#app/orders/returns/rules.ts";
import { isLiveReturnSql, LIVE_RETURNS, type ReturnState } from "#app/orders/returns/state.ts";
import { shopDayOf } from "../shop-time.server.ts";

/** A return with all of its texts. Undefined if no return has this number. */
export async function showReturn(on: Db, number: string) {
  const row = await wholeReturn(on, number).select("returns.restocked").executeTakeFirst();
  return row && withDueDay(row);
}

/** A query of one return with all of its texts, and its pictures' ids. */
export function wholeReturn(on: Db, number: string) {
  return ownersReturns(on)
    .select(["returns.words", "returns.answer", "returns.carrier", "returns.tracking"])
    .select(["orders.lines", "orders.shipping", "orders.rate"])
    .select(
      sql<string[]>`array(select id::text from return_pictures where return_id = returns.id order by place)`.as(
        "pictures",
      ),
    )
    .where("returns.number", "=", number);
}

/**
 * A condition in SQL: whether the refund or the other size is due, as the pieces have arrived or need not come back.
 */
export const IS_DUE = sql<boolean>`(returns.state = 'received' or (returns.state = 'approved' and not send_back))`;
/** A condition in SQL: whether the return's refund is not done. Null if it has no refund. */
const IS_REFUND_OPEN = sql<boolean>`(refunds.state in ('open', 'sent', 'failed'))`;
/** The refund days of a return's order, as SQL. */
const REFUND_DAYS = sql`coalesce((
  select (orders.numbers ->> 'refundDays')::int from payments join orders on orders.id = payments.order_id
  where payments.reference = returns.reference
), ${sql.lit(SHIPPED_NUMBERS.refundDays)})`;
/** A condition in SQL: whether a return has been due for more business days than its order's refund days. */
export function isOverdueSql() {
  const since = sql`coalesce(received_at, case when not send_back then decided_at end)`;
  return sql<boolean>`((${IS_DUE} or ${IS_REFUND_OPEN}) and ${since} < (${overdueLimits()}::timestamptz[])[${REFUND_DAYS}])`;
}

let limits = { day: "", before: [] as string[] };
/**
 * The times before which a return is overdue, for each number of refund days from 1. They are the same all day, and
 * each screen of the office asks for them.
 */
function overdueLimits(): string[] {
  const now = new Date();
  const day = shopDayOf(now);
  if (limits.day !== day) {
    const before = Array.from({ length: NUMBER_LIMITS.refundDays.most }, (_, at) =>
      overdueBefore(now, env.SHOP_TIMEZONE, { refundDays: at + 1 }).toJSON(),
    );
    limits = { day, before };
  }
  return limits.before;
}

/**
 * A condition in SQL: whether a return is open. Written in this way, PostgreSQL uses an index and reads no ended
 * returns.
 */
export const IS_OPEN = sql<boolean>`returns.id in (
  select id from returns where ${sql.raw(isLiveReturnSql("returns"))}
  union all select ended.id from refunds join returns ended on ended.refund_id = refunds.id where ${IS_REFUND_OPEN})`;

export function ownersReturns(on: Db) {
  return on
    .selectFrom("returns")
    .innerJoin("sales", "sales.reference", "returns.reference")
    .innerJoin("orders", "orders.id", "sales.orderId")
    .leftJoin("refunds", "refunds.id", "returns.refundId")
    .where("orders.trial", "=", false)
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
    .select(NUMBERS.as("numbers"))
    .select(PIECES.as("pieces"));
}

type Dated = {
  state: ReturnState;
  sendBack: boolean;
  receivedAt: Date | null;
  decidedAt: Date | null;
  refundState: string | null;
  numbers: OrderNumbers;
};

/** Since when the owner must act. Null while the pieces are awaited. */
function dueSince({ receivedAt, sendBack, decidedAt }: Omit<Dated, "numbers">): Date | null {
  return receivedAt ?? (sendBack ? null : decidedAt);
}

/**
 * Adds `dueBy`, the last day for the refund or the other size (such as 2026-01-31). Null if nothing is due. The numbers
 * that it follows from are left out.
 */
export function withDueDay<Row extends Dated & { counted: number; refundKobo: string | null }>({
  counted,
  numbers,
  ...row
}: Row) {
  const isOpen = LIVE_RETURNS.includes(row.state) || ["open", "sent", "failed"].includes(row.refundState ?? "");
  const since = isOpen ? dueSince(row) : null;
  const refundKobo = row.refundKobo === null ? null : Number(row.refundKobo);
  const dueBy = since && refundDueBy(since, env.SHOP_TIMEZONE, orderNumbers(numbers)).toString();
  return { ...row, refundKobo, cursor: Number(counted), dueBy };
}

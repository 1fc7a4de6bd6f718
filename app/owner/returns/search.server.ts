import { type RawBuilder, sql } from "kysely";
import { countUnits } from "#app/cart/cart.ts";
import { pieceText } from "#app/catalog/sizes.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { approximateNaira, FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { timesCents, usdCents } from "#app/money/money.ts";
import { newPieceText } from "#app/orders/returns/exchange.ts";
import type { ReturnPiece, ReturnReason, ReturnWish } from "#app/orders/returns/return.ts";
import type { ReturnState } from "#app/orders/returns/state.ts";
import type { OrderLine, ShippingDetails } from "#db/types.ts";
import { type Keyset, pageOf, type SortKeys } from "../keyset.server.ts";
import { matchesSql } from "../orders/search.server.ts";
import type { Standing } from "../orders/standing.ts";
import { IS_DUE, IS_OPEN, isOverdueSql, ownersReturns, withDueDay } from "./list.server.ts";
import { lineOf, REASON_WORDS, returnStanding } from "./standing.ts";

/**
 * `open`: something remains to be done or is awaited; late returns come first. `due`: the pieces have arrived or need
 * not come back.
 */
export const RETURN_VIEWS = ["open", "to-answer", "on-the-way", "due", "overdue", "closed", "all"] as const;
export type ReturnListView = (typeof RETURN_VIEWS)[number];

export type ReturnSearch = {
  view: ReturnListView;
  /** The default is newest first. */
  sort?: "oldest";
  /** The beginning of the return's number, or a text that finds its order. */
  text?: string;
  state?: ReturnState;
  reason?: ReturnReason;
  wish?: ReturnWish;
  /** The id of the customer's account. */
  customer?: string;
  /** The reference of the payment that made the sale. */
  reference?: string;
};

export type FoundReturn = {
  number: string;
  orderNumber: string;
  askedAt: Date;
  customer: string;
  email: string;
  /** "Unity Away, S, 2 × Adire, M". */
  what: string;
  /** "Damaged", "Another size: M", "Another colour: Blue, M". */
  why: string;
  pieces: number;
  standing: Standing;
  isOverdue: boolean;
  /** A day such as 2026-01-31. */
  dueBy: string | null;
  /** The refunded sum, otherwise the price of the pieces. */
  kobo: number;
};

/** A page of the matching returns. With the newest first, the view `open` starts with all late ones. */
export async function searchReturns(on: Db, search: ReturnSearch, keyset: Keyset = {}, size?: number) {
  const isLate = sql<boolean>`coalesce(${isOverdueSql()}, false)`;
  const isRanked = search.view === "open" && search.sort === undefined;
  const found = fitting(on, search).select(["orders.shipping", "orders.lines", "orders.rate", isLate.as("isOverdue")]);
  const query = on.selectFrom(found.as("found")).selectAll();
  const keys: SortKeys = isRanked ? { "is_overdue::int": "int", counted: "bigint" } : { counted: "bigint" };
  const { rows, ...ends } = await pageOf(query, keys, keyset, { ascending: search.sort === "oldest", size });
  return { rows: rows.map(toFound), ...ends };
}

/** The matching returns, the newest first by default, at most `limit`. */
export async function listReturns(on: Db, search: ReturnSearch, limit: number) {
  const rows = await fitting(on, search)
    .orderBy("returns.counted", search.sort === "oldest" ? "asc" : "desc")
    .limit(limit)
    .execute();
  return rows.map(withDueDay);
}

/** The number of returns in each view that needs work, and how many wait for staff in total. */
export async function countReturns(on: Db) {
  const countSql = (condition: RawBuilder<boolean>) => sql<number>`(count(*) filter (where ${condition}))::int`;
  const waits = sql<boolean>`(${VIEWS["to-answer"]} or ${IS_DUE} or refunds.state = 'failed' or ${isOverdueSql()})`;
  const { toAnswer, onTheWay, ...counts } = await on
    .selectFrom("returns")
    .leftJoin("refunds", "refunds.id", "returns.refundId")
    .select(sql<number>`count(*)::int`.as("open"))
    .select([
      countSql(VIEWS["to-answer"]).as("toAnswer"),
      countSql(VIEWS["on-the-way"]).as("onTheWay"),
      countSql(IS_DUE).as("due"),
    ])
    .select([countSql(isOverdueSql()).as("overdue"), countSql(waits).as("waiting")])
    .where(IS_OPEN)
    .executeTakeFirstOrThrow();
  return { ...counts, "to-answer": toAnswer, "on-the-way": onTheWay };
}

/** Since when the oldest return waits for staff, and the oldest of the late ones. Null if there is none. */
export async function oldestReturns(on: Db): Promise<{ oldest: Date | null; oldestOverdue: Date | null }> {
  const oldestSql = (condition: RawBuilder<boolean>) =>
    sql<Date | null>`min(coalesce(received_at, decided_at, asked_at)) filter (where ${condition})`;
  return on
    .selectFrom("returns")
    .leftJoin("refunds", "refunds.id", "returns.refundId")
    .select(oldestSql(sql<boolean>`(${VIEWS["to-answer"]} or ${IS_DUE})`).as("oldest"))
    .select(oldestSql(isOverdueSql()).as("oldestOverdue"))
    .where(IS_OPEN)
    .executeTakeFirstOrThrow();
}

const VIEWS = {
  open: IS_OPEN,
  "to-answer": sql<boolean>`(returns.state = 'asked')`,
  "on-the-way": sql<boolean>`(returns.state = 'approved' and send_back)`,
  due: IS_DUE,
  closed: sql<boolean>`(returns.state in ('declined', 'withdrawn', 'done'))`,
  all: sql<boolean>`true`,
};

function fitting(on: Db, { view, text, state, reason, wish, customer, reference }: ReturnSearch) {
  const number = text?.trim().toUpperCase().replaceAll(/\s/g, "") ?? "";
  const isNumber = /^RT(-|$)[0-9A-Z-]*$/.test(number);
  return ownersReturns(on)
    .where(view === "overdue" ? sql<boolean>`(${IS_OPEN} and ${isOverdueSql()})` : VIEWS[view])
    .$if(isNumber, (query) => query.where(sql<boolean>`starts_with(returns.number, ${number})`))
    .$if(text !== undefined && !isNumber, (query) => query.where(matchesSql(text ?? "")))
    .$if(state !== undefined, (query) => query.where("returns.state", "=", state ?? "asked"))
    .$if(reason !== undefined, (query) => query.where("returns.reason", "=", reason ?? "size"))
    .$if(wish !== undefined, (query) => query.where("returns.wish", "=", wish ?? "money"))
    .$if(customer !== undefined, (query) => query.where("orders.userId", "=", customer ?? ""))
    .$if(reference !== undefined, (query) => query.where("returns.reference", "=", reference ?? ""));
}

type Row = Parameters<typeof withDueDay>[0] & {
  number: string;
  orderNumber: string;
  askedAt: Date;
  email: string;
  reason: ReturnReason;
  wish: ReturnWish;
  pieces: ReturnPiece[];
  shipping: ShippingDetails;
  lines: OrderLine[];
  rate: string;
  isOverdue: boolean;
};

function toFound(row: Row): FoundReturn {
  const { number, orderNumber, askedAt, email, pieces, lines, shipping, isOverdue } = row;
  const { dueBy, refundKobo } = withDueDay(row);
  const sold = pieces.map((piece) => ({ ...piece, line: lineOf(lines, piece) }));
  const cents = sold.reduce((sum, { line, quantity }) => sum + (line?.priceCents ?? 0) * quantity, 0);
  const naira = approximateNaira(timesCents(usdCents(cents), 1), parseRate(row.rate) ?? FALLBACK_RATE);
  return {
    number,
    orderNumber,
    askedAt,
    customer: `${shipping.firstName} ${shipping.lastName}`.trim(),
    email,
    what: sold
      .map(({ line, size, quantity }) => {
        const piece = pieceText({ title: line?.title ?? "A piece", size });
        return quantity > 1 ? `${quantity} × ${piece}` : piece;
      })
      .join("; "),
    why: whyOf(row),
    pieces: countUnits(pieces),
    standing: returnStanding(row),
    isOverdue,
    dueBy,
    kobo: refundKobo ?? Number(naira) * 100,
  };
}

function whyOf({ reason, wish, pieces }: Pick<Row, "reason" | "wish" | "pieces">): string {
  const sent = [...new Set(pieces.map(newPieceText).filter(Boolean))];
  if (wish === "exchange" && sent.length > 0) {
    const colors = pieces.filter(({ newProductId }) => newProductId).length;
    const what = colors === 0 ? "Another size" : colors === pieces.length ? "Another colour" : "Another size or colour";
    return `${reason === "size" ? what : `${REASON_WORDS[reason]}, exchange`}: ${sent.join(", ")}`;
  }
  return REASON_WORDS[reason];
}

import { type RawBuilder, sql } from "kysely";
import { countUnits } from "#app/cart/cart.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { approximateNaira, FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { timesCents, usdCents } from "#app/money/money.ts";
import type { ReturnPiece, ReturnReason, ReturnWish } from "#app/orders/returns/return.ts";
import type { OrderLine, ShippingDetails } from "#db/types.ts";
import type { Keyset } from "../keyset.server.ts";
import { matches } from "../order-search.server.ts";
import type { Standing } from "../orders/standing.ts";
import { IS_DUE, IS_OPEN, isOverdueIn, ownersReturns, withDueDay } from "./list.server.ts";
import { lineOf, REASON_WORDS, returnStanding } from "./standing.ts";

/** `open`: something is to be done or awaited, the late ones first. `due`: the pieces came, or need not. */
export const RETURN_VIEWS = ["open", "to-answer", "on-the-way", "due", "overdue", "closed", "all"] as const;
export type ReturnView = (typeof RETURN_VIEWS)[number];

export type ReturnSearch = {
  view: ReturnView;
  /** The newest come first where nothing is said. */
  sort?: "oldest";
  /** The beginning of its number, or what its order is found by. */
  text?: string;
  reason?: ReturnReason;
  wish?: ReturnWish;
  /** The id of an account. */
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
  /** "Damaged", "Another size: M". */
  why: string;
  pieces: number;
  standing: Standing;
  isOverdue: boolean;
  /** As 2026-01-31. */
  dueBy: string | null;
  /** What has gone back for it, else what its pieces were sold for. */
  kobo: number;
};

const PAGE = 50;

/** A page of the returns that fit; where the newest come first, the view `open` begins with all that are late. `older` and `newer` begin the next pages, where there are any. */
export async function searchReturns(on: Db, search: ReturnSearch, { before, after }: Keyset = {}, size = PAGE) {
  const isLate = sql<boolean>`coalesce(${isOverdueIn()}, false)`;
  const isRanked = search.view === "open" && search.sort === undefined;
  const rank = isRanked ? sql<number>`(${isLate})::int` : sql<number>`0`;
  let query = fitting(on, search)
    .select(["orders.shipping", "orders.lines", "orders.rate", isLate.as("isOverdue"), rank.as("rank")])
    .limit(size + 1);
  const edge = /^([01])_(\d{1,9})$/.exec(before ?? after ?? "");
  const isBackwards = edge !== null && before === undefined;
  const isDescending = (search.sort === undefined) !== isBackwards;
  if (edge) {
    const [, late, counted] = edge.map(Number);
    const place = isRanked ? sql`(${late}::int, ${counted}::int)` : sql`${counted}::int`;
    const own = isRanked ? sql`(${rank}, returns.counted)` : sql`returns.counted`;
    query = query.where(isDescending ? sql<boolean>`${own} < ${place}` : sql<boolean>`${own} > ${place}`);
  }
  const direction = isDescending ? "desc" : "asc";
  const sorted = isRanked ? query.orderBy("rank", direction) : query;
  const rows = await sorted.orderBy("returns.counted", direction).execute();
  const hasMore = rows.length > size;
  const page = rows.slice(0, size);
  if (isBackwards) page.reverse();
  const [first, last] = [page.at(0), page.at(-1)];
  const placeOf = ({ rank, counted }: { rank: number; counted: string }) => `${rank}_${counted}`;
  return {
    returns: page.map(toFound),
    newer: first && (isBackwards ? hasMore : edge !== null) ? placeOf(first) : undefined,
    older: last && (isBackwards || hasMore) ? placeOf(last) : undefined,
  };
}

/** How many returns stand in each view that asks for work, and how many wait for staff in all. */
export async function countReturns(on: Db) {
  const of = (condition: RawBuilder<boolean>) => sql<number>`(count(*) filter (where ${condition}))::int`;
  const waits = sql<boolean>`(${VIEWS["to-answer"]} or ${IS_DUE} or refunds.state = 'failed' or ${isOverdueIn()})`;
  const { toAnswer, onTheWay, ...counts } = await on
    .selectFrom("returns")
    .leftJoin("refunds", "refunds.id", "returns.refundId")
    .select(sql<number>`count(*)::int`.as("open"))
    .select([of(VIEWS["to-answer"]).as("toAnswer"), of(VIEWS["on-the-way"]).as("onTheWay"), of(IS_DUE).as("due")])
    .select([of(isOverdueIn()).as("overdue"), of(waits).as("waiting")])
    .where(IS_OPEN)
    .executeTakeFirstOrThrow();
  return { ...counts, "to-answer": toAnswer, "on-the-way": onTheWay };
}

const VIEWS = {
  open: IS_OPEN,
  "to-answer": sql<boolean>`(returns.state = 'asked')`,
  "on-the-way": sql<boolean>`(returns.state = 'approved' and send_back)`,
  due: IS_DUE,
  closed: sql<boolean>`(returns.state in ('declined', 'withdrawn', 'done'))`,
  all: sql<boolean>`true`,
};

function fitting(on: Db, { view, text, reason, wish, customer, reference }: ReturnSearch) {
  const number = text?.trim().toUpperCase().replaceAll(/\s/g, "") ?? "";
  const isNumber = /^RT(-|$)[0-9A-Z-]*$/.test(number);
  return ownersReturns(on)
    .where(view === "overdue" ? sql<boolean>`(${IS_OPEN} and ${isOverdueIn()})` : VIEWS[view])
    .$if(isNumber, (query) => query.where(sql<boolean>`starts_with(returns.number, ${number})`))
    .$if(text !== undefined && !isNumber, (query) => query.where(matches(text ?? "")))
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
      .map(({ line, size, quantity }) => `${quantity > 1 ? `${quantity} × ` : ""}${line?.title ?? "A piece"}, ${size}`)
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
  const sizes = [...new Set(pieces.flatMap(({ newSize }) => newSize ?? []))];
  if (wish === "exchange" && sizes.length > 0)
    return `${reason === "size" ? "Another size" : `${REASON_WORDS[reason]}, exchange`}: ${sizes.join(", ")}`;
  return REASON_WORDS[reason];
}

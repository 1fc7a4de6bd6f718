import { type RawBuilder, sql } from "kysely";
import { ROUNDED_OF_SALE } from "#app/by-hand/book.server.ts";
import { countUnits } from "#app/cart/cart.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { fold, foldLetters } from "#app/infra/text/fold.ts";
import { FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { NEWEST_REFERENCE } from "#app/orders/history.server.ts";
import type { PaymentIssueKind } from "#app/orders/issue-kind.ts";
import { IS_MONEY_TAKEN } from "#app/orders/issues.server.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { HAS_PIECES_LEFT } from "#app/orders/pieces-left.server.ts";
import { shippingKobo } from "#app/orders/refund-plan.ts";
import type { OrderState } from "#app/orders/state.ts";
import { descriptionOf } from "#app/providers/descriptions.ts";
import type { OrderLine, ShippingDetails } from "#db/types.ts";
import { type Keyset, pageOf } from "../keyset.server.ts";
import { hasTagSql, tagsSql } from "../tags/tags.server.ts";
import { IS_GIVEN_BACK, IS_TO_SEND } from "./may-leave.server.ts";
import { standingOf } from "./standing.ts";

export const ORDER_VIEWS = ["to-send", "all", "pick-up", "abroad", "person"] as const;
export type OrderListView = (typeof ORDER_VIEWS)[number];

export type OrderSearch = {
  view: OrderListView;
  /** The default is newest first. */
  sort?: "oldest";
  /**
   * Beginnings of words in the number, the email address, the names or the phone number, and of orders that are no
   * longer being paid also in the street or the products; a part of such an order's number; the beginning of the
   * carrier's number; or a payment's full reference.
   */
  text?: string;
  /** Whether `text` finds orders neither by email nor by phone nor by payment. */
  isToPack?: boolean;
  state?: OrderState;
  /** Whether it has left the shop: sent off, or ready at its pick-up centre. */
  sent?: boolean;
  /** Only orders with these numbers. */
  numbers?: string[];
  /** An ISO 3166 alpha-2 code, or the country's name as the order stores it. */
  country?: string;
  delivery?: "home" | "pick-up";
  /** The id of the customer's account. */
  customer?: string;
  /** The folded form of a tag. */
  tag?: string;
  /** Whether each order comes with the words of its tags. */
  withTags?: boolean;
  /** The address of the account or of the delivery, in lower case. */
  email?: string;
  from?: Date;
  until?: Date;
};

export type FoundOrder = {
  id: string;
  number: string;
  reference: string;
  orderedAt: Date;
  customer: string;
  to: string;
  how: "Home" | "Pick-up";
  pieces: number;
  kobo: number;
  cents: number;
  email: string;
  carrier: string | null;
  tracking: string | null;
  standing: ReturnType<typeof standingOf>;
  /** Only with `withTags`. */
  tags?: string[];
};

/** `refundedKobo` is what went back or is on its way. `rate` is in naira for one dollar. */
export type WholeOrder = FoundOrder & {
  shipping: ShippingDetails;
  lines: OrderLine[];
  deliveryKobo: number;
  refundedKobo: number;
  /** By how much cash was rounded down. */
  roundedKobo: number;
  rate: number;
  /** How it was paid; empty if it is not. */
  paidBy: string;
};

export const OPEN_ISSUES = sql<PaymentIssueKind[]>`array(
  select kind from payment_issues join payments using (reference)
  where payments.order_id = orders.id and resolved_at is null)`;
const NEEDS_PERSON = sql<boolean>`exists (
  select from payment_issues join payments using (reference) where payments.order_id = orders.id and resolved_at is null)`;
const HAS_LEFT = sql<boolean>`(sales.fulfilled_at is not null or sales.ready_at is not null)`;
/** Written exactly like the condition of the index sales_here, so that PostgreSQL uses it. */
const IS_HERE = sql<boolean>`(sales.fulfilled_at is null and sales.ready_at is null)`;

const BY_TIME = { "orders.created_at": "time", "orders.id": "uuid" } as const;

/** A page of the matching orders. */
export async function searchOrders(on: Db, search: OrderSearch, keyset: Keyset = {}, size?: number) {
  const { rows, ...ends } = await pageOfRows(on, search, keyset, size);
  return { rows: rows.map(toFound), ...ends };
}

/** Like `searchOrders`, with the delivery and the sums that are shown in files alone. */
export async function searchWholeOrders(on: Db, search: OrderSearch, keyset: Keyset = {}, size?: number) {
  const { rows, ...ends } = await pageOfRows(on, search, keyset, size);
  return { rows: rows.map(toWhole), ...ends };
}

async function pageOfRows(on: Db, search: OrderSearch, keyset: Keyset, size?: number) {
  const { text, ...others } = search;
  const ids = text === undefined ? undefined : await fewWithWords(on, text, search.isToPack);
  const found = fitting(on, { ...(ids ? { ...others, ids } : search), withTrial: namesOneOrder(text) })
    .select(["orders.id", "orders.totalCents as cents", "orders.shippingCents", "orders.rate"])
    .select(["paid.refundedKobo", "paid.refundingKobo", "paid.provider"])
    .select(sql<string>`${sql.raw(ROUNDED_OF_SALE)}`.as("roundedKobo"))
    .select([OPEN_ISSUES.as("issues"), IS_GIVEN_BACK.as("isGivenBack"), HAS_PIECES_LEFT.as("hasPieces")])
    .$if(search.withTags === true, (query) => query.select(tagsSql("order").as("tags")));
  return pageOf(found, BY_TIME, keyset, { ascending: search.sort === "oldest", size });
}

/** The most orders that are looked up by id. With more, scanning the orders from the newest on finds a page sooner. */
const FEW = 1000;

/**
 * The ids of the orders with these words, from the full-text index. Undefined if there are more than `FEW`.
 * PostgreSQL's own estimate is of no use: it is 2% of all orders for any words.
 */
async function fewWithWords(on: Db, text: string, isToPack?: boolean): Promise<string[] | undefined> {
  const rows = await on
    .selectFrom("orders")
    .select("id")
    .where(matchesSql(text, isToPack))
    .limit(FEW + 1)
    .execute();
  return rows.length > FEW ? undefined : rows.map(({ id }) => id);
}

/** The matching orders with the sums that go back, newest first, and how many there are. */
export async function listAllOrders(on: Db, search: OrderSearch, { limit, offset }: { limit: number; offset: number }) {
  const rows = await fitting(on, search)
    .select(["paid.refundedKobo", "paid.refundingKobo"])
    .orderBy("orders.createdAt", "desc")
    .orderBy("orders.id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return { orders: rows.map(withSums), total: await countOrders(on, search) };
}

/** An order's row with its sums as numbers. */
export function withSums<Row extends { kobo: string; refundedKobo: string | null; refundingKobo: string | null }>({
  kobo,
  refundedKobo,
  refundingKobo,
  ...row
}: Row) {
  return {
    ...row,
    kobo: Number(kobo),
    refundedKobo: Number(refundedKobo ?? 0),
    refundingKobo: Number(refundingKobo ?? 0),
  };
}

/** The number of matching orders. */
export async function countOrders(on: Db, search: OrderSearch): Promise<number> {
  const { count } = await fitting(on, search)
    .clearSelect()
    .select(sql<number>`count(*)::int`.as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** The number of orders in each view that needs work. */
export async function countOrderViews(on: Db): Promise<Record<Exclude<OrderListView, "all">, number>> {
  return {
    "to-send": await countOrders(on, { view: "to-send" }),
    "pick-up": await countOrders(on, { view: "pick-up" }),
    abroad: await countOrders(on, { view: "abroad" }),
    person: await countOrders(on, { view: "person" }),
  };
}

/** The orders with their sales, and as `paid` the payments that made them, for lists, screens and commands. */
export function ownersOrders(on: Db) {
  return on
    .selectFrom("orders")
    .leftJoin("sales", "sales.orderId", "orders.id")
    .leftJoin("payments as paid", "paid.reference", "sales.reference")
    .select(["orders.state", "orders.email", "orders.kobo", "orders.lines", "orders.shipping"])
    .select(["orders.createdAt as orderedAt", "orders.number", "orders.trial", "packedAt", "fulfilledAt", "carrier"])
    .select(["tracking", "readyAt", "deliveredAt", "returnedAt", NEWEST_REFERENCE.as("reference")]);
}

/** The orders with these numbers, with the facts that decide whether an order may be sent. */
export async function ordersByNumber(on: Db, numbers: readonly string[]) {
  if (numbers.length === 0) return [];
  return await ownersOrders(on)
    .select([IS_GIVEN_BACK.as("isGivenBack"), HAS_PIECES_LEFT.as("hasPieces"), IS_MONEY_TAKEN.as("isMoneyTaken")])
    .where("number", "in", numbers)
    .execute();
}

/**
 * `ids`: only these orders. `withTrial`: also orders of a trial. Conditions with a partial index are written exactly
 * like the index's condition.
 */
function fitting(
  on: Db,
  {
    view,
    text,
    isToPack,
    ids,
    state,
    sent,
    numbers,
    country,
    delivery,
    customer,
    tag,
    email,
    from,
    until,
    withTrial,
  }: OrderSearch & { ids?: string[]; withTrial?: boolean },
) {
  const isPickup = sql<boolean>`orders.shipping ->> 'pickupCenter' <> ''`;
  const isAbroad = sql<boolean>`orders.shipping ->> 'country' <> 'Nigeria'`;
  return ownersOrders(on)
    .$if(!withTrial, (query) => query.where("orders.trial", "=", false))
    .$if(view === "to-send", (query) => query.where(IS_TO_SEND))
    .$if(view === "pick-up", (query) => query.where(IS_TO_SEND).where(isPickup))
    .$if(view === "abroad", (query) => query.where(IS_TO_SEND).where(isAbroad))
    .$if(view === "person", (query) => query.where(NEEDS_PERSON))
    .$if(delivery === "pick-up", (query) => query.where(isPickup))
    .$if(delivery === "home", (query) => query.where(sql<boolean>`orders.shipping ->> 'pickupCenter' = ''`))
    .$if(state !== undefined, (query) => query.where("orders.state", "=", sql.lit(state as OrderState)))
    .$if(sent !== undefined, (query) => query.where("sales.id", "is not", null).where(sent ? HAS_LEFT : IS_HERE))
    .$if(numbers !== undefined, (query) => query.where("number", "in", numbers?.length ? numbers : [""]))
    .$if(country !== undefined, (query) => query.where(sql<boolean>`orders.shipping ->> 'country' = ${country}`))
    .$if(customer !== undefined, (query) => query.where("orders.userId", "=", customer ?? ""))
    .$if(tag !== undefined, (query) => query.where(hasTagSql("order", tag ?? "")))
    .$if(email !== undefined, (query) =>
      query.where(
        sql<boolean>`(lower(orders.email collate "C") = ${email} or orders.user_id = (select id from users where email = ${email}))`,
      ),
    )
    .$if(country !== undefined && country !== "Nigeria", (query) => query.where(isAbroad))
    .$if(from !== undefined, (query) => query.where("orders.createdAt", ">=", from as Date))
    .$if(until !== undefined, (query) => query.where("orders.createdAt", "<", until as Date))
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`orders.id = any(${ids}::uuid[])`))
    .$if(text !== undefined, (query) => query.where(matchesSql(text ?? "", isToPack)));
}

/**
 * The typed text as a tsquery that matches beginnings of words, for columns filled by the function order_words in the
 * schema. Empty if nothing was typed.
 */
export function wordsQuery(text: string): string {
  return wordQueries(text).join(" & ");
}

/** Like `wordsQuery`, with a tsquery for each word. */
function wordQueries(text: string): string[] {
  const plain = foldLetters(text)
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/(?<!\S)tel:/g, "");
  const words: string[] = [];
  const rest = plain.replace(PHONE, (typed) => {
    words.push(phoneQuery(typed.replace(/\(0\)|\D/g, "")));
    return " ";
  });
  words.unshift(...rest.split(/\s+/).map(wordQuery).filter(Boolean));
  return words.length > 0 || plain.trim() === "" ? words : [prefixQuery(plain.trim())];
}

/**
 * The tsquery of a word. One with digits or @ is searched for as a whole; names also as parts, "o'brien" as o and
 * brien.
 */
function wordQuery(word: string): string {
  const parts = fold(word).split(" ").filter(Boolean);
  if (parts.length === 0) return "";
  if (/[\d@]/.test(word) || parts[0] === word) return prefixQuery(word);
  return `(${prefixQuery(word)} | ${parts.map(prefixQuery).join(" & ")})`;
}

/** At least five digits, with the separators that people write between them. */
const PHONE = /(?<!\S)[+(]*\d(?:[\s()./-]*\d){4,}(?!\S)/g;
/**
 * The last digits of a phone number, which are the same with and without the country code. Foreign numbers may be
 * shorter.
 */
const LAST_DIGITS = 9;
const FEWEST_DIGITS = 6;

function phoneQuery(digits: string): string {
  const whole = prefixQuery(digits.replace(/^(00|009)?2340?(?=\d)/, "0"));
  const last = digits.length > LAST_DIGITS ? digits.slice(-LAST_DIGITS) : digits.replace(/^0+/, "");
  return last.length >= FEWEST_DIGITS ? `(${whole} | '${last}')` : whole;
}

function prefixQuery(word: string): string {
  return `'${word.replaceAll("\\", "\\\\").replaceAll("'", "''")}':*`;
}

function isReference(text: string): boolean {
  return /^[A-Za-z0-9.=-]{16,64}$/.test(text.trim());
}

/** Whether the text names one order exactly. Only then are orders of a trial found. */
function namesOneOrder(text: string | undefined): boolean {
  return text !== undefined && (isReference(text) || readOrderNumber(text) !== undefined);
}

/** Written exactly like the condition of the index orders_found_more, so that PostgreSQL uses it. */
const IS_OVER = sql`orders.state not in ('open', 'waiting')`;
const MORE_WORDS = sql`order_more_words(orders.number, orders.shipping, orders.lines)`;
const WORDS_TO_PACK = sql`order_words(orders.number, '', orders.shipping - 'phoneNumber')`;

/** A condition in SQL: whether an order matches the text. */
export function matchesSql(text: string, isToPack = false) {
  const queries = wordQueries(text);
  if (queries.length === 0) return sql<boolean>`true`;
  const found = (words: RawBuilder<unknown>) =>
    sql.join(
      queries.map(
        (query) => sql`(${words} @@ ${query}::tsquery or (${IS_OVER} and ${MORE_WORDS} @@ ${query}::tsquery))`,
      ),
      sql` and `,
    );
  const isFound = sql<boolean>`(${found(sql`orders.words`)}${isToPack ? sql` and ${found(WORDS_TO_PACK)}` : sql``})`;
  const others = [
    ...(isTracking(text) ? [parcelsSql(text)] : []),
    ...(isReference(text) && !isToPack ? [sql`select order_id from payments where reference = ${text.trim()}`] : []),
  ];
  if (others.length === 0) return isFound;
  // A union of the lists, because an "or" of conditions on several tables would read every order.
  return sql<boolean>`orders.id in (select orders.id from orders where ${isFound} union all ${sql.join(others, sql` union all `)})`;
}

const plainCode = (text: string) => text.replace(/[^A-Za-z0-9]/g, "").toUpperCase();

/** Whether the text may be a tracking number: it has a digit, and is long enough not to match too many numbers. */
function isTracking(text: string): boolean {
  return /\d/.test(text) && plainCode(text).length >= 5;
}

/** SQL for the orders whose tracking number begins with this text. Case, spaces and punctuation are ignored. */
function parcelsSql(text: string) {
  const code = plainCode(text);
  const column = sql`plain_code(tracking) collate "C"`;
  return sql`select order_id from sales where tracking is not null and ${column} >= ${code} and ${column} < ${`${code}~`}`;
}

type Row = Parameters<typeof standingOf>[0] & {
  id: string;
  number: string;
  reference: string;
  orderedAt: Date;
  lines: OrderLine[];
  shipping: ShippingDetails;
  kobo: string;
  cents: number;
  email: string;
  carrier: string | null;
  tracking: string | null;
  tags?: string[];
};

type WholeRow = {
  shippingCents: number;
  rate: string;
  refundedKobo: string | null;
  refundingKobo: string | null;
  roundedKobo: string;
  provider: string | null;
};

function toFound(row: Row): FoundOrder {
  const { id, number, reference, orderedAt, lines, shipping, kobo, cents, email, carrier, tracking, ...order } = row;
  return {
    id,
    number,
    reference,
    orderedAt,
    ...whoAndWhere(shipping),
    pieces: countUnits(lines),
    kobo: Number(kobo),
    cents,
    email,
    carrier,
    tracking,
    standing: standingOf(order),
    ...(order.tags && { tags: order.tags }),
  };
}

function toWhole(row: Row & WholeRow): WholeOrder {
  const { shipping, lines, rate, shippingCents, provider } = row;
  const { kobo, refundedKobo, refundingKobo } = withSums(row);
  return {
    ...toFound(row),
    shipping,
    lines,
    deliveryKobo: shippingKobo({ kobo, shippingCents, rate: parseRate(rate) ?? FALLBACK_RATE }),
    refundedKobo: refundedKobo + refundingKobo,
    roundedKobo: Number(row.roundedKobo),
    rate: Number(rate),
    paidBy: provider === null ? "" : descriptionOf(provider).name,
  };
}

/** Who gets an order, and where, as lists show it. */
export function whoAndWhere({ firstName, lastName, pickupCenter, country, city, state }: ShippingDetails) {
  return {
    customer: `${firstName} ${lastName}`.trim(),
    to: pickupCenter || (country === "Nigeria" ? state || city : country),
    how: pickupCenter ? ("Pick-up" as const) : ("Home" as const),
  };
}

import { sql } from "kysely";
import { countUnits } from "#app/cart/cart.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { NEWEST_REFERENCE } from "#app/orders/history.server.ts";
import type { PaymentIssueKind } from "#app/orders/issue-kind.ts";
import { HAS_PIECES_LEFT } from "#app/orders/pieces-left.server.ts";
import type { OrderState } from "#app/orders/state.ts";
import type { OrderLine, ShippingDetails } from "#db/types.ts";
import { byTime, type Keyset } from "./keyset.server.ts";
import { standingOf } from "./orders/standing.ts";
import { IS_TO_SEND } from "./orders.server.ts";

export const ORDER_VIEWS = ["to-send", "all", "pick-up", "abroad", "person"] as const;
export type OrderView = (typeof ORDER_VIEWS)[number];

export type OrderSearch = {
  view: OrderView;
  /** The newest come first where nothing is said. */
  sort?: "oldest";
  /** Beginnings of words of the number, the address, the names or the phone; or a payment's whole reference. */
  text?: string;
  state?: OrderState;
  /** Whether it has left: sent off, or brought to its pick-up centre. */
  sent?: boolean;
  /** These alone. */
  numbers?: string[];
  /** An ISO 3166 alpha-2 code, or the country's name as the order has it. */
  country?: string;
  delivery?: "home" | "pick-up";
  /** The id of an account. */
  customer?: string;
  from?: Date;
  until?: Date;
};

export type FoundOrder = {
  id: string;
  number: string;
  reference: string;
  placedAt: Date;
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
};

const PAGE = 50;

export const OPEN_ISSUES = sql<PaymentIssueKind[]>`array(
  select kind from payment_issues join payments using (reference)
  where payments.order_id = orders.id and resolved_at is null)`;
const NEEDS_PERSON = sql<boolean>`exists (
  select from payment_issues join payments using (reference) where payments.order_id = orders.id and resolved_at is null)`;
const HAS_LEFT = sql<boolean>`(sales.fulfilled_at is not null or sales.ready_at is not null)`;
/** In the words of the index sales_here. */
const IS_HERE = sql<boolean>`(sales.fulfilled_at is null and sales.ready_at is null)`;
export const IS_GIVEN_BACK = sql<boolean>`coalesce(paid.refunding_kobo + paid.refunded_kobo >= coalesce(paid.paid_kobo, paid.kobo), false)`;

/** A page of the orders that fit. `older` and `newer` begin the pages behind it and in front of it, where there are any. */
export async function searchOrders(on: Db, search: OrderSearch, keyset: Keyset = {}, size = PAGE) {
  const first = search.sort ?? "newest";
  const { place, where, direction, pageOf } = byTime("orders.createdAt", "orders.id", "uuid", keyset, first);
  const { text, ...others } = search;
  const ids = text === undefined ? undefined : await fewWithWords(on, text);
  const rows = await fitting(on, ids ? { ...others, ids } : search)
    .select(["orders.id", "number", "orders.createdAt as placedAt", "orders.lines", "orders.shipping", "orders.state"])
    .select(["orders.kobo", "orders.totalCents as cents", NEWEST_REFERENCE.as("reference")])
    .select(["packedAt", "fulfilledAt", "readyAt", "deliveredAt", "returnedAt", "carrier", "tracking", "orders.email"])
    .select([
      OPEN_ISSUES.as("issues"),
      IS_GIVEN_BACK.as("isGivenBack"),
      HAS_PIECES_LEFT.as("hasPieces"),
      place.as("place"),
    ])
    .where(where)
    .orderBy("orders.createdAt", direction)
    .orderBy("orders.id", direction)
    .limit(size + 1)
    .execute();
  const { page, newer, older } = pageOf(rows, size);
  return { orders: page.map(toFound), newer, older };
}

/** Of more, the newest that fit are found sooner by going through all orders from the newest on. */
const FEW = 1000;

/** The ids of the orders that have these words, from the index of words; undefined where they are not few. PostgreSQL takes any words to be in 2% of all orders. */
async function fewWithWords(on: Db, text: string): Promise<string[] | undefined> {
  const rows = await on
    .selectFrom("orders")
    .select("id")
    .where(matches(text))
    .limit(FEW + 1)
    .execute();
  return rows.length > FEW ? undefined : rows.map(({ id }) => id);
}

/** How many orders stand in each view that asks for work. */
export async function countOrders(on: Db): Promise<Record<Exclude<OrderView, "all">, number>> {
  const count = async (view: OrderView) => {
    const { count } = await fitting(on, { view })
      .select(sql<number>`count(*)::int`.as("count"))
      .executeTakeFirstOrThrow();
    return count;
  };
  return {
    "to-send": await count("to-send"),
    "pick-up": await count("pick-up"),
    abroad: await count("abroad"),
    person: await count("person"),
  };
}

/** `ids`: these alone. The few states and countries that have an index of their own are named in its words. */
function fitting(
  on: Db,
  { view, text, ids, state, sent, numbers, country, delivery, customer, from, until }: OrderSearch & { ids?: string[] },
) {
  const isPickup = sql<boolean>`orders.shipping ->> 'pickupCenter' <> ''`;
  const isAbroad = sql<boolean>`orders.shipping ->> 'country' <> 'Nigeria'`;
  return on
    .selectFrom("orders")
    .leftJoin("sales", "sales.orderId", "orders.id")
    .leftJoin("payments as paid", "paid.reference", "sales.reference")
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
    .$if(country !== undefined && country !== "Nigeria", (query) => query.where(isAbroad))
    .$if(from !== undefined, (query) => query.where("orders.createdAt", ">=", from as Date))
    .$if(until !== undefined, (query) => query.where("orders.createdAt", "<", until as Date))
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`orders.id = any(${ids}::uuid[])`))
    .$if(text !== undefined, (query) => query.where(matches(text ?? "")));
}

/** What was typed as a query of words that begin so, as orders and customers keep them: order_words in the schema; empty where nothing was. */
export function wordsQuery(text: string): string {
  const plain = text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  const words: string[] = [];
  const rest = plain.replace(PHONE, (typed) => {
    words.push(phoneQuery(typed.replace(/\D/g, "")));
    return " ";
  });
  return [...rest.split(/\s+/).filter(Boolean).map(begins), ...words].join(" & ");
}

/** Five digits and more, with what people write between them. */
const PHONE = /(?<!\S)[+(]*\d(?:[\s()./-]*\d){4,}(?!\S)/g;
/** So many last digits are the same with and without the country. */
const LAST_DIGITS = 9;

function phoneQuery(digits: string): string {
  const whole = begins(digits.replace(/^(00)?2340?(?=\d)/, "0"));
  return digits.length > LAST_DIGITS ? `(${whole} | '${digits.slice(-LAST_DIGITS)}')` : whole;
}

function begins(word: string): string {
  return `'${word.replaceAll("\\", "\\\\").replaceAll("'", "''")}':*`;
}

/** Whether an order is found by these words. */
export function matches(text: string) {
  const query = wordsQuery(text);
  if (!query) return sql<boolean>`true`;
  const isFound = sql<boolean>`orders.words @@ ${query}::tsquery`;
  if (!/^[A-Za-z0-9.=-]{16,64}$/.test(text.trim())) return isFound;
  // One list of both: an "or" of the two would look at every order.
  return sql<boolean>`orders.id in (
    select id from orders found where found.words @@ ${query}::tsquery
    union all select order_id from payments where reference = ${text.trim()})`;
}

type Row = Parameters<typeof standingOf>[0] & {
  id: string;
  number: string;
  reference: string;
  placedAt: Date;
  lines: OrderLine[];
  shipping: ShippingDetails;
  kobo: string;
  cents: number;
  email: string;
  carrier: string | null;
  tracking: string | null;
};

function toFound(row: Row): FoundOrder {
  const { id, number, reference, placedAt, lines, shipping, kobo, cents, email, carrier, tracking, ...order } = row;
  const { firstName, lastName, pickupCenter, country, city, state } = shipping;
  return {
    id,
    number,
    reference,
    placedAt,
    customer: `${firstName} ${lastName}`.trim(),
    to: pickupCenter || (country === "Nigeria" ? state || city : country),
    how: pickupCenter ? "Pick-up" : "Home",
    pieces: countUnits(lines),
    kobo: Number(kobo),
    cents,
    email,
    carrier,
    tracking,
    standing: standingOf(order),
  };
}

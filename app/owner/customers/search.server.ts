import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { byTime, type Keyset } from "../keyset.server.ts";
import { wordsQuery } from "../order-search.server.ts";

export type CustomerSearch = {
  /** The newest come first where nothing is said. */
  sort?: "oldest";
  /** Beginnings of words of the address or the names; also of the phone, names and addresses of the orders. */
  text?: string;
  /** Whether they have the newsletter. */
  newsletter?: boolean;
  /** Whether anything was ever sold to them. */
  bought?: boolean;
};

/** Somebody with an account. `spentKobo` is what they have paid, without what has gone back. */
export type FoundCustomer = {
  id: string;
  name: string;
  email: string;
  since: Date;
  orders: number;
  spentKobo: number;
  lastOrderAt: Date | null;
  newsletter: boolean;
};

const PAGE = 50;
/** Shorter beginnings are looked for among the customers alone: too many orders would fit. */
const FEW_ORDERS = 3;

const HAS_NEWSLETTER = sql<boolean>`exists (select from subscriptions where subscriptions.email = users.email)`;
const HAS_BOUGHT = sql<boolean>`exists (select from sales where sales.user_id = users.id)`;
const of = <T>(what: string) => sql<T>`(
  select ${sql.raw(what)} from sales left join payments using (reference) where sales.user_id = users.id)`;

/** A page of the customers that fit. `older` and `newer` begin the next pages, where there are any. */
export async function searchCustomers(
  on: Db,
  { sort, text, newsletter, bought }: CustomerSearch,
  keyset: Keyset = {},
  size = PAGE,
) {
  const { place, where, direction, pageOf } = byTime("users.createdAt", "users.id", "text", keyset, sort ?? "newest");
  const rows = await on
    .selectFrom("users")
    .select(["users.id", "email", "firstName", "lastName", "users.createdAt as since", place.as("place")])
    .select([
      of<number>("count(*)::int").as("orders"),
      of<string>("coalesce(sum(sales.kobo - coalesce(refunded_kobo, 0)), 0)").as("spentKobo"),
      of<Date | null>("max(sales.created_at)").as("lastOrderAt"),
      HAS_NEWSLETTER.as("newsletter"),
    ])
    .where(where)
    .$if(text !== undefined, (query) => query.where(isFoundBy(text ?? "")))
    .$if(newsletter !== undefined, (query) =>
      query.where(newsletter ? HAS_NEWSLETTER : sql<boolean>`not ${HAS_NEWSLETTER}`),
    )
    .$if(bought !== undefined, (query) => query.where(bought ? HAS_BOUGHT : sql<boolean>`not ${HAS_BOUGHT}`))
    .orderBy("users.createdAt", direction)
    .orderBy("users.id", direction)
    .limit(size + 1)
    .execute();
  const { page, newer, older } = pageOf(rows, size);
  const customers = page.map(
    ({ firstName, lastName, place, spentKobo, ...row }): FoundCustomer => ({
      ...row,
      name: `${firstName} ${lastName}`.trim(),
      spentKobo: Number(spentKobo),
    }),
  );
  return { customers, newer, older };
}

function isFoundBy(text: string) {
  const query = wordsQuery(text);
  if (!query) return sql<boolean>`true`;
  const isLong = text.trim().length >= FEW_ORDERS;
  const byOrders = sql`union select user_id from orders where orders.words @@ ${query}::tsquery`;
  return sql<boolean>`users.id in (
    select id from users found where found.words @@ ${query}::tsquery ${isLong ? byOrders : sql``})`;
}

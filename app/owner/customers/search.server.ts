import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { IS_REAL_SALE } from "#app/orders/state.ts";
import { type Keyset, pageOf } from "../keyset.server.ts";
import { wordsQuery } from "../orders/search.server.ts";
import { hasTagSql, tagsSql } from "../tags/tags.server.ts";

export type CustomerSearch = {
  /** The default is newest first. */
  sort?: "oldest";
  /** Beginnings of words in the address or the names, or in the phone numbers, names and addresses of the orders. */
  text?: string;
  /** Whether they are subscribed to the newsletter. */
  newsletter?: boolean;
  /** Whether they have ever bought anything. */
  bought?: boolean;
  /** The folded form of a tag. */
  tag?: string;
};

/** A customer with an account. `spentKobo` is the sum of their payments without refunds. */
export type FoundCustomer = {
  id: string;
  name: string;
  email: string;
  since: Date;
  orders: number;
  spentKobo: number;
  lastOrderAt: Date | null;
  newsletter: boolean;
  /** The words of the tags. */
  tags: string[];
};

/** Texts with fewer letters are not searched for in orders, because too many would match. */
const FEW_ORDERS = 3;

const HAS_NEWSLETTER = sql<boolean>`exists (select from subscriptions where subscriptions.email = users.email)`;
const HAS_BOUGHT = sql<boolean>`exists (select from sales where sales.user_id = users.id and ${sql.raw(IS_REAL_SALE)})`;
const ofSalesSql = <T>(what: string) => sql<T>`(
  select ${sql.raw(what)} from sales left join payments using (reference) where sales.user_id = users.id and ${sql.raw(IS_REAL_SALE)})`;

const BY_TIME = { "users.created_at": "time", "users.id": "text" } as const;

/** A page of the matching customers. */
export async function searchCustomers(
  on: Db,
  { sort, text, newsletter, bought, tag }: CustomerSearch,
  keyset: Keyset = {},
  size?: number,
) {
  const found = on
    .selectFrom("users")
    .select(["users.id", "email", "firstName", "lastName", "users.createdAt as since"])
    .select([
      ofSalesSql<number>("count(*)::int").as("orders"),
      ofSalesSql<string>("coalesce(sum(sales.kobo - coalesce(refunded_kobo, 0)), 0)").as("spentKobo"),
      ofSalesSql<Date | null>("max(sales.created_at)").as("lastOrderAt"),
      HAS_NEWSLETTER.as("newsletter"),
      tagsSql("customer").as("tags"),
    ])
    .$if(text !== undefined, (query) => query.where(isFoundBySql(text ?? "")))
    .$if(tag !== undefined, (query) => query.where(hasTagSql("customer", tag ?? "")))
    .$if(newsletter !== undefined, (query) =>
      query.where(newsletter ? HAS_NEWSLETTER : sql<boolean>`not ${HAS_NEWSLETTER}`),
    )
    .$if(bought !== undefined, (query) => query.where(bought ? HAS_BOUGHT : sql<boolean>`not ${HAS_BOUGHT}`));
  const { rows, ...ends } = await pageOf(found, BY_TIME, keyset, { ascending: sort === "oldest", size });
  const customers = rows.map(
    ({ firstName, lastName, place, spentKobo, ...row }): FoundCustomer => ({
      ...row,
      name: `${firstName} ${lastName}`.trim(),
      spentKobo: Number(spentKobo),
    }),
  );
  return { rows: customers, ...ends };
}

function isFoundBySql(text: string) {
  const query = wordsQuery(text);
  if (!query) return sql<boolean>`true`;
  const isLong = text.trim().length >= FEW_ORDERS;
  const byOrders = sql`union select user_id from orders where orders.words @@ ${query}::tsquery`;
  return sql<boolean>`users.id in (
    select id from users found where found.words @@ ${query}::tsquery ${isLong ? byOrders : sql``})`;
}

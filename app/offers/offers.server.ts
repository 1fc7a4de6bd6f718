import { familiesOf } from "#app/catalog/filter/color-words.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { type SqlType, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { NEWEST_RATE } from "#app/infra/settings/shop-settings.server.ts";
import type { Members, OfferUse, StoredOffers, Terms } from "./terms.ts";

/**
 * SQL for the running offers as a value of `offersType`, to be part of another statement. Null if there are none.
 * `products`: an array of the ids of the priced products, which are bought beside the account's cart; by default those
 * in the cart, for which the uses of its open order are free.
 */
export const offersSql = (userId: string, code: string, products = "null") =>
  `(select offers_for(${userId}, ${code}, ${products}))`;
export const offersType = sqlType.orNull(sqlType.json<ReadOffers>());

/** A product in a collection. With `colors`, only if `color`, the product's, is of one of these families. */
type Member = { collection: string; product: string; color?: string; colors?: string[] };
/** The running offers as returned by the database's function offers_for(). */
export type ReadOffers = Omit<StoredOffers, "members"> & { members: Member[] | null };

/** The running offers as the pricing needs them. */
export function offersIn({ members, ...offers }: ReadOffers): StoredOffers {
  return { ...offers, ...(members && { members: membersIn(members) }) };
}

function membersIn(read: Member[]): Members {
  const members = new Map<string, string[]>();
  for (const { collection, product, color = "", colors } of read) {
    if (colors && !familiesOf(color).some((family) => colors.includes(family))) continue;
    members.set(product, [...(members.get(product) ?? []), collection]);
  }
  return members;
}

const selectMembers = statement(
  {
    takes: { collections: sqlType.textList(), products: sqlType.textList() },
    gives: { members: sqlType.orNull(sqlType.json<Member[]>()) },
  },
  "select collection_members(:collections, :products) as members",
);

/** Which of these products are in which of these collections, put in or by a rule. */
export async function membersOf(on: Db | Transaction, collections: string[], products: string[]): Promise<Members> {
  if (collections.length === 0) return new Map();
  return membersIn((await selectMembers(on, { collections, products }))[0]?.members ?? []);
}

const naming = statement(
  { takes: { collection: sqlType.text }, gives: { name: sqlType.text } },
  `select name from offers
   where (ends_at is null or ends_at > now()) and terms -> 'collections' ? :collection order by id limit 1`,
);

/** The name of an offer about this collection that has not ended; undefined if there is none. */
export async function offerNaming(on: Db | Transaction, collection: string): Promise<string | undefined> {
  return (await naming(on, { collection }))[0]?.name;
}

const selectOffers = statement(
  {
    takes: { code: sqlType.orNull(sqlType.text), products: sqlType.textList() },
    gives: { offers: offersType, rate: sqlType.orNull(sqlType.numeric) },
  },
  `select ${offersSql("null", ":code::text", ":products::text[]")} as offers, (select rate from (${NEWEST_RATE}) as newest) as rate`,
);

/** The running offers for a guest with this code and these products in the cart, and the newest exchange rate. */
export async function guestOffers(on: Db, code: string | null, products: string[]) {
  return (await selectOffers(on, { code, products }))[0];
}

/** The uses of an order as a statement's single parameter. */
export const usesType: SqlType<readonly OfferUse[]> = sqlType.json<readonly OfferUse[]>();

/**
 * SQL for parts of a `with` clause that store which offers an order uses, and count limited uses. `order`: the name of
 * the part with the order. `marks`: an expression for the shopper's marks. The statement must select `ALL_OFFERED`
 * after the column of the stock, because all statements lock rows in the same order.
 */
export const takeOffersSql = (order: string, uses: string, marks: string) =>
  `offered as (
     select "offerId" as offer_id, u.code, version, cents, terms, held from jsonb_to_recordset(${uses})
       as u("offerId" integer, code text, version integer, cents integer, terms jsonb, held boolean)
   ), uses as (
     insert into offer_uses (order_id, offer_id, code, cents, terms, held, shopper)
     select ${order}.id, offer_id, code, cents, offered.terms, held,
       case when o.terms @> '{"oncePerShopper": true}' then ${marks} else '{}' end
     from ${order}, offered join offers o on o.id = offer_id
   ), counted as (
     update offers o set used = o.used + 1 from offered
     where o.id = offer_id and held and o.most_uses is not null and o.used < o.most_uses returning o.id
   ), counted_codes as (
     update offer_codes c set used = c.used + 1 from offered
     where c.code = offered.code and held and c.most_uses is not null and c.used < c.most_uses returning c.code
   )`;

/** SQL that fails the statement if an offer was paused, ended, changed or used up since the order was priced. */
export const ALL_OFFERED = `case when
    (select count(*) from counted) < (
      select count(*) from offered join offers on id = offer_id where held and most_uses is not null
    )
    or (select count(*) from counted_codes) < (
      select count(*) from offered join offer_codes using (code) where held and most_uses is not null
    ) or exists (
      select from offered join offers o on o.id = offer_id
      where o.version <> offered.version or o.paused or o.starts_at > now() or o.ends_at <= now()
    ) then refuse('offer taken meanwhile') end`;

/**
 * An SQL expression that releases the offers of an order. Does nothing if the order uses none, or they are released
 * already.
 */
export const freeOffersSql = (orderId: string) => `hold_offers(${orderId}, false)`;

const hold = statement(
  { takes: { orderId: sqlType.uuid, hold: sqlType.bool }, gives: { done: sqlType.bool } },
  "select hold_offers(:orderId, :hold) as done",
);

/**
 * Takes the released offers of an order again. Returns false, and takes none, if one of them or of their codes is used
 * up.
 */
export async function takeOffersAgain(trx: Transaction, orderId: string): Promise<boolean> {
  return (await hold(trx, { orderId, hold: true }))[0]?.done ?? false;
}

export async function freeOffers(trx: Transaction, orderId: string): Promise<void> {
  await hold(trx, { orderId, hold: false });
}

const usedTerms = statement(
  { takes: { orderId: sqlType.uuid }, gives: { terms: sqlType.json<Terms>() } },
  "select terms from offer_uses where order_id = :orderId order by offer_id",
);

/** The terms of an order's offers at the moment of Pay. */
export async function termsAtPay(on: Db | Transaction, orderId: string): Promise<Terms[]> {
  return (await usedTerms(on, { orderId })).map(({ terms }) => terms);
}

const writeBuyer = statement(
  { takes: { userId: sqlType.text, buyer: sqlType.json<Buyer>() }, gives: { isNew: sqlType.bool } },
  `update carts set buyer = :buyer where user_id = :userId and buyer is distinct from :buyer::jsonb returning true as is_new`,
);

/** The fields of the checkout that decide whether an offer is for this shopper. */
export type Buyer = { country: string; email: string; phone: string };

/**
 * Stores the buyer with the cart if an offer depends on the buyer, so that the next pages show the sums that Pay
 * charges. Returns whether the offers have to be read again.
 */
export async function noteBuyer(
  trx: Transaction,
  userId: string,
  offers: StoredOffers | undefined,
  { country, email, phone }: Buyer,
): Promise<boolean> {
  const asks = ({ terms }: StoredOffers["offers"][number]) =>
    terms.countries.length > 0 || terms.oncePerShopper || terms.firstOrderOnly;
  if (!offers?.offers.some(asks)) return false;
  return (await writeBuyer(trx, { userId, buyer: { country, email, phone } })).length > 0;
}

const forgetNamed = statement(
  { takes: { email: sqlType.text }, gives: {} },
  `update offers set terms = jsonb_set(terms, '{customers}', (terms -> 'customers') - lower(:email) || '["deleted"]')
   where terms -> 'customers' ? lower(:email)`,
);

/**
 * Removes a customer from all offers for named customers. A placeholder remains, because an empty list means everybody.
 */
export async function forgetNamedCustomer(trx: Transaction, email: string): Promise<void> {
  await forgetNamed(trx, { email });
}

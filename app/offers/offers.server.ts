import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { type SqlType, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { NEWEST_RATE } from "#app/infra/settings/shop-settings.server.ts";
import type { OfferUse, StoredOffers, Terms } from "./terms.ts";

/** The offers that run, for a statement that is made anyway; of the type `offersType`. Null where there are none. */
export const offersSql = (userId: string, code: string) => `(select offers_for(${userId}, ${code}))`;
export const offersType = sqlType.orNull(sqlType.json<StoredOffers>());

const selectOffers = statement(
  {
    takes: { code: sqlType.orNull(sqlType.text) },
    gives: { offers: offersType, rate: sqlType.orNull(sqlType.numeric) },
  },
  `select ${offersSql("null", ":code::text")} as offers, (select rate from (${NEWEST_RATE}) as newest) as rate`,
);

/** The offers that run for a guest with this code, and the newest exchange rate. */
export async function guestOffers(on: Db, code: string | null) {
  return (await selectOffers(on, { code }))[0];
}

/** The uses of an order as a statement's single parameter. */
export const usesType: SqlType<readonly OfferUse[]> = sqlType.json<readonly OfferUse[]>();

/**
 * SQL parts that write what the order of the part `order` uses, and count it where uses are limited. `marks`: those of
 * the shopper, as an expression. `ALL_OFFERED` must be among the statement's selected columns, after that of the stock:
 * rows are locked in one order everywhere.
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

/** Fails the statement if an offer has ended, has changed or was used up since the order was priced. */
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

/** An SQL expression that frees what an order uses. Does nothing if it uses nothing, or nothing any more. */
export const freeOffersSql = (orderId: string) => `hold_offers(${orderId}, false)`;

const hold = statement(
  { takes: { orderId: sqlType.uuid, hold: sqlType.bool }, gives: { done: sqlType.bool } },
  "select hold_offers(:orderId, :hold) as done",
);

/** Takes again what an order used. False if one of its offers or codes is used up: then nothing is taken. */
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

/** The terms, at the moment of Pay, of the offers that made an order's prices. */
export async function termsAtPay(on: Db | Transaction, orderId: string): Promise<Terms[]> {
  return (await usedTerms(on, { orderId })).map(({ terms }) => terms);
}

const writeBuyer = statement(
  { takes: { userId: sqlType.text, buyer: sqlType.json<Buyer>() }, gives: { isNew: sqlType.bool } },
  `update carts set buyer = :buyer where user_id = :userId and buyer is distinct from :buyer::jsonb returning true as is_new`,
);

/** What is typed at the checkout, and decides who an offer is for. */
export type Buyer = { country: string; email: string; phone: string };

/**
 * Keeps with the cart who orders and to where, if one of the offers asks for that. Then the pages that follow show the
 * sums that Pay charges. Whether the offers have to be read again.
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

/** Takes a customer out of all offers for named customers. A mark stays: an offer for nobody would be for everybody. */
export async function forgetNamedCustomer(trx: Transaction, email: string): Promise<void> {
  await forgetNamed(trx, { email });
}

import { randomInt } from "node:crypto";
import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { knownKinds } from "#app/infra/settings/shop-settings.server.ts";
import { MOST_OFFERS } from "#app/offers/offer.ts";
import { offerTerms, type Terms } from "#app/offers/terms.ts";
import { type Named, offerSentence } from "#app/offers/words.ts";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import { NIGERIA } from "#app/shipping/shipping.ts";
import { namesOfCollections } from "../collections/collections.server.ts";
import { type Stale, stale } from "../stale.ts";

export type OfferState = "running" | "planned" | "paused" | "ended";
/** An offer in the owner's list. `uses` and the sums count sold orders: the discounts given, and the orders' totals. */
export type OfferRow = {
  id: number;
  /** Whether the offer needs a code. */
  byCode: boolean;
  name: string;
  sentence: string;
  state: OfferState;
  code: string | null;
  codes: number;
  startsAt: Date;
  endsAt: Date | null;
  mostUses: number | null;
  uses: number;
  givenCents: number;
  takenCents: number;
};

/** All offers, newest first, or only the offer with this id. */
export async function listOffers(on: Db | Transaction, id?: number): Promise<OfferRow[]> {
  const { rows } = await sql<Omit<OfferRow, "sentence"> & { terms: Terms }>`
    select o.id, o.name, o.terms, o.by_code, o.starts_at, o.ends_at, o.most_uses,
      case when o.ends_at <= now() then 'ended' when o.paused then 'paused' when o.starts_at > now() then 'planned'
        else 'running' end as state,
      (select case when count(*) = 1 then min(written) end from offer_codes where offer_id = o.id) as code,
      (select count(*)::int from offer_codes where offer_id = o.id) as codes,
      u.uses, u.given_cents, u.taken_cents
    from offers o left join lateral (
      select count(*)::int as uses, coalesce(sum(cents), 0)::float8 as given_cents,
        coalesce(sum(s.total_cents), 0)::float8 as taken_cents
      from offer_uses u join sales s on s.order_id = u.order_id where u.offer_id = o.id and u.held
    ) u on true
    where ${id ?? null}::integer is null or o.id = ${id ?? null}
    order by o.id desc`.execute(on);
  const parsed = rows.map(({ terms, ...row }) => ({ row, terms: offerTerms.parse(terms) }));
  const names = await namedBy(on, ...parsed.map(({ terms }) => terms));
  return parsed.map(({ row, terms }) => ({ ...row, sentence: offerSentence(terms, row.byCode, names) }));
}

/** The sentence about an offer, with the present names of its kinds and collections. */
export async function sentenceOf(on: Db | Transaction, { terms, byCode }: Pick<NewOffer, "terms" | "byCode">) {
  return offerSentence(terms, byCode, await namedBy(on, terms));
}

/** The present names of the collections of these terms, and of the kinds. */
async function namedBy(on: Db | Transaction, ...all: Terms[]): Promise<Named> {
  const ids = new Set(all.flatMap(({ collections }) => collections));
  return { collections: await namesOfCollections(on, [...ids]), kinds: knownKinds() };
}

/**
 * The values of an offer to store. `code` is a code for all shoppers; `makeCodes` makes codes for one use each. `key`
 * is an idempotency key.
 */
export type NewOffer = {
  key?: string;
  name: string;
  terms: Terms;
  byCode: boolean;
  code?: string;
  startsAt?: Date;
  endsAt?: Date;
  mostUses?: number;
};

/**
 * Adds an offer, which runs from `startsAt`, by default from now on. A repeated call with the same `key` adds none and
 * returns the first offer.
 */
export function addOffer(on: Db, by: Actor, offer: NewOffer): Promise<OfferRow> {
  const { name, terms, byCode, code, startsAt, endsAt, mostUses, key } = offer;
  if (endsAt && endsAt <= (startsAt ?? new Date())) throw new BadInput("It would end before it begins");
  if (terms.gift.kind === "set" && terms.gift.get > terms.gift.buy)
    throw new BadInput("More items can’t be given than have to be bought");
  return retryingTransaction(on, async (trx) => {
    await sql`lock table offers in share row exclusive mode`.execute(trx); // no offer is added while they are counted
    const offers = await trx.selectFrom("offers").select(["id", "key", "endsAt"]).execute();
    const made = key && offers.find((one) => one.key === key);
    if (made) return knownOffer(trx, made.id);
    const [problem] = Object.values(await offerProblems(trx, offer));
    if (problem) throw new BadInput(problem);
    if (offers.filter((one) => !one.endsAt || one.endsAt > new Date()).length >= MOST_OFFERS)
      throw new BadInput(`At most ${MOST_OFFERS} offers can run or be planned: end one of them first`);
    const { id } = await trx
      .insertInto("offers")
      .values({ name, terms: JSON.stringify(terms), byCode, mostUses, endsAt, key, ...(startsAt && { startsAt }) })
      .returning("id")
      .executeTakeFirstOrThrow();
    if (code) await writeCodes(trx, id, [code], { mostUses: null });
    const sentence = await sentenceOf(trx, offer);
    await recordChange(trx, {
      by,
      action: "offers add",
      subject: { kind: "offer", id: String(id) },
      after: { name, sentence },
    });
    return knownOffer(trx, id);
  });
}

/**
 * The problems of an offer with the shop's products, collections, countries and codes, by the field of the offer's
 * form. Within a transaction, nobody else can delete the collections before it ends.
 */
export async function offerProblems(
  on: Db | Transaction,
  { terms: { products, collections, countries }, code }: Pick<NewOffer, "terms" | "code">,
): Promise<{ products?: string; collections?: string; code?: string; countries?: string }> {
  const { rows } = await sql<{ missing: string | null; isTaken: boolean | null }>`select
    (select min(id) from unnest(${products}::text[]) id where id not in (select id from products)) as missing,
    exists (select from offer_codes where code = fold_code(${code ?? null})) as is_taken`.execute(on);
  const { missing, isTaken } = rows[0] ?? {};
  const unknownCollection = collections.length > 0 && (await missingCollection(on, collections));
  const rates = countries.length > 0 ? (await loadShippingRates(on)).countries : [];
  const known = [NIGERIA.name, ...rates.map(({ name }) => name)].map((name) => name.toLowerCase());
  const unknown = rates.length > 0 ? countries.find((name) => !known.includes(name.toLowerCase())) : undefined;
  return {
    ...(unknown && { countries: `The shop doesn’t deliver to “${unknown}”: names are those of the delivery rates` }),
    ...(missing && { products: `There’s no product '${missing}'` }),
    ...(unknownCollection && { collections: `There’s no collection '${unknownCollection}'` }),
    ...(isTaken && { code: `The code '${code}' is taken` }),
  };
}

async function missingCollection(on: Db | Transaction, ids: string[]): Promise<string | undefined> {
  const rows = await on
    .selectFrom("collections")
    .select("id")
    .where("id", "in", ids)
    .orderBy("id")
    .$if(on.isTransaction, (query) => query.forKeyShare())
    .execute();
  return ids.find((id) => !rows.some((row) => row.id === id));
}

/** An offer as it is stored, to be changed. `version` rises with each change. */
export type StoredOffer = Pick<OfferRow, "name" | "byCode" | "startsAt" | "endsAt" | "mostUses"> & {
  terms: Terms;
  version: number;
  hasBegun: boolean;
};

/** The offer with this id; undefined if there is none. Within a transaction, its row is locked. */
export async function storedOffer(on: Db | Transaction, id: number): Promise<StoredOffer | undefined> {
  const row = await on
    .selectFrom("offers")
    .select(["name", "terms", "byCode", "startsAt", "endsAt", "mostUses", "version"])
    .select(sql<boolean>`starts_at <= now()`.as("hasBegun"))
    .where("id", "=", id)
    .$if(on.isTransaction, (query) => query.forUpdate())
    .executeTakeFirst();
  return row && { ...row, terms: offerTerms.parse(row.terms) };
}

/**
 * Changes an offer. Throws BadInput if it has ended. Stale unless `seen` is the current version. Carts are priced
 * again; orders that are being paid keep the old terms. Two things cannot change: whether the offer needs a code, and
 * whether its uses are limited, because the uses of an unlimited offer were not counted.
 */
export function editOffer(
  on: Db,
  by: Actor,
  id: number,
  seen: number,
  offer: NewOffer,
): Promise<OfferRow | Stale<{ version: number }>> {
  const { name, terms, startsAt, endsAt, mostUses } = offer;
  return retryingTransaction(on, async (trx) => {
    const stored = await storedOffer(trx, id); // locked first, so that the offer cannot end in between
    if (!stored || (await knownOffer(trx, id)).state === "ended") throw new BadInput("It has ended");
    const { version } = stored;
    if (version !== seen) return stale({ version });
    if ((stored.mostUses === null) !== (mostUses === undefined))
      throw new BadInput("Whether its uses are limited can’t be changed: end it, and make another one");
    const [problem] = Object.values(await offerProblems(trx, { terms }));
    if (problem) throw new BadInput(problem);
    const starts = stored.hasBegun ? stored.startsAt : (startsAt ?? new Date());
    if (endsAt && endsAt <= new Date(Math.max(Number(starts), Date.now())))
      throw new BadInput("It would be over already");
    const wanted = { name, terms: JSON.stringify(terms), startsAt: starts, endsAt: endsAt ?? null, mostUses };
    await trx
      .updateTable("offers")
      .set({ ...wanted, version: version + 1 })
      .where("id", "=", id)
      .execute();
    const names = await namedBy(trx, stored.terms, terms);
    const logged = (
      one: Pick<StoredOffer, "name" | "terms" | "startsAt" | "endsAt"> & { mostUses?: number | null },
    ) => ({
      name: one.name,
      sentence: offerSentence(one.terms, stored.byCode, names),
      from: one.startsAt,
      until: one.endsAt,
      ...(one.mostUses && { mostUses: one.mostUses }),
    });
    await recordChange(trx, {
      by,
      action: "offers set",
      subject: { kind: "offer", id: String(id) },
      before: logged(stored),
      after: logged({ ...wanted, terms }),
    });
    return knownOffer(trx, id);
  });
}

/** Pauses, resumes or ends an offer. Throws BadInput if the offer has ended. */
export function changeOffer(on: Db, by: Actor, id: number, to: "pause" | "resume" | "end"): Promise<OfferRow> {
  return retryingTransaction(on, async (trx) => {
    const before = await knownOffer(trx, id);
    if (before.state === "ended") throw new BadInput("It has ended");
    await sql`
      update offers set
        paused = ${to === "pause"} or (paused and ${to === "end"}),
        starts_at = case when ${to === "end"} then least(starts_at, now() - interval '1 second') else starts_at end,
        ends_at = case when ${to === "end"} then now() else ends_at end
      where id = ${id}`.execute(trx);
    const after = await knownOffer(trx, id);
    const subject = { kind: "offer", id: String(id) };
    const [was, is] = [{ state: before.state }, { state: after.state }];
    await recordChange(trx, { by, action: `offers ${to}`, subject, before: was, after: is });
    return after;
  });
}

/** The offer with this id in the owner's list. Throws BadInput if there is none. */
export async function knownOffer(on: Db | Transaction, id: number): Promise<OfferRow> {
  const [found] = Number.isInteger(id) && Math.abs(id) < 2 ** 31 ? await listOffers(on, id) : [];
  if (!found) throw new BadInput(`There’s no offer ${id}`);
  return found;
}

/** Letters and digits that are not mistaken for each other. */
const LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
/** The most codes that are made at once. */
export const MOST_CODES = 10_000;

/** Makes codes for one use each. If codes of the same `batch` exist, these are returned instead. */
export function makeCodes(on: Db, by: Actor, id: number, count: number, batch?: string): Promise<string[]> {
  if (!(Number.isInteger(count) && count >= 1 && count <= MOST_CODES))
    throw new BadInput(`Make 1 to ${MOST_CODES} codes at once`);
  return retryingTransaction(on, async (trx) => {
    const { byCode } = await knownOffer(trx, id);
    if (!byCode) throw new BadInput("This offer works without a code");
    await sql`select from offers where id = ${id} for no key update`.execute(trx);
    const made = trx.selectFrom("offerCodes").select("written").where("offerId", "=", id);
    const before = batch ? await made.where("batch", "=", batch).execute() : [];
    if (before.length > 0) return before.map(({ written }) => written);
    const letters = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
    const codes = Array.from({ length: count }, () => `${letters()}-${letters()}`);
    await writeCodes(trx, id, codes, { mostUses: 1, batch });
    const subject = { kind: "offer", id: String(id) };
    await recordChange(trx, { by, action: "offers codes", subject, after: { codes: count } });
    return codes;
  });
}

type Kind = { mostUses: number | null; batch?: string };

async function writeCodes(trx: Transaction, id: number, codes: string[], { mostUses, batch }: Kind): Promise<void> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("offerCodes")
    .columns(["code", "offerId", "written", "mostUses", "batch"])
    .expression(
      sql`select fold_code(written), ${id}::integer, written, ${mostUses}::integer, ${batch ?? null}::uuid
        from unnest(${codes}::text[]) written where fold_code(written) <> ''`,
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (Number(numInsertedOrUpdatedRows) < codes.length)
    throw new BadInput(codes.length === 1 ? `The code '${codes[0]}' has no letters` : "Please try again");
}

/** The codes of an offer, and how often each is used or being paid with. `mostUses` is 1 for a single-use code. */
export async function listCodes(on: Db, id: number) {
  const { rows } = await sql<{ code: string; mostUses: number | null; uses: number }>`
    select written as code, most_uses, (
      select count(*)::int from offer_uses u where u.code = c.code and u.held
    ) as uses from offer_codes c where offer_id = ${id} order by written`.execute(on);
  return rows;
}

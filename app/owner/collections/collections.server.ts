import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { ruleText } from "#app/catalog/collections/collection.ts";
import { describePicture } from "#app/catalog/pictures/new-picture.server.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { knownKinds } from "#app/infra/settings/shop-settings.server.ts";
import { offerNaming } from "#app/offers/offers.server.ts";
import type { CollectionRule, ProductImage } from "#db/types.ts";
import type { ListedProduct } from "../catalog/product-list.server.ts";
import { type Stale, stale } from "../stale.ts";
import {
  type CollectionDocument,
  type CollectionWish,
  MOST_COLLECTIONS,
  MOST_PRODUCTS,
  type PictureWish,
  type Showing,
  showingAt,
} from "./collection.ts";

/** A collection in the owner's list: how many products were put in, and how many of these the shop shows. */
export type CollectionRow = {
  id: string;
  name: string;
  hidden: boolean;
  showing: Showing;
  startsAt: Date | null;
  endsAt: Date | null;
  hasRule: boolean;
  products: number;
  shown: number;
};

/** All collections, in the owner's order. */
export async function listCollections(on: Db): Promise<CollectionRow[]> {
  const { rows } = await sql<Omit<CollectionRow, "showing">>`
    select c.id, c.name, c.hidden, c.starts_at, c.ends_at, c.rule is not null as has_rule, count(m.product_id)::int as products,
      (count(p.id) filter (where not p.hidden))::int as shown
    from collections c
      left join collection_products m on m.collection_id = c.id left join products p on p.id = m.product_id
    group by c.id order by c.position, c.id`.execute(on);
  const now = new Date();
  return rows.map((row) => ({ ...row, showing: showingAt(row, now) }));
}

/** The names of all collections, in the owner's order. */
export async function collectionChoices(on: Db): Promise<Pick<CollectionRow, "id" | "name" | "hidden">[]> {
  return await on
    .selectFrom("collections")
    .select(["id", "name", "hidden"])
    .orderBy("position")
    .orderBy("id")
    .execute();
}

/** The names of these collections, shown or hidden, by id. */
export async function namesOfCollections(on: Db | Transaction, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await on.selectFrom("collections").select(["id", "name"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** A collection as it is stored. `version` rises with each change, except of its products. */
export type StoredCollection = CollectionWish & { id: string; version: number };

/** The collection with this id, shown or hidden; undefined if there is none. */
export async function storedCollection(on: Db | Transaction, id: string): Promise<StoredCollection | undefined> {
  const row = await on
    .selectFrom("collections as c")
    .select(["id", "name", "words", "rule", "hidden", "version", "picture", "startsAt", "endsAt"])
    .select(
      sql<number>`(select count(*)::int from collections o where (o.position, o.id) <= (c.position, c.id))`.as("place"),
    )
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) return;
  const { picture, startsAt, endsAt, ...values } = row;
  return { ...values, ...(picture && { picture }), ...(startsAt && { startsAt }), ...(endsAt && { endsAt }) };
}

export type CollectionProduct = Pick<
  ListedProduct,
  "id" | "title" | "color" | "cover" | "hidden" | "publishAt" | "inStock"
>;

/** A picture with its dimensions, which are read from the store. Undefined if the store does not have it. */
export async function storedPicture({ hash, alt, focus }: PictureWish): Promise<ProductImage | undefined> {
  const known = await describePicture(hash);
  return known && { ...known, alt, ...(focus && { focus }) };
}

/** The products of a collection in their order, hidden ones included. */
export async function productsIn(on: Db, id: string): Promise<CollectionProduct[]> {
  const rows = await on
    .selectFrom("collectionProducts as m")
    .innerJoin("products", "products.id", "m.productId")
    .select(["products.id", "title", "color", "images", "hidden", "publishAt", "inStock"])
    .where("m.collectionId", "=", id)
    .orderBy("m.position")
    .orderBy("products.id")
    .execute();
  return rows.map(({ images, ...row }) => ({ ...row, cover: images[0] }));
}

/**
 * Adds a hidden collection, as the last one. `problem`: what is wrong with its address. Sent again with the same name
 * and words, it adds no second one.
 */
export function addCollection(
  on: Db,
  by: Actor,
  { id, name, words }: { id: string; name: string; words: string },
): Promise<{ ok: true; id: string } | { ok: false; problem: string }> {
  return retryingTransaction(on, async (trx) => {
    const ids = await lockCollections(trx);
    if (ids.includes(id)) {
      const other = await storedCollection(trx, id);
      if (other?.name === name && other.words === words) return { ok: true, id };
      return { ok: false, problem: `The collection “${other?.name}” has this address` };
    }
    const kind = await kindAt(trx, id);
    if (kind) return { ok: false, problem: kind };
    await insertCollection(trx, ids, { id, name, words });
    const subject = { kind: "collection", id };
    await recordChange(trx, { by, action: "collections add", subject, after: { name, ...(words && { words }) } });
    return { ok: true, id };
  });
}

/**
 * Changes name, words, rule, place, dates, and whether the shop shows the collection. Stale unless `seen` is the
 * current version. `version`: the one after the call. Safe to repeat.
 */
export function changeCollection(
  on: Db,
  by: Actor,
  id: string,
  wish: CollectionWish,
  seen: number,
): Promise<{ ok: true; version: number } | Stale<{ version: number }>> {
  return retryingTransaction(on, async (trx) => {
    const ids = await lockCollections(trx);
    const { id: _, version, ...before } = await known(trx, id);
    const after = { ...wish, place: Math.min(wish.place, ids.length) };
    if (isDeepStrictEqual(before, after)) return { ok: true, version };
    if (version !== seen) return stale({ version });
    await writeValues(
      trx,
      id,
      after,
      ids.filter((other) => other !== id),
    );
    await recordChange(trx, {
      by,
      action: "collections change",
      subject: { kind: "collection", id },
      ...changedValues(before, after),
    });
    return { ok: true, version: version + 1 };
  });
}

type Logged = { rule: CollectionRule | null; picture?: ProductImage };

/** The values as the audit log has them: the rule in words, and of a picture its file and what it shows. */
const loggedValues = <Values extends Logged>({ rule, picture, ...values }: Values) => ({
  ...values,
  rule: rule ? ruleText(rule, knownKinds()) : "",
  ...(picture && { picture: [picture.hash, picture.alt, picture.focus].filter(Boolean).join(", ") }),
});

/** The changed values before and after. */
function changedValues<Values extends Logged>(before: Values, after: Values) {
  const [was, is] = [loggedValues(before), loggedValues(after)];
  const names = (Object.keys({ ...was, ...is }) as (keyof typeof is)[]).filter(
    (name) => !isDeepStrictEqual(was[name], is[name]),
  );
  const of = (values: typeof is) => Object.fromEntries(names.map((name) => [name, values[name]]));
  return { before: of(was), after: of(is) };
}

/**
 * Deletes a collection. Its products stay in the shop. Returns whether there was one. Throws BadInput if an offer that
 * has not ended names it.
 */
export function deleteCollection(on: Db, by: Actor, id: string): Promise<boolean> {
  return retryingTransaction(on, async (trx) => {
    await lockCollections(trx);
    const before = await storedCollection(trx, id);
    if (!before) return false;
    await lockCollection(trx, id); // first, so that no offer that names the collection is added meanwhile
    const offer = await offerNaming(trx, id);
    if (offer) throw new BadInput(`The offer “${offer}” names it: change or end the offer first`);
    const products = await productIds(trx, id);
    await trx.deleteFrom("collections").where("id", "=", id).execute();
    await recordChange(trx, {
      by,
      action: "collections remove",
      subject: { kind: "collection", id },
      before: { name: before.name, words: before.words, products },
    });
    return true;
  });
}

/** All collections, or the one with this id, as documents in the owner's order. */
export async function collectionDocuments(on: Db, id?: string): Promise<CollectionDocument[]> {
  const ids = id === undefined ? (await collectionChoices(on)).map((one) => one.id) : [id];
  const documents = await Promise.all(ids.map((one) => documentOf(on, one)));
  return documents.filter((one) => one !== undefined);
}

async function documentOf(
  on: Db | Transaction,
  id: string,
): Promise<(CollectionDocument & CollectionWish) | undefined> {
  const stored = await storedCollection(on, id);
  if (!stored) return;
  const { version, ...values } = stored;
  return { ...values, products: await productIds(on, id) };
}

/** Adds and changes collections, so that each is as its document says. All of them or, if one can't be, none. */
export async function setCollections(on: Db, by: Actor, documents: CollectionDocument[]): Promise<void> {
  const whole = await Promise.all(documents.map(withPicture));
  await retryingTransaction(on, async (trx) => {
    for (const document of whole) await setCollection(trx, by, document);
  });
}

type WholeDocument = Omit<CollectionDocument, "picture"> & Pick<CollectionWish, "picture">;

async function withPicture({ picture: wish, ...document }: CollectionDocument): Promise<WholeDocument> {
  if (!wish) return document;
  const picture = await storedPicture(wish);
  if (!picture) throw new BadInput(`The picture ${wish.hash} of '${document.id}' is missing: add it in the office`);
  return { ...document, picture };
}

async function setCollection(trx: Transaction, by: Actor, wish: WholeDocument): Promise<void> {
  const { id } = wish;
  const others = (await lockCollections(trx)).filter((other) => other !== id);
  await lockCollection(trx, id);
  const before = await documentOf(trx, id);
  if (!before) {
    const kind = await kindAt(trx, id);
    if (kind) throw new BadInput(kind);
    await insertCollection(trx, others, wish);
  }
  const last = others.length + 1;
  const after = { ...wish, place: Math.min(wish.place ?? before?.place ?? last, last) };
  if (isDeepStrictEqual(before, after)) return;
  const { id: _, products, ...values } = after;
  await writeValues(trx, id, values, others);
  await writeProducts(trx, id, products);
  const subject = { kind: "collection", id };
  const changed = before ? changedValues(before, after) : { after: loggedValues({ ...values, products }) };
  await recordChange(trx, { by, action: "collections set", subject, ...changed });
}

/** Adds products at the end of a collection. Returns how many were not in it. */
export function addProducts(on: Db, by: Actor, id: string, products: string[]): Promise<number> {
  return changeProducts(on, by, id, async (trx, ids) => {
    const added = [...new Set(products)].filter((product) => !ids.includes(product));
    if (added.length === 0) return 0;
    if (ids.length + added.length > MOST_PRODUCTS) throw new BadInput(`At most ${MOST_PRODUCTS} products`);
    await insertProducts(trx, id, added, ids.length + 1);
    await writeOrder(trx, id, [...ids, ...added]);
    return { answer: added.length, after: { added } };
  });
}

/** Takes a product out of a collection. Returns 0 if it was not in it. */
export function removeProduct(on: Db, by: Actor, id: string, product: string): Promise<number> {
  return changeProducts(on, by, id, async (trx, ids) => {
    if (!ids.includes(product)) return 0;
    await trx
      .deleteFrom("collectionProducts")
      .where("collectionId", "=", id)
      .where("productId", "=", product)
      .execute();
    return { answer: 1, after: { removed: product } };
  });
}

/** Moves a product before another one of the collection, or to the end. Returns 0 if nothing moves. */
export function moveProduct(on: Db, by: Actor, id: string, product: string, before: string): Promise<number> {
  return changeProducts(on, by, id, async (trx, ids) => {
    const others = ids.filter((other) => other !== product);
    const at = before ? others.indexOf(before) : others.length;
    if (!ids.includes(product) || at < 0 || ids.indexOf(product) === at) return 0;
    await writeOrder(trx, id, others.toSpliced(at, 0, product));
    return { answer: 1, after: { moved: product, place: at + 1 } };
  });
}

/** `change` gets the ids of products in their order. It returns 0, or the result and the values for the audit log. */
function changeProducts(
  on: Db,
  by: Actor,
  id: string,
  change: (trx: Transaction, ids: string[]) => Promise<0 | { answer: number; after: object }>,
): Promise<number> {
  return retryingTransaction(on, async (trx) => {
    await lockCollection(trx, id);
    await known(trx, id);
    const done = await change(trx, await productIds(trx, id));
    if (done === 0) return 0;
    const subject = { kind: "collection", id };
    await recordChange(trx, { by, action: "collections products", subject, after: done.after });
    return done.answer;
  });
}

/** That the page of a kind has the address of a collection; undefined if none has. */
async function kindAt(trx: Transaction, id: string): Promise<string | undefined> {
  const kind = await trx.selectFrom("productKinds").select("name").where("id", "=", id).executeTakeFirst();
  return kind && `The kind “${kind.name}” has this address`;
}

/** Adds a hidden collection after `others`, the ids of all others in their order. */
async function insertCollection(
  trx: Transaction,
  others: string[],
  { id, name, words }: Pick<CollectionDocument, "id" | "name" | "words">,
): Promise<void> {
  if (others.length >= MOST_COLLECTIONS) throw new BadInput(`At most ${MOST_COLLECTIONS} collections`);
  const position = others.length + 1;
  await trx.insertInto("collections").values({ id, name, words, position }).execute();
  await writePlaces(trx, [...others, id]);
}

/** Writes the values of a collection. `others`: the ids of all others, in their order. */
async function writeValues(
  trx: Transaction,
  id: string,
  { place, rule, picture, startsAt, endsAt, ...values }: CollectionWish,
  others: string[],
): Promise<void> {
  const dates = { startsAt: startsAt ?? null, endsAt: endsAt ?? null };
  const json = { rule: rule && JSON.stringify(rule), picture: picture ? JSON.stringify(picture) : null };
  const change = { ...values, ...dates, ...json, version: sql<number>`version + 1` };
  await trx.updateTable("collections").set(change).where("id", "=", id).execute();
  await writePlaces(trx, others.toSpliced(place - 1, 0, id));
}

/** Replaces the products of a collection. */
async function writeProducts(trx: Transaction, id: string, products: string[]): Promise<void> {
  await trx.deleteFrom("collectionProducts").where("collectionId", "=", id).execute();
  if (products.length > 0) await insertProducts(trx, id, products, 1);
}

async function insertProducts(trx: Transaction, id: string, products: string[], position: number): Promise<void> {
  const there = await trx.selectFrom("products").select("id").where("id", "in", products).execute();
  const missing = products.find((product) => !there.some((one) => one.id === product));
  if (missing) throw new BadInput(`There’s no product '${missing}'`);
  const rows = products.map((productId, at) => ({ collectionId: id, productId, position: position + at }));
  await trx.insertInto("collectionProducts").values(rows).execute();
}

async function writePlaces(trx: Transaction, ids: string[]): Promise<void> {
  await sql`
    update collections c set position = o.place from unnest(${ids}::text[]) with ordinality o (id, place)
    where o.id = c.id and c.position <> o.place`.execute(trx);
}

async function writeOrder(trx: Transaction, id: string, products: string[]): Promise<void> {
  await sql`
    update collection_products m set position = o.place
    from unnest(${products}::text[]) with ordinality o (id, place)
    where m.collection_id = ${id} and o.id = m.product_id and m.position <> o.place`.execute(trx);
}

/** The ids of all collections, in their order. Nobody else adds, changes or deletes one before the transaction ends. */
async function lockCollections(trx: Transaction): Promise<string[]> {
  await sql`lock table collections in share row exclusive mode`.execute(trx);
  const rows = await trx.selectFrom("collections").select("id").orderBy("position").orderBy("id").execute();
  return rows.map(({ id }) => id);
}

/** Locks a collection: until the transaction ends, nobody else changes its products, or adds an offer that names it. */
async function lockCollection(trx: Transaction, id: string): Promise<void> {
  await trx.selectFrom("collections").select("id").where("id", "=", id).forUpdate().execute();
}

/** The ids of a collection's products, in their order. */
async function productIds(on: Db | Transaction, id: string): Promise<string[]> {
  const rows = await on
    .selectFrom("collectionProducts")
    .select("productId")
    .where("collectionId", "=", id)
    .orderBy("position")
    .orderBy("productId")
    .execute();
  return rows.map(({ productId }) => productId);
}

async function known(trx: Transaction, id: string): Promise<StoredCollection> {
  const stored = await storedCollection(trx, id);
  if (!stored) throw new BadInput("Somebody has deleted this collection");
  return stored;
}

import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { namesOfKinds } from "#app/catalog/product.ts";
import type { SizeGuideTable } from "#app/catalog/size-guides/guide.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { knownKinds } from "#app/infra/settings/shop-settings.server.ts";
import { hyphened } from "#app/infra/text/fold.ts";
import type { ProductKind } from "#db/types.ts";
import { type Stale, stale } from "../stale.ts";
import { ID_MAX, MOST_GUIDES, NEW_ID, type SizeGuideDocument, type SizeGuideWish } from "./size-guide.ts";

/** A size guide in the owner's list: how many collections and single products it is for. */
export type SizeGuideRow = {
  id: string;
  name: string;
  kinds: ProductKind[];
  measures: SizeGuideTable["measures"];
  sizes: SizeGuideTable["sizes"];
  collections: number;
  products: number;
};

/** All size guides, by name. */
export async function listSizeGuides(on: Db): Promise<SizeGuideRow[]> {
  return await on
    .selectFrom("sizeGuides as g")
    .select(["g.id", "g.name", "g.kinds", "g.measures", "g.sizes"])
    .select([
      sql<number>`(select count(*)::int from size_guide_collections c where c.guide_id = g.id)`.as("collections"),
      sql<number>`(select count(*)::int from size_guide_products p where p.guide_id = g.id)`.as("products"),
    ])
    .orderBy(sql`fold(g.name)`)
    .orderBy("g.id")
    .execute();
}

/** A size guide as it is stored. `version` rises with each change. */
export type StoredSizeGuide = SizeGuideDocument & { version: number };

/** The size guide with this id; undefined if there is none. */
export async function storedSizeGuide(on: Db | Transaction, id: string): Promise<StoredSizeGuide | undefined> {
  return await on
    .selectFrom("sizeGuides as g")
    .select(["g.id", "g.name", "g.falls", "g.kinds", "g.measures", "g.sizes", "g.version"])
    .select([
      sql<string[]>`array(
        select c.collection_id from size_guide_collections c where c.guide_id = g.id order by c.collection_id collate "C"
      )`.as("collections"),
      sql<string[]>`array(
        select p.product_id from size_guide_products p where p.guide_id = g.id order by p.product_id collate "C"
      )`.as("products"),
    ])
    .where("g.id", "=", id)
    .executeTakeFirst();
}

/** What is wrong, by the name of the field in a SizeGuideWish. */
type Problems = Record<string, string>;

/** Adds a size guide. Sent again, it adds no second one. */
export function addSizeGuide(
  on: Db,
  by: Actor,
  wish: SizeGuideWish,
): Promise<{ ok: true; id: string } | { ok: false; problems: Problems }> {
  return retryingTransaction(on, async (trx) => {
    const others = await lockSizeGuides(trx);
    const same = others.find(({ name }) => name === wish.name);
    if (same && isDeepStrictEqual(withoutId(await known(trx, same.id)), wish)) return { ok: true, id: same.id };
    const problems = await problemsOf(trx, others, wish);
    if (problems) return { ok: false, problems };
    const id = freeId(wish.name, others);
    await insertSizeGuide(trx, { ...wish, id }, others.length);
    const subject = { kind: "size-guide", id };
    await recordChange(trx, { by, action: "size-guides add", subject, after: loggedValues(wish) });
    return { ok: true, id };
  });
}

/**
 * Changes a size guide. Stale unless `seen` is the current version. `version`: the one after the call. Safe to repeat.
 */
export function changeSizeGuide(
  on: Db,
  by: Actor,
  id: string,
  wish: SizeGuideWish,
  seen: number,
): Promise<{ ok: true; version: number } | Stale<{ version: number }> | { ok: false; problems: Problems }> {
  return retryingTransaction(on, async (trx) => {
    const others = (await lockSizeGuides(trx)).filter((other) => other.id !== id);
    const stored = await known(trx, id);
    const { version } = stored;
    const before = withoutId(stored);
    if (isDeepStrictEqual(before, wish)) return { ok: true, version };
    if (version !== seen) return stale({ version });
    const problems = await problemsOf(trx, others, wish);
    if (problems) return { ok: false, problems };
    await clearPlaces(trx, [id]);
    await writeSizeGuide(trx, { ...wish, id });
    const subject = { kind: "size-guide", id };
    await recordChange(trx, { by, action: "size-guides change", subject, ...changedValues(before, wish) });
    return { ok: true, version: version + 1 };
  });
}

/** Deletes a size guide. Its products then have that of their collection or kind. Returns whether there was one. */
export function deleteSizeGuide(on: Db, by: Actor, id: string): Promise<boolean> {
  return retryingTransaction(on, async (trx) => {
    await lockSizeGuides(trx);
    const stored = await storedSizeGuide(trx, id);
    if (!stored) return false;
    await trx.deleteFrom("sizeGuides").where("id", "=", id).execute();
    const subject = { kind: "size-guide", id };
    await recordChange(trx, { by, action: "size-guides remove", subject, before: loggedValues(withoutId(stored)) });
    return true;
  });
}

/** All size guides, or the one with this id, as documents in the order of their names. */
export async function sizeGuideDocuments(on: Db, id?: string): Promise<SizeGuideDocument[]> {
  const ids = id === undefined ? (await listSizeGuides(on)).map((one) => one.id) : [id];
  const stored = await Promise.all(ids.map((one) => storedSizeGuide(on, one)));
  return stored.filter((one) => one !== undefined).map(({ version: _, ...document }) => document);
}

/**
 * Adds and changes size guides, so that each is as its document says. All of them or, if one can't be, none. A kind,
 * collection or product may go from one of them to another.
 */
export function setSizeGuides(on: Db, by: Actor, documents: SizeGuideDocument[]): Promise<void> {
  const twice = documents.find(({ id }, at) => documents.findIndex((other) => other.id === id) < at);
  if (twice) throw new BadInput(`The size guide '${twice.id}' is there twice`);
  return retryingTransaction(on, async (trx) => {
    await lockSizeGuides(trx);
    const changed: { document: SizeGuideDocument; stored: StoredSizeGuide | undefined }[] = [];
    for (const document of documents) {
      const stored = await storedSizeGuide(trx, document.id);
      const { version: _, ...before } = stored ?? { version: 0 };
      if (!isDeepStrictEqual(before, document)) changed.push({ document, stored });
    }
    await clearPlaces(
      trx,
      changed.map(({ document }) => document.id),
    );
    for (const { document, stored } of changed) await setSizeGuide(trx, by, document, stored);
  });
}

async function setSizeGuide(
  trx: Transaction,
  by: Actor,
  document: SizeGuideDocument,
  stored: StoredSizeGuide | undefined,
): Promise<void> {
  const { id, ...wish } = document;
  const all = await allSizeGuides(trx);
  const problems = await problemsOf(
    trx,
    all.filter((other) => other.id !== id),
    wish,
  );
  if (problems) throw new BadInput(`Size guide '${id}': ${Object.values(problems).join(". ")}`);
  if (stored) await writeSizeGuide(trx, document);
  else await insertSizeGuide(trx, document, all.length);
  const changed = stored ? changedValues(withoutId(stored), wish) : { after: loggedValues(wish) };
  await recordChange(trx, { by, action: "size-guides set", subject: { kind: "size-guide", id }, ...changed });
}

function withoutId({ id: _, version: __, ...wish }: StoredSizeGuide): SizeGuideWish {
  return wish;
}

/** A guide's values as the audit log has them: its table with a line for each measure. */
function loggedValues({ measures, sizes, ...values }: SizeGuideWish) {
  return { ...values, measures: measureLines({ measures, sizes }) };
}

/** Lines such as "Chest, around the fullest part: S 92, M 96". */
export function measureLines({ measures, sizes }: Pick<SizeGuideTable, "measures" | "sizes">): string[] {
  return measures.map(({ name, meaning }, at) => {
    const values = sizes.map(({ size, cm }) => `${size} ${cm[at]}`).join(", ");
    return `${[name, meaning].filter(Boolean).join(", ")}: ${values}`;
  });
}

/** The changed values before and after. */
function changedValues(before: SizeGuideWish, after: SizeGuideWish) {
  const [was, is] = [loggedValues(before), loggedValues(after)];
  const names = (Object.keys(is) as (keyof typeof is)[]).filter((name) => !isDeepStrictEqual(was[name], is[name]));
  const of = (values: typeof is) => Object.fromEntries(names.map((name) => [name, values[name]]));
  return { before: of(was), after: of(is) };
}

type Other = { id: string; name: string; kinds: ProductKind[] };

/** All size guides. Nobody else adds, changes or deletes one before the transaction ends. */
async function lockSizeGuides(trx: Transaction): Promise<Other[]> {
  await sql`lock table size_guides in share row exclusive mode`.execute(trx);
  return allSizeGuides(trx);
}

async function allSizeGuides(trx: Transaction): Promise<Other[]> {
  return await trx.selectFrom("sizeGuides").select(["id", "name", "kinds"]).orderBy("id").execute();
}

async function known(trx: Transaction, id: string): Promise<StoredSizeGuide> {
  const stored = await storedSizeGuide(trx, id);
  if (!stored) throw new BadInput("Somebody has deleted this size guide");
  return stored;
}

/** An id made of the name, with a number if it is taken. A name without letters from A to Z becomes "guide". */
function freeId(name: string, others: Other[]): string {
  const first = hyphened(name, ID_MAX - 4) || "guide";
  const taken = new Set([NEW_ID, ...others.map(({ id }) => id)]);
  if (!taken.has(first)) return first;
  let at = 2;
  while (taken.has(`${first}-${at}`)) at++;
  return `${first}-${at}`;
}

/** What keeps a guide from being stored beside the others; undefined if nothing does. */
async function problemsOf(trx: Transaction, others: Other[], wish: SizeGuideWish): Promise<Problems | undefined> {
  const ids = others.map(({ id }) => id);
  const problems = {
    name: others.some(({ name }) => name === wish.name) && "Another size guide has this name",
    kinds: kindProblem(others, wish.kinds),
    collections: await collectionProblem(trx, ids, wish.collections),
    products: await productProblem(trx, ids, wish.products),
  };
  const found = Object.entries(problems).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

const takenText = (what: string, guide: string) => `${what} already has the size guide “${guide}”`;

/** Each kind, collection and product is in one guide at most, so that nobody has to guess which one is shown. */
function kindProblem(others: Other[], kinds: ProductKind[]): string | undefined {
  for (const { name, kinds: taken } of others) {
    const kind = kinds.find((one) => taken.includes(one));
    if (kind) return takenText(`The kind ${namesOfKinds(knownKinds(), [kind])[0] ?? kind}`, name);
  }
}

async function collectionProblem(trx: Transaction, guides: string[], wanted: string[]): Promise<string | undefined> {
  if (wanted.length === 0) return;
  const found = await trx.selectFrom("collections").select(["id", "name"]).where("id", "in", wanted).execute();
  const missing = wanted.find((id) => !found.some((one) => one.id === id));
  if (missing !== undefined) return `There’s no collection '${missing}'`;
  if (guides.length === 0) return;
  const taken = await trx
    .selectFrom("sizeGuideCollections as s")
    .innerJoin("sizeGuides as g", "g.id", "s.guideId")
    .innerJoin("collections as c", "c.id", "s.collectionId")
    .select(["g.name as guide", "c.name as collection"])
    .where("s.collectionId", "in", wanted)
    .where("s.guideId", "in", guides)
    .orderBy("s.collectionId")
    .executeTakeFirst();
  return taken && takenText(`The collection “${taken.collection}”`, taken.guide);
}

async function productProblem(trx: Transaction, guides: string[], wanted: string[]): Promise<string | undefined> {
  if (wanted.length === 0) return;
  const found = await trx.selectFrom("products").select("id").where("id", "in", wanted).execute();
  const missing = wanted.find((id) => !found.some((one) => one.id === id));
  if (missing !== undefined) return `There’s no product '${missing}'`;
  if (guides.length === 0) return;
  const taken = await trx
    .selectFrom("sizeGuideProducts as s")
    .innerJoin("sizeGuides as g", "g.id", "s.guideId")
    .select(["g.name as guide", "s.productId"])
    .where("s.productId", "in", wanted)
    .where("s.guideId", "in", guides)
    .orderBy("s.productId")
    .executeTakeFirst();
  return taken && takenText(`The product '${taken.productId}'`, taken.guide);
}

/** Takes all kinds, collections and products out of these guides. */
async function clearPlaces(trx: Transaction, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx.updateTable("sizeGuides").set({ kinds: [] }).where("id", "in", ids).execute();
  await trx.deleteFrom("sizeGuideCollections").where("guideId", "in", ids).execute();
  await trx.deleteFrom("sizeGuideProducts").where("guideId", "in", ids).execute();
}

async function insertSizeGuide(trx: Transaction, guide: SizeGuideDocument, others: number): Promise<void> {
  if (others >= MOST_GUIDES) throw new BadInput(`At most ${MOST_GUIDES} size guides`);
  const { id, name, falls, kinds } = guide;
  await trx
    .insertInto("sizeGuides")
    .values({ id, name, falls, kinds, ...tableOf(guide) })
    .execute();
  await insertPlaces(trx, guide);
}

/** Writes a guide that has no collections and products. */
async function writeSizeGuide(trx: Transaction, guide: SizeGuideDocument): Promise<void> {
  const { id, name, falls, kinds } = guide;
  await trx
    .updateTable("sizeGuides")
    .set({ name, falls, kinds, ...tableOf(guide), version: sql<number>`version + 1` })
    .where("id", "=", id)
    .execute();
  await insertPlaces(trx, guide);
}

function tableOf({ measures, sizes }: SizeGuideWish) {
  return { measures: JSON.stringify(measures), sizes: JSON.stringify(sizes) };
}

async function insertPlaces(
  trx: Transaction,
  { id: guideId, collections, products }: SizeGuideDocument,
): Promise<void> {
  if (collections.length > 0)
    await trx
      .insertInto("sizeGuideCollections")
      .values(collections.map((collectionId) => ({ collectionId, guideId })))
      .execute();
  if (products.length > 0)
    await trx
      .insertInto("sizeGuideProducts")
      .values(products.map((productId) => ({ productId, guideId })))
      .execute();
}

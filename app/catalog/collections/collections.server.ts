import { sql } from "kysely";
import { batched } from "#app/infra/database/batch.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import type { CollectionRule, ProductImage, ProductKind } from "#db/types.ts";
import { matchingQuery, searchWords } from "../search/words.ts";
import { type Collection, type CollectionLink, MOST_LINKED } from "./collection.ts";

const IS_SHOWN_SQL =
  "not hidden and (starts_at is null or starts_at <= now()) and (ends_at is null or ends_at > now())";
/** Whether the shop shows a collection now. */
export const IS_SHOWN = sql.raw<boolean>(`(${IS_SHOWN_SQL})`);

/** Whether a collection has a rule, or a product that the shop shows. */
const HAS_PRODUCTS_SQL = `(rule is not null or exists (
  select from collection_products m join products p on p.id = m.product_id
  where m.collection_id = collections.id and not p.hidden
))`;
const HAS_PRODUCTS = sql.raw<boolean>(HAS_PRODUCTS_SQL);

const linked = statement(
  { takes: {}, gives: { id: sqlType.text, name: sqlType.text } },
  `select id, name from collections where ${IS_SHOWN_SQL} and ${HAS_PRODUCTS_SQL} order by position, id limit ${MOST_LINKED}`,
);

/** The collections to which the shop links, in the owner's order. Those without products or a rule are left out. */
export const linkedCollections: (on: Db) => Promise<CollectionLink[]> = batched((on) => linked(on));

const shown = statement(
  {
    takes: { id: sqlType.text },
    gives: {
      id: sqlType.text,
      name: sqlType.text,
      words: sqlType.text,
      picture: sqlType.orNull(sqlType.json<ProductImage>()),
      rule: sqlType.orNull(sqlType.json<CollectionRule>()),
      kind: sqlType.orNull(sqlType.text),
    },
  },
  `with own as (select id, name, words, picture, rule, null as kind from collections where id = :id and ${IS_SHOWN_SQL})
   select id, name, words, picture, rule, kind from own
   union all
   select id, name, '', null, null, id from product_kinds where id = :id and not exists (select from own)`,
);

/** A collection with its rule, or all products of a kind. */
export type ListedCollection = Collection & { rule: CollectionRule | null; kind: ProductKind | null };

/**
 * The collection with this id, or else the kind with this id; undefined if there is neither, or the shop does not show
 * the collection now.
 */
export async function getCollection(on: Db, id: string): Promise<ListedCollection | undefined> {
  const [row] = await shown(on, { id });
  if (!row) return;
  const { picture, ...collection } = row;
  return { ...collection, ...(picture && { picture }) };
}

/** The id of the collection or kind for an id in a URL, in upper or lower case. Undefined if the shop shows none. */
export async function collectionMeantBy(on: Db, id: string): Promise<string | undefined> {
  return (await getCollection(on, id.toLowerCase()))?.id;
}

/** The most collections that a search names. */
const MOST_FOUND = 3;

/** The collections that the shop shows and whose name has all words of a search. */
export async function collectionsNamed(on: Db, search: string | undefined): Promise<CollectionLink[]> {
  const words = searchWords(search ?? "");
  if (words.length === 0) return [];
  return await on
    .selectFrom("collections")
    .select(["id", "name"])
    .where(IS_SHOWN)
    .where(HAS_PRODUCTS)
    .where(sql<boolean>`to_tsvector('english', fold(name)) @@ to_tsquery('english', ${matchingQuery(words, "each")})`)
    .orderBy("position")
    .orderBy("id")
    .limit(MOST_FOUND)
    .execute();
}

/** The names of those of these collections that the shop shows, and of the other kinds with these ids, by id. */
export async function collectionNames(on: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    select coalesce(c.id, k.id) as id, coalesce(c.name, k.name) as name
    from (select id, name from collections where id = any (${ids}) and ${IS_SHOWN}) c
      full join (select id, name from product_kinds where id = any (${ids})) k on k.id = c.id`.execute(on);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The ids of all collections that the shop shows, and of all kinds with a product that it shows, each once. */
export async function listCollectionIds(on: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from collections where ${IS_SHOWN}
    union
    select id from product_kinds k where exists (select from products where not hidden and kinds @> array[k.id])
    order by id`.execute(on);
  return rows.map(({ id }) => id);
}

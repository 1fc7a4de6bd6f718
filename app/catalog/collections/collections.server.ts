import { sql } from "kysely";
import { batched } from "#app/infra/database/batch.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import type { CollectionRule } from "#db/types.ts";
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
      rule: sqlType.orNull(sqlType.json<CollectionRule>()),
    },
  },
  `select id, name, words, rule from collections where id = :id and ${IS_SHOWN_SQL}`,
);

/** The collection with this id and its rule; undefined if there is none, or the shop does not show it now. */
export async function getCollection(
  on: Db,
  id: string,
): Promise<(Collection & { rule: CollectionRule | null }) | undefined> {
  return (await shown(on, { id }))[0];
}

/** The id of the collection for an id in a URL, in upper or lower case. Undefined if the shop shows none. */
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

/** The names of those of these collections that the shop shows, by id. */
export async function collectionNames(on: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await on
    .selectFrom("collections")
    .select(["id", "name"])
    .where("id", "in", ids)
    .where(IS_SHOWN)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The ids of all collections that the shop shows. */
export async function listCollectionIds(on: Db): Promise<string[]> {
  const rows = await on.selectFrom("collections").select("id").where(IS_SHOWN).orderBy("id").execute();
  return rows.map(({ id }) => id);
}

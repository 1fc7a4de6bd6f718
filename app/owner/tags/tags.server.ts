import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import type { Tag } from "./tag.ts";

/** The things that can have tags: their table of tags, its column with the thing's id, and that id in a query. */
export const TAGGED = {
  order: { table: sql.table("order_tags"), owner: sql.ref("order_id"), id: sql.ref("orders.id") },
  customer: { table: sql.table("customer_tags"), owner: sql.ref("user_id"), id: sql.ref("users.id") },
} as const;
export type Tagged = keyof typeof TAGGED;

/** A value in SQL: the words of the tags on each order or customer of a query. */
export function tagsSql(kind: Tagged) {
  const { table, owner, id } = TAGGED[kind];
  return sql<string[]>`array(select word from ${table} where ${owner} = ${id} order by folded)`;
}

/** A condition in SQL: whether an order or customer of a query has this tag. */
export function hasTagSql(kind: Tagged, folded: string) {
  const { table, owner, id } = TAGGED[kind];
  return sql<boolean>`${id} in (select ${owner} from ${table} where folded = ${folded})`;
}

/** The tags on one order or customer, by its id. */
export async function tagsOn(on: Db | Transaction, kind: Tagged, id: string): Promise<Tag[]> {
  const { table, owner } = TAGGED[kind];
  const { rows } = await sql<Tag>`select folded, word from ${table} where ${owner} = ${id} order by folded`.execute(on);
  return rows;
}

/** All tags that are in use on these kinds of things, each once. */
export async function tagsInUse(on: Db, kinds: readonly Tagged[]): Promise<Tag[]> {
  const lists = await Promise.all(kinds.map((kind) => inUseOn(on, kind)));
  const known = new Map(lists.flat().map((tag) => [tag.folded, tag]));
  return [...known.values()].sort((a, b) => a.word.localeCompare(b.word));
}

/** Goes through the index from one tag to the next, because a plain `distinct` would read every row of each tag. */
async function inUseOn(on: Db, kind: Tagged): Promise<Tag[]> {
  const { table } = TAGGED[kind];
  const { rows } = await sql<Tag>`
    with recursive known as (
      (select folded, word from ${table} order by folded limit 1)
      union all
      select later.folded, later.word from known cross join lateral (
        select tags.folded, tags.word from ${table} tags where tags.folded > known.folded order by tags.folded limit 1
      ) later
    )
    select folded, word from known`.execute(on);
  return rows;
}

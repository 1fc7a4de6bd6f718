import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { lockKnownOrder } from "../orders/lookup.server.ts";
import type { Done } from "../orders/orders.server.ts";
import { MOST_TAGS, type Tag } from "./tag.ts";
import { TAGGED, type Tagged, tagsOn } from "./tags.server.ts";

/** A tag to add, or the folded form of a tag to remove. */
export type TagChange = { add: Tag } | { remove: string };

/** Changes the tags of an order, by the reference of any of its payments. */
export function changeOrderTags(on: Db, by: Actor, reference: string, change: TagChange): Promise<Done> {
  return retryingTransaction(on, async (trx): Promise<Done> => {
    const known = await lockKnownOrder(trx, reference);
    if (!known) return { ok: false, problem: `There’s no order with the reference '${reference}'` };
    return recorded(trx, by, { kind: "order", id: known.order.id, name: reference }, change);
  });
}

/** Changes the tags of a customer, by the account's id. */
export function changeCustomerTags(on: Db, by: Actor, id: string, change: TagChange): Promise<Done> {
  return retryingTransaction(on, async (trx): Promise<Done> => {
    const known = await trx.selectFrom("users").select("id").where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
    if (!known) return { ok: false, problem: "There’s no such customer" };
    return recorded(trx, by, { kind: "customer", id, name: id }, change);
  });
}

/** The order or customer with the tags. `name`: its name in the audit log. */
type Owner = { kind: Tagged; id: string; name: string };

/** Makes the change and records it in the audit log, unless nothing has changed. */
async function recorded(trx: Transaction, by: Actor, owner: Owner, change: TagChange): Promise<Done> {
  const { kind, name } = owner;
  const done = "add" in change ? await add(trx, owner, change.add) : await remove(trx, owner, change.remove);
  if (!done.ok || done.isRepeat) return done;
  const action = `${kind}s ${"add" in change ? "tag" : "untag"}`;
  await recordChange(trx, { by, action, subject: { kind, id: name }, after: { done: done.what } });
  return done;
}

/**
 * Adds a tag, in the spelling that is already in use. The caller has locked the order or customer, so that two
 * simultaneous tags do not exceed the limit.
 */
async function add(trx: Transaction, { kind, id }: Owner, { folded, word }: Tag): Promise<Done> {
  const { table, owner } = TAGGED[kind];
  const there = await tagsOn(trx, kind, id);
  const same = there.find((tag) => tag.folded === folded);
  if (same) return { ok: true, what: `tagged “${same.word}”`, isRepeat: true };
  if (there.length >= MOST_TAGS) return { ok: false, problem: `At most ${MOST_TAGS} tags. Remove one first` };
  const { rows } = await sql<{ word: string }>`
    insert into ${table} (${owner}, folded, word)
    values (${id}, ${folded}, coalesce((select word from ${table} where folded = ${folded} limit 1), ${word}))
    returning word`.execute(trx);
  return { ok: true, what: `tagged “${rows[0]?.word}”` };
}

async function remove(trx: Transaction, { kind, id }: Owner, folded: string): Promise<Done> {
  const { table, owner } = TAGGED[kind];
  const { rows } = await sql<{ word: string }>`
    delete from ${table} where ${owner} = ${id} and folded = ${folded} returning word`.execute(trx);
  const [gone] = rows;
  return gone ? { ok: true, what: `removed the tag “${gone.word}”` } : { ok: true, what: "removed", isRepeat: true };
}

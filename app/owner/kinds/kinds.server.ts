import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { publish } from "#app/infra/database/listener.server.ts";
import { withSetting } from "#app/infra/database/schema/setting.server.ts";
import { SHOP_SETTINGS_TOPIC, shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { fold } from "#app/infra/text/fold.ts";
import { plural } from "#app/infra/text/plural.ts";
import { collectionPath } from "#app/ui/frame/paths.ts";
import type { Kind } from "#db/types.ts";
import { type Stale, stale } from "../stale.ts";
import type { KindDocument } from "./document.server.ts";
import { MOST_KINDS } from "./kind.ts";
import { kindKey } from "./kind-key.ts";

/** A kind in the owner's list, with the number of its products, hidden ones included. */
export type KindRow = Kind & { products: number };

/** All kinds, in display order. */
export async function listKinds(on: Db): Promise<KindRow[]> {
  const { rows } = await sql<KindRow>`
    select id, name, (select count(*)::int from products where kinds @> array[k.id]) as products
    from product_kinds k order by position, id`.execute(on);
  return rows;
}

/** All kinds, or the one with this id, as documents in display order. */
export async function kindDocuments(on: Db, id?: string): Promise<Required<KindDocument>[]> {
  const kinds = await on.selectFrom("productKinds").select(["id", "name"]).orderBy("position").orderBy("id").execute();
  return kinds.map((kind, at) => ({ ...kind, place: at + 1 })).filter((kind) => id === undefined || kind.id === id);
}

/**
 * Adds a kind, as the last one. `problems`: what is wrong with its name or its address. Sent again, it adds no second
 * one.
 */
export async function addKind(
  on: Db,
  by: Actor,
  kind: Kind,
): Promise<{ ok: true } | { ok: false; problems: { name?: string; address?: string } }> {
  return changed(on, async (trx) => {
    const all = await lockKinds(trx);
    const same = all.find(({ id }) => id === kind.id);
    if (same?.name === kind.name) return { ok: true };
    if (same) return { ok: false, problems: { address: `The kind “${same.name}” has this address` } };
    const name = nameProblem(all, kind);
    if (name) return { ok: false, problems: { name } };
    const address = await addressProblem(trx, all, kind.id);
    if (address) return { ok: false, problems: { address } };
    await insertKind(trx, all, kind);
    await recordChange(trx, {
      by,
      action: "kinds add",
      subject: { kind: "kind", id: kind.id },
      after: { name: kind.name },
    });
    return { ok: true };
  });
}

/** Gives a kind another name; its address stays. Stale unless `was` is its present name. Safe to repeat. */
export async function renameKind(
  on: Db,
  by: Actor,
  { id, name, was }: Kind & { was: string },
): Promise<{ ok: true } | Stale<{ name: string }> | { ok: false; problems: { name: string } }> {
  return changed(on, async (trx) => {
    const all = await lockKinds(trx);
    const before = known(all, id);
    if (before.name === name) return { ok: true };
    if (before.name !== was) return stale({ name: before.name });
    const problem = nameProblem(all, { id, name });
    if (problem) return { ok: false, problems: { name: problem } };
    await trx.updateTable("productKinds").set({ name }).where("id", "=", id).execute();
    const change = { before: { name: was }, after: { name } };
    await recordChange(trx, { by, action: "kinds rename", subject: { kind: "kind", id }, ...change });
    return { ok: true };
  });
}

/** Moves a kind before another one, or to the end if `before` is empty. */
export async function moveKind(on: Db, by: Actor, id: string, before: string): Promise<void> {
  await changed(on, async (trx) => {
    const all = await lockKinds(trx);
    known(all, id);
    if (before) known(all, before);
    const others = all.map((kind) => kind.id).filter((other) => other !== id);
    const at = before ? others.indexOf(before) : others.length;
    if (at < 0 || all[at]?.id === id) return;
    await writeOrder(trx, others.toSpliced(at, 0, id));
    await recordChange(trx, { by, action: "kinds move", subject: { kind: "kind", id }, after: { place: at + 1 } });
  });
}

/** Removes a kind that nothing names. Returns whether there was one. Throws BadInput with what names it. */
export async function removeKind(on: Db, by: Actor, id: string): Promise<boolean> {
  return changed(on, async (trx) => {
    await lockKinds(trx);
    const kind = await trx.selectFrom("productKinds").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
    if (!kind) return false;
    const naming = await namingOf(trx, id);
    if (naming) throw new BadInput(naming);
    await trx.deleteFrom("productKinds").where("id", "=", id).execute();
    await recordChange(trx, { by, action: "kinds remove", subject: { kind: "kind", id }, before: { name: kind.name } });
    return true;
  });
}

/** Adds and changes kinds, so that each is as its document says. All of them or, if one can't be, none. */
export async function setKinds(on: Db, by: Actor, documents: KindDocument[]): Promise<void> {
  await changed(on, async (trx) => {
    for (const document of documents) await setKind(trx, by, document);
  });
}

async function setKind(trx: Transaction, by: Actor, { id, name, place }: KindDocument): Promise<void> {
  const all = await lockKinds(trx);
  const at = all.findIndex((kind) => kind.id === id);
  const before = all[at] && { name: all[at].name, place: at + 1 };
  const last = before ? all.length : all.length + 1;
  const after = { name, place: Math.min(place ?? before?.place ?? last, last) };
  if (before?.name === after.name && before.place === after.place) return;
  const problem = nameProblem(all, { id, name }) ?? (before ? undefined : await addressProblem(trx, all, id));
  if (problem) throw new BadInput(`Kind '${id}': ${problem}`);
  if (before) await trx.updateTable("productKinds").set({ name }).where("id", "=", id).execute();
  else await insertKind(trx, all, { id, name });
  const others = all.map((kind) => kind.id).filter((other) => other !== id);
  await writeOrder(trx, others.toSpliced(after.place - 1, 0, id));
  await recordChange(trx, { by, action: "kinds set", subject: { kind: "kind", id }, ...(before && { before }), after });
}

/** A new name or place writes all products of a kind again, by one statement. */
const PATIENCE = "10min";

/** Makes a change in a transaction. When it returns, this process knows the new kinds, and the others are told. */
async function changed<Result>(on: Db, work: (trx: Transaction) => Promise<Result>): Promise<Result> {
  const result = await retryingTransaction(on, (trx) =>
    withSetting(trx, "statement_timeout", PATIENCE, () => work(trx)),
  );
  await publish(on, SHOP_SETTINGS_TOPIC);
  await shopSettings(on);
  return result;
}

/** All kinds, in display order. Nobody else adds, changes or removes one before the transaction ends. */
async function lockKinds(trx: Transaction): Promise<Kind[]> {
  await sql`lock table product_kinds in share row exclusive mode`.execute(trx);
  return await trx.selectFrom("productKinds").select(["id", "name"]).orderBy("position").orderBy("id").execute();
}

function known(all: Kind[], id: string): Kind {
  const kind = all.find((one) => one.id === id);
  if (!kind) throw new BadInput("Somebody has removed this kind");
  return kind;
}

/** Another kind than `id` that tables of other shops may mean by a name or an id. */
function alike(all: Kind[], id: string, text: string): Kind | undefined {
  const key = kindKey(text);
  return all.find((one) => one.id !== id && [one.id, one.name].some((word) => kindKey(word) === key));
}

const tooLike = ({ id, name }: Kind) =>
  `Too much like the kind “${name}” at ${collectionPath(id)}: tables of other shops couldn’t tell them apart`;

function nameProblem(all: Kind[], { id, name }: Kind): string | undefined {
  const other = alike(all, id, name);
  return other && (fold(other.name) === fold(name) ? `Another kind is called ${other.name}` : tooLike(other));
}

/** Why a new kind can't have this id; undefined if it can. */
async function addressProblem(trx: Transaction, all: Kind[], id: string): Promise<string | undefined> {
  const other = alike(all, id, id);
  return other ? tooLike(other) : collectionAt(trx, id);
}

/** That the page of a collection has this address; undefined if none has. */
async function collectionAt(trx: Transaction, id: string): Promise<string | undefined> {
  const collection = await trx.selectFrom("collections").select("name").where("id", "=", id).executeTakeFirst();
  return collection && `The collection “${collection.name}” has this address`;
}

async function insertKind(trx: Transaction, all: Kind[], { id, name }: Kind): Promise<void> {
  if (all.length >= MOST_KINDS) throw new BadInput(`At most ${MOST_KINDS} kinds`);
  const last = sql<number>`(select coalesce(max(position), 0) + 1 from product_kinds)`;
  await trx.insertInto("productKinds").values({ id, name, position: last }).execute();
}

/** Writes the kinds' order, and that of the kinds of each product and size guide, which is the same. */
async function writeOrder(trx: Transaction, ids: string[]): Promise<void> {
  await sql`
    update product_kinds k set position = o.position from unnest(${ids}::text[]) with ordinality o (id, position)
    where k.id = o.id and k.position <> o.position`.execute(trx);
  const inOrder = sql`array(select id from product_kinds where id = any (kinds) order by position, id)`;
  for (const table of ["products", "size_guides"])
    await sql`
      update ${sql.table(table)} set kinds = ${inOrder}
      where cardinality(kinds) > 1 and kinds <> ${inOrder}`.execute(trx);
}

/** What names a kind, as a sentence that says what to do first. Undefined if nothing does. */
async function namingOf(trx: Transaction, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ products: number; guide?: string; offer?: string; collection?: string }>`
    select (select count(*)::int from products where kinds @> array[${id}::text]) as products,
      (select min(name) from size_guides where ${id} = any (kinds)) as guide,
      (select min(name) from offers where terms -> 'kinds' ? ${id} and (ends_at is null or ends_at > now())) as offer,
      (select min(name) from collections where rule ->> 'kind' = ${id}) as collection`.execute(trx);
  const { products = 0, guide, offer, collection } = rows[0] ?? {};
  if (products > 0) return `${plural(products, "product")} of it: give them another kind first, or none`;
  if (guide) return `The size guide “${guide}” is for it: change the guide first`;
  if (offer) return `The offer “${offer}” names it: change or end the offer first`;
  if (collection) return `The rule of the collection “${collection}” names it: change the rule first`;
}

import { sql } from "kysely";
import { sizeName } from "#app/catalog/sizes.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { doubtOfStock } from "../doubts.ts";
import type { SizeProblem, StockEdit } from "./stock-edit.ts";

type Size = { id: string; size: string };
type Change = Size & {
  by: Actor;
  action: string;
  /** The new stock, calculated from the current one. */
  target: (onHand: number) => number;
  /** If given, the stock changes only if it still is this number. */
  was?: number;
  reason?: string;
};

export type StockChange = { ok: true; before: number; after: number } | { ok: false; problem: string };

/** Changes the stock of a size and records why. Refuses a number below what live orders and exchanges reserve. */
export async function changeStock(on: Db, { by, action, id, size, target, was, reason }: Change): Promise<StockChange> {
  return retryingTransaction(on, async (trx) => {
    const [now] = await lockStock(trx, [{ id, size }]);
    if (!now) return { ok: false, problem: `There’s no product '${id}' with size '${size}'` };
    if (was !== undefined && now.onHand !== was)
      return {
        ok: false,
        problem: `${now.onHand} of ${id} ${size} are in stock now, not ${was}: nothing was changed`,
      };
    const after = target(now.onHand);
    if (after < now.held)
      return {
        ok: false,
        problem: `${now.onHand} units of ${id} ${size} are in stock, of which ${now.held} are reserved for payments under way, and the stock can’t go below that`,
      };
    await writeStock(trx, { by, action, reason }, [{ ...now, after }]);
    return { ok: true, before: now.onHand, after };
  });
}

/** `agreed`: the doubts that were confirmed. */
type Save = { changes: StockEdit[]; reason: string; agreed?: string[] };
/** `moved`: sizes that were sold meanwhile, so that their stock now differs from the typed number. */
export type Saved =
  | { ok: true; count: number; moved: (Size & { title: string; typed: number; after: number })[] }
  | { ok: false; sizes: SizeProblem[]; doubts: string[] };

/**
 * Saves the stock of many sizes, all or none. A typed number counts as a difference from the number that was shown, so
 * that pieces sold meanwhile stay sold. If somebody has added or removed stock meanwhile, nothing is saved. An edit
 * whose key was saved before has no effect.
 */
export async function saveStock(on: Db, by: Actor, { changes, reason, agreed = [] }: Save): Promise<Saved> {
  return retryingTransaction(on, async (trx) => {
    const locked = await lockStock(trx, changes);
    const now = new Map(locked.map((row) => [keyOf(row), row]));
    const last = await lastChanges(trx, changes);
    const wishes = changes.map((edit) => wishOf(edit, now.get(keyOf(edit)), last.get(keyOf(edit))));
    const sizes = wishes.flatMap((wish) => (wish.is === "refused" ? [wish.problem] : []));
    const wanted = wishes.flatMap((wish) => (wish.is === "wanted" ? [wish] : []));
    const doubts = wanted
      .flatMap(({ title, size, onHand, after }) => doubtOfStock(`${title} ${sizeName(size)}`, onHand, after))
      .filter((doubt) => !agreed.includes(doubt));
    if (sizes.length + doubts.length > 0) return { ok: false, sizes, doubts };
    await writeStock(trx, { by, action: "stock set", reason }, wanted);
    return { ok: true, count: changes.length, moved: wanted.filter(({ typed, after }) => typed !== after) };
  });
}

const keyOf = ({ id, size }: Size) => `${id} ${size}`;

type Now = Size & { title: string; supplied: number; onHand: number; held: number };
type Last = { by: string; at: Date; isSaved: boolean };
type Wish =
  | { is: "refused"; problem: SizeProblem }
  | { is: "so" }
  | (Now & { is: "wanted"; typed: number; key: string; after: number });

function wishOf(edit: StockEdit, now: Now | undefined, last: Last | undefined): Wish {
  const { id, size, typed, supplied, onHand, key } = edit;
  if (!now) return { is: "refused", problem: { id, size, title: id, typed, was: onHand, why: "gone" } };
  const problem = { ...now, typed, was: onHand };
  if (last?.isSaved) return { is: "so" };
  if (now.supplied !== supplied)
    return { is: "refused", problem: { ...problem, why: "changed", by: last?.by, at: last?.at } };
  const after = typed - (onHand - now.onHand);
  if (after < now.held) return { is: "refused", problem: { ...problem, why: "held" } };
  return { ...now, is: "wanted", typed, key, after };
}

const sizesTableSql = (sizes: readonly (Size & { key?: string })[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(sizes.map(({ id, size, key }) => ({ id, size, key })))}::jsonb) as wanted(id text, size text, key text)`;

/** Locks sizes in the same order as a checkout does, to avoid deadlocks. */
async function lockStock(trx: Transaction, sizes: readonly Size[]): Promise<Now[]> {
  const { rows } = await sql<Now>`
    select s.product_id as id, s.size, title, supplied, on_hand, reserved as held
    from product_sizes s join ${sizesTableSql(sizes)} on (s.product_id, s.size) = (wanted.id, wanted.size)
    join products on products.id = s.product_id
    order by s.product_id, s.size for no key update of s`.execute(trx);
  return rows;
}

/**
 * For each edit, who last changed the size's stock, and whether this edit has been saved before, even if the stock has
 * changed again since.
 */
async function lastChanges(trx: Transaction, edits: readonly StockEdit[]): Promise<Map<string, Last>> {
  const { rows } = await sql<Size & Last>`
    select wanted.id, wanted.size, last.at, coalesce(nullif(staff.name, ''), last.actor) as by, exists (
      select from audit_log where subject_kind = 'product' and subject_id = wanted.id and after -> 'keys' ->> wanted.size = wanted.key
    ) as "isSaved"
    from ${sizesTableSql(edits)} cross join lateral (
      select actor, at from audit_log where subject_kind = 'product' and subject_id = wanted.id and after -> 'sizes' ? wanted.size
      order by audit_log.id desc limit 1
    ) last left join staff on staff.email = last.actor`.execute(trx);
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** Writes the stock of locked sizes, with one row in the audit log per product. */
async function writeStock(
  trx: Transaction,
  about: { by: Actor; action: string; reason?: string },
  changes: (Size & { onHand: number; after: number; key?: string })[],
): Promise<void> {
  const real = changes.filter(({ onHand, after }) => onHand !== after);
  const numbers = real.map(({ id, size, after }) => ({ id, size, after }));
  await sql`
    update product_sizes s set supplied = s.sold + wanted.after
    from jsonb_to_recordset(${JSON.stringify(numbers)}::jsonb) as wanted(id text, size text, after integer)
    where (s.product_id, s.size) = (wanted.id, wanted.size)`.execute(trx);
  for (const [id, sizes] of Map.groupBy(changes, (one) => one.id)) {
    const bySize = (which: "onHand" | "after" | "key") =>
      Object.fromEntries(sizes.map((one) => [one.size, one[which]]));
    await recordChange(trx, {
      by: about.by,
      action: about.action,
      subject: { kind: "product", id },
      before: { sizes: bySize("onHand") },
      after: {
        sizes: bySize("after"),
        reason: about.reason,
        ...(sizes.some(({ key }) => key) && { keys: bySize("key") }),
      },
    });
  }
}

export type StockRow = Size & { title: string; onHand: number; held: number; sold: number; hidden: boolean };

/** Stock, reserved pieces and sold pieces of each size, of one product or with stock below a number. */
export async function listStock(on: Db, { id, below }: { id?: string; below?: number }): Promise<StockRow[]> {
  return on
    .selectFrom("productSizes")
    .innerJoin("products", "products.id", "productId")
    .select(["products.id", "title", "size", "onHand", "reserved as held", "sold", "hidden"])
    .$if(id !== undefined, (query) => query.where("products.id", "=", id ?? ""))
    .$if(below !== undefined, (query) => query.where("onHand", "<", below ?? 0))
    .orderBy("position")
    .orderBy("products.id")
    .orderBy("size")
    .execute();
}

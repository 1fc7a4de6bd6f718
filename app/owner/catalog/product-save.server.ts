import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { doubtOfTypedPrice } from "../doubts.ts";
import { actsOnProduct } from "./product-acts.server.ts";
import {
  difference,
  type EditDone,
  factsOf,
  GONE,
  momentOfShowing,
  PICTURE_GONE,
  type ProductEdit,
  plainly,
} from "./product-edit.server.ts";
import { lockProduct, picturesOf } from "./product-lock.server.ts";
import { writeProducts } from "./products.server.ts";
import { publishLater } from "./publish-later.server.ts";

const CHANGED = "Somebody else has changed this product";

/**
 * `seen`: the last act that the editor has seen. `agreedCents`: a price that looks like a mistake but was confirmed.
 */
type Given = { seen?: string; agreedCents?: number };

/**
 * Saves the fields that differ from the stored product. If others have changed it since the act `seen`, saves nothing
 * and returns their changes.
 */
export async function saveProduct(
  on: Db,
  by: Actor,
  id: string,
  edit: ProductEdit,
  { seen, agreedCents }: Given = {},
): Promise<EditDone> {
  const known = await on.selectFrom("products").select("images").where("id", "=", id).executeTakeFirst();
  if (!known) return GONE;
  const images = await picturesOf(edit, known.images);
  if (!images) return PICTURE_GONE;
  return retryingTransaction(on, async (trx): Promise<EditDone> => {
    const row = await lockProduct(trx, id);
    if (!row) return GONE;
    const since = seen === undefined ? [] : await actsOnProduct(trx, id, seen);
    if (since.length > 0) return { ok: false, problem: CHANGED, since };
    const doubt = doubtOfTypedPrice(row.priceCents, edit.priceCents);
    if (doubt && agreedCents !== edit.priceCents) return { ok: false, problems: { price: doubt } };
    const kept = row.stock.find(({ size, supplied }) => supplied > 0 && !edit.sizes.includes(size));
    if (kept) return { ok: false, problems: { sizes: `${kept.size} has had stock, so it stays` } };
    const added = edit.sizes.filter((size) => !row.sizes.includes(size));
    const pieces = Object.fromEntries(added.map((size) => [size, edit.pieces[size] ?? 0]));
    const { before, after } = difference(plainly(row), plainly({ ...edit, images, pieces }));
    if (Object.keys(after).length === 0) return { ok: true, id, what: "nothing changed", version: seen };
    const gone = row.sizes.filter((size) => !edit.sizes.includes(size));
    if (gone.length > 0)
      await trx.deleteFrom("productSizes").where("productId", "=", id).where("size", "in", gone).execute();
    const change = {
      id,
      after: { ...factsOf(after), ...(added.length > 0 && { sizes: pieces }) },
      priceCents: after.price === undefined ? undefined : edit.priceCents,
      images: after.images && images,
    };
    await writeProducts(trx, { created: [], changed: [change] });
    await publishLater(trx, id, momentOfShowing(edit.shown));
    await recordChange(trx, { by, action: "products change", subject: { kind: "product", id }, before, after });
    return { ok: true, id, what: "saved", version: (await actsOnProduct(trx, id, seen)).at(-1)?.id };
  });
}

/** Deletes a product that is in no order and no cart. Others can only be hidden. */
export async function deleteProduct(on: Db, by: Actor, id: string, { seen }: Given = {}): Promise<EditDone> {
  return retryingTransaction(on, async (trx): Promise<EditDone> => {
    const row = await lockProduct(trx, id);
    if (!row) return GONE;
    const since = seen === undefined ? [] : await actsOnProduct(trx, id, seen);
    if (since.length > 0) return { ok: false, problem: CHANGED, since };
    const problem = await whyKept(trx, id);
    if (problem) return { ok: false, problem };
    await trx.deleteFrom("products").where("id", "=", id).execute();
    await recordChange(trx, { by, action: "products delete", subject: { kind: "product", id }, before: plainly(row) });
    return { ok: true, id, what: `${row.title} is deleted` };
  });
}

async function whyKept(trx: Transaction, id: string): Promise<string | undefined> {
  const line = JSON.stringify([{ productId: id }]);
  const { isOrdered, carts } = await trx
    .selectNoFrom([
      sql<boolean>`exists (select from orders where lines @> ${line}::jsonb)
        or exists (select from sale_lines where product_id = ${id})
        or exists (select from return_pieces where ${id} in (product_id, new_product_id))`.as("isOrdered"),
      sql<number>`(select count(*)::int from cart_lines where product_id = ${id})`.as("carts"),
    ])
    .executeTakeFirstOrThrow();
  if (isOrdered) return "It’s been ordered, so its orders need it. Hide it instead";
  if (carts > 0) return `It lies in ${carts === 1 ? "a cart" : `${carts} carts`}: hide it instead`;
}

import { sql } from "kysely";
import { TAKEN_IDS } from "#app/catalog/documents/fields.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { hyphened } from "#app/infra/text/fold.ts";
import type { ProductImage } from "#db/types.ts";
import { doubtOfTypedPrice } from "../doubts.ts";
import {
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

const MOST_LETTERS = 200;
const COPY = " (copy)";

/** Creates a product. A repeated call with the same `key` creates no further one and returns the first product's id. */
export async function addProduct(
  on: Db,
  by: Actor,
  edit: ProductEdit,
  { key, agreedCents }: { key: string; agreedCents?: number },
): Promise<EditDone> {
  const doubt = doubtOfTypedPrice(undefined, edit.priceCents);
  if (doubt && agreedCents !== edit.priceCents) return { ok: false, problems: { price: doubt } };
  const images = await picturesOf(edit);
  if (!images) return PICTURE_GONE;
  return retryingTransaction(on, async (trx) => {
    const known = await addedBefore(trx, key);
    if (known) return { ok: true, id: known, what: "it already exists" };
    const id = await newId(trx, edit.title);
    const after = await writeNew(trx, id, { ...edit, images });
    await recordChange(trx, { by, action: "products add", subject: { kind: "product", id }, after: { ...after, key } });
    return { ok: true, id, what: "added" };
  });
}

/** Creates a copy of a product, as a draft without stock. Safe to repeat with the same `key`. */
export async function copyProduct(on: Db, by: Actor, from: string, key: string): Promise<EditDone> {
  return retryingTransaction(on, async (trx) => {
    const known = await addedBefore(trx, key);
    if (known) return { ok: true, id: known, what: "it already exists" };
    const row = await lockProduct(trx, from);
    if (!row) return GONE;
    const title = row.title.slice(0, MOST_LETTERS - COPY.length) + COPY;
    const id = await newId(trx, title);
    await writeNew(trx, id, { ...row, title, shown: "draft" });
    const subject = { kind: "product", id };
    await recordChange(trx, { by, action: "products copy", subject, after: { title, from, key } });
    return { ok: true, id, what: "copied, as a draft" };
  });
}

async function writeNew(trx: Transaction, id: string, edit: ProductEdit & { images: ProductImage[] }) {
  const after = plainly(edit);
  const sizes = Object.fromEntries(edit.sizes.map((size) => [size, edit.pieces[size] ?? 0]));
  const created = {
    id,
    after: { ...factsOf(after), sizes },
    priceCents: edit.priceCents,
    images: edit.images,
  };
  await writeProducts(trx, { created: [created], changed: [] });
  await publishLater(trx, id, momentOfShowing(edit.shown));
  return after;
}

/**
 * The id of the product that was created with this key. A lock makes simultaneous requests with the same key wait for
 * each other.
 */
async function addedBefore(trx: Transaction, key: string): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
  const row = await trx
    .selectFrom("auditLog")
    .select("subjectId")
    .where("action", "in", ["products add", "products copy"])
    .where(sql<boolean>`after ->> 'key' = ${key}`)
    .executeTakeFirst();
  return row?.subjectId;
}

/**
 * A new id: the title in lower-case letters and hyphens, with a number if the id is taken. The id of a deleted product
 * counts as taken; otherwise the new product would continue its history in the audit log.
 */
async function newId(trx: Transaction, title: string): Promise<string> {
  const name = hyphened(title, 80) || "product";
  await sql`select pg_advisory_xact_lock(hashtextextended(${`product ${name}`}, 0))`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    select id from products where starts_with(id, ${name})
    union select subject_id from audit_log where subject_kind = 'product' and starts_with(subject_id, ${name})`.execute(
    trx,
  );
  const taken = new Set([...TAKEN_IDS, ...rows.map(({ id }) => id)]);
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}-${number}`)) number++;
  return `${name}-${number}`;
}

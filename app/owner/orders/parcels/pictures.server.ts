import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { decode } from "#app/catalog/pictures/decoder.server.ts";
import { contentHash } from "#app/catalog/pictures/originals.server.ts";
import { keepPicture, pictureStore } from "#app/catalog/pictures/store.server.ts";
import type { Actor } from "#app/infra/audit.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { log } from "#app/infra/log.server.ts";
import { lockSale } from "#app/orders/fulfilment/sale.server.ts";
import { MOST_PARCEL_PICTURES } from "#app/orders/parcel-pictures/picture.ts";
import { deleteParcelPicture, nameOfParcelPicture } from "#app/orders/parcel-pictures/pictures.server.ts";
import { changeOrder } from "../change.server.ts";
import { lockKnownOrder } from "../lookup.server.ts";
import type { Done } from "../orders.server.ts";

/** A photograph of a parcel, when it was added (ISO 8601) and by whom. */
export type ParcelPicture = { id: string; at: string; by: string };

/** SQL in a query of orders: the photographs of the order's parcel, oldest first. */
export const PARCEL_PICTURES = sql<ParcelPicture[]>`(
  select coalesce(jsonb_agg(
    jsonb_build_object('id', taken.id, 'at', added_at, 'by', coalesce(nullif(staff.name, ''), added_by))
    order by added_at, taken.id), '[]')
  from parcel_pictures taken left join staff on staff.email = added_by where order_id = orders.id)`;

const FAULTS = {
  "no-picture": "This photo can’t be read. Use a JPEG, PNG or WebP",
  "too-slow": "This photo takes too long to open. Take it again, or save it as a JPEG",
};

/**
 * Stores a photograph of a packed parcel as a JPEG without metadata. The same file sent again to an order is one
 * photograph. Refused before the order is packed, for a file that is no readable picture, and for one too many.
 */
export async function addParcelPicture(
  on: Db,
  by: Actor,
  reference: string,
  given: Buffer,
  signal?: AbortSignal,
): Promise<Done> {
  const made = await decode(given, { recipe: "photograph", signal });
  if ("fault" in made) return { ...no(FAULTS[made.fault]), field: "picture" };
  const id = randomUUID(); // none that was removed, whose file a job may be about to delete
  await keepPicture(nameOfParcelPicture(id), made.bytes);
  const picture = { id, hash: contentHash(given), addedBy: by.name };
  try {
    return await changeOrder(on, by, "orders add-photo", reference)((trx) => record(trx, reference, picture));
  } finally {
    await removeUnlessKept(on, id).catch((error) => log.error({ err: error, id }, "a photo's file may be left"));
  }
}

async function removeUnlessKept(on: Db, id: string): Promise<void> {
  const kept = await on.selectFrom("parcelPictures").select("id").where("id", "=", id).executeTakeFirst();
  if (!kept) await pictureStore().remove(nameOfParcelPicture(id));
}

type Added = { id: string; hash: string; addedBy: string };

async function record(trx: Transaction, reference: string, picture: Added): Promise<Done> {
  const sale = await lockSale(trx, reference);
  if (!sale || sale.stage === "paid") return no("Mark the order as packed first");
  const orderId = sale.order.id;
  const there = await trx.selectFrom("parcelPictures").select("hash").where("orderId", "=", orderId).execute();
  if (there.some(({ hash }) => hash === picture.hash)) return { ok: true, what: "photo added", isRepeat: true };
  if (there.length >= MOST_PARCEL_PICTURES)
    return no(`A parcel has up to ${MOST_PARCEL_PICTURES} photos. Remove one first`);
  await trx
    .insertInto("parcelPictures")
    .values({ ...picture, orderId })
    .execute();
  return { ok: true, what: "photo added" };
}

const no = (problem: string) => ({ ok: false as const, problem });

/** Removes a photograph of an order's parcel. Safe to repeat. */
export async function removeParcelPicture(trx: Transaction, reference: string, id: string): Promise<Done> {
  const known = await lockKnownOrder(trx, reference);
  const isGone = known !== undefined && (await deleteParcelPicture(trx, known.order.id, id));
  return { ok: true, what: "photo removed", ...(!isGone && { isRepeat: true }) };
}

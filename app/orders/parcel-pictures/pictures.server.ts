import { sql } from "kysely";
import { z } from "zod";
import { pictureStore } from "#app/catalog/pictures/store.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";

// Shoppers are never shown a photograph of a parcel: the labels of other parcels may be in it.

export const nameOfParcelPicture = (id: string) => `parcels/${id}.jpg`;

/** A photograph of the parcel of the order with this number, as a JPEG. Undefined if there is none. */
export async function parcelPicture(on: Db, number: string, id: string): Promise<Buffer<ArrayBuffer> | undefined> {
  if (!z.guid().safeParse(id).success) return;
  const found = await on
    .selectFrom("parcelPictures")
    .innerJoin("orders", "orders.id", "orderId")
    .select("parcelPictures.id")
    .where("parcelPictures.id", "=", id)
    .where("orders.number", "=", number)
    .executeTakeFirst();
  return found && pictureStore().read(nameOfParcelPicture(found.id));
}

/** Deletes a photograph of an order's parcel, and its file soon after. Returns whether there was one. */
export async function deleteParcelPicture(trx: Transaction, orderId: string, id: string): Promise<boolean> {
  const gone = trx.deleteFrom("parcelPictures").where("orderId", "=", orderId).where("id", "=", id);
  return deleteFiles(trx, await gone.returning("id").execute());
}

/** Deletes the photographs of these orders' parcels, and their files soon after. */
export async function forgetParcelPictures(trx: Transaction, orders: readonly string[]): Promise<void> {
  const gone = trx.deleteFrom("parcelPictures").where(sql<boolean>`order_id = any(${orders}::uuid[])`);
  await deleteFiles(trx, await gone.returning("id").execute());
}

async function deleteFiles(trx: Transaction, gone: { id: string }[]): Promise<boolean> {
  if (gone.length === 0) return false;
  await enqueue(trx, "remove-pictures", { names: gone.map(({ id }) => nameOfParcelPicture(id)) });
  return true;
}

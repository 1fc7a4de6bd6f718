import { sql } from "kysely";
import { z } from "zod";
import { decode, type Wanted } from "#app/catalog/pictures/decoder.server.ts";
import { keepPicture, pictureStore } from "#app/catalog/pictures/store.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";
import { uuidOf } from "#app/infra/uuid-of.server.ts";
import { isOurMistake, MOST_PICTURES, RETURN_REASONS } from "./return.ts";
import { lockReturn } from "./rows.server.ts";

export type PictureFault = "no-picture" | "too-slow" | "too-many" | "not-open";

export const nameOfPicture = (id: string) => `returns/${id}.jpg`;

/** Whether this shopper can still add photographs to a return of this order. */
export async function awaitsPictures(on: Db, userId: string, reference: string): Promise<boolean> {
  const open = await on
    .selectFrom("returns")
    .innerJoin("sales", "sales.reference", "returns.reference")
    .select("returns.id")
    .where("sales.reference", "=", reference)
    .where("sales.userId", "=", userId)
    .where("returns.state", "=", "asked")
    .where("returns.reason", "in", RETURN_REASONS.filter(isOurMistake))
    .executeTakeFirst();
  return open !== undefined;
}

/**
 * Stores a photograph of the damage as a JPEG without metadata, because phones store the place in it. A shopper can add
 * one to their own return until it is decided. A file that is not a readable picture is refused. The same file sent
 * again changes nothing.
 */
export async function addReturnPicture(
  on: Db,
  userId: string,
  number: string,
  given: Buffer,
  decoding: Omit<Wanted, "recipe"> = {},
): Promise<{ ok: true } | { ok: false; fault: PictureFault }> {
  const made = await decode(given, { recipe: "photograph", ...decoding });
  if ("fault" in made) return { ok: false, fault: made.fault };
  const { bytes } = made;
  // The same picture gets the same id, so that one sent again after a lost response is not stored twice.
  const id = uuidOf(Buffer.concat([Buffer.from(number), given]));
  await keepPicture(nameOfPicture(id), bytes);
  const fault = await retryingTransaction(on, async (trx): Promise<PictureFault | undefined> => {
    const found = await lockReturn(trx, number);
    if (found?.order.userId !== userId || found.state !== "asked" || !isOurMistake(found.reason)) return "not-open";
    const there = await trx.selectFrom("returnPictures").select("id").where("returnId", "=", found.id).execute();
    if (there.some((one) => one.id === id)) return;
    if (there.length >= MOST_PICTURES) return "too-many";
    await trx
      .insertInto("returnPictures")
      .values({ id, returnId: found.id, place: there.length + 1 })
      .execute();
    return;
  });
  if (!fault) return { ok: true };
  const kept = await on.selectFrom("returnPictures").select("id").where("id", "=", id).executeTakeFirst();
  if (!kept) await pictureStore().remove(nameOfPicture(id));
  return { ok: false, fault };
}

/** Deletes the pictures of these orders' returns. The files are deleted when the transaction ends, or soon after. */
export async function forgetReturnPictures(trx: Transaction, orders: readonly string[]): Promise<void> {
  const gone = await trx
    .deleteFrom("returnPictures")
    .where("returnId", "in", (eb) =>
      eb
        .selectFrom("returns")
        .innerJoin("sales", "sales.reference", "returns.reference")
        .select("returns.id")
        .where(sql<boolean>`sales.order_id = any(${orders}::uuid[])`),
    )
    .returning("id")
    .execute();
  if (gone.length > 0) await enqueue(trx, "remove-pictures", { names: gone.map(({ id }) => nameOfPicture(id)) });
}

/**
 * A picture of an order's returns. With `userId`, only if the order is that shopper's; without, for the staff.
 * Undefined if there is none.
 */
export async function returnPicture(on: Db, id: string, userId?: string): Promise<Buffer<ArrayBuffer> | undefined> {
  if (!z.guid().safeParse(id).success) return;
  const found = await on
    .selectFrom("returnPictures")
    .innerJoin("returns", "returns.id", "returnId")
    .innerJoin("sales", "sales.reference", "returns.reference")
    .select("returnPictures.id")
    .where("returnPictures.id", "=", id)
    .$if(userId !== undefined, (query) => query.where("sales.userId", "=", userId ?? ""))
    .executeTakeFirst();
  return found && pictureStore().read(nameOfPicture(found.id));
}

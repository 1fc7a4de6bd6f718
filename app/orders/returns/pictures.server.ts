import { z } from "zod";
import { inTurn, loadSharp, MOST_PIXELS } from "#app/catalog/pictures/sharp.server.ts";
import { keepPicture, pictureStore } from "#app/catalog/pictures/store.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";
import { uuidOf } from "#app/infra/uuid-of.server.ts";
import { isOurMistake, MOST_PICTURES, RETURN_REASONS } from "./return.ts";
import { lockReturn } from "./rows.server.ts";

/** The longer side of what is kept: enough to see a tear. */
const SIDE = 2000;
const FORMATS = ["jpeg", "png", "webp", "heif"];

export type PictureFault = "no-picture" | "too-many" | "not-open";

/** Of the answer with a photograph: opened by itself it is nothing but a picture. */
export const photographHeaders = (id: string) => ({
  "Content-Type": "image/jpeg",
  "Content-Disposition": `inline; filename="${id}.jpg"`,
  "Content-Security-Policy": "default-src 'none'",
});

export const nameOfPicture = (id: string) => `returns/${id}.jpg`;

/** Whether this shopper has a return of this order that photographs can still be added to. */
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
 * Keeps a photograph of the damage as a JPEG without metadata: a phone writes into it where it was taken. A shopper adds to their own return until it is
 * decided; what is no picture that can be read is refused. One that is sent again is the same.
 */
export async function addReturnPicture(
  on: Db,
  userId: string,
  number: string,
  given: Buffer,
): Promise<{ ok: true } | { ok: false; fault: PictureFault }> {
  const bytes = await reencoded(given);
  if (!bytes) return { ok: false, fault: "no-picture" };
  const id = uuidOf(Buffer.concat([Buffer.from(number), given])); // the answer to the same one before may have been lost
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

async function reencoded(given: Buffer): Promise<Buffer | undefined> {
  const sharp = await loadSharp();
  try {
    const image = sharp(given, { limitInputPixels: MOST_PIXELS, failOn: "error" });
    if (!FORMATS.includes((await image.metadata()).format)) return;
    const encoded = image
      .rotate()
      .resize({ width: SIDE, height: SIDE, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#fff" })
      .jpeg({ quality: 80, mozjpeg: true });
    return await inTurn(() => encoded.toBuffer());
  } catch {
    return; // sharp throws plain errors for whatever it cannot read
  }
}

/** Takes the pictures of a shopper's returns away; the files go with the transaction's end, or soon after. */
export async function forgetReturnPictures(trx: Transaction, userId: string): Promise<void> {
  const gone = await trx
    .deleteFrom("returnPictures")
    .where("returnId", "in", (eb) =>
      eb
        .selectFrom("returns")
        .innerJoin("sales", "sales.reference", "returns.reference")
        .select("returns.id")
        .where("sales.userId", "=", userId),
    )
    .returning("id")
    .execute();
  if (gone.length > 0) await enqueue(trx, "remove-pictures", { names: gone.map(({ id }) => nameOfPicture(id)) });
}

/** The bytes of a picture of this order's returns, for the order's own account, or with no `userId` for the staff; undefined where there is none. */
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

import { sql } from "kysely";
import { getProducts } from "#app/catalog/catalog.server.ts";
import { availableIn } from "#app/catalog/product.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { logInternalError } from "#app/infra/internal-errors.server.ts";
import * as messages from "#app/messages.ts";
import { limitText } from "../cart.ts";
import { mostOfASize } from "../limit.server.ts";
import { bumpCartVersion } from "../merge.server.ts";
import { publishCart } from "../publish.server.ts";
import { ownReservations } from "../read.server.ts";
import type { SizeChange } from "./move.ts";

/**
 * `problem` is a message for the shopper: nothing was changed. `isCapped`: the stock or the owner's limit was too small
 * for all units.
 */
export type SizeChanged = { ok: true; isCapped: boolean } | { ok: false; problem: string };

/**
 * Moves all units of a line of the account's cart to another size, in one transaction. They join the line of that size,
 * if there is one, and the sum is capped as an addition is. A repetition finds no line of the old size and changes
 * nothing.
 */
export async function changeSize(on: Db, userId: string, change: SizeChange): Promise<SizeChanged> {
  const done = await retryingTransaction(on, (trx) => moveUnits(trx, userId, change));
  if (done.ok) await publishCart(on, userId);
  return done;
}

async function moveUnits(trx: Transaction, userId: string, { id, size, to }: SizeChange): Promise<SizeChanged> {
  await bumpCartVersion(trx, userId);
  const lines = await trx
    .selectFrom("cartLines")
    .select(["size", "color", "quantity", "priceCents", "addedAt"])
    .where("userId", "=", userId)
    .where("productId", "=", id)
    .orderBy("addedAt")
    .execute();
  const old = lines.filter((line) => line.size === size);
  const [first] = old;
  if (!first || size === to) return { ok: true, isCapped: false };
  const product = (await getProducts(trx, [id])).get(id);
  if (!product || product.hidden) {
    logInternalError("productNotFound", { product: id, size: to });
    return { ok: false, problem: messages.product.notFound };
  }
  if (!product.sizes.some((one) => one.size === to)) {
    logInternalError("sizeNotFound", { product: id, size: to });
    return { ok: false, problem: messages.cartOther.unknownSize };
  }
  const reserved = (await ownReservations(trx, userId)).get(`${id} ${to}`) ?? 0;
  const availableQuantity = availableIn(product, to) + reserved;
  const maxQuantity = Math.min(availableQuantity, mostOfASize());
  if (maxQuantity <= 0) return { ok: false, problem: limitText({ availableQuantity, maxQuantity }) };
  const held = lines.find((line) => line.size === to);
  const wanted = [...old, ...(held ? [held] : [])].reduce((sum, { quantity }) => sum + quantity, 0);
  const quantity = Math.min(wanted, maxQuantity);
  const isOfSize = (which: string) => sql<boolean>`user_id = ${userId} and product_id = ${id} and size = ${which}`;
  await trx.deleteFrom("cartLines").where(isOfSize(size)).execute();
  if (held) {
    const isIt = sql<boolean>`${isOfSize(to)} and color = ${held.color}`;
    await trx.updateTable("cartLines").set({ quantity }).where(isIt).execute();
  } else
    await trx
      .insertInto("cartLines")
      .values({ ...first, userId, productId: id, size: to, quantity })
      .execute();
  return { ok: true, isCapped: wanted > maxQuantity };
}

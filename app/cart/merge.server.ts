import { sql } from "kysely";
import { getProducts } from "#app/catalog/catalog.server.ts";
import { availableIn } from "#app/catalog/product.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { log } from "#app/infra/log.server.ts";
import { messages } from "#app/messages.ts";
import { MOST_OF_A_LINE } from "./cart.ts";
import { type GuestItem, readGuestCart, toLine } from "./guest-item.ts";
import { isSameLine, type Line, type MergeAnswer, type MergeResult, mergeCarts } from "./merge.ts";
import { publishCart } from "./publish.server.ts";

/** `mergeGuestCart` of a sign-in's fields: `guestCart` as local storage keeps it, `mergeId` the same for each try with this cart. */
export async function mergeFromForm(
  on: Db,
  userId: string,
  { guestCart, mergeId }: { guestCart?: string; mergeId?: string },
): Promise<MergeAnswer> {
  const guest = readGuestCart(guestCart || "[]");
  const merged = await mergeGuestCart(on, userId, mergeId || crypto.randomUUID(), guest);
  return merged.ok ? { ...merged, guestLines: guest.map(toLine) } : merged;
}

const NOTHING_MERGED: MergeResult = { ok: true, added: [], adjusted: false, skipped: [] };

/** Merges a guest cart into the account's, once for each `mergeId`. A failure is logged and loses nothing: the guest cart stays. */
export async function mergeGuestCart(
  on: Db,
  userId: string,
  mergeId: string,
  guest: GuestItem[],
): Promise<MergeResult> {
  if (guest.length === 0) return NOTHING_MERGED;
  try {
    const merged = await on.transaction().execute(async (trx) => {
      await lockCart(trx, userId);
      const first = await trx
        .insertInto("cartMerges")
        .values({ userId, mergeId })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (!first.numInsertedOrUpdatedRows) return NOTHING_MERGED;
      return mergeOnce(trx, userId, guest);
    });
    await publishCart(on, userId);
    return merged;
  } catch (error) {
    log.error({ err: error, userId }, messages.cart.mergeFailed);
    return { ok: false };
  }
}

async function mergeOnce(trx: Transaction, userId: string, guest: GuestItem[]): Promise<MergeResult> {
  const account = await trx
    .selectFrom("cartLines")
    .select(["productId", "size", "color", "quantity"])
    .where("userId", "=", userId)
    .execute();
  const products = await getProducts(
    trx,
    guest.map(({ id }) => id),
  );
  const stockOf = ({ productId, size, color }: Line) => {
    const product = products.get(productId);
    return product && product.color === color ? Math.min(availableIn(product, size), MOST_OF_A_LINE) : 0;
  };
  // Additions without script name no colour: a product has one.
  const guestLines = guest
    .map(toLine)
    .map((line) => ({ ...line, color: line.color || (products.get(line.productId)?.color ?? "") }));
  const plan = mergeCarts(account, guestLines, stockOf);
  const heldOf = (line: Omit<Line, "quantity">) => account.find((other) => isSameLine(other, line))?.quantity ?? 0;
  const titleOf = ({ productId }: Line) => products.get(productId)?.title ?? productId;
  for (const { quantity, ...line } of plan.writes) {
    const priceCents = products.get(line.productId)?.priceCents ?? 0;
    if (heldOf(line) > 0)
      await trx
        .updateTable("cartLines")
        .set({ quantity })
        .where(sameLine({ userId, ...line }))
        .execute();
    else
      await trx
        .insertInto("cartLines")
        .values({ userId, ...line, quantity, priceCents })
        .execute();
  }
  return {
    ok: true,
    added: [...new Set(plan.writes.filter((line) => line.quantity > heldOf(line)).map(titleOf))],
    adjusted: plan.adjusted,
    skipped: plan.skipped.map(titleOf),
  };
}

/** Locks the account's cart until the transaction ends, making it when there is none, and counts its version up. */
async function lockCart(trx: Transaction, userId: string): Promise<void> {
  await sql`
    insert into carts (user_id, version) values (${userId}, 1)
    on conflict (user_id) do update set version = carts.version + 1, updated_at = now()
  `.execute(trx);
}

type LineKey = { userId: string; productId: string; size: string; color: string };

function sameLine({ userId, productId, size, color }: LineKey) {
  return sql<boolean>`user_id = ${userId} and product_id = ${productId} and size = ${size} and color = ${color}`;
}

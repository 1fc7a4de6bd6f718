import { sql } from "kysely";
import { getProducts } from "#app/catalog/catalog.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { log } from "#app/infra/log.server.ts";
import * as messages from "#app/messages.ts";
import { type GuestItem, readGuestCart, toLine, withoutLines } from "./guest-item.ts";
import { mostToBuy } from "./limit.server.ts";
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

/**
 * Merges a guest cart into the account's. Under the same `mergeId` only what has been added to the guest cart since the last time counts. A failure is
 * logged and loses nothing: the guest cart stays.
 */
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
      const { lines: known = [] } = (await mergedLines(trx, userId, mergeId)) ?? {};
      const items = known.length > 0 ? withoutLines(guest, known) : guest;
      if (items.length === 0) return NOTHING_MERGED;
      const { result, counted } = await mergeItems(trx, userId, items);
      await saveMergedLines(trx, userId, mergeId, [...known, ...counted]);
      return result;
    });
    await publishCart(on, userId);
    return merged;
  } catch (error) {
    log.error({ err: error, userId }, messages.cart.mergeFailed);
    return { ok: false };
  }
}

/** `counted`: the guest's lines, as they were sent, that are in the account now as far as stock allowed. */
async function mergeItems(
  trx: Transaction,
  userId: string,
  guest: GuestItem[],
): Promise<{ result: MergeResult; counted: Line[] }> {
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
    return product?.color === color ? mostToBuy(product, size) : 0;
  };
  const sent = guest.map(toLine);
  // A damaged guest cart may lack the colour: a product has one.
  const guestLines = sent.map((line) => ({
    ...line,
    color: line.color || (products.get(line.productId)?.color ?? ""),
  }));
  const plan = mergeCarts(account, guestLines, stockOf);
  const heldOf = (line: Omit<Line, "quantity">) => account.find((other) => isSameLine(other, line))?.quantity ?? 0;
  const titleOf = ({ productId }: Line) => products.get(productId)?.title ?? productId;
  for (const line of plan.writes)
    await writeLine(trx, userId, line, heldOf(line) > 0, products.get(line.productId)?.priceCents ?? 0);
  return {
    result: {
      ok: true,
      added: [...new Set(plan.writes.filter((line) => line.quantity > heldOf(line)).map(titleOf))],
      adjusted: plan.adjusted,
      skipped: plan.skipped.map(titleOf),
    },
    counted: sent.filter((_, index) => !plan.skipped.some((line) => line === guestLines[index])),
  };
}

function writeLine(
  trx: Transaction,
  userId: string,
  { quantity, ...line }: Line,
  exists: boolean,
  priceCents: number,
): Promise<unknown> {
  if (!exists)
    return trx
      .insertInto("cartLines")
      .values({ userId, ...line, quantity, priceCents })
      .execute();
  return trx
    .updateTable("cartLines")
    .set({ quantity })
    .where(sameLine({ userId, ...line }))
    .execute();
}

function mergedLines(trx: Transaction, userId: string, mergeId: string): Promise<{ lines: Line[] } | undefined> {
  return trx
    .selectFrom("cartMerges")
    .select("lines")
    .where("userId", "=", userId)
    .where("mergeId", "=", mergeId)
    .executeTakeFirst();
}

/** So many of an account's merges are remembered: a browser has one guest cart. */
const MOST_MERGES = 20;

async function saveMergedLines(trx: Transaction, userId: string, mergeId: string, counted: Line[]): Promise<void> {
  const lines = JSON.stringify(summedUp(counted));
  await trx
    .insertInto("cartMerges")
    .values({ userId, mergeId, lines })
    .onConflict((conflict) => conflict.columns(["userId", "mergeId"]).doUpdateSet({ lines, mergedAt: sql`now()` }))
    .execute();
  await sql`
    delete from cart_merges where user_id = ${userId} and merge_id in (
      select merge_id from cart_merges where user_id = ${userId} order by merged_at desc offset ${MOST_MERGES})
  `.execute(trx);
}

/** Each line once. */
function summedUp(lines: Line[]): Line[] {
  const sums: Line[] = [];
  for (const line of lines) {
    const sum = sums.find((other) => isSameLine(other, line));
    if (sum) sum.quantity += line.quantity;
    else sums.push({ ...line });
  }
  return sums;
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

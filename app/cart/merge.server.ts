import { sql } from "kysely";
import { getProducts } from "#app/catalog/catalog.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { log } from "#app/infra/log.server.ts";
import * as messages from "#app/messages.ts";
import { MOST_LINES } from "./cart.ts";
import { addedTime, type GuestItem, readGuestCart, toLine, withoutLines } from "./guest-item.ts";
import { mostToBuy } from "./limit.server.ts";
import { isSameLine, type Line, linesToDrop, type MergeAnswer, type MergeResult, mergeCarts } from "./merge.ts";
import { publishCart } from "./publish.server.ts";

/**
 * Calls `mergeGuestCart` with the fields of a sign-in form: `guestCart` is the JSON text from local storage, and
 * `mergeId` is the same for each retry with this cart.
 */
export async function mergeFromForm(
  on: Db,
  userId: string,
  { guestCart, mergeId }: { guestCart?: string; mergeId?: string },
): Promise<MergeAnswer> {
  const guest = readGuestCart(guestCart || "[]");
  const merged = await mergeGuestCart(on, userId, mergeId || crypto.randomUUID(), guest);
  return merged.ok ? { ...merged, guestLines: guest.map(toLine) } : merged;
}

type Done = Extract<MergeResult, { ok: true }>;
const NOTHING_MERGED: Done = { ok: true, added: [], adjusted: false, skipped: [] };

/**
 * Merges a guest cart into the account's cart. With a `mergeId` that was used before, only items added to the guest
 * cart since then are merged. A failure is logged, and the guest cart stays in the browser.
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
      await bumpCartVersion(trx, userId);
      const { lines: known = [] } = (await mergedLines(trx, userId, mergeId)) ?? {};
      if (known.length === 0) return mergeItems(trx, userId, mergeId, guest, known);
      // An earlier merge with this id may have capped lines without telling the shopper, as the merge at the
      // registration does. This merge reports them.
      const news = withoutLines(guest, known);
      const result = news.length > 0 ? await mergeItems(trx, userId, mergeId, news, known) : NOTHING_MERGED;
      return { ...result, adjusted: result.adjusted || (await isShortOf(trx, userId, guest)) };
    });
    await publishCart(on, userId);
    return merged;
  } catch (error) {
    log.error({ err: error, userId }, messages.cart.mergeFailed);
    return { ok: false };
  }
}

/**
 * Both carts, prepared for the merge. A guest line gets the colour name of the account's line, otherwise that of the
 * product: a product has one colour, but its name may have been edited since the line was added.
 */
async function readBoth(trx: Transaction, userId: string, sent: Line[]) {
  const account = await trx
    .selectFrom("cartLines")
    .select(["productId", "size", "color", "quantity", "addedAt"])
    .where("userId", "=", userId)
    .execute();
  const products = await getProducts(
    trx,
    sent.map(({ productId }) => productId),
  );
  const guestLines = sent.map((line) => {
    const own = account.find(({ productId, size }) => productId === line.productId && size === line.size);
    return { ...line, color: own?.color ?? products.get(line.productId)?.color ?? line.color };
  });
  const stockOf = ({ productId, size }: Line) => {
    const product = products.get(productId);
    return product ? mostToBuy(product, size) : 0;
  };
  return { account, products, guestLines, stockOf };
}

/** Whether a line of the account has fewer units than the guest's line because the stock is too low. */
async function isShortOf(trx: Transaction, userId: string, guest: GuestItem[]): Promise<boolean> {
  const { account, guestLines, stockOf } = await readBoth(trx, userId, guest.map(toLine));
  return guestLines.some((line) => {
    const { quantity = 0 } = account.find((other) => isSameLine(other, line)) ?? {};
    return quantity > 0 && quantity < line.quantity && stockOf(line) < line.quantity;
  });
}

/**
 * Merges `guest`. Stores under `mergeId` the lines that were merged, with the quantities that were sent, even where the
 * stock was too low for all units.
 */
async function mergeItems(
  trx: Transaction,
  userId: string,
  mergeId: string,
  guest: GuestItem[],
  known: Line[],
): Promise<Done> {
  const sent = guest.map(toLine);
  const { account, products, guestLines, stockOf } = await readBoth(trx, userId, sent);
  const plan = mergeCarts(account, guestLines, stockOf);
  const heldOf = (line: Omit<Line, "quantity">) => account.find((other) => isSameLine(other, line))?.quantity ?? 0;
  const titleOf = ({ productId }: Line) => products.get(productId)?.title ?? productId;
  const timeOf = (line: Line) =>
    addedTime(guest.find((_, at) => guestLines[at] && isSameLine(guestLines[at], line))?.addedAt);
  const dropped = linesToDrop(
    account.map((line) => ({ ...line, addedAt: line.addedAt.getTime() })),
    plan.writes.filter((line) => heldOf(line) === 0).map((line) => ({ ...line, addedAt: timeOf(line) })),
    MOST_LINES,
  );
  const isDropped = (line: Omit<Line, "quantity">) => dropped.some((other) => isSameLine(other, line));
  const writes = plan.writes.filter((line) => !isDropped(line));
  for (const line of dropped) await deleteLine(trx, userId, line);
  for (const line of writes)
    await writeLine(trx, userId, line, heldOf(line) > 0, products.get(line.productId)?.priceCents ?? 0);
  const counted = sent.filter((_, index) => !plan.skipped.some((line) => line === guestLines[index]));
  await saveMergedLines(trx, userId, mergeId, [...known, ...counted]);
  return {
    ok: true,
    added: [...new Set(writes.filter((line) => line.quantity > heldOf(line)).map(titleOf))],
    adjusted: plan.adjusted,
    skipped: plan.skipped.map(titleOf),
    ...(dropped.length > 0 && { dropped: await titlesOf(trx, dropped) }),
    ...(plan.capped.length > 0 && { capped: plan.capped }),
  };
}

async function titlesOf(trx: Transaction, lines: Pick<Line, "productId">[]): Promise<string[]> {
  const ids = [...new Set(lines.map(({ productId }) => productId))];
  const products = await getProducts(trx, ids);
  return ids.map((id) => products.get(id)?.title ?? id);
}

async function deleteLine(trx: Transaction, userId: string, line: Omit<Line, "quantity">): Promise<void> {
  await trx
    .deleteFrom("cartLines")
    .where(isSameLineSql({ userId, ...line }))
    .execute();
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
    .where(isSameLineSql({ userId, ...line }))
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

/** The most merge ids remembered per account. A browser has one guest cart, so 20 is plenty. */
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

/** The lines without duplicates: equal lines are added up. */
function summedUp(lines: Line[]): Line[] {
  const sums: Line[] = [];
  for (const line of lines) {
    const sum = sums.find((other) => isSameLine(other, line));
    if (sum) sum.quantity += line.quantity;
    else sums.push({ ...line });
  }
  return sums;
}

/**
 * Locks the account's cart until the transaction ends and increments its version. Creates the cart if there is none.
 */
export async function bumpCartVersion(trx: Transaction, userId: string): Promise<void> {
  await sql`
    insert into carts (user_id, version) values (${userId}, 1)
    on conflict (user_id) do update set version = carts.version + 1, updated_at = now()
  `.execute(trx);
}

type LineKey = { userId: string; productId: string; size: string; color: string };

function isSameLineSql({ userId, productId, size, color }: LineKey) {
  return sql<boolean>`user_id = ${userId} and product_id = ${productId} and size = ${size} and color = ${color}`;
}

import { sql } from "kysely";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { isSigned, sign } from "#app/infra/http/signature.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import * as messages from "#app/messages.ts";
import { productPath } from "#app/ui/frame/paths.ts";
import type { ProductImage } from "#db/types.ts";
import { mailPictureUrl } from "../product.ts";

const PURPOSE = "stock alert";
/** The most mails that one run sends. */
const BATCH = 500;

export type AlertRequest = { productId: string; size: string; email: string };
export type Alerted = { ok: true; isConfirmed: boolean } | { ok: false; problem: string };

/**
 * Stores a request for one mail when a size is back in stock. `isProven`: the address is known to belong to the
 * visitor; otherwise a mail asks for confirmation first. Safe to repeat: there is one row per size and address.
 * `problem` is a message for the shopper.
 */
export async function requestAlert(on: Db, request: AlertRequest, isProven: boolean): Promise<Alerted> {
  const { productId, size, email } = request;
  return retryingTransaction(on, async (trx): Promise<Alerted> => {
    const wanted = await trx
      .selectFrom("productSizes")
      .innerJoin("products", "products.id", "productId")
      .where("productId", "=", productId)
      .where("size", "=", size)
      .where("hidden", "=", false)
      .select(["title", sql<boolean>`on_hand > reserved`.as("isInStock")])
      .executeTakeFirst();
    if (!wanted) return { ok: false, problem: messages.product.notFound };
    if (wanted.isInStock) return { ok: false, problem: messages.stockAlert.isBack };
    const { id, confirmedAt } = await trx
      .insertInto("stockAlerts")
      .values({ productId, size, email, confirmedAt: isProven ? new Date() : null })
      .onConflict((conflict) =>
        conflict.columns(["productId", "size", "email"]).doUpdateSet({
          confirmedAt: sql`coalesce(stock_alerts.confirmed_at, excluded.confirmed_at)`,
          createdAt: sql`now()`,
        }),
      )
      .returning(["id", "confirmedAt"])
      .executeTakeFirstOrThrow();
    // The result does not reveal to a stranger that the address was confirmed before.
    if (confirmedAt) return { ok: true, isConfirmed: isProven };
    const url = new URL(`/backInStock?code=${id}.${sign(PURPOSE, id)}`, env.publicUrl).href;
    const data = { title: wanted.title, size, url };
    await queueMail(trx, {
      // At most one mail a day, even if requested several times.
      key: `stock-alert-request:${id}:${new Date().toISOString().slice(0, 10)}`,
      recipient: email,
      kind: "stock-alert-request",
      data,
      forgetRecipient: true,
    });
    return { ok: true, isConfirmed: false };
  });
}

/**
 * Confirms a request by the code of its mail. Safe to repeat. Returns false if the code is wrong or the request no
 * longer exists.
 */
export async function confirmAlert(on: Db, code: string): Promise<boolean> {
  const [id = "", signature = ""] = code.split(".");
  if (!isSigned(PURPOSE, id, signature)) return false;
  const row = await on
    .updateTable("stockAlerts")
    .set({ confirmedAt: sql`coalesce(confirmed_at, now())` })
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

type Deleted = AlertRequest & { id: string; title: string; image: ProductImage | null };

/**
 * Queues the mails for sizes that are back in stock, each once, and deletes the requests with their addresses. Run by
 * the worker.
 */
export async function sendStockAlerts(on: Db): Promise<void> {
  await retryingTransaction(on, async (trx) => {
    const { rows } = await sql<Deleted>`
      delete from stock_alerts where id in (
        select a.id from stock_alerts a
          join product_sizes s on (s.product_id, s.size) = (a.product_id, a.size) join products p on p.id = a.product_id
        where confirmed_at is not null and on_hand > reserved and not hidden
        order by confirmed_at limit ${BATCH} for update of a skip locked
      ) returning id, email, size, product_id, (select title from products where id = product_id) as title,
        (select images -> 0 from products where id = product_id) as image`.execute(trx);
    for (const { id, email, size, productId, title, image } of rows) {
      const url = new URL(productPath(productId), env.publicUrl).href;
      await queueMail(trx, {
        key: `stock-alert:${id}`,
        recipient: email,
        kind: "stock-alert",
        data: { title, size, url, ...(image && { picture: mailPictureUrl(image, env.publicUrl) }) },
        forgetRecipient: true,
      });
    }
  });
}

/** Deletes requests that were not confirmed within a week, and requests older than a year. */
export async function deleteOldStockAlerts(on: Db): Promise<void> {
  await sql`
    delete from stock_alerts
    where confirmed_at is null and created_at < now() - interval '7 days' or created_at < now() - interval '1 year'
  `.execute(on);
}

/** Called when a customer is deleted. */
export async function deleteStockAlertsOf(trx: Transaction, email: string): Promise<void> {
  await trx.deleteFrom("stockAlerts").where("email", "=", email).execute();
}

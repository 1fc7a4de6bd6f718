import { getCart } from "#app/cart/cart.server.ts";
import { guestItem } from "#app/cart/guest-item.ts";
import { PLACEHOLDER_IMAGE, pictureUrl } from "#app/catalog/product.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { isSubscribed } from "#app/newsletter/newsletter.server.ts";
import { toOrderSummary } from "#app/orders/document.ts";
import { listSold } from "#app/orders/history.server.ts";
import { listReturnsOf } from "#app/orders/returns/rows.server.ts";
import { savedAddresses } from "#app/shipping/address-book/book.server.ts";

/**
 * A customer's data as the specification's document (collection Users), with the `uid`. Undefined if there is no such
 * user.
 */
export async function userDocument(on: Db, userId: string, site: string) {
  const user = await on.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirst();
  if (!user) return undefined;
  const cart = await getCart(on, userId);
  const sold = await listSold(on, userId);
  return {
    uid: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    verified: user.emailVerified,
    createdAt: user.createdAt.toISOString(),
    cart: cart.lines.map((line) => ({
      ...guestItem(
        line,
        line.size,
        line.quantity,
        line.image ? site + pictureUrl(line.image, 640, "jpg") : PLACEHOLDER_IMAGE,
        line.addedAt,
      ),
      availableQuantity: line.availableQuantity,
    })),
    sales: sold.map((order) => toOrderSummary(order, site)),
  };
}

/**
 * All data of a customer, as a download for the customer: the document above, with the saved addresses, newsletter,
 * stock alerts, devices, returns, places in queues, and the tags and notes of the staff about the customer.
 */
export async function customerData(on: Db, userId: string, site: string) {
  const document = await userDocument(on, userId, site);
  if (!document) return undefined;
  const [addresses, newsletter, returns, stockAlerts, devices, tags, notes, queues] = await Promise.all([
    savedAddresses(on, userId),
    isSubscribed(on, document.email),
    listReturnsOf(on, userId),
    on
      .selectFrom("stockAlerts")
      .where("email", "=", document.email)
      .select(["productId", "size", "createdAt"])
      .orderBy("createdAt")
      .execute(),
    on
      .selectFrom("knownDevices")
      .where("userId", "=", userId)
      .select(["createdAt", "usedAt"])
      .orderBy("createdAt")
      .execute(),
    on.selectFrom("customerTags").where("userId", "=", userId).select("word").orderBy("folded").execute(),
    on
      .selectFrom("customerNotes")
      .where("userId", "=", userId)
      .select(["text", "writtenAt"])
      .orderBy("writtenAt")
      .execute(),
    on
      .selectFrom("queuePlaces")
      .where("userId", "=", userId)
      .select(["productId", "askedAt", "number", "letInAt", "usedAt"])
      .orderBy("askedAt")
      .execute(),
  ]);
  return {
    ...document,
    addresses: addresses.map(({ isDefault, address }) => ({ ...address, isDefault })),
    newsletter,
    returns: returns.map(({ pictures, ...one }) => ({
      ...one,
      pictures: pictures.map((id) => `${site}/order/${one.reference}/pictures/${id}`),
    })),
    knownDevices: devices.map(({ createdAt, usedAt }) => ({
      createdAt: createdAt.toISOString(),
      usedAt: usedAt.toISOString(),
    })),
    tags: tags.map(({ word }) => word),
    notes: notes.map(({ text, writtenAt }) => ({ text, writtenAt: writtenAt.toISOString() })),
    stockAlerts: stockAlerts.map(({ createdAt, ...alert }) => ({ ...alert, createdAt: createdAt.toISOString() })),
    queues: queues.map(({ askedAt, letInAt, usedAt, ...place }) => ({
      ...place,
      askedAt: askedAt.toISOString(),
      letInAt: letInAt?.toISOString() ?? null,
      usedAt: usedAt?.toISOString() ?? null,
    })),
  };
}

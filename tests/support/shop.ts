import { sql } from "kysely";
import { type GuestItem, guestItem } from "#app/cart/guest-item.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { usdCents } from "#app/money/money.ts";
import type { Destination, ShippingForm } from "#app/shipping/shipping.ts";
import { newId } from "./ids.ts";

/** Makes a product with so many pieces of each size. Returns its id. */
export async function makeProduct(on: Db, sizes: Record<string, number>, priceCents = 4999): Promise<string> {
  const id = `product-${newId()}`;
  await sql`with product as (
      insert into products (id, title, color, price_cents, images) values (${id}, 'Home Jersey', 'Green', ${priceCents}, '[]')
    )
    insert into product_sizes (product_id, size, supplied)
    select ${id}, key, value::integer from jsonb_each_text(${JSON.stringify(sizes)}::jsonb)`.execute(on);
  return id;
}

/** Sets how many pieces of a size are in stock. */
export async function setStock(on: Db, productId: string, size: string, units: number): Promise<void> {
  const supplied = sql<number>`sold + ${units}::integer`;
  await on
    .updateTable("productSizes")
    .set({ supplied })
    .where("productId", "=", productId)
    .where("size", "=", size)
    .execute();
}

export type Shopper = { id: string; email: string; emailVerified: boolean };

/** A verified shopper with these lines in the cart. */
export async function makeShopper(
  on: Db,
  ...lines: { productId: string; size: string; quantity?: number }[]
): Promise<Shopper> {
  const id = newId();
  const email = `${id}@example.com`;
  await sql`with shopper as (
      insert into users (id, email, email_verified) values (${id}, ${email}, true)
    ), cart as (
      insert into carts (user_id, version) values (${id}, ${lines.length})
    )
    insert into cart_lines (user_id, product_id, size, color, quantity, price_cents, added_at)
    select ${id}, "productId", size, 'Green', coalesce(quantity, 1), 4999, now() + at * interval '1 ms'
    from jsonb_to_recordset(${JSON.stringify(lines.map((line, at) => ({ ...line, at })))}::jsonb)
      as line("productId" text, size text, quantity integer, at integer)`.execute(on);
  return { id, email, emailVerified: true };
}

export async function putInCart(on: Db, userId: string, productId: string, size: string, quantity = 1): Promise<void> {
  await on
    .insertInto("cartLines")
    .values({ userId, productId, size, color: "Green", quantity, priceCents: 4999 })
    .execute();
  await on.updateTable("carts").set({ version: sql<number>`version + 1` }).where("userId", "=", userId).execute();
}

export const toLagos: Destination = { kind: "home", state: "Lagos" };
export const lagosForm: ShippingForm = {
  country: "Nigeria",
  firstName: "Ada",
  lastName: "Obi",
  email: "ada@example.com",
  phoneNumber: "08031234567",
  deliveryType: "Home Delivery",
  address: "1 Broad Street",
  apartment: "",
  city: "",
  state: "Lagos",
  localGovernment: "Lagos Island",
  landmark: "",
  postalCode: "",
  pickupCenter: "",
};

/** The order that a shopper in Lagos requests. */
export function orderBy<User extends { id: string; emailVerified: boolean }>(user: User, address = lagosForm.address) {
  return { user, form: { ...lagosForm, address }, destination: toLagos, currency: "NGN" as const };
}

/** One M, as a guest's local storage holds it. */
export function guestPiece(id: string, quantity = 1): GuestItem {
  return guestItem(
    { id, title: "", color: "Green", priceCents: usdCents(4999) },
    "M",
    quantity,
    "",
    "2026-01-01T00:00:00.000Z",
  );
}

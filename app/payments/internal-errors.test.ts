import { beforeEach, expect, test, vi } from "vitest";
import { addToCart } from "#app/cart/cart.server.ts";
import { log } from "#app/infra/log.server.ts";
import { get } from "#app/routes/api.payment.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { settlePayment } from "./settle.server.ts";

// The internal errors that the specification names, each logged under its own name.

const { db, provider, pay, open, oneBuyer } = useCheckout();

const logged = (): unknown[][] => vi.mocked(log.warn).mock.calls.map(([details, text]) => [text, details]);
beforeEach(() => void vi.spyOn(log, "warn"));

test("user must be authenticated", async () => {
  const reference = "0123456789abcdef0123456789abcdef";
  expect(await get(new Request("http://shop.test/api/payments/x"), { reference })).toMatchObject({ status: 404 });
  expect(logged()).toContainEqual(["user must be authenticated", { reference }]);
});

test("missing data for sale record", async () => {
  const user = await makeShopper(db());
  await pay(user);
  expect(logged()).toContainEqual(["missing data for sale record", { user: user.id, missing: "cart items" }]);
  await db().deleteFrom("shippingRates").where("kind", "=", "pickup").execute();
  const refused = { ok: false, problem: "no-delivery" };
  expect(await pay(user, { destination: { kind: "pickup", center: "Surulere" } })).toEqual(refused);
  expect(logged()).toContainEqual(["missing data for sale record", { user: user.id, missing: "shipping rate" }]);
});

test("product not found", async () => {
  const user = await makeShopper(db());
  await addToCart(db(), user.id, { id: "no-such-tee", size: "M", quantity: 1 });
  expect(logged()).toContainEqual(["product not found", { product: "no-such-tee", size: "M" }]);

  const productId = await makeProduct(db(), { M: 1 });
  const buyer = await makeShopper(db(), { productId, size: "M" });
  await db().updateTable("products").set({ hidden: true }).where("id", "=", productId).execute();
  await pay(buyer);
  expect(logged()).toContainEqual(["product not found", { product: productId, size: "M" }]);
});

test("size not found", async () => {
  const productId = await makeProduct(db(), { M: 1 });
  const { id } = await makeShopper(db());
  await addToCart(db(), id, { id: productId, size: "XXL", quantity: 1 });
  expect(logged()).toContainEqual(["size not found", { product: productId, size: "XXL" }]);

  const user = await makeShopper(db(), { productId, size: "M" });
  await db().deleteFrom("productSizes").where("productId", "=", productId).execute();
  await pay(user);
  expect(logged()).toContainEqual(["size not found", { product: productId, size: "M" }]);
});

test("insufficient quantity for the size (shows available amount)", async () => {
  const productId = await makeProduct(db(), { M: 2 });
  const user = await makeShopper(db(), { productId, size: "M", quantity: 3 });
  await pay(user);
  const details = { product: productId, size: "M", wanted: 3, available: 2 };
  expect(logged()).toContainEqual(["insufficient quantity for the size", details]);
});

test("insufficient quantity is also logged for a payment whose stock is gone when it arrives", async () => {
  const { productId, payment } = await oneBuyer(1);
  await db().updateTable("orders").set({ state: "released", releasedAt: new Date() }).execute();
  await db().deleteFrom("reservations").execute();
  await db().updateTable("productSizes").set({ reserved: 0, supplied: 0 }).where("productId", "=", productId).execute();
  provider.pay(payment.reference);
  expect(await settlePayment(payment.reference)).toEqual({ outcome: "refunding" });
  const details = { product: productId, size: "M", wanted: 1, available: 0 };
  expect(logged()).toContainEqual(["insufficient quantity for the size", details]);
});

test("user document not found", async () => {
  const productId = await makeProduct(db(), { M: 1 });
  const user = await makeShopper(db(), { productId, size: "M" });
  const { reference } = await open(user);
  await db().deleteFrom("users").where("id", "=", user.id).execute();
  provider.pay(reference);
  expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
  expect(logged()).toContainEqual(["user document not found", { reference }]);
  await pay(user);
  expect(logged()).toContainEqual(["user document not found", { user: user.id }]);
});

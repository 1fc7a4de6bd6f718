import { expect, test } from "vitest";
import { useCheckout } from "#tests/support/checkout.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { addToCart, getCart } from "./cart.server.ts";

const { db, open } = useCheckout();

test("what a shopper's own open order holds can still be in their cart, and in nobody else's", async () => {
  const productId = await makeProduct(db(), { M: 2, L: 1 });
  const lines = [
    { productId, size: "M", quantity: 2 },
    { productId, size: "L" },
  ];
  const [holder, other] = [await makeShopper(db(), ...lines), await makeShopper(db(), ...lines)];
  await open(holder);
  const availableTo = async ({ id }: { id: string }) =>
    (await getCart(db(), id)).lines.map(({ size, availableQuantity }) => [size, availableQuantity]);
  expect(await availableTo(holder)).toEqual([
    ["M", 2],
    ["L", 1],
  ]);
  expect(await availableTo(other)).toEqual([
    ["M", 0],
    ["L", 0],
  ]);
  const wanted = { id: productId, size: "L", quantity: 1 };
  expect(await addToCart(db(), holder.id, wanted)).toMatchObject({ ok: true, change: { available: 1 } });
  expect(await addToCart(db(), other.id, wanted)).toMatchObject({ ok: false });
});

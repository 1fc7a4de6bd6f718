import { expect, test } from "vitest";
import { changeOwnSize } from "#app/orders/size-change/own.server.ts";
import { refundReturn } from "#app/owner/returns/refund.server.ts";
import { approveReturn, declineReturn, receiveReturn, sendExchange } from "#app/owner/returns/returns.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { asked, delivered, OFFICE } from "#tests/support/returns.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { changeStock, listStock } from "./stock.server.ts";
import { stockHistory } from "./stock-history.server.ts";

const checkout = useCheckout();
const { db, open, provider, expire, catchUp } = checkout;

/** The history as lines "kind size change held -> left leftHeld", such as "sold M -1 -1 -> 4 0", newest first. */
async function told(id: string, size?: string): Promise<string[]> {
  const { rows: happenings } = await stockHistory(db(), { id, size });
  return happenings.map(
    ({ kind, size, change, held, left, leftHeld }) => `${kind} ${size} ${change} ${held} -> ${left} ${leftHeld}`,
  );
}

test("the history has a sale, a lapsed order, an open one, and a number that was set", async () => {
  const id = await makeProduct(db(), { M: 5 });
  const sold = await open(await makeShopper(db(), { productId: id, size: "M" }));
  provider.pay(sold.reference);
  await settlePayment(sold.reference);
  const lapsed = await open(await makeShopper(db(), { productId: id, size: "M", quantity: 2 }));
  provider.pay(lapsed.reference, { status: "abandoned" });
  await expire(lapsed.orderId);
  await catchUp(lapsed.reference);
  await changeStock(db(), { by: OFFICE, action: "stock set", id, size: "M", target: () => 9, reason: "count" });
  await open(await makeShopper(db(), { productId: id, size: "M" }));
  expect(await told(id)).toEqual([
    "reserved M 0 1 -> 9 1",
    "set M 5 0 -> 9 0",
    "lapsed M 0 -2 -> 4 0",
    "reserved M 0 2 -> 4 2",
    "sold M -1 -1 -> 4 0",
    "reserved M 0 1 -> 5 1",
    "start M 5 0 -> 5 0",
  ]);
  const { rows: happenings } = await stockHistory(db(), { id });
  expect(happenings[1]).toMatchObject({ by: OFFICE.name, door: "office", reason: "count", order: null });
  expect(happenings[4]?.order).toMatch(/^IR-/);
});

test("the history has a changed size of an order in both sizes, with the order's number", async () => {
  const id = await makeProduct(db(), { M: 2, L: 2 });
  const user = await makeShopper(db(), { productId: id, size: "M" });
  const { reference } = await open(user);
  provider.pay(reference);
  await settlePayment(reference);
  const change = { productId: id, size: "M", quantity: 1, newSize: "L" };
  expect(await changeOwnSize(db(), user.id, reference, change)).toEqual({ ok: true });
  expect((await told(id, "M"))[0]).toBe("size-left M 1 0 -> 2 0");
  expect(await told(id, "L")).toEqual(["size-taken L -1 0 -> 1 0", "start L 2 0 -> 2 0"]);
  const { rows } = await stockHistory(db(), { id, size: "L" });
  expect(rows[0]?.order).toMatch(/^IR-/);
});

test("the history has a return for money and an exchange, each with its number", async () => {
  const back = await delivered(checkout, { quantity: 2 });
  const number = await asked(db(), back);
  await approveReturn(db(), number, { by: OFFICE });
  await receiveReturn(db(), number, { by: OFFICE });
  await refundReturn(db(), number, { by: OFFICE, restock: true });
  expect((await told(back.productId))[0]).toBe("returned M 1 0 -> 4 0");

  const other = await delivered(checkout);
  const exchange = await asked(db(), other, { newSize: "L" });
  await approveReturn(db(), exchange, { by: OFFICE });
  await receiveReturn(db(), exchange, { by: OFFICE });
  await sendExchange(db(), exchange, { by: OFFICE, restock: true });
  expect(await told(other.productId, "L")).toEqual([
    "exchange-sent L -1 -1 -> 0 0",
    "exchange-held L 0 1 -> 1 1",
    "start L 1 0 -> 1 0",
  ]);
  expect((await told(other.productId, "M"))[0]).toBe("exchange-returned M 1 0 -> 5 0");

  const never = await delivered(checkout);
  const declined = await asked(db(), never, { newSize: "L" });
  await approveReturn(db(), declined, { by: OFFICE });
  await declineReturn(db(), declined, { by: OFFICE, message: "It was worn" });
  expect((await told(never.productId, "L")).slice(0, 2)).toEqual([
    "exchange-ended L 0 -1 -> 1 0",
    "exchange-held L 0 1 -> 1 1",
  ]);
});

test("pages follow each other, and come back, with the same figures", async () => {
  const id = await makeProduct(db(), { M: 1, L: 1 });
  for (let n = 2; n < 9; n++)
    for (const size of ["M", "L"])
      await changeStock(db(), { by: OFFICE, action: "stock set", id, size, target: () => n });
  const all = (await stockHistory(db(), { id })).rows;
  expect(all).toHaveLength(16);
  const first = await stockHistory(db(), { id }, 6);
  const second = await stockHistory(db(), { id, before: first.older }, 6);
  const third = await stockHistory(db(), { id, before: second.older }, 6);
  expect([...first.rows, ...second.rows, ...third.rows]).toEqual(all);
  expect([first.newer, third.older]).toEqual([undefined, undefined]);
  expect((await stockHistory(db(), { id, after: second.newer }, 6)).rows).toEqual(first.rows);
  const sums = await listStock(db(), { id });
  expect(sums.map(({ size, onHand }) => [size, onHand])).toEqual([
    ["L", 8],
    ["M", 8],
  ]);
});

test("an invalid cursor shows the first page", async () => {
  const id = await makeProduct(db(), { M: 1 });
  expect((await stockHistory(db(), { id, before: "x' or true" })).rows).toHaveLength(1);
});

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { countBlocked } from "#tests/support/blocked.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { lagosForm, makeProduct, makeShopper } from "#tests/support/shop.ts";
import {
  lastShipping,
  lockCart,
  lockLiveOrder,
  lockOrder,
  makeRoom,
  moveOrder,
  releaseExpired,
  releaseOrder,
} from "./lifecycle.server.ts";
import { lockSizes } from "./reservation.server.ts";

const { db, provider, open, oneBuyer, stockOf, statesOf, expire } = useCheckout();

const inOne = <T>(work: (trx: Transaction) => Promise<T>) => db().transaction().execute(work);

const blocked = () => countBlocked(db());

describe("a locked order", () => {
  test("is locked after the cart of its shopper", async () => {
    const { user, payment } = await oneBuyer();
    let locked: Promise<unknown> = Promise.resolve();
    await inOne(async (rival) => {
      await lockCart(rival, user.id);
      locked = inOne((trx) => lockOrder(trx, payment.reference));
      await expect.poll(blocked).toBe(1);
      await sql`select from orders where id = ${payment.orderId} for update nowait`.execute(rival);
    });
    expect(await locked).toMatchObject({ order: { id: payment.orderId } });
  });

  test("comes with its payment, and with whether its shopper has bought since", async () => {
    const { user, payment } = await oneBuyer(2);
    const { reference, orderId, kobo } = payment;
    const locked = () => inOne((trx) => lockOrder(trx, reference));
    const { order, ...rest } = await locked();
    expect(rest).toEqual({
      payment: {
        reference,
        state: "pending",
        kobo: String(kobo),
        paidKobo: null,
        paidCurrency: null,
        payerEmail: null,
      },
      hasBoughtSince: false,
      byStaff: false,
      byPayerLink: false,
    });
    expect(order).toMatchObject({ id: orderId, userId: user.id, state: "open", kobo: String(kobo) });
    expect(order).not.toHaveProperty("paymentState");
    provider.pay(reference);
    await settlePayment(reference);
    expect(await locked()).toMatchObject({
      payment: { state: "paid", paidKobo: String(kobo), paidCurrency: "NGN" },
      hasBoughtSince: true,
    });
  });

  test("cannot be had for an unknown reference, nor a cart for an unknown shopper", async () => {
    await expect(inOne((trx) => lockOrder(trx, "no such reference"))).rejects.toThrow("no payment no such reference");
    expect(await inOne((trx) => lockCart(trx, "nobody"))).toBeUndefined();
    const { user } = await oneBuyer();
    expect(await inOne((trx) => lockCart(trx, user.id))).toEqual({ version: "1" });
  });

  test("can be the shopper's live one, with whether it has expired", async () => {
    const { user, payment } = await oneBuyer();
    const live = () => inOne((trx) => lockLiveOrder(trx, user.id));
    expect(await live()).toMatchObject({ id: payment.orderId, expired: false });
    await expire(payment.orderId);
    expect(await live()).toMatchObject({ id: payment.orderId, expired: true });
    await inOne((trx) => releaseOrder(trx, payment.orderId));
    expect(await live()).toBeUndefined();
  });
});

test("an order moves only if its state accepts the event, and its stock is released once", async () => {
  const { user, payment, productId } = await oneBuyer();
  const move = (event: Parameters<typeof moveOrder>[2]) => inOne((trx) => moveOrder(trx, payment.orderId, event));
  expect(await move("wait")).toBe(true);
  await inOne((trx) => releaseOrder(trx, payment.orderId));
  expect([await statesOf(user), await stockOf(productId)]).toEqual([["released"], { sold: 0, reserved: 0, onHand: 1 }]);
  await inOne((trx) => releaseOrder(trx, payment.orderId));
  expect(await stockOf(productId)).toEqual({ sold: 0, reserved: 0, onHand: 1 });
  expect([await move("wait"), await statesOf(user)]).toEqual([false, ["released"]]);
  expect(await inOne((trx) => moveOrder(trx, "00000000-0000-4000-8000-000000000000", "release"))).toBe(false);
});

test("a sold order keeps its stock, whatever tries to release it", async () => {
  const { user, payment, productId } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  await inOne((trx) => releaseOrder(trx, payment.orderId));
  expect([await statesOf(user), await stockOf(productId)]).toEqual([["sold"], { sold: 1, reserved: 0, onHand: 0 }]);
});

test.each([
  ["before its time", "-1 minute", undefined, "open"],
  ["after it", "1 second", undefined, "released"],
  ["within the grace", "30 seconds", 60_000, "open"],
  ["after the grace", "61 seconds", 60_000, "released"],
])("an order is released when it has expired: %s", async (_, by, grace, state) => {
  const { user, payment } = await oneBuyer();
  await expire(payment.orderId, by);
  await inOne((trx) => releaseExpired(trx, payment.orderId, grace));
  expect(await statesOf(user)).toEqual([state]);
});

test("the newest order fills in the next form, without the fields that the shop has added", async () => {
  const { user } = await oneBuyer(3);
  expect(await lastShipping(db(), (await makeShopper(db())).id)).toBeUndefined();
  expect(await lastShipping(db(), user.id)).toMatchObject({ firstName: "Ada", address: lagosForm.address });
  await open(user, { form: { ...lagosForm, address: "5 Marina Road" } });
  const form = await lastShipping(db(), user.id);
  expect(form).toMatchObject({ firstName: "Ada", state: "Lagos", address: "5 Marina Road" });
  for (const added of ["shippingCost", "shippingRate", "location"]) expect(form).not.toHaveProperty(added);
});

describe("a next order", () => {
  test("can have the stock of the live one, which is released", async () => {
    const [first, second] = [await makeProduct(db(), { M: 2 }), await makeProduct(db(), { M: 1 })];
    const user = await makeShopper(db(), { productId: first, size: "M" });
    const { orderId } = await open(user);
    const available = await inOne(async (trx) => {
      const live = await lockLiveOrder(trx, user.id);
      if (!live) throw new Error("no live order");
      const units = [first, second].map((productId) => ({ productId, size: "M", quantity: 1 }));
      await makeRoom(trx, units, live);
      return units.map(await lockSizes(trx, units));
    });
    expect(available).toEqual([2, 1]);
    expect([await statesOf(user), orderId.length]).toEqual([["released"], 36]);
  });

  test("locks all sizes in a fixed order before it releases any", async () => {
    const ids = [await makeProduct(db(), { M: 1 }), await makeProduct(db(), { M: 1 })].toSorted();
    const [first = "", second = ""] = ids;
    const user = await makeShopper(db(), { productId: second, size: "M" });
    await open(user);
    const lock = (productId: string, trx: Transaction) =>
      sql`select from product_sizes where product_id = ${productId} for update nowait`.execute(trx);
    let room: Promise<unknown> = Promise.resolve();
    await inOne(async (rival) => {
      await lock(first, rival);
      room = inOne(async (trx) => {
        const live = await lockLiveOrder(trx, user.id);
        if (live) await makeRoom(trx, [{ productId: first, size: "M", quantity: 1 }], live);
      });
      await expect.poll(blocked).toBe(1);
      await lock(second, rival);
    });
    await room;
    expect(await statesOf(user)).toEqual(["released"]);
  });
});

import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { storeRate } from "#app/catalog/rates.server.ts";
import { parseRate } from "#app/money/exchange-rate.ts";
import { renderers } from "#app/orders/emails.tsx";
import { lockOrder } from "#app/orders/lifecycle.server.ts";
import type { RefundMail } from "#app/orders/mail-data.ts";
import { SOLD_LATE_WITHIN } from "#app/orders/time-limits.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { isPaidLate, lateRefusal } from "./late.server.ts";
import type { OpenedPayment } from "./outcomes.ts";
import { reconcileDue } from "./reconcile.server.ts";
import { settlePayment } from "./settle.server.ts";
import { closePayment } from "./status.server.ts";

const { db, provider, open, oneBuyer, stockOf, salesOf, statesOf, refundOf, issuesOf } = useCheckout();

type Bought = Awaited<ReturnType<typeof oneBuyer>>;

afterEach(async () => {
  await db().deleteFrom("exchangeRates").execute();
  await db().updateTable("shippingRates").set({ rateCents: 350 }).where("name", "=", "Lagos").execute();
});

/**
 * A shopper who started an order and closed the payment window. The order's stock is released, but its payment page can
 * still be paid.
 */
async function abandoned(stock = 1): Promise<Bought> {
  const bought = await oneBuyer(stock);
  await closePayment(db(), bought.user.id, bought.payment.reference);
  return bought;
}

async function payNow({ reference }: OpenedPayment): Promise<string> {
  provider.pay(reference);
  return (await settlePayment(reference)).outcome;
}

const setPrice = (productId: string, priceCents: number) =>
  db().updateTable("products").set({ priceCents }).where("id", "=", productId).execute();
const setRate = async (text: string) => {
  const rate = parseRate(text);
  if (rate) await storeRate(db(), rate, "test");
};
const setShipping = (rateCents: number) =>
  db().updateTable("shippingRates").set({ rateCents }).where("name", "=", "Lagos").execute();

async function orderedAgo(orderId: string, time: string): Promise<void> {
  await db()
    .updateTable("orders")
    .set({ createdAt: sql`created_at - ${time}::interval`, expiresAt: sql`expires_at - ${time}::interval` })
    .where("id", "=", orderId)
    .execute();
}

async function mailOf({ reference }: OpenedPayment) {
  const { kind, data } = await db()
    .selectFrom("outbox")
    .select(["kind", "data"])
    .where("kind", "=", "refund-started")
    .where(sql<boolean>`data ->> 'reference' = ${reference}`)
    .executeTakeFirstOrThrow();
  return renderers[kind]?.(data as RefundMail);
}

describe("F26 an order that was released and is paid after all", () => {
  test.each([
    ["nothing has changed", async () => undefined],
    ["everything costs less", (productId: string) => Promise.all([setPrice(productId, 2499), setRate("1500")])],
    [
      "what rose is made up for by what fell",
      (productId: string) => Promise.all([setPrice(productId, 5349), setShipping(0)]),
    ],
  ])("is sold at the paid sum if %s", async (_, change) => {
    const { productId, user, payment } = await abandoned();
    await change(productId);
    expect(await payNow(payment)).toBe("sold");
    expect(await salesOf(user)).toMatchObject([{ kobo: String(payment.kobo) }]);
    expect(await stockOf(productId)).toMatchObject({ sold: 1, reserved: 0 });
  });

  test.each([
    ["F20 the price has risen by a cent", (productId: string) => setPrice(productId, 5000)],
    ["F21 the rate has risen", () => setRate("1600.5")],
    ["delivery costs more", () => setShipping(351)],
  ])("is refunded if %s", async (_, change) => {
    const { productId, user, payment } = await abandoned();
    await change(productId);
    expect(await payNow(payment)).toBe("refunding");
    expect(await salesOf(user)).toEqual([]);
    expect(await statesOf(user)).toEqual(["refunding"]);
    expect(await stockOf(productId)).toEqual({ sold: 0, reserved: 0, onHand: 1 });
    expect(await refundOf(payment.reference)).toMatchObject({ reason: "price-risen", kobo: String(payment.kobo) });
    expect(await issuesOf(payment.reference)).toEqual(["price-risen"]);
  });

  test("is refunded alone: another attempt at the same order was never paid, so it has no refund", async () => {
    const productId = await makeProduct(db(), { M: 1 });
    const user = await makeShopper(db(), { productId, size: "M" });
    // The response to the first attempt is lost, so the order gets a second payment.
    provider.faulty({ on: "initialize", drop: true });
    const payment = await open(user);
    provider.faultless();
    const attempts = await db()
      .selectFrom("payments")
      .select("reference")
      .where("orderId", "=", payment.orderId)
      .execute();
    await closePayment(db(), user.id, payment.reference);
    await setPrice(productId, 5000);
    expect(await payNow(payment)).toBe("refunding");
    const others = attempts.filter(({ reference }) => reference !== payment.reference);
    expect(others).toHaveLength(1);
    for (const { reference } of others) expect((await refundWished(db(), reference))?.ok ?? false).toBe(false);
  });

  test("is sold within a day of the order, and refunded after that", async () => {
    const [yesterday, before] = [await abandoned(), await abandoned()];
    await orderedAgo(yesterday.payment.orderId, "23 hours 59 minutes");
    await orderedAgo(before.payment.orderId, "24 hours 1 minute");
    expect(await payNow(yesterday.payment)).toBe("sold");
    expect(await payNow(before.payment)).toBe("refunding");
    expect(await refundOf(before.payment.reference)).toMatchObject({ reason: "too-late" });
  });

  test("is refunded if the time of payment is unknown and the price has risen", async () => {
    const { productId, payment } = await abandoned();
    await setPrice(productId, 5000);
    provider.pay(payment.reference, { paid_at: null });
    expect(await settlePayment(payment.reference)).toEqual({ outcome: "refunding" });
  });

  test.each([
    [
      "the product",
      (productId: string) => [
        sql`delete from product_sizes where product_id = ${productId}`,
        sql`delete from products where id = ${productId}`,
      ],
    ],
    ["the size", (productId: string) => [sql`delete from product_sizes where product_id = ${productId}`]],
  ])("is refunded if %s is gone", async (_, removals) => {
    const { productId, payment } = await abandoned();
    for (const removal of removals(productId)) await removal.execute(db());
    expect(await payNow(payment)).toBe("refunding");
    expect(await refundOf(payment.reference)).toMatchObject({ reason: "out-of-stock" });
  });

  test("F20 keeps its sum if it was paid before the release, while the provider could not be reached", async () => {
    const { productId, user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    await db()
      .updateTable("orders")
      .set({ expiresAt: sql`now() - interval '1 day'` })
      .where("id", "=", payment.orderId)
      .execute();
    provider.faulty({ on: "verify", status: 502, body: "<html>" });
    await reconcile(payment.reference);
    expect(await statesOf(user)).toEqual(["released"]);
    await setPrice(productId, 59_999);
    expect((await settlePayment(payment.reference)).outcome).toBe("sold");
  });

  test.each([
    ["price-risen", "has risen"],
    ["too-late", "more than a day"],
    ["out-of-stock", "some had sold out"],
  ])("is explained by a mail with the reason and a link to the cart: %s", async (reason, why) => {
    const { productId, payment } = await abandoned();
    if (reason === "price-risen") await setPrice(productId, 59_999);
    if (reason === "too-late") await orderedAgo(payment.orderId, "2 days");
    if (reason === "out-of-stock")
      await db().updateTable("productSizes").set({ supplied: 0 }).where("productId", "=", productId).execute();
    expect(await payNow(payment)).toBe("refunding");
    const mail = await mailOf(payment);
    expect(mail?.text).toContain(why);
    expect(mail?.text).toContain("http://localhost:3000/Cart");
  });

  test("leaves the shopper's newer order alone if it is too old", async () => {
    const { user, payment } = await abandoned(3);
    await orderedAgo(payment.orderId, "2 days");
    const newer = await open(user);
    expect(await payNow(payment)).toBe("refunding");
    expect(await statesOf(user)).toEqual(["refunding", "open"]);
    expect(await payNow(newer)).toBe("sold");
  });
});

async function reconcile(reference: string): Promise<void> {
  await db().updateTable("payments").set({ nextCheckAt: sql`now()` }).where("reference", "=", reference).execute();
  await reconcileDue(db(), 1);
}

test("at the exact limits: paid at the release is late, and paid a day after the order is not too late", async () => {
  const { payment } = await abandoned();
  await db()
    .transaction()
    .execute(async (trx) => {
      const locked = await lockOrder(trx, payment.reference);
      const { order } = locked;
      const at = (time: number) => ({ paidAt: new Date(time).toISOString() });
      const released = Number(order.releasedAt);
      expect([released - 1, released].map((time) => isPaidLate(order, at(time)))).toEqual([false, true]);
      const last = order.createdAt.getTime() + SOLD_LATE_WITHIN;
      expect(await lateRefusal(trx, locked, at(last))).toBeUndefined();
      expect(await lateRefusal(trx, locked, at(last + 1))).toBe("too-late");
    });
});

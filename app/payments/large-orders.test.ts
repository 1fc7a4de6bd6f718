import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { env } from "#app/infra/env.server.ts";
import { quote } from "#app/orders/quote.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { lagosForm, makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { shortText } from "./problem-text.ts";
import { settlePayment } from "./settle.server.ts";
import { closePayment } from "./status.server.ts";

const { db, provider, pay, open, stockOf, salesOf, statesOf, refundOf, expire, catchUp } = useCheckout();

const ALL_THE_SAME = { agreesToNoHold: true };

/** A shopper whose cart has `pieces` pieces in two sizes, all in stock. */
async function wanting(pieces: number): Promise<{ productId: string; user: Shopper }> {
  const productId = await makeProduct(db(), { M: 100, L: 1 });
  const user = await makeShopper(db(), { productId, size: "M", quantity: pieces - 1 }, { productId, size: "L" });
  return { productId, user };
}

/** Lets an order of the shopper lapse unpaid. */
async function lapse(user: Shopper): Promise<void> {
  const { reference } = await open(user, ALL_THE_SAME);
  await closePayment(db(), user.id, reference);
}

const reservedOf = async (productId: string) => {
  const { reserved } = await db()
    .selectFrom("productSizes")
    .select(({ fn }) => fn.sum<string>("reserved").as("reserved"))
    .where("productId", "=", productId)
    .executeTakeFirstOrThrow();
  return Number(reserved);
};

async function settleNow(reference: string): Promise<string> {
  provider.pay(reference);
  return (await settlePayment(reference)).outcome;
}

describe("F29 an order of more pieces than the shop reserves", () => {
  test("reserves nothing, to which its shopper has to agree", async () => {
    const { productId, user } = await wanting(51);
    expect(await pay(user)).toEqual({ ok: false, problem: "holds-nothing", unheld: "stock" });
    expect(await statesOf(user)).toEqual([]);
    const { reference } = await open(user, ALL_THE_SAME);
    expect(await reservedOf(productId)).toBe(0);
    expect(await settleNow(reference)).toBe("sold");
    expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
    expect((await salesOf(user)).length).toBe(1);
    const ofUser = db().selectFrom("orders").select("releasedAt").where("userId", "=", user.id);
    expect(await ofUser.execute()).toEqual([{ releasedAt: null }]);
  });

  test("is announced in the quote; an order of fifty pieces is not, and reserves them", async () => {
    const [large, small] = [await wanting(51), await wanting(50)];
    expect(await quote(db(), large.user.id)).toMatchObject({ unheld: "stock" });
    expect(await quote(db(), small.user.id)).not.toHaveProperty("unheld");
    await open(small.user);
    expect(await reservedOf(small.productId)).toBe(50);
  });

  test("is refunded as a whole if one of its pieces is gone by then", async () => {
    const { productId, user } = await wanting(51);
    const { reference } = await open(user, ALL_THE_SAME);
    const other = await open(await makeShopper(db(), { productId, size: "L" }));
    expect(await settleNow(reference)).toBe("refunding");
    expect(await refundOf(reference)).toMatchObject({ reason: "out-of-stock" });
    expect(await reservedOf(productId)).toBe(1);
    expect(await settleNow(other.reference)).toBe("sold");
  });

  test("keeps its sum for its time, and after that costs no less than today", async () => {
    const [inTime, late] = [await wanting(51), await wanting(51)];
    const payments = [await open(inTime.user, ALL_THE_SAME), await open(late.user, ALL_THE_SAME)];
    const [first = "", second = ""] = payments.map(({ reference }) => reference);
    await expire(payments[1]?.orderId ?? "");
    await catchUp(second);
    await db().updateTable("products").set({ priceCents: 5000 }).execute();
    expect([await settleNow(first), await settleNow(second)]).toEqual(["sold", "refunding"]);
    expect(await refundOf(second)).toMatchObject({ reason: "price-risen" });
  });

  test("is opened again unchanged, and replaced by a smaller order that reserves its pieces", async () => {
    const { productId, user } = await wanting(51);
    const payment = await open(user, ALL_THE_SAME);
    expect(await open(user)).toEqual(payment);
    await db()
      .updateTable("cartLines")
      .set({ quantity: 3 })
      .where("userId", "=", user.id)
      .where("size", "=", "M")
      .execute();
    await db().updateTable("carts").set({ version: sql<number>`version + 1` }).where("userId", "=", user.id).execute();
    await open(user);
    expect(await statesOf(user)).toEqual(["released", "open"]);
    expect(await reservedOf(productId)).toBe(4);
  });

  test("is refused like any other if stock is short or the sum has changed, with the notice", async () => {
    const { productId, user } = await wanting(51);
    expect(await pay(user, { agreedKobo: 100 })).toMatchObject({ problem: "stale-total", unheld: "stock" });
    await db()
      .updateTable("productSizes")
      .set({ supplied: 49 })
      .where("productId", "=", productId)
      .where("size", "=", "M")
      .execute();
    expect(await pay(user, ALL_THE_SAME)).toMatchObject({ problem: "out-of-stock" });
  });
});

describe("F29 three orders of an account that lapsed within a day", () => {
  test("make later orders reserve nothing; two do not, nor do those of the day before", async () => {
    const { productId, user } = await wanting(2);
    for (let i = 0; i < 2; i++) await lapse(user);
    expect(await quote(db(), user.id)).not.toHaveProperty("unheld");
    await lapse(user);
    expect(await quote(db(), user.id)).toMatchObject({ unheld: "stock" });
    expect(await pay(user)).toEqual({ ok: false, problem: "holds-nothing", unheld: "stock" });
    await open(user, ALL_THE_SAME);
    expect(await reservedOf(productId)).toBe(0);

    await db()
      .updateTable("orders")
      .set({ createdAt: sql`created_at - interval '25 hours'` })
      .where("userId", "=", user.id)
      .execute();
    await open(user, { form: { ...lagosForm, address: "2 Marina" } });
    expect(await reservedOf(productId)).toBe(2);
  });

  test("do not count if they were paid, or never opened at the provider", async () => {
    const { productId, user } = await wanting(2);
    provider.faulty({ on: "initialize", times: 6, before: true, drop: true });
    for (let i = 0; i < 3; i++) expect(await pay(user)).toMatchObject({ problem: "payment-unavailable" });
    await lapse(user);
    await lapse(user);
    const { reference } = await open(user);
    expect(await settleNow(reference)).toBe("sold");
    await db()
      .insertInto("cartLines")
      .values({ userId: user.id, productId, size: "M", color: "Green", quantity: 1, priceCents: 4999 })
      .execute();
    expect(await quote(db(), user.id)).not.toHaveProperty("unheld");
  });

  test("do not affect other accounts", async () => {
    const { productId, user } = await wanting(2);
    for (let i = 0; i < 3; i++) await lapse(user);
    await open(await makeShopper(db(), { productId, size: "M" }));
    expect(await reservedOf(productId)).toBe(1);
  });
});

describe("the owner's settings", () => {
  const { HOLD_AT_MOST } = env;
  afterEach(() => {
    Object.assign(env, { HOLD_AT_MOST, MOST_OF_A_SIZE: undefined });
  });

  test("HOLD_AT_MOST is the most pieces that an order reserves", async () => {
    env.HOLD_AT_MOST = 2;
    expect(await pay((await wanting(3)).user)).toEqual({ ok: false, problem: "holds-nothing", unheld: "stock" });
    expect(await pay((await wanting(2)).user)).toMatchObject({ ok: true });
  });

  test("MOST_OF_A_SIZE, if it is set, caps what the checkout shows and charges for a larger cart", async () => {
    const { user } = await wanting(14);
    env.MOST_OF_A_SIZE = 11;
    const { lines, short, sums } = await quote(db(), user.id);
    const bought = [{ quantity: 11 }, { quantity: 1 }];
    expect(lines.toSorted((a, b) => b.quantity - a.quantity)).toMatchObject(bought);
    expect(shortText(short)).toBe("Of Home Jersey in M at most 11 can be bought in one order.");
    expect(await pay(user, { shownCents: sums.subtotalCents })).toMatchObject({ ok: true });
    const order = await db().selectFrom("orders").select("lines").where("userId", "=", user.id).executeTakeFirst();
    expect(order?.lines.toSorted((a, b) => b.quantity - a.quantity)).toMatchObject(bought);
  });

  test("MOST_OF_A_SIZE, if it is set, refuses more of a size in one order; otherwise the stock is the limit", async () => {
    const { user } = await wanting(13);
    env.MOST_OF_A_SIZE = 11;
    const refused = { ok: false, problem: "too-many", lines: [{ size: "M", quantity: 12 }], limit: 11 };
    expect(await pay(user)).toMatchObject(refused);
    env.MOST_OF_A_SIZE = undefined;
    expect(await pay(user)).toMatchObject({ ok: true });
  });
});

test("a cart whose sum no order can store is quoted, and its payment is refused with a message", async () => {
  const productId = await makeProduct(db(), { M: 999_999 });
  const user = await makeShopper(db(), { productId, size: "M", quantity: 999_999 });
  expect(await quote(db(), user.id)).toMatchObject({ short: [], sums: { subtotalCents: 999_999 * 4999 } });
  expect(await pay(user, ALL_THE_SAME)).toEqual({ ok: false, problem: "payment-refused" });
});

test.each([
  ["the most that an order can hold is paid", 2 ** 31 - 1, { ok: true }],
  ["a cent more is refused", 2 ** 31, { ok: false, problem: "payment-refused" }],
])("a sum of %s", async (_, cents, answer) => {
  const productId = await makeProduct(db(), { M: 1 }, cents - 350);
  expect(await pay(await makeShopper(db(), { productId, size: "M" }))).toMatchObject(answer);
});

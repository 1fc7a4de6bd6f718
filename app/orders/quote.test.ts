import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { storeRate } from "#app/catalog/rates.server.ts";
import { env } from "#app/infra/env.server.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { closePayment } from "#app/payments/status.server.ts";
import type { ProductImage, ShippingDetails } from "#db/types.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { lagosForm, makeProduct, makeShopper, type Shopper, setStock } from "#tests/support/shop.ts";
import { basisOf, quote, readCart, readRatesNow, sumsToday } from "./quote.server.ts";

const { db, provider, open, oneBuyer } = useCheckout();

const seen = async (user: Shopper) => {
  const { lines, availability, ...standing } = await readCart(db(), user.id);
  return { ...standing, lines: lines.map((line) => [line.size, line.quantity, availability(line)]) };
};
const change = (
  productId: string,
  set: { hidden?: boolean; finalSale?: boolean; priceCents?: number; images?: string },
) => db().updateTable("products").set(set).where("id", "=", productId).execute();

describe("a shopper's cart", () => {
  test("without lines has no quote, and no other orders", async () => {
    expect(await seen(await makeShopper(db()))).toEqual({ hasLiveOrder: false, lapsedOrders: 0, lines: [] });
  });

  test("has its lines in the order of their addition, at today's prices", async () => {
    const productId = await makeProduct(db(), { M: 3, L: 1 });
    const user = await makeShopper(db(), { productId, size: "M", quantity: 2 }, { productId, size: "L" });
    const picture: ProductImage = { hash: "first", width: 8, height: 10, alt: "Front", background: "#fff" };
    const images = JSON.stringify([picture, { ...picture, hash: "second" }]);
    await change(productId, { priceCents: 5999, images, finalSale: true });
    const line = { productId, title: "Home Jersey", color: "Green", priceCents: 5999, image: picture, finalSale: true };
    const { lines } = await readCart(db(), user.id);
    expect(lines).toEqual([
      { ...line, size: "M", quantity: 2 },
      { ...line, size: "L", quantity: 1 },
    ]);
    await change(productId, { images: "[]", finalSale: false });
    const [plain] = (await readCart(db(), user.id)).lines;
    expect(plain).toEqual({ ...line, size: "M", quantity: 2, image: null, finalSale: undefined });
    expect(plain).not.toHaveProperty("finalSale");
  });

  test("can have the unreserved stock, and nothing of products that are not for sale", async () => {
    const productId = await makeProduct(db(), { M: 3 });
    await open(await makeShopper(db(), { productId, size: "M" }));
    const user = await makeShopper(db(), { productId, size: "M" }, { productId, size: "XL" });
    const cart = (m: number) => ({
      hasLiveOrder: false,
      lapsedOrders: 0,
      lines: [
        ["M", 1, m],
        ["XL", 1, 0],
      ],
    });
    expect(await seen(user)).toEqual(cart(2));
    await change(productId, { hidden: true });
    expect(await seen(user)).toEqual(cart(0));
  });

  test("can have what its own live order has reserved, and knows that order and the lapsed ones", async () => {
    const { user, payment } = await oneBuyer(1);
    const one = { lapsedOrders: 0, lines: [["M", 1, 1]] };
    expect(await seen(user)).toEqual({ ...one, hasLiveOrder: true });
    await closePayment(db(), user.id, payment.reference);
    expect(await seen(user)).toEqual({ ...one, hasLiveOrder: false, lapsedOrders: 1 });
  });
});

describe("a quote", () => {
  afterEach(() => {
    Object.assign(env, { MOST_OF_A_SIZE: undefined });
  });

  test("leaves out unavailable pieces, and names each with the available number", async () => {
    const productId = await makeProduct(db(), { M: 2, L: 0 });
    const user = await makeShopper(db(), { productId, size: "M", quantity: 3 }, { productId, size: "L" });
    const { lines, short, sums, rate, unheld } = await quote(db(), user.id);
    expect(lines).toMatchObject([{ size: "M", quantity: 2 }]);
    const title = "Home Jersey";
    expect(short).toEqual([
      { productId, size: "M", quantity: 3, available: 2, title },
      { productId, size: "L", quantity: 1, available: 0, title },
    ]);
    expect(sums).toEqual({ subtotalCents: 9998, shippingCents: 0, totalCents: 9998, kobo: 15_996_800 });
    expect([rate, unheld]).toEqual([1_600_000_000n, undefined]);
  });

  test("says if the owner's limit is the reason, and not the stock", async () => {
    const productId = await makeProduct(db(), { M: 9, L: 4 });
    const user = await makeShopper(db(), { productId, size: "M", quantity: 7 }, { productId, size: "L", quantity: 7 });
    env.MOST_OF_A_SIZE = 5;
    const { short } = await quote(db(), user.id);
    expect(short).toMatchObject([
      { size: "M", available: 5, isLimit: true },
      { size: "L", available: 4 },
    ]);
    expect(short[1]).not.toHaveProperty("isLimit");
  });
});

test("a place to which the shop does not deliver has no basis", async () => {
  const now = await readRatesNow(db());
  expect(basisOf(now, { kind: "home", state: "Lagos" })).toMatchObject({
    rate: 1_600_000_000n,
    rateAt: expect.any(Date),
    shippingCents: 350,
  });
  expect(basisOf(now, { kind: "pickup", center: "Nowhere" })).toBeUndefined();
});

test("a rate that the owner changes applies from then on", async () => {
  const toLagos = async () => basisOf(await readRatesNow(db()), { kind: "home", state: "Lagos" });
  const before = await toLagos();
  const lagos = db().updateTable("shippingRates").where("name", "=", "Lagos").where("kind", "=", "state");
  await lagos.set({ rateCents: 425 }).execute();
  expect(await toLagos()).toEqual({ ...before, rateAt: expect.any(Date), shippingCents: 425 });
  await lagos.set({ rateCents: 350 }).execute();
  await storeRate(db(), 1_700_000_000n as Rate, "a test");
  expect(await toLagos()).toMatchObject({ rate: 1_700_000_000n, shippingCents: 350 });
  await db().deleteFrom("exchangeRates").where("source", "=", "a test").execute();
});

describe("the sums of an order's pieces today", () => {
  const shipping = { ...lagosForm, shippingCost: "1.00", shippingRate: "1.00" } as ShippingDetails;
  async function ordered() {
    const [first, second] = [await makeProduct(db(), { M: 3 }), await makeProduct(db(), { M: 3 }, 1000)];
    const user = await makeShopper(
      db(),
      { productId: first, size: "M", quantity: 2 },
      { productId: second, size: "M" },
    );
    return { first, second, lines: (await readCart(db(), user.id)).lines, createdAt: new Date() };
  }

  test("have today's prices, rates and delivery, whatever is in stock", async () => {
    const { first, ...order } = await ordered();
    await change(first, { priceCents: 5000 });
    await setStock(db(), first, "M", 0);
    expect(await sumsToday(db(), { ...order, shipping })).toEqual({
      subtotalCents: 11_000,
      shippingCents: 350,
      totalCents: 11_350,
      kobo: 18_160_000,
    });
  });

  test("have the sale prices of the moment of Pay, based on today's normal prices", async () => {
    const { first, second, ...order } = await ordered();
    await sql`insert into sale_prices (plan_id, product_id, percent, starts_at, ends_at) values
      (gen_random_uuid(), ${first}, 20, now() - interval '1 hour', now()),
      (gen_random_uuid(), ${second}, 20, now() + interval '1 hour', null)`.execute(db());
    await change(first, { priceCents: 5000 });
    const createdAt = new Date(Date.now() - 60_000);
    expect(await sumsToday(db(), { ...order, shipping, createdAt })).toMatchObject({ subtotalCents: 9000 });
    expect(await sumsToday(db(), { ...order, shipping, createdAt: new Date() })).toMatchObject({
      subtotalCents: 11_000,
    });
  });

  test.each<[string, (order: Awaited<ReturnType<typeof ordered>>) => unknown, Partial<ShippingDetails>]>([
    ["if one of them is not for sale", ({ second }) => change(second, { hidden: true }), {}],
    [
      "if none of the products exists",
      ({ lines }) => lines.map((line) => Object.assign(line, { productId: "gone" })),
      {},
    ],
    ["if the shop no longer delivers there", () => undefined, { country: "Atlantis" }],
    ["if the center no longer exists", () => undefined, { deliveryType: "Pick-up", pickupCenter: "Nowhere" }],
  ])("are undefined %s", async (_, happens, to) => {
    const order = await ordered();
    await happens(order);
    expect(await sumsToday(db(), { ...order, shipping: { ...shipping, ...to } })).toBeUndefined();
  });
});

test("an order keeps its fixed prices, and a sold cart is empty", async () => {
  const { user, payment, productId } = await oneBuyer();
  await change(productId, { priceCents: 5999 });
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  expect((await quote(db(), user.id)).lines).toEqual([]);
});

import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { storeRate } from "#app/catalog/rates.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { parseRate } from "#app/money/exchange-rate.ts";
import { quote } from "#app/orders/quote.server.ts";
import { paystack as shopsProvider } from "#app/paystack/provider.server.ts";
import { PICK_UP } from "#app/shipping/shipping.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { Crashed, crashingDb } from "#tests/support/crashing-db.ts";
import { lagosForm, makeProduct, makeShopper, orderBy, putInCart } from "#tests/support/shop.ts";
import { settlePayment } from "./settle.server.ts";
import { startPayment } from "./start.server.ts";

const { db, url, provider, pay, open, oneBuyer, stockOf, cartOf, statesOf, salesOf, expire } = useCheckout();

type Shopper = Parameters<typeof pay>[0];
type Asked = Parameters<typeof pay>[1];
const opened = () => provider.calls.filter((call) => call.startsWith("POST /transaction/initialize"));

test("reserves the stock, fixes the sums and opens the payment", async () => {
  const { productId, payment } = await oneBuyer();
  expect(payment.kobo).toBe(8_558_400); // ($49.99 + $3.50) x 1600
  expect(await stockOf(productId)).toEqual({ sold: 0, reserved: 1, onHand: 1 });
  const order = await db().selectFrom("orders").selectAll().where("id", "=", payment.orderId).executeTakeFirst();
  expect(order).toMatchObject({ state: "open", subtotalCents: 4999, shippingCents: 350, rate: "1600.000000" });
  expect(order?.shipping).toMatchObject({ shippingCost: "3.50", location: "Lagos", deliveryType: "Home Delivery" });
  const reservedFor = Number(order?.expiresAt) - Number(order?.createdAt);
  expect(Math.round(reservedFor / MINUTE)).toBe(15);
});

test.each([
  ["a state", { destination: { kind: "home", state: "Lagos" } }, "Lagos", "3.50"],
  [
    "a pick-up center",
    {
      form: { ...lagosForm, deliveryType: PICK_UP, state: "", pickupCenter: "Surulere" },
      destination: { kind: "pickup", center: "Surulere" },
    },
    "Surulere",
    "2.00",
  ],
  [
    "a country",
    { form: { ...lagosForm, country: "Ghana", deliveryType: "" }, destination: { kind: "abroad", country: "GH" } },
    "Ghana",
    "14.00",
  ],
] as const)("writes down where an order for %s goes, and what its way costs", async (_, change, location, cost) => {
  const user = await makeShopper(db(), { productId: await makeProduct(db(), { M: 1 }), size: "M" });
  await open(user, change);
  const order = await db().selectFrom("orders").select("shipping").where("userId", "=", user.id).executeTakeFirst();
  const form = "form" in change ? change.form : lagosForm;
  expect(order?.shipping).toEqual({ ...form, location, shippingCost: cost, shippingRate: cost });
});

describe("the payload of the card payment", () => {
  type Payload = { metadata: { referrer: string; custom_fields: { variable_name: string; value: string }[] } };
  const payloadOf = async (referrer?: string) => {
    const user = await makeShopper(db(), { productId: await makeProduct(db(), { M: 1 }), size: "M" });
    await pay(user, { referrer });
    return provider.bodies.at(-1) as Payload;
  };

  test("name and phone reach the provider, as custom fields and as the customer's", async () => {
    const payload = await payloadOf();
    expect(payload).toMatchObject({ first_name: "Ada", last_name: "Obi", phone: "08031234567" });
    const fields = payload.metadata.custom_fields.map(({ variable_name, value }) => [variable_name, value]);
    expect(fields).toContainEqual(["customer_name", "Ada Obi"]);
    expect(fields).toContainEqual(["phone", "08031234567"]);
  });

  test("what was bought, how much of it, where it goes and what its way costs are on the provider's dashboard", async () => {
    const productId = await makeProduct(db(), { M: 2, L: 1 });
    const user = await makeShopper(db(), { productId, size: "M", quantity: 2 }, { productId, size: "L" });
    const { reference } = await open(user);
    const field = (display_name: string, variable_name: string, value: string) => ({
      display_name,
      variable_name,
      value,
    });
    expect(provider.bodies.at(-1)).toMatchObject({
      callback_url: new URL("/checkout/return", env.publicUrl).href,
      metadata: {
        cancel_action: `${new URL("/checkout/return", env.publicUrl).href}?reference=${reference}`,
        custom_fields: [
          field("Customer Name", "customer_name", "Ada Obi"),
          field("Phone", "phone", "08031234567"),
          field("Order Details", "order_details", "2 x Home Jersey (Green, M); 1 x Home Jersey (Green, L)"),
          field("Shipping Address", "shipping_address", "1 Broad Street, Lagos Island, Lagos, Nigeria"),
          field("Total Items", "total_items", "3"),
          field("Shipping Cost", "shipping_cost", "$3.50"),
        ],
      },
    });
  });

  test("payment provider metadata referrer URL truncated at 500 characters, and of this shop alone", async () => {
    const checkout = new URL("/checkout", env.publicUrl).href;
    const long = `${checkout}?utm_source=${"x".repeat(600)}`;
    expect((await payloadOf(long)).metadata.referrer).toBe(long.slice(0, 500));
    expect((await payloadOf("https://elsewhere.example/secret")).metadata.referrer).toBe(checkout);
    expect((await payloadOf()).metadata.referrer).toBe(checkout);
  });
});

describe("refuses, and reserves nothing", () => {
  test("S44 an address that is not verified", async () => {
    const user = await makeShopper(db(), { productId: await makeProduct(db(), { M: 1 }), size: "M" });
    expect(await pay({ ...user, emailVerified: false })).toEqual({ ok: false, problem: "not-verified" });
  });

  test("S42 another currency than naira", async () => {
    const user = await makeShopper(db(), { productId: await makeProduct(db(), { M: 1 }), size: "M" });
    expect(await pay(user, { currency: "USD" })).toEqual({ ok: false, problem: "not-naira" });
  });

  test("an empty cart", async () => {
    expect(await pay(await makeShopper(db()))).toEqual({ ok: false, problem: "empty-cart" });
  });

  test("F23 more than there is, saying how much there is", async () => {
    const productId = await makeProduct(db(), { M: 2 });
    const user = await makeShopper(db(), { productId, size: "M", quantity: 3 });
    const lines = [{ productId, size: "M", quantity: 3, available: 2, title: "Home Jersey" }];
    expect(await pay(user)).toEqual({ ok: false, problem: "out-of-stock", lines });
    expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
    expect(await statesOf(user)).toEqual([]);
  });

  test("F24 one size on two lines, together more than there is", async () => {
    const productId = await makeProduct(db(), { M: 3 });
    const user = await makeShopper(db(), { productId, size: "M", quantity: 2 });
    await db()
      .insertInto("cartLines")
      .values({ userId: user.id, productId, size: "M", color: "Grass", quantity: 2, priceCents: 1 })
      .execute();
    const lines = [{ quantity: 4, available: 3 }];
    expect(await pay(user)).toMatchObject({ ok: false, problem: "out-of-stock", lines });
  });

  test("F20 a price that has changed since the shopper agreed, with the new sums", async () => {
    const productId = await makeProduct(db(), { M: 1 }, 5000);
    const user = await makeShopper(db(), { productId, size: "M" });
    await db().updateTable("products").set({ priceCents: 6000 }).where("id", "=", productId).execute();
    expect(await pay(user, { agreedKobo: 8_560_000 })).toMatchObject({
      ok: false,
      problem: "stale-total",
      sums: { subtotalCents: 6000, kobo: 10_160_000 },
    });
  });
});

describe("F23 a cart that wants more than there is", () => {
  async function wanting(five: number, gone: number) {
    const [few, none, enough] = [
      await makeProduct(db(), { M: 2 }, 5000),
      await makeProduct(db(), { M: 0 }, 700),
      await makeProduct(db(), { M: 9 }, 3000),
    ];
    const user = await makeShopper(
      db(),
      { productId: few, size: "M", quantity: five },
      { productId: none, size: "M", quantity: gone },
      { productId: enough, size: "M" },
    );
    return { user, few, none, enough };
  }

  test("is quoted as the cart shows it: what can be had, and what cannot", async () => {
    const { user, few, none, enough } = await wanting(5, 1);
    const { lines, short, sums } = await quote(db(), user.id);
    expect(lines.map(({ productId, quantity }) => [productId, quantity])).toEqual([
      [few, 2],
      [enough, 1],
    ]);
    expect(short).toMatchObject([
      { productId: few, quantity: 5, available: 2, title: "Home Jersey" },
      { productId: none, quantity: 1, available: 0 },
    ]);
    expect(sums.subtotalCents).toBe(13_000);
  });

  test("can be paid for as it was shown, and for that sum alone; what was not bought stays in the cart", async () => {
    const { user, few, none, enough } = await wanting(5, 1);
    expect(await pay(user)).toMatchObject({ problem: "out-of-stock" });
    expect(await pay(user, { shownCents: 25_000 })).toMatchObject({ problem: "out-of-stock" });
    const payment = await open(user, { shownCents: 13_000 });
    expect(payment.kobo).toBe(21_360_000); // ($130 + $3.50) x 1600
    expect(await open(user, { shownCents: 13_000 })).toEqual(payment);
    // Pieces that the shopper's own order reserves still count as available to the shopper.
    expect((await quote(db(), user.id)).sums.subtotalCents).toBe(13_000);
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    expect(await cartOf(user)).toEqual(
      expect.arrayContaining([
        { productId: few, size: "M", quantity: 3 },
        { productId: none, size: "M", quantity: 1 },
      ]),
    );
    expect(await stockOf(enough)).toMatchObject({ sold: 1, reserved: 0 });
  });

  test("is another order when more has come and was shown", async () => {
    const productId = await makeProduct(db(), { M: 2 }, 5000);
    const user = await makeShopper(db(), { productId, size: "M", quantity: 5 });
    expect(await open(user, { shownCents: 10_000 })).toMatchObject({ kobo: 16_560_000 });
    await db().updateTable("productSizes").set({ supplied: 5 }).where("productId", "=", productId).execute();
    expect(await open(user, { shownCents: 25_000 })).toMatchObject({ kobo: 40_560_000 });
    expect(await statesOf(user)).toEqual(["released", "open"]);
  });

  test("of which nothing is left is refused, whatever was shown", async () => {
    const user = await makeShopper(db(), { productId: await makeProduct(db(), { M: 0 }), size: "M" });
    expect(await pay(user, { shownCents: 0 })).toMatchObject({ problem: "out-of-stock" });
  });
});

test("F23 S46 of 50 buyers for 5 units 5 are served, and 45 are told clearly before they pay", async () => {
  const productId = await makeProduct(db(), { M: 5 });
  const buyers = await Promise.all(Array.from({ length: 50 }, () => makeShopper(db(), { productId, size: "M" })));
  const answers = await Promise.all(buyers.map((buyer) => pay(buyer)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(5);
  expect(answers.filter((answer) => !answer.ok && answer.problem === "out-of-stock")).toHaveLength(45);
  expect(await stockOf(productId)).toEqual({ sold: 0, reserved: 5, onHand: 5 });
});

test("F23 a last piece that others take at each of three tries: the shopper is told to try again later", async () => {
  const productId = await makeProduct(db(), { M: 1 });
  const user = await makeShopper(db(), { productId, size: "M" });
  // A sequence is not rolled back, so it counts failed tries as well.
  await sql`create sequence tries`.execute(db());
  await sql`create function be_taken() returns trigger language plpgsql as $$
    begin perform nextval('tries'); perform refuse('taken meanwhile'); end $$`.execute(db());
  await sql`create trigger taken before insert on reservations for each row execute function be_taken()`.execute(db());
  expect(await pay(user)).toEqual({ ok: false, problem: "payment-unavailable" });
  const { rows } = await sql`select last_value from tries`.execute(db());
  expect(rows).toEqual([{ lastValue: "3" }]);
  await sql`drop trigger taken on reservations`.execute(db());
  expect(await pay(user)).toMatchObject({ ok: true });
});

test("F17 a database error fails the press, which is not retried", async () => {
  const user = await makeShopper(db(), { productId: await makeProduct(db(), { M: 1 }), size: "M" });
  const dying = crashingDb(url(), 5, "before");
  await expect(startPayment(dying.db, orderBy(user))).rejects.toThrow(Crashed);
  await dying.db.destroy();
  expect(await statesOf(user)).toEqual([]);
});

test("F19 carts with the same sizes in opposite orders do not lock each other out", async () => {
  const a = await makeProduct(db(), { M: 100, L: 100 });
  const b = await makeProduct(db(), { M: 100, L: 100 });
  const lines = [a, b].flatMap((productId) => ["M", "L"].map((size) => ({ productId, size })));
  const buyers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => makeShopper(db(), ...(i % 2 ? lines : lines.toReversed()))),
  );
  const answers = await Promise.all(buyers.map((buyer) => pay(buyer)));
  expect(answers.every(({ ok }) => ok)).toBe(true);
});

describe("the same order again", () => {
  test("F01 twenty presses on Pay are one order, one reference, twenty equal answers", async () => {
    const productId = await makeProduct(db(), { M: 1 });
    const user = await makeShopper(db(), { productId, size: "M" });
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(user)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.ok).toBe(true);
    expect(await statesOf(user)).toEqual(["open"]);
    expect(opened()).toHaveLength(1);
  });

  test("F20 F21 keeps its price and rate while it lasts", async () => {
    const { productId, user, payment } = await oneBuyer();
    await db().updateTable("products").set({ priceCents: 9999 }).where("id", "=", productId).execute();
    const rate = parseRate("1700");
    if (rate) await storeRate(db(), rate, "test");
    expect(await open(user)).toEqual(payment);
    expect(await open(user, { agreedKobo: payment.kobo })).toEqual(payment);
    await db().deleteFrom("exchangeRates").execute();
  });

  test("F21 takes the new sums when the shopper has agreed to them", async () => {
    const { productId, user, payment } = await oneBuyer();
    await db().updateTable("products").set({ priceCents: 5000 }).where("id", "=", productId).execute();
    const again = await open(user, { agreedKobo: 8_560_000 });
    expect(again.kobo).toBe(8_560_000);
    expect(again.reference).not.toBe(payment.reference);
    expect(await statesOf(user)).toEqual(["released", "open"]);
  });
});

describe("another order takes the place of one that was not paid", () => {
  test("F28 after the cart has changed, even for the last unit", async () => {
    const { productId, user, payment } = await oneBuyer(1);
    await putInCart(db(), user.id, await makeProduct(db(), { L: 1 }), "L");
    const second = await open(user);
    expect(second.orderId).not.toBe(payment.orderId);
    expect(await statesOf(user)).toEqual(["released", "open"]);
    expect(await stockOf(productId)).toEqual({ sold: 0, reserved: 1, onHand: 1 });
    expect(provider.calls).toContain(`GET /transaction/verify/${payment.reference}`);
  });

  test("F02 after another tab has chosen another address", async () => {
    const { user, payment } = await oneBuyer(1);
    const second = await open(user, { form: { ...lagosForm, address: "2 Broad Street" } });
    expect(second.orderId).not.toBe(payment.orderId);
  });

  test.each<[string, (user: Shopper, productId: string) => Promise<Asked>, object]>([
    [
      "a product was hidden meanwhile",
      async (_, productId) => {
        await db().updateTable("products").set({ hidden: true }).where("id", "=", productId).execute();
        return {};
      },
      { problem: "out-of-stock", lines: [{ available: 0 }] },
    ],
    ["the sum is not the one that was shown", async () => ({ agreedKobo: 100 }), { problem: "stale-total" }],
    [
      "more of a size is wanted than there is",
      async (user) => {
        await db().updateTable("cartLines").set({ quantity: 3 }).where("userId", "=", user.id).execute();
        return {};
      },
      { problem: "out-of-stock", lines: [{ available: 2 }, { available: 1 }] },
    ],
    [
      "it would hold nothing",
      async (user) => {
        await putInCart(db(), user.id, await makeProduct(db(), { L: 60 }), "L", 50);
        return {};
      },
      { problem: "holds-nothing" },
    ],
  ])(
    "but not where %s: the order that is being paid keeps its pieces and its prices",
    async (_, meanwhile, refusal) => {
      const { productId, user, payment } = await oneBuyer(2);
      await putInCart(db(), user.id, await makeProduct(db(), { L: 1 }), "L");
      const asked = await meanwhile(user, productId);
      expect(await pay(user, asked)).toMatchObject({ ok: false, ...refusal });
      expect(await statesOf(user)).toEqual(["open"]);
      expect(await stockOf(productId)).toMatchObject({ reserved: 1 });
      provider.pay(payment.reference);
      expect(await settlePayment(payment.reference, db())).toMatchObject({ outcome: "sold" });
    },
  );

  test("after its time has run out", async () => {
    const { user, payment } = await oneBuyer(1);
    await expire(payment.orderId);
    expect((await open(user)).orderId).not.toBe(payment.orderId);
  });

  test("F03 but when it turns out to be paid it is the order", async () => {
    const { user, payment } = await oneBuyer(1);
    await putInCart(db(), user.id, await makeProduct(db(), { L: 1 }), "L");
    provider.pay(payment.reference);
    expect(await pay(user)).toEqual({ ok: false, problem: "already-paid", reference: payment.reference });
    expect(await salesOf(user)).toHaveLength(1);
  });

  test("F04 and when it turns out to be paid twice, the older payment is the order, however their rows lie", async () => {
    const productId = await makeProduct(db(), { M: 1 });
    const user = await makeShopper(db(), { productId, size: "M" });
    provider.faulty({ on: "initialize", drop: true });
    await open(user);
    const payments = db().selectFrom("payments").innerJoin("orders", "orders.id", "orderId");
    const rows = await payments
      .select("reference")
      .where("userId", "=", user.id)
      .orderBy("payments.createdAt")
      .execute();
    const [older = "", newer = ""] = rows.map(({ reference }) => reference);
    await db().updateTable("payments").set({ nextCheckAt: new Date() }).where("reference", "=", older).execute();
    for (const reference of [newer, older]) provider.pay(reference);
    expect(await pay(user, { form: { ...lagosForm, address: "2 Marina" } })).toEqual({
      ok: false,
      problem: "already-paid",
      reference: older,
    });
    expect(await settlePayment(newer, db())).toMatchObject({ outcome: "refunding" });
  });

  test("and not while the provider cannot be asked about it", async () => {
    const { user } = await oneBuyer(1);
    await putInCart(db(), user.id, await makeProduct(db(), { L: 1 }), "L");
    provider.faulty({ on: "verify", status: 502, body: "<html>" });
    expect(await pay(user)).toEqual({ ok: false, problem: "earlier-payment-unseen" });
    expect(await statesOf(user)).toEqual(["open"]);
  });
});

describe("opening at the provider", () => {
  test("F43 a provider that knows every reference already: refused, nothing reserved, and few of them tried", async () => {
    const productId = await makeProduct(db(), { M: 1 });
    const user = await makeShopper(db(), { productId, size: "M" });
    const body = JSON.stringify({ status: false, message: "Duplicate", code: "duplicate_reference" });
    provider.faulty({ on: "initialize", times: 99, before: true, status: 400, body });
    expect(await pay(user)).toMatchObject({ problem: "payment-unavailable" });
    expect(opened()).toHaveLength(2);
    expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
    provider.faultless();
    expect(await pay(user)).toMatchObject({ ok: true });
  });

  test("F04 a lost reply: a new reference under the same order, the old one still watched", async () => {
    const productId = await makeProduct(db(), { M: 1 });
    const user = await makeShopper(db(), { productId, size: "M" });
    provider.faulty({ on: "initialize", drop: true });
    const payment = await open(user);
    const payments = await db()
      .selectFrom("payments")
      .select(["reference", "state"])
      .where("orderId", "=", payment.orderId)
      .where("nextCheckAt", "is not", null)
      .execute();
    expect(payments).toHaveLength(2);
    expect(payments.every(({ state }) => state === "pending")).toBe(true);
    expect(await statesOf(user)).toEqual(["open"]);
  });

  test("F42 a dead provider: a clear refusal, and the stock is free again", async () => {
    const productId = await makeProduct(db(), { M: 1 });
    const user = await makeShopper(db(), { productId, size: "M" });
    provider.faulty({ on: "initialize", times: 2, before: true, drop: true });
    expect(await pay(user)).toEqual({ ok: false, problem: "payment-unavailable" });
    expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
    expect(await statesOf(user)).toEqual(["released"]);
    expect((await open(user)).ok).toBe(true);
  });

  test.each([
    ["too many requests", "unavailable", 429, { message: "Rate limit exceeded!", code: "rate_limited" }],
    ["a wrong key", "unavailable", 401, { message: "Invalid key", code: "invalid_Key" }],
    ["a refused e-mail address", "email-refused", 400, { message: "Invalid Email", code: "invalid_email_address" }],
    ["the same by its words", "email-refused", 400, { message: "Invalid Email Address Passed" }],
    [
      "a missing e-mail address",
      "email-refused",
      400,
      { message: "Email Address is required", code: "missing_params" },
    ],
    ["a refused sum", "refused", 400, { message: "Invalid Amount Sent" }],
    ["a refused currency", "refused", 403, { message: "Currency not supported by merchant" }],
    ["an answer without access code", "unavailable", 200, { status: true, message: "OK", data: {} }],
  ])("F43 %s: a clear refusal, %s, the same for everybody who waits for it", async (_, why, status, said) => {
    const productId = await makeProduct(db(), { M: 1 });
    const user = await makeShopper(db(), { productId, size: "M" });
    const body = JSON.stringify({ status: false, ...said });
    provider.faulty({ on: "initialize", times: 99, before: true, status, body });
    const problem = `payment-${why}`;
    for (const answer of await Promise.all([pay(user), pay(user), pay(user)]))
      expect(answer).toEqual({ ok: false, problem });
    expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
  });

  test.each([
    ["a refusal is an error in the log", { status: 400, body: '{"status":false,"message":"Invalid Amount Sent"}' }, 1],
    ["that the provider is away is not told of each payment", { drop: true }, 0],
  ])("F43 %s", async (_, fault, lines) => {
    const user = await makeShopper(db(), { productId: await makeProduct(db(), { M: 1 }), size: "M" });
    const errors = vi.spyOn(log, "error");
    provider.faulty({ on: "initialize", times: 2, before: true, ...fault });
    expect(await pay(user)).toMatchObject({ ok: false });
    expect(errors).toHaveBeenCalledTimes(lines);
  });

  test("F27 an order that ends while its payment is being opened is refused: its stock is free", async () => {
    const productId = await makeProduct(db(), { M: 1 });
    const user = await makeShopper(db(), { productId, size: "M" });
    const { open: ask } = shopsProvider;
    vi.spyOn(shopsProvider, "open").mockImplementationOnce(async (request) => {
      const answer = await ask(request);
      await db().updateTable("orders").set({ expiresAt: sql`now()` }).where("userId", "=", user.id).execute();
      await settlePayment(request.reference);
      return answer;
    });
    expect(await pay(user)).toEqual({ ok: false, problem: "payment-unavailable" });
    expect([await statesOf(user), await stockOf(productId)]).toMatchObject([["released"], { reserved: 0 }]);
  });

  test("a caller that waits for a hanging opener is refused after 25 s", async () => {
    const { user, payment } = await oneBuyer();
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() * 50);
    await db()
      .updateTable("payments")
      .set({ state: "created", accessCode: null, leasedUntil: sql`now() + interval '1 hour'` })
      .where("reference", "=", payment.reference)
      .execute();
    provider.calls.length = 0;
    expect(await pay(user)).toEqual({ ok: false, problem: "payment-unavailable" });
    expect([opened(), await statesOf(user)]).toEqual([[], ["released"]]);
  });

  test("a caller that waits for a dead opener takes over when the lease ends", async () => {
    const { user, payment } = await oneBuyer();
    const faster = 7; // speeds up this process's clock; the lease is shortened by the same factor
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() * faster);
    await db()
      .updateTable("payments")
      .set({ state: "created", accessCode: null, leasedUntil: sql`now() + ${20.5 / faster} * interval '1 second'` })
      .where("reference", "=", payment.reference)
      .execute();
    expect(await pay(user)).toMatchObject({ ok: true, orderId: payment.orderId });
    clock.mockRestore();
  });

  test.each([
    ["lost for good", false],
    ["a known reference", true],
  ])(
    "F04 an opener that finds %s after another one took its lease over, and was paid, changes nothing",
    async (_, isKnown) => {
      const productId = await makeProduct(db(), { M: 1 });
      const user = await makeShopper(db(), { productId, size: "M" });
      vi.spyOn(shopsProvider, "open").mockImplementationOnce(async ({ reference }) => {
        await db()
          .updateTable("payments")
          .set({ leasedUntil: sql`now()` })
          .where("reference", "=", reference)
          .execute();
        expect(await pay(user)).toMatchObject({ ok: true, reference });
        provider.pay(reference);
        expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
        return { ok: false, failure: isKnown ? "duplicate-reference" : "rejected", message: "late" };
      });
      expect(await pay(user)).toEqual({ ok: false, problem: "payment-unavailable" });
      expect(await statesOf(user)).toEqual(["sold"]);
      const payments = db()
        .selectFrom("payments")
        .innerJoin("orders", "orders.id", "orderId")
        .where("userId", "=", user.id);
      expect(await payments.select("payments.state").execute()).toEqual([{ state: "paid" }]);
    },
  );

  test("F38 S39 references are long, random and of the provider's letters", async () => {
    const references = await Promise.all(Array.from({ length: 20 }, async () => (await oneBuyer()).payment.reference));
    expect(new Set(references).size).toBe(20);
    for (const reference of references) expect(reference).toMatch(/^[0-9a-f]{32}$/);
  });
});

import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { removeFromCart } from "#app/cart/cart.server.ts";
import { openListener, subscribe } from "#app/infra/database/listener.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { nameOf } from "#app/infra/http/rate-limit.server.ts";
import { log } from "#app/infra/log.server.ts";
import { orderHistory } from "#app/owner/orders/history.server.ts";
import { showOrder } from "#app/owner/orders/view.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { makeProduct, makeShopper, putInCart } from "#tests/support/shop.ts";
import { refundSale } from "./refunds/refund-sale.server.ts";
import { settlePayment } from "./settle.server.ts";
import { closePayment, paymentStatus } from "./status.server.ts";

const shop = useCheckout({ connectTimeout: MINUTE });
const {
  db,
  provider,
  open,
  oneBuyer,
  stockOf,
  salesOf,
  cartOf,
  statesOf,
  refundOf,
  mailsAbout,
  issuesOf,
  expire,
  catchUp,
} = shop;

const AWAY = { drop: true } as const;

describe("a paid order", () => {
  test("is sold: stock gone, cart cleared, mail queued, order closed", async () => {
    const { productId, user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    const settled = await settlePayment(payment.reference);
    const [sale] = await salesOf(user);
    expect(settled).toEqual({ outcome: "sold", saleId: sale?.id });
    expect(sale).toMatchObject({
      reference: payment.reference,
      totalCents: 5349,
      kobo: "8558400",
      feesKobo: "128376",
      status: "completed",
    });
    expect(await stockOf(productId)).toEqual({ sold: 1, reserved: 0, onHand: 0 });
    expect(await cartOf(user)).toEqual([]);
    expect(await statesOf(user)).toEqual(["sold"]);
    expect(await mailsAbout(payment.reference)).toEqual(["order-confirmation"]);
  });

  test("notifies the shopper's other tabs, and nobody if nothing was sold", async () => {
    const [bought, looked] = [await oneBuyer(), await oneBuyer()];
    const close = await openListener(shop.url());
    const told: string[] = [];
    const unsubscribe = [bought, looked].map(({ user }) => subscribe(`cart:${user.id}`, () => told.push(user.id)));
    const odd = vi.spyOn(log, "warn");
    expect(await settlePayment(looked.payment.reference)).toEqual({ outcome: "unpaid" });
    provider.pay(bought.payment.reference);
    await settlePayment(bought.payment.reference);
    await expect.poll(() => told).toEqual([bought.user.id]);
    expect(odd).not.toHaveBeenCalled();
    for (const end of unsubscribe) end();
    await close();
  });

  test("F07 F12 S46 is sold once, however often and at the same time it is settled", async () => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    const answers = await Promise.all(Array.from({ length: 50 }, () => settlePayment(payment.reference)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await salesOf(user)).toHaveLength(1);
    expect(await mailsAbout(payment.reference)).toEqual(["order-confirmation"]);
  });

  test("F30 takes from the cart what was paid, and leaves what was added since", async () => {
    const { productId, user, payment } = await oneBuyer(5);
    await putInCart(db(), user.id, await makeProduct(db(), { L: 1 }), "L");
    await db().updateTable("cartLines").set({ quantity: 3 }).where("productId", "=", productId).execute();
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    expect((await cartOf(user)).map(({ size, quantity }) => [size, quantity]).sort()).toEqual([
      ["L", 1],
      ["M", 2],
    ]);
  });

  test("F30 removes a line with fewer units in the cart than were paid", async () => {
    const productId = await makeProduct(db(), { M: 2 });
    const user = await makeShopper(db(), { productId, size: "M", quantity: 2 });
    const { reference } = await open(user);
    await db().updateTable("cartLines").set({ quantity: 1 }).where("productId", "=", productId).execute();
    provider.pay(reference);
    await settlePayment(reference);
    expect(await cartOf(user)).toEqual([]);
  });

  test("F25 is sold even if the stock was lowered meanwhile, since its pieces are reserved", async () => {
    const { productId, user, payment } = await oneBuyer(3);
    await db().updateTable("productSizes").set({ supplied: 1 }).where("productId", "=", productId).execute();
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    expect(await salesOf(user)).toHaveLength(1);
  });

  test("of a customer deleted meanwhile is still sold", async () => {
    const { user, payment } = await oneBuyer();
    await db().deleteFrom("users").where("id", "=", user.id).execute();
    provider.pay(payment.reference);
    expect(await settlePayment(payment.reference)).toMatchObject({ outcome: "sold" });
  });

  test.each(["soon", "1", "infinity", "+275760-09-13T00:00:00.000Z"])(
    "at the invalid time %j is sold",
    async (paid_at) => {
      const { payment } = await oneBuyer();
      provider.pay(payment.reference, { paid_at });
      expect(await settlePayment(payment.reference)).toMatchObject({ outcome: "sold" });
    },
  );

  test("F35 with the provider's fees on top is sold", async () => {
    const { payment } = await oneBuyer();
    provider.pay(payment.reference, { amount: payment.kobo + 30_000 });
    expect(await settlePayment(payment.reference)).toMatchObject({ outcome: "sold" });
  });
});

describe("nothing is sold", () => {
  test("while the provider's answer has characters that the database cannot store", async () => {
    const { payment } = await oneBuyer();
    provider.faulty({ on: "/verify/", status: 400, body: JSON.stringify({ status: false, message: "not\0 now" }) });
    expect(await settlePayment(payment.reference)).toEqual({ outcome: "unavailable" });
    provider.pay(payment.reference, { status: "on\0hold" });
    expect(await settlePayment(payment.reference)).toEqual({ outcome: "pending" });
  });

  const NOTHING_PAID = { paidKobo: null, paidCurrency: null, paidAt: null };
  const paidSoFar = (reference: string) =>
    db()
      .selectFrom("payments")
      .select(["paidKobo", "paidCurrency", "paidAt", "awaitedSince"])
      .where("reference", "=", reference)
      .executeTakeFirst();

  test.each(["abandoned", "failed"])("F10 while the provider says %s, and the stock stays reserved", async (status) => {
    const { productId, user, payment } = await oneBuyer();
    provider.pay(payment.reference, { status });
    expect(await settlePayment(payment.reference)).toEqual({ outcome: "unpaid" });
    expect(await paidSoFar(payment.reference)).toEqual({ ...NOTHING_PAID, awaitedSince: null });
    expect(await statesOf(user)).toEqual(["open"]);
    expect(await stockOf(productId)).toMatchObject({ reserved: 1 });
    provider.pay(payment.reference);
    expect(await settlePayment(payment.reference)).toMatchObject({ outcome: "sold" });
  });

  test.each(["pending", "ongoing", "processing", "queued", "reversal_pending", "something new"])(
    "F10 while the provider says %s, and the stock is held longer",
    async (status) => {
      const { user, payment } = await oneBuyer();
      await db().updateTable("orders").set({ expiresAt: sql`now()` }).where("id", "=", payment.orderId).execute();
      provider.pay(payment.reference, { status });
      expect(await settlePayment(payment.reference)).toEqual({ outcome: "pending" });
      expect(await paidSoFar(payment.reference)).toEqual({ ...NOTHING_PAID, awaitedSince: expect.any(Date) });
      const [order] = await db()
        .selectFrom("orders")
        .select(["state", sql<boolean>`expires_at > now() + interval '14 minutes'`.as("held")])
        .where("userId", "=", user.id)
        .execute();
      expect(order).toEqual({ state: "waiting", held: true });
      provider.pay(payment.reference);
      expect(await settlePayment(payment.reference)).toMatchObject({ outcome: "sold" });
    },
  );

  test.each([
    ["is cut off", AWAY],
    ["is an error page", { status: 502, body: "<html>Bad gateway</html>" }],
    ["is empty", { status: 200, body: "" }],
    ["is too long", { status: 200, body: "x".repeat(2_000_000) }],
    ["is a refusal to so many", { status: 429, body: '{"status":false,"message":"Rate limit exceeded!"}' }],
    ["is about a wrong key", { status: 401, body: '{"status":false,"message":"Invalid key"}' }],
    ["is a redirect", { status: 302, body: "" }],
    ["has no data", { status: 200, body: '{"status":true,"message":"OK"}' }],
  ])("F43 when the provider's answer %s, and nothing is changed", async (_, fault) => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    provider.faulty({ on: "verify", ...fault });
    expect(await settlePayment(payment.reference)).toEqual({ outcome: "unavailable" });
    expect(await statesOf(user)).toEqual(["open"]);
    const known = db().selectFrom("payments").select("lastError").where("reference", "=", payment.reference);
    expect(await known.executeTakeFirst()).toEqual({ lastError: expect.stringMatching(/^[a-z-]+: ./) });
    expect(await settlePayment(payment.reference)).toMatchObject({ outcome: "sold" });
    expect(await known.executeTakeFirst()).toEqual({ lastError: null });
  });

  test.each(["soon", "", 42])(
    "F43 except for a payment at the invalid time %j, which is sold without a time",
    async (paid_at) => {
      const { user, payment } = await oneBuyer();
      provider.pay(payment.reference, { paid_at: paid_at as string });
      expect(await settlePayment(payment.reference)).toMatchObject({ outcome: "sold" });
      const paid = db().selectFrom("payments").select("paidAt").where("reference", "=", payment.reference);
      expect([await statesOf(user), await paid.executeTakeFirst()]).toEqual([["sold"], { paidAt: null }]);
    },
  );

  test("for a payment that the provider does not know; its stock is free when the reservation ends", async () => {
    const { user, payment } = await oneBuyer();
    const unknown = '{"status":false,"message":"Transaction reference not found.","code":"transaction_not_found"}';
    provider.faulty({ on: "verify", times: 3, before: true, status: 404, body: unknown });
    const known = db()
      .selectFrom("payments")
      .select(["providerStatus", "lastError", sql<boolean>`updated_at > created_at`.as("isLater")])
      .where("reference", "=", payment.reference);
    await db().updateTable("payments").set({ lastError: "unavailable: away" }).execute();
    expect(await settlePayment(payment.reference)).toEqual({ outcome: "unpaid" });
    expect(await known.executeTakeFirst()).toEqual({ providerStatus: "not-found", lastError: null, isLater: true });
    expect(await statesOf(user)).toEqual(["open"]);
    await expire(payment.orderId);
    expect(await settlePayment(payment.reference)).toEqual({ outcome: "unpaid" });
    expect(await statesOf(user)).toEqual(["released"]);
  });

  test("if the provider reversed the charge before the shop saw it", async () => {
    const { productId, user, payment } = await oneBuyer();
    provider.pay(payment.reference, { status: "reversed" });
    expect(await settlePayment(payment.reference)).toEqual({ outcome: "refunding" });
    expect([await statesOf(user), await issuesOf(payment.reference)]).toEqual([["refunded"], ["reversed"]]);
    expect(await stockOf(productId)).toEqual({ sold: 0, reserved: 0, onHand: 1 });
  });

  test.each([0, -1, 1.5, "8558400", 1e21, null])("F34 when the amount is %j, which is none", async (amount) => {
    const { payment } = await oneBuyer();
    provider.pay(payment.reference, { amount: amount as number });
    expect(await settlePayment(payment.reference)).toEqual({ outcome: "unavailable" });
    provider.pay(payment.reference, { amount: payment.kobo, status: "abandoned" });
  });

  test("F37 for a reference that the shop does not know", async () => {
    expect(await settlePayment("f".repeat(32))).toEqual({ outcome: "unknown-reference" });
    expect(await settlePayment("'; drop table sales; --")).toEqual({ outcome: "unknown-reference" });
    expect(provider.calls).toEqual([]);
  });

  test("F37 when the answer is about another payment", async () => {
    const { payment } = await oneBuyer();
    const { payment: other } = await oneBuyer();
    provider.pay(payment.reference, { reference: other.reference });
    expect(await settlePayment(payment.reference)).toEqual({ outcome: "unavailable" });
    provider.pay(payment.reference, { reference: payment.reference, status: "abandoned" });
  });
});

describe("a charge that does not match the order is refunded", () => {
  test.each([
    ["F34 a kobo too little", "wrong-amount", (kobo: number) => ({ amount: kobo - 1, requested_amount: kobo })],
    [
      "F34 a kobo too much asked for",
      "wrong-amount",
      (kobo: number) => ({ amount: kobo + 1, requested_amount: kobo + 1 }),
    ],
    ["F36 dollars", "wrong-currency", () => ({ currency: "USD" })],
    ["F36 money of the other mode", "wrong-mode", () => ({ domain: "live" })],
  ])("%s", async (_, reason, as) => {
    const { productId, user, payment } = await oneBuyer();
    provider.pay(payment.reference, as(payment.kobo));
    expect(await settlePayment(payment.reference)).toEqual({ outcome: "refunding" });
    expect(await settlePayment(payment.reference)).toEqual({ outcome: "refunding" });
    expect(await salesOf(user)).toEqual([]);
    expect(await statesOf(user)).toEqual(["refunding"]);
    expect(await stockOf(productId)).toEqual({ sold: 0, reserved: 0, onHand: 1 });
    expect(await refundOf(payment.reference)).toMatchObject({ state: "open", reason });
    expect(await mailsAbout(payment.reference)).toEqual(["refund-started"]);
    expect(await issuesOf(payment.reference)).toEqual([reason]);
    const issue = db().selectFrom("paymentIssues").select("details").where("reference", "=", payment.reference);
    const found = { amount: payment.kobo, currency: "NGN", domain: "test", ...as(payment.kobo) };
    const { amount, currency, domain: mode } = found;
    const details = { amount, currency, mode, expected: String(payment.kobo) };
    expect(await issue.executeTakeFirst()).toEqual({ details });
  });
});

describe("a late payment", () => {
  test("F26 becomes a sale if the stock is still there", async () => {
    const { productId, user, payment } = await oneBuyer(1);
    await closePayment(db(), user.id, payment.reference);
    expect(await statesOf(user)).toEqual(["released"]);
    provider.pay(payment.reference);
    expect(await settlePayment(payment.reference)).toMatchObject({ outcome: "sold" });
    expect(await stockOf(productId)).toEqual({ sold: 1, reserved: 0, onHand: 0 });
  });

  test("F26 is refunded if the stock is gone", async () => {
    const { productId, user, payment } = await oneBuyer(1);
    await closePayment(db(), user.id, payment.reference);
    const other = await makeShopper(db(), { productId, size: "M" });
    const taken = await open(other);
    provider.pay(payment.reference);
    expect(await settlePayment(payment.reference)).toEqual({ outcome: "refunding" });
    expect(await refundOf(payment.reference)).toMatchObject({ reason: "out-of-stock", kobo: String(payment.kobo) });
    expect(await issuesOf(payment.reference)).toEqual(["out-of-stock"]);
    provider.pay(taken.reference);
    expect(await settlePayment(taken.reference)).toMatchObject({ outcome: "sold" });
  });

  test("F28 uses what the shopper's own newer order reserves", async () => {
    const { productId, user, payment } = await oneBuyer(1);
    await closePayment(db(), user.id, payment.reference);
    const second = await open(user);
    provider.pay(payment.reference);
    expect(await settlePayment(payment.reference)).toMatchObject({ outcome: "sold" });
    expect(await statesOf(user)).toEqual(["sold", "released"]);
    expect(await stockOf(productId)).toEqual({ sold: 1, reserved: 0, onHand: 0 });
    provider.pay(second.reference);
    expect(await settlePayment(second.reference)).toEqual({ outcome: "refunding" });
  });

  test("F28 for pieces that are gone leaves the shopper's newer order alone", async () => {
    const { productId, user, payment } = await oneBuyer(1);
    await closePayment(db(), user.id, payment.reference);
    await open(await makeShopper(db(), { productId, size: "M" }));
    await removeFromCart(db(), user.id, { id: productId, size: "M" });
    const other = await makeProduct(db(), { L: 1 });
    await putInCart(db(), user.id, other, "L");
    const newer = await open(user);
    provider.pay(payment.reference);
    expect(await settlePayment(payment.reference)).toEqual({ outcome: "refunding" });
    expect(await statesOf(user)).toEqual(["refunding", "open"]);
    expect(await stockOf(other)).toMatchObject({ reserved: 1 });
    provider.pay(newer.reference);
    expect(await settlePayment(newer.reference)).toMatchObject({ outcome: "sold" });
  });
});

describe("F03 both tabs are charged: one order, and the second charge is refunded", () => {
  test.each([
    ["the older first", [0, 1]],
    ["the newer first", [1, 0]],
  ])("%s", async (_, [first = 0, second = 1]) => {
    const { user, payment } = await oneBuyer(10);
    await putInCart(db(), user.id, await makeProduct(db(), { L: 10 }), "L");
    const payments = [payment, await open(user)];
    for (const { reference } of payments) provider.pay(reference);
    const [winner = payment, loser = payment] = [payments[first], payments[second]];
    expect(await settlePayment(winner.reference)).toMatchObject({ outcome: "sold" });
    expect(await settlePayment(loser.reference)).toEqual({ outcome: "refunding" });
    expect(await salesOf(user)).toHaveLength(1);
    expect(await issuesOf(loser.reference)).toEqual(["second-charge"]);
    expect(await mailsAbout(loser.reference)).toEqual(["refund-started"]);
  });

  test("F46 at the same moment, many times over", async () => {
    const { user, payment } = await oneBuyer(10);
    await putInCart(db(), user.id, await makeProduct(db(), { L: 10 }), "L");
    const second = await open(user);
    const references = [payment.reference, second.reference];
    for (const reference of references) provider.pay(reference);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => settlePayment(references[i % 2] as string).then(({ outcome }) => outcome)),
    );
    expect(answers.filter((outcome) => outcome === "sold")).toHaveLength(10);
    expect(answers.filter((outcome) => outcome === "refunding")).toHaveLength(10);
    expect(await salesOf(user)).toHaveLength(1);
  });

  test("F04 two references of one order", async () => {
    provider.faulty({ on: "initialize", drop: true });
    const { user, payment } = await oneBuyer(10);
    const rows = await db().selectFrom("payments").select("reference").where("orderId", "=", payment.orderId).execute();
    expect(rows).toHaveLength(2);
    for (const { reference } of rows) provider.pay(reference);
    const outcomes = [];
    for (const { reference } of rows) outcomes.push((await settlePayment(reference)).outcome);
    expect(outcomes.sort()).toEqual(["refunding", "sold"]);
    expect(await statesOf(user)).toEqual(["sold"]);
  });

  test("F04 two references of one order, the first of which did not match", async () => {
    provider.faulty({ on: "initialize", drop: true });
    const { user, payment } = await oneBuyer(10);
    const rows = await db().selectFrom("payments").select("reference").where("orderId", "=", payment.orderId).execute();
    const [wrong = "", right = ""] = rows.map(({ reference }) => reference);
    provider.pay(wrong, { currency: "USD" });
    provider.pay(right);
    expect(await settlePayment(wrong)).toEqual({ outcome: "refunding" });
    expect(await settlePayment(right)).toEqual({ outcome: "refunding" });
    expect([await issuesOf(wrong), await issuesOf(right)]).toEqual([["wrong-currency"], ["second-charge"]]);
    expect(await salesOf(user)).toEqual([]);
  });

  test("but the next order, begun after the first was paid, is an order of its own", async () => {
    const { productId, user, payment } = await oneBuyer(10);
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    await putInCart(db(), user.id, productId, "M");
    const next = await open(user);
    provider.pay(next.reference);
    expect(await settlePayment(next.reference)).toMatchObject({ outcome: "sold" });
    expect(await salesOf(user)).toHaveLength(2);
  });
});

describe("the shopper asks", () => {
  test("F37 S38 about somebody else's payment: it is not there", async () => {
    const { payment } = await oneBuyer();
    const other = await makeShopper(db());
    const logged = vi.spyOn(log, "warn");
    expect(await paymentStatus(db(), other.id, payment.reference)).toBeUndefined();
    expect(await closePayment(db(), other.id, payment.reference)).toBeUndefined();
    expect(await paymentStatus(db(), other.id, "f".repeat(32))).toBeUndefined();
    expect(provider.calls.filter((call) => call.includes("verify"))).toEqual([]);
    const account = expect.stringMatching(/^[\w-]{16}$/);
    expect(logged.mock.calls.map(([details]) => details)).toEqual([
      { security: "foreign-reference", account },
      { security: "foreign-reference", account },
      { security: "unknown-reference", account },
    ]);
  });

  test("after closing a window whose payment another tab is just opening: that goes on", async () => {
    const { productId, user, payment } = await oneBuyer();
    const being = (state: "created" | "pending") =>
      db().updateTable("payments").set({ state }).where("reference", "=", payment.reference).execute();
    await being("created");
    expect(await closePayment(db(), user.id, payment.reference)).toEqual({ outcome: "unpaid" });
    expect([await statesOf(user), await stockOf(productId)]).toMatchObject([["open"], { reserved: 1 }]);
    await being("pending");
  });

  test("after closing the window unpaid: the stock is free, the cart as it was", async () => {
    const { productId, user, payment } = await oneBuyer();
    expect(await closePayment(db(), user.id, payment.reference)).toEqual({ outcome: "unpaid" });
    expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
    expect(await cartOf(user)).toHaveLength(1);
  });

  test("F11 after closing the window paid: the order is there", async () => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    expect(await closePayment(db(), user.id, payment.reference)).toMatchObject({ outcome: "sold" });
  });

  test("after closing the window with a transfer under way: the stock is held on", async () => {
    const { productId, user, payment } = await oneBuyer();
    provider.pay(payment.reference, { status: "pending" });
    expect(await closePayment(db(), user.id, payment.reference)).toEqual({ outcome: "pending" });
    expect(await stockOf(productId)).toMatchObject({ reserved: 1 });
    await expire(payment.orderId);
    provider.pay(payment.reference, { status: "abandoned" });
    await closePayment(db(), user.id, payment.reference);
  });

  test("the owner refunds a sale", async () => {
    const { productId, user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    expect(await refundSale(db(), payment.reference, "returned")).toBe(true);
    expect(await refundSale(db(), payment.reference, "returned")).toBe(false);
    expect(await statesOf(user)).toEqual(["refunding"]);
    expect(await stockOf(productId)).toEqual({ sold: 1, reserved: 0, onHand: 0 });
    expect(await refundSale(db(), "f".repeat(32), "returned")).toBe(false);
  });

  test.each([
    ["lie ready at their center do not go", { readyAt: sql<Date>`now()` }, false],
    ["came back from their center go", { readyAt: sql<Date>`now()`, returnedAt: sql<Date>`now()` }, true],
    ["were sent do not go", { fulfilledAt: sql<Date>`now()` }, false],
  ])("pieces that %s back into stock with their money", async (_, times, isDone) => {
    const { productId, payment } = await oneBuyer();
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    await db().updateTable("sales").set(times).where("reference", "=", payment.reference).execute();
    expect(await refundSale(db(), payment.reference, "cancelled", { restock: true })).toBe(isDone);
    expect(await stockOf(productId)).toMatchObject({ onHand: isDone ? 1 : 0 });
  });
});

test("a shopper's checks beyond sixty a minute are answered without the provider, and other shoppers are not affected", async () => {
  const { user, payment } = await oneBuyer();
  const looks = (reference: string) => provider.calls.filter((call) => call.endsWith(`verify/${reference}`)).length;
  const answers = await Promise.all(Array.from({ length: 100 }, () => paymentStatus(db(), user.id, payment.reference)));
  expect(looks(payment.reference)).toBe(60);
  expect(answers.filter((answer) => answer?.outcome === "unpaid")).toHaveLength(60);
  expect(answers.filter((answer) => answer?.outcome === "unavailable")).toHaveLength(40);
  expect(await closePayment(db(), user.id, payment.reference)).toEqual({ outcome: "unavailable" });
  expect(await statesOf(user)).toEqual(["open"]);

  const { user: other, payment: theirs } = await oneBuyer();
  expect(await paymentStatus(db(), other.id, theirs.reference)).toEqual({ outcome: "unpaid" });

  provider.pay(payment.reference);
  expect(await paymentStatus(db(), user.id, payment.reference)).toEqual({ outcome: "unavailable" });
  await catchUp(payment.reference);
  const counted = () =>
    db()
      .selectFrom("rateLimits")
      .select(["key", "count"])
      .where(
        "key",
        "in",
        [user, other].map(({ id }) => nameOf(`looks of ${id}`)),
      )
      .orderBy("count")
      .execute();
  const before = await counted();
  expect(before).toMatchObject([{ count: 1 }, { count: expect.any(Number) }]);
  expect(await paymentStatus(db(), user.id, payment.reference)).toMatchObject({ outcome: "sold" });
  expect(await paymentStatus(db(), other.id, payment.reference)).toBeUndefined();
  expect(await counted()).toEqual(before); // neither a settled payment nor another shopper's counts against the limit
});

test("48 the reason for a declined card is stored once per attempt, and shown with the order", async () => {
  const { payment } = await oneBuyer();
  const { reference } = payment;
  const refused = (words: string, attempts: number) =>
    provider.pay(reference, { status: "failed", gateway_response: words, log: { attempts } });
  const told = async () => {
    const order = await showOrder(db(), reference);
    return order?.payments[0]?.refusals.map(({ words, attempt }) => [attempt, words]);
  };
  refused("Insufficient Funds", 1);
  for (let look = 1; look <= 3; look++) await settlePayment(reference);
  expect(await told()).toEqual([[1, "Insufficient Funds"]]);
  refused("Declined", 3);
  await settlePayment(reference);
  provider.pay(reference);
  await settlePayment(reference);
  expect(await told()).toEqual([
    [1, "Insufficient Funds"],
    [3, "Declined"],
  ]);
  const { number = "" } = (await showOrder(db(), reference)) ?? {};
  const history = await orderHistory(db(), number);
  expect(
    history
      .filter(({ title }) => title === "Payment refused")
      .map(({ text }) => text)
      .sort(),
  ).toEqual(["Declined. Attempt 3.", "Insufficient Funds."]);
});

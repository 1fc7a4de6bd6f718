import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { recordIssue } from "./issues.server.ts";
import { lockOrder } from "./lifecycle.server.ts";
import {
  balanceOf,
  changeRefund,
  finishRefund,
  nextTryAtSql,
  type RefundedOrder,
  recordReversal,
  recordUnasked,
  refundsOf,
  requestRefund,
  settleRefunds,
} from "./refund-rows.server.ts";

const { db, provider, open, salesOf, statesOf, issuesOf } = useCheckout();

const PAID = 16_556_800;
/** A sale of two jerseys. The test records the refunds, and the provider reports that all money has gone back. */
async function sold(paid: { amount?: number; fees?: number } = {}) {
  const productId = await makeProduct(db(), { M: 5 });
  const user = await makeShopper(db(), { productId, size: "M", quantity: 2 });
  const { reference, orderId } = await open(user);
  provider.pay(reference, paid);
  await settlePayment(reference);
  provider.pay(reference, { ...paid, status: "reversed" });
  const withOrder = <T>(work: (trx: Transaction, order: RefundedOrder) => Promise<T>): Promise<T> =>
    db()
      .transaction()
      .execute(async (trx) => work(trx, await lockOrder(trx, reference)));
  return { user, reference, orderId, withOrder, one: [{ productId, size: "M", quantity: 1 }] };
}
type Sold = Awaited<ReturnType<typeof sold>>;

const rowsOf = (reference: string) =>
  db()
    .transaction()
    .execute((trx) => refundsOf(trx, reference));
const brief = async (reference: string) =>
  (await rowsOf(reference)).map(({ origin, state, kobo, reason }) => `${origin} ${state} ${kobo} ${reason}`);
const balance = ({ reference }: Sold) => balanceOf(db(), reference);
const ask = ({ withOrder }: Sold, kobo: number) =>
  withOrder((trx, order) => requestRefund(trx, order, { kobo, reason: "returned" }));
const setState = (id: string, state: "sent" | "failed" | "void") =>
  db().updateTable("refunds").set({ state }).where("id", "=", id).execute();
const settle = ({ withOrder }: Sold) => withOrder(settleRefunds);
const reverse = ({ withOrder }: Sold) =>
  withOrder(async (trx, order) => {
    await recordReversal(trx, order);
    await settleRefunds(trx, order);
  });
const mailOf = (key: string) =>
  db().selectFrom("outbox").select(["kind", "recipient", "data"]).where("idempotencyKey", "=", key).executeTakeFirst();
describe("the balance of a payment", () => {
  test("has the paid, pending, refunded and remaining sums; failed refunds do not count", async () => {
    const sale = await sold();
    expect(await balance(sale)).toEqual({ paid: PAID, kobo: PAID, refunding: 0, refunded: 0, left: PAID });
    const [open, sent, failed] = [await ask(sale, 100), await ask(sale, 30), await ask(sale, 5)];
    await setState(sent, "sent");
    await setState(failed, "failed");
    await sale.withOrder((trx, order) =>
      recordUnasked(trx, order, { kobo: 7, reason: "provider", providerId: randomUUID() }, "done"),
    );
    expect(await balance(sale)).toEqual({ paid: PAID, kobo: PAID, refunding: 130, refunded: 7, left: PAID - 137 });
    expect((await rowsOf(sale.reference)).map(({ id }) => id).slice(0, 3)).toEqual([open, sent, failed]);
    await reverse(sale);
  });

  test("includes the fees that the shopper paid; before the payment it is the charge", async () => {
    const borne = await sold({ amount: PAID + 50_000, fees: 50_000 });
    expect(await balance(borne)).toMatchObject({ paid: PAID + 50_000, kobo: PAID, left: PAID + 50_000 });
    const productId = await makeProduct(db(), { M: 1 });
    const { reference, kobo } = await open(await makeShopper(db(), { productId, size: "M" }));
    expect(await balanceOf(db(), reference)).toEqual({ paid: kobo, kobo, refunding: 0, refunded: 0, left: kobo });
  });
});

describe("a requested refund", () => {
  test("is mailed with the reason, the words of staff and, for a part, its pieces", async () => {
    const sale = await sold();
    const part = { pieces: JSON.stringify(sale.one), withShipping: true, words: "Thank you.", kobo: 8_558_400 };
    const id = await sale.withOrder((trx, order) => requestRefund(trx, order, { ...part, reason: "returned" }));
    expect(await rowsOf(sale.reference)).toMatchObject([
      { id, state: "open", origin: "shop", kobo: "8558400", reason: "returned", pieces: sale.one, withShipping: true },
    ]);
    expect(await mailOf(`refund:${id}`)).toMatchObject({
      kind: "refund-started",
      recipient: "ada@example.com",
      data: {
        sum: "₦85,584",
        reason: expect.stringContaining("your return"),
        words: "Thank you.",
        parts: ["1 × Home Jersey, Green, M", "Delivery"],
      },
    });
    await reverse(sale);
  });

  test("of all that was paid names no pieces", async () => {
    const sale = await sold();
    const whole = { kobo: PAID, pieces: JSON.stringify(sale.one), reason: "cancelled" } as const;
    const id = await sale.withOrder((trx, order) => requestRefund(trx, order, whole));
    expect((await mailOf(`refund:${id}`))?.data).not.toHaveProperty("parts");
    await reverse(sale);
    const done = await mailOf(`refund-done:${id}`);
    expect(done).toMatchObject({ kind: "refund-done", data: { sum: "₦165,568", reason: "" } });
    expect(done?.data).not.toHaveProperty("parts");
  });

  test("of the charge is a part if the shopper paid the fees", async () => {
    const sale = await sold({ amount: PAID + 50_000, fees: 50_000 });
    const part = { kobo: PAID, pieces: JSON.stringify(sale.one), reason: "returned" } as const;
    const id = await sale.withOrder((trx, order) => requestRefund(trx, order, part));
    expect((await mailOf(`refund:${id}`))?.data).toMatchObject({ parts: ["1 × Home Jersey, Green, M"] });
    await reverse(sale);
  });

  test("is mailed in the currency of the payment", async () => {
    const sale = await sold();
    await db().updateTable("payments").set({ paidCurrency: "USD" }).where("reference", "=", sale.reference).execute();
    expect((await mailOf(`refund:${await ask(sale, 12_345)}`))?.data).toMatchObject({ sum: "USD 123.45" });
    await db().updateTable("payments").set({ paidCurrency: null }).where("reference", "=", sale.reference).execute();
    expect((await mailOf(`refund:${await ask(sale, 12_345)}`))?.data).toMatchObject({ sum: "₦123.45" });
    await db().updateTable("payments").set({ paidCurrency: "NGN" }).where("reference", "=", sale.reference).execute();
    await reverse(sale);
  });
});

describe("a refund that the shop did not request", () => {
  test.each([
    ["sent", undefined],
    ["done", { kind: "refund-done", data: { sum: "₦10,000" } }],
  ] as const)("that is %s is the provider's, and its shopper is told once it is back", async (state, mail) => {
    const providerId = randomUUID();
    const sale = await sold();
    const given = { kobo: 1_000_000, reason: "provider", providerId } as const;
    await sale.withOrder((trx, order) => recordUnasked(trx, order, given, state));
    const [row] = await rowsOf(sale.reference);
    expect(row).toMatchObject({ origin: "provider", state, kobo: "1000000", reason: "provider", providerId });
    const told = await mailOf(`refund-done:${row?.id}`);
    if (mail) expect(told).toMatchObject(mail);
    else expect(told).toBeUndefined();
    expect(await mailOf(`refund:${row?.id}`)).toBeUndefined();
    await reverse(sale);
  });
});

test("a refund is done with the actual sum, or with the requested one; its last error is deleted", async () => {
  const sale = await sold();
  const ids = [await ask(sale, 100), await ask(sale, 200)];
  const longAgo = new Date("2026-01-05T09:00:00Z");
  for (const id of ids)
    await db()
      .updateTable("refunds")
      .set({ lastError: "away", providerId: id, updatedAt: longAgo })
      .where("id", "=", id)
      .execute();
  await sale.withOrder(async (trx, order) => {
    const [first, second] = await refundsOf(trx, sale.reference);
    if (first) await finishRefund(trx, order, first);
    if (second) await finishRefund(trx, order, second, { kobo: 150, providerId: "another" });
  });
  const done = { state: "done", lastError: null };
  const rows = await rowsOf(sale.reference);
  expect(rows).toMatchObject([
    { ...done, kobo: "100", providerId: ids[0] },
    { ...done, kobo: "150", providerId: "another" },
  ]);
  for (const { updatedAt } of rows) expect(updatedAt.getTime()).toBeGreaterThan(longAgo.getTime());
  expect((await mailOf(`refund-done:${ids[1]}`))?.data).toMatchObject({ sum: "₦1.50", parts: [] });
  await reverse(sale);
});

test("a change of a refund changes no other one", async () => {
  const sale = await sold();
  const [first] = [await ask(sale, 100), await ask(sale, 200)];
  await db()
    .transaction()
    .execute((trx) => changeRefund(trx, first, { lastError: "away" }));
  expect((await rowsOf(sale.reference)).map(({ lastError }) => lastError)).toEqual(["away", null]);
  await reverse(sale);
});

describe("a reversal of a payment", () => {
  test("completes requested refunds, and failed ones that fit; the rest is a new refund with an issue for staff", async () => {
    const sale = await sold();
    const [open, sent, failed, tooMuch] = [
      await ask(sale, 100),
      await ask(sale, 30),
      await ask(sale, 5),
      await ask(sale, PAID - 135),
    ];
    await setState(sent, "sent");
    await setState(failed, "failed");
    await setState(tooMuch, "failed");
    await setState(await ask(sale, 4), "void");
    await sale.withOrder(async (trx, order) => {
      await recordUnasked(trx, order, { kobo: 6, reason: "provider", providerId: randomUUID() }, "done");
    });
    await sale.withOrder(recordReversal);
    expect(await brief(sale.reference)).toEqual([
      "shop done 100 returned",
      "shop done 30 returned",
      "shop done 5 returned",
      `shop failed ${PAID - 135} returned`,
      "shop void 4 returned",
      "provider done 6 provider",
      `provider done ${PAID - 141} reversed`,
    ]);
    for (const id of [open, sent, failed]) expect(await mailOf(`refund-done:${id}`)).toBeDefined();
    expect(await mailOf(`refund-done:${tooMuch}`)).toBeUndefined();
    expect(await issuesOf(sale.reference)).toEqual(["reversed"]);
    const told = db().selectFrom("payments").select("providerRefundedKobo").where("reference", "=", sale.reference);
    expect(await told.execute()).toEqual([{ providerRefundedKobo: String(PAID) }]);
    await settle(sale);
    expect((await brief(sale.reference))[3]).toBe(`shop void ${PAID - 135} returned`);
  });

  test("completes a failed refund of exactly the remaining sum, without an issue", async () => {
    const sale = await sold();
    await setState(await ask(sale, PAID), "failed");
    await reverse(sale);
    expect(await brief(sale.reference)).toEqual([`shop done ${PAID} returned`]);
    expect(await issuesOf(sale.reference)).toEqual([]);
  });

  test("of a refused payment makes no issue, and its order, which was never sold, is refunded", async () => {
    const productId = await makeProduct(db(), { M: 1 });
    const user = await makeShopper(db(), { productId, size: "M" });
    const { reference } = await open(user);
    provider.pay(reference, { currency: "USD" });
    await settlePayment(reference);
    await db().deleteFrom("refunds").where("reference", "=", reference).execute();
    await db().deleteFrom("paymentIssues").where("reference", "=", reference).execute();
    await db()
      .transaction()
      .execute(async (trx) => {
        const order = await lockOrder(trx, reference);
        await recordReversal(trx, order);
        await settleRefunds(trx, order);
      });
    expect([await brief(reference), await issuesOf(reference)]).toEqual([["provider done 8558400 reversed"], []]);
    expect(await statesOf(user)).toEqual(["refunded"]);
  });
});

describe("an order whose whole payment was refunded", () => {
  const saleState = async ({ user }: Sold) => [await statesOf(user), (await salesOf(user)).map(({ status }) => status)];

  test("is refunded, like its sale; failed refunds become void, and the causing issues are resolved", async () => {
    const sale = await sold();
    await setState(await ask(sale, 100), "failed");
    const all = await ask(sale, PAID);
    await recordIssue(db(), sale.reference, "wrong-amount");
    await settle(sale);
    expect(await saleState(sale)).toEqual([["sold"], ["completed"]]);
    await sale.withOrder(async (trx, order) => {
      const row = (await refundsOf(trx, sale.reference)).find(({ id }) => id === all);
      if (row) await finishRefund(trx, order, row, { kobo: PAID - 1 });
    });
    await settle(sale);
    expect(await saleState(sale)).toEqual([["sold"], ["completed"]]);
    await db().updateTable("refunds").set({ kobo: PAID }).where("id", "=", all).execute();
    await settle(sale);
    expect(await saleState(sale)).toEqual([["refunded"], ["refunded"]]);
    expect(await brief(sale.reference)).toEqual(["shop void 100 returned", `shop done ${PAID} returned`]);
    const open = db().selectFrom("paymentIssues").select("kind").where("reference", "=", sale.reference);
    expect(await open.where("resolvedAt", "is", null).execute()).toEqual([]);
  });

  test("needs refunds of the charge, without the fees that the shopper paid; a refused payment, of everything", async () => {
    const sale = await sold({ amount: PAID + 50_000, fees: 50_000 });
    await ask(sale, PAID);
    await sale.withOrder(async (trx, order) => {
      for (const row of await refundsOf(trx, sale.reference)) await finishRefund(trx, order, row);
      await settleRefunds(trx, { ...order, payment: { ...order.payment, state: "refused" } });
    });
    expect(await saleState(sale)).toEqual([["sold"], ["completed"]]);
    await settle(sale);
    expect(await saleState(sale)).toEqual([["refunded"], ["refunded"]]);
  });
});

test("an order that another payment has sold stays sold after the refund of a second charge", async () => {
  const productId = await makeProduct(db(), { M: 1 });
  const user = await makeShopper(db(), { productId, size: "M" });
  // The response to the first attempt is lost, so the order gets a second payment.
  provider.faulty({ on: "initialize", drop: true });
  const { orderId } = await open(user);
  const attempts = db().selectFrom("payments").select("reference").where("orderId", "=", orderId).orderBy("createdAt");
  const [first = "", second = ""] = (await attempts.execute()).map(({ reference }) => reference);
  for (const reference of [first, second]) {
    provider.pay(reference);
    await settlePayment(reference);
  }
  provider.pay(second, { status: "reversed" });
  await db()
    .transaction()
    .execute(async (trx) => {
      const order = await lockOrder(trx, second);
      await recordReversal(trx, order);
      await settleRefunds(trx, order);
    });
  expect(await brief(second)).toEqual(["shop done 8558400 second-charge"]);
  expect([await statesOf(user), (await salesOf(user)).map(({ status }) => status)]).toEqual([["sold"], ["completed"]]);
});

test.each([
  ["in its time", "30 minutes", 3600],
  ["at once if a webhook has made it due meanwhile", "-1 minute", -60],
])("a refund is checked again %s", async (_, planned, seconds) => {
  const sale = await sold();
  const id = await ask(sale, 100);
  const next = await db()
    .transaction()
    .execute(async (trx) => {
      await sql`update refunds set next_try_at = now() + ${planned}::interval where id = ${id}`.execute(trx);
      const { rows } = await sql<{ seconds: string }>`
        select extract(epoch from ${nextTryAtSql(sql`interval '1 hour'`)} - now()) as seconds
        from refunds where id = ${id}`.execute(trx);
      return Number(rows[0]?.seconds);
    });
  expect(next).toBe(seconds);
  await reverse(sale);
});

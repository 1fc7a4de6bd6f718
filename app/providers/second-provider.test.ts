import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { toSaleDocument } from "#app/orders/document.ts";
import { listSold } from "#app/orders/history.server.ts";
import { readSaleDocument } from "#app/orders/past/sale.ts";
import { searchPayments } from "#app/owner/money/payments.server.ts";
import { orderHistory } from "#app/owner/orders/history.server.ts";
import { openIssues } from "#app/owner/orders/view.server.ts";
import { reviewProvider, reviewRefundsMade } from "#app/owner/provider-review.server.ts";
import { reconcileDue } from "#app/payments/reconcile.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { receiveWebhook } from "#app/payments/webhook.server.ts";
import { useByHand } from "#tests/support/by-hand.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { signedWebhook } from "#tests/support/provider.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { companyNames, providerNamed } from "./descriptions.ts";

const cash = useByHand({ id: "desk", name: "Cash desk" });
const shop = useCheckout({ otherLedger: cash.ledger });
const { db, provider: paystack, open, refundOf, refundsOf, statesOf, stockOf, catchUp, expire } = shop;

async function buyer(stock = 1) {
  const productId = await makeProduct(db(), { M: stock });
  return { productId, user: await makeShopper(db(), { productId, size: "M" }) };
}

/** An order whose money staff take by hand. */
async function inCash(stock = 1) {
  const { productId, user } = await buyer(stock);
  return { productId, user, ...(await open(user, { provider: cash.provider })) };
}

const paymentOf = (reference: string) =>
  db().selectFrom("payments").selectAll().where("reference", "=", reference).executeTakeFirstOrThrow();

async function numberOf(orderId: string): Promise<string> {
  const { number } = await db()
    .selectFrom("orders")
    .select("number")
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow();
  return number;
}

const makeDue = (reference: string) =>
  db().updateTable("payments").set({ nextCheckAt: sql`now()` }).where("reference", "=", reference).execute();

describe("an order that is paid by hand", () => {
  test("names its provider, and the other one gets no request about it", async () => {
    const { productId, user, reference, kobo } = await inCash();
    expect(await paymentOf(reference)).toMatchObject({ provider: "desk", mode: "test", state: "pending" });
    expect(await settlePayment(reference)).toEqual({ outcome: "unpaid" });
    expect(await stockOf(productId)).toMatchObject({ reserved: 1, sold: 0 });

    cash.take(reference, "Bisi");
    expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
    expect(await paymentOf(reference)).toMatchObject({ paidKobo: String(kobo), providerStatus: "taken by Bisi" });
    expect(await stockOf(productId)).toMatchObject({ reserved: 0, sold: 1 });

    expect(await refundWished(db(), reference)).toMatchObject({ ok: true });
    await catchUp(reference);
    expect(cash.toGiveBack(reference)).toEqual([kobo]);
    expect(await refundOf(reference)).toMatchObject({ state: "sent", kobo: String(kobo) });
    expect(await statesOf(user)).toEqual(["refunding"]);

    cash.giveBack(reference, "Bisi");
    await catchUp(reference);
    expect(await refundOf(reference)).toMatchObject({ state: "done" });
    expect(await statesOf(user)).toEqual(["refunded"]);
    expect(paystack.calls).toEqual([]);
  });

  test("is sold by the reconciler, if nobody settles it when the money is taken", async () => {
    const { user, reference } = await inCash();
    cash.take(reference, "Bisi");
    await makeDue(reference);
    await reconcileDue(db());
    expect(await statesOf(user)).toEqual(["sold"]);
  });

  test("is refunded in parts, each given by a person", async () => {
    const { reference, kobo } = await inCash();
    cash.take(reference, "Bisi");
    await settlePayment(reference);
    for (const part of [100_000, 200_000]) {
      await refundWished(db(), reference, { kobo: part });
      await catchUp(reference);
      expect(cash.toGiveBack(reference)).toEqual([part]);
      cash.giveBack(reference, "Bisi");
      await catchUp(reference);
    }
    expect((await refundsOf(reference)).map((one) => [one.state, one.kobo])).toEqual([
      ["done", "100000"],
      ["done", "200000"],
    ]);
    expect(kobo).toBeGreaterThan(300_000);
  });

  test("is refunded as a whole if another sum than the order's was taken", async () => {
    const { user, reference, kobo } = await inCash();
    cash.take(reference, "Bisi", kobo - 1);
    expect(await settlePayment(reference)).toEqual({ outcome: "refunding" });
    await catchUp(reference);
    expect(cash.toGiveBack(reference)).toEqual([kobo - 1]);
    cash.giveBack(reference, "Bisi");
    await catchUp(reference);
    expect(await statesOf(user)).toEqual(["refunded"]);
  });

  test("ends when its hold does: its stock is free", async () => {
    const { productId, user, orderId, reference } = await inCash();
    await expire(orderId);
    expect(await settlePayment(reference)).toEqual({ outcome: "unpaid" });
    expect(await statesOf(user)).toEqual(["released"]);
    expect(await stockOf(productId)).toMatchObject({ reserved: 0, onHand: 1 });
  });
});

describe("two providers", () => {
  test.each([
    ["by card, after cash", undefined, "paystack"],
    ["in cash, after a card", cash.provider, "desk"],
  ])("a shopper who pays another way, %s, gets a new order once the first provider has no money", async (...row) => {
    const [, next, id] = row;
    const { user } = await buyer(2);
    const first = await open(user, { provider: next ? undefined : cash.provider });
    const second = await open(user, { provider: next });
    expect(second.orderId).not.toBe(first.orderId);
    expect(await statesOf(user)).toEqual(["released", "open"]);
    expect(second.provider).toBe(id);
    expect(await open(user, { provider: next })).toEqual(second);
  });

  test("a payment that the first provider has after all is no second charge", async () => {
    const { user } = await buyer(2);
    const first = await open(user, { provider: cash.provider });
    cash.take(first.reference, "Bisi");
    expect(await shop.pay(user)).toMatchObject({ ok: false, problem: "already-paid", reference: first.reference });
  });

  test("a review compares only what a company has records of", async () => {
    const hand = await inCash();
    cash.take(hand.reference, "Bisi");
    await settlePayment(hand.reference);
    const { payment } = await shop.oneBuyer();
    paystack.pay(payment.reference);
    expect(await reviewProvider(db(), 7)).toEqual({
      ok: true,
      charges: paystack.ledger().filter(isCharged).length,
      broken: [],
    });
    await reviewRefundsMade(db(), 7);
    expect(paystack.calls.filter((call) => call.includes(hand.reference))).toEqual([]);
  });

  test("a webhook makes only payments of its own provider due; any other reference is a charge without an order", async () => {
    const { orderId, reference } = await inCash();
    const due = (await paymentOf(reference)).nextCheckAt;
    const { body, signature } = signedWebhook("charge.success", { reference });
    expect(await receiveWebhook("paystack", body, signature)).toEqual({ status: 200 });
    expect((await paymentOf(reference)).nextCheckAt).toEqual(due);
    expect(await openIssues(db(), orderId)).toMatchObject([{ kind: "unknown-reference", provider: "paystack" }]);
  });

  test("a provider without webhooks accepts none", async () => {
    const { body, signature } = signedWebhook("charge.success", { reference: "x".repeat(20) });
    expect(await receiveWebhook("desk", body, signature)).toEqual({ status: 401 });
  });

  test("a payment of an unknown provider is left alone, and does not delay others", async () => {
    const [strange, known] = [await inCash(), await inCash()];
    await db().updateTable("payments").set({ provider: "gone" }).where("reference", "=", strange.reference).execute();
    cash.take(strange.reference, "Bisi");
    cash.take(known.reference, "Bisi");
    for (const { reference } of [strange, known]) await makeDue(reference);
    await reconcileDue(db());
    expect([await statesOf(strange.user), await statesOf(known.user)]).toEqual([["open"], ["sold"]]);
    expect(await settlePayment(strange.reference)).toEqual({ outcome: "unavailable" });
    expect(await paymentOf(strange.reference)).toMatchObject({
      lastError: "unavailable: there is no payment provider 'gone' here",
    });
    expect((await orderHistory(db(), await numberOf(strange.orderId))).length).toBeGreaterThan(0);
    await db().updateTable("payments").set({ provider: "desk" }).where("reference", "=", strange.reference).execute();
    expect(await settlePayment(strange.reference)).toMatchObject({ outcome: "sold" });
  });
});

describe("the name of a payment's provider", () => {
  test("is in documents, history and the list of payments", async () => {
    const { user, orderId, reference } = await inCash();
    cash.take(reference, "Bisi");
    await settlePayment(reference);
    const [sold] = await listSold(db(), user.id);
    if (!sold) throw new Error("It was sold");
    const document = toSaleDocument(sold, "https://shop.example");
    expect(document.paymentDetails.paymentMethod).toBe("Cash desk");
    expect(readSaleDocument(document).provider).toBe("desk");
    const told = await orderHistory(db(), await numberOf(orderId));
    expect(told.find(({ title }) => title.startsWith("Paid"))?.by).toBe("Cash desk");
    const { rows } = await searchPayments(db(), { text: reference });
    expect(rows).toMatchObject([{ provider: { id: "desk", status: "taken by Bisi" } }]);
  });

  test("is in the policies only if it is a company", () => {
    expect(companyNames()).toBe("Paystack");
  });

  test.each([
    ["Cash", "cash"],
    [" cash ", "cash"],
    ["Bank transfer", "transfer"],
    ["card terminal", "terminal"],
    ["Paystack", "paystack"],
    ["another shop's", "paystack"],
    ["", "paystack"],
  ])("of an imported sale with the means '%s' means the provider %s", (name, id) => {
    expect(providerNamed(name).id).toBe(id);
  });
});

const isCharged = ({ status, reference }: { status: string; reference: string }) =>
  status === "success" && paystack.knows(reference);

import { describe, expect, test } from "vitest";
import { closeIssues, recordIssue } from "#app/orders/issues.server.ts";
import type { RefundWish } from "#app/orders/refund-plan.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { receiveWebhook } from "#app/payments/webhook.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { signedWebhook } from "#tests/support/provider.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { shopStatus } from "../status.server.ts";
import { markPacked, markSent } from "./fulfilment.server.ts";
import { markManySent, planParcels, type SentParcel } from "./parcels/parcels.server.ts";
import { ordersToPrint } from "./print.server.ts";
import { countOrderViews, listAllOrders, searchOrders } from "./search.server.ts";
import { viewOrder } from "./view.server.ts";

const { db, provider, open, catchUp, mailsAbout } = useCheckout();

/** A paid order of two pieces of one size. `fees`: what its shopper paid the provider on top of its charge. */
async function sold({ fees = 0 } = {}) {
  const productId = await makeProduct(db(), { M: 9 });
  const { reference, kobo } = await open(await makeShopper(db(), { productId, size: "M", quantity: 2 }));
  provider.pay(reference, { amount: kobo + fees });
  await settlePayment(reference);
  const { number } = await db()
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .select("number")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  return { number, reference, productId, kobo };
}

type Case = {
  of: string;
  /** The refunds before the order leaves, one after the other. */
  refunds: (productId: string) => RefundWish[];
  /** The result of the refunds at the provider. */
  end?: "processed" | "failed";
  isToSend: boolean;
  standing: string;
  says?: string;
};

const pieces = (quantity: number) => (productId: string) => [
  { pieces: [{ productId, size: "M", quantity }], restock: true },
];

const CASES: Case[] = [
  { of: "nothing", refunds: () => [], isToSend: true, standing: "To pack" },
  { of: "one piece", refunds: pieces(1), isToSend: true, standing: "To pack" },
  { of: "a sum", refunds: () => [{ kobo: 1_000_000 }], isToSend: true, standing: "To pack" },
  { of: "delivery alone", refunds: () => [{ withShipping: true }], isToSend: true, standing: "To pack" },
  {
    of: "all pieces, delivery kept",
    refunds: pieces(2),
    isToSend: false,
    standing: "Nothing to send",
    says: "All of its items have been refunded",
  },
  {
    of: "all pieces one by one, the money being back",
    refunds: (id) => [...pieces(1)(id), ...pieces(1)(id)],
    end: "processed",
    isToSend: false,
    standing: "Nothing to send",
    says: "All of its items have been refunded",
  },
  {
    of: "all pieces, which has failed and is retried",
    refunds: pieces(2),
    end: "failed",
    isToSend: false,
    standing: "Refund failed",
    says: "All of its items have been refunded",
  },
  {
    of: "everything",
    refunds: () => [{}],
    isToSend: false,
    standing: "Money on its way back",
    says: "It’s been refunded",
  },
];

describe.each(CASES)("an order with a refund of $of", ({ refunds, end, isToSend, standing, says }) => {
  test(`${isToSend ? "is" : "is not"} to be sent, wherever that is asked`, async () => {
    const { number, reference, productId } = await sold();
    for (const wish of refunds(productId))
      expect(await refundWished(db(), reference, wish)).toMatchObject({ ok: true });
    if (end) {
      await catchUp(reference);
      provider.finishRefunds(end, reference);
      await catchUp(reference);
    }

    const numbers = [number];
    const search = (view: "to-send" | "pick-up" | "abroad") => searchOrders(db(), { view, numbers });
    expect((await search("to-send")).rows).toHaveLength(isToSend ? 1 : 0);
    expect((await countOrderViews(db()))["to-send"]).toBe((await shopStatus(db())).toSend.orders);
    const { orders } = await listAllOrders(db(), { view: "to-send" }, { limit: 1000, offset: 0 });
    expect(orders.some((one) => one.number === number)).toBe(isToSend);
    expect((await viewOrder(db(), number))?.standing.text).toBe(standing);
    const [printed] = await ordersToPrint(db(), numbers);
    expect(printed?.lines.length).toBe(isToSend ? 1 : 0);

    const [planned] = await planParcels(db(), { text: `${number}\tGIG\tGIG-1` });
    expect(planned).toMatchObject({ will: isToSend ? "send" : "fail", ...(says && { says }) });
    if (!isToSend)
      for (const mark of [markPacked, markSent])
        expect(await mark(db(), reference)).toEqual({ ok: false, problem: says });
    const rows: SentParcel[] = [];
    const sheet = { text: `${number}\tGIG\tGIG-1` };
    await markManySent(db(), { name: "bisi@example.com", door: "office" }, sheet, (_done, _all, row) => rows.push(row));
    expect(rows).toMatchObject([{ ok: isToSend, says: says ?? "sent off; the shopper is emailed" }]);
    expect((await mailsAbout(reference)).includes("order-sent")).toBe(isToSend);
  });
});

test.each([
  { back: "all but the fees that its shopper paid", less: 0, why: "It’s been refunded" },
  { back: "a kobo less than its charge", less: 1, why: undefined },
])("an order with a refund by the provider's dashboard: $back", async ({ less, why }) => {
  const { number, reference, kobo } = await sold({ fees: 30_000 });
  provider.refundByHand(reference, kobo - less, "pending");
  const { body, signature } = signedWebhook("refund.pending", { transaction_reference: reference });
  await receiveWebhook("paystack", body, signature);
  await catchUp(reference);

  const { rows } = await searchOrders(db(), { view: "to-send", numbers: [number] });
  expect(rows).toHaveLength(why ? 0 : 1);
  expect((await viewOrder(db(), number))?.standing.text).toBe(why ? "Money on its way back" : "To pack");
  expect((await ordersToPrint(db(), [number]))[0]?.whyNot).toBe(why);
  const [planned] = await planParcels(db(), { text: `${number}\tGIG\tGIG-1` });
  expect(planned?.says).toBe(why ?? "Sent, and the shopper is emailed");
  expect(await markPacked(db(), reference)).toEqual(why ? { ok: false, problem: why } : { ok: true, what: "packed" });
});

test("an order that was refunded after it was sent can be corrected like any other", async () => {
  const { number, reference, productId } = await sold();
  await markSent(db(), reference, { carrier: "GIG", tracking: "1" });
  for (const wish of pieces(2)(productId)) await refundWished(db(), reference, wish);
  expect((await viewOrder(db(), number))?.standing.text).toBe("Sent");
  expect(await planParcels(db(), { text: `${number}\tGIG\t2` })).toMatchObject([{ will: "correct" }]);
  expect(await markSent(db(), reference, { carrier: "GIG", tracking: "2" })).toMatchObject({ ok: true });
});

test("40 an order with a disputed payment is not listed as to be sent, nor marked with many, until the dispute is resolved", async () => {
  const { number, reference } = await sold();
  const isToSend = async () => {
    const { rows: orders } = await searchOrders(db(), { view: "to-send" });
    return orders.some((order) => order.number === number);
  };
  const plan = async () => (await planParcels(db(), { text: `${number}\tGIG\t1` }))[0]?.says;
  expect([await isToSend(), await plan()]).toEqual([true, "Sent, and the shopper is emailed"]);
  await recordIssue(db(), reference, "dispute");
  const why = "Its payment is disputed. Check that first";
  expect([await isToSend(), await plan()]).toEqual([false, why]);
  expect(await markPacked(db(), reference)).toEqual({ ok: false, problem: why });
  expect((await ordersToPrint(db(), [number]))[0]?.whyNot).toBe(why);
  await closeIssues(db(), reference);
  expect([await isToSend(), await plan()]).toEqual([true, "Sent, and the shopper is emailed"]);
});

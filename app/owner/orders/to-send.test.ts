import { describe, expect, test } from "vitest";
import type { RefundWish } from "#app/orders/refund-plan.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { markPacked, markSent } from "../fulfilment.server.ts";
import { countOrders, searchOrders } from "../order-search.server.ts";
import { listAllOrders } from "../orders.server.ts";
import { shopStatus } from "../status.server.ts";
import { markManySent, planParcels, type SentParcel } from "./parcels.server.ts";
import { ordersToPrint } from "./print.server.ts";
import { viewOrder } from "./view.server.ts";

const { db, provider, open, catchUp, mailsAbout } = useCheckout();

/** Two of a size, paid. */
async function sold() {
  const productId = await makeProduct(db(), { M: 9 });
  const { reference } = await open(await makeShopper(db(), { productId, size: "M", quantity: 2 }));
  provider.pay(reference);
  await settlePayment(reference);
  const { number } = await db()
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .select("number")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  return { number, reference, productId };
}

type Case = {
  of: string;
  /** What of it goes back before it leaves, one after the other. */
  refunds: (productId: string) => RefundWish[];
  /** What becomes of the refunds at the provider. */
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
    says: "All of its pieces have been given back",
  },
  {
    of: "all pieces one by one, the money being back",
    refunds: (id) => [...pieces(1)(id), ...pieces(1)(id)],
    end: "processed",
    isToSend: false,
    standing: "Nothing to send",
    says: "All of its pieces have been given back",
  },
  {
    of: "all pieces, which has failed and is tried again",
    refunds: pieces(2),
    end: "failed",
    isToSend: false,
    standing: "Refund failed",
    says: "All of its pieces have been given back",
  },
  {
    of: "everything",
    refunds: () => [{}],
    isToSend: false,
    standing: "Money on its way back",
    says: "Its money has been given back",
  },
];

describe.each(CASES)("an order of which went back: $of", ({ refunds, end, isToSend, standing, says }) => {
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
    expect((await search("to-send")).orders).toHaveLength(isToSend ? 1 : 0);
    expect((await countOrders(db()))["to-send"]).toBe((await shopStatus(db())).toSend.orders);
    const { orders } = await listAllOrders(db(), { toSend: true }, { limit: 1000, offset: 0 });
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
    await markManySent(db(), { name: "bisi@example.com", door: "office" }, { text: number }, (_done, _all, row) =>
      rows.push(row),
    );
    expect(rows).toMatchObject([{ ok: isToSend, says: says ?? "sent off; the shopper is told" }]);
    expect((await mailsAbout(reference)).includes("order-sent")).toBe(isToSend);
  });
});

test("an order whose pieces are given back once they have left is corrected as any other", async () => {
  const { number, reference, productId } = await sold();
  await markSent(db(), reference, { carrier: "GIG", tracking: "1" });
  for (const wish of pieces(2)(productId)) await refundWished(db(), reference, wish);
  expect((await viewOrder(db(), number))?.standing.text).toBe("Sent");
  expect(await planParcels(db(), { text: `${number}\tGIG\t2` })).toMatchObject([{ will: "correct" }]);
  expect(await markSent(db(), reference, { carrier: "GIG", tracking: "2" })).toMatchObject({ ok: true });
});

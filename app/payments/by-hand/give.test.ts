import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { retryingTransaction } from "#app/infra/database/db.server.ts";
import { orderHistory } from "#app/owner/orders/history.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { orderIdOf, paidByHand, staffOrder } from "#tests/support/staff-order.ts";
import { payByLink } from "../links/pay.server.ts";
import { cancelOrder } from "../refunds/cancel.server.ts";
import { cancelOwnOrder, readCancelOffer } from "../refunds/own-cancel.server.ts";
import { giveByHand, toGiveBack, waitingToGive } from "./give.server.ts";
import { takeByHand } from "./take.server.ts";

const checkout = useCheckout();
const { db, provider, stockOf, statesOf, mailsAbout, refundsOf, openIssuesOf, catchUp } = checkout;

let productId: string;
let user: Shopper;

beforeEach(async () => {
  productId = await makeProduct(db(), { M: 8 });
  user = await makeShopper(db());
});

async function sold(quantity = 1) {
  const order = await staffOrder(db(), user, productId, quantity);
  return { order, reference: await paidByHand(db(), order) };
}

const give = (reference: string, agreedKobo: number, bankReference?: string) =>
  giveByHand(db(), reference, { agreedKobo, by: "bisi", bankReference });

const bookOf = (reference: string) =>
  db().selectFrom("handRefunds").selectAll().where("reference", "=", reference).orderBy("askedAt").execute();

describe("a refund of an order that was paid by hand", () => {
  test("stays open until a member has given it back, then it is done", async () => {
    const { order, reference } = await sold();
    expect(await cancelOrder(db(), reference)).toMatchObject({ ok: true });
    expect(await stockOf(productId)).toMatchObject({ reserved: 0, onHand: 8 });
    for (const _ of [1, 2]) {
      await catchUp(reference);
      expect(await refundsOf(reference)).toMatchObject([{ state: "sent", kobo: String(order.kobo) }]);
    }
    expect(await statesOf(user)).toEqual(["refunding"]);
    expect(await toGiveBack(db(), order.reference)).toMatchObject({ kobo: order.kobo, means: "Cash" });
    expect((await waitingToGive(db())).first).toContain(order.number);

    expect(await give(reference, order.kobo, "FT-1234")).toMatchObject({ ok: true });
    expect(await refundsOf(reference)).toMatchObject([{ state: "done" }]);
    expect(await statesOf(user)).toEqual(["refunded"]);
    expect(await bookOf(reference)).toMatchObject([{ givenBy: "bisi", bankReference: "FT-1234" }]);
    expect(await mailsAbout(reference)).toEqual(["order-confirmation", "refund-done", "refund-started"]);
    expect(await toGiveBack(db(), reference)).toBeUndefined();
    expect((await waitingToGive(db())).first).not.toContain(order.number);
  });

  test("is given once: the second press changes nothing", async () => {
    const { order, reference } = await sold();
    await cancelOrder(db(), reference);
    await catchUp(reference);
    const done = await Promise.all([give(reference, order.kobo), give(reference, order.kobo)]);
    expect(done.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await give(reference, order.kobo)).toEqual({ ok: false, problem: "Nothing is to be given back by hand" });
    expect(await bookOf(reference)).toHaveLength(1);
    expect(await refundsOf(reference)).toMatchObject([{ state: "done" }]);
  });

  test("is done by the next press, if the process ends after it was marked", async () => {
    const { order, reference } = await sold();
    await cancelOrder(db(), reference);
    await catchUp(reference);
    const ends = giveByHand(db(), reference, { agreedKobo: order.kobo, by: "bisi" }, async (work) => {
      await retryingTransaction(db(), work);
      throw new Error("The process ends");
    });
    await expect(ends).rejects.toThrow("The process ends");
    expect(await refundsOf(reference)).toMatchObject([{ state: "sent" }]);
    expect(await give(reference, order.kobo)).toMatchObject({ ok: false });
    expect(await refundsOf(reference)).toMatchObject([{ state: "done" }]);
    expect(await bookOf(reference)).toMatchObject([{ givenBy: "bisi" }]);
  });

  test("is refused with another sum than the shown one, and before it is in the book", async () => {
    const { reference } = await sold(2);
    await refundWished(db(), reference, { kobo: 100_000 });
    expect(await give(reference, 100_000)).toMatchObject({ ok: false, problem: expect.stringContaining("Try again") });
    await catchUp(reference);
    expect(await give(reference, 200_000)).toMatchObject({ ok: false, problem: expect.stringContaining("Check it") });
    expect(await refundsOf(reference)).toMatchObject([{ state: "sent" }]);
  });

  test("in parts: each is given, and the order stays sold", async () => {
    const { reference } = await sold(2);
    for (const part of [100_000, 200_000]) {
      await refundWished(db(), reference, { kobo: part });
      await catchUp(reference);
      expect(await give(reference, part)).toMatchObject({ ok: true });
    }
    expect((await refundsOf(reference)).map(({ state, kobo }) => [state, kobo])).toEqual([
      ["done", "100000"],
      ["done", "200000"],
    ]);
    expect(await statesOf(user)).toEqual(["sold"]);
  });

  test("is overdue like the refund of a return", async () => {
    const { order, reference } = await sold();
    await cancelOrder(db(), reference);
    await catchUp(reference);
    const before = (await waitingToGive(db())).overdue;
    await db()
      .updateTable("refunds")
      .set({ createdAt: sql`now() - interval '20 days'` })
      .where("reference", "=", reference)
      .execute();
    const waiting = await waitingToGive(db());
    expect(waiting.overdue).toBe(before + 1);
    expect(waiting.first[0]).toBe(order.number);
  });
});

test("money taken for an order that the link had paid is given back, and leaves no issue", async () => {
  const order = await staffOrder(db(), user, productId);
  const opened = await payByLink(db(), await orderIdOf(db(), order.reference));
  if (!opened.ok) throw new Error(opened.problem);
  provider.pay(opened.reference);
  const reference = await paidByHand(db(), order);
  expect(await openIssuesOf(reference)).toEqual(["second-charge"]);
  await catchUp(reference);
  expect(await give(order.reference, order.kobo)).toMatchObject({ ok: true });
  expect(await refundsOf(reference)).toMatchObject([{ state: "done", reason: "second-charge" }]);
  expect(await openIssuesOf(reference)).toEqual([]);
  expect(await statesOf(user)).toEqual(["sold"]);
});

test("a shopper who paid by hand asks staff to cancel", async () => {
  const { reference } = await sold();
  expect(await readCancelOffer(db(), user.id, reference)).toEqual({ ok: false, why: "ask" });
  expect(await cancelOwnOrder(db(), user.id, reference)).toEqual({ ok: false, why: "ask" });
});

test("the history has what is to be given back, and that it was", async () => {
  const { order, reference } = await sold();
  await cancelOrder(db(), reference);
  await catchUp(reference);
  await give(reference, order.kobo);
  const titles = (await orderHistory(db(), order.number)).map(({ title }) => title);
  expect(titles).toContain("₦85,584 on its way back");
  expect(titles).toContain("₦85,584 is back with the shopper");
  expect(await takeByHand(db(), reference, { means: "cash", kobo: order.kobo, by: "bisi" })).toMatchObject({
    ok: false,
  });
});

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { renderers } from "#app/orders/emails.tsx";
import { recordIssue } from "#app/orders/issues.server.ts";
import { OWN_CANCEL } from "#app/orders/refund-causes.ts";
import { markPacked, markSent } from "#app/owner/orders/fulfilment.server.ts";
import { orderHistory } from "#app/owner/orders/history.server.ts";
import type { Done } from "#app/owner/orders/orders.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { arrived } from "#tests/support/returns.ts";
import { makeProduct, makeShopper, putInCart, type Shopper } from "#tests/support/shop.ts";
import { settlePayment } from "../settle.server.ts";
import { cancelOwnOrder, readCancelOffer } from "./own-cancel.server.ts";

const { db, provider, open, stockOf, statesOf, refundsOf, mailsAbout, catchUp } = useCheckout({ max: 30 });

/** A sale of two jerseys for 165,568 naira, with 5,600 naira for delivery to Lagos. */
async function sold() {
  const productId = await makeProduct(db(), { M: 5 });
  const user = await makeShopper(db(), { productId, size: "M", quantity: 2 });
  return { productId, user, ...(await paid(user)), one: [{ productId, size: "M", quantity: 1 }] };
}
const ALL = 16_556_800;
const ONE = 7_998_400;

async function paid(user: Shopper) {
  const { reference } = await open(user);
  provider.pay(reference);
  await settlePayment(reference);
  return { reference };
}

/** One more order of the same shopper. */
async function another(user: Shopper, productId: string) {
  await putInCart(db(), user.id, productId, "M");
  return paid(user);
}

const refused = (why: string) => ({ ok: false, why });

const numberOf = async (reference: string) => {
  const order = db().selectFrom("orders").innerJoin("payments", "payments.orderId", "orders.id").select("number");
  return (await order.where("reference", "=", reference).executeTakeFirstOrThrow()).number;
};

test("an order that its shopper cancels is refunded as a whole, with the delivery, and its pieces are restocked", async () => {
  const { user, reference, productId } = await sold();
  const pieces = [{ productId, size: "M", quantity: 2 }];
  expect(await readCancelOffer(db(), user.id, reference)).toMatchObject({ kobo: ALL, pieces, withShipping: true });
  expect(await cancelOwnOrder(db(), user.id, reference)).toEqual({ ok: true });
  expect(await statesOf(user)).toEqual(["refunding"]);
  expect(await stockOf(productId)).toMatchObject({ onHand: 5, reserved: 0 });
  expect(await refundsOf(reference)).toMatchObject([
    { kobo: String(ALL), reason: "cancelled", cause: OWN_CANCEL.cause, pieces, withShipping: true },
  ]);
  await catchUp(reference);
  provider.finishRefunds("processed", reference);
  await catchUp(reference);
  expect(await statesOf(user)).toEqual(["refunded"]);
});

test("the mail says who cancelled it, and so does the order's history", async () => {
  const { user, reference } = await sold();
  await cancelOwnOrder(db(), user.id, reference);
  expect(await mailsAbout(reference)).toEqual(["order-confirmation", "refund-started"]);
  const mail = db().selectFrom("outbox").select("data").where("kind", "=", "refund-started");
  const { data } = await mail.where(sql<boolean>`data ->> 'reference' = ${reference}`).executeTakeFirstOrThrow();
  const text = (await renderers["refund-started"]?.(data))?.text.replace(/\s+/g, " ");
  for (const part of ["₦165,568", "Your order has been cancelled.", OWN_CANCEL.words]) expect(text).toContain(part);
  const history = await orderHistory(db(), await numberOf(reference));
  const find = (title: string) => history.find((one) => one.title === title);
  expect(find("Cancelled")).toMatchObject({ by: "the shopper" });
  expect(find("₦165,568 on its way back")).toMatchObject({
    by: "the shopper",
    text: expect.stringContaining("Cancelled by the shopper. Back in stock."),
  });
});

test("a second press makes no second refund", async () => {
  const { user, reference } = await sold();
  await cancelOwnOrder(db(), user.id, reference);
  expect(await cancelOwnOrder(db(), user.id, reference)).toEqual(refused("given-back"));
  expect(await refundsOf(reference)).toHaveLength(1);
});

test("pressed twenty times while it is packed, it is either packed or cancelled, and cancelled once", async () => {
  for (let round = 0; round < 5; round++) {
    const { user, reference, productId } = await sold();
    const presses = Array.from({ length: 20 }, () => () => cancelOwnOrder(db(), user.id, reference));
    const work: (() => Promise<{ ok: boolean }>)[] = presses;
    work.splice(round * 4, 0, () => markPacked(db(), reference));
    const said = await Promise.all(work.map((does) => does()));
    const isPacked = said[round * 4]?.ok;
    expect(said.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await refundsOf(reference)).toHaveLength(isPacked ? 0 : 1);
    expect(await statesOf(user)).toEqual([isPacked ? "sold" : "refunding"]);
    expect(await stockOf(productId)).toMatchObject({ onHand: isPacked ? 3 : 5 });
  }
});

describe("it is too late", () => {
  test.each<[string, (reference: string) => Promise<Done | undefined>]>([
    ["once it is packed", (reference) => markPacked(db(), reference)],
    ["once it is sent, though nobody said that it was packed", (reference) => markSent(db(), reference)],
  ])("%s", async (_, done) => {
    const { user, reference, productId } = await sold();
    expect(await done(reference)).toMatchObject({ ok: true });
    expect(await cancelOwnOrder(db(), user.id, reference)).toEqual(refused("too-late"));
    expect(await refundsOf(reference)).toEqual([]);
    expect(await stockOf(productId)).toMatchObject({ onHand: 3 });
  });

  test("once it has arrived", async () => {
    const { user, reference } = await sold();
    await arrived(db(), reference);
    expect(await readCancelOffer(db(), user.id, reference)).toEqual(refused("too-late"));
  });
});

test("a cancellation after a part refund refunds the rest", async () => {
  const { user, reference, productId, one } = await sold();
  await refundWished(db(), reference, { pieces: one, restock: true });
  expect(await readCancelOffer(db(), user.id, reference)).toMatchObject({ kobo: ALL - ONE, pieces: one });
  expect(await cancelOwnOrder(db(), user.id, reference)).toEqual({ ok: true });
  expect(await stockOf(productId)).toMatchObject({ onHand: 5 });
  expect((await refundsOf(reference)).map(({ kobo }) => Number(kobo))).toEqual([ONE, ALL - ONE]);
});

describe("staff are asked", () => {
  test("after three orders within thirty days, and not about older ones", async () => {
    const { user, reference, productId } = await sold();
    const references = [reference];
    while (references.length < 4) references.push((await another(user, productId)).reference);
    const [first = "", second = "", third = "", fourth = ""] = references;
    for (const one of [first, second, third]) expect(await cancelOwnOrder(db(), user.id, one)).toEqual({ ok: true });
    expect(await cancelOwnOrder(db(), user.id, fourth)).toEqual(refused("too-many"));
    expect(await refundsOf(fourth)).toEqual([]);
    const monthAgo = sql<Date>`now() - interval '31 days'`;
    await db().updateTable("refunds").set({ createdAt: monthAgo }).where("reference", "=", first).execute();
    expect(await cancelOwnOrder(db(), user.id, fourth)).toEqual({ ok: true });
  });

  test("about the fourth order, even if all four are cancelled at once", async () => {
    const { user, reference, productId } = await sold();
    const references = [reference];
    while (references.length < 4) references.push((await another(user, productId)).reference);
    const said = await Promise.all(references.map((one) => cancelOwnOrder(db(), user.id, one)));
    expect(said.filter(({ ok }) => ok)).toHaveLength(3);
    expect(said).toContainEqual(refused("too-many"));
  });

  test("while the bank may take the money back", async () => {
    const { user, reference } = await sold();
    await recordIssue(db(), reference, "dispute");
    expect(await cancelOwnOrder(db(), user.id, reference)).toEqual(refused("ask"));
    expect(await refundsOf(reference)).toEqual([]);
  });

  test("once all pieces were given back: the delivery stays paid", async () => {
    const { user, reference, one } = await sold();
    await refundWished(db(), reference, { pieces: one.map((piece) => ({ ...piece, quantity: 2 })), restock: true });
    expect(await cancelOwnOrder(db(), user.id, reference)).toEqual(refused("ask"));
  });

  test("about an order of another shop of which nobody knows whether it was sent", async () => {
    const { user, reference } = await sold();
    await sql`update outbox set kind = 'moved-in' where idempotency_key = (
      select 'sale:' || id from sales where reference = ${reference})`.execute(db());
    expect(await cancelOwnOrder(db(), user.id, reference)).toEqual(refused("ask"));
  });
});

test("nobody cancels the order of another account", async () => {
  const { reference } = await sold();
  const stranger = await makeShopper(db());
  expect(await cancelOwnOrder(db(), stranger.id, reference)).toEqual(refused("not-sold"));
  expect(await refundsOf(reference)).toEqual([]);
});

test("an unpaid order keeps its reservation", async () => {
  const productId = await makeProduct(db(), { M: 5 });
  const user = await makeShopper(db(), { productId, size: "M" });
  const { reference } = await open(user);
  expect(await cancelOwnOrder(db(), user.id, reference)).toEqual(refused("not-sold"));
  expect(await statesOf(user)).toEqual(["open"]);
  expect(await stockOf(productId)).toMatchObject({ reserved: 1 });
});

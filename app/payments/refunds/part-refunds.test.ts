import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { storeRate } from "#app/catalog/rates.server.ts";
import { DatabaseAway } from "#app/infra/database/connection-errors.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { log } from "#app/infra/log.server.ts";
import { parseRate } from "#app/money/exchange-rate.ts";
import { renderers } from "#app/orders/emails.tsx";
import { closeIssues } from "#app/orders/issues.server.ts";
import type { RefundWish } from "#app/orders/refund-plan.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import { markSent } from "#app/owner/orders/fulfilment.server.ts";
import { proposeRefund, refundAgreed } from "#app/owner/orders/refunds/refunds.server.ts";
import { listAllOrders } from "#app/owner/orders/search.server.ts";
import { showOrder } from "#app/owner/orders/view.server.ts";
import { reviewProvider, reviewRefundsMade } from "#app/owner/provider-review.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { signedWebhook } from "#tests/support/provider.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { reconcile } from "../reconcile.server.ts";
import { settlePayment } from "../settle.server.ts";
import { receiveWebhook } from "../webhook.server.ts";
import { cancelOrder } from "./cancel.server.ts";
import { reviewRefunds } from "./refunds.server.ts";

const { db, provider, open, stockOf, salesOf, statesOf, refundsOf, mailsAbout, issuesOf, catchUp } = useCheckout();

const failureOf = async (reference: string) => {
  const issues = db().selectFrom("paymentIssues").select("details").where("reference", "=", reference);
  return (await issues.where("kind", "=", "refund-failed").executeTakeFirst())?.details;
};

/** A sale of two jerseys for 165,568 naira, with 5,600 naira for delivery to Lagos. */
async function sold() {
  const productId = await makeProduct(db(), { M: 5 });
  const user = await makeShopper(db(), { productId, size: "M", quantity: 2 });
  const { reference, kobo } = await open(user);
  provider.pay(reference);
  await settlePayment(reference);
  return { productId, user, reference, kobo, one: [{ productId, size: "M", quantity: 1 }] };
}
const ONE = 7_998_400;
const SHIPPING = 560_000;

const refund = (reference: string, wish?: RefundWish, on: Db = db()) => refundWished(on, reference, wish);
const asked = (reference: string) =>
  provider.bodies.filter((body) => (body as { transaction?: string }).transaction === reference).length;
const sums = async (reference: string) =>
  (await refundsOf(reference)).map(({ origin, state, kobo }) => `${origin} ${state} ${kobo}`);
const atProvider = (reference: string) => provider.ledger().find((one) => one.reference === reference)?.refundedKobo;

/** The refunded sum of a payment, as the provider last reported it. */
async function figureOf(reference: string) {
  const row = db().selectFrom("payments").select("providerRefundedKobo").where("reference", "=", reference);
  return (await row.executeTakeFirstOrThrow()).providerRefundedKobo;
}

async function newestOrders() {
  return (await listAllOrders(db(), { view: "all" }, { limit: 100, offset: 0 })).orders;
}

let heard = 0;
async function hear(event: string, reference: string): Promise<void> {
  const { body, signature } = signedWebhook(event, { transaction_reference: reference, at: ++heard });
  expect(await receiveWebhook("paystack", body, signature)).toEqual({ status: 200 });
  while (await reconcile(db()));
}

/** Lets the requested refund succeed or fail. */
async function finish(reference: string, status: "processed" | "failed"): Promise<void> {
  await catchUp(reference);
  provider.finishRefunds(status, reference);
  await catchUp(reference);
}
const arrive = (reference: string) => finish(reference, "processed");
const fail = (reference: string) => finish(reference, "failed");

function setStatus(reference: string, id: number, status: string): void {
  for (const made of provider.refundsOf(reference)) if (made.id === id) made.status = status;
}

describe("a part refund by the owner", () => {
  test("refunds just that part; the sale stays, and the rest can still be refunded", async () => {
    const { user, reference, one, productId, kobo } = await sold();
    expect(await refund(reference, { pieces: one })).toMatchObject({ ok: true });
    await arrive(reference);
    expect([await statesOf(user), (await salesOf(user))[0]?.status]).toEqual([["sold"], "completed"]);
    expect(await sums(reference)).toEqual([`shop done ${ONE}`]);
    expect(atProvider(reference)).toBe(ONE);
    expect(await stockOf(productId)).toEqual({ sold: 2, reserved: 0, onHand: 3 });
    expect(await refund(reference)).toMatchObject({ ok: true });
    expect(await statesOf(user)).toEqual(["refunding"]);
    await arrive(reference);
    expect([await statesOf(user), (await salesOf(user))[0]?.status]).toEqual([["refunded"], "refunded"]);
    expect([atProvider(reference), asked(reference)]).toEqual([kobo, 2]);
    expect(await refund(reference)).toEqual({ ok: false, problem: "Its money has gone back already" });
  });

  test("restocks its pieces with `restock`, once, even after the order was sent", async () => {
    const { reference, one, productId } = await sold();
    await markSent(db(), reference);
    await refund(reference, { pieces: one, restock: true });
    expect(await stockOf(productId)).toMatchObject({ onHand: 4 });
    await arrive(reference);
    await refund(reference, { restock: true });
    expect(await stockOf(productId)).toMatchObject({ sold: 2, onHand: 5 });
    expect(await refund(reference, { pieces: one, restock: true })).toMatchObject({ ok: false });
    expect(await stockOf(productId)).toMatchObject({ onHand: 5 });
  });

  test("that has failed has restocked its pieces: neither another refund nor a cancellation restocks them again", async () => {
    const { reference, one, productId } = await sold();
    await refund(reference, { pieces: one, restock: true });
    await fail(reference);
    const refused = { ok: false, problem: expect.stringContaining("in stock again") };
    expect(await refund(reference, { pieces: one, restock: true })).toMatchObject(refused);
    expect(await cancelOrder(db(), reference)).toMatchObject(refused);
    expect(await refund(reference, { pieces: one })).toMatchObject({ ok: true });
    expect(await refund(reference, { pieces: one, restock: true })).toMatchObject(refused);
    expect(await stockOf(productId)).toEqual({ sold: 2, reserved: 0, onHand: 4 });
    await catchUp(reference);
    provider.finishPending("processed", reference);
    await catchUp(reference);
    expect(await sums(reference)).toEqual([`shop void ${ONE}`, `shop done ${ONE}`]);
  });

  test("makes the order refunded, together with all other parts and the shipping", async () => {
    const { user, reference, one } = await sold();
    await refund(reference, { pieces: one });
    await refund(reference, { pieces: one });
    expect(await statesOf(user)).toEqual(["sold"]);
    await refund(reference, { withShipping: true });
    expect(await statesOf(user)).toEqual(["refunding"]);
    await arrive(reference);
    expect(await statesOf(user)).toEqual(["refunded"]);
    expect(await sums(reference)).toEqual([`shop done ${ONE}`, `shop done ${ONE}`, `shop done ${SHIPPING}`]);
  });

  test("is requested with its sum and a note with its id; a full refund is requested without a sum", async () => {
    const { reference, one } = await sold();
    await refund(reference, { pieces: one });
    await catchUp(reference);
    const [row] = await refundsOf(reference);
    expect(provider.bodies).toContainEqual({
      transaction: reference,
      amount: ONE,
      merchant_note: `Refund ${row?.id}: returned`,
    });
    const other = await sold();
    await refund(other.reference);
    await catchUp(other.reference);
    expect(provider.bodies).toContainEqual({
      transaction: other.reference,
      merchant_note: expect.stringContaining((await refundsOf(other.reference))[0]?.id ?? "none"),
    });
  });

  test("sends a mail at each step, with its pieces and its sum", async () => {
    const { reference, one } = await sold();
    await refund(reference, { pieces: one, withShipping: true });
    await refund(reference, { kobo: 100_000 });
    await arrive(reference);
    expect(await mailsAbout(reference)).toEqual([
      "order-confirmation",
      "refund-done",
      "refund-done",
      "refund-started",
      "refund-started",
    ]);
    const mails = await db().selectFrom("outbox").select(["kind", "data"]).where("kind", "like", "refund-%").execute();
    const texts = await Promise.all(
      mails
        .filter(({ data }) => data.reference === reference)
        .map(async ({ kind, data }) => (await renderers[kind]?.(data))?.text),
    );
    const ofPieces = texts.filter((text) => text?.includes("1 × Home Jersey, Green, M"));
    expect(ofPieces).toEqual([expect.stringContaining("₦85,584"), expect.stringContaining("₦85,584")]);
    for (const text of ofPieces) expect(text).toContain("Delivery");
    expect(texts.filter((text) => text?.includes("₦1,000"))).toHaveLength(2);
  });

  test("is shown with its sum in the owner's list of orders", async () => {
    const { reference, one, kobo } = await sold();
    await refund(reference, { pieces: one });
    const listed = async () => (await newestOrders()).find((order) => order.reference === reference);
    expect(await listed()).toMatchObject({ state: "sold", kobo, refundedKobo: 0, refundingKobo: ONE });
    await arrive(reference);
    expect(await listed()).toMatchObject({ state: "sold", kobo, refundedKobo: ONE, refundingKobo: 0 });
    expect(await showOrder(db(), reference)).toMatchObject({
      payments: [{ refunds: [{ kobo: ONE, state: "done", origin: "shop", pieces: one }] }],
    });
  });

  test("does not prevent a cancellation, which refunds and restocks the rest", async () => {
    const { reference, one, productId, kobo } = await sold();
    await refund(reference, { pieces: one, restock: true });
    expect(await cancelOrder(db(), reference)).toMatchObject({ ok: true });
    expect(await stockOf(productId)).toMatchObject({ onHand: 5 });
    await arrive(reference);
    expect(atProvider(reference)).toBe(kobo);
  });

  test("does not let a sent order be cancelled and restocked", async () => {
    const { reference, productId } = await sold();
    await markSent(db(), reference);
    const problem = expect.stringContaining("already been sent");
    expect(await cancelOrder(db(), reference)).toEqual({ ok: false, problem });
    expect(await stockOf(productId)).toMatchObject({ onHand: 3 });
  });

  test("of the shipping is not repeated", async () => {
    const { reference } = await sold();
    expect(await refund(reference, { withShipping: true })).toMatchObject({ ok: true });
    const again = await refund(reference, { withShipping: true });
    expect(again).toEqual({ ok: false, problem: "Its shipping has gone back already" });
  });

  test("is refused for another sum than the agreed one", async () => {
    const { reference, one } = await sold();
    const proposal = await proposeRefund(db(), reference, { pieces: one });
    expect(proposal).toMatchObject({ ok: true, kobo: ONE });
    await refund(reference, { kobo: 9_000_000 });
    const wish = { pieces: one };
    const done = await db()
      .transaction()
      .execute((trx) => refundAgreed(trx, reference, wish, ONE));
    expect(done).toMatchObject({ ok: false, problem: expect.stringContaining("has just been refunded") });
  });

  test("F56 requested ten times at once is made once for each piece", async () => {
    const { reference, one } = await sold();
    const said = await Promise.all(Array.from({ length: 10 }, () => refund(reference, { pieces: one })));
    expect(said.filter((done) => done?.ok)).toHaveLength(2);
    await Promise.all([catchUp(reference), catchUp(reference), catchUp(reference)]);
    expect([asked(reference), atProvider(reference)]).toEqual([2, 2 * ONE]);
  });

  test("F44 whose response was lost is found by its note, although another one has the same sum", async () => {
    const { reference, one } = await sold();
    await refund(reference, { pieces: one });
    await refund(reference, { pieces: one });
    provider.faulty({ on: "POST /refund", drop: true, times: 2 });
    for (let i = 0; i < 3; i++) await catchUp(reference);
    expect([asked(reference), atProvider(reference)]).toEqual([2, 2 * ONE]);
    await arrive(reference);
    expect(await sums(reference)).toEqual([`shop done ${ONE}`, `shop done ${ONE}`]);
    expect(asked(reference)).toBe(2);
  });

  test("F44 that fails does not count; the owner can retry it, and its issue stays open until it is done", async () => {
    const { user, reference, one } = await sold();
    await refund(reference, { pieces: one });
    await fail(reference);
    expect(await sums(reference)).toEqual([`shop failed ${ONE}`]);
    expect(await issuesOf(reference)).toEqual(["refund-failed"]);
    expect((await newestOrders())[0]).toMatchObject({ refundingKobo: 0, refundedKobo: 0 });
    const said = await Promise.all([1, 2, 3].map(() => refund(reference)));
    expect(said.filter((done) => done?.ok)).toHaveLength(1);
    await catchUp(reference);
    expect([asked(reference), await sums(reference)]).toEqual([2, [`shop sent ${ONE}`]]);
    for (const made of provider.refundsOf(reference).slice(-1)) made.status = "processed";
    await catchUp(reference);
    expect([await sums(reference), await statesOf(user)]).toEqual([[`shop done ${ONE}`], ["sold"]]);
    expect((await checkInvariants(db())).filter(({ where }) => where.includes(reference))).toEqual([]);
  });
});

test("a failed part that was refunded anew and then succeeds after all is recorded as refunded twice", async () => {
  const { reference, one } = await sold();
  await refund(reference, { pieces: one });
  await fail(reference);
  await refund(reference, { pieces: one });
  await arrive(reference); // the first one, too
  expect(await sums(reference)).toEqual([`shop void ${ONE}`, `shop done ${ONE}`, `provider done ${ONE}`]);
  expect(atProvider(reference)).toBe(2 * ONE);
});

test("a failed part that succeeds after all is not taken for another one that is under way", async () => {
  const { reference, one } = await sold();
  await refund(reference, { pieces: one });
  await fail(reference);
  await refund(reference, { withShipping: true });
  await catchUp(reference);
  Object.assign(provider.refundsOf(reference)[0] ?? {}, { status: "processed" });
  await catchUp(reference);
  expect(await sums(reference)).toEqual([`shop done ${ONE}`, `shop sent ${SHIPPING}`]);
});

test("a request that the provider refuses, and yet lists as failed, is sent again", async () => {
  const { reference, one } = await sold();
  await refund(reference, { pieces: one });
  const body = '{"status":false,"message":"Not enough balance","code":"insufficient_balance"}';
  provider.faulty({ on: "POST /refund", status: 400, body });
  await catchUp(reference);
  for (const made of provider.refundsOf(reference)) made.status = "failed";
  await catchUp(reference);
  expect([asked(reference), await sums(reference)]).toEqual([2, [`shop sent ${ONE}`]]);
  expect(await issuesOf(reference)).toEqual([]);
});

test("a failed part that succeeds after everything else was refunded is recorded, too", async () => {
  const user = await makeShopper(db(), { productId: await makeProduct(db(), { M: 1 }), size: "M" });
  const { reference, kobo } = await open(user);
  provider.pay(reference, { amount: kobo + 200_000 });
  await settlePayment(reference);
  await refund(reference, { kobo: 100_000 });
  await fail(reference);
  provider.refundByHand(reference, kobo);
  await reviewRefunds(db(), reference);
  expect(await sums(reference)).toEqual(["shop void 100000", `provider done ${kobo}`]);
  const [made] = provider.refundsOf(reference);
  setStatus(reference, made?.id ?? 0, "processed");
  await reviewRefunds(db(), reference);
  expect(await sums(reference)).toEqual(["shop void 100000", `provider done ${kobo}`, "provider done 100000"]);
});

test("a failed part that has no room for a retry, and succeeds after all, is recorded", async () => {
  const { reference, one, kobo } = await sold();
  await refund(reference, { pieces: one });
  await refund(reference, { kobo: 1000 });
  await fail(reference);
  const byHand = provider.refundByHand(reference, kobo - ONE, "pending");
  await reviewRefunds(db(), reference);
  await refund(reference);
  expect(await sums(reference)).toEqual([`shop open ${ONE}`, "shop void 1000", `provider sent ${kobo - ONE}`]);
  setStatus(reference, byHand, "failed");
  setStatus(reference, provider.refundsOf(reference).find(({ amount }) => amount === 1000)?.id ?? 0, "processed");
  await reviewRefunds(db(), reference);
  expect((await sums(reference)).at(-1)).toBe("provider done 1000");
});

test("a new refund of a part replaces the failed one, which is not retried", async () => {
  const { reference, one } = await sold();
  await refund(reference, { pieces: one });
  await fail(reference);
  await refund(reference, { pieces: one, withShipping: true });
  expect(await sums(reference)).toEqual([`shop void ${ONE}`, `shop open ${ONE + SHIPPING}`]);
  expect((await checkInvariants(db())).filter(({ where }) => where.includes(reference))).toEqual([]);
  expect(await refund(reference)).toMatchObject({ ok: false, problem: expect.stringContaining("on its way back") });
});

test("a part of a failed refund is neither refunded nor restocked alone, since the rest would be forgotten", async () => {
  const { reference, one, productId } = await sold();
  const both = [{ productId, size: "M", quantity: 2 }];
  await refund(reference, { pieces: both, restock: true });
  await fail(reference);
  expect(await refund(reference, { pieces: one })).toMatchObject({
    ok: false,
    problem: expect.stringContaining("have it tried again, or give back all of that"),
  });
  expect(await sums(reference)).toEqual([`shop failed ${2 * ONE}`]);
  expect(await refund(reference, { pieces: both })).toMatchObject({ ok: true });
  expect(await sums(reference)).toEqual([`shop void ${2 * ONE}`, `shop open ${2 * ONE}`]);
  expect((await checkInvariants(db())).filter(({ where }) => where.includes(reference))).toEqual([]);
});

describe("a failed refund", () => {
  /** A sale of three pieces, two sizes of one product and one of another, with a part refund that failed. */
  async function failed(wish: (sale: { productId: string; other: string }) => RefundWish) {
    const [productId, other] = [await makeProduct(db(), { M: 5, L: 5 }), await makeProduct(db(), { M: 5 })];
    const user = await makeShopper(
      db(),
      { productId, size: "M" },
      { productId, size: "L" },
      { productId: other, size: "M" },
    );
    const { reference } = await open(user);
    provider.pay(reference);
    await settlePayment(reference);
    await refund(reference, wish({ productId, other }));
    await fail(reference);
    return { reference, productId, other };
  }
  const piece = (productId: string, size: string) => [{ productId, size, quantity: 1 }];
  type Sale = { productId: string; other: string };
  const ofM = ({ productId }: Sale): RefundWish => ({ pieces: piece(productId, "M") });

  test.each<[string, (sale: Sale) => RefundWish, (sale: Sale) => RefundWish, "failed" | "void"]>([
    ["is replaced by another refund of the same piece", ofM, ofM, "void"],
    ["stays where another size goes back", ofM, ({ productId }) => ({ pieces: piece(productId, "L") }), "failed"],
    ["stays where another product goes back", ofM, ({ other }) => ({ pieces: piece(other, "M") }), "failed"],
    ["stays where the shipping goes back", ofM, () => ({ withShipping: true }), "failed"],
    ["stays where only money goes back", ofM, () => ({ kobo: 1000 }), "failed"],
    [
      "is replaced by one of several pieces, of which it is one",
      ofM,
      ({ productId, other }) => ({ pieces: [...piece(other, "M"), ...piece(productId, "M")] }),
      "void",
    ],
    ["stays, if it was the shipping's, where a piece goes back", () => ({ withShipping: true }), ofM, "failed"],
    [
      "is replaced, if it was the shipping's, by another one of the shipping",
      () => ({ withShipping: true }),
      () => ({ withShipping: true }),
      "void",
    ],
    [
      "is replaced by one that takes all that is left",
      ofM,
      ({ other, productId }) => ({
        pieces: [...piece(other, "M"), ...piece(productId, "M"), ...piece(productId, "L")],
        withShipping: true,
      }),
      "void",
    ],
    ["is replaced by the sum of all", () => ({ kobo: 1000 }), () => ({ kobo: 3 * ONE + SHIPPING }), "void"],
  ])("%s", async (_, first, second, state) => {
    const { reference, ...sale } = await failed(first);
    await refund(reference, second(sale));
    expect((await refundsOf(reference)).map((row) => row.state)).toEqual([state, "open"]);
    expect(await issuesOf(reference)).toEqual(["refund-failed"]);
    const open = await db()
      .selectFrom("paymentIssues")
      .select("kind")
      .where("reference", "=", reference)
      .where("resolvedAt", "is", null)
      .execute();
    expect(open).toHaveLength(state === "failed" ? 1 : 0);
  });

  test("that was replaced is not replaced again by a third one", async () => {
    const { reference, productId, other } = await failed(ofM);
    const both = { pieces: [...piece(productId, "M"), ...piece(other, "M")] };
    await refund(reference, both);
    await fail(reference);
    expect(await refund(reference, both)).toMatchObject({ ok: true });
    expect((await refundsOf(reference)).map((row) => row.state)).toEqual(["void", "void", "open"]);
  });
});

test.each([
  ["given back anew", true, [`shop void ${ONE}`, `shop done ${ONE}`, `provider done ${ONE}`]],
  ["tried again", false, [`shop done ${ONE}`, `provider done ${ONE}`]],
])(
  "a part that failed, was %s, and comes through after all is found by the regular look, without a webhook",
  async (_, anew, all) => {
    const { reference, one } = await sold();
    await refund(reference, { pieces: one });
    await fail(reference);
    const [failed = {}] = provider.refundsOf(reference);
    await refund(reference, anew ? { pieces: one } : {});
    await catchUp(reference);
    provider.finishPending("processed", reference);
    await catchUp(reference);
    Object.assign(failed, { status: "processed" });
    await reviewRefundsMade(db(), 7);
    expect(await sums(reference)).toEqual(all);
    provider.calls.length = 0;
    await reviewRefundsMade(db(), 7);
    expect(provider.calls.filter((call) => call.includes(reference))).toEqual([]);
  },
);

test("an older list of the provider that arrives after a newer one is corrected by the regular check", async () => {
  const { reference, one } = await sold();
  await refund(reference, { pieces: one });
  await catchUp(reference);
  provider.finishPending("processed", reference);
  await catchUp(reference);
  await db().updateTable("payments").set({ providerRefundedKobo: 0 }).where("reference", "=", reference).execute();
  await reviewRefundsMade(db(), 7);
  expect(await figureOf(reference)).toBe(String(ONE));
});

test("one payment that cannot be checked does not stop the regular check of the others", async () => {
  const [bad, good] = [await sold(), await sold()];
  for (const { reference } of [bad, good]) provider.refundByHand(reference, 1_000_000);
  provider.faulty({ on: `verify/${bad.reference}`, body: "no transaction that can be read", times: 9 });
  await expect(reviewRefundsMade(db(), 7)).rejects.toThrow(bad.reference);
  expect(await sums(good.reference)).toEqual(["provider done 1000000"]);
  provider.faultless();
  await reviewRefundsMade(db(), 7);
  expect(await sums(bad.reference)).toEqual(["provider done 1000000"]);
});

test("several payments that cannot be checked do not stop the regular check of the others", async () => {
  const references: string[] = [];
  for (let n = 0; n < 11; n++) references.push((await sold()).reference);
  for (const reference of references) provider.refundByHand(reference, 1_000_000);
  const [bad, good] = [1, 0].map((rest) => references.filter((_, at) => at % 2 === rest));
  const unreadable = { body: "no transaction that can be read", times: 9 };
  provider.faulty(...(bad ?? []).map((reference) => ({ ...unreadable, on: `verify/${reference}` })));
  await expect(reviewRefundsMade(db(), 7)).rejects.toThrow(/^The refunds of 5 payments cannot be looked at/);
  for (const reference of good ?? []) expect(await sums(reference)).toEqual(["provider done 1000000"]);
  provider.faultless();
  await reviewRefundsMade(db(), 7);
});

test("a lost database ends the regular check with its error", async () => {
  for (const { reference } of [await sold(), await sold()]) provider.refundByHand(reference, 1_000_000);
  const transaction = vi.spyOn(db(), "transaction").mockImplementation(() => {
    throw new DatabaseAway();
  });
  await expect(reviewRefundsMade(db(), 7)).rejects.toThrow(new DatabaseAway());
  transaction.mockRestore();
  await reviewRefundsMade(db(), 7);
});

test("a part is worth what was charged for it, at the rate of its order", async () => {
  const rate = parseRate("1500");
  if (rate) await storeRate(db(), rate, "test");
  const { reference, one } = await sold();
  await db().deleteFrom("exchangeRates").execute();
  await refund(reference, { pieces: one });
  expect(await sums(reference)).toEqual([`shop open ${4999 * 1500}`]);
});

describe("a refund in the provider's dashboard", () => {
  test("in part, is recorded when its webhook comes: the sale stands, with the sum beside it", async () => {
    const { user, reference } = await sold();
    provider.refundByHand(reference, 1_000_000, "pending");
    await hear("refund.pending", reference);
    expect(await sums(reference)).toEqual(["provider sent 1000000"]);
    expect(await refundsOf(reference)).toMatchObject([{ reason: "provider" }]);
    provider.finishRefunds("processed", reference);
    await hear("refund.processed", reference);
    expect(await sums(reference)).toEqual(["provider done 1000000"]);
    expect([await statesOf(user), (await salesOf(user))[0]?.status]).toEqual([["sold"], "completed"]);
    expect(await mailsAbout(reference)).toEqual(["order-confirmation", "refund-done"]);
    expect([await issuesOf(reference), asked(reference)]).toEqual([[], 0]);
  });

  test("without a webhook, is recorded once, by the regular check", async () => {
    const { reference } = await sold();
    provider.refundByHand(reference, 1_000_000);
    for (let i = 0; i < 3; i++) await reviewRefundsMade(db(), 7);
    expect(await sums(reference)).toEqual(["provider done 1000000"]);
    const looks = provider.calls.filter((call) => call.includes(reference)).length;
    await reviewRefundsMade(db(), 7);
    expect(provider.calls.filter((call) => call.includes(reference))).toHaveLength(looks);
  });

  test("without a webhook, is recorded by `check --provider`", async () => {
    const { reference } = await sold();
    provider.refundByHand(reference, 1_000_000);
    expect(await reviewProvider(db(), 7)).toMatchObject({ ok: true, broken: [] });
    expect(await sums(reference)).toEqual(["provider done 1000000"]);
  });

  test("of all that was paid, makes the order refunded, in one part or in several", async () => {
    const { user, reference, kobo } = await sold();
    provider.refundByHand(reference, 1_000_000);
    await hear("refund.processed", reference);
    expect(await statesOf(user)).toEqual(["sold"]);
    provider.refundByHand(reference, kobo - 1_000_000);
    await hear("refund.processed", reference);
    expect([await statesOf(user), (await salesOf(user))[0]?.status]).toEqual([["refunded"], "refunded"]);
    expect(await issuesOf(reference)).toEqual([]);
  });

  test("together with the owner's own parts is the whole order", async () => {
    const { user, reference, one, kobo } = await sold();
    await refund(reference, { pieces: one });
    await arrive(reference);
    provider.refundByHand(reference, kobo - ONE);
    await hear("refund.processed", reference);
    expect(await statesOf(user)).toEqual(["refunded"]);
  });

  test("that fails there does not count here", async () => {
    const { user, reference } = await sold();
    provider.refundByHand(reference, 1_000_000, "pending");
    await hear("refund.pending", reference);
    provider.finishRefunds("failed", reference);
    await hear("refund.failed", reference);
    expect(await sums(reference)).toEqual(["provider failed 1000000"]);
    expect([await statesOf(user), await issuesOf(reference)]).toEqual([["sold"], []]);
    expect((await newestOrders())[0]).toMatchObject({ refundedKobo: 0, refundingKobo: 0 });
    provider.refundByHand(reference, 1_000_000);
    await hear("refund.processed", reference);
    expect(await sums(reference), "the next one is another").toEqual([
      "provider failed 1000000",
      "provider done 1000000",
    ]);
  });

  test("leaves only the rest to the owner's full refund that was not requested yet", async () => {
    const { user, reference, kobo } = await sold();
    await refund(reference);
    provider.refundByHand(reference, 1_000_000);
    await arrive(reference);
    expect((await sums(reference)).sort()).toEqual(["provider done 1000000", `shop done ${kobo - 1_000_000}`]);
    expect([await statesOf(user), atProvider(reference)]).toEqual([["refunded"], kobo]);
  });

  test("of the whole sum leaves nothing to the owner's part refund that was not requested yet", async () => {
    const { user, reference, one, kobo } = await sold();
    await refund(reference, { pieces: one });
    provider.refundByHand(reference, kobo);
    await arrive(reference);
    expect((await sums(reference)).sort()).toEqual([`provider done ${kobo}`, `shop void ${ONE}`]);
    expect([await statesOf(user), asked(reference)]).toEqual([["refunded"], 0]);
    provider.pay(reference); // the provider does not report a reversal
    const more = provider.refundByHand(reference, ONE, "pending");
    await reviewRefunds(db(), reference);
    expect((await sums(reference)).sort(), "a void one is not asked for").toEqual([
      `provider done ${kobo}`,
      `shop void ${ONE}`,
    ]);
    for (const made of provider.refundsOf(reference)) if (made.id === more) made.status = "failed";
  });

  test.each([
    ["of the whole, of which it leaves the rest to ask for", undefined, 1_000_000, "refunding"],
    ["of a part, of which it leaves nothing to ask for", "one", "all", "sold"],
  ] as const)("in place of the owner's refund %s, is told of when it fails", async (_, part, made, state) => {
    const { user, reference, one, kobo } = await sold();
    await refund(reference, part && { pieces: one });
    const byHand = provider.refundByHand(reference, made === "all" ? kobo : made, "pending");
    await catchUp(reference);
    for (const { id } of provider.refundsOf(reference))
      setStatus(reference, id, id === byHand ? "failed" : "processed");
    await catchUp(reference);
    expect([await statesOf(user), await issuesOf(reference)]).toEqual([[state], ["refund-failed"]]);
    if (part) return;
    const broken = async () => (await checkInvariants(db())).filter(({ where }) => where === reference);
    expect(await broken()).toMatchObject([{ rule: "I13" }]);
    await db().deleteFrom("paymentIssues").where("reference", "=", reference).execute();
    expect(await broken()).toMatchObject([
      { rule: "I3", what: "all of it is to go back, and 1000000 kobo of it do not" },
    ]);
    await refund(reference);
    await catchUp(reference);
    for (const { id, status } of provider.refundsOf(reference))
      if (status === "pending") setStatus(reference, id, "processed");
    await catchUp(reference);
    expect([await statesOf(user), await broken()]).toEqual([["refunded"], []]);
  });

  test("of the sum of a failed refund is taken for that one", async () => {
    const { reference, one } = await sold();
    await refund(reference, { pieces: one });
    await fail(reference);
    provider.refundByHand(reference, ONE);
    await hear("refund.processed", reference);
    expect(await sums(reference)).toEqual([`shop done ${ONE}`]);
    const open = (await checkInvariants(db())).filter(({ where }) => where.includes(reference));
    expect(open).toEqual([]);
    provider.refunds.splice(
      0,
      provider.refunds.length,
      ...provider.refunds.filter(({ status }) => status !== "failed"),
    );
  });

  test("of the sum of an unanswered request is taken for that one", async () => {
    const { reference, one } = await sold();
    await refund(reference, { pieces: one });
    provider.faulty({ on: "POST /refund", drop: true, before: true });
    await catchUp(reference);
    provider.refundByHand(reference, ONE);
    await hear("refund.processed", reference);
    expect([await sums(reference), asked(reference)]).toEqual([[`shop done ${ONE}`], 1]);
  });

  test("of the sum of a refund under way is a separate one", async () => {
    const { reference, one } = await sold();
    await refund(reference, { pieces: one });
    await catchUp(reference);
    provider.refundByHand(reference, ONE);
    await hear("refund.processed", reference);
    expect(await sums(reference)).toEqual([`shop sent ${ONE}`, `provider done ${ONE}`]);
  });

  test("of the whole sum is taken for the owner's full refund that was not requested yet", async () => {
    const { user, reference, kobo } = await sold();
    await refund(reference);
    provider.refundByHand(reference, kobo, "pending");
    await hear("refund.pending", reference);
    expect([await sums(reference), asked(reference)]).toEqual([[`shop sent ${kobo}`], 0]);
    await arrive(reference);
    expect(await statesOf(user)).toEqual(["refunded"]);
  });

  const TWO_ASKED_FOR = [`shop open ${ONE}`, "shop open 1000000"];
  const LEFT = ONE + SHIPPING - 1_000_000;
  test.each([
    ["leaves as it is what has room beside it", LEFT, TWO_ASKED_FOR],
    ["of the same sum as one of them, is another one", 1_000_000, TWO_ASKED_FOR],
    ["takes what it needs more from the newer one", LEFT + 400_000, [`shop open ${ONE}`, "shop open 600000"]],
    ["takes the newer one's place", LEFT + 1_000_000, [`shop open ${ONE}`, "shop void 1000000"]],
    [
      "takes the newer one's place, and a part of the older one's",
      LEFT + 1_400_000,
      [`shop open ${ONE - 400_000}`, "shop void 1000000"],
    ],
    ["takes the place of both", LEFT + 1_000_000 + ONE, [`shop void ${ONE}`, "shop void 1000000"]],
  ])("while two parts were not requested yet, %s", async (_, amount, ofShop) => {
    const { reference, one } = await sold();
    await refund(reference, { pieces: one });
    await refund(reference, { kobo: 1_000_000 });
    provider.refundByHand(reference, amount, "pending");
    await reviewRefunds(db(), reference);
    expect(await sums(reference)).toEqual([...ofShop, `provider sent ${amount}`]);
    await arrive(reference);
  });

  test("of the sum of a refund that was not requested yet and still has room is a separate one", async () => {
    const { reference, kobo } = await sold();
    const half = kobo / 2;
    await refund(reference, { kobo: half });
    provider.refundByHand(reference, half, "pending");
    await reviewRefunds(db(), reference);
    expect(await sums(reference)).toEqual([`shop open ${half}`, `provider sent ${half}`]);
    await arrive(reference);
  });

  test("of more than is left counts for what is left, and only once", async () => {
    const { user, reference, one, kobo } = await sold();
    await refund(reference, { pieces: one });
    await catchUp(reference);
    provider.refundByHand(reference, kobo, "pending");
    await hear("refund.pending", reference);
    expect(await sums(reference)).toEqual([`shop sent ${ONE}`, `provider sent ${kobo - ONE}`]);
    const errors = vi.spyOn(log, "error");
    provider.refundByHand(reference, 1000, "pending");
    await hear("refund.pending", reference);
    expect([await refundsOf(reference), errors.mock.calls]).toMatchObject([{ length: 2 }, []]);
    const mine = provider.refundsOf(reference).slice(-2);
    for (const made of mine) made.status = "failed";
    await hear("refund.failed", reference);
    expect([await statesOf(user), await sums(reference)]).toEqual([
      ["sold"],
      [`shop sent ${ONE}`, `provider failed ${kobo - ONE}`],
    ]);
  });

  test("without a sum counts for all that is left, and no total of the provider is stored", async () => {
    const { reference, one, kobo } = await sold();
    await refund(reference, { pieces: one });
    await arrive(reference);
    const figure = () => figureOf(reference);
    expect(await figure()).toBe(String(ONE));
    provider.refundByHand(reference, 100, "pending");
    await hear("refund.pending", reference);
    expect([await figure(), (await sums(reference)).at(-1)]).toEqual([String(ONE), "provider sent 100"]);
    for (const made of provider.refundsOf(reference).slice(-1)) made.status = "failed";
    await hear("refund.failed", reference);
    provider.refundByHand(reference, kobo - ONE);
    const made = provider.refundsOf(reference).slice(-1);
    for (const one of made) Object.assign(one, { amount: undefined });
    provider.pay(reference);
    await hear("refund.processed", reference);
    expect([await figure(), (await sums(reference)).at(-1)]).toEqual([String(ONE), `provider done ${kobo - ONE}`]);
    for (const one of made) one.amount = kobo - ONE;
    await hear("refund.processed", reference);
    expect(await figure()).toBe(String(kobo));
  });

  test("without a sum prevents a total of the provider, even with other refunds", async () => {
    const { reference, one, kobo } = await sold();
    await refund(reference, { pieces: one });
    await catchUp(reference);
    expect(await figureOf(reference)).toBe("0");
    provider.finishRefunds("processed", reference);
    provider.refundByHand(reference, kobo - ONE);
    const [, silent] = provider.refundsOf(reference);
    Object.assign(silent ?? {}, { amount: undefined });
    provider.pay(reference);
    await hear("refund.processed", reference);
    expect(await figureOf(reference)).toBe("0");
    Object.assign(silent ?? {}, { amount: kobo - ONE });
    await hear("refund.processed", reference);
    expect(await figureOf(reference)).toBe(String(kobo));
  });

  test("in part, which the provider calls a reversal, stays a part after a full refund that failed", async () => {
    const { reference, kobo } = await sold();
    await refund(reference);
    await fail(reference);
    provider.refundByHand(reference, 1_000_000);
    provider.pay(reference, { status: "reversed" });
    await hear("refund.processed", reference);
    expect(await sums(reference)).toEqual([`shop failed ${kobo}`, "provider done 1000000"]);
    provider.pay(reference);
  });

  test("after a part that the provider calls a reversal is still a part", async () => {
    const { user, reference } = await sold();
    provider.refundByHand(reference, 1_000_000);
    provider.pay(reference, { status: "reversed" });
    await hear("refund.processed", reference);
    expect([await statesOf(user), await sums(reference)]).toEqual([["sold"], ["provider done 1000000"]]);
    provider.pay(reference);
  });
});

test("a refund that needs attention at the provider becomes an issue, and stays under way", async () => {
  const { reference, one } = await sold();
  await refund(reference, { pieces: one });
  await catchUp(reference);
  for (const made of provider.refundsOf(reference).slice(-1)) made.status = "needs-attention";
  await catchUp(reference);
  expect(await sums(reference)).toEqual([`shop sent ${ONE}`]);
  expect(await failureOf(reference)).toEqual({ status: "needs-attention" });
  await arrive(reference);
  expect(await sums(reference)).toEqual([`shop done ${ONE}`]);
});

test("a refund that fails, and one that comes back in part, say so to whoever looks", async () => {
  const [failed, partly] = [await sold(), await sold()];
  for (const { reference, one } of [failed, partly]) {
    await refund(reference, { pieces: one });
    await catchUp(reference);
  }
  provider.finishRefunds("failed", failed.reference);
  for (const made of provider.refundsOf(partly.reference))
    Object.assign(made, { status: "processed", amount: 1_000_000 });
  for (const { reference } of [failed, partly]) await catchUp(reference);
  expect(await failureOf(failed.reference)).toEqual({ status: "failed" });
  const details = { status: "partly-processed", asked: ONE, kobo: 1_000_000 };
  expect(await failureOf(partly.reference)).toEqual(details);
  expect(await sums(partly.reference)).toEqual(["shop done 1000000"]);
});

describe("of two refunds of a payment", () => {
  /** A sale whose first refund went back in part, and whose second one is under way. */
  async function partly() {
    const { reference, one } = await sold();
    await refund(reference, { pieces: one });
    await catchUp(reference);
    for (const made of provider.refundsOf(reference)) Object.assign(made, { status: "processed", amount: 1_000_000 });
    await catchUp(reference);
    await refund(reference, { withShipping: true });
    await catchUp(reference);
    return reference;
  }
  const openOf = async (reference: string) =>
    (await checkInvariants(db())).filter(({ where }) => where === reference).map(({ rule }) => rule);
  const finishLast = async (reference: string, status: string) => {
    for (const made of provider.refundsOf(reference).slice(-1)) made.status = status;
    await catchUp(reference);
  };

  test("one that is done in part has an issue, although the other one is done in full", async () => {
    const reference = await partly();
    await finishLast(reference, "processed");
    expect(await sums(reference)).toEqual(["shop done 1000000", `shop done ${SHIPPING}`]);
    expect(await openOf(reference)).toEqual(["I13"]);
  });

  test("one that fails has an issue, although that of the other one was resolved", async () => {
    const reference = await partly();
    expect(await closeIssues(db(), reference)).toBe(1);
    expect(await openOf(reference)).toEqual([]);
    await finishLast(reference, "failed");
    expect(await openOf(reference)).toEqual(["I13"]);
  });

  test("one that is done in part keeps its issue when the other one fails, is retried and is done", async () => {
    const reference = await partly();
    await finishLast(reference, "failed");
    expect(await openOf(reference)).toEqual(["I13", "I13"]);
    await refund(reference);
    expect(await openOf(reference), "the one that is tried again is not told of").toEqual(["I13"]);
    await catchUp(reference);
    await finishLast(reference, "processed");
    expect(await sums(reference)).toEqual(["shop done 1000000", `shop done ${SHIPPING}`]);
    expect(await openOf(reference)).toEqual(["I13"]);
  });

  test.each([
    ["given back anew", true],
    ["tried again", false],
  ])("one of a failed sum that was %s has an issue when it fails as well", async (_, anew) => {
    const { reference, one } = await sold();
    for (let i = 0; i < 3; i++) {
      await refund(reference, anew || i === 0 ? { pieces: one } : {});
      expect(await openOf(reference)).toEqual([]);
      await catchUp(reference);
      await finishLast(reference, "failed");
      expect(await openOf(reference)).toEqual(["I13"]);
    }
  });

  test("one of the whole sum that failed and was tried again has an issue when it fails again", async () => {
    const { reference } = await sold();
    for (let i = 0; i < 3; i++) {
      await refund(reference);
      expect(await openOf(reference)).toEqual([]);
      await catchUp(reference);
      await finishLast(reference, "failed");
      expect(await openOf(reference)).toEqual(["I13"]);
    }
  });

  test("all of which should go back, and for which nothing is asked any more, are a fault although an old failure was resolved", async () => {
    const { reference } = await sold();
    await refund(reference);
    await fail(reference);
    await db()
      .updateTable("paymentIssues")
      .set({ resolvedAt: sql`now()` })
      .where("reference", "=", reference)
      .execute();
    expect(await openOf(reference)).toEqual(["I3"]);
    await db()
      .updateTable("paymentIssues")
      .set({ details: sql`details || '{"closedByOwner": true}'` })
      .where("reference", "=", reference)
      .execute();
    expect(await openOf(reference), "the owner has seen to it").toEqual([]);
  });

  test("a resolved issue is not opened again, however often the failure is reported", async () => {
    const reference = await partly();
    await finishLast(reference, "needs-attention");
    await closeIssues(db(), reference);
    await catchUp(reference);
    await closeIssues(db(), reference);
    await catchUp(reference);
    expect(await openOf(reference)).toEqual([]);
    await finishLast(reference, "processed");
  });
});

test("a part that failed, and comes through although all is on its way back by now, keeps nothing else from being recorded", async () => {
  const { user, reference, one, kobo } = await sold();
  await refund(reference, { pieces: one });
  await fail(reference);
  provider.refundByHand(reference, kobo, "pending");
  await hear("refund.pending", reference);
  expect(await sums(reference)).toEqual([`shop failed ${ONE}`, `provider sent ${kobo}`]);
  const [mine, byHand] = provider.refundsOf(reference);
  Object.assign(mine ?? {}, { status: "pending" });
  Object.assign(byHand ?? {}, { status: "processed" });
  await hear("refund.processed", reference);
  expect([await sums(reference), await statesOf(user)]).toEqual([
    [`shop void ${ONE}`, `provider done ${kobo}`],
    ["refunded"],
  ]);
  Object.assign(mine ?? {}, { status: "failed" });
});

test("money of which all but the provider's fees goes back is a part of what was paid, whatever the provider calls it", async () => {
  const productId = await makeProduct(db(), { M: 1 });
  const user = await makeShopper(db(), { productId, size: "M" });
  const { reference, kobo } = await open(user);
  provider.pay(reference, { amount: kobo + 30_000 });
  await settlePayment(reference);
  await refund(reference, { kobo });
  await catchUp(reference);
  for (const made of provider.refundsOf(reference).slice(-1)) made.status = "processed";
  provider.pay(reference, { amount: kobo + 30_000, status: "reversed" });
  await catchUp(reference);
  expect([await sums(reference), await statesOf(user)]).toEqual([[`shop done ${kobo}`], ["refunded"]]);
  provider.pay(reference, { amount: kobo + 30_000 });
});

test("a refund of all whose reply was lost is done under the provider's number", async () => {
  const { reference, kobo } = await sold();
  await refund(reference);
  provider.faulty({ on: "POST /refund", drop: true });
  await arrive(reference);
  expect(await sums(reference)).toEqual([`shop done ${kobo}`]);
  expect((await refundsOf(reference))[0]?.providerId).toBe(String(provider.refundsOf(reference)[0]?.id));
});

test("a bank that takes the rest back after a part is seen by `check --provider`, without any webhook", async () => {
  const { user, reference } = await sold();
  provider.pay(reference, { status: "reversed" });
  expect(await reviewProvider(db(), 7)).toMatchObject({ ok: true, broken: [] });
  expect([await statesOf(user), await issuesOf(reference)]).toEqual([["refunded"], ["reversed"]]);
  provider.refundByHand(reference, 100);
  await reviewRefunds(db(), reference);
  expect(await refundsOf(reference), "which was for all, and not this").toMatchObject([{ providerId: null }]);
  for (const made of provider.refundsOf(reference)) made.status = "failed";
  await reviewRefunds(db(), reference);
});

test("a total of the provider that differs from the shop's is a fault, for `check` as well", async () => {
  const { reference } = await sold();
  provider.refundByHand(reference, 1_000_000);
  await hear("refund.processed", reference);
  const [made] = provider.refundsOf(reference);
  Object.assign(made ?? {}, { amount: 900_000 });
  await reviewProvider(db(), 7);
  const faults = (await checkInvariants(db())).filter(({ where }) => where.startsWith(reference));
  expect(faults).toMatchObject([{ rule: "I19", what: expect.stringContaining("900000 at the provider") }]);
  Object.assign(made ?? {}, { amount: 1_000_000 });
  await reviewProvider(db(), 7);
});

test.each([
  ["all of it", ONE, []],
  ["still a part of it", ONE - 1, ["I13"]],
])(
  "a part of which the provider first calls less done, and then %s, counts as it says last, without a webhook",
  async (_, last, faults) => {
    const { reference, one } = await sold();
    await refund(reference, { pieces: one });
    await catchUp(reference);
    const [made = {}] = provider.refundsOf(reference);
    const known = async () => [
      await sums(reference),
      (await checkInvariants(db())).filter(({ where }) => where.startsWith(reference)).map(({ rule }) => rule),
    ];
    Object.assign(made, { status: "processed", amount: ONE - 2 });
    await catchUp(reference);
    expect(await known(), "a person is told").toEqual([[`shop done ${ONE - 2}`], ["I13"]]);
    Object.assign(made, { amount: last });
    await reviewRefundsMade(db(), 7);
    expect(await known()).toEqual([[`shop done ${last}`], faults]);
  },
);

test("what the provider calls on its way again, and more, does not count before it is done", async () => {
  const { reference, one } = await sold();
  await refund(reference, { pieces: one });
  await catchUp(reference);
  const [made = {}] = provider.refundsOf(reference);
  Object.assign(made, { status: "processed", amount: ONE - 2 });
  await catchUp(reference);
  Object.assign(made, { status: "pending", amount: ONE });
  await reviewRefunds(db(), reference);
  expect(await sums(reference)).toEqual([`shop done ${ONE - 2}`]);
  Object.assign(made, { status: "processed" });
  await reviewRefunds(db(), reference);
  expect(await sums(reference)).toEqual([`shop done ${ONE}`]);
});

describe("the database itself refuses", () => {
  const insert = (reference: string, kobo: number, pieces: object[] = [], withShipping = false) =>
    db()
      .insertInto("refunds")
      .values({ reference, kobo, reason: "returned", pieces: JSON.stringify(pieces), withShipping })
      .execute();
  const undone = (reference: string) => db().deleteFrom("refunds").where("reference", "=", reference).execute();

  test("parts that exceed the whole, also when one that failed is to be tried again", async () => {
    const { reference, kobo } = await sold();
    await expect(insert(reference, kobo + 1)).rejects.toThrow("refunds_never_exceed_payment");
    await insert(reference, kobo - 100);
    await expect(insert(reference, 101)).rejects.toThrow("refunds_never_exceed_payment");
    const setState = (state: "failed" | "open") =>
      db()
        .updateTable("refunds")
        .set({ state })
        .where("reference", "=", reference)
        .where("kobo", "=", String(kobo - 100))
        .execute();
    await setState("failed");
    await insert(reference, 101);
    await expect(setState("open")).rejects.toThrow("refunds_never_exceed_payment");
    await undone(reference);
  });

  test("pieces that were not bought, and more than were", async () => {
    const { reference, one, productId } = await sold();
    await expect(insert(reference, 1, [{ productId, size: "L", quantity: 1 }])).rejects.toThrow("than were bought");
    await insert(reference, 1, one);
    await expect(insert(reference, 1, [{ productId, size: "M", quantity: 2 }])).rejects.toThrow("than were bought");
    await undone(reference);
  });

  test("the shipping twice", async () => {
    const { reference } = await sold();
    await insert(reference, 1, [], true);
    await expect(insert(reference, 1, [], true)).rejects.toThrow("refunds_shipping_once");
    await undone(reference);
  });

  test("counts what is deleted no more", async () => {
    const { reference, one } = await sold();
    await insert(reference, 500, one);
    await undone(reference);
    const { rows } =
      await sql`select refunding_kobo, refunded_kobo from payments where reference = ${reference}`.execute(db());
    expect(rows).toEqual([{ refundingKobo: "0", refundedKobo: "0" }]);
  });
});

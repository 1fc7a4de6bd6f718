import { sql } from "kysely";
import { afterEach, describe, expect, test, vi } from "vitest";
import { log } from "#app/infra/log.server.ts";
import { paystack as shopsProvider } from "#app/paystack/provider.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { setsMoment } from "#tests/support/moments.ts";
import { signedWebhook } from "#tests/support/provider.ts";
import { reconcile } from "../reconcile.server.ts";
import { settlePayment } from "../settle.server.ts";
import { receiveWebhook } from "../webhook.server.ts";
import { refundSale } from "./refund-sale.server.ts";
import { runRefunds } from "./refunds.server.ts";

const { db, provider, oneBuyer, salesOf, statesOf, refundOf, mailsAbout, issuesOf, openIssuesOf, catchUp } =
  useCheckout();

/** A payment in dollars, which the shop has to refund. */
async function toGiveBack() {
  const { user, payment } = await oneBuyer();
  provider.pay(payment.reference, { currency: "USD" });
  await settlePayment(payment.reference);
  return { user, payment };
}

async function hear(event: string, reference: string): Promise<void> {
  const { body, signature } = signedWebhook(event, { transaction_reference: reference });
  expect(await receiveWebhook("paystack", body, signature)).toEqual({ status: 200 });
  while (await reconcile(db()));
}

const asked = () => provider.calls.filter((call) => call === "POST /refund").length;

/** Dates a refund's request back so far that it would appear in the provider's list by now. */
const askedLongAgo = (reference: string) =>
  db()
    .updateTable("refunds")
    .set({ updatedAt: sql`now() - interval '6 minutes'` })
    .where("reference", "=", reference)
    .execute();

describe("a refund", () => {
  test("is requested once, checked until it is done, and announced by two mails", async () => {
    const errors = vi.spyOn(log, "error");
    const { user, payment } = await toGiveBack();
    expect(await mailsAbout(payment.reference)).toEqual(["refund-started"]);
    await catchUp(payment.reference);
    expect(await refundOf(payment.reference)).toMatchObject({ state: "sent" });
    provider.finishRefunds();
    await catchUp(payment.reference);
    expect(await refundOf(payment.reference)).toMatchObject({ state: "done" });
    expect(await statesOf(user)).toEqual(["refunded"]);
    expect(await mailsAbout(payment.reference)).toEqual(["refund-done", "refund-started"]);
    await catchUp(payment.reference);
    expect([asked(), errors.mock.calls]).toEqual([1, []]);
  });

  test("is left to another process if this one was paused before the request", async () => {
    const { payment } = await toGiveBack();
    let time = Date.now();
    const clock = vi.spyOn(Date, "now").mockImplementation(() => {
      time += 61_000;
      return time;
    });
    await catchUp(payment.reference);
    clock.mockRestore();
    expect([asked(), (await refundOf(payment.reference))?.state]).toEqual([0, "sent"]);
    await catchUp(payment.reference);
    expect(asked()).toBe(0);
    await askedLongAgo(payment.reference);
    await catchUp(payment.reference);
    expect(asked()).toBe(1);
  });

  test("F44 whose response was lost is looked for in the provider's list before it is sent again", async () => {
    const { payment } = await toGiveBack();
    provider.faulty({ on: "POST /refund", drop: true });
    await catchUp(payment.reference);
    expect(await refundOf(payment.reference)).toMatchObject({ lastError: expect.stringContaining("unavailable") });
    await catchUp(payment.reference);
    expect(await refundOf(payment.reference)).toMatchObject({ state: "sent" });
    expect(asked()).toBe(1);
  });

  test("F44 whose request never arrived is sent again, but not before it would be in the list", async () => {
    const { payment } = await toGiveBack();
    provider.faulty({ on: "POST /refund", drop: true, before: true });
    for (let i = 0; i < 3; i++) await catchUp(payment.reference);
    expect(asked()).toBe(1);
    await askedLongAgo(payment.reference);
    await catchUp(payment.reference);
    expect(asked()).toBe(2);
    expect(await refundOf(payment.reference)).toMatchObject({ state: "sent", lastError: null });
  });

  test.each([
    ["list", "GET /refund"],
    ["payment", "verify"],
  ])("F44 is not sent while the provider's %s is unknown", async (_, on) => {
    const { payment } = await toGiveBack();
    provider.faulty({ on, status: 502, body: "<html>" });
    await catchUp(payment.reference);
    expect(asked()).toBe(0);
    const lastError = expect.stringMatching(/^unavailable: ./);
    expect(await refundOf(payment.reference)).toMatchObject({ state: "open", lastError });
    await catchUp(payment.reference);
    expect(asked()).toBe(1);
  });

  test("that throws is logged, delays no other, and is claimed again", async () => {
    const [broken, other] = [await toGiveBack(), await toGiveBack()];
    const { verify } = shopsProvider;
    const errors = vi.spyOn(log, "error");
    const verifying = vi.spyOn(shopsProvider, "verify").mockImplementation((reference) => {
      if (reference === broken.payment.reference) throw new Error("not to be thrown");
      return verify(reference);
    });
    await runRefunds(db());
    expect([await refundOf(broken.payment.reference), await refundOf(other.payment.reference)]).toMatchObject([
      { state: "open" },
      { state: "sent" },
    ]);
    expect(errors.mock.calls).toMatchObject([[{ reference: broken.payment.reference }, "giving money back"]]);
    verifying.mockRestore();
    await catchUp(broken.payment.reference);
    expect(await refundOf(broken.payment.reference)).toMatchObject({ state: "sent" });
  });

  const nextTry = async (reference: string) => (await refundOf(reference))?.nextTryAt;
  const triesAgainIn = (seconds: number, reference: string) =>
    setsMoment(
      () => catchUp(reference),
      () => nextTry(reference),
      seconds,
    );

  test.each([
    [0, 60],
    [1, 120],
    [5, 1920],
    [6, 3600],
    [20, 3600],
  ])("after %i tries without an answer the next one comes after %i s", async (tries, seconds) => {
    const { payment } = await toGiveBack();
    await db().updateTable("refunds").set({ tries }).where("reference", "=", payment.reference).execute();
    provider.faulty({ on: "GET /refund", status: 502, body: "<html>" });
    await triesAgainIn(seconds, payment.reference);
  });

  test("is due again a minute after a claim, an hour after a failure, and five minutes after a request", async () => {
    const { payment } = await toGiveBack();
    const { reference } = payment;
    const taken = vi.spyOn(shopsProvider, "verify").mockRejectedValueOnce(new Error("not to be thrown"));
    await triesAgainIn(60, reference);
    expect(taken).toHaveBeenCalled();
    await triesAgainIn(300, reference);
    await triesAgainIn(300, reference);
    provider.finishRefunds("failed", reference);
    await catchUp(reference);
    await triesAgainIn(3600, reference);
    provider.finishRefunds("processed", reference);
  });

  test("that the provider says was made already is done, even if it is not in the list", async () => {
    const { user, payment } = await toGiveBack();
    const body = '{"status":false,"message":"Transaction has been fully reversed","code":"transaction_reversed"}';
    provider.faulty({ on: "POST /refund", before: true, status: 400, body });
    await catchUp(payment.reference);
    expect([asked(), await statesOf(user)]).toEqual([1, ["refunded"]]);
    expect(await refundOf(payment.reference)).toMatchObject({ state: "done", providerId: null });
    const id = provider.refundByHand(payment.reference, payment.kobo);
    await hear("refund.processed", payment.reference);
    expect(await refundOf(payment.reference)).toMatchObject({ state: "done", providerId: String(id) });
    expect(await mailsAbout(payment.reference)).toEqual(["refund-done", "refund-started"]);
  });

  test("F44 is sent once by several processes, even if a webhook arrives meanwhile", async () => {
    const { payment } = await toGiveBack();
    await Promise.all(Array.from({ length: 5 }, () => catchUp(payment.reference)));
    expect(asked()).toBe(1);
  });

  test("F56 is claimed once by several processes", async () => {
    const { payment } = await toGiveBack();
    await Promise.all([runRefunds(db()), runRefunds(db()), runRefunds(db()), runRefunds(db())]);
    expect(asked()).toBe(1);
    expect(await refundOf(payment.reference)).toMatchObject({ state: "sent" });
  });

  test("F44 that fails becomes an issue, and is not repeated", async () => {
    const { user, payment } = await toGiveBack();
    await catchUp(payment.reference);
    provider.finishRefunds("failed");
    await catchUp(payment.reference);
    await catchUp(payment.reference);
    expect(await refundOf(payment.reference)).toMatchObject({ state: "failed" });
    expect(await issuesOf(payment.reference)).toEqual(["refund-failed", "wrong-currency"]);
    expect(await statesOf(user)).toEqual(["refunding"]);
    expect(asked()).toBe(1);
    provider.finishRefunds(); // made in the provider's dashboard
  });

  test("that is made in part becomes an issue, and is done when the rest is refunded, too", async () => {
    const { user, payment } = await toGiveBack();
    const { reference } = payment;
    await catchUp(reference);
    const one = provider.refunds.at(-1) as (typeof provider.refunds)[number];
    const [half, rest] = [1_000_000, one.amount - 1_000_000];
    Object.assign(one, { status: "processed", amount: half });
    await catchUp(reference);
    expect(await statesOf(user)).toEqual(["refunding"]);
    expect(await refundOf(reference)).toMatchObject({ state: "done", kobo: String(half) });
    expect(await issuesOf(reference)).toContain("refund-failed");
    provider.refundByHand(reference, rest, "pending");
    await hear("refund.pending", reference);
    expect(await statesOf(user)).toEqual(["refunding"]);
    provider.finishRefunds();
    await catchUp(reference);
    expect(await statesOf(user)).toEqual(["refunded"]);
    expect(asked()).toBe(1);
  });

  test("less the provider's fees is done, if the provider calls it a full one", async () => {
    const { user, payment } = await toGiveBack();
    await catchUp(payment.reference);
    Object.assign(provider.refunds.at(-1) ?? {}, { amount: 1_000_000 });
    provider.finishRefunds();
    provider.pay(payment.reference, { status: "reversed" });
    await catchUp(payment.reference);
    expect(await statesOf(user)).toEqual(["refunded"]);
  });

  describe("that has failed", () => {
    async function failed() {
      const { user, payment } = await toGiveBack();
      await catchUp(payment.reference);
      answerLast(payment.reference, "failed");
      await catchUp(payment.reference);
      expect(await refundOf(payment.reference)).toMatchObject({ state: "failed" });
      return { user, ...payment };
    }
    const last = (reference: string) => provider.refundsOf(reference).at(-1) as (typeof provider.refunds)[number];
    // Failed refunds are removed, as later tests finish all refunds at the provider.
    afterEach(() => {
      const others = provider.refunds.filter(({ status }) => status !== "failed");
      provider.refunds.splice(0, provider.refunds.length, ...others);
    });
    const answerLast = (reference: string, status: string) => Object.assign(last(reference), { status });

    test("is requested once by the owner's retry, however often that is repeated, and is then done", async () => {
      const { user, reference } = await failed();
      const said = await Promise.all([1, 2, 3].map(() => refundWished(db(), reference)));
      expect(said.filter((done) => done?.ok)).toHaveLength(1);
      await Promise.all([catchUp(reference), catchUp(reference)]);
      expect(asked()).toBe(2);
      expect(await refundOf(reference)).toMatchObject({ state: "sent" });
      expect(await refundWished(db(), reference)).toMatchObject({ ok: false });
      answerLast(reference, "processed");
      await catchUp(reference);
      expect(await statesOf(user)).toEqual(["refunded"]);
      expect(await mailsAbout(reference)).toEqual(["refund-done", "refund-started"]);
      expect(await refundWished(db(), reference)).toMatchObject({ ok: false });
      expect(asked()).toBe(2);
    });

    test("and fails again becomes an issue again, and can be tried a third time", async () => {
      const { reference } = await failed();
      await refundWished(db(), reference);
      expect(await openIssuesOf(reference)).toEqual(["wrong-currency"]);
      await catchUp(reference);
      answerLast(reference, "failed");
      await catchUp(reference);
      expect(await refundOf(reference)).toMatchObject({ state: "failed" });
      expect(await openIssuesOf(reference)).toEqual(["refund-failed", "wrong-currency"]);
      expect(await refundWished(db(), reference)).toMatchObject({ ok: true });
      await catchUp(reference);
      expect(asked()).toBe(3);
      answerLast(reference, "processed");
      await catchUp(reference);
      expect(await refundOf(reference)).toMatchObject({ state: "done" });
    });

    test("F44 is not requested a third time if the response to the retry was lost", async () => {
      const { reference } = await failed();
      await refundWished(db(), reference);
      provider.faulty({ on: "POST /refund", drop: true });
      await catchUp(reference);
      expect(await refundWished(db(), reference)).toMatchObject({ ok: false });
      await catchUp(reference);
      expect(await refundOf(reference)).toMatchObject({ state: "sent", lastError: null });
      expect(asked()).toBe(2);
      answerLast(reference, "processed");
      await catchUp(reference);
      expect(await refundOf(reference)).toMatchObject({ state: "done" });
    });

    test("F44 tried again with a request that never arrives, has no answer in what had failed before", async () => {
      const { reference } = await failed();
      await refundWished(db(), reference);
      provider.faulty({ on: "POST /refund", drop: true, before: true });
      await catchUp(reference);
      await catchUp(reference);
      expect(await refundOf(reference)).toMatchObject({ state: "sent" });
      expect(await openIssuesOf(reference)).toEqual(["wrong-currency"]);
      await askedLongAgo(reference);
      await catchUp(reference);
      answerLast(reference, "processed");
      await catchUp(reference);
      expect(await refundOf(reference)).toMatchObject({ state: "done" });
    });

    test.each([
      ["by hand", async () => undefined],
      ["by hand, and then tried again", (reference: string) => refundWished(db(), reference)],
    ])("and was refunded at the provider %s is done, without another request", async (_, before) => {
      const { user, reference } = await failed();
      provider.refundByHand(reference, last(reference).amount);
      await before(reference);
      await catchUp(reference);
      expect(await refundOf(reference)).toMatchObject({ state: "done" });
      expect(await statesOf(user)).toEqual(["refunded"]);
      expect(await mailsAbout(reference)).toEqual(["refund-done", "refund-started"]);
      expect(asked()).toBe(1);
    });

    test("is checked again after a webhook, even if the payment was never a sale", async () => {
      const { user, reference } = await failed();
      provider.refundByHand(reference, last(reference).amount);
      await hear("refund.processed", reference);
      expect(await statesOf(user)).toEqual(["refunded"]);
    });
  });

  test("that the provider refuses five times becomes an issue", async () => {
    const { payment } = await toGiveBack();
    const body = '{"status":false,"message":"Not enough balance","code":"insufficient_balance"}';
    provider.faulty({ on: "POST /refund", before: true, times: 5, status: 400, body });
    for (let i = 0; i < 4; i++) await catchUp(payment.reference);
    expect(await issuesOf(payment.reference)).toEqual(["wrong-currency"]);
    await catchUp(payment.reference);
    expect(await issuesOf(payment.reference)).toEqual(["refund-failed", "wrong-currency"]);
    const { details } = await db()
      .selectFrom("paymentIssues")
      .select("details")
      .where("reference", "=", payment.reference)
      .where("kind", "=", "refund-failed")
      .executeTakeFirstOrThrow();
    expect(details).toEqual({ failure: "rejected", message: "Not enough balance" });
    expect(await refundOf(payment.reference)).toMatchObject({
      state: "open",
      lastError: "rejected: Not enough balance",
    });
    await catchUp(payment.reference);
    expect(await refundOf(payment.reference)).toMatchObject({ state: "sent" });
  });

  test("of a payment that is reported as reversed is done without a request", async () => {
    const { user, payment } = await toGiveBack();
    provider.pay(payment.reference, { status: "reversed" });
    await catchUp(payment.reference);
    expect(await refundOf(payment.reference)).toMatchObject({ state: "done" });
    expect(await statesOf(user)).toEqual(["refunded"]);
  });
});

test("a sale that the owner refunds has that state, and no issue", async () => {
  const { user, payment } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  await refundSale(db(), payment.reference, "returned");
  expect((await salesOf(user)).map(({ status }) => status)).toEqual(["refunding"]);
  await catchUp(payment.reference);
  provider.finishRefunds();
  await catchUp(payment.reference);
  expect((await salesOf(user)).map(({ status }) => status)).toEqual(["refunded"]);
  expect(await statesOf(user)).toEqual(["refunded"]);
  expect(await issuesOf(payment.reference)).toEqual([]);
});

test("a charge that was reversed before the shop saw it makes no order", async () => {
  const { user, payment } = await oneBuyer();
  provider.pay(payment.reference, { status: "reversed" });
  expect(await settlePayment(payment.reference)).toEqual({ outcome: "refunding" });
  expect(await statesOf(user)).toEqual(["refunded"]);
  expect(await issuesOf(payment.reference)).toEqual(["reversed"]);
});

test("F46 an order whose second charge is refunded before its first is not refunded yet", async () => {
  provider.faulty({ on: "initialize", drop: true });
  const { user, payment } = await oneBuyer();
  const rows = await db()
    .selectFrom("payments")
    .select("reference")
    .where("orderId", "=", payment.orderId)
    .orderBy("createdAt")
    .execute();
  const [sold = "", second = ""] = rows.map(({ reference }) => reference);
  for (const reference of [sold, second]) {
    provider.pay(reference);
    await settlePayment(reference);
  }
  await refundSale(db(), sold, "returned");
  await catchUp(second);
  provider.finishRefunds();
  await db()
    .updateTable("refunds")
    .set({ nextTryAt: new Date("2100-01-01") })
    .where("reference", "=", sold)
    .execute();
  await db().updateTable("refunds").set({ nextTryAt: sql`now()` }).where("reference", "=", second).execute();
  await runRefunds(db());
  expect(await refundOf(second)).toMatchObject({ state: "done" });
  expect(await statesOf(user)).toEqual(["refunding"]);
  await catchUp(sold);
  expect(await statesOf(user)).toEqual(["refunded"]);
});

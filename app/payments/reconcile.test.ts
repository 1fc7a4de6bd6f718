import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { HOUR, SECOND } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import { paystack as shopsProvider } from "#app/paystack/provider.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { crashingDb } from "#tests/support/crashing-db.ts";
import { setsMoment } from "#tests/support/moments.ts";
import { signedWebhook } from "#tests/support/provider.ts";
import { makeShopper } from "#tests/support/shop.ts";
import { WATCHED_FOR, waitBefore } from "./check-schedule.ts";
import { reconcile, reconcileDue } from "./reconcile.server.ts";
import { settlePayment } from "./settle.server.ts";
import { receiveWebhook } from "./webhook.server.ts";

const { db, url, provider, open, oneBuyer, salesOf, statesOf, stockOf, issuesOf, expire, catchUp } = useCheckout();

const paymentOf = (reference: string) =>
  db()
    .selectFrom("payments")
    .selectAll()
    .select(sql<number>`extract(epoch from next_check_at - now())::int`.as("in"))
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();

const nextCheck = async (reference: string) => (await paymentOf(reference)).nextCheckAt;
const looksAgainIn = (seconds: number, reference: string, look: () => Promise<unknown> = () => catchUp(reference)) =>
  setsMoment(look, () => nextCheck(reference), seconds);

/** Makes these payments due now, and all others a day later. */
const onlyDue = (...references: string[]) =>
  db()
    .updateTable("payments")
    .set({
      nextCheckAt: sql<Date>`case when reference in (${sql.join(references)}) then now() else next_check_at + interval '1 day' end`,
    })
    .execute();

const verified = (reference: string) => provider.calls.filter((call) => call.endsWith(`verify/${reference}`)).length;

describe("F06 without webhook and browser", () => {
  test("checks come after 15 s, 30 s, 1, 2, 5 ... minutes, then every hour", () => {
    const waits = Array.from({ length: 10 }, (_, checks) => waitBefore(checks));
    expect(waits).toEqual([15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 3600].map((seconds) => seconds * SECOND));
    expect(WATCHED_FOR).toBe(72 * HOUR);
  });

  test("a payment is first checked after 15 s, then at growing intervals", async () => {
    const { payment } = await setsMoment(oneBuyer, ({ payment }) => nextCheck(payment.reference), 15);
    await looksAgainIn(30, payment.reference);
    expect(await paymentOf(payment.reference)).toMatchObject({ checks: 1, state: "pending" });
    await looksAgainIn(60, payment.reference);
  });

  test("F09 a paid order is sold", async () => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    await catchUp(payment.reference);
    expect(await salesOf(user)).toHaveLength(1);
    expect(await paymentOf(payment.reference)).toMatchObject({ state: "paid", nextCheckAt: null });
  });

  test("F43 a provider that does not answer is asked again", async () => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    provider.faulty({ on: "verify", status: 500, body: "" });
    await catchUp(payment.reference);
    expect(await salesOf(user)).toEqual([]);
    await catchUp(payment.reference);
    expect(await salesOf(user)).toHaveLength(1);
  });

  test.each([
    ["a new payment", 0, 15],
    ["a payment that is checked every hour", 20, 60],
  ])("F43 a check without an answer does not count: %s is checked again soon", async (_, checks, wait) => {
    const { payment } = await oneBuyer();
    await db().updateTable("payments").set({ checks }).where("reference", "=", payment.reference).execute();
    provider.faulty({ on: "verify", status: 500, body: "" });
    await looksAgainIn(wait, payment.reference);
    expect(await paymentOf(payment.reference)).toMatchObject({ checks });
  });
});

describe("how long a payment is watched", () => {
  const age = (reference: string) =>
    db()
      .updateTable("payments")
      .set({
        createdAt: sql`created_at - interval '73 hours'`,
        updatedAt: sql`updated_at - interval '73 hours'`,
        webhookAt: sql`webhook_at - interval '73 hours'`,
      })
      .where("reference", "=", reference)
      .execute();
  const unanswered = async (reference: string) =>
    (await checkInvariants(db())).some(({ rule, where }) => rule === "I15" && where === reference);
  const hear = (event: string, data: object) => {
    const { body, signature } = signedWebhook(event, data);
    return receiveWebhook("paystack", body, signature);
  };

  test.each(["created", "pending"] as const)("three days: then an unpaid %s payment is given up", async (state) => {
    const { payment } = await oneBuyer();
    await db().updateTable("payments").set({ state }).where("reference", "=", payment.reference).execute();
    await expire(payment.orderId);
    await age(payment.reference);
    await catchUp(payment.reference);
    expect(await paymentOf(payment.reference)).toMatchObject({ state: "unpaid", nextCheckAt: null });
    expect(await issuesOf(payment.reference)).toEqual([]);
  });

  test("a payment that is paid while it is given up stays paid", async () => {
    const { user, payment } = await oneBuyer();
    const { reference } = payment;
    await expire(payment.orderId);
    await age(reference);
    await onlyDue(reference);
    await reconcileDue(
      db().withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          if (result.rows.some((row) => Object.keys(row).join() === "nextCheckAt" && row.nextCheckAt === null)) {
            provider.pay(reference);
            await settlePayment(reference);
          }
          return result;
        },
      }),
    );
    expect([await statesOf(user), await paymentOf(reference)]).toMatchObject([["sold"], { state: "paid" }]);
  });

  test("a payment without an answer for three days becomes a fault, and is checked until the provider answers", async () => {
    const { payment } = await oneBuyer();
    const { reference } = payment;
    await expire(payment.orderId, "1 day");
    provider.faulty({ on: "verify", status: 500, body: "", times: 2 });
    await catchUp(reference);
    expect(await unanswered(reference)).toBe(false);
    await age(reference);
    await looksAgainIn(3600, reference);
    expect(await unanswered(reference)).toBe(true);
    await catchUp(reference);
    expect(await unanswered(reference)).toBe(false);
    expect(await paymentOf(reference)).toMatchObject({ state: "unpaid", nextCheckAt: null });
    expect(await issuesOf(reference)).toEqual([]);
  });

  test("F42 F43 after three days, a webhook whose check gets no answer leads to another check", async () => {
    const { user, payment } = await oneBuyer();
    await expire(payment.orderId);
    await age(payment.reference);
    await catchUp(payment.reference);
    provider.pay(payment.reference);
    provider.faulty({ on: "verify", status: 503, body: "" });
    await hear("charge.success", { reference: payment.reference });
    await reconcile(db());
    expect(await paymentOf(payment.reference)).toMatchObject({ nextCheckAt: expect.any(Date) });
    await catchUp(payment.reference);
    expect(await salesOf(user)).toHaveLength(1);
  });

  test("F42 after three days, a webhook of a payment that the provider does not know leads to three more days", async () => {
    const { payment } = await oneBuyer();
    await expire(payment.orderId);
    await age(payment.reference);
    await catchUp(payment.reference);
    await hear("charge.success", { reference: payment.reference });
    await reconcile(db());
    expect((await paymentOf(payment.reference)).in).toBeLessThanOrEqual(60);
    await age(payment.reference);
    await catchUp(payment.reference);
    expect(await paymentOf(payment.reference)).toMatchObject({ state: "unpaid", nextCheckAt: null });
  });

  test("F43 F45 a webhook of a reversed sale whose check gets no answer leads to another check", async () => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    provider.pay(payment.reference, { status: "reversed" });
    provider.faulty({ on: "verify", status: 503, body: "" });
    await hear("charge.dispute.resolve", { transaction: { reference: payment.reference } });
    await reconcile(db());
    expect((await salesOf(user)).map(({ status }) => status)).toEqual(["completed"]);
    await catchUp(payment.reference);
    expect((await salesOf(user)).map(({ status }) => status)).toEqual(["refunded"]);
    expect(await paymentOf(payment.reference)).toMatchObject({ nextCheckAt: null });
  });

  test("F43 a refunded payment is checked again after a webhook, and stays refused", async () => {
    const { payment } = await oneBuyer();
    const { reference } = payment;
    provider.pay(reference, { currency: "USD" });
    await settlePayment(reference);
    await catchUp(reference);
    provider.finishRefunds("processed", reference);
    await catchUp(reference);
    provider.calls.length = 0;
    await hear("charge.dispute.resolve", { transaction: { reference } });
    await reconcile(db());
    expect(verified(reference)).toBe(1);
    expect(await paymentOf(reference)).toMatchObject({ state: "refused", nextCheckAt: null });
  });

  test.each([
    ["answers", true],
    ["does not answer", false],
  ])("F08 a webhook during a check makes the payment due at once, if the provider %s", async (_, answers) => {
    const { payment } = await oneBuyer();
    const { reference } = payment;
    const { verify } = shopsProvider;
    vi.spyOn(shopsProvider, "verify").mockImplementationOnce(async () => {
      await hear("charge.success", { reference });
      if (!answers) provider.faulty({ on: "verify", status: 503, body: "" });
      return verify(reference);
    });
    await onlyDue(reference);
    await reconcileDue(db());
    expect((await paymentOf(reference)).in).toBeLessThanOrEqual(0);
    await looksAgainIn(30, reference, () => reconcileDue(db()));
    expect(verified(reference)).toBe(2);
  });

  test("a failed check is logged, delays no other payment, and is repeated soon", async () => {
    const [broken, other] = [await oneBuyer(), await oneBuyer()];
    const { verify } = shopsProvider;
    vi.spyOn(shopsProvider, "verify").mockImplementation((reference) => {
      if (reference === broken.payment.reference) throw new Error("not to be thrown");
      return verify(reference);
    });
    const errors = vi.spyOn(log, "error");
    await onlyDue(broken.payment.reference, other.payment.reference);
    expect(await looksAgainIn(30, broken.payment.reference, () => reconcileDue(db()))).toBe(2);
    expect(verified(other.payment.reference)).toBe(1);
    expect(errors.mock.calls).toMatchObject([[{ reference: broken.payment.reference }, "looking at a payment"]]);
  });

  test("a payment that was never opened is not checked again", async () => {
    const { user, productId } = await oneBuyer(2);
    provider.faulty({ on: "initialize", times: 2, before: true, drop: true });
    const other = await makeShopper(db(), { productId, size: "M" });
    await expect(open(other)).rejects.toThrow("payment-unavailable");
    const { reference } = await db()
      .selectFrom("payments")
      .innerJoin("orders", "orders.id", "orderId")
      .select("reference")
      .where("userId", "=", other.id)
      .executeTakeFirstOrThrow();
    await catchUp(reference);
    expect(await paymentOf(reference)).toMatchObject({ nextCheckAt: null, state: "unpaid", lastError: null });
    expect(await issuesOf(reference)).toEqual([]);
    expect(await statesOf(user)).toEqual(["open"]);
  });
});

describe("when the reservation has run out", () => {
  test("the stock is free once the provider says that nothing was paid", async () => {
    const { productId, user, payment } = await oneBuyer();
    await expire(payment.orderId);
    await catchUp(payment.reference);
    expect(verified(payment.reference)).toBe(1);
    expect(await statesOf(user)).toEqual(["released"]);
    expect(await stockOf(productId)).toEqual({ sold: 0, reserved: 0, onHand: 1 });
  });

  test("the next check is no later than the end of the reservation", async () => {
    const { payment } = await oneBuyer();
    await db().updateTable("payments").set({ checks: 20 }).where("reference", "=", payment.reference).execute();
    await catchUp(payment.reference);
    expect((await paymentOf(payment.reference)).in).toBeLessThanOrEqual(15 * 60);
  });

  test("F27 what was paid at the last moment is sold, not released", async () => {
    const { user, payment } = await oneBuyer();
    await expire(payment.orderId);
    provider.pay(payment.reference);
    await Promise.all([catchUp(payment.reference), settlePayment(payment.reference), catchUp(payment.reference)]);
    expect(await statesOf(user)).toEqual(["sold"]);
    expect(await salesOf(user)).toHaveLength(1);
  });

  test("the stock is held for 15 more minutes while the provider cannot be reached, and no longer", async () => {
    const { user, payment } = await oneBuyer();
    await expire(payment.orderId, "1 minute");
    provider.faulty({ on: "verify", status: 500, body: "", times: 2 });
    await catchUp(payment.reference);
    expect(await statesOf(user)).toEqual(["open"]);
    await expire(payment.orderId, "16 minutes");
    await catchUp(payment.reference);
    expect(await statesOf(user)).toEqual(["released"]);
  });

  test("a pending transfer holds the stock for two hours at most", async () => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference, { status: "pending" });
    await expire(payment.orderId);
    await catchUp(payment.reference);
    expect(await statesOf(user)).toEqual(["waiting"]);
    await expire(payment.orderId, "1 minute");
    await db()
      .updateTable("orders")
      .set({ createdAt: sql`now() - interval '3 hours'` })
      .where("id", "=", payment.orderId)
      .execute();
    await catchUp(payment.reference);
    expect(await statesOf(user)).toEqual(["released"]);
  });
});

describe("several processes", () => {
  test("F56 claim each payment once", async () => {
    const payments = await Promise.all(Array.from({ length: 12 }, () => oneBuyer()));
    const references = payments.map(({ payment }) => payment.reference);
    for (const reference of references) provider.pay(reference);
    await db().updateTable("payments").set({ nextCheckAt: sql`now()` }).where("reference", "in", references).execute();
    provider.calls.length = 0;
    await Promise.all(Array.from({ length: 4 }, () => reconcileDue(db(), 5)));
    for (const reference of references) expect(verified(reference)).toBe(1);
  });

  test("F55 claim the payments of a dead one within a minute", async () => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    await onlyDue(payment.reference);
    const dying = crashingDb(url(), 2, "before"); // the first statement is the claim
    expect(await reconcileDue(dying.db)).toBe(1);
    expect(dying.crashed()).toBe(true);
    await dying.db.destroy();
    expect(await reconcileDue(db()), "it is not taken on twice at once").toBe(0);
    await db().updateTable("payments").set({ nextCheckAt: sql`next_check_at - interval '1 minute'` }).execute();
    expect(await reconcileDue(db())).toBe(1);
    expect(await salesOf(user)).toHaveLength(1);
  });
});

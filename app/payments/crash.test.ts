import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { useCheckout } from "#tests/support/checkout.ts";
import { type Crash, Crashed, crashingDb } from "#tests/support/crashing-db.ts";
import { lagosForm, makeProduct, makeShopper, toLagos } from "#tests/support/shop.ts";
import { reconcile } from "./reconcile.server.ts";
import { settlePayment } from "./settle.server.ts";
import { startPayment } from "./start.server.ts";

const { db, url, provider, pay, oneBuyer, salesOf, stockOf, statesOf, mailsAbout, refundOf, catchUp } = useCheckout();

/**
 * Runs `story` with a process that dies at its first statement, then at its second, and so on, until one survives.
 * Returns the number of runs.
 */
async function atEveryStatement(how: Crash, story: (die: Die) => Promise<void>): Promise<number> {
  for (let at = 1; ; at++) {
    const dying = crashingDb(url(), at, how);
    await story(async (work) => {
      await work(dying.db).catch((error) => {
        if (!(error instanceof Crashed)) throw error;
      });
    });
    await dying.db.destroy();
    if (!dying.crashed()) return at;
  }
}
type Die = (work: (on: ReturnType<typeof db>) => Promise<unknown>) => Promise<void>;

describe.each<Crash>(["before", "after"])("killed %s any statement", (how) => {
  test("F12 F13 F14 S46 of settlement: after a restart the order is there, once", async () => {
    const points = await atEveryStatement(how, async (die) => {
      const { productId, user, payment } = await oneBuyer(2);
      provider.pay(payment.reference);
      await die((on) => settlePayment(payment.reference, on));
      await catchUp(payment.reference);
      expect(await salesOf(user)).toHaveLength(1);
      expect(await stockOf(productId)).toEqual({ sold: 1, reserved: 0, onHand: 1 });
      expect(await mailsAbout(payment.reference)).toEqual(["order-confirmation"]);
    });
    expect(points).toBeGreaterThan(8);
  });

  test("of giving money back: after a restart it is given back, once", async () => {
    const points = await atEveryStatement(how, async (die) => {
      const { user, payment } = await oneBuyer();
      provider.pay(payment.reference, { currency: "USD" });
      await die((on) => settlePayment(payment.reference, on));
      await die((on) => reconcile(on));
      for (let round = 0; round < 3; round++) {
        await db().updateTable("refunds").set({ updatedAt: sql`now() - interval '1 hour'` }).execute();
        await catchUp(payment.reference);
        provider.finishRefunds();
      }
      expect(await statesOf(user)).toEqual(["refunded"]);
      expect(await refundOf(payment.reference)).toMatchObject({ state: "done" });
      expect(await mailsAbout(payment.reference)).toEqual(["refund-done", "refund-started"]);
    });
    expect(points).toBeGreaterThan(12);
  });

  test("of starting a payment: the next press on Pay goes on, and no stock stays held", async () => {
    const points = await atEveryStatement(how, async (die) => {
      const productId = await makeProduct(db(), { M: 1 });
      const user = await makeShopper(db(), { productId, size: "M" });
      const order = { user, form: lagosForm, destination: toLagos, currency: "NGN" as const };
      await die(async (on) => expect(await startPayment(on, order)).toMatchObject({ ok: true }));
      await db().updateTable("payments").set({ leasedUntil: null }).execute(); // as if its lease had ended
      const payment = await pay(user);
      expect(payment.ok).toBe(true);
      expect((await statesOf(user)).filter((state) => state === "open")).toHaveLength(1);
      expect(await stockOf(productId)).toEqual({ sold: 0, reserved: 1, onHand: 1 });
    });
    expect(points).toBeGreaterThan(7);
  });
});

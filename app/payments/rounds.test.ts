import { expect, test, vi } from "vitest";
import { log } from "#app/infra/log.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { crashingDb } from "#tests/support/crashing-db.ts";
import { signedWebhook } from "#tests/support/provider.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { reconcile, startReconciling, wakeReconciler } from "./reconcile.server.ts";
import { settlePayment } from "./settle.server.ts";
import { receiveWebhook } from "./webhook.server.ts";

// A rest that ends only when it is aborted: a round that follows was started by something other than the usual second
// passing.
const rests: AbortSignal[] = [];
function rest(signal: AbortSignal): Promise<never> {
  rests.push(signal);
  return new Promise((_, reject) => signal.addEventListener("abort", reject));
}
const isResting = () => rests.at(-1)?.aborted === false;

const { db, url, provider, open, oneBuyer, salesOf, refundOf } = useCheckout();

const dueNow = (...payments: { reference: string }[]) =>
  db()
    .updateTable("payments")
    .set({ nextCheckAt: new Date(0) })
    .where(
      "reference",
      "in",
      payments.map(({ reference }) => reference),
    )
    .execute();

test("F05 a webhook starts a round at once, and all due work is done before the next rest", async () => {
  const productId = await makeProduct(db(), { M: 30 });
  const buyers = await Promise.all(Array.from({ length: 21 }, () => makeShopper(db(), { productId, size: "M" })));
  const payments = await Promise.all(buyers.map((user) => open(user)));
  for (const { reference } of payments) provider.pay(reference);
  const stop = startReconciling(db(), rest);
  await expect.poll(isResting).toBe(true);
  const before = rests.length;
  await dueNow(...payments);
  const { body, signature } = signedWebhook("charge.success", { reference: payments[0]?.reference });
  expect(await receiveWebhook("paystack", body, signature)).toEqual({ status: 200 });
  const sales = () => db().selectFrom("sales").select("id").execute();
  await expect.poll(async () => (await sales()).length).toBe(21); // a round claims at most 20
  await expect.poll(isResting).toBe(true);
  expect(rests).toHaveLength(before + 1);
  await stop();
});

test("rounds end when they are stopped during a rest", async () => {
  const stop = startReconciling(db(), rest);
  await expect.poll(isResting).toBe(true);
  await stop();
  expect(isResting()).toBe(false);
});

test("rounds that are stopped end after the current one", async () => {
  const { user, payment } = await oneBuyer();
  provider.pay(payment.reference);
  await dueNow(payment);
  await startReconciling(db(), rest)();
  expect(await salesOf(user)).toHaveLength(1);
});

test("a failed round is logged, and the next one follows after the usual rest", async () => {
  const dying = crashingDb(url(), 1, "before");
  const errors = vi.spyOn(log, "error");
  const stop = startReconciling(dying.db, rest);
  await expect.poll(isResting).toBe(true);
  expect(errors.mock.calls).toMatchObject([[expect.anything(), "reconciling payments"]]);
  wakeReconciler();
  await expect.poll(isResting).toBe(true);
  expect(errors).toHaveBeenCalledTimes(2);
  await stop();
  await dying.db.destroy();
});

test("the next round begins by itself after the rest", async () => {
  const stop = startReconciling(db());
  const { user, payment } = await oneBuyer();
  provider.pay(payment.reference);
  await dueNow(payment);
  await expect.poll(async () => (await salesOf(user)).length).toBe(1);
  await stop();
});

test("a round returns whether it has claimed a payment or refund, so that more may be due", async () => {
  while (await reconcile(db()));
  const { payment } = await oneBuyer();
  provider.pay(payment.reference, { currency: "USD" });
  await dueNow(payment);
  expect(await reconcile(db())).toBe(true);
  await settlePayment(payment.reference);
  await db()
    .updateTable("refunds")
    .set({ nextTryAt: new Date(0) })
    .where("reference", "=", payment.reference)
    .execute();
  expect(await reconcile(db())).toBe(true);
  expect(await refundOf(payment.reference)).toMatchObject({ state: "sent" });
  expect(await reconcile(db())).toBe(false);
});

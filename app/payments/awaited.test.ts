import { sql } from "kysely";
import { expect, test } from "vitest";
import { useCheckout } from "#tests/support/checkout.ts";
import { lagosForm, makeShopper } from "#tests/support/shop.ts";
import { lookAtAwaited } from "./awaited.server.ts";
import { settlePayment } from "./settle.server.ts";

const { db, provider, oneBuyer, open, pay, statesOf, salesOf, expire, refundOf } = useCheckout();

/** A shopper with a pending transfer. */
async function waiting() {
  const story = await oneBuyer(2);
  const { reference } = story.payment;
  provider.pay(reference, { status: "pending" });
  await settlePayment(reference);
  return { ...story, reference, look: () => lookAtAwaited(db(), story.user.id) };
}

test("a payment that was only opened is not awaited, and the provider is not asked", async () => {
  const { user } = await oneBuyer();
  provider.calls.length = 0;
  expect(await lookAtAwaited(db(), user.id)).toBeUndefined();
  expect(provider.calls).toEqual([]);
});

test("each check asks the provider, and returns the sum and start of the transfer", async () => {
  const { look, reference } = await waiting();
  provider.calls.length = 0;
  expect(await look()).toMatchObject({
    outcome: "awaited",
    isAnswered: true,
    awaited: { reference, sum: "₦85,584", heldUntil: expect.stringMatching(/^\d\d:\d\d$/) },
    order: { reference, lines: [{ title: "Home Jersey" }] },
  });
  expect(provider.calls).toEqual([`GET /transaction/verify/${reference}`]);
});

test("other shoppers do not see the transfer", async () => {
  await waiting();
  expect(await lookAtAwaited(db(), (await makeShopper(db())).id)).toBeUndefined();
});

test("while the provider cannot be reached, the transfer is still awaited, and marked as unanswered", async () => {
  const { look } = await waiting();
  provider.faulty({ on: "verify", drop: true });
  expect(await look()).toMatchObject({ outcome: "awaited", isAnswered: false });
});

test("a check finds that the transfer has arrived, or has failed", async () => {
  const arrived = await waiting();
  provider.pay(arrived.reference);
  expect(await arrived.look()).toEqual({ outcome: "sold", reference: arrived.reference });
  expect(await arrived.look()).toBeUndefined();
  const failed = await waiting();
  provider.pay(failed.reference, { status: "failed" });
  expect(await failed.look()).toEqual({ outcome: "unpaid" });
  expect(await failed.look()).toBeUndefined();
  const inDollars = await waiting();
  provider.pay(inDollars.reference, { currency: "USD" });
  expect(await inDollars.look()).toEqual({ outcome: "refunding", reference: inDollars.reference });
});

test("a check that extends the reservation returns its new end", async () => {
  const { look, payment } = await waiting();
  await expire(payment.orderId);
  expect(await look()).toMatchObject({ awaited: { heldUntil: expect.stringMatching(/^\d\d:\d\d$/) } });
});

test("a transfer whose reservation has ended is still awaited", async () => {
  const { look, payment, user } = await waiting();
  await sql`update orders set created_at = now() - interval '3 hours' where id = ${payment.orderId}`.execute(db());
  await expire(payment.orderId, "1 hour");
  expect(await look()).toMatchObject({ outcome: "awaited", awaited: { heldUntil: null } });
  expect(await statesOf(user)).toEqual(["released"]);
});

test("paying the same order another way uses the same transaction, which is charged once", async () => {
  const { user, reference } = await waiting();
  expect(await pay(user)).toMatchObject({ ok: true, reference });
});

test("if another order is paid meanwhile, the second charge is refunded", async () => {
  const { user, reference, look } = await waiting();
  const second = await open(user, { form: { ...lagosForm, address: "2 Marina" } });
  expect(second.reference).not.toBe(reference);
  provider.pay(second.reference);
  await settlePayment(second.reference);
  expect(await look()).toBeUndefined();
  provider.pay(reference);
  await settlePayment(reference);
  expect(await salesOf(user)).toHaveLength(1);
  expect(await refundOf(reference)).toMatchObject({ reason: "second-charge" });
});

test("no second payment is opened while the provider gives no answer about the first", async () => {
  const { user } = await waiting();
  provider.faulty({ on: "verify", drop: true, times: 3 });
  expect(await pay(user, { form: { ...lagosForm, address: "2 Marina" } })).toMatchObject({
    ok: false,
    problem: "earlier-payment-unseen",
  });
  expect(await statesOf(user)).toEqual(["waiting"]);
});

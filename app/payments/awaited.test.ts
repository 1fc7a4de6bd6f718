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

test("a payment that has only been opened is not awaited, nor asked about", async () => {
  const { user } = await oneBuyer();
  provider.calls.length = 0;
  expect(await lookAtAwaited(db(), user.id)).toBeUndefined();
  expect(provider.calls).toEqual([]);
});

test("each look asks the provider, and says for which sum and since when it waits", async () => {
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

test("nobody else sees it", async () => {
  await waiting();
  expect(await lookAtAwaited(db(), (await makeShopper(db())).id)).toBeUndefined();
});

test("while the provider cannot be asked it is still awaited, and that is said", async () => {
  const { look } = await waiting();
  provider.faulty({ on: "verify", drop: true });
  expect(await look()).toMatchObject({ outcome: "awaited", isAnswered: false });
});

test("a look finds that it has arrived, or that it will not come", async () => {
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

test("a look that has the pieces put aside for longer says until when", async () => {
  const { look, payment } = await waiting();
  await expire(payment.orderId);
  expect(await look()).toMatchObject({ awaited: { heldUntil: expect.stringMatching(/^\d\d:\d\d$/) } });
});

test("one whose pieces are not put aside any more is still awaited", async () => {
  const { look, payment, user } = await waiting();
  await sql`update orders set created_at = now() - interval '3 hours' where id = ${payment.orderId}`.execute(db());
  await expire(payment.orderId, "1 hour");
  expect(await look()).toMatchObject({ outcome: "awaited", awaited: { heldUntil: null } });
  expect(await statesOf(user)).toEqual(["released"]);
});

test("whoever pays the same order another way pays the same transaction, which is charged once", async () => {
  const { user, reference } = await waiting();
  expect(await pay(user)).toMatchObject({ ok: true, reference });
});

test("of another order that is paid meanwhile the second charge goes back", async () => {
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

test("no second payment is begun while the provider does not say what became of the first", async () => {
  const { user } = await waiting();
  provider.faulty({ on: "verify", drop: true, times: 3 });
  expect(await pay(user, { form: { ...lagosForm, address: "2 Marina" } })).toMatchObject({
    ok: false,
    problem: "earlier-payment-unseen",
  });
  expect(await statesOf(user)).toEqual(["waiting"]);
});

import { sql } from "kysely";
import { expect, test } from "vitest";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";

const { db, provider, oneBuyer, statesOf, refundsOf, issuesOf } = useCheckout();

const say = (...words: string[]) => command(db(), ["check", ...words]);

test("nothing is wrong: 0; something is: 1, with a line for each place", async () => {
  const { productId, payment } = await oneBuyer();
  expect(await say()).toMatchObject({ code: 0, text: "Everything agrees." });
  await db().updateTable("productSizes").set({ reserved: 0 }).where("productId", "=", productId).execute();
  expect(await say()).toMatchObject({ code: 1, data: { broken: [{ rule: "I2", where: `${productId} M` }] } });
  await db().updateTable("productSizes").set({ reserved: 1 }).where("productId", "=", productId).execute();
  provider.pay(payment.reference, { status: "abandoned" });
});

test.each([[["--lost"]], [["--provider", "0"]], [["--provider", "soon"]]])("%j is bad input", async (words) => {
  expect((await say(...words)).code).toBe(2);
});

test("F57 what was charged without the shop seeing it becomes an order", async () => {
  const { user, payment } = await oneBuyer();
  provider.pay(payment.reference);
  expect(await say("--provider")).toMatchObject({ code: 0 });
  expect(await statesOf(user)).toEqual(["sold"]);
});

test("F57 a charge from after the backup that was restored is shown to a person, and stays on the list", async () => {
  const { productId, user, payment } = await oneBuyer();
  provider.pay(payment.reference);
  await sql`update product_sizes set reserved = 0 where product_id = ${productId}`.execute(db());
  await sql`delete from reservations where order_id = ${payment.orderId}`.execute(db());
  await sql`delete from payments where reference = ${payment.reference}`.execute(db());
  await sql`delete from orders where user_id = ${user.id}`.execute(db());
  const { code, text } = await say("--provider", "3");
  expect([code, text.includes(payment.reference)]).toEqual([1, true]);
  expect(await issuesOf(payment.reference)).toEqual(["unknown-reference"]);
  provider.pay(payment.reference, { status: "abandoned" });
});

test("what was given back at the provider's dashboard is recorded, and a sum that is another one there is a fault", async () => {
  const { user, payment } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  provider.refundByHand(payment.reference, 1_000_000);
  expect((await say("--provider")).text).not.toContain(payment.reference);
  expect(await statesOf(user)).toEqual(["sold"]);
  expect((await refundsOf(payment.reference)).map(({ origin, kobo }) => [origin, kobo])).toEqual([
    ["provider", "1000000"],
  ]);
  const [made] = provider.refunds.slice(-1);
  Object.assign(made ?? {}, { amount: 2_000_000 });
  for (const words of [["--provider"], []]) {
    const { code, text } = await say(...words);
    expect([code, text]).toEqual([1, expect.stringContaining(`${payment.reference}: 1000000 kobo here, 2000000 at`)]);
  }
  Object.assign(made ?? {}, { amount: 1_000_000 });
  expect((await say("--provider")).text).not.toContain(payment.reference);
});

test("a provider that gives no list is said", async () => {
  provider.faulty({ on: "GET /transaction?", status: 502, body: "<html>" });
  expect(await say("--provider")).toMatchObject({ code: 1, text: expect.stringContaining("no list") });
});

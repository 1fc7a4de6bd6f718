import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { markSent } from "#app/owner/orders/fulfilment.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { closePayment } from "#app/payments/status.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { arrived, asked, delivered } from "#tests/support/returns.ts";
import { lagosForm, makeShopper, putInCart, type Shopper } from "#tests/support/shop.ts";
import { anonymizeBuyer, openOrders } from "./forget-buyer.server.ts";
import { recordIssue } from "./issues.server.ts";
import { withdrawReturn } from "./returns/ask.server.ts";

const checkout = useCheckout();
const { db, provider, oneBuyer, open, catchUp } = checkout;

const NONE = { underWay: [], returning: [], unsent: [] };
const numbersOf = async ({ id }: Shopper) => {
  const rows = db().selectFrom("orders").select("number").where("userId", "=", id).orderBy("createdAt");
  return (await rows.execute()).map(({ number }) => number);
};

async function sold() {
  const { user, payment, productId } = await oneBuyer(3);
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  return { user, reference: payment.reference, productId };
}
describe("an order for which its shopper must still be known", () => {
  test("is none of somebody who has none, or whose orders have ended", async () => {
    expect(await openOrders(db(), (await makeShopper(db())).id)).toEqual(NONE);
    const { user, reference } = await sold();
    await markSent(db(), reference);
    expect(await openOrders(db(), user.id)).toEqual(NONE);
  });

  test("is one that may still be paid: while it is live, and as long as its payment is looked at", async () => {
    const { user, payment } = await oneBuyer();
    const underWay = await numbersOf(user);
    const looked = (set: { state: "pending" | "unpaid"; nextCheckAt: Date | null }) =>
      db().updateTable("payments").set(set).where("reference", "=", payment.reference).execute();
    await looked({ state: "pending", nextCheckAt: null });
    expect(await openOrders(db(), user.id)).toEqual({ ...NONE, underWay });
    await looked({ state: "pending", nextCheckAt: new Date("2100-01-01") });
    await closePayment(db(), user.id, payment.reference);
    expect(await openOrders(db(), user.id)).toEqual({ ...NONE, underWay });
    await looked({ state: "unpaid", nextCheckAt: null });
    expect(await openOrders(db(), user.id)).toEqual(NONE);
  });

  test("is one of which money is on its way back, also where that has failed", async () => {
    const { user, reference } = await sold();
    await markSent(db(), reference);
    const underWay = await numbersOf(user);
    const states = async () => [await openOrders(db(), user.id)];
    await refundWished(db(), reference, { kobo: 100_000 });
    expect(await states()).toEqual([{ ...NONE, underWay }]);
    await catchUp(reference);
    provider.finishRefunds("failed", reference);
    await catchUp(reference);
    expect(await states()).toEqual([{ ...NONE, underWay }]);
    await refundWished(db(), reference);
    await catchUp(reference);
    provider.finishPending("processed", reference);
    await catchUp(reference);
    expect(await states()).toEqual([NONE]);
  });

  test("is one whose return is open", async () => {
    const sale = await delivered(checkout);
    const number = await asked(db(), sale);
    expect(await openOrders(db(), sale.user.id)).toEqual({ ...NONE, returning: await numbersOf(sale.user) });
    await withdrawReturn(db(), sale.user.id, number);
    expect(await openOrders(db(), sale.user.id)).toEqual(NONE);
  });

  test("is one that is paid and not sent, the oldest first, however long ago", async () => {
    const { user, productId, reference } = await sold();
    await putInCart(db(), user.id, productId, "M");
    const second = await open(user);
    provider.pay(second.reference);
    await settlePayment(second.reference);
    expect(await openOrders(db(), user.id)).toEqual({ ...NONE, unsent: await numbersOf(user) });
    await db()
      .updateTable("sales")
      .set({ createdAt: sql`created_at - interval '1 year'` })
      .where("reference", "=", reference)
      .execute();
    expect(await openOrders(db(), user.id)).toEqual({ ...NONE, unsent: await numbersOf(user) });
  });
});

test("what names a shopper is gone from their orders and from nobody else's; what was sold, where and for how much stays", async () => {
  const mark = randomUUID();
  const form = { ...lagosForm, firstName: mark, address: mark, email: `Other.${mark}@example.com` };
  const { productId } = await oneBuyer(9);
  const buy = async (user: Shopper, change: Partial<typeof lagosForm> = {}) => {
    await putInCart(db(), user.id, productId, "M");
    const { reference } = await open(user, { form: { ...form, ...change } });
    provider.pay(reference);
    await settlePayment(reference);
    await recordIssue(db(), reference, "dispute", { message: mark, amount: 1 });
    await sql`insert into order_notes (id, order_id, text, author)
      select gen_random_uuid(), order_id, ${mark}, 'bola' from payments where reference = ${reference}`.execute(db());
    await arrived(db(), reference);
    await asked(db(), { user, productId, reference });
    await refundWished(db(), reference, { kobo: 100_000 });
    const whose = sql`where reference = ${reference}`;
    await sql`update returns set words = ${mark}, answer = ${mark} ${whose}`.execute(db());
    await sql`update refunds set last_error = ${mark} ${whose}`.execute(db());
    await sql`update payments set last_error = ${mark} ${whose}`.execute(db());
    return reference;
  };
  const [user, other] = [await makeShopper(db()), await makeShopper(db())];
  const references = [await buy(user), await buy(user, { country: "Ghana", state: mark })];
  const others = await buy(other, { email: "bisi@example.com" });
  const hear = (name: string, body: object, reference: string | null) =>
    sql`insert into webhook_inbox (body_hash, event, reference, body)
      values (sha256(${name}::bytea), 'charge.success', ${reference}, ${JSON.stringify(body)})`.execute(db());
  await hear("theirs", { paid: mark }, references[0] ?? "");
  await hear("names them", { customer: `OTHER.${mark}@EXAMPLE.com` }, null);
  await hear("another's", { paid: "by Bisi", customer: user.email }, others);

  const { rows: told } = await sql<{ id: string }>`
    with theirs as (select id, reference from orders join payments on order_id = id where user_id = ${user.id})
    select id::text from theirs union all select reference from theirs
    union all select sales.id from sales join theirs using (reference)
    union all select refunds.id::text from refunds join theirs using (reference)
    union all select returns.id::text from returns join theirs using (reference)`.execute(db());
  expect(told).toHaveLength(10);
  const subjects = await db()
    .transaction()
    .execute((trx) => anonymizeBuyer(trx, user.id, user.email));
  expect(subjects.toSorted()).toEqual(told.map(({ id }) => id).toSorted());
  const kept = async (reference: string) => {
    const sales = db().selectFrom("sales").select(["email", "shipping", "kobo"]).where("reference", "=", reference);
    const orders = db()
      .selectFrom("orders")
      .innerJoin("payments", "payments.orderId", "orders.id")
      .select(["orders.email", "orders.shipping", "orders.kobo"])
      .where("reference", "=", reference);
    return [await sales.executeTakeFirstOrThrow(), await orders.executeTakeFirstOrThrow()];
  };
  const emptied = { firstName: "", address: "", phoneNumber: "", deliveryType: "Home Delivery", shippingCost: "3.50" };
  const [nigerian = "", ghanaian = ""] = references;
  for (const row of await kept(nigerian))
    expect(row).toMatchObject({ kobo: "8558400", shipping: { ...emptied, country: "Nigeria", state: "Lagos" } });
  for (const row of await kept(ghanaian)) expect(row.shipping).toMatchObject({ country: "Ghana", state: "" });
  expect(JSON.stringify(await kept(nigerian))).not.toContain(mark);
  for (const row of await kept(others))
    expect(row).toMatchObject({ email: "bisi@example.com", shipping: { address: mark } });
  const heard = await db().selectFrom("webhookInbox").select("body").orderBy("receivedAt").execute();
  expect(heard.map(({ body }) => body)).toEqual(["{}", "{}", expect.stringContaining("Bisi")]);
  const issues = db().selectFrom("paymentIssues").select(["reference", "details"]).where("details", "is not", null);
  const said = Object.fromEntries((await issues.execute()).map(({ reference, details }) => [reference, details]));
  expect(said).toMatchObject({ [nigerian]: { amount: 1 }, [others]: { message: mark, amount: 1 } });
  expect(said[nigerian]).toEqual({ amount: 1 });
  const { rows: notes } = await sql`select from order_notes where text = ${mark}`.execute(db());
  expect(notes).toHaveLength(1);
  const { rows: words } = await sql<{ reference: string; words: string[] }>`
    select reference, array[words, answer, refunds.last_error, payments.last_error] as words
    from payments join returns using (reference) join refunds using (reference)`.execute(db());
  expect(Object.fromEntries(words.map((row) => [row.reference, row.words]))).toMatchObject({
    [nigerian]: ["", "", null, null],
    [ghanaian]: ["", "", null, null],
    [others]: [mark, mark, mark, mark],
  });
  const payments = db().selectFrom("payments").select(["reference", "accessCode", "authorizationUrl"]);
  for (const { reference, ...codes } of await payments.where("reference", "in", [nigerian, others]).execute())
    expect(codes.accessCode === null && codes.authorizationUrl === null).toBe(reference === nigerian);
});

import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { savePassword } from "#app/account/password/store.server.ts";
import { DAY, MINUTE } from "#app/infra/durations.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import { forgetGivenUpMails, NOBODY } from "#app/infra/mail.server.ts";
import { hashPassword } from "#app/infra/secrets/password-hash.server.ts";
import * as messages from "#app/messages.ts";
import { recordIssue } from "#app/orders/issues.server.ts";
import { askReturn, withdrawReturn } from "#app/orders/returns/ask.server.ts";
import { putTogether } from "#app/owner/orders/links/new.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { receiveWebhook } from "#app/payments/webhook.server.ts";
import { action } from "#app/routes/account.tsx";
import { saveAddress } from "#app/shipping/address-book/book.server.ts";
import { addressOf } from "#app/shipping/address-book/book.ts";
import type { ShippingForm } from "#app/shipping/shipping.ts";
import { countBlocked } from "#tests/support/blocked.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { command, OWNER } from "#tests/support/command.ts";
import { endOffers, makeOffer } from "#tests/support/offers.ts";
import { signedWebhook } from "#tests/support/provider.ts";
import { arrived, asked, delivered } from "#tests/support/returns.ts";
import { cookieOf } from "#tests/support/session.ts";
import { lagosForm, makeProduct, makeShopper, putInCart, type Shopper } from "#tests/support/shop.ts";
import { paidByHand, staffOrder } from "#tests/support/staff-order.ts";
import { deleteCustomer } from "./delete-customer.server.ts";
import { KEPT_AFTER_DELETION } from "./kept-after-deletion.ts";

const checkout = useCheckout();
const { db, provider, oneBuyer, open, catchUp, refundOf } = checkout;
const say = (line: string, answer?: boolean) => command(db(), line.split(" "), answer);

async function sold(): Promise<{ user: Shopper; reference: string }> {
  const { user, payment } = await oneBuyer(3);
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  return { user, reference: payment.reference };
}
const isThere = async ({ id }: Shopper) =>
  (await db().selectFrom("users").select("id").where("id", "=", id).execute()).length > 0;

async function numberOf(reference: string): Promise<string> {
  const { number } = await db()
    .selectFrom("orders")
    .innerJoin("payments", "orderId", "orders.id")
    .select("number")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  return number;
}

describe("customers delete", () => {
  test("refuses while a payment is pending, with the order's number, even with --yes", async () => {
    const { user, payment } = await oneBuyer();
    for (const line of [`customers delete ${user.email}`, `customers delete ${user.email} --yes`])
      expect(await say(line)).toMatchObject({
        code: 1,
        text: expect.stringContaining(await numberOf(payment.reference)),
        data: { orders: [await numberOf(payment.reference)] },
      });
    expect(await isThere(user)).toBe(true);
  });

  test("refuses while a refund is pending", async () => {
    const { user, reference } = await sold();
    await say(`orders refund ${reference} --yes`);
    expect(await say(`customers delete ${user.email} --yes`)).toMatchObject({
      code: 1,
      text: expect.stringContaining(await numberOf(reference)),
    });
    await catchUp(reference);
    provider.finishRefunds();
    await catchUp(reference);
    expect(await say(`customers delete ${user.email}`)).toMatchObject({ code: 0 });
  });

  test("refuses if a refund is requested at the same moment", async () => {
    const { user, reference } = await sold();
    await say(`orders fulfil ${reference}`);
    const asking = await db().startTransaction().execute();
    await refundWished(asking, reference, { kobo: 1000 });
    const deleting = deleteCustomer(db(), user.id);
    await expect.poll(() => countBlocked(db())).toBe(1);
    await asking.commit().execute();
    expect(await deleting).toMatchObject({ ok: false, why: "money-under-way" });
  });

  test("refuses while a return is open", async () => {
    const sale = await delivered(checkout);
    const number = await asked(db(), sale);
    expect(await say(`customers delete ${sale.user.email} --yes`)).toMatchObject({
      code: 1,
      text: expect.stringContaining("an open return or exchange"),
      data: { error: "return-open", orders: [await numberOf(sale.reference)] },
    });
    expect(await withdrawReturn(db(), sale.user.id, number)).toBe(true);
    expect(await say(`customers delete ${sale.user.email}`)).toMatchObject({ code: 0 });
  });

  test("refuses while an order is paid and not sent, also after a confirmation, with the order's number and a remedy", async () => {
    const { user, reference } = await sold();
    const number = await numberOf(reference);
    const refused = { code: 1, data: { error: "unsent", orders: [number] } };
    expect(await say(`customers delete ${user.email}`)).toMatchObject(refused);
    expect(await say(`customers delete ${user.email}`, true)).toMatchObject(refused);
    expect(await say(`customers delete ${user.email} --yes`)).toMatchObject({
      ...refused,
      text: expect.stringMatching(new RegExp(`paid and not sent: ${number}.*orders fulfil.*orders cancel`, "s")),
    });
    expect(await isThere(user)).toBe(true);
    expect(await say(`orders fulfil ${number}`)).toMatchObject({ code: 0 });
    expect(await say(`customers delete ${user.email}`)).toMatchObject({ code: 0 });
    expect(await isThere(user)).toBe(false);
  });

  test("refuses while an order that staff put together can be paid, and anonymizes one that has ended unpaid", async () => {
    const { user, reference } = await sold();
    await say(`orders fulfil ${reference}`);
    const units = [{ productId: await makeProduct(db(), { M: 8 }), size: "M", quantity: 1 }];
    const sent = await putTogether(db(), OWNER, { email: user.email, units, heldFor: DAY });
    expect(await say(`customers delete ${user.email}`)).toMatchObject({ code: 1, data: { orders: [sent.number] } });
    expect(await say(`orders cancel ${sent.number}`)).toMatchObject({ code: 0 });
    await catchUp(sent.reference);
    expect(await say(`customers delete ${user.email}`)).toMatchObject({ code: 0 });
    expect(await placesOf(user.email)).toEqual([]);
    const { email } = await db()
      .selectFrom("orders")
      .select("email")
      .where("number", "=", sent.number)
      .executeTakeFirstOrThrow();
    expect(email).toBe(NOBODY);
  });

  test("anonymizes an order that was paid by hand before there was an account", async () => {
    const user = await makeShopper(db());
    const email = `new-${user.id}@example.com`;
    const order = await staffOrder(db(), { email }, await makeProduct(db(), { M: 8 }));
    const reference = await paidByHand(db(), order);
    await arrived(db(), reference);
    await catchUp(order.reference);
    await db().updateTable("users").set({ email }).where("id", "=", user.id).execute();
    expect(await deleteCustomer(db(), user.id)).toEqual({ ok: true });
    const sale = db().selectFrom("sales").select("email").where("reference", "=", reference);
    expect(await sale.executeTakeFirstOrThrow()).toEqual({ email: NOBODY });
  });

  test("needs nothing of a sent or refunded order, and says what stays", async () => {
    const { user, reference } = await sold();
    await say(`orders fulfil ${reference}`);
    expect(await say(`customers delete ${user.email}`)).toMatchObject({
      code: 0,
      text: expect.stringContaining(messages.deletion.kept),
      data: { deleted: user.email, kept: KEPT_AFTER_DELETION },
    });
  });

  test("a deleted customer's order can still be refunded, and no personal data of the provider's responses is stored", async () => {
    const { user, reference } = await sold();
    await say(`orders fulfil ${reference}`);
    expect(await say(`customers delete ${user.email}`)).toMatchObject({ code: 0 });
    await giveBack(reference);
    const { body, signature } = signedWebhook("refund.processed", {
      transaction_reference: reference,
      customer: { email: user.email },
    });
    expect(await receiveWebhook("paystack", body, signature)).toEqual({ status: 200 });
    expect(await placesOf(user.email)).toEqual([]);
  });
});

test("an offer for named customers loses the deleted one, and does not become one for everybody", async () => {
  const user = await makeShopper(db());
  const gift = { kind: "percent", percent: 10 } as const;
  const id = await makeOffer(db(), { gift, customers: [user.email, "bisi@example.com"] });
  await deleteCustomer(db(), user.id);
  const offer = db().selectFrom("offers").select("terms").where("id", "=", id);
  expect((await offer.executeTakeFirst())?.terms).toMatchObject({ customers: ["bisi@example.com", "deleted"] });
  await endOffers(db());
});

test("mails to another customer stay, even if an order of the deleted one has that address", async () => {
  const [other, user] = [await makeShopper(db()), await makeShopper(db())];
  const reference = await buy(other, { ...lagosForm, email: other.email });
  await take("charge.success", { reference, customer: { email: other.email } });
  const mails = () =>
    db()
      .selectFrom("outbox")
      .select(["kind", "state", "forgetRecipient"])
      .where("recipient", "=", other.email)
      .orderBy("createdAt")
      .execute();
  const before = await mails();
  expect(before).not.toEqual([]);
  await buy(user, { ...lagosForm, email: other.email });
  expect(await say(`customers delete ${user.email}`)).toMatchObject({ code: 0 });
  expect((await mails()).slice(0, before.length)).toEqual(before);
  expect(await placesOf(other.email)).toContain("webhook_inbox.body");
});

describe("a shopper's own deletion", () => {
  test.each([
    ["a payment is under way", async () => (await oneBuyer()).user, /is still being processed/],
    ["an order is paid and not sent", async () => (await sold()).user, /is paid but not sent yet/],
  ])("is refused while %s, with the order's number, beside the form", async (_, shopper, says) => {
    const user = await shopper();
    const order = db().selectFrom("orders").select("number").where("userId", "=", user.id);
    const { number } = await order.executeTakeFirstOrThrow();
    const answer = await deleteOneself(user);
    expect(answer).toMatchObject({ init: { status: 400 }, data: { setting: "delete" } });
    const { form = "" } = (answer as { data: { errors: { form?: string } } }).data.errors;
    expect(form).toMatch(says);
    expect(form).toContain(number);
    expect(await isThere(user)).toBe(true);
  });

  test("is possible once the order was sent", async () => {
    const { user, reference } = await sold();
    await say(`orders fulfil ${reference}`);
    expect(await deleteOneself(user)).toMatchObject({ status: 303 });
    expect(await isThere(user)).toBe(false);
  });

  /** Deletes an account by its form, as without JavaScript. Returns the response, even if the action throws it. */
  async function deleteOneself(user: Shopper): Promise<unknown> {
    await savePassword(db(), user.id, await hashPassword("a good password"));
    const request = new Request("http://localhost/account", {
      method: "POST",
      headers: { Cookie: await cookieOf(user) },
      body: new URLSearchParams({ setting: "delete", current: "a good password" }),
    });
    const args = { request, params: {}, context: {} } as unknown as Parameters<typeof action>[0];
    return action(args).catch((thrown: unknown) => thrown);
  }
});

const MARK = "zebrastripe";

/**
 * A customer with a mark in every place where personal data can be: each is filled as the shop itself would fill it.
 */
async function markedCustomer(): Promise<{ user: Shopper; references: string[] }> {
  const email = `${MARK}@example.com`;
  const id = randomUUID();
  const user = { id, email, emailVerified: true };
  await db()
    .insertInto("users")
    .values({ ...user, firstName: MARK, lastName: MARK })
    .execute();
  await db().insertInto("carts").values({ userId: id }).execute();
  await db()
    .insertInto("accounts")
    .values({ userId: id, providerId: "google", accountId: MARK, password: null })
    .execute();
  await db()
    .insertInto("sessions")
    .values({ userId: id, device: MARK, tokenHash: randomBytes(32) })
    .execute();
  await db().insertInto("cartMerges").values({ userId: id, mergeId: MARK, lines: "[]" }).execute();
  const productId = await makeProduct(db(), { M: 0 });
  await db().insertInto("stockAlerts").values({ productId, size: "M", email }).execute();
  await db().insertInto("subscriptions").values({ firstName: MARK, email }).execute();
  await db().insertInto("customerNotes").values({ id: randomUUID(), userId: id, author: "bola", text: MARK }).execute();
  await db().insertInto("customerTags").values({ userId: id, folded: MARK, word: MARK }).execute();
  await saveAddress(db(), id, addressOf({ ...lagosForm, address: MARK }));
  await limit(db(), [`login for ${email}`, 10, MINUTE]);

  const person = {
    ...lagosForm,
    firstName: MARK,
    lastName: MARK,
    email: `Other.${MARK}@example.com`,
    phoneNumber: MARK,
  };
  const home = { ...person, address: MARK, apartment: MARK, city: MARK, landmark: MARK, postalCode: MARK };
  const references = [await buy(user, home), await buy(user, { ...home, country: "Ghana", state: MARK })];
  for (const reference of references) {
    await recordIssue(db(), reference, "refund-failed", { failure: "rejected", message: `${MARK} has no account` });
    await say(`orders resolve ${reference}`);
    await sql`insert into order_tags (order_id, folded, word)
      select order_id, ${MARK}, ${MARK} from payments where reference = ${reference}`.execute(db());
    const customer = { email, first_name: MARK };
    await take("charge.success", { reference, customer });
    await take("customeridentification.success", { customer });
    await take("charge.dispute.create", { transaction: { reference: "another-shops-0000" }, customer });
  }
  await giveBack(references[0] ?? "");
  await sendBack(user, references[1] ?? "");
  await db().updateTable("refunds").set({ lastError: MARK }).where("reference", "in", references).execute();
  await db()
    .updateTable("payments")
    .set({ lastError: MARK, accessCode: MARK, authorizationUrl: MARK })
    .where("reference", "in", references)
    .execute();
  const mail = { kind: "order", data: JSON.stringify({ firstName: MARK }), lastError: `${email}: try later` };
  const { saleId } = await db()
    .selectFrom("sales")
    .select("id as saleId")
    .where("reference", "=", references[0] ?? "")
    .executeTakeFirstOrThrow();
  for (const [state, recipient, idempotencyKey] of [
    ["sent", email, randomUUID()],
    ["failed", person.email, `sent:${saleId}:${randomUUID()}`],
    ["queued", email, randomUUID()], // a mail that will never be tried again
  ] as const)
    await db()
      .insertInto("outbox")
      .values({ ...mail, state, recipient, idempotencyKey, messageId: randomUUID() })
      .execute();
  return { user, references };
}

async function buy(user: Shopper, form: ShippingForm): Promise<string> {
  await putInCart(db(), user.id, await makeProduct(db(), { M: 1 }), "M");
  const { reference } = await open(user, { form });
  provider.pay(reference);
  await settlePayment(reference);
  await say(`orders fulfil ${reference}`);
  return reference;
}

/** Requests a return, which is declined. The words of both contain the mark. */
async function sendBack(user: Shopper, reference: string): Promise<void> {
  const { productId = "" } = (await productOf(reference)) ?? {};
  const pieces = [{ productId, size: "M", quantity: 1, newSize: null }];
  const answer = await askReturn(db(), user.id, reference, { pieces, reason: "damaged", words: `${MARK} has torn it` });
  const number = answer?.ok ? (answer.numbers[0] ?? "") : "";
  await say(`returns decline ${number} --message ${MARK}`);
}

const productOf = (reference: string) =>
  db()
    .selectFrom("saleLines")
    .innerJoin("sales", "sales.id", "saleId")
    .select("productId")
    .where("reference", "=", reference)
    .executeTakeFirst();

async function giveBack(reference: string): Promise<void> {
  await say(`orders refund ${reference} --yes`);
  await catchUp(reference);
  provider.finishRefunds();
  await catchUp(reference);
  expect(await refundOf(reference)).toMatchObject({ state: "done" });
}

async function take(event: string, data: object): Promise<void> {
  const { body, signature } = signedWebhook(event, data);
  expect(await receiveWebhook("paystack", body, signature)).toEqual({ status: 200 });
}

/** Every column of every table that contains `mark`. */
async function placesOf(mark: string): Promise<string[]> {
  const { rows: columns } = await sql<{ schema: string; table: string; column: string }>`
    select nspname as schema, relname as table, attname as column from pg_attribute
    join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and attnum > 0 and not attisdropped and nspname not in ('pg_catalog', 'information_schema')
    order by 1, 2, 3`.execute(db());
  const places: string[] = [];
  for (const { schema, table, column } of columns) {
    const { rows } = await sql`
      select from ${sql.table(`${schema}.${table}`)} t
      where t.${sql.ref(column)}::text ilike ${`%${mark}%`} or t.${sql.ref(column)}::text ilike ${`%${Buffer.from(mark).toString("hex")}%`}
      limit 1`.execute(db());
    if (rows.length > 0) places.push(`${table}.${column}`);
  }
  return places;
}

test("nothing of a deleted customer stays in any table, except for declared data with a reason", async () => {
  const { user, references } = await markedCustomer();
  const before = await placesOf(MARK);
  expect(before).toEqual(
    expect.arrayContaining([
      "accounts.account_id",
      "customer_notes.text",
      "customer_tags.word",
      "order_tags.word",
      "orders.email",
      "orders.shipping",
      "outbox.data",
      "outbox.last_error",
      "outbox.recipient",
      "payments.access_code",
      "payments.authorization_url",
      "payments.last_error",
      "payment_issues.details",
      "refunds.last_error",
      "returns.answer",
      "returns.words",
      "sales.email",
      "sales.shipping",
      "saved_addresses.address",
      "sessions.device",
      "stock_alerts.email",
      "subscriptions.email",
      "subscriptions.first_name",
      "users.email",
      "users.first_name",
      "users.last_name",
      "webhook_inbox.body",
    ]),
  );
  expect(await say(`customers delete ${user.email}`)).toMatchObject({ code: 0 });
  for (const mail of await db().selectFrom("outbox").select("id").where("state", "=", "queued").execute())
    await sql`delete from jobs.job where data ->> 'id' = ${mail.id}`.execute(db()); // as after two days of failures
  await forgetGivenUpMails(db());
  const declared = Object.keys(KEPT_AFTER_DELETION);
  expect((await placesOf(MARK)).filter((place) => !declared.includes(place))).toEqual([]);
  const sales = await db()
    .selectFrom("sales")
    .select(["shipping", "kobo"])
    .where("reference", "in", references)
    .orderBy("createdAt")
    .execute();
  expect(sales).toMatchObject([
    { shipping: { country: "Nigeria", state: "Lagos", address: "" } },
    { shipping: { country: "Ghana", state: "", city: "" } },
  ]);
});

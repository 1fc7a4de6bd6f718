import { sql } from "kysely";
import { expect, test } from "vitest";
import { subscribe } from "#app/newsletter/newsletter.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OFFICE as by, delivered } from "#tests/support/returns.ts";
import { makeShopper } from "#tests/support/shop.ts";
import type { Keyset } from "../keyset.server.ts";
import { matchesSql, searchOrders } from "../orders/search.server.ts";
import { endCustomerSession, forgetCustomer } from "./customers.server.ts";
import { type CustomerSearch, searchCustomers } from "./search.server.ts";
import { viewCustomer } from "./view.server.ts";

const checkout = useCheckout();
const { db, oneBuyer, provider } = checkout;

async function named(firstName: string, lastName: string): Promise<{ id: string; email: string }> {
  const { id, email } = await makeShopper(db());
  await db().updateTable("users").set({ firstName, lastName }).where("id", "=", id).execute();
  return { id, email };
}
const found = async (search: CustomerSearch) => (await searchCustomers(db(), search)).rows;

test("customers are found by name without accents, by address, and by their orders' addresses", async () => {
  const zuri = await named("Zuri", "Ọlábísí");
  for (const text of ["zuri", "olabisi zu", zuri.email.slice(0, 20), zuri.email.toUpperCase()])
    expect((await found({ text })).map(({ id }) => id)).toEqual([zuri.id]);
  expect(await found({ text: "zuri nobody" })).toEqual([]);
  const { user } = await delivered(checkout);
  await sql`
    update orders set shipping = shipping || '{"firstName":"Kẹ́hìndé","phoneNumber":"0809 555 1234"}' where user_id = ${user.id}`.execute(
    db(),
  );
  for (const text of ["kehinde", "0809-555-1234", "08095551234"])
    expect((await found({ text })).map(({ id }) => id)).toEqual([user.id]);
});

test.each([
  ["United Kingdom", "+447911123456", ["07911 123456", "+44 7911 123456", "0044 7911 123456", "7911 123456", "447911"]],
  ["Denmark", "+4520123456", ["20 12 34 56", "+45 20 12 34 56", "0045 20123456"]],
  ["Germany", "+4930901820", ["030 901820", "030/901820", "+49 30 901820", "0049 (0)30 901820"]],
  ["Ghana", "024 123 4567", ["024 123 4567", "+233 24 123 4567", "\u202a+233 24 123 4567\u202c", "241234567"]],
  ["Iceland", "+3545551234", ["555 1234", "+354 555 1234"]],
])("16 an order to %s with the phone %s is found by each way to write it", async (country, kept, typed) => {
  const { user } = await delivered(checkout);
  const phone = JSON.stringify({ phoneNumber: kept, country });
  await sql`update orders set shipping = shipping || ${phone}::jsonb where user_id = ${user.id}`.execute(db());
  const orders = async (text: string) =>
    (await searchOrders(db(), { view: "all", text, customer: user.id })).rows.length;
  for (const text of typed) expect([text, await orders(text)]).toEqual([text, 1]);
  expect(await orders("0803 123 4567")).toBe(0);
});

const FORMS = [
  "0803 123 4567",
  "+234 803 123 4567",
  "2348031234567",
  "+2340803 1234567",
  "(0803) 123-4567",
  "00234 803 1234567",
];
const COPIED = [
  "\u202a+234 803 123 4567\u202c",
  "0803‑123–4567",
  "٠٨٠٣ ١٢٣ ٤٥٦٧",
  "009234 803 123 4567",
  "tel:+2348031234567",
];
test.each([
  ["08031234567", [...FORMS, ...COPIED, "803 123 4567", "0803 123", "+234 803 12", "08031"]],
  ["+2348031234567", [...FORMS, "803 123 4567", "0803 123", "+234 803 12"]],
  ["+233 24 123 4567", ["+233 24 123 4567", "024 123 4567", "00233241234567", "23324", "24 123 4567"]],
])("an order with the phone %s is found by each way to write it, and by its beginning", async (kept, typed) => {
  const { user } = await delivered(checkout);
  const phone = JSON.stringify({ phoneNumber: kept, firstName: "Zuri" });
  await sql`update orders set shipping = shipping || ${phone}::jsonb where user_id = ${user.id}`.execute(db());
  const orders = async (text: string) =>
    (await searchOrders(db(), { view: "all", text, customer: user.id })).rows.length;
  for (const text of typed) expect([text, await orders(text), await orders(`zuri ${text}`)]).toEqual([text, 1, 1]);
  for (const text of ["0803 123 4568", "+233 24 123 4568", "nobody 0803 123 4567"])
    expect([text, await orders(text)]).toEqual([text, 0]);
});

test("a search by phone uses the index", async () => {
  const plan = await db()
    .transaction()
    .execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      return sql<
        Record<string, string>
      >`explain select from orders where ${matchesSql("ada +234 803 123 4567")}`.execute(trx);
    });
  expect(JSON.stringify(plan.rows)).toContain("orders_found");
});

test("the list has sums, consent and pages in both directions", async () => {
  const { user } = await delivered(checkout, { quantity: 2 });
  await subscribe(db(), "Ada", user.email);
  const [one] = await found({ text: user.email });
  expect(one).toMatchObject({ orders: 1, newsletter: true, lastOrderAt: expect.any(Date) });
  expect(one?.spentKobo).toBeGreaterThan(15_000_000);
  expect(await found({ text: user.email, newsletter: false })).toEqual([]);
  expect(await found({ text: user.email, bought: true })).toHaveLength(1);
  const all = await found({});
  const read = async (place: Keyset) => {
    const { rows, ...ends } = await searchCustomers(db(), {}, place, 2);
    return { ids: rows.map(({ id }) => id), ...ends };
  };
  const first = await read({});
  const second = await read({ before: first.older });
  expect([...first.ids, ...second.ids]).toEqual(all.slice(0, 4).map(({ id }) => id));
  expect((await read({ after: second.newer })).ids).toEqual(first.ids);
  expect((await read({ before: "garbage" })).ids).toEqual(first.ids);
  expect((await found({ sort: "oldest" })).map(({ id }) => id)).toEqual(all.map(({ id }) => id).reverse());
});

test("a customer with an unsent order is not deleted; afterwards the deletion is logged without the name", async () => {
  const { payment, user } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  const view = await viewCustomer(db(), user.id);
  expect(view).toMatchObject({ orders: 1, signsIn: [], newsletterSince: null, open: { unsent: [expect.any(String)] } });
  expect(await forgetCustomer(db(), by, user.id)).toMatchObject({
    ok: false,
    why: "unsent",
    orders: view?.open.unsent,
  });
  await db().updateTable("sales").set({ fulfilledAt: new Date() }).where("reference", "=", payment.reference).execute();
  expect(await forgetCustomer(db(), by, user.id)).toEqual({ ok: true });
  expect(await viewCustomer(db(), user.id)).toBeUndefined();
  const log = await db().selectFrom("auditLog").selectAll().where("subjectId", "=", user.id).execute();
  expect(log).toMatchObject([{ action: "customers delete", actor: by.name, door: "office" }]);
  expect(JSON.stringify(log)).not.toContain(user.email);
});

test("a session is ended once, and only for its own customer", async () => {
  const [one, other] = [await makeShopper(db()), await makeShopper(db())];
  const session = { tokenHash: Buffer.from(one.id), userId: one.id, device: "A phone" };
  const { id } = await db().insertInto("sessions").values(session).returning("id").executeTakeFirstOrThrow();
  expect((await viewCustomer(db(), one.id))?.sessions).toMatchObject([{ id, device: "A phone", isThis: false }]);
  expect(await endCustomerSession(db(), by, other.id, id)).toMatchObject({ ok: false });
  expect(await endCustomerSession(db(), by, one.id, id)).toMatchObject({ ok: true });
  expect(await endCustomerSession(db(), by, one.id, id)).toMatchObject({ ok: false });
});

vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeEach, describe, expect, test, vi } from "vitest";
import { DAY } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";
import * as messages from "#app/messages.ts";
import { putTogether } from "#app/owner/orders/links/new.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { cookieOf } from "#tests/support/session.ts";
import { lagosForm, makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { type Sent, shopPages } from "#tests/support/shop-pages.ts";
import { paidByHand, staffOrder } from "#tests/support/staff-order.ts";

const { db, provider, url, salesOf, stockOf, expire } = useCheckout({ max: 30 });
const { shop } = useApps(url, { keepsPages: false });

let productId: string;
let user: Shopper;
let cookie: string;
let link: string;

/** Two jerseys that staff have put together for a shopper, who is signed in. */
beforeEach(async () => {
  productId = await makeProduct(db(), { M: 20 });
  user = await makeShopper(db());
  cookie = await cookieOf(user);
  const units = [{ productId, size: "M", quantity: 2 }];
  const wish = { email: user.email, units, heldFor: DAY, address: { ...lagosForm, address: "9 Hidden Close" } };
  link = new URL((await putTogether(db(), OWNER, wish)).url).pathname;
});

const send = shopPages(shop, () => cookie);

const press = (more: Sent = {}) => send(link, { form: {}, ...more });

async function orderId(): Promise<string> {
  const { orderId: id } = await db()
    .selectFrom("staffOrders")
    .select("orderId")
    .where("userId", "=", user.id)
    .executeTakeFirstOrThrow();
  return id;
}

test("S73 whoever has the link sees what it is for, how much and until when, and nothing about the customer", async () => {
  const { status, text, headers } = await send(link, { as: "" });
  expect(status).toBe(200);
  for (const part of ["Home Jersey", "₦165,568", "We hold these items for you at this price until", "Log in to pay"])
    expect(text).toContain(part);
  for (const secret of ["9 Hidden Close", "Ada", "Obi", "08031234567", user.email, lagosForm.email])
    expect(text).not.toContain(secret);
  expect(headers.get("cache-control")).toContain("no-store");
  expect(headers.get("referrer-policy")).toBe("same-origin");
  expect(text).toContain('<meta name="robots" content="noindex"/>');
});

test("opening it changes nothing: a chat fetches it for its preview", async () => {
  for (let fetched = 0; fetched < 3; fetched++) await send(link, { as: "" });
  expect(await stockOf(productId)).toMatchObject({ reserved: 2 });
  const payments = await db()
    .selectFrom("payments")
    .select("state")
    .where("orderId", "=", await orderId())
    .execute();
  expect(payments).toEqual([{ state: "created" }]);
});

test("without script, the customer sees where it goes, presses Pay and pays at the provider", async () => {
  const { text } = await send(link);
  for (const part of ["9 Hidden Close", "Delivery to Lagos", "Pay ₦165,568"]) expect(text).toContain(part);
  const { status, to } = await press();
  expect(status).toBe(303);
  const reference = to.split("/").at(-1) ?? ""; // the provider's page has it in its address
  provider.pay(reference);
  const back = await send(`/checkout/return?reference=${reference}`);
  expect(back.to).toBe(`/order/${reference}`);
  expect((await send(back.to)).text).toContain("Payment successful!");
  expect(await salesOf(user)).toHaveLength(1);
  expect(await send(link)).toMatchObject({ status: 303, to: `/order/${reference}` });
  expect((await send(link, { as: "" })).text).toContain(messages.paying.paid);
});

test("a customer who comes back unpaid is told to open the link again, and not to go to the checkout", async () => {
  await press();
  const { reference } = await db()
    .selectFrom("payments")
    .select("reference")
    .where("orderId", "=", await orderId())
    .executeTakeFirstOrThrow();
  const { text } = await send(`/order/${reference}`);
  expect(text).toContain("To pay, open the link we sent you again.");
  expect(text).not.toContain("Back to checkout");
});

test("somebody without an account pays it with one that has proved the address", async () => {
  const fresh = await makeShopper(db());
  const email = `new-${fresh.id}@example.com`;
  const units = [{ productId, size: "M", quantity: 1 }];
  const { url: sent } = await putTogether(db(), OWNER, { email, units, heldFor: DAY, address: { ...lagosForm } });
  link = new URL(sent).pathname;
  expect((await send(link, { as: "" })).text).toContain("Create an account");
  const as = await cookieOf(fresh);
  expect((await press({ as })).status).toBe(403);
  await db().updateTable("users").set({ email }).where("id", "=", fresh.id).execute();
  expect((await send(link, { as })).text).toContain("1 Broad Street");
  expect((await press({ as })).status).toBe(303);
  expect((await send(link)).text).toContain(messages.paying.another); // the first shopper is nobody to this order
});

test("an order that was paid by hand before there was an account is said to be paid", async () => {
  const fresh = await makeShopper(db());
  const email = `new-${fresh.id}@example.com`;
  const order = await staffOrder(db(), { email }, productId);
  await paidByHand(db(), order);
  await db().updateTable("users").set({ email }).where("id", "=", fresh.id).execute();
  const { status, text } = await send(new URL(order.url).pathname, { as: await cookieOf(fresh) });
  expect([status, text.includes(messages.paying.paid)]).toEqual([200, true]);
});

describe("S73 nobody else", () => {
  test("signed in with another account pays it, or sees where it goes", async () => {
    const other = await cookieOf(await makeShopper(db()));
    const { text } = await send(link, { as: other });
    expect(text).toContain(messages.paying.another);
    expect(text).not.toContain("9 Hidden Close");
    expect((await press({ as: other })).status).toBe(403);
  });

  test("signed out pays it: the login leads back to the link", async () => {
    expect(await press({ as: "" })).toMatchObject({ status: 303, to: `/login?next=${link}` });
  });

  test("from another site presses Pay, and the log does not hold the code", async () => {
    const noted = vi.spyOn(log, "warn");
    expect((await press({ headers: { origin: "https://evil.example" } })).status).toBe(403);
    const said = JSON.stringify(noted.mock.calls);
    expect(said).toContain("/pay/…");
    expect(said).not.toContain(link);
  });

  test.each(["a code that nobody has", "half a code", "a longer code"])("opens anything with %s", async (which) => {
    const code = link.split("/").at(-1) ?? "";
    const wrong = { "a code that nobody has": "A".repeat(22), "half a code": code.slice(0, 11) }[which] ?? `${code}A`;
    expect((await send(`/pay/${wrong}`)).status).toBe(404);
    expect((await send(`/pay/${wrong}`, { form: {} })).status).toBe(404);
  });
});

test("after its time the page says so, and a press opens no payment", async () => {
  await expire(await orderId());
  expect((await send(link)).text).toContain(messages.paying.over);
  expect(await press()).toMatchObject({ status: 303, to: link });
});

test("a provider that cannot be reached is said, and nothing is lost", async () => {
  provider.faulty({ on: "initialize", times: 2, before: true, status: 503 });
  const { status, text } = await press();
  expect(status).toBe(503);
  expect(text).toContain(messages.paying.unavailable);
  expect(await stockOf(productId)).toMatchObject({ reserved: 2 });
  expect((await press()).status).toBe(303);
});

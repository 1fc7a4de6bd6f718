vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { randomUUID } from "node:crypto";
import type { Updateable } from "kysely";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { settlePayment } from "#app/payments/settle.server.ts";
import type { Database } from "#db/types.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { asked, delivered } from "#tests/support/returns.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";
import { endLinkChecks, staffOrder } from "#tests/support/staff-order.ts";

const checkout = useCheckout();
const { db, stockOf, provider, open, openPickUp } = checkout;
const ask = useOfficePages();
const KOBO = String(2 * 4999 * 1600);

let cookies: string[];
let productId: string;

beforeEach(async () => {
  productId = await makeProduct(db(), { M: 8 });
  ({ cookies } = await staffWithPasskey(db(), "orders"));
});

const query = () => new URLSearchParams({ piece: `${productId}:M:2` });
const sell = (form: Record<string, string> = {}, as = cookies) =>
  ask(`/orders/stall?${query()}`, as, {
    ...{ intent: "sell", key: randomUUID(), "pieces[]": `${productId}:M:2`, kobo: KOBO, means: "cash" },
    ...{ bankReference: "", stall: "Yaba market", name: "", email: "", phone: "", ...form },
  });

test("without script: items by a search, the sum, how it is paid; then it is sold and delivered", async () => {
  expect((await ask("/orders/new", cookies)).links).toContain("/orders/stall");
  const found = await ask(`/orders/stall?q=${productId}`, cookies);
  expect(found.text).toContain("M, 8 left");
  expect(found.text).not.toContain("To pay");
  const filled = await ask(`/orders/stall?${query()}`, cookies);
  for (const part of ["₦159,968", "Cash", "Card terminal", "In cash, take ₦159,950"])
    expect(filled.text).toContain(part);
  const done = await sell();
  const [, number = ""] = /(IR-[\w-]+): ₦159,950 taken: cash/.exec(done.text) ?? [];
  expect(done.links).toContain(`/orders/${number}`);
  expect(await stockOf(productId)).toMatchObject({ reserved: 0, sold: 2 });
  const { text } = await ask(`/orders/${number}`, cookies);
  for (const part of ["Delivered", "Sold at a stall", "Yaba market", "Paid: Cash"]) expect(text).toContain(part);
  expect((await ask(`/orders/stall?${query()}`, cookies)).fields).toContainEqual(
    expect.objectContaining({ name: "stall", value: "Yaba market" }),
  );
});

test.each([
  ["no stall", { stall: "" }, "Where do you sell it?"],
  ["no means", { means: "" }, "Choose how it was paid"],
  ["a transfer without its reference", { means: "transfer" }, "Write the transfer’s reference"],
  ["a sum that has changed", { kobo: "100" }, "It costs ₦159,950 now"],
  ["a phone number that cannot be one", { phone: "12" }, "isn't a Nigerian phone number"],
])("with %s it says so, what was typed stays, and nothing is sold", async (_, form, problem) => {
  const { status, text, fields } = await sell({ name: "Ada", ...form });
  expect(status).toBe(422);
  expect(text).toContain(problem);
  expect(fields).toContainEqual(expect.objectContaining({ name: "name", value: "Ada" }));
  expect(await stockOf(productId)).toMatchObject({ reserved: 0, sold: 0 });
});

test("the same form twice is one sale", async () => {
  const key = randomUUID();
  const done = await Promise.all([sell({ key }), sell({ key })]);
  expect(done.map(({ status }) => status)).toEqual([200, 200]);
  expect(await stockOf(productId)).toMatchObject({ reserved: 0, sold: 2 });
});

describe("promises an email only where the order has an address:", () => {
  const NONE = "There’s no email address, so tell them yourself.";
  const setEmail = (number: string, email: string) =>
    db().updateTable("orders").set({ email }).where("number", "=", number).execute();
  const numberOf = async (reference: string) => {
    const order = db().selectFrom("orders").innerJoin("payments", "orderId", "orders.id").select("number");
    return (await order.where("reference", "=", reference).executeTakeFirstOrThrow()).number;
  };
  /** What a screen says of an order without an address, of one whose customer's data was deleted, and of another. */
  async function expectAt(path: string, number: string, says: string): Promise<void> {
    for (const email of ["", "deleted", "bisi@example.com"]) {
      await setEmail(number, email);
      const { text } = await ask(path, cookies);
      const [said, other] = email.includes("@") ? [says, NONE] : [NONE, says];
      expect(text).toContain(said);
      expect(text).not.toContain(other);
    }
  }

  test.each([
    ["give", "We email the shopper."],
    ["cancel", "We email the shopper."],
    ["ready", "We email the shopper that it’s waiting at Yaba market."],
    ["send", "We email both to the shopper."],
    ["address", "We email the shopper the new address."],
  ])("the panel of a sale, %s", async (panel, says) => {
    const [, number = ""] = /(IR-[\w-]+): /.exec((await sell()).text) ?? [];
    await expectAt(`/orders/${number}?do=${panel}`, number, says);
  });

  test("the panel that changes a size", async () => {
    await db().insertInto("productSizes").values({ productId, size: "L", supplied: 5 }).execute();
    const { reference } = await open(await makeShopper(db(), { productId, size: "M" }));
    provider.pay(reference);
    await settlePayment(reference);
    const number = await numberOf(reference);
    await expectAt(`/orders/${number}?do=size`, number, "We email the shopper what will be sent.");
  });

  test("the panel that marks an order as paid", async () => {
    const { number } = await staffOrder(db(), { email: "bisi@example.com" }, productId);
    await expectAt(`/orders/${number}?do=paid`, number, "under your name. We email the shopper.");
    await setEmail(number, "bisi@example.com");
  });

  test("each form of a return", async () => {
    const change = async (state: Partial<Updateable<Database["returns"]>>) =>
      db().updateTable("returns").set(state).where("number", "=", given).execute();
    const sale = await delivered(checkout);
    const number = await numberOf(sale.reference);
    const given = await asked(db(), sale, { newSize: "L" });
    const path = `/returns/${given}`;
    await expectAt(path, number, "Ada will be emailed that it’s approved.");
    await change({ state: "approved", decidedAt: new Date(), sendBack: true });
    await expectAt(path, number, "Ada will be emailed that they’re back with you.");
    await change({ state: "received", receivedAt: new Date() });
    await expectAt(path, number, "Ada will be emailed that the other size is on its way.");
    await change({ wish: "money" });
    await expectAt(path, number, "We email Ada.");
    await change({ state: "asked", wish: "exchange", decidedAt: null, receivedAt: null }); // as it was, for the books
  });

  test("the result of many orders at once", async () => {
    const orders = [await openPickUp(), await openPickUp()];
    const numbers: string[] = [];
    for (const { reference } of orders) {
      provider.pay(reference);
      await settlePayment(reference);
      numbers.push(await numberOf(reference));
    }
    const says = async (email: string) => {
      await setEmail(numbers[0] ?? "", email);
      const { location = "" } = await ask("/orders/steps", cookies, { intent: "ready", numbers: numbers.join(",") });
      const read = async () => (await ask(location ?? "", cookies)).text;
      await expect.poll(read).toContain("ready for pick-up.");
      const text = await read();
      await ask(location ?? "", cookies, { intent: "take-back" });
      return text;
    };
    expect(await says("bisi@example.com")).toContain("We’ll email the shoppers in a moment. ");
    expect(await says("")).toContain("For 1 order there’s no email address, so tell them yourself.");
    await setEmail(numbers[1] ?? "", "deleted");
    const none = await says("");
    expect(none).toContain(NONE);
    expect(none).not.toContain("We’ll email");
  });
});

test("is closed to those who may not take money", async () => {
  const { cookies: packer } = await staffWithPasskey(db(), "packer");
  expect((await ask("/orders/stall", packer)).status).toBe(403);
  expect((await sell({}, packer)).status).toBe(403);
});

test("a customer without an email address is found by phone among customers, and deleted there", async () => {
  const phone = "08031239876";
  const done = await sell({ name: "Bisi Ade", phone: "+234 803 123 9876" });
  const [, number = ""] = /(IR-[\w-]+): /.exec(done.text) ?? [];
  await endLinkChecks(db());
  const list = `/customers?${new URLSearchParams({ q: "+234 803 123 9876" })}`;
  const found = await ask(list, cookies);
  expect(found.links).toContain(`/orders/${number}`);
  for (const part of [`No account or email: ${phone}`, "Bisi Ade"]) expect(found.text).toContain(part);
  const form = found.forms.find(({ intents }) => intents.includes("forget"));
  expect(form?.method).toBe("post");
  expect((await ask(list, cookies, { intent: "forget", phone })).location).toBe("/customers?forgotten=1");
  expect((await ask(list, cookies)).text).not.toContain(phone);
  const order = await ask(`/orders/${number}`, cookies);
  for (const part of ["Bisi", phone]) expect(order.text).not.toContain(part);
  expect(order.text).toContain("The customer’s data was deleted");
});

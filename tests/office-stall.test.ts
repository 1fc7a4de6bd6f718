vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { randomUUID } from "node:crypto";
import { beforeEach, expect, test, vi } from "vitest";
import { useCheckout } from "#tests/support/checkout.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";
import { endLinkChecks } from "#tests/support/staff-order.ts";

const { db, stockOf } = useCheckout();
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

test("forms that give money back promise an email only where the order has an address", async () => {
  const hints: string[] = [];
  for (const email of ["", "bisi@example.com"]) {
    const [, number = ""] = /(IR-[\w-]+): /.exec((await sell({ email })).text) ?? [];
    const { text } = await ask(`/orders/${number}?do=give`, cookies);
    hints.push(/back in stock\. (.*?\.)/.exec(text)?.[1] ?? text);
  }
  expect(hints).toEqual(["There’s no email address, so tell them yourself.", "We email the shopper."]);
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

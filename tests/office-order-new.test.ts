vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { readLink } from "#app/payments/links/link.server.ts";
import { saveRole } from "#app/staff/own-roles.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { makeProduct, type Shopper } from "#tests/support/shop.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const { db, oneBuyer, stockOf } = useCheckout();
const ask = useOfficePages();

let cookies: string[];
let user: Shopper;
let productId: string;

/** A customer who has ordered before, a member who may put orders together, and a product with stock. */
beforeEach(async () => {
  ({ user } = await oneBuyer());
  productId = await makeProduct(db(), { M: 20, XL: 0 });
  ({ cookies } = await staffWithPasskey(db(), "orders"));
});

const screen = (query: Record<string, string> = {}) =>
  ask(`/orders/new?${new URLSearchParams({ for: user.email, ...query })}`, cookies);
const send = (form: Record<string, string> = {}) =>
  ask(`/orders/new?${new URLSearchParams({ for: user.email, piece: `${productId}:M:2` })}`, cookies, {
    ...{ intent: "send", key: randomUUID(), email: user.email, hold: "day", "pieces[]": `${productId}:M:2` },
    ...form,
  });

test("without script: whom, what by a search, the sums, and the link", async () => {
  const first = await ask("/orders/new", cookies);
  expect(first.text).toContain("The customer’s email");
  const found = await screen({ q: productId });
  expect(found.text).toContain("Goes to: Ada Obi, 1 Broad Street");
  expect(found.text).toContain("M, 20 left");
  const added = found.links.find((link) => link.includes("piece="));
  expect(new URLSearchParams(added).get("piece")).toBe(`${productId}:M:1`);
  const filled = await screen({ piece: `${productId}:M:2` });
  for (const part of ["Home Jersey", "Delivery to Lagos", "₦165,568", "Hold the items for"])
    expect(filled.text).toContain(part);
  expect(filled.fields).toContainEqual(expect.objectContaining({ name: "pieces[]", value: `${productId}:M:2` }));
  const sent = await send();
  expect(sent.text).toMatch(/IR-\S+: ₦165,568, held until/);
  const [, code = ""] = /\/pay\/([\w-]{22})/.exec(sent.text) ?? [];
  expect(await readLink(db(), code)).toMatchObject({ buyer: user.id, state: "open" });
  expect(await stockOf(productId)).toMatchObject({ reserved: 2 });
  const chat = sent.links.find((link) => link.startsWith("https://wa.me/2348031234567"));
  expect(decodeURIComponent(chat ?? "").replaceAll("+", " ")).toContain(`Your order is ready to pay here: http`);
});

test("the part of a size that such orders hold is the owner's: a quarter at first", async () => {
  const shown = async () => (await screen({ piece: `${productId}:M:2` })).text;
  expect(await shown()).toContain("Orders like this hold at most a quarter of each size, all together.");
  await db().insertInto("shopSettings").values({ staffShare: 40 }).execute();
  expect(await shown()).toContain("Orders like this hold at most 40% of each size, all together.");
  const { text } = await send({ "pieces[]": `${productId}:M:9` });
  expect(text).toMatch(/may hold 8 more.*at most 40% of what.s in stock/);
  expect((await send({ "pieces[]": `${productId}:M:8` })).text).toContain("held until");
  await db().deleteFrom("shopSettings").execute();
  expect(await stockOf(productId)).toMatchObject({ reserved: 8 });
});

test("the same form twice is one order", async () => {
  const key = randomUUID();
  const numbers = await Promise.all([send({ key }), send({ key })]);
  expect(new Set(numbers.map(({ text }) => /IR-[\w-]+/.exec(text)?.[0])).size).toBe(1);
  expect(await stockOf(productId)).toMatchObject({ reserved: 2 });
});

test.each([
  ["more than staff may hold", { "pieces[]": "{{product}}:M:6" }, "may hold 5 more"],
  ["a size that is not in stock", { "pieces[]": "{{product}}:XL:1" }, "0 in stock"],
  ["no item", { "pieces[]": "" }, "These are no pieces"],
  ["nobody's address", { email: "nobody@example.com" }, "hasn’t ordered yet"],
])("%s: it says why, and what was chosen stays", async (_, form, reason) => {
  const pieces = "pieces[]" in form && { "pieces[]": form["pieces[]"].replace("{{product}}", productId) };
  const { status, text } = await send({ ...form, ...pieces });
  expect(status).toBe(422);
  expect(text.replaceAll("'", "’")).toContain(reason);
  expect(text).toContain("In this order");
  expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
});

test("what is no email address is said beside the field", async () => {
  expect((await screen({ for: "ada" })).text).toContain("'ada' isn't an email address");
});

describe("a customer who has never ordered", () => {
  const query = () => new URLSearchParams({ for: "new@example.com", piece: `${productId}:M:2` });
  const typed = {
    ...{ firstName: "Ada", lastName: "Obi", phoneNumber: "0803 123 4567", deliveryType: "Home Delivery" },
    ...{ state: "Lagos", address: "1 Broad Street", landmark: "", pickupCenter: "" },
  };
  const post = (form: Record<string, string> = {}) =>
    ask(`/orders/new?${query()}`, cookies, {
      ...{ intent: "send", key: randomUUID(), email: "new@example.com", hold: "hour" },
      ...{ "pieces[]": `${productId}:M:2`, ...typed, ...form },
    });

  test("is asked for the address, and the sum has the delivery there", async () => {
    const { text, fields } = await ask(`/orders/new?${query()}`, cookies);
    expect(text).toContain("Before delivery ₦159,968");
    expect(fields).toContainEqual(expect.objectContaining({ name: "phoneNumber" }));
    const sent = await post();
    expect(sent.text).toMatch(/IR-\S+: ₦165,568, held until/);
    const [, code = ""] = /\/pay\/([\w-]{22})/.exec(sent.text) ?? [];
    expect(await readLink(db(), code)).toMatchObject({ buyer: null, recipient: "new@example.com" });
  });

  test("what is wrong is said beside its field, and what was typed stays", async () => {
    const { status, text, fields } = await post({ phoneNumber: "12", hold: "two-days" });
    expect(status).toBe(422);
    expect(text).toContain("Please enter a valid phone number");
    expect(fields).toContainEqual(expect.objectContaining({ name: "address", value: "1 Broad Street" }));
    expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
  });
});

describe("another price for a piece", () => {
  const price = () => `price:${productId}:M`;
  const [piece, asked] = [() => `${productId}:M:2`, () => ({ piece: `${productId}:M:2` })];
  /** Sends the draft at this price, as a member with these permissions. */
  async function sendAt(dollars: string, form: Record<string, string>, as: string[]) {
    const query = new URLSearchParams({ for: user.email, piece: piece(), [price()]: dollars });
    return await ask(`/orders/new?${query}`, as, {
      ...{ intent: "send", key: randomUUID(), email: user.email, hold: "day", "pieces[]": piece() },
      ...{ "prices[]": `${productId}:M=${dollars}`, ...form },
    });
  }
  let seller: string[];
  beforeEach(async () => {
    const name = `Seller ${randomUUID().slice(0, 8)}`;
    await saveRole(db(), OWNER, { name, permissions: ["service", "prices"] });
    ({ cookies: seller } = await staffWithPasskey(db(), name));
  });

  test("is agreed on without script, by whoever may put orders together and set prices, and says why", async () => {
    const at = (dollars: string) =>
      ask(`/orders/new?${new URLSearchParams({ for: user.email, ...asked(), [price()]: dollars })}`, seller);
    const first = await at("");
    expect(first.fields).toContainEqual(expect.objectContaining({ name: price() }));
    expect(first.text).not.toContain("Why another price?");
    const shown = await at("35");
    for (const part of ["Agreed price, usually $49.99", "$70.00", "Why another price?"])
      expect(shown.text).toContain(part);
    const unexplained = await sendAt("35", {}, seller);
    expect(unexplained).toMatchObject({ status: 422, text: expect.stringContaining("Why is the price another one?") });
    const sent = await sendAt("35", { reason: "Radio winner" }, seller);
    expect(sent.text).toMatch(/IR-\S+: ₦117,600, held until/);
    const [, number = ""] = /(IR-[^:]+):/.exec(sent.text) ?? [];
    const order = await ask(`/orders/${number}`, seller);
    expect(order.text).toContain("Agreed price, usually $49.99");
    expect(order.text).toContain("Agreed price: Home Jersey M for $35.00 instead of $49.99; Radio winner.");
  });

  test.each([
    ["no price", "cheap", "“cheap” isn’t a price in dollars"],
    ["too little", "1", "agree on $5.00 or more, a tenth of its price"],
    ["no less than the shop's", "60", "costs $49.99: agree on less"],
  ])("%s is refused beside the items, which keep the shop's prices", async (_, dollars, problem) => {
    const query = new URLSearchParams({ for: user.email, ...asked(), [price()]: dollars });
    const { text, fields } = await ask(`/orders/new?${query}`, seller);
    expect(text).toContain(problem);
    expect(text).toContain("$99.98");
    expect(fields).toContainEqual(expect.objectContaining({ name: price(), value: dollars }));
    expect(fields).not.toContainEqual(expect.objectContaining({ name: "prices[]" }));
  });

  test("is neither shown nor granted to those who may not set prices", async () => {
    const { text, fields } = await screen({ ...asked(), [price()]: "35" });
    expect(text).not.toContain("Another price");
    expect(text).toContain("$99.98");
    expect(fields).not.toContainEqual(expect.objectContaining({ name: "prices[]" }));
    expect((await sendAt("35", { reason: "Mine" }, cookies)).status).toBe(403);
    expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
  });
});

test("an item that the shop no longer sells is named, and a link takes it out", async () => {
  await db().updateTable("products").set({ hidden: true }).where("id", "=", productId).execute();
  const { text, links } = await screen({ piece: `${productId}:M:2` });
  expect(text).toContain("is hidden: the shop doesn't sell it at the moment");
  expect(links).toContain(`/orders/new?${new URLSearchParams({ for: user.email })}`);
  expect(text).not.toContain("Make the link");
});

test("pieces that are none, or far too many, are left out of the address", async () => {
  const many = Array.from({ length: 300 }, () => `${productId}:M:1`);
  const params = new URLSearchParams([["for", user.email], ["piece", "x"], ...many.map((one) => ["piece", one])]);
  const { status, text } = await ask(`/orders/new?${params}`, cookies);
  expect(status).toBe(200);
  expect(text).toContain("M × 49"); // of the fifty first ones, one is none
});

test("the screens Orders and Customer lead to it for those who may", async () => {
  expect((await ask("/orders", cookies)).links).toContain("/orders/new");
  expect((await ask(`/customers/${user.id}`, cookies)).links).toContain(
    `/orders/new?for=${encodeURIComponent(user.email)}`,
  );
  const reader = await staffWithPasskey(db(), "reader");
  expect((await ask("/orders", reader.cookies)).links).not.toContain("/orders/new");
});

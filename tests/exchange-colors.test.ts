vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { customerData } from "#app/customer-data/user-document.server.ts";
import * as messages from "#app/messages.ts";
import { renderers } from "#app/orders/emails.tsx";
import { getOrder } from "#app/orders/history.server.ts";
import { withdrawReturn } from "#app/orders/returns/ask.server.ts";
import { deleteProduct } from "#app/owner/catalog/product-save.server.ts";
import { stockHistory } from "#app/owner/catalog/stock-history.server.ts";
import { orderHistory } from "#app/owner/orders/history.server.ts";
import { refundReturn } from "#app/owner/returns/refund.server.ts";
import { approveReturn, declineReturn, receiveReturn, sendExchange } from "#app/owner/returns/returns.server.ts";
import { endTrial } from "#app/owner/trial/end.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { command, OWNER } from "#tests/support/command.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { asked, type Delivered, delivered, OFFICE } from "#tests/support/returns.ts";
import { cookieOf } from "#tests/support/session.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { shopPages } from "#tests/support/shop-pages.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

// After each test, `useCheckout` checks that stock, money and orders agree.

const checkout = useCheckout({ max: 30 });
const { db, url, refundsOf } = checkout;
const { shop } = useApps(url, { keepsPages: false });
const office = useOfficePages();

const by = OFFICE;
let sale: Delivered;
let title: string;
let green: string;
let blue: string;

/** A shopper who has received an M in green, of a model that there is in blue at the same price: 1 M, 2 L. */
beforeEach(async () => {
  sale = await delivered(checkout, { sizes: { M: 5, L: 1 } });
  green = sale.productId;
  title = `Jersey ${green}`;
  await changed(green, { title });
  blue = await inColor("Blue", { M: 1, L: 2 });
});

type Change = { title?: string; color?: string; hidden?: boolean; priceCents?: number; pricedAt?: Date };

async function changed(id: string, change: Change): Promise<string> {
  await db().updateTable("products").set(change).where("id", "=", id).execute();
  return id;
}

/** A product of the model in this colour. */
const inColor = async (color: string, sizes: Record<string, number> = { M: 5 }, change: Change = {}) =>
  changed(await makeProduct(db(), sizes), { title, color, ...change });

/** Puts a product on sale. */
async function reduced(productId: string, priceCents: number): Promise<string> {
  const plan = { planId: randomUUID(), productId, priceCents, startsAt: new Date(Date.now() - 1000) };
  await db().insertInto("salePrices").values(plan).execute();
  return changed(productId, { pricedAt: new Date() });
}

const ask = shopPages(shop);
/** Asks for the page of the sale's returns, or posts its form. */
const send = async (form?: Record<string, string>, { user, reference } = sale) =>
  ask(`/order/${reference}/return`, { as: await cookieOf(user), form });

/** Asks for an exchange of the green M: "L", or a colour's "ID:L". */
const press = (instead: string, of = sale) =>
  send({ [`quantity:${of.productId}:M`]: "1", [`instead:${of.productId}:M`]: instead, reason: "size", after: "0" }, of);

/** Asks for an exchange of the green M for a blue one. Returns its number. */
const askedForBlue = (size = "M", of = sale) => asked(db(), of, { newSize: size, newProductId: blue });

/** How many are on hand and reserved of each size: "L 1, M 4 (1)". */
async function stock(productId: string): Promise<string> {
  const sizes = db()
    .selectFrom("productSizes")
    .select(["size", "onHand", "reserved"])
    .where("productId", "=", productId);
  const rows = await sizes.orderBy("size").execute();
  return rows.map((one) => `${one.size} ${one.onHand}${one.reserved ? ` (${one.reserved})` : ""}`).join(", ");
}

const stateOf = async (number: string) =>
  (await db().selectFrom("returns").select("state").where("number", "=", number).executeTakeFirst())?.state;

const returnsIn = async ({ user, reference } = sale) => (await getOrder(db(), user.id, reference))?.returns ?? [];

describe("the form", () => {
  test("offers the sizes of each colour at the same normal price, whatever is on sale", async () => {
    const onSale = await reduced(await inColor("Red", { M: 0, L: 3 }), 3000);
    await reduced(green, 4000);
    const { text } = await send();
    const choices = [...text.matchAll(/<input[^>]*name="instead:[^>]*>/g)].map(([field]) => {
      const [, value] = /value="([^"]+)"/.exec(field) ?? [];
      return field.includes('disabled=""') ? `${value} sold out` : value;
    });
    const own = ["money", "M", "L"];
    const others = [`${blue}:M`, `${blue}:L`, `${onSale}:M sold out`, `${onSale}:L`];
    expect(choices.toSorted()).toEqual([...own, ...others].toSorted());
    for (const color of ["Blue", "Red"]) expect(text).toContain(`>${color}</strong>`);
  });

  test("names what is sent, without script, on the page, in the email and in the customer's data", async () => {
    expect(await press(`${blue}:M`)).toMatchObject({ status: 303 });
    const [one] = await returnsIn();
    const piece = { productId: green, size: "M", quantity: 1, newSize: "M", newProductId: blue, newColor: "Blue" };
    expect(one).toMatchObject({ wish: "exchange", state: "asked", pieces: [piece] });
    expect((await send()).text).toContain("for Blue, M");
    const mail = db().selectFrom("outbox").select("data").where("kind", "=", "return");
    const { data } = await mail.orderBy("createdAt", "desc").executeTakeFirstOrThrow();
    expect((await renderers.return?.(data))?.text).toContain("1 × Home Jersey, Green, M, for Blue, M");
    expect(JSON.stringify(await customerData(db(), sale.user.id, "https://shop.example"))).toContain(blue);
  });

  test("sent again after a lost response asks once, and for another colour it asks again", async () => {
    const two = await delivered(checkout, { quantity: 2, sizes: { M: 5 } });
    await changed(two.productId, { title });
    const red = await inColor("Red");
    const first = await press(`${blue}:M`, two);
    expect(await press(`${blue}:M`, two)).toMatchObject({ status: 303, to: first.to });
    expect(await press(`${red}:M`, two)).toMatchObject({ status: 303 });
    const colors = (await returnsIn(two)).map(({ pieces }) => pieces[0]?.newColor);
    expect(colors).toEqual(["Red", "Blue"]);
  });
});

describe("a colour is refused beside the choice, and nothing is lost:", () => {
  const { "not-that-color": notThatColor, "sold-out": soldOut } = messages.returns.faults;
  test.each<[string, () => Promise<string>, string]>([
    ["dearer", () => inColor("Red", { M: 5 }, { priceCents: 5499 }), notThatColor],
    ["cheaper", () => inColor("Red", { M: 5 }, { priceCents: 4499 }), notThatColor],
    [
      "at the same price only while on sale",
      async () => reduced(await inColor("Red", { M: 5 }, { priceCents: 5999 }), 4999),
      notThatColor,
    ],
    ["hidden", () => inColor("Red", { M: 5 }, { hidden: true }), notThatColor],
    ["of another model", () => inColor("Red", { M: 5 }, { title: "Another Jersey" }), notThatColor],
    ["without this size", () => inColor("Red", { L: 5 }), notThatColor],
    ["sold out", () => inColor("Red", { M: 0 }), soldOut],
    ["that there is not", async () => "no-such-product", notThatColor],
  ])("%s", async (_, other, error) => {
    const id = await other();
    const { status, text } = await press(`${id}:M`);
    expect(status).toBe(400);
    expect(text).toContain(error);
    expect(/<fieldset aria-invalid="true"[^>]*>\s*<legend[^>]*>Refund or exchange\?/.test(text)).toBe(true);
    expect(text).toMatch(/<input[^>]*type="radio"[^>]*name="reason"[^>]*checked=""[^>]*value="size"/);
    expect([await returnsIn(), await stock(green)]).toEqual([[], "L 1, M 4"]);
  });

  test("its price has changed since the form was opened", async () => {
    expect((await send()).text).toContain(`value="${blue}:M"`);
    await changed(blue, { priceCents: 5999 });
    expect(await press(`${blue}:M`)).toMatchObject({ status: 400, text: expect.stringContaining(notThatColor) });
  });

  test("its own price has, too, and both agree again", async () => {
    await changed(blue, { priceCents: 5999 });
    await changed(green, { priceCents: 5999 });
    expect(await press(`${blue}:M`)).toMatchObject({ status: 303 });
  });
});

describe("stock", () => {
  test("is reserved and sold of the colour that is sent, and put back of the one that came", async () => {
    const number = await askedForBlue();
    expect(await approveReturn(db(), number, { by })).toMatchObject({
      ok: true,
      what: expect.stringContaining("the other colour is reserved"),
    });
    expect([await stock(green), await stock(blue)]).toEqual(["L 1, M 4", "L 2, M 1 (1)"]);
    await receiveReturn(db(), number, { by });
    expect(await sendExchange(db(), number, { by, restock: true })).toMatchObject({ ok: true });
    expect([await stock(green), await stock(blue)]).toEqual(["L 1, M 5", "L 2, M 0"]);
    const told = async (id: string) =>
      (await stockHistory(db(), { id, size: "M" })).rows.map(({ kind, change, held }) => `${kind} ${change} ${held}`);
    expect((await told(green))[0]).toBe("exchange-returned 1 0");
    expect(await told(blue)).toEqual(["exchange-sent -1 -1", "exchange-held 0 1", "start 1 0"]);
    const { rows } = await stockHistory(db(), { id: blue, size: "M" });
    expect(rows[0]).toMatchObject({ return: number, order: expect.stringMatching(/^IR-/) });
    const audit = db().selectFrom("auditLog").select("after").where("action", "=", "returns exchange");
    const { after } = await audit.where("subjectId", "=", number).executeTakeFirstOrThrow();
    expect(after).toMatchObject({ sent: [{ productId: blue, size: "M", quantity: 1 }] });
    const { orderNumber = "" } =
      (await db()
        .selectFrom("orders")
        .innerJoin("sales", "sales.orderId", "orders.id")
        .select("orders.number as orderNumber")
        .where("sales.reference", "=", sale.reference)
        .executeTakeFirst()) ?? {};
    expect((await orderHistory(db(), orderNumber)).map(({ text }) => text).join()).toContain("for Blue, M");
  });

  test.each<[string, (number: string) => Promise<unknown>]>([
    ["declined", (number) => declineReturn(db(), number, { by, message: "It was worn" })],
    ["withdrawn", (number) => withdrawReturn(db(), sale.user.id, number)],
    ["refunded instead", (number) => refundReturn(db(), number, { by, waive: true })],
  ])("is released of the colour that was to be sent: %s", async (_, ends) => {
    const number = await askedForBlue();
    await approveReturn(db(), number, { by });
    await ends(number);
    expect([await stock(green), await stock(blue)]).toEqual(["L 1, M 4", "L 2, M 1"]);
  });

  test("has one last piece for two shoppers: one gets it, the other's return stays to be answered", async () => {
    const other = await delivered(checkout);
    await changed(other.productId, { title });
    const numbers = [await askedForBlue(), await askedForBlue("M", other)];
    const done = await Promise.all(numbers.map((number) => approveReturn(db(), number, { by })));
    expect(done.filter(({ ok }) => ok)).toHaveLength(1);
    expect(done).toContainEqual({ ok: false, problem: expect.stringContaining("Of Blue, M only 0 can be had") });
    expect((await Promise.all(numbers.map(stateOf))).toSorted()).toEqual(["approved", "asked"]);
    expect(await stock(blue)).toBe("L 2, M 1 (1)");
  });

  test("belongs to a product that cannot be deleted meanwhile", async () => {
    await askedForBlue();
    expect(await deleteProduct(db(), OWNER, blue)).toMatchObject({ ok: false });
  });
});

test("an exchanged piece keeps what was paid for it: its refund is that sum, whatever the colours cost by then", async () => {
  const number = await askedForBlue();
  await approveReturn(db(), number, { by });
  await receiveReturn(db(), number, { by });
  await sendExchange(db(), number, { by, restock: true });
  await changed(blue, { priceCents: 9999 });
  expect((await send()).text).toContain(messages.returns.closed["nothing-left"]);
  const pieces = [{ productId: green, size: "M", quantity: 1 }];
  expect(await refundWished(db(), sale.reference, { pieces, restock: true })).toMatchObject({
    ok: false,
    problem: expect.stringContaining("stock add"),
  });
  expect(await refundWished(db(), sale.reference, { pieces })).toMatchObject({ ok: true });
  const [refund] = await refundsOf(sale.reference);
  const paid = db().selectFrom("payments").select("kobo").where("reference", "=", sale.reference);
  const { kobo } = await paid.executeTakeFirstOrThrow();
  const order = db().selectFrom("orders").select(["subtotalCents", "totalCents"]).where("userId", "=", sale.user.id);
  const { subtotalCents, totalCents } = await order.executeTakeFirstOrThrow();
  expect(Number(refund?.kobo) / Number(kobo)).toBeCloseTo(subtotalCents / totalCents, 4);
});

test("a piece bought as final sale is exchanged for no colour either", async () => {
  const order = await db()
    .selectFrom("orders")
    .select(["id", "lines"])
    .where("userId", "=", sale.user.id)
    .executeTakeFirstOrThrow();
  const lines = JSON.stringify(order.lines.map((line) => ({ ...line, finalSale: true })));
  await db().updateTable("orders").set({ lines }).where("id", "=", order.id).execute();
  expect(await press(`${blue}:M`)).toMatchObject({
    status: 400,
    text: expect.stringContaining(messages.returns.faults["final-sale"]),
  });
});

describe("staff", () => {
  test("see and choose the colour in the office", async () => {
    const { cookies } = await staffWithPasskey(db(), "owner");
    const number = await asked(db(), sale, { newSize: "L" });
    const path = `/returns/${number}`;
    expect((await office(path, cookies)).text).toContain("Blue, M (1 can be had)");
    const choose = (choice: string) =>
      office(path, cookies, { intent: "approve", wish: "exchange", message: "", "newSizes[]": `${green}:M:${choice}` });
    const dear = await inColor("Red", { M: 5 }, { priceCents: 5999 });
    const refused = await choose(`${dear}:M`);
    expect([refused.status, refused.text.includes("same normal price")]).toEqual([422, true]);
    expect(await stateOf(number)).toBe("asked");
    expect((await choose(`${blue}:M`)).status).toBe(200);
    expect([await stock(green), await stock(blue)]).toEqual(["L 1, M 4", "L 2, M 1 (1)"]);
    await receiveReturn(db(), number, { by });
    const { text } = await office(path, cookies);
    for (const said of ["for Blue, M", "Send the other colour", "held, in place of Green, M"])
      expect(text).toContain(said);
    expect((await office("/returns?view=all", cookies)).text).toContain("Another colour: Blue, M");
  });

  test("choose it by a command, and a size of the same product again", async () => {
    const number = await askedForBlue("M");
    const say = (choice: string) => command(db(), ["returns", "approve", number, "--size", `${green}:M:${choice}`]);
    expect(await say("no-such-product:M")).toMatchObject({ code: 2 });
    expect(await say("M")).toMatchObject({ code: 2 });
    expect(await say("L")).toMatchObject({ code: 0 });
    expect([await stock(green), await stock(blue)]).toEqual(["L 1 (1), M 4", "L 2, M 1"]);
    expect((await returnsIn())[0]?.pieces).toEqual([{ productId: green, size: "M", quantity: 1, newSize: "L" }]);
    const other = await delivered(checkout);
    await changed(other.productId, { title });
    const second = await asked(db(), other);
    const size = `${other.productId}:M:${blue}:L`;
    expect(await command(db(), ["returns", "approve", second, "--size", size])).toMatchObject({ code: 0 });
    expect((await returnsIn(other))[0]?.pieces).toMatchObject([{ newProductId: blue, newSize: "L", newColor: "Blue" }]);
  });

  test("can send what was asked for, even if its price has changed since", async () => {
    const number = await askedForBlue();
    await changed(blue, { priceCents: 5999, hidden: true });
    const { cookies } = await staffWithPasskey(db(), "owner");
    const { raw } = await office(`/returns/${number}`, cookies);
    expect(raw).toContain(`<option value="${green}:M:${blue}:M" selected="">Blue, M</option>`);
    const newSizes = [{ productId: green, size: "M", newProductId: blue, newSize: "M" }];
    expect(await approveReturn(db(), number, { by, newSizes })).toMatchObject({ ok: true });
    expect((await returnsIn())[0]?.pieces).toMatchObject([{ newProductId: blue, newColor: "Blue" }]);
  });
});

test("the version before can neither reserve nor release a colour, of which it would take the wrong product", async () => {
  const number = await askedForBlue();
  const moved = (state: "approved" | "declined" | "done") =>
    db().updateTable("returns").set({ state }).where("number", "=", number).execute();
  await expect(moved("approved")).rejects.toThrow(/this version does not know/);
  await approveReturn(db(), number, { by });
  for (const state of ["declined", "done"] as const)
    await expect(moved(state)).rejects.toThrow(/this version does not know/);
  const money = db().updateTable("returns").set({ wish: "money" }).where("number", "=", number);
  await expect(money.execute()).rejects.toThrow(/this version does not know/);
  expect([await stateOf(number), await stock(blue)]).toEqual(["approved", "L 2, M 1 (1)"]);
});

test("for a shopper with another's order there is no such form", async () => {
  const stranger = await makeShopper(db());
  expect(await press(`${blue}:M`, { ...sale, user: stranger })).toMatchObject({ status: 404 });
});

test("once a trial ends, what it sent in exchange is in stock again", async () => {
  const number = await askedForBlue();
  await approveReturn(db(), number, { by });
  await receiveReturn(db(), number, { by });
  await sendExchange(db(), number, { by, restock: true });
  const held = await delivered(checkout);
  await changed(held.productId, { title });
  await approveReturn(db(), await askedForBlue("L", held), { by });
  expect([await stock(green), await stock(blue)]).toEqual(["L 1, M 5", "L 2 (1), M 0"]);
  await endTrial(db(), OWNER);
  expect([await stock(green), await stock(blue)]).toEqual(["L 1, M 5", "L 2, M 1"]);
});

vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeEach, describe, expect, test, vi } from "vitest";
import * as messages from "#app/messages.ts";
import { renderers } from "#app/orders/emails.tsx";
import { changeOwnSize } from "#app/orders/size-change/own.server.ts";
import { markPacked } from "#app/owner/orders/fulfilment.server.ts";
import { orderHistory } from "#app/owner/orders/history.server.ts";
import { refundReturn } from "#app/owner/returns/refund.server.ts";
import { approveReturn, receiveReturn } from "#app/owner/returns/returns.server.ts";
import { cancelOwnOrder } from "#app/payments/refunds/own-cancel.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { arrived, OFFICE } from "#tests/support/returns.ts";
import { cookieOf } from "#tests/support/session.ts";
import { makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { type Sent, shopPages } from "#tests/support/shop-pages.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

// After each test, `useCheckout` checks that stock, money and orders agree.

const { db, provider, open, url, mailsAbout, refundsOf } = useCheckout({ max: 30 });
const { shop } = useApps(url, { keepsPages: false });
const office = useOfficePages();

let productId: string;
let user: Shopper;
let reference: string;
let number: string;
let cookie: string;

/** A shopper, signed in, who has paid for three M of a jersey, of which there are 5 M, 2 L and 1 XL. */
beforeEach(async () => {
  productId = await makeProduct(db(), { M: 5, L: 2, XL: 1 });
  ({ user, reference, number } = await sold(3));
  cookie = await cookieOf(user);
});

async function sold(quantity = 1) {
  const user = await makeShopper(db(), { productId, size: "M", quantity });
  const { reference, orderId } = await open(user);
  provider.pay(reference);
  await settlePayment(reference);
  const { number } = await db()
    .selectFrom("orders")
    .select("number")
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow();
  return { user, reference, number };
}

const send = shopPages(shop, () => cookie);

const page = () => `/order/${reference}/size`;
const changed = () => `/order/${reference}?size=changed`;
const choice = (from: string, to: string) => `${productId}:${from}:${to}`;
const versionIn = (text: string) => /name="version" value="([^"]+)"/.exec(text)?.[1] ?? "";

/** Opens the form and sends it. */
async function press(from: string, to: string, quantity = "1", more: Sent = {}) {
  const version = versionIn((await send(page())).text);
  return send(page(), { form: { change: choice(from, to), quantity, version }, ...more });
}

/** The text of the order's packing slip. */
async function slipText() {
  const { cookies } = await staffWithPasskey(db(), "packer");
  const { text } = await office(`/orders/slips?numbers=${number}`, cookies);
  return text;
}

/** How many of each size are in stock. */
async function stock() {
  const sizes = db().selectFrom("productSizes").select(["size", "onHand"]).where("productId", "=", productId);
  const rows = await sizes.orderBy("size").execute();
  return Object.fromEntries(rows.map(({ size, onHand }) => [size, onHand]));
}

/** The pieces of the order by size: "M 2, L 1". */
async function pieces() {
  const { lines } = await db()
    .selectFrom("orders")
    .select("lines")
    .where("number", "=", number)
    .executeTakeFirstOrThrow();
  return lines.map(({ size, quantity }) => `${size} ${quantity}`).join(", ");
}

test("the order's page leads to it only until it is packed, and only where another size is in stock", async () => {
  const link = `href="${page()}"`;
  expect((await send(`/order/${reference}`)).text).toContain(link);
  await db()
    .updateTable("productSizes")
    .set({ supplied: 0 })
    .where("productId", "=", productId)
    .where("sold", "=", 0)
    .execute();
  expect((await send(`/order/${reference}`)).text).not.toContain(link);
  expect((await send(page())).text).toContain(messages.sizing.none);
  await db().updateTable("productSizes").set({ supplied: 9 }).where("productId", "=", productId).execute();
  await markPacked(db(), reference);
  expect((await send(`/order/${reference}`)).text).not.toContain(link);
  expect((await send(page())).text).toContain(messages.sizing["too-late"]);
});

test("a press changes it without script: order, slip and stock have the new size, and the sale stays", async () => {
  expect(await press("M", "L", "2")).toMatchObject({ status: 303, to: changed() });
  expect((await send(changed())).text).toContain(messages.sizing.done);
  expect([await pieces(), await stock()]).toEqual(["M 1, L 2", { L: 0, M: 4, XL: 1 }]);
  const slip = await slipText();
  for (const row of ["Green M 1", "Green L 2"]) expect(slip).toContain(row);
  const lines = db().selectFrom("saleLines").innerJoin("sales", "sales.id", "saleId");
  const sale = await lines.select(["size", "quantity"]).where("reference", "=", reference).execute();
  expect(sale).toEqual([{ size: "M", quantity: 3 }]);
  expect(await mailsAbout(reference)).toEqual(["order-confirmation"]);
  const told = (await orderHistory(db(), number)).find(({ title }) => title === "Size changed from M to L");
  expect(told).toMatchObject({ by: "the shopper", text: "2 × Home Jersey, Green" });
});

test("it changes again and back, and is then as it was", async () => {
  await press("M", "L");
  await press("L", "XL");
  expect([await pieces(), await stock()]).toEqual(["M 2, XL 1", { L: 2, M: 3, XL: 0 }]);
  await press("XL", "M");
  expect([await pieces(), await stock()]).toEqual(["M 3", { L: 2, M: 2, XL: 1 }]);
});

test("twenty presses of one form at once are one change", async () => {
  const form = { change: choice("M", "L"), quantity: "1", version: versionIn((await send(page())).text) };
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(page(), { form })));
  for (const answer of answers) expect(answer).toMatchObject({ status: 303, to: changed() });
  expect([await pieces(), await stock()]).toEqual(["M 2, L 1", { L: 1, M: 3, XL: 1 }]);
});

test("of two tabs with different changes, the second is asked once more, keeps its choice, and is then done", async () => {
  const form = { change: choice("M", "XL"), quantity: "1", version: versionIn((await send(page())).text) };
  await press("M", "L");
  const { status, text } = await send(page(), { form });
  expect([status, await pieces()]).toEqual([400, "M 2, L 1"]);
  expect(text).toContain(messages.sizing.stale);
  expect(text).toContain(`<option value="${choice("M", "XL")}" selected=""`);
  expect(await send(page(), { form: { ...form, version: versionIn(text) } })).toMatchObject({ status: 303 });
  expect(await pieces()).toBe("M 1, L 1, XL 1");
});

test("two shoppers ask for the last piece at once: one gets it, and the other is told beside the field", async () => {
  const other = await sold();
  const change = { productId, size: "M", quantity: 1, newSize: "XL" };
  const done = await Promise.all(
    [{ user, reference }, other].map((one) => changeOwnSize(db(), one.user.id, one.reference, change)),
  );
  expect(done.filter(({ ok }) => ok)).toHaveLength(1);
  expect(done).toContainEqual({ ok: false, why: "not-there" });
  expect(await stock()).toMatchObject({ XL: 0, M: 2 });
});

describe("it is refused beside its field, and nothing is lost", () => {
  test.each([
    ["more than the order has", "M", "L", "4", "quantity", messages.sizing["too-many"]],
    ["no number", "M", "L", "many", "quantity", messages.sizing["too-many"]],
    ["more than are in stock", "M", "XL", "2", "change", messages.sizing["not-there"]],
    ["a size that the product does not have", "M", "S", "1", "change", messages.sizing["not-there"]],
    ["the same size", "M", "M", "1", "change", messages.sizing["not-there"]],
  ])("%s", async (_, from, to, quantity, field, error) => {
    const { status, text } = await press(from, to, quantity);
    expect(status).toBe(400);
    expect(/<(?:select|input)\b[^>]*aria-invalid="true"[^>]*>/.exec(text)?.[0]).toContain(`name="${field}"`);
    expect(text).toContain(error);
    expect(text).toContain(`value="${quantity}"`);
    expect([await pieces(), await stock()]).toEqual(["M 3", { L: 2, M: 2, XL: 1 }]);
  });

  test("nothing chosen", async () => {
    const { status, text } = await send(page(), { form: { change: "" } });
    expect([status, text.includes(messages.sizing.choose)]).toEqual([400, true]);
  });

  test("without the number of changes that it was shown with", async () => {
    const { status, text } = await send(page(), { form: { change: choice("M", "L"), quantity: "1" } });
    expect([status, text.includes(messages.sizing.stale), await pieces()]).toEqual([400, true, "M 3"]);
  });

  test("packed meanwhile", async () => {
    const form = { change: choice("M", "L"), version: versionIn((await send(page())).text) };
    await markPacked(db(), reference);
    const { status, text } = await send(page(), { form });
    expect([status, await pieces()]).toEqual([400, "M 3"]);
    expect(text).toContain(messages.sizing["too-late"]);
    expect(text).not.toContain("Save size");
  });

  test("by another shopper, for whom there is no such page", async () => {
    const as = await cookieOf(await makeShopper(db()));
    expect([(await send(page(), { as })).status, (await press("M", "L", "1", { as })).status]).toEqual([404, 404]);
    expect(await pieces()).toBe("M 3");
  });
});

describe("what goes back is what was sent", () => {
  const piece = (size: string, quantity = 1) => ({ productId, size, quantity });

  test("a refunded piece cannot change, and a changed one is refunded once, in its new size", async () => {
    await refundWished(db(), reference, { pieces: [piece("M")] });
    expect(await press("M", "L", "3")).toMatchObject({ status: 400 });
    expect(await press("M", "L", "2")).toMatchObject({ status: 303 });
    expect(await refundWished(db(), reference, { pieces: [piece("M")] })).toMatchObject({ ok: false });
    const back = { pieces: [piece("L", 2)], restock: true };
    expect(await refundWished(db(), reference, back)).toMatchObject({ ok: true });
    expect(await refundWished(db(), reference, back)).toMatchObject({ ok: false });
    expect(await stock()).toEqual({ L: 2, M: 4, XL: 1 });
    const [first, second] = await refundsOf(reference);
    expect(Math.abs(Number(second?.kobo) - 2 * Number(first?.kobo))).toBeLessThanOrEqual(2);
  });

  test("a piece that a void refund has put back into stock cannot change: it would be in stock twice", async () => {
    await refundWished(db(), reference, { pieces: [piece("M", 3)], restock: true });
    await db().updateTable("refunds").set({ state: "void" }).where("reference", "=", reference).execute();
    const before = await stock();
    const form = { change: choice("M", "L"), quantity: "1", version: "0" };
    expect((await send(page(), { form })).status).toBe(400);
    expect(await stock()).toEqual(before);
    await db().updateTable("refunds").set({ state: "open" }).where("reference", "=", reference).execute();
  });

  test("the database itself refuses to change a refunded piece", async () => {
    await refundWished(db(), reference, { pieces: [piece("M", 2)] });
    const sale = db().selectFrom("sales").select("id").where("reference", "=", reference);
    const { id: saleId } = await sale.executeTakeFirstOrThrow();
    const row = { saleId, number: 1, productId, fromSize: "M", toSize: "L", byShopper: true };
    for (const quantity of [2, 4])
      await expect(
        db()
          .insertInto("sizeChanges")
          .values({ ...row, quantity })
          .execute(),
      ).rejects.toThrow(/more pieces/);
  });

  test("cancelled, every piece is in stock again in its size", async () => {
    await press("M", "L", "2");
    expect(await cancelOwnOrder(db(), user.id, reference)).toEqual({ ok: true });
    expect(await stock()).toEqual({ L: 2, M: 5, XL: 1 });
  });

  test("a return names the size that was sent, offers the others in exchange, and puts it into stock", async () => {
    await press("M", "L", "1");
    await markPacked(db(), reference);
    await arrived(db(), reference);
    const { text } = await send(`/order/${reference}/return`);
    expect(text).toContain(`name="instead:${productId}:L" value="XL"`);
    const form = { [`quantity:${productId}:L`]: "1", [`instead:${productId}:L`]: "money", reason: "size", words: "" };
    expect(await send(`/order/${reference}/return`, { form })).toMatchObject({ status: 303 });
    const asked = await db().selectFrom("returns").select("number").where("reference", "=", reference).execute();
    const back = asked[0]?.number ?? "";
    await approveReturn(db(), back, { by: OFFICE });
    await receiveReturn(db(), back, { by: OFFICE });
    expect(await refundReturn(db(), back, { by: OFFICE, restock: true })).toMatchObject({ ok: true });
    expect(await stock()).toEqual({ L: 2, M: 3, XL: 1 });
  });
});

describe("staff", () => {
  test("who pack change it in the office, and the shopper is emailed what is sent", async () => {
    const { cookies } = await staffWithPasskey(db(), "packer");
    const path = `/orders/${number}?do=size`;
    expect((await office(path, cookies)).text).toContain("Home Jersey: M to L");
    const form = { intent: "size", change: choice("M", "L"), quantity: "9", changes: "0" };
    const refused = await office(path, cookies, form);
    expect([refused.status, refused.text.includes("doesn’t have that many")]).toEqual([422, true]);
    for (let press = 0; press < 2; press++)
      expect((await office(path, cookies, { ...form, quantity: "1" })).status).toBe(200);
    expect([await pieces(), await stock()]).toEqual(["M 2, L 1", { L: 1, M: 3, XL: 1 }]);
    expect(await mailsAbout(reference)).toEqual(["order-confirmation", "order-size"]);
    const mail = db().selectFrom("outbox").select("data").where("kind", "=", "order-size");
    const { data } = await mail.orderBy("createdAt", "desc").executeTakeFirstOrThrow();
    expect((await renderers["order-size"]?.(data))?.text).toMatch(/1 × Home Jersey\s+Green, L/i);
    await markPacked(db(), reference);
    expect((await office(path, cookies)).text).not.toContain("M to L");
    expect((await office(path, cookies, { ...form, quantity: "1", changes: "1" })).text).toContain("packed already");
  });

  test("change it by a command", async () => {
    const say = (...words: string[]) => command(db(), ["orders", "change-size", number, ...words]);
    expect(await say(`${productId}:M:2`, "l")).toMatchObject({ code: 0 });
    expect(await pieces()).toBe("M 1, L 2");
    expect(await say(`${productId}:L:1`, "XL")).toMatchObject({ code: 0 });
    expect(await say(`${productId}:XL:1`, "L")).toMatchObject({ code: 0 });
    expect(await say(`${productId}:M:2`, "XL")).toMatchObject({ code: 2 });
    expect(await say(`${productId}:M`, "XL")).toMatchObject({ code: 2 });
    expect(await mailsAbout(reference)).toEqual(["order-confirmation", ...Array(3).fill("order-size")]);
  });

  test("change it once by a command that is said twice, and once more with --another", async () => {
    const say = (...options: string[]) =>
      command(db(), ["orders", "change-size", number, `${productId}:M:1`, "L", ...options]);
    const first = await say();
    expect(await say()).toEqual(first);
    expect(await pieces()).toBe("M 2, L 1");
    expect(await mailsAbout(reference)).toEqual(["order-confirmation", "order-size"]);
    expect(await say("--another")).toMatchObject({ code: 0 });
    expect(await pieces()).toBe("M 1, L 2");
  });
});

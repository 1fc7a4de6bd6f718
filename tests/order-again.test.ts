vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeEach, describe, expect, test, vi } from "vitest";
import { MOST_LINES } from "#app/cart/cart.ts";
import * as messages from "#app/messages.ts";
import { refundReturn } from "#app/owner/returns/refund.server.ts";
import { approveReturn, receiveReturn, sendExchange } from "#app/owner/returns/returns.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { arrived, asked, OFFICE } from "#tests/support/returns.ts";
import { cookieOf } from "#tests/support/session.ts";
import { makeProduct, makeShopper, putInCart, type Shopper, setStock } from "#tests/support/shop.ts";
import { type Sent, shopPages } from "#tests/support/shop-pages.ts";

const { db, provider, open, url, cartOf } = useCheckout();
const { shop } = useApps(url, { keepsPages: false });

let productId: string;
let other: string;
let user: Shopper;
let reference: string;
let number: string;
let cookie: string;

/** A shopper, signed in, who has paid for two jerseys of one product and one of another. */
beforeEach(async () => {
  [productId, other] = await Promise.all([makeProduct(db(), { M: 20, L: 20 }), makeProduct(db(), { M: 20 })]);
  user = await makeShopper(db(), { productId, size: "M", quantity: 2 }, { productId: other, size: "M" });
  ({ reference } = await open(user));
  provider.pay(reference);
  await settlePayment(reference);
  const order = db().selectFrom("orders").select("number").where("userId", "=", user.id);
  ({ number } = await order.executeTakeFirstOrThrow());
  cookie = await cookieOf(user);
});

const send = shopPages(shop, () => cookie);

const press = (more: Sent = {}) => send(`/order/${reference}`, { form: { intent: "again" }, ...more });

/** Presses the button, and follows to the cart. Returns the texts of its notice. */
async function cartAfterPress(): Promise<string[]> {
  const { status, to } = await press();
  expect([status, to.split("&")[0]]).toEqual([303, `/Cart?again=${reference}`]);
  return noticeOf((await send(to)).text);
}

function noticeOf(html: string): string[] {
  const [, notice = ""] = /<div role="status" class="border-l-4 border-palm[^>]*>(.*?)<\/div>/s.exec(html) ?? [];
  const texts = notice.split(/<\/?(?:p|ul|li)\b[^>]*>/).map((part) => part.replace(/<[^>]*>/g, ""));
  return texts.map((text) => text.replace(/\s+/g, " ").trim()).filter(Boolean);
}

const PIECE = "Home Jersey, Green, M";
const all = () => [messages.again.all(number)];
const differs = (...texts: string[]) => [messages.again.differs(number), ...texts];
const inCart = async () => (await cartOf(user)).map((line) => [line.productId, line.size, line.quantity]).toSorted();

test("one press puts an order into the cart, from its page and from the account's list", async () => {
  for (const path of [`/order/${reference}`, "/account"]) {
    const { text } = await send(path);
    const [, form] = new RegExp(`<form action="/order/${reference}" method="post">(.*?)</form>`, "s").exec(text) ?? [];
    expect(form).toContain('name="intent" value="again"');
    expect(form).toContain("Buy again");
  }
  expect(await cartAfterPress()).toEqual(all());
  expect(await inCart()).toEqual(
    [
      [productId, "M", 2],
      [other, "M", 1],
    ].toSorted(),
  );
});

test("what is in the cart already stays, and a press that is repeated at once adds nothing", async () => {
  await putInCart(db(), user.id, productId, "L");
  await press();
  await press(); // the browser has not taken the first answer's cookie
  const lines = [
    [productId, "L", 1],
    [productId, "M", 2],
    [other, "M", 1],
  ];
  expect(await inCart()).toEqual(lines.toSorted());
});

describe("the cart says what is different, line by line:", () => {
  test("what is no longer sold", async () => {
    await db().updateTable("products").set({ hidden: true }).where("id", "=", other).execute();
    expect(await cartAfterPress()).toEqual(differs(`${PIECE}: ${messages.again.gone}`));
    expect(await inCart()).toEqual([[productId, "M", 2]]);
  });

  test("what is sold out", async () => {
    await setStock(db(), other, "M", 0);
    expect(await cartAfterPress()).toEqual(differs(`${PIECE}: ${messages.again.out}`));
    expect(await inCart()).toEqual([[productId, "M", 2]]);
  });

  test("what is there in part", async () => {
    await setStock(db(), productId, "M", 1);
    expect(await cartAfterPress()).toEqual(differs(`${PIECE}: Only 1 left.`));
    expect(await inCart()).toEqual(
      [
        [productId, "M", 1],
        [other, "M", 1],
      ].toSorted(),
    );
  });

  test("what is dearer, with both prices in both currencies", async () => {
    await db().updateTable("products").set({ priceCents: 5999 }).where("id", "=", other).execute();
    const [title, dearer, ...more] = await cartAfterPress();
    expect([title, more]).toEqual([messages.again.differs(number), []]);
    expect(dearer).toMatch(/^Home Jersey, Green, M: Costs more now: \$59\.99 .*₦95,984.*, you paid \$49\.99 .*₦79,984/);
  });

  test("what no longer fits into a cart of 200 lines", async () => {
    const most = Array.from({ length: MOST_LINES - 1 }, () => makeProduct(db(), { M: 1 }));
    for (const id of await Promise.all(most)) await putInCart(db(), user.id, id, "M");
    expect(await cartAfterPress()).toEqual(differs(`${PIECE}: ${messages.again.full}`));
    expect(await inCart()).toHaveLength(MOST_LINES);
  });

  test("everything, and the cart is empty", async () => {
    await db().updateTable("products").set({ hidden: true }).where("id", "in", [productId, other]).execute();
    const gone = `${PIECE}: ${messages.again.gone}`;
    expect(await cartAfterPress()).toEqual(differs(gone, gone));
    expect(await inCart()).toEqual([]);
  });
});

test("a press on the greeting's cross still dismisses it, and puts nothing into the cart", async () => {
  expect(await send(`/order/${reference}`, { form: {} })).toMatchObject({ status: 303, to: `/order/${reference}` });
  expect(await inCart()).toEqual([]);
});

test("of an order that is not paid there is nothing to buy again", async () => {
  await putInCart(db(), user.id, productId, "M");
  const { reference: unpaid } = await open(user);
  expect((await send(`/order/${unpaid}`, { form: { intent: "again" } })).status).toBe(404);
  expect((await send(`/order/${unpaid}`)).text).not.toContain("Buy again");
});

describe("pieces that came back are ordered in another size:", () => {
  const TITLE = "Order it in another size";
  const L = "Home Jersey, Green, L";
  const choice = (size: string) => `${productId}:M:${size}`;
  const pressSize = (change = choice("L")) => press({ form: { intent: "again", change } });

  /** The order's shopper sends pieces back, and the shop has received them. Returns the return's number. */
  async function received(asking: Parameters<typeof asked>[2]) {
    await arrived(db(), reference);
    const back = await asked(db(), { productId, user, reference }, asking);
    await approveReturn(db(), back, { by: OFFICE });
    await receiveReturn(db(), back, { by: OFFICE });
    return back;
  }

  async function refunded(quantity = 1) {
    const back = await received({ quantity });
    expect(await refundReturn(db(), back, { by: OFFICE, restock: true })).toMatchObject({ ok: true });
  }

  /** Presses, and follows to the cart. Returns the texts of its notice. */
  const noticeAfterPress = async () => noticeOf((await send((await pressSize()).to)).text);

  test("the pages of order and return offer it from the moment the pieces are here, and of these alone", async () => {
    const pages = [`/order/${reference}`, `/order/${reference}/return`];
    for (const page of pages) expect((await send(page)).text).not.toMatch(new RegExp(`${TITLE}|otherSizes`));
    await received({ quantity: 1 });
    for (const page of pages) {
      const { text } = await send(page);
      expect(text).toContain(TITLE);
      expect(text).toContain(`<option value="${choice("L")}">Home Jersey: M to L</option>`);
      expect(text).not.toContain(`value="${other}:M`);
    }
  });

  test("a link to a return moves the focus to its card", async () => {
    const back = await received({ quantity: 1 });
    expect((await send(`/order/${reference}/return`)).text).toMatch(
      new RegExp(`<section id="${back}" tabindex="-1"`, "i"),
    );
  });

  test("an exchange offers none, as the other size is sent", async () => {
    const back = await received({ newSize: "L" });
    expect(await sendExchange(db(), back, { by: OFFICE, restock: true })).toMatchObject({ ok: true });
    expect((await send(`/order/${reference}`)).text).not.toContain(TITLE);
    expect((await pressSize()).status).toBe(400);
  });

  test("a press puts as many as came back into the cart, once", async () => {
    await refunded(2);
    expect(await noticeAfterPress()).toEqual([messages.again.inSize(L)]);
    await pressSize(); // the browser has not taken the first answer's cookie
    expect(await inCart()).toEqual([[productId, "L", 2]]);
  });

  test("the cart says what is dearer, and what is there in part", async () => {
    await refunded(2);
    await setStock(db(), productId, "L", 1);
    await db().updateTable("products").set({ priceCents: 5999 }).where("id", "=", productId).execute();
    expect(await noticeAfterPress()).toEqual(
      differs(`${L}: Only 1 left.`, expect.stringMatching(/^Home Jersey, Green, L: Costs more now: \$59\.99 /)),
    );
    expect(await inCart()).toEqual([[productId, "L", 1]]);
  });

  test("what is sold out or no longer sold is said on the page, and in the cart if it was there before", async () => {
    await refunded();
    await setStock(db(), productId, "L", 0);
    expect((await send(`/order/${reference}`)).text).toContain(`${PIECE}: ${messages.again.noOther}`);
    expect(await noticeAfterPress()).toEqual(differs(`${L}: ${messages.again.out}`));
    await db().updateTable("products").set({ hidden: true }).where("id", "=", productId).execute();
    expect((await send(`/order/${reference}`)).text).toContain(`${PIECE}: ${messages.again.gone}`);
    expect(await noticeAfterPress()).toEqual(differs(`${L}: ${messages.again.gone}`));
    expect(await inCart()).toEqual([]);
  });

  test("no size, the same one, and what has not come back are refused beside the field", async () => {
    await refunded();
    for (const change of ["", choice("M"), `${other}:M:L`, "x"]) {
      const { status, text } = await pressSize(change);
      expect([status, text.includes(messages.sizing.choose)]).toEqual([400, true]);
    }
    expect(await inCart()).toEqual([]);
    expect((await send(`/Cart?again=${reference}&change=${other}:M:L`)).text).not.toContain(number);
  });
});

describe("nothing is added", () => {
  test("for another shopper, who learns nothing of the order", async () => {
    const stranger = await makeShopper(db());
    const as = await cookieOf(stranger);
    expect((await press({ as })).status).toBe(404);
    expect(await cartOf(stranger)).toEqual([]);
    expect((await send(`/Cart?again=${reference}&gone=0`, { as })).text).not.toContain(number);
  });

  test("for anybody who is not signed in", async () => {
    expect(await press({ as: "" })).toMatchObject({ status: 303, to: "/login?next=/account" });
  });

  test("by a form of another site", async () => {
    expect((await press({ headers: { origin: "https://evil.example" } })).status).toBe(403);
    expect(await inCart()).toEqual([]);
  });

  test("after more orders within an hour than a person buys again", async () => {
    let { status } = await press();
    for (let more = 0; more < 40 && status === 303; more++) ({ status } = await press());
    expect(status).toBe(429);
  });
});

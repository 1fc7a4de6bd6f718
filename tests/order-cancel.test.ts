vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as messages from "#app/messages.ts";
import { SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { markPacked } from "#app/owner/orders/fulfilment.server.ts";
import { MOST_OWN } from "#app/payments/refunds/own-cancel.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { cookieOf } from "#tests/support/session.ts";
import { makeProduct, makeShopper, putInCart, type Shopper } from "#tests/support/shop.ts";
import { type Sent, shopPages } from "#tests/support/shop-pages.ts";

const { db, provider, open, url, statesOf, refundsOf, stockOf } = useCheckout({ max: 30 });
const { shop } = useApps(url, { keepsPages: false });

let productId: string;
let user: Shopper;
let reference: string;
let cookie: string;

/** A shopper, signed in, who has paid for two jerseys. */
beforeEach(async () => {
  productId = await makeProduct(db(), { M: 20 });
  user = await makeShopper(db(), { productId, size: "M", quantity: 2 });
  reference = await paid();
  cookie = await cookieOf(user);
});

async function paid(): Promise<string> {
  const opened = await open(user);
  provider.pay(opened.reference);
  await settlePayment(opened.reference);
  return opened.reference;
}

const send = shopPages(shop, () => cookie);

const page = (of = reference) => `/order/${of}/cancel`;
const press = (more: Sent = {}) => send(page(), { form: {}, ...more });

test("the order's page leads to a page that says what goes back, how much and by when, and asks", async () => {
  expect((await send(`/order/${reference}`)).text).toContain(`href="/order/${reference}/cancel"`);
  const { status, text } = await send(page());
  expect(status).toBe(200);
  for (const part of ["2 × Home Jersey, Green, M", "<li>Delivery</li>", "₦165,568", "within 7 business days"])
    expect(text).toContain(part);
  const [keeps, cancels] = ["Keep order", "Cancel order"].map((words) => text.lastIndexOf(words));
  expect(keeps).toBeGreaterThan(0);
  expect(cancels).toBeGreaterThan(keeps ?? 0); // never the first button
  expect(await refundsOf(reference)).toEqual([]);
});

test("a press cancels it without script: the order's page says who did it, and offers it no more", async () => {
  expect(await press()).toMatchObject({ status: 303, to: `/order/${reference}` });
  expect(await statesOf(user)).toEqual(["refunding"]);
  expect(await stockOf(productId)).toMatchObject({ onHand: 20 });
  const { text } = await send(`/order/${reference}`);
  expect(text).toContain("Your money goes back");
  expect(text).toContain("You cancelled this order. ₦165,568 is on its way back to you.");
  expect(text).not.toContain("Cancel order");
  expect((await send(page())).text).toContain(messages.cancelling["given-back"]);
});

test("twenty presses at once are one, and each leads to the order", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => press()));
  for (const answer of answers) expect(answer).toMatchObject({ status: 303, to: `/order/${reference}` });
  expect(await refundsOf(reference)).toHaveLength(1);
});

test("packed meanwhile, it says so and cancels nothing", async () => {
  await send(page());
  await markPacked(db(), reference);
  const { status, text } = await press();
  expect(status).toBe(400);
  expect(text).toContain(messages.cancelling["too-late"](SHIPPED_NUMBERS));
  expect(text).not.toContain("Keep order");
  expect(await refundsOf(reference)).toEqual([]);
  expect((await send(`/order/${reference}`)).text).not.toContain("Cancel order");
});

test("after three in thirty days the page asks to email the shop, and offers nothing", async () => {
  for (let cancelled = 0; cancelled < MOST_OWN; cancelled++) {
    await press();
    await putInCart(db(), user.id, productId, "M");
    reference = await paid();
  }
  const { text } = await send(page());
  expect(text).toContain(messages.cancelling["too-many"]);
  expect(text).not.toContain("Keep order");
  expect((await press()).status).toBe(400);
  expect(await refundsOf(reference)).toEqual([]);
});

describe("nothing is cancelled", () => {
  test("by another shopper, for whom there is no such page", async () => {
    const as = await cookieOf(await makeShopper(db()));
    expect([(await send(page(), { as })).status, (await press({ as })).status]).toEqual([404, 404]);
  });

  test("by anybody who is not signed in", async () => {
    const { status, text } = await send(page(), { as: "" });
    expect([status, text.includes("Please log in to see your order.")]).toEqual([200, true]);
    expect(await press({ as: "" })).toMatchObject({ status: 303, to: "/login?next=/account" });
  });

  test("by a form of another site", async () => {
    expect((await press({ headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
    expect((await press({ headers: { origin: "https://evil.example" } })).status).toBe(403);
  });

  test("by opening the page", async () => {
    await send(page());
    await send(`${page()}.data`);
  });

  afterEach(async () => {
    expect(await refundsOf(reference)).toEqual([]);
    expect(await statesOf(user)).toEqual(["sold"]);
  });
});

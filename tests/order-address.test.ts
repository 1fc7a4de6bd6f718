vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeEach, describe, expect, test, vi } from "vitest";
import * as messages from "#app/messages.ts";
import { markPacked } from "#app/owner/orders/fulfilment.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { cookieOf } from "#tests/support/session.ts";
import { lagosForm, makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { type Sent, shopPages } from "#tests/support/shop-pages.ts";

const { db, provider, open, url, mailsAbout, salesOf } = useCheckout({ max: 30 });
const { shop } = useApps(url, { keepsPages: false });

let user: Shopper;
let reference: string;
let cookie: string;

/** A shopper, signed in, who has paid for a jersey to Lagos, with a landmark. */
beforeEach(async () => {
  const productId = await makeProduct(db(), { M: 20 });
  user = await makeShopper(db(), { productId, size: "M" });
  ({ reference } = await open(user, { form: { ...lagosForm, landmark: "the old mosque" } }));
  provider.pay(reference);
  await settlePayment(reference);
  cookie = await cookieOf(user);
});

const send = shopPages(shop, () => cookie);

const page = () => `/order/${reference}/address`;
const saved = () => `/order/${reference}?address=saved`;

const NOT_ASKED = ["country", "deliveryType", "city", "postalCode", "pickupCenter"];

/** What the form for a home delivery in Nigeria sends. */
async function filledIn(typed: Record<string, string> = {}): Promise<Record<string, string>> {
  const form = Object.fromEntries(Object.entries(lagosForm).filter(([name]) => !NOT_ASKED.includes(name)));
  const version = /name="version" value="([^"]+)"/.exec((await send(page())).text)?.[1] ?? "";
  return { ...form, landmark: "the old mosque", version, ...typed };
}

const press = async (typed: Record<string, string>, more: Sent = {}) =>
  send(page(), { form: await filledIn(typed), ...more });

const addressNow = async () => (await salesOf(user))[0]?.shipping;

test("the order's page leads to a form with the order's address, without country and way of delivery", async () => {
  expect((await send(`/order/${reference}`)).text).toContain(`href="/order/${reference}/address"`);
  const { status, text } = await send(page());
  expect(status).toBe(200);
  for (const part of ['value="1 Broad Street"', 'value="the old mosque"', "You paid ₦5,600 for delivery"])
    expect(text).toContain(part);
  expect(text).toContain("The new address is also near the old mosque");
  expect(text).toContain(`href="/order/${reference}/cancel"`);
  for (const name of NOT_ASKED) expect(text).not.toContain(`name="${name}"`);
  expect(await mailsAbout(reference)).toEqual(["order-confirmation"]);
});

test("a press saves it without script: the order's page says so, and has the new address alone", async () => {
  expect(await press({ address: "7 Allen Avenue" })).toMatchObject({ status: 303, to: saved() });
  expect(await addressNow()).toMatchObject({ address: "7 Allen Avenue", landmark: "" });
  const { text } = await send(saved());
  expect(text).toContain(messages.addressing.done);
  expect(text).toContain("7 Allen Avenue");
  expect(text).not.toContain("the old mosque");
  expect(await mailsAbout(reference)).toEqual(["order-address", "order-confirmation"]);
  expect((await send(`/order/${reference}`)).text).not.toContain(messages.addressing.done);
});

test("twenty presses at once are one change and one mail, and each leads to the order", async () => {
  const form = await filledIn({ address: "7 Allen Avenue" });
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(page(), { form })));
  for (const answer of answers) expect(answer).toMatchObject({ status: 303, to: saved() });
  expect(await addressNow()).toMatchObject({ address: "7 Allen Avenue", landmark: "" });
  expect(await mailsAbout(reference)).toEqual(["order-address", "order-confirmation"]);
});

test("errors stand beside their fields, and nothing that was typed is lost", async () => {
  const typed = { address: "", phoneNumber: "123", lastName: "Adeleke", landmarkStays: "on" };
  const { status, text } = await press(typed);
  expect(status).toBe(400);
  for (const part of ['id="address-error"', 'id="phoneNumber-error"', 'value="123"', 'value="Adeleke"'])
    expect(text).toContain(part);
  expect(text).toMatch(/<input[^>]* name="landmarkStays"[^>]* checked=""/);
  expect(text).toContain(messages.form.lookAtMarked);
  expect(await addressNow()).toMatchObject({ address: lagosForm.address, lastName: lagosForm.lastName });
});

test("a dearer state is refused beside its field, with the way to cancel, and stays chosen", async () => {
  const { status, text } = await press({ state: "Ogun", localGovernment: "", address: "7 Allen Avenue" });
  expect(status).toBe(400);
  expect(text).toMatch(new RegExp(`id="state-error"[^>]*>${messages.addressing.dearer("₦7,200", "₦5,600")}`));
  expect(text).toContain(`href="/order/${reference}/cancel"`);
  expect(text).toMatch(/<option value="Ogun" selected=""/);
  expect(text).toContain('value="7 Allen Avenue"');
  expect(await addressNow()).toMatchObject({ address: lagosForm.address, state: "Lagos" });
});

test("packed meanwhile, it says so and changes nothing", async () => {
  const form = await filledIn({ address: "7 Allen Avenue" });
  await markPacked(db(), reference);
  const { status, text } = await send(page(), { form });
  expect(status).toBe(400);
  expect(text).toContain(messages.addressing["too-late"]);
  expect(text).not.toContain("Save address");
  expect(await addressNow()).toMatchObject({ address: lagosForm.address });
  expect((await send(page())).text).toContain(messages.addressing["too-late"]);
  expect((await send(`/order/${reference}`)).text).not.toContain("Change address");
});

test("a form that was opened before another change is asked about once more, and then saved", async () => {
  const form = await filledIn({ address: "7 Allen Avenue" });
  await press({ lastName: "Adeleke" });
  const { status, text } = await send(page(), { form });
  expect(status).toBe(400);
  expect(text).toContain(messages.addressing.stale);
  expect(text).toContain('value="7 Allen Avenue"');
  const version = /name="version" value="([^"]+)"/.exec(text)?.[1] ?? "";
  expect(await send(page(), { form: { ...form, version } })).toMatchObject({ status: 303, to: saved() });
  expect(await addressNow()).toMatchObject({ address: "7 Allen Avenue" });
});

test("more presses than a person makes are refused for a while, and keep what was typed", async () => {
  const form = await filledIn({ phoneNumber: "123", lastName: "Adeleke" });
  for (let pressed = 0; pressed < 30; pressed++) expect((await send(page(), { form })).status).toBe(400);
  const { status, text } = await send(page(), { form });
  expect(status).toBe(429);
  expect(text).toContain(messages.form.tooOften);
  expect(text).toContain('value="Adeleke"');
});

describe("nothing is changed", () => {
  const moved = { address: "7 Allen Avenue" };

  test("by another shopper, for whom there is no such page", async () => {
    const as = await cookieOf(await makeShopper(db()));
    expect([(await send(page(), { as })).status, (await press(moved, { as })).status]).toEqual([404, 404]);
    expect(await addressNow()).toMatchObject({ address: lagosForm.address });
  });

  test("by anybody who is not signed in", async () => {
    const { status, text } = await send(page(), { as: "" });
    expect([status, text.includes("Please log in to see your order.")]).toEqual([200, true]);
    expect(await press(moved, { as: "" })).toMatchObject({ status: 303, to: "/login?next=/account" });
    expect(await addressNow()).toMatchObject({ address: lagosForm.address });
  });

  test("by a form of another site", async () => {
    expect((await press(moved, { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
    expect((await press(moved, { headers: { origin: "https://evil.example" } })).status).toBe(403);
    expect(await addressNow()).toMatchObject({ address: lagosForm.address });
  });
});

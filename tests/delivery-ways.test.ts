vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SCRIPTED_HEADER } from "#app/infra/http/form-post.server.ts";
import * as messages from "#app/messages.ts";
import { changeOwnAddress } from "#app/orders/address/own.server.ts";
import { toSaleDocument } from "#app/orders/document.ts";
import { listSold } from "#app/orders/history.server.ts";
import { saveWay, switchWay } from "#app/owner/delivery/ways.server.ts";
import { changeAddress } from "#app/owner/orders/address.server.ts";
import { readForWhom } from "#app/owner/orders/links/new.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { seedShipping } from "#app/shipping/rates.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { aWay, way } from "#tests/support/delivery-ways.ts";
import { endOffers, makeOffer } from "#tests/support/offers.ts";
import { cookieOf } from "#tests/support/session.ts";
import { lagosForm, makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { shopPages } from "#tests/support/shop-pages.ts";

const { db, provider, url, salesOf } = useCheckout({ max: 30 });
const { shop } = useApps(url, { keepsPages: false });

let user: Shopper;
let cookie: string;

/** A shopper, signed in, with a jersey at $49.99 in the cart. */
beforeEach(async () => {
  user = await makeShopper(db(), { productId: await makeProduct(db(), { M: 20 }), size: "M" });
  cookie = await cookieOf(user);
});
afterEach(async () => {
  await db().deleteFrom("deliveryWays").execute();
  await endOffers(db());
});

const express = () => aWay(db(), way(), { active: true });

const send = shopPages(shop, () => cookie);

const agreedOn = (text: string) => {
  const values = ["shownCents", "agreedKobo"].map((name) => [
    name,
    new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? "",
  ]);
  return Object.fromEntries(values) as Record<string, string>;
};

/** Presses Pay with this way, and again with the sums that the answer shows. */
async function payWith(deliveryWay: string) {
  const form = { ...lagosForm, deliveryWay };
  const first = await send("/checkout", { form });
  return { first, paid: await send("/checkout", { form: { ...form, ...agreedOn(first.text) } }) };
}

const orderNow = () =>
  db().selectFrom("orders").selectAll().where("userId", "=", user.id).orderBy("createdAt", "desc").executeTakeFirst();

/** An order with this way, paid. Returns its reference. */
async function bought(deliveryWay: string): Promise<string> {
  const { paid } = await payWith(deliveryWay);
  expect(paid.status).toBe(303);
  const order = await orderNow();
  const payments = db()
    .selectFrom("payments")
    .select("reference")
    .where("orderId", "=", order?.id ?? "");
  const { reference } = await payments.executeTakeFirstOrThrow();
  provider.pay(reference);
  await settlePayment(reference);
  return reference;
}

describe("the checkout", () => {
  test("asks for no way where none serves the place", async () => {
    await aWay(db(), way({ places: ["state Ogun"] }), { active: true });
    await aWay(db(), way({ name: "Rider" }));
    const { text } = await send("/checkout", { form: { ...lagosForm, intent: "update" } });
    expect(text).not.toContain('name="deliveryWay"');
    const { paid } = await payWith("");
    expect(paid.status).toBe(303);
    expect((await orderNow())?.shipping).not.toHaveProperty("deliveryWay");
    expect((await orderNow())?.shippingCents).toBe(350);
  });

  test("offers each way that serves the place, and charges the chosen one's price without script", async () => {
    const id = await express();
    const { first, paid } = await payWith(id);
    for (const part of ["Express", "1 to 2 business days", "order by 14:00", "₦10,400", `value="${id}"`])
      expect(first.text).toContain(part);
    expect(first.text).toContain("Delivery to Lagos, Express");
    expect(paid.status).toBe(303);
    expect(await orderNow()).toMatchObject({
      shippingCents: 650,
      totalCents: 5649,
      shipping: {
        deliveryType: "Home Delivery",
        deliveryWay: { id, name: "Express", fromDays: 1, toDays: 2, orderBy: "14:00" },
      },
    });
  });

  test("charges it with script, too", async () => {
    const id = await express();
    const form = {
      ...lagosForm,
      deliveryWay: id,
      currency: "NGN",
      agreedKobo: String(5649 * 1600),
      shownCents: "4999",
    };
    const { status } = await send("/checkout.data", { form, headers: { [SCRIPTED_HEADER]: "yes" } });
    expect(status).toBeLessThan(300);
    expect((await orderNow())?.shippingCents).toBe(650);
  });

  test("keeps the price of Pay: the same press gets the same order, and another way another one", async () => {
    const id = await express();
    const { first } = await payWith(id);
    const before = await orderNow();
    await saveWay(db(), OWNER, way({ rateCents: 800 }), { id, seen: 1 });
    const form = { ...lagosForm, deliveryWay: id, ...agreedOn(first.text) };
    expect((await send("/checkout", { form })).status).toBe(303);
    expect(await orderNow()).toMatchObject({ id: before?.id, shippingCents: 650 });
    await payWith("");
    const after = await orderNow();
    expect(after?.id).not.toBe(before?.id);
    expect(after?.shippingCents).toBe(350);
  });

  test("starts with the way of the last order, and keeps the standard one once that is chosen", async () => {
    const id = await express();
    await payWith(id);
    const chosen = (text: string) =>
      [...text.matchAll(/<input[^>]*name="deliveryWay"[^>]*>/g)].find(([tag]) => tag.includes("checked"))?.[0];
    expect(chosen((await send("/checkout?another")).text)).toContain(`value="${id}"`);
    for (const intent of ["update", "pay"]) {
      const { text } = await send("/checkout?another", { form: { ...lagosForm, deliveryWay: "", intent } });
      expect(chosen(text), intent).toContain('value=""');
    }
  });

  test("sells no way to a state while no state has a rate", async () => {
    const id = await express();
    await db().deleteFrom("shippingRates").where("kind", "=", "state").execute();
    const { paid } = await payWith(id);
    await db().deleteFrom("shippingRates").execute();
    await seedShipping(db());
    expect(paid.status).toBe(400);
    expect(await orderNow()).toBeUndefined();
  });

  test("refuses a way that was switched off meanwhile beside its field, and keeps what was typed", async () => {
    const id = await express();
    const first = await send("/checkout", { form: { ...lagosForm, deliveryWay: id } });
    await switchWay(db(), OWNER, id, false);
    const form = { ...lagosForm, deliveryWay: id, ...agreedOn(first.text) };
    const { status, text } = await send("/checkout", { form });
    expect(status).toBe(400);
    expect(text).toContain(`id="way-error"`);
    expect(text).toContain(messages.order.wayGone);
    expect(text).toContain('value="1 Broad Street"');
    expect(await orderNow()).toBeUndefined();
  });

  test("shows a changed price before it charges it", async () => {
    const id = await express();
    const first = await send("/checkout", { form: { ...lagosForm, deliveryWay: id } });
    await saveWay(db(), OWNER, way({ rateCents: 800 }), { id, seen: 1 });
    const form = { ...lagosForm, deliveryWay: id, ...agreedOn(first.text) };
    expect((await send("/checkout", { form })).status).toBe(400);
    expect(await orderNow()).toBeUndefined();
  });

  test("takes a free delivery's saving off the way: the difference to the standard rate stays", async () => {
    const id = await express();
    await makeOffer(db(), { gift: { kind: "delivery" } });
    const { first } = await payWith(id);
    expect(first.text.split('id="way-legend"')[1]).toMatch(/Standard.*free.*Express.*₦4,800/s);
    expect((await orderNow())?.shippingCents).toBe(300);
    await payWith("");
    expect((await orderNow())?.shippingCents).toBe(0);
  });
});

describe("an order with a way", () => {
  test("names it with its days on its page, in the mail and in the customer's export", async () => {
    const reference = await bought(await express());
    const { text } = await send(`/order/${reference}`);
    expect(text).toContain("Express, 1 to 2 business days");
    expect(text).toContain("Delivery to Lagos, Express");
    const mail = await db()
      .selectFrom("outbox")
      .select("data")
      .where(sql<boolean>`data ->> 'reference' = ${reference}`)
      .executeTakeFirstOrThrow();
    expect(mail.data).toMatchObject({ deliveryWay: "Express, 1 to 2 business days" });
    const [sale] = await listSold(db(), user.id);
    const address = sale && toSaleDocument(sale, "https://example.com").customerDetails.shippingAddress;
    expect(address).toMatchObject({ deliveryWay: "Express, 1 to 2 business days", shippingCost: 6.5 });
  });

  const moved = (reference: string, state: string) =>
    changeOwnAddress(db(), user.id, reference, { ...lagosForm, state, localGovernment: "" });

  test("goes to another address by the same way, where that costs no more", async () => {
    const id = await express();
    const reference = await bought(id);
    expect(await moved(reference, "Ogun")).toEqual({ ok: true });
    expect((await salesOf(user))[0]?.shipping).toMatchObject({ state: "Ogun", deliveryWay: { id } });
    await saveWay(db(), OWNER, way({ rateCents: 800 }), { id, seen: 1 });
    expect(await moved(reference, "Lagos")).toMatchObject({ ok: false, why: "dearer" });
    expect(await moved(reference, "Kano")).toMatchObject({ ok: false, errors: { state: messages.addressing.noPrice } });
  });

  test("keeps it when the way is off and only the street changes, and when staff change the address", async () => {
    const id = await express();
    const reference = await bought(id);
    await switchWay(db(), OWNER, id, false);
    const street = { ...lagosForm, address: "7 Allen Avenue" };
    expect(await changeOwnAddress(db(), user.id, reference, street)).toEqual({ ok: true });
    const form = new URLSearchParams({ ...lagosForm, address: "8 Allen Avenue" });
    expect(await changeAddress(db(), OWNER, reference, form)).toMatchObject({ ok: true });
    expect((await salesOf(user))[0]?.shipping).toMatchObject({ address: "8 Allen Avenue", deliveryWay: { id } });
  });

  test("leaves the orders that staff put together the standard way, also once its own is off", async () => {
    const id = await express();
    await bought(id);
    expect(await readForWhom(db(), user.email)).toMatchObject({ basis: { shippingCents: 350 } });
    await switchWay(db(), OWNER, id, false);
    const whom = await readForWhom(db(), user.email);
    expect(whom).toMatchObject({ form: { state: "Lagos" }, basis: { shippingCents: 350 } });
  });
});

vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import pg from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { log } from "#app/infra/log.server.ts";
import * as messages from "#app/messages.ts";
import { PICK_UP, STANDARD } from "#app/orders/handover/ways.ts";
import { switchHandover } from "#app/owner/delivery/handover.server.ts";
import { changeOrder } from "#app/owner/orders/change.server.ts";
import { markDelivered, markReady, markReturned, markSent } from "#app/owner/orders/fulfilment.server.ts";
import { orderHistory } from "#app/owner/orders/history.server.ts";
import { makeHandoverLink } from "#app/owner/orders/links/handover.server.ts";
import { takeableActs, takeBack } from "#app/owner/orders/take-back.server.ts";
import { viewOrder } from "#app/owner/orders/view.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { aWay } from "#tests/support/delivery-ways.ts";
import { cookieOf } from "#tests/support/session.ts";
import { lagosForm, makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { shopPages } from "#tests/support/shop-pages.ts";
import { paidByHand, staffOrder } from "#tests/support/staff-order.ts";

const { db, provider, open, url, mailsAbout, catchUp } = useCheckout({ max: 30 });
const { shop } = useApps(url, { keepsPages: false });

let user: Shopper;
let cookie: string;
let reference: string;

/** A shopper, signed in, who has paid for a jersey, in a shop that asks for a code at the door. */
beforeEach(async () => {
  await switchHandover(db(), OWNER, STANDARD, true);
  user = await makeShopper(db(), { productId: await makeProduct(db(), { M: 20 }), size: "M" });
  cookie = await cookieOf(user);
  reference = await paid();
});
afterEach(async () => {
  for (const table of ["handoverWays", "deliveryWays", "rateLimits"] as const) await db().deleteFrom(table).execute();
});

async function paid(change: Parameters<typeof open>[1] = {}): Promise<string> {
  const opened = await open(user, change);
  provider.pay(opened.reference);
  await settlePayment(opened.reference);
  return opened.reference;
}

const send = shopPages(shop);

const fulfil = () => changeOrder(db(), OWNER, "orders fulfil", reference)((trx) => markSent(trx, reference));

/** The path of a new link. */
async function newLink(): Promise<string> {
  const made = await makeHandoverLink(db(), OWNER, reference);
  if (!made.ok) throw new Error(made.problem);
  return new URL(made.link).pathname;
}

/** The order's page, as its shopper sees it. */
const page = (as = cookie) => send(`/order/${reference}`, { as });
/** Where a form leads: to what the link's page then says. */
const saysAt = (link: string) => ({ status: 303, to: `${link}#outcome` });
const codeOn = ({ text }: { text: string }) => /tracking-widest">(\d{4})</.exec(text)?.[1];
const confirm = (link: string, code = "") => send(link, { form: { code } });

/** This many different codes, all wrong. */
const wrongOnes = (code: string | undefined, count: number) =>
  ["0000", "0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009", "0010"]
    .filter((one) => one !== code)
    .slice(0, count);

const order = () =>
  db()
    .selectFrom("orders")
    .innerJoin("sales", "sales.orderId", "orders.id")
    .select(["orders.id", "number", "deliveredAt"])
    .where("sales.reference", "=", reference)
    .executeTakeFirstOrThrow();
const handover = async () =>
  db()
    .selectFrom("handovers")
    .selectAll()
    .where("orderId", "=", (await order()).id)
    .executeTakeFirst();

test("the shopper's code, entered at the link without an account, marks the order as delivered", async () => {
  expect((await page()).text).not.toContain("Give this code");
  await fulfil();
  const shown = await page();
  const code = codeOn(shown);
  expect(shown.text).toContain("Give this code when you receive your parcel.");
  const link = await newLink();
  const { number } = await order();
  const opened = await send(link);
  for (const part of ["A parcel from ", 'inputMode="numeric"', "Confirm delivery"]) expect(opened.text).toContain(part);
  for (const secret of [number, reference, "Home Jersey", lagosForm.lastName, lagosForm.address])
    expect(opened.text).not.toContain(secret);
  expect(opened.headers.get("cache-control")).toContain("no-store");
  expect(opened.headers.get("referrer-policy")).toBe("same-origin");
  expect(opened.text).toContain('<meta name="robots" content="noindex"/>');
  expect((await order()).deliveredAt).toBeNull();

  expect(await confirm(link, ` ${code?.slice(0, 2)} ${code?.slice(2)} `)).toMatchObject(saysAt(link)); // as pasted
  const { deliveredAt } = await order();
  expect(deliveredAt).toBeInstanceOf(Date);
  const said = (await send(link)).text;
  for (const part of ['id="outcome" role="status"', messages.handover.delivered]) expect(said).toContain(part);
  const { text } = await page();
  expect(text).toContain("Delivered.");
  expect(codeOn({ text })).toBeUndefined();
  const [newest] = await orderHistory(db(), number);
  expect(newest).toMatchObject({ title: "Handed over by code" });
  expect(newest?.by).toBeUndefined();
  const mails = await db().selectFrom("outbox").select("data").where("recipient", "=", lagosForm.email).execute();
  expect(await mailsAbout(reference)).toContain("order-sent");
  expect(JSON.stringify(mails.map(({ data }) => Object.values(data as object)))).not.toContain(`"${code}"`);

  expect(await confirm(link, code)).toMatchObject(saysAt(link)); // the second of a double click
  expect((await order()).deliveredAt).toEqual(deliveredAt);
});

test("the code and staff at the same time deliver once", async () => {
  await fulfil();
  const link = await newLink();
  const code = codeOn(await page());
  const press = changeOrder(db(), OWNER, "orders deliver", reference);
  const [entered] = await Promise.all([confirm(link, code), press((trx) => markDelivered(trx, reference))]);
  expect(entered).toMatchObject(saysAt(link));
  const acts = db().selectFrom("auditLog").select("action").where("subjectId", "=", reference);
  expect(await acts.where("action", "like", "orders deliver%").execute()).toHaveLength(1);
});

test("nobody but the shopper sees the code", async () => {
  await fulfil();
  const code = codeOn(await page()) ?? "";
  const stranger = await send(`/order/${reference}`, { as: await cookieOf(await makeShopper(db())) });
  expect(stranger.status).toBe(404);
  const signedOut = await page("");
  for (const { text } of [stranger, signedOut]) expect(text).not.toContain(`>${code}<`);
  expect(signedOut.text).not.toContain("handoverCode");
});

describe("three wrong codes lock the link", () => {
  test("and staff open it again with another link and another code", async () => {
    await fulfil();
    const link = await newLink();
    const code = codeOn(await page());
    const [first, second, third] = wrongOnes(code, 3);
    expect(await confirm(link, "12")).toMatchObject({ status: 422, text: expect.stringContaining("four digits") });
    for (const [wrong, left] of [[first, 2] as const, [first, 2] as const, [second, 1] as const]) {
      const { status, text } = await confirm(link, wrong); // the first one twice, as after an answer that was lost
      expect([status, text.includes(messages.handover.wrong(left))]).toEqual([422, true]);
    }
    expect(await confirm(link, third)).toMatchObject(saysAt(link));
    expect((await send(link)).text).toContain(messages.handover.locked);
    await confirm(link, code);
    expect((await order()).deliveredAt).toBeNull();

    const made = await makeHandoverLink(db(), OWNER, reference);
    expect(made).toMatchObject({ ok: true, what: expect.stringContaining("another code") });
    const next = made.ok ? new URL(made.link).pathname : "";
    expect((await send(link)).status).toBe(404);
    expect((await handover())?.wrongCodes).toEqual([]);
    expect(await confirm(next, codeOn(await page()))).toMatchObject({ status: 303 });
    expect((await order()).deliveredAt).not.toBeNull();
  });

  test("also if ten are sent at once", async () => {
    await fulfil();
    const link = await newLink();
    const code = codeOn(await page());
    const answers = await Promise.all(wrongOnes(code, 10).map((wrong) => confirm(link, wrong)));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(2);
    expect((await handover())?.wrongCodes).toHaveLength(3);
    await confirm(link, code);
    expect((await order()).deliveredAt).toBeNull();
  });

  test("which keeps no staff from marking the order as delivered", async () => {
    await fulfil();
    const link = await newLink();
    for (const wrong of wrongOnes(codeOn(await page()), 3)) await confirm(link, wrong);
    expect(await markDelivered(db(), reference)).toMatchObject({ ok: true });
    expect((await send(link)).text).toContain(messages.handover.delivered);
  });

  test("and a new link before that gives no more tries", async () => {
    await fulfil();
    const code = codeOn(await page());
    const [first, second] = wrongOnes(code, 2);
    await confirm(await newLink(), first);
    const link = await newLink();
    expect(codeOn(await page())).toBe(code);
    expect((await confirm(link, second)).text).toContain(messages.handover.wrong(1));
  });
});

describe("a link ends", () => {
  test("with a new one", async () => {
    await fulfil();
    const [first, second] = [await newLink(), await newLink()];
    expect([(await send(first)).status, (await send(second)).status]).toEqual([404, 200]);
    expect(await confirm(first, codeOn(await page()))).toMatchObject(saysAt(first));
    expect((await order()).deliveredAt).toBeNull();
  });

  test.each<[string, () => Promise<unknown>]>([
    ["once all is given back", () => refundWished(db(), reference).then(() => catchUp(reference))],
    ["once the parcel came back", () => markReturned(db(), reference)],
  ])("%s", async (_, end) => {
    await fulfil();
    const link = await newLink();
    const code = codeOn(await page());
    await end();
    expect((await send(link)).text).toContain(messages.handover.ended);
    await confirm(link, code);
    expect((await order()).deliveredAt).toBeNull();
    expect(codeOn(await page())).toBeUndefined();
    expect(await makeHandoverLink(db(), OWNER, reference)).toMatchObject({ ok: false });
  });
});

test("taking back that it was sent takes the code away; sent again, it has another row", async () => {
  await fulfil();
  const { number } = await order();
  const [act] = await takeableActs(db(), [number]);
  expect(await takeBack(db(), OWNER, { act: act?.act ?? "", number, reference })).toMatchObject({ ok: true });
  expect(await handover()).toBeUndefined();
  await fulfil();
  expect(codeOn(await page())).toMatch(/^\d{4}$/);
});

test("taking back a corrected parcel leaves the code", async () => {
  await fulfil();
  const code = codeOn(await page());
  const { number } = await order();
  await changeOrder(db(), OWNER, "orders fulfil", reference)((trx) => markSent(trx, reference, { carrier: "GIG" }));
  const [act] = await takeableActs(db(), [number]);
  expect(await takeBack(db(), OWNER, { act: act?.act ?? "", number, reference })).toMatchObject({ ok: true });
  expect(codeOn(await page())).toBe(code);
});

describe("which orders ask for a code", () => {
  test("is what the switch said when the order was sent", async () => {
    await switchHandover(db(), OWNER, STANDARD, false);
    await fulfil();
    await switchHandover(db(), OWNER, STANDARD, true);
    const { text } = await page();
    for (const part of ["Give this code", "handoverCode"]) expect(text).not.toContain(part);
    expect(await handover()).toBeUndefined();
    expect(await makeHandoverLink(db(), OWNER, reference)).toMatchObject({ ok: false });
  });

  test("is read with the order: its page sends no statement for it", async () => {
    const sent = vi.spyOn(pg.Client.prototype, "query");
    await page();
    const texts = sent.mock.calls.map(([query]) => JSON.stringify(query)).filter((text) => text.includes("handover"));
    sent.mockRestore();
    expect(texts).toEqual([expect.stringContaining("from payments asked join orders")]);
  });

  test("a further way has a switch of its own", async () => {
    const id = await aWay(db(), {}, { active: true });
    const way = (await loadShippingRates(db())).ways?.find((one) => one.id === id);
    reference = await paidAnew({ way });
    await fulfil();
    expect(await handover()).toBeUndefined();
    reference = await paidAnew({ way });
    await switchHandover(db(), OWNER, id, true);
    await fulfil();
    expect(codeOn(await page())).toMatch(/^\d{4}$/);
  });

  test("none without an account, where the code could be read", async () => {
    const email = `no-account-${user.id}@example.com`;
    const given = await staffOrder(db(), { email }, await makeProduct(db(), { M: 20 }));
    reference = await paidByHand(db(), given);
    await fulfil();
    expect(await handover()).toBeUndefined();
  });

  test("none for staff once the account is gone", async () => {
    await fulfil();
    const { number } = await order();
    await db().deleteFrom("users").where("id", "=", user.id).execute();
    expect((await viewOrder(db(), number))?.handoverLink).toBeNull();
    expect(await makeHandoverLink(db(), OWNER, reference)).toMatchObject({ ok: false });
    expect(await markDelivered(db(), reference)).toMatchObject({ ok: true });
  });

  test("a pick-up asks once it is ready", async () => {
    await switchHandover(db(), OWNER, PICK_UP, true);
    const form = { ...lagosForm, deliveryType: "Pick-up" as const, address: "", state: "", pickupCenter: "Surulere" };
    reference = await paidAnew({ form, destination: { kind: "pickup", center: "Surulere" } });
    await fulfil();
    expect(await handover()).toBeUndefined();
    await changeOrder(db(), OWNER, "orders ready", reference)((trx) => markReady(trx, reference));
    const shown = await page();
    expect(shown.text).toContain("Give this code when you pick up your parcel.");
    expect(await confirm(await newLink(), codeOn(shown))).toMatchObject({ status: 303 });
    expect((await order()).deliveredAt).not.toBeNull();
  });
});

/** Another order of another shopper, who is then the one that is signed in. */
async function paidAnew(change: Parameters<typeof open>[1]): Promise<string> {
  user = await makeShopper(db(), { productId: await makeProduct(db(), { M: 20 }), size: "M" });
  cookie = await cookieOf(user);
  return paid(change);
}

test.each(["A".repeat(22), "short", "A".repeat(23)])("S74 the code %s of nobody's link opens nothing", async (link) => {
  expect((await send(`/handover/${link}`)).status).toBe(404);
  expect(await confirm(`/handover/${link}`, "0000")).toMatchObject(saysAt(`/handover/${link}`));
});

test("S74 no other site confirms a delivery, and neither the log nor the audit log holds the link", async () => {
  await fulfil();
  const link = await newLink();
  const noted = vi.spyOn(log, "warn");
  const form = { code: codeOn(await page()) ?? "" };
  expect((await send(link, { form, headers: { origin: "https://evil.example" } })).status).toBe(403);
  expect((await order()).deliveredAt).toBeNull();
  const said = JSON.stringify(noted.mock.calls);
  expect(said).toContain("/handover/…");
  expect(said).not.toContain(link);
  const acts = await db().selectFrom("auditLog").selectAll().where("subjectId", "=", reference).execute();
  expect(acts.map(({ action }) => action)).toContain("orders handover");
  expect(JSON.stringify(acts)).not.toContain(link.split("/").at(-1));
});

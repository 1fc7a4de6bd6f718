vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deleteCustomer } from "#app/customer-data/delete-customer.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import * as messages from "#app/messages.ts";
import { LINE_MAX } from "#app/payments/links/line.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { cookieOf } from "#tests/support/session.ts";
import { lagosForm, makeProduct, makeShopper, putInCart, type Shopper } from "#tests/support/shop.ts";
import { shopPages } from "#tests/support/shop-pages.ts";

const { db, open, provider, url, salesOf, stockOf, statesOf, expire, catchUp } = useCheckout({ max: 30 });
const { shop } = useApps(url, { keepsPages: false });

const LINE = "Uncle, this is for the reunion. <b>Thank you!</b>";
const PAYER = "uncle@payer.example";
const FORM = { ...lagosForm, address: "9 Hidden Close", firstName: "Receiver", email: "contact@shopper.example" };

let productId: string;
let user: Shopper;
let cookie: string;

beforeEach(async () => {
  await switchTo(true);
  productId = await makeProduct(db(), { M: 20 });
  user = await makeShopper(db(), { productId, size: "M" });
  await db().updateTable("users").set({ firstName: "Chiamaka", lastName: "Nwosu" }).where("id", "=", user.id).execute();
  cookie = await cookieOf(user);
});
afterEach(() => switchTo(false));

async function switchTo(othersPay: boolean): Promise<void> {
  await db().deleteFrom("shopSettings").execute();
  if (othersPay) await db().insertInto("shopSettings").values({ othersPay: "yes" }).execute();
  await shopSettings(db());
}

const send = shopPages(shop);

/** Presses "Let somebody pay for it", as the page shows the sum first and is pressed again. */
async function askFor(change: Record<string, string> = {}) {
  const form = { ...FORM, payerLine: LINE, intent: "link", ...change };
  const first = await send("/checkout", { as: cookie, form });
  const agreedKobo = /name="agreedKobo" value="(\d+)"/.exec(first.text)?.[1];
  return agreedKobo ? send("/checkout", { as: cookie, form: { ...form, agreedKobo } }) : first;
}

const linkIn = (text: string): string => /\/pay\/[\w-]{22}(?=")/.exec(text)?.[0] ?? "";

/** Makes a link. Returns its path. */
async function makeLink(change: Record<string, string> = {}): Promise<string> {
  const { status, text } = await askFor(change);
  expect(status).toBe(200);
  const link = linkIn(text);
  expect(link).not.toBe("");
  return link;
}

const press = (link: string, email = PAYER) => send(link, { form: { email } });

/** Presses Pay on the link's page. Returns the reference of the payment. */
async function openAs(link: string, email = PAYER): Promise<string> {
  const { status, to } = await press(link, email);
  expect(status).toBe(303);
  return to.split("/").at(-1) ?? ""; // the provider's page has it in its address
}

/** Pays at the provider, and comes back from there. */
async function payAs(reference: string) {
  provider.pay(reference);
  const back = await send(`/checkout/return?reference=${reference}`);
  expect(back).toMatchObject({ status: 303, to: `/pay/${reference}` });
  return send(back.to);
}

const order = () =>
  db()
    .selectFrom("orders")
    .selectAll()
    .where("userId", "=", user.id)
    .orderBy("createdAt", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();

/** The page of the newest order, which its shopper sees. */
async function ownPage(): Promise<string> {
  const { id } = await order();
  const payments = db().selectFrom("payments").select("reference").where("orderId", "=", id).orderBy("createdAt");
  return `/order/${(await payments.executeTakeFirstOrThrow()).reference}`;
}

const mailsTo = (recipient: string) =>
  db().selectFrom("outbox").select(["kind", "data"]).where("recipient", "=", recipient).orderBy("createdAt").execute();
const kindsTo = async (recipient: string) => (await mailsTo(recipient)).map(({ kind }) => kind);

describe("S76 whoever has the link", () => {
  test("sees pieces, sum, until when, first name and line, and nothing else about the shopper", async () => {
    const link = await makeLink();
    const { status, text, headers } = await send(link);
    expect(status).toBe(200);
    for (const part of [
      "Home Jersey",
      "₦85,584",
      "We hold these items at this price until",
      "Chiamaka asks you to pay",
    ])
      expect(text).toContain(part);
    const secrets = ["9 Hidden Close", "Lagos", "Nwosu", "Obi", "Receiver", "08031234567", user.email, FORM.email];
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(headers.get("cache-control")).toContain("no-store");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(text).toContain('<meta name="robots" content="noindex"/>');
  });

  test("reads the line as plain text", async () => {
    const { text } = await send(await makeLink({ payerLine: `  ${LINE}\n\t next ` }));
    expect(text).toContain("&lt;b&gt;Thank you!&lt;/b&gt; next</p>");
    expect(text).not.toContain("<b>Thank you!");
  });

  test("changes nothing by opening it: a chat fetches it for its preview", async () => {
    const link = await makeLink();
    for (let fetched = 0; fetched < 3; fetched++) await send(link);
    const payments = await db()
      .selectFrom("payments")
      .select("state")
      .where("orderId", "=", (await order()).id)
      .execute();
    expect(payments).toEqual([{ state: "created" }]);
    expect(await stockOf(productId)).toMatchObject({ reserved: 1 });
  });

  test("pays without an account, and gets thanks and a receipt that say nothing about the shopper's place", async () => {
    const link = await makeLink();
    const reference = await openAs(link, ` ${PAYER.toUpperCase()} `);
    const { status, text } = await payAs(reference);
    expect([status, text]).toEqual([200, expect.stringContaining(messages.payerLink.thanks)]);
    expect(text).toContain("Chiamaka’s order is paid.");
    const [receipt, ...others] = await mailsTo(PAYER);
    expect([receipt?.kind, others]).toEqual(["payer-receipt", []]);
    for (const secret of ["9 Hidden Close", "Nwosu", "Receiver", "08031234567", user.email, FORM.email, "Chiamaka"])
      expect(JSON.stringify(receipt?.data)).not.toContain(secret);
    for (const secret of ["9 Hidden Close", "Nwosu", "Receiver", "08031234567", user.email, FORM.email])
      expect(text).not.toContain(secret);
    expect(await salesOf(user)).toMatchObject([{ reference }]);
    expect(await kindsTo(FORM.email)).toEqual(["order-confirmation"]);
    expect((await send(`/order/${reference}`, { as: cookie })).text).toContain("Payment successful!");
    expect(await send(await ownPage(), { as: cookie })).toMatchObject({ status: 303, to: `/order/${reference}` });
    expect((await send(link)).text).toContain(messages.payerLink.paid);
    expect(await press(link)).toMatchObject({ status: 303, to: link });
  });

  test("is the provider's customer, which learns the payer's address and no data of the shopper", async () => {
    await openAs(await makeLink());
    const sent = JSON.stringify(provider.bodies.at(-1));
    expect(sent).toContain(PAYER);
    for (const secret of ["Hidden Close", "Nwosu", "Receiver", "8031234567", user.email, FORM.email, "/pay/"])
      expect(sent).not.toContain(secret);
  });

  test("comes back unpaid, and is told to open the link again", async () => {
    const reference = await openAs(await makeLink());
    expect((await send(`/pay/${reference}`)).text).toContain(messages.payerLink.notPaid);
  });

  test.each(["", "not an address"])("has to give an address for the receipt, and not '%s'", async (email) => {
    const { status, text } = await press(await makeLink(), email);
    expect([status, text]).toEqual([400, expect.stringContaining(messages.payerLink.email)]);
  });

  test("with a code that nobody has opens nothing", async () => {
    await makeLink();
    expect((await send(`/pay/${"A".repeat(22)}`)).status).toBe(404);
    expect((await send(`/pay/${"a".repeat(32)}`)).status).toBe(404);
  });
});

describe("two payers at once", () => {
  test("are one sale and one refund, which the second is told", async () => {
    const link = await makeLink();
    const [one, other] = await Promise.all([openAs(link, "one@payer.example"), openAs(link, "other@payer.example")]);
    expect(one).not.toBe(other);
    for (const reference of [one, other]) provider.pay(reference);
    const pages = await Promise.all([one, other].map((reference) => send(`/pay/${reference}`)));
    const thanked = pages.map(({ text }) => text.includes(messages.payerLink.thanks));
    expect(thanked.filter(Boolean)).toHaveLength(1);
    expect(pages.some(({ text }) => text.includes(messages.payerLink.goesBack))).toBe(true);
    expect(await salesOf(user)).toHaveLength(1);
    expect(await stockOf(productId)).toMatchObject({ sold: 1, reserved: 0 });
    const refunds = await db()
      .selectFrom("refunds")
      .select(["reference", "reason"])
      .where("reference", "in", [one, other])
      .execute();
    expect(refunds).toEqual([{ reference: thanked[0] ? other : one, reason: "second-charge" }]);
    const kinds = [await kindsTo("one@payer.example"), await kindsTo("other@payer.example")];
    expect(kinds.sort()).toEqual([["payer-receipt"], ["payer-refund"]]);
    await catchUp(one);
    await catchUp(other);
  });

  test("of whom one is the shopper at the checkout are one sale", async () => {
    const theirs = await openAs(await makeLink());
    const form = { ...FORM, intent: "pay", agreedKobo: (await order()).kobo };
    const { status, to } = await send("/checkout", { as: cookie, form });
    expect(status).toBe(303);
    const own = to.split("/").at(-1) ?? "";
    expect(own).not.toBe(theirs);
    await payAs(theirs);
    provider.pay(own);
    await send(`/order/${own}`, { as: cookie });
    expect(await salesOf(user)).toMatchObject([{ reference: theirs }]);
    await catchUp(own);
  });
});

describe("a shopper who presses Pay Now while the link is out", () => {
  const pressPayNow = async (change: Record<string, string> = {}) =>
    send("/checkout", { as: cookie, form: { ...FORM, intent: "pay", agreedKobo: (await order()).kobo, ...change } });

  test("is led to the paid order, and not charged, although nobody has told the shop of the payer's payment", async () => {
    const reference = await openAs(await makeLink());
    provider.pay(reference);
    expect(await pressPayNow()).toMatchObject({ status: 303, to: `/order/${reference}` });
    expect(await salesOf(user)).toMatchObject([{ reference }]);
  });

  test("is told of the payer's transfer, and pays another way only on wishing so", async () => {
    const reference = await openAs(await makeLink());
    provider.pay(reference, { status: "pending", paid_at: null });
    expect(await pressPayNow()).toMatchObject({ status: 303, to: "/checkout" });
    const { text } = await send("/checkout", { as: cookie });
    expect(text).toContain("We’re waiting for your payer’s payment of");
    expect(text).not.toContain("your payment ");
    const form = await send("/checkout?another=way", { as: cookie });
    expect(form.text).toContain("The bank says that your payer’s payment of");
    const another = /name="(another)" value="(way)"/.exec(form.text);
    const { status, to } = await pressPayNow({ [another?.[1] ?? ""]: another?.[2] ?? "" });
    expect([status, to]).toEqual([303, expect.not.stringContaining("/checkout")]);
    expect(to).not.toContain(reference);
    expect(await statesOf(user)).toHaveLength(1);
  });

  test("keeps the order and its link when the provider opens no payment, and can press again", async () => {
    const link = await makeLink();
    provider.faulty({ on: "initialize", status: 500, times: 2, before: true });
    expect((await pressPayNow()).status).toBe(503);
    expect((await send(link)).text).toContain("asks you to pay");
    expect(await stockOf(productId)).toMatchObject({ reserved: 1 });
    const { status, to } = await pressPayNow();
    expect(status).toBe(303);
    const own = to.split("/").at(-1) ?? "";
    provider.pay(own);
    await send(`/order/${own}`, { as: cookie });
    expect(await salesOf(user)).toMatchObject([{ reference: own }]);
    expect(await statesOf(user)).toHaveLength(1);
  });

  test("opens a new payment in place of one from hours ago", async () => {
    await makeLink();
    const first = (await pressPayNow()).to;
    expect((await pressPayNow()).to).toBe(first);
    const { id } = await order();
    const old = sql<Date>`now() - interval '3 hours'`;
    await db().updateTable("payments").set({ createdAt: old }).where("orderId", "=", id).execute();
    const second = await pressPayNow();
    expect(second.status).toBe(303);
    expect(second.to).not.toBe(first);
  });
});

describe("R30 of payers' payments", () => {
  test("an order has ten at most, and a payer of one of them can still pay", async () => {
    const link = await makeLink();
    for (let payer = 1; payer <= 10; payer++) await openAs(link, `payer${payer}@payer.example`);
    const { status, text } = await press(link, "payer11@payer.example");
    expect([status, text]).toEqual([422, expect.stringContaining(messages.payerLink.tooMany)]);
    await openAs(link, "payer1@payer.example");
    const payments = db()
      .selectFrom("payments")
      .select("reference")
      .where("orderId", "=", (await order()).id);
    expect(await payments.where("payerEmail", "is not", null).execute()).toHaveLength(10);
  });

  test("a link opens fifteen within ten minutes at most", async () => {
    const link = await makeLink();
    for (let pressed = 0; pressed < 15; pressed++) await openAs(link);
    expect((await press(link)).status).toBe(429);
  });
});

test("money that goes back goes to the payment of who paid, who is told as the shopper is", async () => {
  const reference = await openAs(await makeLink());
  await payAs(reference);
  expect(await refundWished(db(), reference)).toMatchObject({ ok: true });
  await catchUp(reference);
  expect(await kindsTo(PAYER)).toContain("payer-refund");
  const [told] = (await mailsTo(FORM.email)).filter(({ kind }) => kind === "refund-started");
  expect(told?.data).toMatchObject({ toPayer: true });
  const refunds = db().selectFrom("refunds").select("reference").where("reference", "=", reference);
  expect(await refunds.execute()).toHaveLength(1);
});

describe("R50 the link", () => {
  test("holds the order for a day, and ends with it: the page says so, and a press opens no payment", async () => {
    const link = await makeLink();
    const { id, createdAt, expiresAt } = await order();
    expect(Math.round((expiresAt.getTime() - createdAt.getTime()) / 60_000)).toBe(24 * 60);
    await expire(id);
    expect((await send(link)).text).toContain(messages.payerLink.over);
    expect(await press(link)).toMatchObject({ status: 303, to: link });
    await catchUp((await ownPage()).slice("/order/".length));
    expect(await statesOf(user)).toEqual(["released"]);
    expect((await send(link)).text).toContain(messages.payerLink.over);
  });

  test("keeps the end of its hold when it is made anew, and the former one opens nothing", async () => {
    const first = await makeLink();
    const { id, expiresAt } = await order();
    const second = await makeLink({ payerLine: "Another line" });
    expect(second).not.toBe(first);
    expect(await order()).toMatchObject({ id, expiresAt });
    expect((await send(first)).status).toBe(404);
    expect((await send(second)).text).toContain("Another line");
    const third = linkIn((await send(await ownPage(), { as: cookie, form: { intent: "new-link" } })).text);
    expect((await send(second)).status).toBe(404);
    expect((await send(third)).text).toContain("Another line");
    expect(await order()).toMatchObject({ id, expiresAt });
    expect((await send(await ownPage(), { as: cookie })).text).not.toContain(third); // shown once
  });

  test("is ended by its shopper, who has the cart still; nobody else can", async () => {
    const link = await makeLink();
    const page = await ownPage();
    const other = await cookieOf(await makeShopper(db()));
    for (const intent of ["end-link", "new-link"])
      expect((await send(page, { as: other, form: { intent } })).status).toBe(404);
    const { status, to } = await send(page, { as: cookie, form: { intent: "end-link" } });
    expect([status, to]).toEqual([303, `${page}?link=ended`]);
    expect((await send(to, { as: cookie })).text).toContain(messages.payerLink.ended);
    expect((await send(link)).text).toContain(messages.payerLink.over);
    expect(await press(link)).toMatchObject({ status: 303, to: link });
    expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
    expect((await send("/checkout", { as: cookie })).text).toContain("Home Jersey");
  });

  test("stays when its shopper looks at the checkout or closes a payment of their own", async () => {
    const link = await makeLink();
    const { text } = await send("/checkout", { as: cookie });
    expect(text).toContain("Your link for somebody else to pay is out");
    const { reference } = await open(user, { form: FORM });
    const { port, origin } = shop();
    await fetch(`http://127.0.0.1:${port}/api/payments/${reference}`, {
      method: "POST",
      headers: { host: new URL(origin).host, origin, cookie, "content-type": "application/json" },
      body: JSON.stringify({ closed: true }),
    });
    expect((await send(link)).text).toContain("asks you to pay");
    expect(await stockOf(productId)).toMatchObject({ reserved: 1 });
  });
});

describe("R30 no link is made", () => {
  test("for an order too large to be held", async () => {
    const large = await makeProduct(db(), { M: 60 });
    await putInCart(db(), user.id, large, "M", 51);
    const { status, text } = await askFor();
    expect([status, text]).toEqual([400, expect.stringContaining(messages.payerLink.notHeld.split("’")[1] ?? "")]);
    expect(await statesOf(user)).toEqual([]);
  });

  test("after three that ended unpaid within a week, also where nobody opened a payment", async () => {
    for (let made = 0; made < 3; made++) {
      await makeLink();
      await send(await ownPage(), { as: cookie, form: { intent: "end-link" } });
    }
    expect((await askFor()).status).toBe(400);
    await db()
      .updateTable("orders")
      .set({ releasedAt: sql`now() - interval '6 days'` })
      .where("userId", "=", user.id)
      .execute();
    expect((await askFor()).status).toBe(400); // although the shopper's own orders are held again
    await db()
      .updateTable("orders")
      .set({ releasedAt: sql`now() - interval '8 days'` })
      .where("userId", "=", user.id)
      .execute();
    await makeLink();
  });

  test("and a held order that ended unpaid counts from its end, as an order of the shopper's own that lapsed", async () => {
    for (let made = 0; made < 3; made++) {
      await makeLink();
      await send(await ownPage(), { as: cookie, form: { intent: "end-link" } });
    }
    await db()
      .updateTable("orders")
      .set({ createdAt: sql`now() - interval '25 hours'` })
      .where("userId", "=", user.id)
      .execute();
    await open(user, { agreesToNoHold: true });
    expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
  });
});

test("the checkout's errors are the same, and a line that is too long is said beside it", async () => {
  const wrong = await askFor({ phoneNumber: "12" });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("aria-invalid")]);
  const long = await askFor({ payerLine: "x".repeat(LINE_MAX + 1) });
  expect([long.status, long.text]).toEqual([400, expect.stringContaining(messages.payerLink.lineTooLong(LINE_MAX))]);
  expect(await statesOf(user)).toEqual([]);
});

test("the payer's address is forgotten with the shopper's account, and with an account of the payer's own", async () => {
  const reference = await openAs(await makeLink());
  await payAs(reference);
  await catchUp((await ownPage()).slice("/order/".length));
  const payer = await makeShopper(db());
  await db().updateTable("users").set({ email: PAYER }).where("id", "=", payer.id).execute();
  const stored = async () =>
    (await db().selectFrom("payments").select("payerEmail").where("reference", "=", reference).executeTakeFirst())
      ?.payerEmail;
  expect(await stored()).toBe(PAYER);
  expect(await deleteCustomer(db(), payer.id)).toEqual({ ok: true });
  expect(await stored()).toBe("deleted");
  await db().updateTable("sales").set({ fulfilledAt: new Date() }).where("reference", "=", reference).execute();
  expect(await deleteCustomer(db(), user.id)).toEqual({ ok: true });
  const links = db()
    .selectFrom("payerLinks")
    .select("line")
    .where(
      "orderId",
      "=",
      sql<string>`(
    select order_id from payments where reference = ${reference})`,
    );
  expect(await links.execute()).toEqual([]);
});

test("switched off, the checkout has nothing of it, and links open nothing", async () => {
  expect((await send("/checkout", { as: cookie })).text).toContain("Let somebody pay for it");
  const link = await makeLink();
  const page = await ownPage();
  await switchTo(false);
  const { text } = await send("/checkout", { as: cookie });
  for (const part of ["Let somebody pay", "payerLine", "somebody else to pay"]) expect(text).not.toContain(part);
  expect((await send("/checkout", { as: cookie, form: { ...FORM, intent: "link" } })).status).toBe(404);
  expect((await send(link)).status).toBe(404);
  expect((await press(link)).status).not.toBe(200);
  expect((await send(page, { as: cookie })).text).not.toContain("Make a new link");
  expect((await send(page, { as: cookie, form: { intent: "new-link" } })).status).toBe(404);
});

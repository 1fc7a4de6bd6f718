vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { recordIssue } from "#app/orders/issues.server.ts";
import { recentHappenings } from "#app/owner/happenings.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { changeRole, removeStaff } from "#app/staff/members.server.ts";
import { publicKey } from "#app/staff/notifications/keys.server.ts";
import { sendNotifications } from "#app/staff/notifications/send.server.ts";
import { beginSession, deleteExpiredOfStaff, endSessions, signOut } from "#app/staff/sessions.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { type Browser, newBrowser, type PushService, startPushService } from "#tests/support/push-service.ts";
import { officeRequest, staffWithPasskey } from "#tests/support/staff.ts";

const { db, provider, oneBuyer } = useCheckout();
const pageAt = useOfficePages();

let service: PushService;
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.stop());
beforeEach(() => db().deleteFrom("notificationDevices").execute());

type Member = Awaited<ReturnType<typeof staffWithPasskey>>;

/** Sends the form of the button, after the browser has made its subscription. */
const press = ({ cookies }: Member, kind: string, { subscription }: Pick<Browser, "subscription">) =>
  pageAt("/me", cookies, { intent: "notify", subscription, "kinds[]": kind });

/** A member of this role, with a browser that is told of this kind. */
async function told(kind: string, role = "owner"): Promise<{ member: Member; browser: Browser }> {
  await publicKey(db()); // asked for by the browser first
  const [member, browser] = [await staffWithPasskey(db(), role), service.subscribe()];
  expect((await press(member, kind, browser)).status).toBe(200);
  return { member, browser };
}

/** What the worker does every minute. The push service is on this machine. */
const minute = () => sendNotifications(db(), () => recentHappenings(db()), { mayReach: () => true });
const makeDue = () =>
  db().updateTable("notifications").set({ nextTryAt: sql`now()` }).where("nextTryAt", "is not", null).execute();
/** A new session in the browser that has these cookies. Returns the new ones. */
const signInAnew = (id: string, cookies: string[] = []) =>
  db()
    .transaction()
    .execute((trx) => beginSession(trx, officeRequest(cookies), id));
const devices = () => db().selectFrom("notificationDevices").select(["device", "kinds"]).execute();

async function sold(stock = 5) {
  const { payment, productId, user } = await oneBuyer(stock);
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  const order = await db()
    .selectFrom("orders")
    .select(["number", "kobo"])
    .where("id", "=", payment.orderId)
    .executeTakeFirstOrThrow();
  return { ...order, productId, user, reference: payment.reference, sum: formatKobo(kobo(Number(order.kobo))) };
}

describe("a new order", () => {
  test("comes to the owner's phone with number and sum, to a packer's without the sum, and names nobody", async () => {
    const [owner, packer] = [await told("order"), await told("order", "packer")];
    const { number, sum, user } = await sold();
    expect(await db().selectFrom("notifications").select("kind").execute(), "a sale writes nothing").toEqual([]);
    await minute();
    const tag = expect.stringMatching(/^[\w-]{32}$/);
    const shown = { title: `New order ${number}`, path: `/orders/${number}`, tag };
    expect(owner.browser.shown).toEqual([{ ...shown, body: sum }]);
    expect(packer.browser.shown).toEqual([{ ...shown, body: "" }]);
    const words = owner.browser.shown.map(({ title, body, path }) => title + body + path).join();
    expect(words).not.toMatch(new RegExp(`${user.email}|Ada|Obi|Jersey|Lagos`));
    const [headers] = owner.browser.headers;
    expect(headers).toMatchObject({ ttl: "43200", urgency: "high", "content-encoding": "aes128gcm" });
    expect(headers?.topic).toBe(owner.browser.shown[0]?.tag);
  });

  test("is told once, however often and in however many processes the job runs", async () => {
    const { browser } = await told("order");
    await sold();
    await Promise.all([minute(), minute(), minute()]);
    await makeDue();
    await minute();
    expect(browser.shown).toHaveLength(1);
  });

  test("from before the press is not told of", async () => {
    await sold();
    const { browser } = await told("order");
    await minute();
    expect(browser.shown).toEqual([]);
  });

  test("with others in the same minute makes one message", async () => {
    const { browser } = await told("order");
    const orders = [await sold(), await sold(), await sold()];
    await minute();
    const sum = formatKobo(kobo(orders.reduce((all, order) => all + Number(order.kobo), 0)));
    expect(browser.shown).toMatchObject([{ title: "3 new orders", path: "/orders?view=to-send" }]);
    for (const { number } of orders) expect(browser.shown[0]?.body).toContain(number);
    expect(browser.shown[0]?.body).toMatch(new RegExp(` · ${sum}$`));
  });
});

test("a payment that needs attention, and a size that sells out, are told where they are switched on", async () => {
  const [payments, sizes] = [await told("payment"), await told("size")];
  const { number, sum, reference, productId } = await sold(1);
  await recordIssue(db(), reference, "dispute");
  await recordIssue(db(), `strange-${crypto.randomUUID()}`, "unknown-reference");
  await minute();
  const shown = { title: "2 payments need attention", body: `${number} · ${sum}` };
  expect(payments.browser.shown).toMatchObject([shown]);
  expect(sizes.browser.shown).toMatchObject([
    { title: expect.stringMatching(/^Sold out: .+, M$/), body: "", path: `/products/${productId}/stock` },
  ]);
});

test("what a role may not see is neither offered nor sent", async () => {
  const packer = await staffWithPasskey(db(), "packer");
  const { text } = await pageAt("/me", packer.cookies);
  expect(text).toContain("New orders");
  expect(text).not.toContain("Payments that need attention");
  expect((await press(packer, "payment", newBrowser())).status).toBe(422);
  const { member, browser } = await told("payment");
  await staffWithPasskey(db(), "owner"); // the last one stays an owner
  await changeRole(db(), OWNER, member.email, "packer");
  await recordIssue(db(), (await sold()).reference, "dispute");
  await minute();
  expect(browser.shown).toEqual([]);
});

describe("nothing comes any more to a member", () => {
  const GONE: [string, (member: Member) => Promise<unknown>][] = [
    ["who is removed", ({ email }) => removeStaff(db(), OWNER, email)],
    ["whose sessions an owner ends", (member) => endSessions(db(), OWNER, member, "all")],
    ["who ends all other sessions elsewhere", (member) => endSessions(db(), OWNER, member, { notOf: officeRequest() })],
    ["who signs out", ({ cookies }) => signOut(officeRequest(cookies))],
    [
      "whose sign-in is 14 days old",
      async () => {
        await sql`update notification_devices set expires_at = now() - interval '1 second'`.execute(db());
        await deleteExpiredOfStaff(db());
      },
    ],
  ];
  test.each(GONE)("%s", async (_, leave) => {
    await staffWithPasskey(db(), "owner"); // the last one could not be removed
    const { member, browser } = await told("order");
    await leave(member);
    await sold();
    await minute();
    expect([browser.shown, await devices()]).toEqual([[], []]);
  });
});

test("a session that ends unused leaves notifications on, and a new sign-in there keeps them", async () => {
  const { member, browser } = await told("order");
  await sql`update staff_sessions set used_at = now() - interval '13 hours'`.execute(db());
  await deleteExpiredOfStaff(db());
  await sold();
  await minute();
  expect(browser.shown).toHaveLength(1);
  const cookies = await signInAnew(member.id, member.cookies);
  expect((await pageAt("/me", cookies)).text).toContain("This one");
  await signOut(officeRequest(cookies));
  expect(await devices()).toEqual([]);
});

test("somebody else who signs in in the same browser gets nothing of the member before", async () => {
  const { member } = await told("order");
  const eze = await staffWithPasskey(db(), "owner");
  await signInAnew(eze.id, member.cookies);
  expect(await devices()).toEqual([]);
});

describe("a push service that answers", () => {
  test.each([404, 410])("%s has no such browser any more: the device is taken off", async (status) => {
    const { browser } = await told("order");
    browser.answers.push(status);
    await sold();
    await minute();
    expect(await devices()).toEqual([]);
  });

  test.each([500, 503, 429])("%s is asked again later, and not at once", async (status) => {
    const { browser, member } = await told("order");
    browser.answers.push(status);
    await sold();
    await minute();
    await minute();
    expect(browser.shown).toEqual([]);
    expect((await pageAt("/me", member.cookies)).text).toContain(`the push service answered ${status}`);
    await makeDue();
    await minute();
    expect(browser.shown).toHaveLength(1);
    expect((await pageAt("/me", member.cookies)).text).not.toContain("the push service answered");
  });

  test("again and again that it cannot is given up after six tries", async () => {
    const { browser } = await told("order");
    browser.answers.push(...Array(7).fill(503));
    await sold();
    for (let at = 0; at < 8; at++) {
      await minute();
      await makeDue();
    }
    expect(browser.answers).toHaveLength(1);
  });

  test("400, or that it is elsewhere, is not asked again", async () => {
    const { browser } = await told("order");
    for (const status of [400, 307]) {
      browser.answers.push(status);
      await sold();
      await minute();
      await makeDue();
      await minute();
    }
    expect([browser.answers, browser.shown]).toEqual([[], []]);
  });
});

describe("S54 the shop sends notifications to public addresses alone", () => {
  test.each([
    "http://push.example/1",
    "https://127.0.0.1/1",
    "https://10.0.0.7/1",
    "https://169.254.169.254/latest",
    "https://[::1]/1",
    "https://[::ffff:10.0.0.7]/1",
    "https://ada@push.example/1",
    `https://push.example/${"x".repeat(1000)}`,
    "push.example",
  ])("%s is refused by the form", async (endpoint) => {
    const member = await staffWithPasskey(db(), "owner");
    const subscription = JSON.stringify({ ...JSON.parse(newBrowser().subscription), endpoint });
    const { status, text } = await press(member, "order", { subscription });
    expect(status).toBe(422);
    expect(text).toContain("This browser’s notifications can’t be used here");
    expect(await devices()).toEqual([]);
  });

  test("a name that leads to this machine is not connected to", async () => {
    const { browser, member } = await told("order");
    await sold();
    await sendNotifications(db(), () => recentHappenings(db()));
    expect(browser.shown).toEqual([]);
    expect((await pageAt("/me", member.cookies)).text).toContain("is no public address");
  });
});

describe("on the page of one's own account", () => {
  test("nothing is loaded before the press, and without script the page says what is needed", async () => {
    const { cookies } = await staffWithPasskey(db(), "owner");
    const { raw, text } = await pageAt("/me", cookies);
    expect(text).toContain("Get notifications on this device");
    expect(text).toContain("Notifications need script.");
    expect(raw).not.toContain("office-worker.js");
    const sent = await pageAt("/me", cookies, { intent: "notify", "kinds[]": "order" });
    expect([sent.status, sent.text.includes("Switching notifications on needs script")]).toEqual([422, true]);
  });

  test("the kinds of a device are changed, and it is switched off, without script", async () => {
    const { member, browser } = await told("order");
    const { fields } = await pageAt("/me", member.cookies);
    const device = fields.find(({ name }) => name === "device")?.value ?? "";
    const none = await pageAt("/me", member.cookies, { intent: "notify-kinds", device });
    expect([none.status, none.text.includes("Tick at least one")]).toEqual([422, true]);
    await pageAt("/me", member.cookies, { intent: "notify-kinds", device, "kinds[]": "size" });
    expect(await devices()).toMatchObject([{ kinds: ["size"] }]);
    await sold();
    await minute();
    expect(browser.shown).toEqual([]);
    const other = await staffWithPasskey(db(), "owner");
    await pageAt("/me", other.cookies, { intent: "notify-off", device });
    expect(await devices(), "another's device").toHaveLength(1);
    await pageAt("/me", member.cookies, { intent: "notify-off", device });
    expect(await devices()).toEqual([]);
  });

  test("a browser that presses again is one device", async () => {
    const { member, browser } = await told("order");
    await press(member, "size", browser);
    await press(member, "payment", service.subscribe());
    expect(await devices()).toMatchObject([{ kinds: ["payment"] }]);
  });

  test("an eleventh device of a member is refused", async () => {
    const { member } = await told("order");
    const { id, createdAt, ...own } = await db()
      .selectFrom("notificationDevices")
      .selectAll()
      .executeTakeFirstOrThrow();
    const others = Array.from({ length: 9 }, (_, at) => {
      return { ...own, sessionHash: Buffer.from(`session ${at}`), endpoint: newBrowser().endpoint };
    });
    await db().insertInto("notificationDevices").values(others).execute();
    expect((await press(member, "order", newBrowser())).status, "this one is among the ten").toBe(200);
    const elsewhere = { ...member, cookies: await signInAnew(member.id) };
    const { status, text } = await press(elsewhere, "order", newBrowser());
    expect([status, text.includes("10 devices get your notifications already")]).toEqual([422, true]);
  });
});

test("the shop's keys are made once, also by several processes at once, and only the public one is told", async () => {
  await db().deleteFrom("notificationKeys").execute();
  const { cookies } = await staffWithPasskey(db(), "reader");
  const made = await Promise.all([publicKey(db()), publicKey(db()), publicKey(db()), publicKey(db())]);
  expect(new Set(made.map((key) => key.toString("hex"))).size).toBe(1);
  const { raw } = await pageAt("/me/push-key", cookies);
  expect(JSON.parse(raw)).toEqual({ key: made[0]?.toString("base64url") });
  expect(await db().selectFrom("notificationKeys").select("isOnly").execute()).toHaveLength(1);
});

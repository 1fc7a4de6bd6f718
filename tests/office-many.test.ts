vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { recordIssue } from "#app/orders/issues.server.ts";
import { markReady, markSent } from "#app/owner/orders/fulfilment.server.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { type OfficePage, useOfficePages } from "#tests/support/office-pages.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const { db, provider, oneBuyer, openPickUp } = useCheckout();
const ask = useOfficePages();

let cookies: string[];
beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "packer"));
});

type Order = { number: string; reference: string };
type Payment = { reference: string; orderId: string };

async function numbered({ reference, orderId }: Payment): Promise<Order> {
  const row = db().selectFrom("orders").select("number").where("id", "=", orderId);
  return { reference, number: (await row.executeTakeFirstOrThrow()).number };
}

async function sold(payment: Payment, mark?: typeof markSent): Promise<Order> {
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  await mark?.(db(), payment.reference);
  return numbered(payment);
}

const toSend = async () => sold((await oneBuyer()).payment);
const toPickUp = async () => sold(await openPickUp());
const sent = async () => sold((await oneBuyer()).payment, markSent);
const ready = async () => sold(await openPickUp(), markReady);
const unpaid = async () => numbered((await oneBuyer()).payment);

const stand = ({ reference }: Order) =>
  db()
    .selectFrom("sales")
    .select(["packedAt", "fulfilledAt", "readyAt", "deliveredAt"])
    .where("reference", "=", reference)
    .executeTakeFirst();
const mails = async () =>
  (await db().selectFrom("outbox").select("id").where("kind", "in", ["order-sent", "order-ready"]).execute()).length;
const acts = async ({ reference }: Order) =>
  (
    await db()
      .selectFrom("auditLog")
      .select(["action", "actor"])
      .where("subjectId", "=", reference)
      .orderBy("id")
      .execute()
  ).map(({ action }) => action);

const addressOf = (step: string, orders: Order[]) =>
  `/orders/steps?numbers=${orders.map(({ number }) => number).join(",")}&do=${step}`;

/** Presses the button of the page for these orders, as it is without script. Returns the page of the result. */
async function mark(step: string, orders: Order[], more: Record<string, string> = {}) {
  const address = addressOf(step, orders);
  const page = await ask(address, cookies);
  const numbers = page.fields.find(({ name }) => name === "numbers")?.value ?? "";
  expect(page.forms.flatMap(({ intents }) => intents)).toEqual([step]);
  const { location } = await ask(address, cookies, { intent: step, numbers, ...more });
  expect(location).toMatch(/^\/orders\/steps\/[0-9a-f-]+$/);
  return { location: location ?? "", page: await ask(location ?? "", cookies) };
}

const canTakeBack = ({ forms }: OfficePage) => forms.some(({ intents }) => intents.includes("take-back"));

type Case = { step: string; as: string; command: string; makes: (() => Promise<Order>)[]; told: number };
const CASES: Case[] = [
  { step: "pack", as: "packed", command: "orders pack", makes: [toSend, toPickUp], told: 0 },
  { step: "ready", as: "ready for pick-up", command: "orders ready", makes: [toPickUp, toPickUp], told: 2 },
  { step: "deliver", as: "delivered", command: "orders deliver", makes: [sent, ready], told: 0 },
];

describe.each(CASES)("many that are marked as $as at once", ({ step, as, command, makes, told }) => {
  test("are marked as on their own pages, once, and taken back at once", async () => {
    const orders = await Promise.all(makes.map((make) => make()));
    const [was, mailsBefore] = [await Promise.all(orders.map(stand)), await mails()];
    const { location, page } = await mark(step, orders);
    expect(page.text).toContain(`2 orders are marked as ${as}.`);
    expect(page.text.includes("We’ll email the shoppers in a moment")).toBe(told > 0);
    expect(await mails()).toBe(mailsBefore + told);
    for (const [at, order] of orders.entries()) {
      expect(await stand(order)).not.toEqual(was[at]);
      expect(await acts(order)).toEqual([command]);
    }

    const numbers = orders.map(({ number }) => number).join(",");
    await ask("/orders/steps", cookies, { intent: step, numbers }); // the same form again
    expect(await mails()).toBe(mailsBefore + told);
    expect(await acts(orders[0] as Order)).toEqual([command]);

    const answer = await ask(location, cookies, { intent: "take-back" });
    expect(answer.text).toContain(`2 orders are no longer marked as ${as}.`);
    expect(await Promise.all(orders.map(stand))).toEqual(was);
    expect(await mails()).toBe(mailsBefore);
    expect(canTakeBack(answer)).toBe(false);
    expect((await ask(location, cookies, { intent: "take-back" })).text).toContain("It’s too late");
  });
});

test("an order that cannot take the step is named with its reason, before and after, and the others are done", async () => {
  const [good, late, unbought, disputed] = await Promise.all([toSend(), sent(), unpaid(), toSend()]);
  await recordIssue(db(), disputed.reference, "dispute");
  const all = [late, good, unbought, disputed, { number: "IR-0000-00", reference: "" }];
  const before = await ask(addressOf("pack", all), cookies);
  expect(before.text).toContain("Mark 1 as packed");
  expect(before.text).toContain("4 can’t be marked");
  const { page } = await mark("pack", all);
  expect(page.text).toContain("1 order is marked as packed.");
  for (const { text } of [before, page]) {
    expect(text).toMatch(new RegExp(`${late.number} .*Already sent`));
    expect(text).toMatch(new RegExp(`${unbought.number} .*Isn’t paid yet`));
    expect(text).toMatch(new RegExp(`${disputed.number} .*Its payment is disputed`));
    expect(text).toMatch(/IR-0000-00 .*This order doesn’t exist/);
  }
  expect((await stand(good))?.packedAt).not.toBeNull();
  expect((await stand(disputed))?.packedAt).toBeNull();
});

test("a step that came after is not taken back with them", async () => {
  const [one, other] = [await toSend(), await toSend()];
  const { location } = await mark("pack", [one, other]);
  await ask(`/orders/${one.number}`, cookies, { intent: "send" });
  const { text } = await ask(location, cookies, { intent: "take-back" });
  expect(text).toContain("1 order is no longer marked as packed; for 1 it’s too late");
  expect(await stand(one)).toMatchObject({ packedAt: expect.any(Date), fulfilledAt: expect.any(Date) });
  expect(await stand(other)).toMatchObject({ packedAt: null });
});

test("it is too late after 20 seconds", async () => {
  const order = await toSend();
  const { location } = await mark("pack", [order]);
  await sql`alter table audit_log disable trigger append_only`.execute(db());
  await sql`update audit_log set at = at - interval '20 s' where subject_id = ${order.reference}`.execute(db());
  await sql`alter table audit_log enable trigger append_only`.execute(db());
  expect(canTakeBack(await ask(location, cookies))).toBe(false);
  expect((await ask(location, cookies, { intent: "take-back" })).text).toContain("It’s too late");
  expect((await stand(order))?.packedAt).not.toBeNull();
});

test("many are delivered on a day that somebody types, and a day that cannot be is refused", async () => {
  const orders = [await sent(), await sent()];
  const address = addressOf("deliver", orders);
  const numbers = orders.map(({ number }) => number).join(",");
  for (const [day, problem] of [
    ["soon", "Write a date like 2026-01-31"],
    ["9999-01-01", "That day hasn’t come yet"],
  ]) {
    const refused = await ask(address, cookies, { intent: "deliver", numbers, day: day ?? "" });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(problem ?? "")]);
  }
  const { page } = await mark("deliver", orders, { day: "2020-01-01" });
  expect(page.text).toContain("it can’t have arrived before");
  expect((await stand(orders[0] as Order))?.deliveredAt).toBeNull();
  expect((await mark("deliver", orders, { day: shopDay() })).page.text).toContain("2 orders are marked as delivered.");
});

test("the task is found again on the list by whoever began it", async () => {
  const { location } = await mark("pack", [await toSend(), await unpaid()]);
  const { links, text } = await ask("/orders", cookies);
  expect(links).toContain(location);
  expect(text).toContain("1 marked as packed. Not marked: 1 order");
  const other = await staffWithPasskey(db(), "packer");
  expect((await ask("/orders", other.cookies)).links).not.toContain(location);
  expect((await ask(location, other.cookies)).status).toBe(404);
});

test.each(["/orders/steps", "/orders/steps?do=pack", "/orders/steps?do=cancel&numbers=IR-0000-00"])(
  "%s has nothing to mark, and leads to the list",
  async (address) => {
    expect(await ask(address, cookies)).toMatchObject({ status: 302, location: "/orders" });
  },
);

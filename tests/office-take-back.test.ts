vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { beforeAll, describe, expect, test, vi } from "vitest";
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

async function sold(payment: { reference: string; orderId: string }): Promise<Order> {
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  const row = db().selectFrom("orders").select("number").where("id", "=", payment.orderId);
  return { number: (await row.executeTakeFirstOrThrow()).number, reference: payment.reference };
}

const toSend = async () => sold((await oneBuyer()).payment);
const toPickUp = async () => sold(await openPickUp());

const stand = ({ reference }: Order) =>
  db()
    .selectFrom("sales")
    .select(["packedAt", "fulfilledAt", "carrier", "tracking", "readyAt", "deliveredAt", "returnedAt"])
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
/** The mails about the delivery of all orders, with the seconds for which each waits. */
const mails = async () =>
  (
    await sql<{ kind: string; waits: number }>`
      select kind, extract(epoch from start_after - created_on)::int as waits
      from outbox join jobs.job on job.data ->> 'id' = outbox.id::text and name = 'send-mail'
      where kind in ('order-sent', 'order-ready') and outbox.state = 'queued'`.execute(db())
  ).rows;

const send = (order: Order, form: Record<string, string>) => ask(`/orders/${order.number}`, cookies, form);
/** The form of the page's button “Take back”, as it is without script; undefined if there is none. */
function takeBackOf({ forms, fields }: OfficePage): Record<string, string> | undefined {
  if (!forms.some(({ intents }) => intents.includes("take-back"))) return;
  const act = fields.find(({ name }) => name === "act")?.value;
  return { intent: "take-back", ...(act && { act }) };
}

const STEPS: [name: string, make: () => Promise<Order>, before: Record<string, string>[], Record<string, string>][] = [
  ["packed", toSend, [], { intent: "pack" }],
  ["sent", toSend, [{ intent: "pack" }], { intent: "send", carrier: "GIG", tracking: "GIG-1" }],
  [
    "a corrected parcel",
    toSend,
    [{ intent: "send", carrier: "GIG", tracking: "1" }],
    { intent: "send", carrier: "GIG", tracking: "2" },
  ],
  ["ready", toPickUp, [], { intent: "ready" }],
  ["delivered", toSend, [{ intent: "send" }], { intent: "deliver" }],
  ["picked up", toPickUp, [{ intent: "ready" }], { intent: "deliver" }],
];

describe.each(STEPS)("%s, by mistake", (_, make, before, step) => {
  test("is taken back from the page of the answer: the order is as it was, no mail goes out, and it can be done again", async () => {
    const order = await make();
    for (const form of before) await send(order, form);
    const [was, mailsBefore] = [await stand(order), await mails()];
    const page = await send(order, step);
    expect(page.text).toMatch(/Take back \((19|20) s\)/);
    const mailed = (await mails()).length - mailsBefore.length;
    const answer = await send(order, takeBackOf(page) ?? {});
    expect(answer.text).toContain("No longer marked as");
    expect(takeBackOf(answer)).toBeUndefined();
    expect(await stand(order)).toEqual(was);
    expect(await mails()).toEqual(mailsBefore);
    await send(order, step);
    expect((await mails()).length - mailsBefore.length).toBe(mailed);
    expect(await stand(order)).not.toEqual(was);
  });
});

test("the mails about it wait for longer than it can be taken back", async () => {
  await send(await toSend(), { intent: "send" });
  await send(await toPickUp(), { intent: "ready" });
  expect(Math.min(...(await mails()).map(({ waits }) => waits))).toBeGreaterThan(20);
});

test("taking back twice is once", async () => {
  const order = await toSend();
  const form = takeBackOf(await send(order, { intent: "pack" })) ?? {};
  await Promise.all([send(order, form), send(order, form)]);
  const acts = db().selectFrom("auditLog").select("action").where("subjectId", "=", order.reference).orderBy("id");
  expect((await acts.execute()).map(({ action }) => action)).toEqual(["orders pack", "orders take back"]);
  expect((await send(order, form)).text).not.toContain("can’t be taken back");
});

test("it is too late after 20 seconds, and once something else has happened", async () => {
  const late = await toSend();
  const form = takeBackOf(await send(late, { intent: "send" })) ?? {};
  await sql`alter table audit_log disable trigger append_only`.execute(db());
  await sql`update audit_log set at = at - interval '20 s' where subject_id = ${late.reference}`.execute(db());
  await sql`alter table audit_log enable trigger append_only`.execute(db());
  const answer = await send(late, form);
  expect(answer.text).toContain("20 seconds are over: it can’t be taken back");
  expect(takeBackOf(answer)).toBeUndefined();
  expect((await stand(late)).fulfilledAt).not.toBeNull();

  const changed = await toSend();
  const packed = takeBackOf(await send(changed, { intent: "pack" })) ?? {};
  await send(changed, { intent: "send" });
  expect((await send(changed, packed)).text).toContain("Something else has happened");
  expect((await stand(changed)).packedAt).not.toBeNull();
});

test("many that were marked as sent at once are taken back at once", async () => {
  const orders = [await toSend(), await toSend()];
  const before = await mails();
  const rows = orders.map(({ number }) => `${number}\tGIG\tGIG-${number}`).join("\n");
  const { location } = await ask("/orders/parcels", cookies, { intent: "mark", rows, carrier: "" });
  const page = await ask(location ?? "", cookies);
  expect(page.text).toContain("2 orders are marked as sent.");
  const answer = await ask(location ?? "", cookies, takeBackOf(page) ?? {});
  expect(answer.text).toContain("2 orders are no longer marked as sent.");
  for (const order of orders) expect(await stand(order)).toMatchObject({ fulfilledAt: null, tracking: null });
  expect(await mails()).toEqual(before);
  expect((await ask(location ?? "", cookies, { intent: "take-back" })).text).toContain("It’s too late");
});

test("an order’s history tells what was taken back, and by whom, and not that it was sent", async () => {
  const order = await toSend();
  await send(order, takeBackOf(await send(order, { intent: "send" })) ?? {});
  const owner = await staffWithPasskey(db(), "owner");
  const { text } = await ask(`/orders/${order.number}`, owner.cookies);
  expect(text).toMatch(/Taken back.*No longer marked as sent\./);
  expect(text).not.toMatch(/Sent Ada Obi/);
});

import { sql } from "kysely";
import { type LoaderFunctionArgs, RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { subscribe } from "#app/newsletter/newsletter.server.ts";
import { saveStock } from "#app/owner/catalog/stock.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import type { BuiltInRole } from "#app/staff/roles.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { OFFICE, officeRequest, staffWithPasskey } from "#tests/support/staff.ts";
import { requireStaff } from "../office/http/staff.server.ts";
import { loader as auditLoader } from "../office/routes/audit.tsx";
import { loader as newsletterLoader } from "../office/routes/newsletter-export.ts";

const { db, oneBuyer, provider } = useCheckout();
const say = (...line: string[]) => command(db(), line);

/** The arguments of a screen's loader, called by a member with this role. */
async function argsOf(path: string, role: BuiltInRole = "owner"): Promise<LoaderFunctionArgs> {
  const { headers } = officeRequest((await staffWithPasskey(db(), role)).cookies);
  const request = new Request(OFFICE + path, { headers });
  const args = { request, context: new RouterContextProvider(), params: {}, url: new URL(request.url), pattern: "" };
  await requireStaff(args, async () => new Response());
  return args;
}
const audit = async (query: Record<string, string>, role?: BuiltInRole) =>
  (await auditLoader(await argsOf(`/audit?${new URLSearchParams(query)}`, role))).rows;

/** Makes a sold order and packs it. */
async function packed() {
  const { payment, user } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  expect(await say("orders", "pack", payment.reference)).toMatchObject({ code: 0 });
  const { number } = await db()
    .selectFrom("orders")
    .select("number")
    .where("id", "=", payment.orderId)
    .executeTakeFirstOrThrow();
  return { number, user, reference: payment.reference };
}

test("an order is found by its number, however it is written, and each row shows it and leads to it", async () => {
  const [{ number, reference }] = [await packed(), await packed()];
  for (const q of [number, number.toLowerCase().replaceAll("-", " ")]) {
    const found = await audit({ q });
    expect(found).toMatchObject([{ action: "orders pack", subjectId: reference, number, to: `/orders/${number}` }]);
  }
  for (const subject of [number, `order:${number}`, reference, `order:${reference}`]) {
    const { data, text } = await say("audit", "list", "--subject", subject);
    expect(data).toMatchObject({ total: 1, changes: [{ action: "orders pack", number }] });
    expect(text).toContain(`order:${reference} (${number})`);
  }
  expect(await audit({ q: "IR-0000-00" })).toEqual([]);
});

test("an order among very many rows is found by its index", async () => {
  const { number } = await packed();
  await sql`insert into audit_log (actor, door, action, subject_kind, subject_id)
    select 'ada@example.com', 'office', 'orders send', 'order', 'another-' || n from generate_series(1, 100000) n`.execute(
    db(),
  );
  await sql`analyze audit_log`.execute(db());
  const read = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db());
    const { rows } = await sql<{ read: number }>`
      select seq_tup_read::int + (select coalesce(sum(idx_tup_read), 0)::int from pg_stat_user_indexes where relname = 'audit_log') as read
      from pg_stat_user_tables where relname = 'audit_log'`.execute(db());
    return rows[0]?.read ?? 0;
  };
  const before = await read();
  await audit({ q: number });
  await say("audit", "list", "--subject", number);
  expect((await read()) - before).toBeLessThan(1000);
});

test("moments within a row are in the shop's time zone, on the screen and by command", async () => {
  const row = {
    actor: "ada",
    door: "office" as const,
    action: "products change",
    subjectKind: "product",
    subjectId: "cap",
  };
  const after = JSON.stringify({
    publishAt: "2026-03-01T13:05:00.000Z",
    parts: [{ noticeFrom: "2026-12-31T23:30:00Z" }],
  });
  await db()
    .insertInto("auditLog")
    .values({ ...row, after })
    .execute();
  expect(await audit({ q: "cap" })).toMatchObject([
    { after: { publishAt: "2026-03-01 14:05", parts: [{ noticeFrom: "2027-01-01 00:30" }] }, to: "/products/cap" },
  ]);
  const { text } = await say("audit", "list", "--subject", "product:cap");
  expect(text).toContain('"publishAt":"2026-03-01 14:05"');
});

test("a row on the screen has what changed, and not what stayed", async () => {
  const row = { actor: "ada", door: "office" as const, action: "orders send", subjectKind: "order", subjectId: "one" };
  const before = JSON.stringify({ carrier: null, tracking: null, packed: true, pieces: [{ size: "M" }], was: null });
  const after = JSON.stringify({ carrier: "GIG", tracking: null, packed: true, pieces: [{ size: "M" }], sent: 2 });
  await db()
    .insertInto("auditLog")
    .values({ ...row, before, after })
    .execute();
  expect((await audit({ q: "one" }))[0]).toMatchObject({
    before: { carrier: null },
    after: { carrier: "GIG", sent: 2 },
  });
  expect(Object.keys((await audit({ q: "one" }))[0]?.before ?? {})).toEqual(["carrier"]);
});

test("a row on the screen is without the keys of what was typed", async () => {
  const id = await makeProduct(db(), { M: 3 });
  const changes = [{ id, size: "M", supplied: 3, onHand: 3, typed: 5, key: crypto.randomUUID() }];
  await saveStock(db(), { name: "ada@example.com", door: "office" }, { changes, reason: "delivery" });
  expect(await audit({ q: id })).toMatchObject([
    { before: { sizes: { M: 3 } }, after: { sizes: { M: 5 }, reason: "delivery" } },
  ]);
  expect(Object.keys((await audit({ q: id }))[0]?.after ?? {})).not.toContain("keys");
});

test("a customer is a link for whoever may see customers", async () => {
  const { user } = await packed();
  await say("customers", "export", user.email);
  expect(await audit({ q: user.id })).toMatchObject([{ to: `/customers/${user.id}` }]);
  expect((await audit({ q: user.id }, "reader"))[0]?.to).toBeUndefined();
});

test("the newsletter's file says since when in the shop's time zone, as the other files do", async () => {
  await subscribe(db(), "Eze", "eze@example.com");
  await sql`update subscriptions set created_at = '2026-03-01T23:05:00Z' where email = 'eze@example.com'`.execute(db());
  const csv = await newsletterLoader(await argsOf("/newsletter/export.csv")).text();
  expect(csv).toContain("Eze,eze@example.com,2026-03-02 00:05");
});

vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { randomUUID } from "node:crypto";
import { beforeEach, expect, test, vi } from "vitest";
import { storeRate } from "#app/catalog/rates.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { FALLBACK_RATE } from "#app/money/exchange-rate.ts";
import { recordIssue } from "#app/orders/issues.server.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { withinOneDay } from "#tests/support/moments.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { asked, delivered } from "#tests/support/returns.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const checkout = useCheckout();
const { db, provider, oneBuyer } = checkout;
const pageAt = useOfficePages();

beforeEach(withinOneDay);

/** Makes an order of one jersey that was paid then. */
async function paid(createdAt: Date): Promise<void> {
  const { payment } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  await db().updateTable("sales").set({ createdAt }).where("reference", "=", payment.reference).execute();
}

test("takings are told in naira and dollars, of each day and of the day before it", async () => {
  const { cookies } = await staffWithPasskey(db(), "reader");
  for (const daysAgo of [0, 0, 7]) await paid(new Date(Date.now() - daysAgo * DAY));
  const { text } = await pageAt("/?days=7", cookies);
  expect(text).toContain("₦171,168 $106.98 +100.0% on the 7 days before (₦85,584, $53.49)");
  expect(text).toMatch(/₦171,168 \$106\.98 2 ₦85,584 \$53\.49/);
});

test("takings of a month are compared with the same days of the month before", async () => {
  const { cookies } = await staffWithPasskey(db(), "reader");
  const third = (monthsAgo: number) =>
    Temporal.PlainDate.from(shopDay()).with({ day: 3 }).subtract({ months: monthsAgo }).toString();
  for (const monthsAgo of [3, 4, 4]) await paid(new Date(`${third(monthsAgo)}T12:00:00Z`));
  const month = third(3).slice(0, 7);
  const { text } = await pageAt(`/?month=${month}`, cookies);
  expect(text).toContain("₦85,584 $53.49 −50.0% on the same days of the month before (₦171,168, $106.98)");
  expect(text).toMatch(/₦85,584 \$53\.49 1 ₦171,168 \$106\.98/);
});

test.each(["2026-13", "1999-01", "x", ""])("takings of the month “%s” are those of the last 7 days", async (month) => {
  const { cookies } = await staffWithPasskey(db(), "reader");
  expect((await pageAt(`/?month=${month}`, cookies)).text).toContain("on the 7 days before");
});

/** How many tasks the document's title counts. */
const countIn = (raw: string) => Number(/<title>\((\d+)\) Today · Irepo office<\/title>/.exec(raw)?.[1] ?? 0);

test("each task says since when the oldest waits, and the title counts the open ones", async () => {
  const { cookies } = await staffWithPasskey(db(), "owner");
  await storeRate(db(), FALLBACK_RATE, "test");
  const before = countIn((await pageAt("/", cookies)).raw);
  const [yesterday, later] = [new Date(Date.now() - DAY), new Date(Date.now() - DAY / 2)];
  for (const at of [yesterday, later]) {
    const sale = await delivered(checkout, { ago: "2 days", sizes: { M: 50 } });
    const number = await asked(db(), sale);
    await db().updateTable("returns").set({ askedAt: at }).where("number", "=", number).execute();
    await recordIssue(db(), sale.reference, "dispute");
    await db().updateTable("paymentIssues").set({ createdAt: at }).where("reference", "=", sale.reference).execute();
    const mail = { idempotencyKey: randomUUID(), recipient: "ada@example.com", kind: "order-sent", data: "{}" };
    const failed = { messageId: randomUUID(), state: "failed" as const, createdAt: at };
    await db()
      .insertInto("outbox")
      .values({ ...mail, ...failed })
      .execute();
  }
  const { text, raw } = await pageAt("/", cookies);
  const since = `The oldest has been waiting since ${inLagos(yesterday)}.`;
  expect(text).toContain(`2 Payments that need attention ${since}`);
  expect(text).toContain(`2 Returns waiting 2 to answer, 0 to refund or to send. ${since}`);
  expect(text).toContain(`2 Emails that didn’t arrive ada@example.com, ada@example.com. ${since}`);
  expect(countIn(raw) - before).toBe(3);
});

const inLagos = (at: Date) =>
  new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: "Africa/Lagos",
  }).format(at);

test("the head has the hour at the shop", async () => {
  const { cookies } = await staffWithPasskey(db(), "packer");
  expect((await pageAt("/", cookies)).text).toMatch(/Today [A-Z][a-z]{2},? \d+ [A-Z][a-z]+, \d\d:\d\d in Lagos/);
});

import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { paidByHand, staffOrder } from "#tests/support/staff-order.ts";
import { shopFigures } from "./figures.server.ts";

const shop = useCheckout();

async function told(figures = shopFigures(shop.db)): Promise<Record<string, number>> {
  const all = (await figures()).flatMap(({ name, samples }) =>
    samples.map(({ labels, value }): [string, number] => [[name, ...Object.values(labels)].join(" "), value]),
  );
  return Object.fromEntries(all);
}

const queueOldMail = () =>
  sql`insert into outbox (idempotency_key, recipient, kind, data, message_id, created_at)
    values ('x', 'ada@example.com', 'sale', '{}', 'x', now() - interval '3 days')`.execute(shop.db());

test("a new shop's only faults are that it has neither backup nor rate", async () => {
  await sql`delete from exchange_rates`.execute(shop.db());
  const seen = await told();
  expect(seen).toMatchObject({
    irepo_payments_watched: 0,
    irepo_payment_oldest_unsettled_seconds: 0,
    irepo_payment_check_overdue_seconds: 0,
    irepo_refund_oldest_unfinished_seconds: 0,
    irepo_mail_oldest_queued_seconds: 0,
    irepo_rate_age_seconds: Infinity,
    irepo_backup_age_seconds: Infinity,
    irepo_check_age_seconds: Infinity,
  });
});

test("figures of orders, payments, mails, jobs and ages agree with the tables", async () => {
  const { payment } = await shop.oneBuyer();
  const on = shop.db();
  await sql`update payments set next_check_at = now() - interval '400 s', created_at = now() - interval '1000 s' where reference = ${payment.reference}`.execute(
    on,
  );
  await sql`insert into payment_issues (reference, kind) values (${payment.reference}, 'reversed')`.execute(on);
  await sql`insert into returns (reference, reason, wish) values (${payment.reference}, 'size', 'money')`.execute(on);
  await queueOldMail();
  // A newer rate has ended the hold of the first one.
  await sql`insert into exchange_rates (rate, source, fetched_at, held_until) values
    (1600, 'owner', now() - interval '60 s', now() + interval '1 day'),
    (1500, 'test', now() - interval '50 s', null)`.execute(on);
  await sql`insert into audit_log (at, actor, door, action, subject_kind, subject_id)
    values (now() - interval '7 s', 'ada', 'command', 'backup', 'shop', 'all')`.execute(on);
  const seen = await told();
  await sql`delete from returns`.execute(on); // it has no pieces, which would be a fault
  expect(seen).toMatchObject({
    "irepo_orders open": 1,
    irepo_reservations_live: 1,
    "irepo_payments pending": 1,
    irepo_payments_watched: 1,
    "irepo_payment_issues_open reversed": 1,
    "irepo_returns asked": 1,
    "irepo_mails queued": 1,
    irepo_mails_given_up: 1,
  });
  const near = (name: string) => Math.round((seen[name] ?? 0) / 100);
  expect(near("irepo_payment_oldest_unsettled_seconds")).toBe(10);
  expect(near("irepo_payment_check_overdue_seconds")).toBe(4);
  expect(near("irepo_mail_oldest_queued_seconds")).toBe(2592);
  expect(seen.irepo_rate_age_seconds).toBeGreaterThanOrEqual(50);
  expect(seen.irepo_backup_age_seconds).toBeGreaterThanOrEqual(7);
  await sql`delete from outbox`.execute(on);
});

test("inconsistencies are checked in the background, and counted by rule", async () => {
  await queueOldMail();
  const figures = shopFigures(shop.db);
  const seen: Record<string, number>[] = [];
  await expect
    .poll(async () => seen[seen.push(await told(figures)) - 1])
    .toMatchObject({ "irepo_check_faults I14": 1 });
  expect(seen[0]).not.toHaveProperty("irepo_check_faults I14");
  expect(seen.at(-1)?.irepo_check_age_seconds).toBeLessThan(60);
  await sql`delete from outbox`.execute(shop.db());
});

test("the tables are read at most once in fifteen seconds; an error is not cached", async () => {
  const on = vi.fn(shop.db);
  const figures = shopFigures(on);
  await Promise.all(Array.from({ length: 100 }, figures));
  await expect.poll(() => on.mock.calls.length).toBe(2); // one for the figures, one for the check
  on.mockImplementationOnce(() => {
    throw new Error("away");
  });
  const failing = shopFigures(on);
  await expect(failing()).rejects.toThrow("away");
  expect(await told(failing)).toHaveProperty("irepo_payments_watched");
});

test("a refund that waits for staff to give it by hand is not one that the provider hasn't ended", async () => {
  const on = shop.db();
  const order = await staffOrder(on, await makeShopper(on), await makeProduct(on, { M: 8 }));
  const reference = await paidByHand(on, order);
  await refundWished(on, reference);
  await shop.catchUp(reference);
  await sql`update refunds set created_at = now() - interval '4 days' where reference = ${reference}`.execute(on);
  expect(await told()).toMatchObject({ "irepo_refunds sent": 1, irepo_refund_oldest_unfinished_seconds: 0 });
});

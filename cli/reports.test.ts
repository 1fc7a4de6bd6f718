import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { recordIssue } from "#app/orders/issues.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";

const { db, oneBuyer, provider } = useCheckout();
const say = (line: string) => command(db(), line.split(" "));

async function soldAt(time: string): Promise<string> {
  const { payment } = await oneBuyer(2);
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  await sql`update sales set created_at = ${time} where reference = ${payment.reference}`.execute(db());
  await sql`update orders set created_at = ${time} where id = ${payment.orderId}`.execute(db());
  return payment.reference;
}

afterEach(async () => {
  await sql`truncate users, orders, products, outbox, payment_issues, exchange_rates, audit_log cascade`.execute(db());
  provider.reset();
});

/** The provider's fee for ₦85,584, in naira. */
const FEES = 1283.76;

describe("sales report", () => {
  test("counts orders, pieces, money and refunds for each day of the shop's time zone", async () => {
    await soldAt("2026-03-01 22:59:59+00"); // 23:59 in Lagos
    await soldAt("2026-03-01 23:00:00+00"); // the next day there
    const back = await soldAt("2026-03-02 12:00:00+00");
    await say(`orders refund ${back} --yes`);
    await sql`update refunds set created_at = '2026-03-03 10:00:00+00'`.execute(db());
    const { data, text } = await say("sales report --from 2026-03-01 --to 2026-03-03");
    const one = {
      orders: 1,
      pieces: 1,
      naira: 85_584,
      dollars: 53.49,
      shippingNaira: 5600,
      feesNaira: FEES,
      cashRoundedNaira: 0,
      refundedNaira: 0,
    };
    const nothing = { orders: 0, pieces: 0, naira: 0, dollars: 0, shippingNaira: 0, feesNaira: 0, cashRoundedNaira: 0 };
    expect(data).toEqual({
      from: "2026-03-01",
      to: "2026-03-03",
      timeZone: "Africa/Lagos",
      days: [
        { day: "2026-03-01", ...one },
        {
          day: "2026-03-02",
          orders: 2,
          pieces: 2,
          naira: 171_168,
          dollars: 106.98,
          shippingNaira: 11_200,
          feesNaira: 2 * FEES,
          cashRoundedNaira: 0,
          refundedNaira: 0,
        },
        { day: "2026-03-03", ...nothing, refundedNaira: 85_584 },
      ],
      total: {
        day: "total",
        orders: 3,
        pieces: 3,
        naira: 256_752,
        dollars: 160.47,
        shippingNaira: 16_800,
        feesNaira: 3851.28,
        cashRoundedNaira: 0,
        refundedNaira: 85_584,
      },
      byMeans: [{ means: "Paystack", orders: 3, naira: 256_752, refundedNaira: 85_584 }],
    });
    expect(text).toMatch(/2026-03-02 +2 +2 +₦171,168 +\$106\.98 +₦0/);
    expect(text).toContain("Africa/Lagos");
  });

  test("is of the last 30 days by default", async () => {
    await soldAt(new Date().toISOString());
    await soldAt("2020-01-01T12:00:00Z");
    expect((await say("sales report")).data).toMatchObject({ total: { orders: 1 } });
  });

  test.each(["--from 2026-13-01", "--to tomorrow", "--from 2026-03-02 --to 2026-03-01"])(
    "%s is bad input",
    async (words) => {
      expect(await say(`sales report ${words}`)).toMatchObject({ code: 2 });
    },
  );
});

describe("status", () => {
  test("says that there is nothing to do", async () => {
    expect((await say("status")).data).toMatchObject({
      toSend: { orders: 0 },
      toLookInto: { payments: 0 },
      returns: { asked: 0, toEnd: 0, overdue: 0 },
      mails: { givenUp: 0, refused: 0, waiting: { count: 0, since: null } },
      rate: { since: null },
      lastBackup: null,
    });
  });

  test("names the parcels, payments and mails to see to, and the ages of the rate and the last backup", async () => {
    const reference = await soldAt("2026-03-02 12:00:00+00");
    await recordIssue(db(), reference, "second-charge");
    await sql`update outbox set created_at = now() - interval '3 days'`.execute(db());
    await sql`delete from jobs.job`.execute(db());
    await say("rate set 1700");
    const by = sql`insert into audit_log (actor, door, action, subject_kind, subject_id, at)
      values ('bola', 'command', 'backup', 'shop', 'all', '2026-03-03 00:00:00+00')`;
    await by.execute(db());
    const { data, text } = await say("status");
    expect(data).toMatchObject({
      toSend: { orders: 1, oldest: new Date("2026-03-02T12:00:00Z") },
      toLookInto: { payments: 1 },
      mails: { givenUp: 1 },
      rate: { rate: "1700", since: expect.any(Date) },
      lastBackup: new Date("2026-03-03T00:00:00Z"),
    });
    for (const part of ["2026-03-02 13:00 Africa/Lagos", "0 minutes ago", "2026-03-03 01:00 Africa/Lagos"])
      expect(text).toContain(part);
  });
});

describe("subscribers remove", () => {
  test("removes an address, which the audit log does not keep", async () => {
    await db().insertInto("subscriptions").values({ firstName: "Eze", email: "eze@example.com" }).execute();
    expect(await say("subscribers remove Eze@Example.com")).toMatchObject({ code: 0 });
    expect((await say("subscribers export")).data).toEqual([]);
    expect(await say("subscribers remove eze@example.com")).toMatchObject({ code: 2 });
    const log = JSON.stringify((await say("audit list")).data);
    expect([log.includes("subscribers remove"), log.includes("example.com")]).toEqual([true, false]);
  });
});

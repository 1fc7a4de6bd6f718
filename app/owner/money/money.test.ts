import { beforeEach, expect, test } from "vitest";
import { rateInForce } from "#app/catalog/rates.server.ts";
import type { Actor } from "#app/infra/audit.server.ts";
import { parseRate, type Rate, rateText } from "#app/money/exchange-rate.ts";
import { recordIssue } from "#app/orders/issues.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { paystack } from "#app/paystack/provider.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { withinOneDay } from "#tests/support/moments.ts";
import { listChanges } from "../audit.server.ts";
import { resolveIssues } from "../orders/issues.server.ts";
import { giveBackUnknownCharge } from "../orders/refunds/unknown-charge.server.ts";
import { reviewProvider } from "../provider-review.server.ts";
import { salesReport, totalOf } from "../sales-report.server.ts";
import { countIssues, openIssuesPage } from "./issues.server.ts";
import { searchPayments } from "./payments.server.ts";
import { rateByDay, rateHistory, setRate } from "./rate.server.ts";

const { db, provider, oneBuyer, catchUp } = useCheckout();
const by: Actor = { name: "bisi@example.com", door: "office" };
const rate = (text: string) => parseRate(text) as Rate;

beforeEach(withinOneDay);

async function sold() {
  const { payment } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  return payment.reference;
}

test("a rate far from the last one is asked about, and set when it is agreed to", async () => {
  expect(await setRate(db(), by, rate("1700"))).toMatchObject({ ok: true });
  expect(await setRate(db(), by, rate("17000"))).toEqual({
    ok: false,
    doubt: "1 USD = 1700 NGN -> 17000 NGN, more than 25 % from the last one",
  });
  expect(rateText((await rateInForce(db())).rate)).toBe("1700");
  expect(await setRate(db(), by, rate("17000"), { agreed: true })).toMatchObject({ ok: true });
  const { rows } = await rateHistory(db());
  expect(
    rows.map(({ rate, before, setBy, source }) => [rateText(rate), before && rateText(before), setBy, source]),
  ).toEqual([
    ["17000", "1700", by.name, "owner"],
    ["1700", undefined, by.name, "owner"],
  ]);
  await setRate(db(), by, rate("1600"), { agreed: true });
});

test("of two members who set a rate, the later one is refused and shown the other rate", async () => {
  const seen = (await rateHistory(db())).rows[0]?.id;
  const both = await Promise.all([
    setRate(db(), { ...by, name: "ada" }, rate("1610"), { seen }),
    setRate(db(), { ...by, name: "bola" }, rate("1620"), { seen }),
  ]);
  expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
  const refused = both.find(({ ok }) => !ok);
  expect(refused).toMatchObject({ theirs: { rate: (await rateInForce(db())).rate } });
  await setRate(db(), by, rate("1600"));
});

test("the history has pages, in both directions", async () => {
  for (let at = 0; at < 60; at++) await setRate(db(), by, rate(String(1600 + at)));
  const first = await rateHistory(db());
  expect([first.rows.length, first.newer, first.older]).toEqual([50, undefined, first.rows[49]?.id]);
  const second = await rateHistory(db(), { before: first.older });
  expect(second.rows[0]?.rate).toBe(first.rows[49]?.before);
  expect(second.newer).toBe(second.rows[0]?.id);
  const back = await rateHistory(db(), { after: second.newer });
  expect(back.rows).toEqual(first.rows);
  expect(await rateByDay(db(), new Date(Date.now() - 3_600_000 * 48))).toMatchObject([{ rate: 1659 }]);
  await setRate(db(), by, rate("1600"));
});

test("payments are listed with the provider's data, and those that differ can be found", async () => {
  const agreeing = await sold();
  const differing = await sold();
  await db().updateTable("payments").set({ providerRefundedKobo: 100 }).where("reference", "=", differing).execute();
  const { rows: payments } = await searchPayments(db(), { differing: true });
  expect(payments).toMatchObject([{ reference: differing, differs: true, backKobo: 0, provider: { backKobo: 100 } }]);
  const [found] = (await searchPayments(db(), { text: agreeing })).rows;
  expect(found).toMatchObject({
    state: "paid",
    differs: false,
    kobo: found?.provider.kobo,
    provider: { status: "success" },
  });
  expect((await searchPayments(db(), { text: found?.number.toLowerCase() })).rows).toEqual([found]);
  expect((await searchPayments(db(), { text: agreeing, state: "unpaid" })).rows).toEqual([]);
  expect((await searchPayments(db(), { text: agreeing, until: found?.begunAt })).rows).toEqual([]);
  await db().updateTable("payments").set({ providerRefundedKobo: 0 }).where("reference", "=", differing).execute();
});

test("payments have pages, in both directions, each payment once", async () => {
  const known = await db().selectFrom("payments").select("reference").execute();
  const one = await db().selectFrom("payments").selectAll().executeTakeFirstOrThrow();
  await db()
    .insertInto("payments")
    .values(
      Array.from({ length: 120 }, (_, at) => ({
        reference: `many-payments-${String(at).padStart(4, "0")}`,
        orderId: one.orderId,
        state: "unpaid" as const,
        kobo: one.kobo,
      })),
    )
    .execute();
  const seen: string[] = [];
  let page = await searchPayments(db(), {});
  for (;;) {
    seen.push(...page.rows.map(({ reference }) => reference));
    if (!page.older) break;
    page = await searchPayments(db(), {}, { before: page.older });
  }
  expect(seen.length).toBe(known.length + 120);
  expect(new Set(seen).size).toBe(seen.length);
  const back = await searchPayments(db(), {}, { after: page.newer });
  expect(back.rows.at(-1)?.reference).toBe(seen[seen.indexOf(page.rows[0]?.reference ?? "") - 1]);
  await db().deleteFrom("payments").where("reference", "like", "many-payments-%").execute();
});

test("an issue is listed until a person has resolved it", async () => {
  const reference = await sold();
  await recordIssue(db(), reference, "dispute", { amount: 5000, currency: "NGN" });
  await recordIssue(db(), "strange-reference-1", "unknown-reference", { amount: 700, currency: "USD" });
  const { rows: issues } = await openIssuesPage(db());
  expect(issues).toMatchObject([
    { reference, kind: "dispute", sum: { amount: 5000 }, number: expect.stringMatching(/^IR-/) },
    { reference: "strange-reference-1", number: null, kobo: null, sum: { currency: "USD" } },
  ]);
  expect(await resolveIssues(db(), by, reference)).toMatchObject({ ok: true, resolved: 1 });
  expect(await resolveIssues(db(), by, reference)).toMatchObject({ ok: false });
  expect(await resolveIssues(db(), by, "strange-reference-1")).toMatchObject({ ok: true });
  expect(await countIssues(db())).toBe(0);
});

test("an unknown charge that turns out to be refunded leaves the list, and the log names who asked", async () => {
  const reference = "strange-reference-of-the-log";
  const customer = { firstName: "Ada", lastName: "Obi", phone: "" };
  const pages = { referrer: "", callbackUrl: "", cancelUrl: "", customFields: [] };
  await paystack.open({ email: "ada@example.com", kobo: 100_000, reference, customer, ...pages });
  provider.pay(reference);
  provider.refundByHand(reference, 100_000);
  await recordIssue(db(), reference, "unknown-reference");
  for (const _ of [1, 2]) expect(await giveBackUnknownCharge(db(), by, reference)).toMatchObject({ ok: true });
  expect(await countIssues(db())).toBe(0);
  const { changes } = await listChanges(db(), { subject: `order:${reference}`, limit: 9, offset: 0 });
  expect(changes).toMatchObject([{ actor: by.name, action: "orders resolve", after: { done: "it's been refunded" } }]);
});

test("a review reports each charge, and what the shop had missed", async () => {
  const { payment } = await oneBuyer();
  provider.pay(payment.reference);
  const looked: { reference: string; says?: string }[] = [];
  const review = await reviewProvider(db(), 3, (one, known) => {
    expect(known).toBeGreaterThan(0);
    looked.push(one);
  });
  expect(review).toMatchObject({ ok: true, charges: looked.length, broken: [] });
  expect(looked.filter(({ says }) => says)).toEqual([
    { reference: payment.reference, says: "It was “pending” here, and is “paid” now" },
  ]);
});

test("the takings of a day include how much was for shipping, and refunds in both currencies", async () => {
  const reference = await sold();
  await refundWished(db(), reference);
  await catchUp(reference);
  provider.finishRefunds("processed", reference);
  await catchUp(reference);
  const days = await salesReport(db(), new Date(Date.now() - 86_400_000), new Date(Date.now() + 86_400_000));
  const { kobo, cents, orders, shippingKobo, shippingCents, refundedKobo, refundedCents } = totalOf(days);
  const sales = await db().selectFrom("sales").select(["kobo", "totalCents", "shippingCents"]).execute();
  const sum = (all: (number | string)[]) => all.reduce<number>((sum, one) => sum + Number(one), 0);
  expect([orders, kobo, cents]).toEqual([
    sales.length,
    sum(sales.map((one) => one.kobo)),
    sum(sales.map((one) => one.totalCents)),
  ]);
  expect(shippingCents).toBe(sum(sales.map((one) => one.shippingCents)));
  expect(shippingKobo).toBe(shippingCents * 1600);
  expect([refundedKobo, refundedCents]).toEqual([8_558_400, 5349]);
});

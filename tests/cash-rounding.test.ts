vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { getOrder } from "#app/orders/history.server.ts";
import { readReceipt } from "#app/orders/receipts/receipt.server.ts";
import { readTill } from "#app/owner/money/till.server.ts";
import type { SentOrder } from "#app/owner/orders/links/link.server.ts";
import { giveByHand, toGiveBack } from "#app/payments/by-hand/give.server.ts";
import { takeByHand } from "#app/payments/by-hand/take.server.ts";
import { cancelOrder } from "#app/payments/refunds/cancel.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { withinOneDay } from "#tests/support/moments.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { forgetReceipts, numberAll, setReceipts } from "#tests/support/receipts.ts";
import { makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";
import { byHandOf, paidByHand, staffOrder } from "#tests/support/staff-order.ts";

const { db, catchUp, salesOf, refundsOf } = useCheckout();
const ask = useOfficePages();

/** What an order of two pieces costs, what is taken for it in cash, and the difference, in kobo. */
const [SUM, TAKEN, ROUNDED] = [16_556_800, 16_555_000, 1_800];

let cookies: string[];
let productId: string;
let user: Shopper;
let order: SentOrder;

beforeEach(async () => {
  ({ cookies } = await staffWithPasskey(db(), "owner"));
  productId = await makeProduct(db(), { M: 8 });
  user = await makeShopper(db());
  order = await staffOrder(db(), user, productId, 2);
});
afterEach(() => db().deleteFrom("shopSettings").execute());

const page = (query = "") => ask(`/orders/${order.number}${query}`, cookies);
const paid = (form: Record<string, string> = {}) =>
  ask(`/orders/${order.number}?do=paid`, cookies, {
    ...{ intent: "paid", means: "cash", naira: "165,550", bankReference: "", key: randomUUID() },
    ...form,
  });
const switchOff = () => db().insertInto("shopSettings").values({ cashRounding: "none" }).execute();
const cashPaid = () => paidByHand(db(), order, { kobo: TAKEN });
async function takings(): Promise<[taken: number, rounded: number][]> {
  const references = await byHandOf(db(), order.reference);
  const rows = await db()
    .selectFrom("handTakings")
    .selectAll()
    .where("reference", "in", ["", ...references])
    .execute();
  return rows.map(({ kobo, roundingKobo }) => [Number(kobo), Number(roundingKobo)]);
}

describe("cash for an order", () => {
  test("is rounded down: the panel names the sum to take, and the order's page what was rounded", async () => {
    expect((await page("?do=paid")).text).toContain("the order costs ₦165,568; in cash, take ₦165,550");
    expect((await paid()).text).toContain("₦165,550 taken: cash; the order is paid");
    expect(await takings()).toEqual([[TAKEN, ROUNDED]]);
    const { text } = await page();
    expect(text).toMatch(/Cash rounded down\s*−₦18/);
    expect(text).toMatch(/Paid: Cash\s*₦165,550/);
  });

  test("leaves the goods, the delivery and the total of the sale as they are", async () => {
    await cashPaid();
    const ordered = { subtotalCents: 9998, shippingCents: 350, totalCents: 10_348 };
    expect(await salesOf(user)).toMatchObject([{ ...ordered, kobo: String(TAKEN) }]);
  });

  test("is not rounded where the owner has switched it off", async () => {
    await switchOff();
    expect((await page("?do=paid")).text).not.toContain("in cash, take");
    expect(await paid()).toMatchObject({ status: 422, text: expect.stringContaining("₦165,550 isn’t that") });
    expect((await paid({ naira: "165,568" })).status).toBe(200);
    expect(await takings()).toEqual([[SUM, 0]]);
    expect((await page()).text).not.toContain("Cash rounded down");
  });

  test("may be the whole sum, and is then not rounded", async () => {
    expect((await paid({ naira: "165,568" })).status).toBe(200);
    expect(await takings()).toEqual([[SUM, 0]]);
  });

  test("is no other sum", async () => {
    for (const naira of ["165,500", "165,560", "165,600"])
      expect(await paid({ naira })).toMatchObject({
        status: 422,
        text: expect.stringContaining("costs ₦165,568, in cash ₦165,550, and"),
      });
    expect(await takings()).toEqual([]);
  });

  test("is what the command records, without an amount", async () => {
    expect(await command(db(), ["orders", "paid", order.number, "--by", "cash"])).toMatchObject({
      code: 0,
      text: expect.stringContaining("₦165,550 taken: cash"),
    });
    expect((await command(db(), ["orders", "show", order.number])).data).toMatchObject({
      order: { kobo: SUM, cashRoundedKobo: ROUNDED },
    });
  });
});

test.each(["transfer", "terminal"] as const)("money by %s is not rounded", async (means) => {
  const bankReference = `FT ${randomUUID()}`;
  const refused = await takeByHand(db(), order.reference, { means, kobo: TAKEN, bankReference, by: "bisi" });
  expect(refused).toMatchObject({ ok: false, field: "naira" });
  await paidByHand(db(), order, { means, bankReference });
  expect(await takings()).toEqual([[SUM, 0]]);
});

describe("a refund of cash that was rounded down", () => {
  test("gives back what was taken, all of it", async () => {
    const reference = await cashPaid();
    expect(await cancelOrder(db(), reference)).toMatchObject({ ok: true });
    await catchUp(reference);
    expect(await toGiveBack(db(), reference)).toMatchObject({ kobo: TAKEN });
    expect(await giveByHand(db(), reference, { agreedKobo: TAKEN, by: "bisi" })).toMatchObject({ ok: true });
    expect(await refundsOf(reference)).toMatchObject([{ state: "done", kobo: String(TAKEN) }]);
    expect(await salesOf(user)).toMatchObject([{ status: "refunded" }]);
  });

  test("in parts shares what was taken, to the kobo", async () => {
    const reference = await cashPaid();
    const piece = { pieces: [{ productId, size: "M", quantity: 1 }] };
    for (const wish of [piece, piece, { withShipping: true }]) await refundWished(db(), reference, wish);
    const parts = (await refundsOf(reference)).map(({ kobo }) => Number(kobo));
    expect(parts).toEqual([(TAKEN - 560_000) / 2, (TAKEN - 560_000) / 2, 560_000]);
    await catchUp(reference);
    await giveByHand(db(), reference, { agreedKobo: TAKEN, by: "bisi" });
    expect(await salesOf(user)).toMatchObject([{ status: "refunded" }]);
  });
});

test("the till expects what was taken", async () => {
  const before = (await readTill(db()))?.expected ?? 0;
  await cashPaid();
  expect((await readTill(db()))?.expected).toBe(before + TAKEN);
});

test("the takings have one line of it, the files for the accountant a column, and the report a line", async () => {
  const rounded = async () => {
    const { data, text } = await command(db(), ["sales", "report"]);
    return { naira: (data as { total: { cashRoundedNaira: number } }).total.cashRoundedNaira, text };
  };
  const before = (await rounded()).naira;
  await cashPaid();
  const { naira, text } = await rounded();
  expect(naira).toBe(before + 18);
  expect(text).toContain(`Cash rounded down: ₦${naira}`);
  expect((await ask("/money/takings", cookies)).text).toContain(`Cash rounded down ₦${naira}`);
  const [heads, ...rows] = (await ask("/money/takings.csv", cookies)).raw.trim().split("\r\n");
  expect(heads).toMatch(/,cash rounded down naira$/);
  expect(rows.at(-1)).toMatch(new RegExp(`,${naira}$`));
  const orders = await ask(`/orders/export.csv?${new URLSearchParams({ q: order.number, view: "all" })}`, cookies);
  expect(orders.raw).toMatch(/,cash rounded down naira\r\n.*,18\r\n/);
});

test("the receipt has a line of it between the goods and the sum, and credit notes give back exactly that sum", async () => {
  await withinOneDay();
  await setReceipts(db());
  const reference = await cashPaid();
  await numberAll(db());
  const receipt = await readReceipt(db(), reference);
  expect(receipt).toMatchObject({ kobo: TAKEN, contents: { roundedKobo: ROUNDED, deliveryKobo: 560_000 } });
  expect(receipt?.contents.lines.map(({ kobo }) => kobo)).toEqual([SUM - 560_000]);
  expect((await page("/receipt")).text).toMatch(/Cash rounded down\s*−₦18.*Total\s*₦165,550/);
  expect((await command(db(), ["receipts", "show", order.number])).text).toContain("Cash rounded down: −₦18");
  await cancelOrder(db(), reference);
  await catchUp(reference);
  await giveByHand(db(), reference, { agreedKobo: TAKEN, by: "bisi" });
  await numberAll(db());
  expect((await readReceipt(db(), reference))?.credits).toMatchObject([{ kobo: TAKEN }]);
  await forgetReceipts(db());
});

test("the shopper's email and order say what was paid", async () => {
  const reference = await cashPaid();
  const mail = await db()
    .selectFrom("outbox")
    .select("data")
    .where(sql<boolean>`data ->> 'reference' = ${reference}`)
    .where("kind", "=", "order-confirmation")
    .executeTakeFirstOrThrow();
  expect(mail.data).toMatchObject({ charged: "₦165,550", rounded: "₦18" });
  expect(await getOrder(db(), user.id, reference)).toMatchObject({ kobo: TAKEN, roundedKobo: ROUNDED });
});

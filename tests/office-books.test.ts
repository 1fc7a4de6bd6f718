vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import Papa from "papaparse";
import { expect, test, vi } from "vitest";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { lagosForm } from "#tests/support/shop.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const { db, provider, oneBuyer } = useCheckout();
const pageAt = useOfficePages();

test("a bookkeeper downloads refunds that add up to those of the takings, and finds their orders", async () => {
  const { cookies } = await staffWithPasskey(db(), "bookkeeper");
  const { payment, productId } = await oneBuyer(2);
  const other = (await oneBuyer(1)).payment;
  for (const { reference } of [payment, other]) {
    provider.pay(reference);
    await settlePayment(reference);
  }
  await refundWished(db(), payment.reference, { pieces: [{ productId, size: "M", quantity: 1 }] });
  await refundWished(db(), other.reference);
  const rowsOf = async (path: string) =>
    Papa.parse<Record<string, string>>((await pageAt(path, cookies)).raw.trim().replace(/^\uFEFF/, ""), {
      header: true,
    }).data;
  const refunds = await rowsOf("/money/refunds.csv");
  const total = (await rowsOf("/money/takings.csv")).at(-1);
  expect(refunds).toHaveLength(2);
  const sumOf = (rows: Record<string, string>[], column: string) =>
    rows.reduce((all, row) => all + Math.round(Number(row[column]) * 100), 0);
  expect(sumOf(refunds, "naira")).toBe(Math.round(Number(total?.["refunded naira"]) * 100));
  const orders = await rowsOf("/orders/export.csv?view=all");
  expect(orders.map(({ order }) => order)).toEqual(expect.arrayContaining(refunds.map(({ order }) => order)));
  for (const [column, inTakings] of [
    ["naira", "sold naira"],
    ["delivery naira", "of it shipping naira"],
    ["refunded naira", "refunded naira"],
  ])
    expect([column, sumOf(orders, column ?? "")]).toEqual([column, sumOf([total ?? {}], inTakings ?? "")]);
  expect(sumOf(orders, "refunded naira")).toBeGreaterThan(0);
  const inAll = (column: string) => sumOf([total ?? {}], column);
  const { fees } = await db()
    .selectFrom("sales")
    .select(sql<number>`sum(fees_kobo)::int`.as("fees"))
    .executeTakeFirstOrThrow();
  expect(fees).toBeGreaterThan(0);
  expect(inAll("fees naira")).toBe(fees);
  expect(inAll("after fees naira")).toBe(inAll("sold naira") - inAll("refunded naira") - fees);
  expect((await pageAt("/money/takings", cookies)).text).toContain(formatKobo(kobo(inAll("after fees naira"))));
  const row = orders.find(({ reference }) => reference === payment.reference);
  const address = "1 Broad Street, Lagos Island, Lagos, Nigeria";
  expect(row).toMatchObject({ phone: lagosForm.phoneNumber, pieces: "1", address, "paid by": "Paystack" });
  const { rate, shippingCents } = await db()
    .selectFrom("sales")
    .select(["rate", "shippingCents"])
    .where("reference", "=", payment.reference)
    .executeTakeFirstOrThrow();
  expect(Number(row?.rate)).toBe(Number(rate));
  expect(sumOf(row ? [row] : [], "delivery naira")).toBe(Math.floor(shippingCents * Number(rate)));
});

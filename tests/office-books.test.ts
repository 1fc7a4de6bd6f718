vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import Papa from "papaparse";
import { expect, test, vi } from "vitest";
import { settlePayment } from "#app/payments/settle.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
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
  const sum = refunds.reduce((all, { naira }) => all + Math.round(Number(naira) * 100), 0);
  expect(sum).toBe(Math.round(Number(total?.["refunded naira"]) * 100));
  const orders = await rowsOf("/orders/export.csv?view=all");
  expect(orders.map(({ order }) => order)).toEqual(expect.arrayContaining(refunds.map(({ order }) => order)));
});

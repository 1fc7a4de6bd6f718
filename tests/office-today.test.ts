vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const { db, provider, oneBuyer } = useCheckout();
const pageAt = useOfficePages();

/** Makes an order of one jersey that was paid `daysAgo`. */
async function paid(daysAgo: number): Promise<void> {
  const { payment } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  await sql`update sales set created_at = now() - ${daysAgo} * interval '1 day' where reference = ${payment.reference}`.execute(
    db(),
  );
}

test("takings are told in naira and dollars, of each day and of the day before it", async () => {
  const { cookies } = await staffWithPasskey(db(), "reader");
  for (const daysAgo of [0, 0, 7]) await paid(daysAgo);
  const { text } = await pageAt("/?days=7", cookies);
  expect(text).toContain("₦171,168 $106.98 +100.0% on the 7 days before (₦85,584, $53.49)");
  expect(text).toMatch(/₦171,168 \$106\.98 2 ₦85,584 \$53\.49/);
});

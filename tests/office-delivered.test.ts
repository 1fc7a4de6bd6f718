vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { beforeEach, expect, test, vi } from "vitest";
import { markSent } from "#app/owner/orders/fulfilment.server.ts";
import { shopDay, shopDayOf } from "#app/owner/shop-time.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { withinOneDay } from "#tests/support/moments.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const { db, provider, oneBuyer } = useCheckout();
const ask = useOfficePages();
beforeEach(withinOneDay);

test("the day on which an order arrived is today unless another is typed; a day that cannot be is refused beside it", async () => {
  const { cookies } = await staffWithPasskey(db(), "orders");
  const { payment } = await oneBuyer();
  const { reference } = payment;
  provider.pay(reference);
  await settlePayment(reference);
  await markSent(db(), reference);
  await sql`update sales set fulfilled_at = now() - interval '3 days' where reference = ${reference}`.execute(db());
  const { number } = await db()
    .selectFrom("orders")
    .select("number")
    .where("id", "=", payment.orderId)
    .executeTakeFirstOrThrow();
  const path = `/orders/${number}?do=deliver`;
  const [field] = (await ask(path, cookies)).fields.filter(({ name }) => name === "day");
  expect(field).toMatchObject({ type: "date", value: shopDay(), min: shopDay(3), max: shopDay() });

  const refused = await ask(path, cookies, { intent: "deliver", day: shopDay(4) });
  expect(refused.status).toBe(422);
  const [wrong] = refused.fields.filter(({ name }) => name === "day");
  expect(wrong).toMatchObject({ "aria-invalid": "true" });
  expect(refused.text).toContain(`It was sent on ${shopDay(3)}: it can’t have arrived before`);

  expect((await ask(path, cookies, { intent: "deliver", day: shopDay(2) })).status).toBe(200);
  const sale = db().selectFrom("sales").select("deliveredAt").where("reference", "=", reference);
  const { deliveredAt } = await sale.executeTakeFirstOrThrow();
  expect(deliveredAt && shopDayOf(deliveredAt)).toBe(shopDay(2));
});

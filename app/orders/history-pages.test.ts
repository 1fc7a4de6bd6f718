import { sql } from "kysely";
import { expect, test } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { lagosForm, makeShopper } from "#tests/support/shop.ts";
import { pageOfOrders } from "./history.server.ts";

const database = useDatabase();
const db = () => database.db();

test("4 orders come in pages of 20, the newest first, each once", async () => {
  const user = await makeShopper(db());
  await sql`insert into orders (user_id, state, cart_version, email, shipping, lines, subtotal_cents, shipping_cents, total_cents, rate, rate_at, kobo,
      expires_at, created_at)
    select ${user.id}, 'refunded', 1, ${user.email}, ${JSON.stringify(lagosForm)}::jsonb, '[]', 100, 0, 100, 1600, now(), 160000, now(),
      now() - (at / 2) * interval '1 minute'
    from generate_series(1, 45) at`.execute(db());
  const pages = await Promise.all([1, 2, 3, 4].map((page) => pageOfOrders(db(), user.id, page)));
  expect(pages.map(({ orders, hasOlder }) => [orders.length, hasOlder])).toEqual([
    [20, true],
    [20, true],
    [5, false],
    [0, false],
  ]);
  const shown = pages.flatMap(({ orders }) => orders);
  expect(new Set(shown.map(({ number }) => number)).size).toBe(45);
  const times = shown.map(({ orderedAt }) => orderedAt.getTime());
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Db } from "#app/infra/database/db.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeProduct, setStock } from "#tests/support/shop.ts";
import { catalogWatch } from "./changes.server.ts";

const database = useDatabase();
const db = () => database.db();

type Ids = { id: string; other: string };
const stock = (on: Db, id: string, change: string) =>
  sql`update product_sizes set ${sql.raw(change)} where product_id = ${id} and size = 'M'`.execute(on);
const price = (on: Db, id: string) => sql`update products set price_cents = 1 where id = ${id}`.execute(on);

const CASES: [string, (on: Db, ids: Ids) => Promise<unknown>, (ids: Ids) => boolean | string[]][] = [
  ["a piece is held", (on, { id }) => stock(on, id, "reserved = reserved + 1"), ({ id }) => [id]],
  ["pieces are supplied", (on, { id }) => setStock(on, id, "M", 9), ({ id }) => [id]],
  ["a held piece is sold", (on, { id }) => stock(on, id, "sold = sold + 1, reserved = reserved - 1"), () => false],
  ["a size sells out", (on, { id }) => stock(on, id, "reserved = supplied - sold"), () => true],
  ["a size comes back", (on, { id }) => setStock(on, id, "L", 1), () => true],
  ["a size is added", (on, { id }) => sql`insert into product_sizes values (${id}, 'XL', 1)`.execute(on), () => true],
  [
    "pieces of two products",
    (on) => sql`update product_sizes set supplied = supplied + 1 where size = 'M'`.execute(on),
    ({ id, other }) => [id, other],
  ],
  [
    "pieces of two products, one after the other",
    async (on, { id, other }) => {
      for (const one of [id, other, id]) await setStock(on, one, "M", one === id ? 8 : 7);
    },
    ({ id, other }) => [id, other],
  ],
  [
    "pieces, then a price",
    async (on, { id }) => {
      await setStock(on, id, "M", 8);
      await price(on, id);
    },
    () => true,
  ],
  [
    "a price, then pieces",
    async (on, { id }) => {
      await price(on, id);
      await setStock(on, id, "M", 8);
    },
    () => true,
  ],
  ["a stock is set to the same number", (on, { id }) => setStock(on, id, "M", 3), () => false],
];

test.each(CASES)("which cached pages are outdated if %s", async (_, change, expected) => {
  await sql`delete from product_sizes`.execute(db());
  const ids = { id: await makeProduct(db(), { M: 3, L: 0 }), other: await makeProduct(db(), { M: 3 }) };
  await stock(db(), ids.id, "reserved = 1");
  const hasChanged = catalogWatch();
  while (await hasChanged(db()));
  await db()
    .transaction()
    .execute((trx) => change(trx, ids));
  const changed = await hasChanged(db());
  const inOrder = (some: boolean | string[]) => (Array.isArray(some) ? some.sort() : some);
  expect(inOrder(changed)).toEqual(inOrder(expected(ids)));
  expect(await hasChanged(db())).toBe(false);
});

test("a change of more products than can be named makes all pages outdated", async () => {
  await sql`delete from product_sizes`.execute(db());
  for (let n = 0; n < 51; n++) await makeProduct(db(), { M: 3 });
  const hasChanged = catalogWatch();
  while (await hasChanged(db()));
  await sql`update product_sizes set supplied = 4`.execute(db());
  expect(await hasChanged(db())).toBe(true);
});

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { addToCart, getCart } from "#app/cart/cart.server.ts";
import { getProduct, listCards } from "#app/catalog/catalog.server.ts";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { MIGRATIONS } from "#app/infra/database/schema/files.server.ts";
import { inSchema } from "#app/infra/database/schema/setting.server.ts";
import { quote } from "#app/orders/quote.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { catalogWatch } from "../changes.server.ts";
import { applyDuePrices } from "./apply.server.ts";

const { db } = useCheckout();

type Sale = { price?: number; percent?: number; from?: string; until?: string | null; final?: boolean };

/** Plans a sale price; times are relative to now, in SQL's words. */
async function plan(productId: string, { price, percent, from = "0", until = "1 day", final = false }: Sale) {
  await sql`insert into sale_prices (plan_id, product_id, price_cents, percent, starts_at, ends_at, final_sale)
    values (gen_random_uuid(), ${productId}, ${price ?? null}, ${percent ?? null}, now() + ${from}::interval,
      now() + ${until}::interval, ${final})`.execute(db());
}

/** Moves the plan and the history of a product back, as if so much time had passed. */
async function pass(productId: string, time: string) {
  await sql`update sale_prices set starts_at = starts_at - ${time}::interval, due_at = due_at - ${time}::interval,
    ends_at = ends_at - ${time}::interval where product_id = ${productId}`.execute(db());
  await sql`update price_history set at = at - ${time}::interval where product_id = ${productId}`.execute(db());
  await setPricedAt(productId, time);
}

/** Moves the moment of the last price back, which a trigger would not allow. */
async function setPricedAt(productId: string, ago: string) {
  await db()
    .transaction()
    .execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`update products set priced_at = priced_at - ${ago}::interval where id = ${productId}`.execute(trx);
    });
}

const history = async (productId: string) =>
  (
    await db()
      .selectFrom("priceHistory")
      .select("priceCents")
      .where("productId", "=", productId)
      .orderBy("at")
      .execute()
  ).map(({ priceCents }) => priceCents);

/** Returns the product's price, after checking that all ways to read it agree. */
async function shown(productId: string) {
  const user = await makeShopper(db(), { productId, size: "M" });
  const { priceCents, oldPriceCents, isOnSale = false, finalSale } = (await getProduct(db(), productId)) ?? {};
  const [card] = (await listCards(db(), {}, 100)).filter(({ id }) => id === productId);
  const [line] = (await getCart(db(), user.id)).lines;
  const [quoted] = (await quote(db(), user.id)).lines;
  const added = await addToCart(db(), user.id, { id: productId, size: "M", quantity: 1 });
  for (const reader of [card, line, quoted]) expect(reader).toMatchObject({ priceCents });
  expect(added).toMatchObject({ ok: true, change: { priceCents } });
  expect([card?.oldPriceCents, line?.oldPriceCents, quoted?.oldPriceCents]).toEqual(Array(3).fill(oldPriceCents));
  expect([line?.isOnSale ?? false, quoted?.isOnSale ?? false]).toEqual([isOnSale, isOnSale]);
  expect(quoted?.finalSale ?? false).toBe(finalSale);
  return [priceCents, oldPriceCents, isOnSale, finalSale];
}

/** Like `shown`, after checking that the price is the same before and after the job runs. */
async function shownThroughout(productId: string) {
  const early = await shown(productId);
  await applyDuePrices(db());
  expect(await shown(productId)).toEqual(early);
  return early;
}

let id: string;
beforeEach(async () => {
  id = await makeProduct(db(), { M: 9 }, 5499);
  await sql`update price_history set at = at - interval '60 days' where product_id = ${id}`.execute(db());
  await setPricedAt(id, "60 days");
});

describe("the price in force", () => {
  test.each<[string, Sale[], unknown[]]>([
    ["is the normal one without a sale", [], [5499, undefined, false, false]],
    ["is the sale price while it runs", [{ price: 4199 }], [4199, 5499, true, false]],
    ["is lower by the sale's percentage, rounded down to a cent", [{ percent: 15 }], [4674, 5499, true, false]],
    ["is the lowest of those that run", [{ price: 4199 }, { percent: 50 }, { percent: 10 }], [2749, 5499, true, false]],
    ["is not that of a sale that has not begun", [{ price: 4199, from: "1 hour" }], [5499, undefined, false, false]],
    ["is that of a sale without an end", [{ price: 4199, until: null }], [4199, 5499, true, false]],
    ["is no sale price above the normal one", [{ price: 5499 }, { price: 9900 }], [5499, undefined, false, false]],
    ["makes it final sale if the sale is one", [{ price: 4199, final: true }], [4199, 5499, true, true]],
  ])("%s", async (_, sales, expected) => {
    for (const sale of sales) await plan(id, sale);
    expect(await shownThroughout(id)).toEqual(expected);
  });

  test("begins and ends by the clock, whether or not the job runs", async () => {
    await plan(id, { price: 4199, from: "1 hour", until: "2 hours" });
    expect(await shownThroughout(id)).toEqual([5499, undefined, false, false]);
    await pass(id, "1 hour");
    expect(await shownThroughout(id)).toEqual([4199, 5499, true, false]);
    await pass(id, "1 hour");
    expect(await shownThroughout(id)).toEqual([5499, undefined, false, false]);
    expect(await history(id)).toEqual([5499, 4199, 5499]);
  });

  test("has both moments in its history when the job comes after both", async () => {
    await plan(id, { price: 4199, from: "1 hour", until: "2 hours" });
    await pass(id, "3 hours");
    expect(await shownThroughout(id)).toEqual([5499, undefined, false, false]);
    expect(await history(id)).toEqual([5499, 4199, 5499]);
  });

  test("follows a percentage when the normal price changes, whoever writes it", async () => {
    await plan(id, { percent: 20 });
    await applyDuePrices(db());
    await db().updateTable("products").set({ priceCents: 6000 }).where("id", "=", id).execute();
    expect(await shownThroughout(id)).toEqual([4800, 5499, true, false]);
    await db().updateTable("products").set({ priceCents: 4800, normalCents: 4800 }).where("id", "=", id).execute();
    expect(await shownThroughout(id)).toEqual([3840, 5499, true, false]);
    await sql`update sale_prices set ends_at = now() where product_id = ${id}`.execute(db());
    expect(await shownThroughout(id)).toEqual([4800, undefined, false, false]);
    expect(await history(id)).toEqual([5499, 4399, 4800, 3840, 4800]);
  });

  test("is the same when several jobs write it at once", async () => {
    await plan(id, { price: 4199, from: "1 hour", until: "2 hours" });
    await pass(id, "3 hours");
    await Promise.all(Array.from({ length: 5 }, () => applyDuePrices(db())));
    expect(await shown(id)).toEqual([5499, undefined, false, false]);
    expect(await history(id)).toEqual([5499, 4199, 5499]);
  });
});

describe("the old price is the lowest of the 30 days before the sale", () => {
  type Past = [daysAgo: number, cents: number | null];
  test.each<[string, Past[], Sale[], number | undefined]>([
    [
      "of all that the price was",
      [
        [60, 5499],
        [20, 4999],
        [10, 5499],
      ],
      [{ price: 4199 }],
      4999,
    ],
    [
      "with the one that was in force as they began",
      [
        [60, 4599],
        [29, 5499],
      ],
      [{ price: 4199 }],
      4599,
    ],
    [
      "and of no day before them",
      [
        [60, 4599],
        [31, 5499],
      ],
      [{ price: 4199 }],
      5499,
    ],
    [
      "and none if that is not higher",
      [
        [60, 5499],
        [10, 4199],
        [9, 5499],
      ],
      [{ price: 4199 }],
      undefined,
    ],
    ["of all days, if it has been shown for less than 30", [[3, 5499]], [{ price: 4199 }], 5499],
    [
      "without those on which it was hidden",
      [
        [60, 4300],
        [40, null],
        [5, 5499],
      ],
      [{ price: 4199 }],
      5499,
    ],
    ["and none if the product was never shown", [[60, null]], [{ price: 4199 }], undefined],
    [
      "of the first of sales that follow each other",
      [[60, 5499]],
      [
        { price: 4199, from: "-3 days", until: "-1 day 1 minute" },
        { price: 3999, from: "-5 minutes" },
      ],
      5499,
    ],
    [
      "of the second where a day lies between them",
      [[60, 5499]],
      [
        { price: 4199, from: "-3 days", until: "-1 day -6 minutes" },
        { price: 3999, from: "-5 minutes" },
      ],
      4199,
    ],
    [
      "of the first where they overlap",
      [[60, 5499]],
      [{ price: 4199, from: "-3 days", until: null }, { price: 3999 }],
      5499,
    ],
  ])("%s", async (_, past, sales, expected) => {
    await sql`delete from price_history where product_id = ${id}`.execute(db());
    for (const [days, cents] of past)
      await sql`insert into price_history (product_id, at, price_cents)
        values (${id}, now() - ${days} * interval '24 hours', ${cents})`.execute(db());
    for (const sale of sales) {
      await plan(id, sale);
      await sql`update sale_prices set due_at = starts_at where product_id = ${id} and due_at is not null`.execute(
        db(),
      );
      await applyDuePrices(db());
    }
    const [, old] = await shownThroughout(id);
    expect(old).toBe(expected);
  });
});

test("the list of products on sale has only those with an old price, and is sorted by sale price", async () => {
  const [cheaper, without] = [await makeProduct(db(), { M: 1 }, 4999), await makeProduct(db(), { M: 1 }, 5499)];
  await sql`delete from price_history where product_id = ${without}`.execute(db());
  for (const [product, price] of [
    [id, 3999],
    [cheaper, 4500],
    [without, 100],
  ] as const)
    await plan(product, { price });
  await applyDuePrices(db());
  const ids = (await listCards(db(), { onSale: true, sort: "price-up" }, 100)).map((card) => card.id);
  expect(ids.filter((one) => [id, cheaper, without].includes(one))).toEqual([id, cheaper]);
});

test("writing prices waits for an order that sells out a product, without holding a lock that the order needs", async () => {
  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => makeProduct(db(), { M: 9 }, 5499)));
  for (const product of [first, ...others]) await plan(product ?? "", { percent: 50 });
  const column = async () =>
    (await db().selectFrom("products").select("priceCents").where("id", "in", others).execute()).map(
      ({ priceCents }) => priceCents,
    );
  const lock = (trx: Transaction, product?: string) =>
    sql`select from products where id = ${product} for no key update`.execute(trx);
  let writing: Promise<void> | undefined;
  await db()
    .transaction()
    .execute(async (order) => {
      await lock(order, first);
      writing = applyDuePrices(db());
      await expect.poll(column).toEqual(Array(4).fill(2749));
      for (const product of others) await lock(order, product);
    });
  await writing;
  expect((await getProduct(db(), first ?? ""))?.priceCents).toBe(2749);
});

test("cached pages are rendered again when a sale begins, without a job, and not when it is planned", async () => {
  const hasChanged = catalogWatch();
  while (await hasChanged(db()));
  await plan(id, { price: 4199, from: "1 hour" });
  expect(await hasChanged(db())).toBe(false);
  for (const moment of ["due_at", "ends_at"]) {
    const column = sql.raw(moment); // the end is noticed though nothing has written the beginning
    await sql`update sale_prices set starts_at = now() - interval '1 hour', ${column} = clock_timestamp()
      where product_id = ${id}`.execute(db());
    expect(await hasChanged(db())).toBe(true);
    expect(await hasChanged(db())).toBe(false);
  }
});

test("the price history of an updated shop begins with the audit log, otherwise with the product", async () => {
  const OURS = "0016-sale-prices";
  const history = await db()
    .transaction()
    .execute(async (trx) => {
      await sql`create schema before_sales`.execute(trx);
      return inSchema(trx, "before_sales", async () => {
        for (const name of Object.keys(MIGRATIONS).sort()) {
          if (name > OURS) continue;
          if (name === OURS) {
            await sql`insert into products (id, title, color, price_cents, hidden, created_at) values
              ('changed', 'Jersey', '', 5000, false, '2026-01-01Z'), ('steady', 'Tee', '', 3000, false, '2026-02-01Z'),
              ('draft', 'Scarf', '', 2000, true, '2026-03-01Z')`.execute(trx);
            await sql`insert into audit_log (at, actor, door, action, subject_kind, subject_id, before, after) values
              ('2026-04-01Z', 'ada', 'office', 'products change', 'product', 'changed', '{"price": 54.99}', '{"price": 45}'),
              ('2026-05-01Z', 'ada', 'office', 'products change', 'product', 'changed', '{"title": "A"}', '{"title": "B"}'),
              ('2026-06-01Z', 'ada', 'command', 'products import', 'product', 'changed', '{"price": 45}', '{"price": 50}')
            `.execute(trx);
          }
          await sql.raw(MIGRATIONS[name] ?? "").execute(trx);
        }
        const { rows } = await sql<{ line: string }>`
          select concat_ws(' ', product_id, case when product_id <> 'draft' then to_char(at at time zone 'UTC', 'MM-DD') end, price_cents) as line
          from price_history order by product_id, at`.execute(trx);
        await sql`drop schema before_sales cascade`.execute(trx);
        return rows.map(({ line }) => line);
      });
    });
  expect(history).toEqual([
    "changed 01-01 5499",
    "changed 04-01 4500",
    "changed 06-01 5000",
    "draft",
    "steady 02-01 3000",
  ]);
});

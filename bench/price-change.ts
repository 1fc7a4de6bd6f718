import { setTimeout as sleep } from "node:timers/promises";
import { buy } from "./checkout.ts";
import { eachOnce, type Figure, round } from "./measure.ts";
import { addShoppers, type BenchShop, fillCarts, withShop } from "./shop.ts";

const PIECES = 10_000;
const BUYERS = 600;
const PRODUCT = "unity-home-jersey";

/**
 * Measures what the beginning of a sale of 10,000 pieces costs the shoppers: whole orders while prices are written,
 * against the same orders before, and how long it takes until all are written.
 */
export function priceChange(): Promise<Figure[]> {
  return withShop(
    async (shop) => {
      await addPieces(shop);
      await orders(shop); // warms up
      const before = await orders(shop);
      const writing = beginSale(shop);
      const meanwhile = await orders(shop);
      return [
        { name: "orders before: p99", value: before.p99, unit: "ms" },
        { name: "orders meanwhile", value: meanwhile.perSecond, unit: "/s" },
        { name: "orders meanwhile: p99", value: meanwhile.p99, unit: "ms", bar: { max: 300 } },
        { name: "orders meanwhile: failed", value: before.failed + meanwhile.failed, unit: "", bar: { max: 0 } },
        { name: `${PIECES} prices written after`, value: round((await writing) / 1000), unit: "s" },
      ];
    },
    { TRUSTED_PROXIES: "127.0.0.1" },
  );
}

async function addPieces({ sql }: BenchShop): Promise<void> {
  await sql("update product_sizes set supplied = 1000000");
  await sql(
    `insert into products (id, title, color, price_cents, images, position)
     select 'sale-' || n, 'Sale Top ' || n, 'Green', 2000 + n % 7000, '[]', 1000 + n from generate_series(1, ${PIECES}) n`,
  );
  await sql(
    "insert into product_sizes (product_id, size, supplied) select id, 'M', 20 from products where id like 'sale-%'",
  );
  await sql("vacuum analyze products, product_sizes");
}

async function orders(shop: BenchShop) {
  const shoppers = await addShoppers(shop, BUYERS);
  await fillCarts(shop, shoppers, PRODUCT);
  return eachOnce(shoppers, 10, (buyer) => buy(shop, buyer));
}

/** Plans a sale that begins in a second. Resolves with the time from its beginning until all prices are written. */
async function beginSale({ sql }: BenchShop): Promise<number> {
  const { rows } = await sql(
    `with plan as (
       insert into sale_prices (plan_id, product_id, percent, starts_at, ends_at)
       select gen_random_uuid(), id, 20, now() + interval '1 s', now() + interval '1 hour' from products where id like 'sale-%'
     )
     insert into jobs.job (name, start_after) values ('apply-prices', now() + interval '1 s') returning start_after`,
  );
  const begins = new Date(rows[0].start_after).getTime();
  for (;;) {
    const { rows: left } = await sql(
      "select count(*)::int as due from sale_prices where due_at < now() + interval '1 minute'",
    );
    if (left[0].due === 0) return Date.now() - begins;
    await sleep(50);
  }
}

import { type Figure, type Load, load, round } from "./measure.ts";
import { each, processorTime } from "./processor.ts";
import { addShoppers, type BenchShop, type Shopper, withShop } from "./shop.ts";

const SECONDS = 5;

/** Measures a signed-in shopper's change of the cart, and what a cart of 100 lines costs. */
export function cart(): Promise<Figure[]> {
  return withShop(async (shop) => {
    const shoppers = await addShoppers(shop, 20);
    await shop.sql("update product_sizes set supplied = 1000000");
    const { result: one, time } = await processorTime(shop, () => adding(shop, shoppers));
    await hundredLines(shop, shoppers);
    const hundred = await adding(shop, shoppers);
    return [
      { name: "add to cart", value: one.perSecond, unit: "/s", bar: { min: 1500 } },
      { name: "add to cart: p95", value: one.p95, unit: "ms", bar: { max: 20 } },
      { name: "add to cart: failed", value: one.failed + hundred.failed, unit: "", bar: { max: 0 } },
      ...each("add to cart", time, one.perSecond * SECONDS),
      { name: "100 lines against 1: time", value: round(hundred.p50 / one.p50), unit: "x", bar: { max: 1.3 } },
    ];
  });
}

function adding({ url }: BenchShop, shoppers: Shopper[]): Promise<Load> {
  return load(url, {
    seconds: SECONDS,
    cookies: shoppers.map(({ cookie }) => cookie),
    requests: [
      {
        method: "POST",
        path: "/api/cart",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ intent: "set", id: "unity-home-jersey", size: "M", quantity: 1 }),
      },
    ],
  });
}

async function hundredLines({ sql }: BenchShop, shoppers: Shopper[]): Promise<void> {
  await sql(
    `insert into products (id, title, color, price_cents, images)
     select 'bench-' || n, 'Bench Jersey ' || n, 'Green', 4999, (select images from products where id = 'unity-home-jersey') from generate_series(1, 25) n`,
  );
  await sql(
    "insert into product_sizes (product_id, size, supplied) select 'bench-' || n, s, 1000 from generate_series(1, 25) n, unnest('{S,M,L,XL}'::text[]) s",
  );
  await sql(
    `insert into cart_lines (user_id, product_id, size, color, quantity, price_cents)
     select u, s.product_id, s.size, 'Green', 1, 4999 from unnest($1::text[]) u, product_sizes s where s.product_id like 'bench-%'`,
    [shoppers.map(({ id }) => id)],
  );
  // Autovacuum does the same within a minute. Until then the plans are those of an almost empty table.
  await sql("analyze cart_lines");
}

import { buy } from "./checkout.ts";
import { ask, eachOnce, type Figure, type Load, round } from "./measure.ts";
import { addShoppers, type BenchShop, fillCarts, type Shopper, withShop } from "./shop.ts";

const SALES = 1_000_000;
const BUYERS = 200;
const PRODUCT = "unity-home-jersey";

/**
 * Measures what a long history of sales costs the shoppers: the account page with its orders, and an order from the
 * press on Pay to the page that says thank you.
 */
export function sales(): Promise<Figure[]> {
  return withShop(
    async (shop) => {
      await shop.sql("update product_sizes set supplied = 100000000");
      const before = await measured(shop);
      await sellBefore(shop, SALES);
      const after = await measured(shop);
      return [
        { name: "account: p50 in a new shop", value: before.account.p50, unit: "ms" },
        {
          name: `account: after ${SALES} sales`,
          value: round(after.account.p50 / before.account.p50),
          unit: "x",
          bar: { max: 1.3 },
        },
        { name: "settlement: p50 in a new shop", value: before.orders.p50, unit: "ms" },
        {
          name: `settlement: after ${SALES} sales`,
          value: round(after.orders.p50 / before.orders.p50),
          unit: "x",
          bar: { max: 1.3 },
        },
        { name: "failed", value: before.orders.failed + after.orders.failed, unit: "", bar: { max: 0 } },
      ];
    },
    { TRUSTED_PROXIES: "127.0.0.1" },
  );
}

/**
 * Each measurement has new shoppers with two orders each: whatever is slower has grown with the shop, not with its
 * shoppers' own orders.
 */
async function measured(shop: BenchShop): Promise<{ orders: Load; account: Load }> {
  const shoppers = await addShoppers(shop, BUYERS);
  await order(shop, shoppers); // warms up
  const orders = await order(shop, shoppers);
  const account = await eachOnce(shoppers, 2, async ({ cookie }) => {
    const { body } = await ask(`${shop.url}/account`, { cookie });
    if (!body.includes("Unity")) throw new Error("The account shows no order");
  });
  return { orders, account };
}

async function order(shop: BenchShop, shoppers: Shopper[]): Promise<Load> {
  await fillCarts(shop, shoppers, PRODUCT);
  return eachOnce(shoppers, 2, (shopper) => buy(shop, shopper));
}

/** Writes `count` sales straight into the tables, one every 30 s before now, ten per shopper. */
async function sellBefore({ sql }: BenchShop, count: number): Promise<void> {
  const id = (n: string) => `('00000000-0000-4000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  const rows = `generate_series(1, ${count}) n, (select * from orders where state = 'sold' limit 1) a`;
  const at = `now() - n * interval '30 s'`;
  await sql(
    `insert into users (id, email, email_verified) select 'past-' || n, 'past-' || n || '@example.com', true from generate_series(0, ${count / 10}) n`,
  );
  await sql(
    `insert into orders (id, user_id, state, cart_version, email, shipping, lines, subtotal_cents, shipping_cents, total_cents, rate, rate_at, kobo, expires_at, created_at)
     select ${id("n")}, 'past-' || n / 10, 'sold', 1, a.email, a.shipping, a.lines, a.subtotal_cents, a.shipping_cents, a.total_cents, a.rate, a.rate_at, a.kobo, ${at}, ${at} from ${rows}`,
  );
  await sql(
    `insert into payments (reference, order_id, state, kobo, created_at, paid_at)
     select 'past-sale-' || lpad(n::text, 10, '0'), ${id("n")}, 'paid', a.kobo, ${at}, ${at} from ${rows}`,
  );
  await sql(
    `insert into sales (id, order_id, reference, user_id, email, shipping, subtotal_cents, shipping_cents, total_cents, rate, kobo, created_at)
     select ${id("n")}, ${id("n")}, 'past-sale-' || lpad(n::text, 10, '0'), 'past-' || n / 10, a.email, a.shipping, a.subtotal_cents, a.shipping_cents, a.total_cents, a.rate, a.kobo, ${at} from ${rows}`,
  );
  await sql(
    `insert into sale_lines (sale_id, position, product_id, title, color, size, quantity, price_cents)
     select ${id("n")}, 0, '${PRODUCT}', 'Unity', 'Green', 'M', 1, 4999 from generate_series(1, ${count}) n`,
  );
  await sql("vacuum analyze users, orders, payments, sales, sale_lines");
  await sql("checkpoint"); // keeps the writing of this data to the disk out of the next figures
}

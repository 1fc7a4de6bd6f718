import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { buy } from "./checkout.ts";
import type { Drop, Dropped } from "./drop-buyers.ts";
import { every, type Figure, get, type Load, runApart } from "./measure.ts";
import { addShoppers, type BenchShop, fillCarts, type Shopper, withShop } from "./shop.ts";

const PRODUCT = "unity-home-jersey";
const OTHER = "unity-away-jersey";
const PIECES = 100;
/** What one costs then, of $49.99. */
const SALE = { percent: 20, cents: 3999, shown: "$39.99" };
/** DROP_SHOPPERS=1000 for a quick look. */
const SHOPPERS = Number(process.env.DROP_SHOPPERS ?? 10_000);
/** All of them press Add to Cart within these seconds after the pieces have come. */
const SECONDS = Number(process.env.DROP_SECONDS ?? 20);
/** In seconds: from the plan of the sale until it begins. */
const BEFORE = 5;
/** Whole orders before, as V8 compiles the code with the first ones. */
const WARM_UP = 200;
/** The address of those who look at pages meanwhile. */
const ELSEWHERE = "198.51.100.7";

/**
 * Measures a flash sale: 100 pieces of a product that was sold out come at the moment at which its sale price begins,
 * and 10,000 shoppers with a session of their own want one. Meanwhile others look at pages and buy something else.
 */
export function drop(): Promise<Figure[]> {
  return withShop(
    async (shop) => {
      await shop.sql("update product_sizes set supplied = 1000000");
      await shop.sql("update product_sizes set supplied = 0 where product_id = $1", [PRODUCT]);
      const buyers = await addShoppers(shop, SHOPPERS + 1);
      const others = await addShoppers(shop, WARM_UP + SECONDS * 4);
      await fillCarts(shop, others, OTHER);
      const first = buyers.pop() as Shopper;
      await shop.sql("analyze");
      for (const shopper of others.splice(0, WARM_UP)) await buy(shop, shopper);
      const opens = Date.now() + BEFORE * 1000;
      await plan(shop, opens);
      await fillCarts(shop, [first], PRODUCT);
      const crowd: Drop = {
        url: shop.url,
        product: PRODUCT,
        cents: SALE.cents,
        opens,
        seconds: SECONDS,
        first,
        buyers,
      };
      const [dropped, [, page, looking, buying]] = await Promise.all([
        runApart<Dropped>("bench/drop-buyers.ts", crowd),
        sleep(opens - Date.now()).then(() => {
          const lasts = () => Date.now() < opens + SECONDS * 1000;
          return Promise.all([
            supply(shop),
            watchPage(shop, opens, lasts),
            every(20, lasts, () => get(`${shop.url}/shop`, ELSEWHERE)),
            every(250, lasts, () => buy(shop, others.pop() as Shopper)),
          ]);
        }),
      ]);
      return [
        { name: `of ${SHOPPERS} shoppers bought`, value: dropped.bought, unit: "", bar: { min: PIECES } },
        { name: "pieces sold, by the books", value: await sold(shop), unit: "", bar: { max: PIECES } },
        { name: "told that none is left", value: dropped.told, unit: "" },
        { name: "without a clear answer", value: dropped.unclear, unit: "", bar: { max: 0 } },
        { name: "told, from the press: p99", value: dropped.toldP99, unit: "ms", bar: { max: 2000 } },
        { name: "bought, from the press to Thank you: p99", value: dropped.boughtP99, unit: "ms" },
        { name: "the old price was last seen after", value: page.oldPriceUntil, unit: "ms", bar: { max: 1000 } },
        ...rowsOf("the product's page", page.times),
        ...rowsOf("another page", looking),
        ...rowsOf("another product, whole orders", buying),
      ];
    },
    { TRUSTED_PROXIES: "127.0.0.1", WEB_CONCURRENCY: String(cpus().length) },
  );
}

const rowsOf = (name: string, { p50, p99, failed }: Omit<Load, "perSecond">): Figure[] => [
  { name: `${name}: p50`, value: p50, unit: "ms" },
  { name: `${name}: p99`, value: p99, unit: "ms", bar: { max: 300 } },
  { name: `${name}: failed`, value: failed, unit: "", bar: { max: 0 } },
];

/** The sale price of the product, from `opens` on, with the job that writes it into the catalogue. */
async function plan({ sql }: BenchShop, opens: number): Promise<void> {
  await sql(
    `with plan as (
       insert into sale_prices (plan_id, product_id, percent, starts_at, ends_at)
       values (gen_random_uuid(), $1, ${SALE.percent}, $2, now() + interval '1 hour')
     )
     insert into jobs.job (name, start_after) values ('apply-prices', $2)`,
    [PRODUCT, new Date(opens)],
  );
}

async function supply({ sql }: BenchShop): Promise<void> {
  await sql("update product_sizes set supplied = $2 where product_id = $1 and size = 'M'", [PRODUCT, PIECES]);
}

async function sold({ sql }: BenchShop): Promise<number> {
  const { rows } = await sql("select sum(sold)::int as sold from product_sizes where product_id = $1", [PRODUCT]);
  return rows[0].sold;
}

/** Asks for the product's page again and again: its times, and how long after the beginning it had the old price. */
async function watchPage({ url }: BenchShop, opens: number, lasts: () => boolean) {
  let oldPriceUntil = 0;
  const times = await every(20, lasts, async () => {
    const asked = Date.now();
    const body = await get(`${url}/singleProduct/${PRODUCT}`, ELSEWHERE);
    if (!body.includes(SALE.shown)) oldPriceUntil = Math.max(oldPriceUntil, asked - opens);
  });
  return { times, oldPriceUntil };
}

import { spawn } from "node:child_process";
import { cpus } from "node:os";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { buy } from "./checkout.ts";
import type { Drop, Dropped } from "./drop-buyers.ts";
import { ask, type Figure, summary } from "./measure.ts";
import { addShoppers, type BenchShop, fillCarts, type Shopper, withShop } from "./shop.ts";

const PRODUCT = "unity-home-jersey";
const OTHER = "unity-away-jersey";
const PIECES = 100;
/** DROP_SHOPPERS=1000 for a quick look. */
const SHOPPERS = Number(process.env.DROP_SHOPPERS ?? 10_000);
/** All of them press Add to Cart within these seconds after the pieces have come. */
const SECONDS = Number(process.env.DROP_SECONDS ?? 20);
/** In seconds: from the plan of the sale until it begins. */
const BEFORE = 5;

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
      const others = await addShoppers(shop, 600);
      await fillCarts(shop, others, OTHER);
      const first = buyers.pop() as Shopper;
      await shop.sql("analyze");
      await warmUp(shop, others.splice(0, 200));
      const { rows } = await shop.sql("select (extract(epoch from now()) * 1000)::float8 as now");
      const opens = Number(rows[0].now) + BEFORE * 1000;
      await plan(shop, opens);
      await fillCarts(shop, [first], PRODUCT);
      const lasts = () => Date.now() < opens + SECONDS * 1000;
      const [dropped, , page, looking, buying] = await Promise.all([
        buy100({ url: shop.url, product: PRODUCT, opens, seconds: SECONDS, first, buyers }),
        supply(shop, opens),
        watchPage(shop, opens, lasts),
        every(20, lasts, () => get(`${shop.url}/shop`)),
        every(250, lasts, () => buy(shop, others.pop() as Shopper)),
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

const rowsOf = (name: string, { p50, p99, failed }: Times): Figure[] => [
  { name: `${name}: p50`, value: p50, unit: "ms" },
  { name: `${name}: p99`, value: p99, unit: "ms", bar: { max: 300 } },
  { name: `${name}: failed`, value: failed, unit: "", bar: { max: 0 } },
];

async function warmUp(shop: BenchShop, shoppers: Shopper[]): Promise<void> {
  for (const shopper of shoppers) await buy(shop, shopper);
}

/** The sale price of the product, from `opens` on, with the job that writes it into the catalogue. */
async function plan({ sql }: BenchShop, opens: number): Promise<void> {
  await sql(
    `with plan as (
       insert into sale_prices (plan_id, product_id, percent, starts_at, ends_at)
       values (gen_random_uuid(), $1, 20, $2, now() + interval '1 hour')
     )
     insert into jobs.job (name, start_after) values ('apply-prices', $2)`,
    [PRODUCT, new Date(opens)],
  );
}

async function supply({ sql }: BenchShop, opens: number): Promise<void> {
  await sleep(opens - Date.now());
  await sql("update product_sizes set supplied = $2 where product_id = $1 and size = 'M'", [PRODUCT, PIECES]);
}

async function buy100(drop: Drop): Promise<Dropped> {
  const child = spawn(process.execPath, ["bench/drop-buyers.ts"], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(drop));
  return (await json(child.stdout)) as Dropped;
}

async function sold({ sql }: BenchShop): Promise<number> {
  const { rows } = await sql("select sum(sold)::int as sold from product_sizes where product_id = $1", [PRODUCT]);
  return rows[0].sold;
}

type Times = ReturnType<typeof summary> & { failed: number };

/** Asks for the product's page again and again: its times, and how long after the beginning it had the old price. */
async function watchPage({ url }: BenchShop, opens: number, lasts: () => boolean) {
  let oldPriceUntil = 0;
  const times = await every(20, lasts, async () => {
    const asked = Date.now();
    const body = await get(`${url}/singleProduct/${PRODUCT}`);
    if (!body.includes("$39.99")) oldPriceUntil = Math.max(oldPriceUntil, asked - opens);
  });
  return { times, oldPriceUntil };
}

async function get(url: string): Promise<string> {
  const { status, body } = await ask(url, { address: "198.51.100.7" });
  if (status !== 200) throw new Error(`${url}: ${status}`);
  return body;
}

/** Repeats `work`, one call after the other, as long as it `lasts`. */
async function every(pause: number, lasts: () => boolean, work: () => Promise<unknown>): Promise<Times> {
  const times: number[] = [];
  let failed = 0;
  for (; lasts(); await sleep(pause)) {
    const start = performance.now();
    await work().catch((error) => {
      if (failed++ === 0) process.stderr.write(`${error}\n`);
    });
    times.push(performance.now() - start);
  }
  return { ...summary(times, 1), failed };
}

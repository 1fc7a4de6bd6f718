import { setTimeout as sleep } from "node:timers/promises";
import { buy } from "./checkout.ts";
import { type Figure, load, median, round } from "./measure.ts";
import { addShoppers, type BenchShop, fillCarts, type Shopper, withShop } from "./shop.ts";

const BOUGHT = "unity-home-jersey";
const ROUNDS = 3;
const SECONDS = 4;
const ORDERS_A_SECOND = 10;

/** Measures how many pages visitors get while orders come all the time, as a share of those that they get without. */
export function busyPages(): Promise<Figure[]> {
  return withShop(
    async (shop) => {
      await shop.sql("update product_sizes set supplied = 1000000");
      const { rows } = await shop.sql("select id from products where not hidden order by position");
      const places = ["/", "/shop", "/shop?page=2", ...rows.map(({ id }) => `/singleProduct/${id}`)];
      const shoppers = await addShoppers(shop, (ROUNDS + 1) * SECONDS * ORDERS_A_SECOND * 2);
      await fillCarts(shop, shoppers, BOUGHT);
      const read = () => load(shop.url, { seconds: SECONDS, requests: places.map((path) => ({ path })) });
      await buying(shop, shoppers, read); // warms up
      const turns = [];
      for (let i = 0; i < ROUNDS; i++) turns.push({ quiet: await read(), busy: await buying(shop, shoppers, read) });
      const share = median(turns.map(({ quiet, busy }) => busy.perSecond / quiet.perSecond));
      return [
        { name: "pages of the catalogue", value: median(turns.map(({ quiet }) => quiet.perSecond)), unit: "/s" },
        { name: "while orders come", value: median(turns.map(({ busy }) => busy.perSecond)), unit: "/s" },
        { name: "share", value: round(share * 100, 0), unit: "%" },
        { name: "p99", value: median(turns.map(({ quiet }) => quiet.p99)), unit: "ms" },
        { name: "p99 while orders come", value: median(turns.map(({ busy }) => busy.p99)), unit: "ms" },
        {
          name: "failed",
          value: turns.reduce((sum, { quiet, busy }) => sum + quiet.failed + busy.failed, 0),
          unit: "",
          bar: { max: 0 },
        },
      ];
    },
    { TRUSTED_PROXIES: "127.0.0.1", WEB_CONCURRENCY: "2" },
  );
}

/** Starts an order each tenth of a second until `work` is done, and waits for the last one. */
async function buying<T>(shop: BenchShop, shoppers: Shopper[], work: () => Promise<T>): Promise<T> {
  const orders: Promise<void>[] = [];
  let isOver = false;
  const starting = (async () => {
    for (; !isOver; await sleep(1000 / ORDERS_A_SECOND)) {
      const shopper = shoppers.pop();
      if (shopper) orders.push(buy(shop, shopper));
    }
  })();
  const done = await work();
  isOver = true;
  await starting;
  await Promise.all(orders);
  return done;
}

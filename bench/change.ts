import http from "node:http";
import { text } from "node:stream/consumers";
import { type Figure, load, median, round } from "./measure.ts";
import { type BenchShop, withShop } from "./shop.ts";

const CHANGES = 12;
const PRODUCT = "unity-home-jersey";

/**
 * Measures how long after its commit a change of stock is on the pages of every process, while 20 visitors load pages.
 */
export function change(): Promise<Figure[]> {
  return withShop(
    async (shop) => {
      const visitors = load(`${shop.url}/singleProduct/${PRODUCT}`, { seconds: CHANGES });
      const times: number[] = [];
      for (let left = 30; left < 30 + CHANGES; left++) {
        await shop.sql("update product_sizes set supplied = sold + $1 where product_id = $2 and size = 'M'", [
          left,
          PRODUCT,
        ]);
        const begin = performance.now();
        while (!(await askAll(shop)).every((stock) => stock === left));
        times.push(performance.now() - begin);
      }
      const { failed } = await visitors;
      return [
        { name: "stock on every process's pages: median", value: round(median(times), 0), unit: "ms" },
        {
          name: "stock on every process's pages: most",
          value: round(Math.max(...times), 0),
          unit: "ms",
          bar: { max: 1000 },
        },
        { name: "failed meanwhile", value: failed, unit: "", bar: { max: 0 } },
      ];
    },
    { WEB_CONCURRENCY: "2" },
  );
}

/** The stock that new connections are told, so many that each process is asked. */
function askAll({ url }: BenchShop): Promise<number[]> {
  return Promise.all(Array.from({ length: 6 }, () => stockShown(`${url}/api/products/${PRODUCT}`)));
}

function stockShown(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { agent: false }, async (answer) => resolve(JSON.parse(await text(answer)).sizes.M))
      .on("error", reject);
  });
}

import { setTimeout as sleep } from "node:timers/promises";
import { buy } from "./checkout.ts";
import { eachOnce, type Figure, round } from "./measure.ts";
import { addShoppers, type BenchShop, fillCarts, withShop } from "./shop.ts";

const ORDERS = 2000;
/** Orders made before measuring, so that every table and index has its first pages. */
const BEFORE = 500;
/** In ms: mails and jobs of the last orders are written by then. */
const JOBS_DONE_WITHIN = 8000;

/** Measures the disk that whole orders of one line take in the database: their rows with indexes, and the log (WAL). */
export function storage(): Promise<Figure[]> {
  return withShop(
    async (shop) => {
      await shop.sql("update product_sizes set supplied = 1000000");
      const shoppers = await addShoppers(shop, BEFORE + ORDERS);
      await fillCarts(shop, shoppers, "unity-home-jersey");
      const order = (some: typeof shoppers) => eachOnce(some, 10, (shopper) => buy(shop, shopper));
      await order(shoppers.splice(0, BEFORE));
      const before = await sizes(shop);
      const { failed } = await order(shoppers);
      const after = await sizes(shop);
      const grown = (name: string) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / ORDERS;
      const tables = [...after.keys()].filter((name) => name !== WAL && grown(name) > 0);
      const largest = tables.sort((a, b) => grown(b) - grown(a)).slice(0, 5);
      const all = tables.reduce((sum, name) => sum + grown(name), 0);
      const kilobytes = (name: string, bytes: number) => ({ name, value: round(bytes / 1000), unit: "KB" });
      return [
        kilobytes("an order: rows and indexes", all),
        ...largest.map((name) => kilobytes(`an order: ${name}`, grown(name))),
        kilobytes("an order: write-ahead log", grown(WAL)),
        { name: "failed", value: failed, unit: "", bar: { max: 0 } },
      ];
    },
    { TRUSTED_PROXIES: "127.0.0.1" },
  );
}

const WAL = "write-ahead log";

/** The bytes of each table with its indexes, and of the write-ahead log so far. */
async function sizes({ sql }: BenchShop): Promise<Map<string, number>> {
  await sleep(JOBS_DONE_WITHIN);
  const { rows: log } = await sql("select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes");
  await sql("vacuum");
  const { rows } = await sql(
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
     where relkind = 'r' and relnamespace in ('public'::regnamespace, 'jobs'::regnamespace)`,
  );
  return new Map([...rows.map((row) => [row.name, Number(row.bytes)] as const), [WAL, Number(log[0].bytes)]]);
}

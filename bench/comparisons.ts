import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { buy, sumsShown } from "./checkout.ts";
import { ask, eachOnce, type Load, load } from "./measure.ts";
import { PAGES } from "./pages.ts";
import { processesOf, processorTime } from "./processor.ts";
import { addShoppers, type BenchShop, fillCarts, type Shopper } from "./shop.ts";

/** One row of a comparison. Less is better unless `isMoreBetter` is set. */
export type Measured = { name: string; unit: string; value: number; isMoreBetter?: boolean };

/** A measurement that works for any version: by HTTP, and by tables that all versions have. */
export type Comparison = {
  part: string;
  warmUp?(shop: BenchShop): Promise<unknown>;
  measure(shop: BenchShop): Promise<Measured[]>;
  /** The figure is the same each time, so that one round is enough. */
  once?: true;
};

const PRODUCT = "unity-home-jersey";
const KEPT = { ...PAGES, "products as JSON": "/api/products" };

/** Memory is measured last, so that what the other parts leave behind counts. */
export const comparisons: Comparison[] = [
  { part: "pages", warmUp: (shop) => pages(shop, 1), measure: (shop) => pages(shop, 2) },
  { part: "carts", warmUp: (shop) => newCarts(shop, 1500), measure: (shop) => newCarts(shop, 1000) },
  { part: "orders", warmUp: (shop) => orders(shop, 1200), measure: (shop) => orders(shop, 300) },
  { part: "statements", measure: statements, once: true },
  { part: "bytes", measure: bytes, once: true },
  { part: "memory", measure: memory, once: true },
];

async function pages(shop: BenchShop, seconds: number): Promise<Measured[]> {
  const rows: Measured[] = [];
  for (const [name, page] of Object.entries(KEPT)) {
    const { result, time } = await processorTime(shop, () => load(shop.url + page, { seconds }));
    rows.push(...answered(name, result), {
      name: `${name}: processor`,
      unit: "ms",
      value: (time.shop + time.database) / (result.perSecond * seconds),
    });
  }
  return rows;
}

/** Throws if requests failed: a refusal would count as a quick answer. */
function answered(name: string, { perSecond, failed }: Load): Measured[] {
  if (failed > 0) throw new Error(`${name}: ${failed} were not answered as they should be`);
  return [{ name, unit: "/s", value: perSecond, isMoreBetter: true }];
}

const add = JSON.stringify({ intent: "set", id: PRODUCT, size: "M", quantity: 1 });

/** Measures the first piece that shoppers put into an empty cart. */
async function newCarts(shop: BenchShop, count: number): Promise<Measured[]> {
  const shoppers = await prepared(shop, count);
  const { result, time } = await processorTime(shop, () =>
    eachOnce(shoppers, 20, async ({ cookie, address }) => {
      const { status, body } = await ask(`${shop.url}/api/cart`, { cookie, address, json: add });
      if (status !== 200) throw new Error(`POST /api/cart: ${status} ${body.slice(0, 200)}`);
    }),
  );
  return [...answered("new carts", result), ...processor("a new cart", time, count)];
}

function processor(name: string, time: { shop: number; database: number }, count: number): Measured[] {
  return [
    { name: `${name}: processor of the shop`, unit: "ms", value: time.shop / count },
    { name: `${name}: processor of the database`, unit: "ms", value: time.database / count },
  ];
}

async function orders(shop: BenchShop, count: number): Promise<Measured[]> {
  const { result, time } = await buying(shop, count, 10);
  return [...answered("whole orders", result), ...processor("an order", time, count)];
}

async function buying(shop: BenchShop, count: number, atOnce: number) {
  const shoppers = await prepared(shop, count + 1);
  await fillCarts(shop, shoppers, PRODUCT);
  const agreed = await sumsShown(shop, shoppers.pop() as Shopper);
  return processorTime(shop, () => eachOnce(shoppers, atOnce, (shopper) => buy(shop, shopper, agreed)));
}

async function prepared(shop: BenchShop, count: number): Promise<Shopper[]> {
  await shop.sql("update product_sizes set supplied = 1000000 where supplied < 1000000");
  const shoppers = await addShoppers(shop, count);
  // Plans stay those of empty tables until autovacuum comes: once a minute, at a different time in each shop.
  await shop.sql("analyze");
  return shoppers;
}

/** Statements per order, counted in the database's log, one order after the other. */
async function statements(shop: BenchShop): Promise<Measured[]> {
  const count = 50;
  await logStatements(shop, true);
  const before = statementsLogged(shop);
  await buying(shop, count, 1);
  await logStatements(shop, false);
  return [{ name: "an order: statements", unit: "", value: (statementsLogged(shop) - before) / count }];
}

async function logStatements({ sql }: BenchShop, isOn: boolean): Promise<void> {
  await sql(`alter system set log_min_duration_statement = ${isOn ? 0 : -1}`);
  await sql("select pg_reload_conf()");
}

function statementsLogged({ dataDir }: BenchShop): number {
  const log = readFileSync(path.join(dataDir, "postgres.log"), "utf8");
  return log.match(/LOG: {2}duration: [\d.]+ ms {2}(?:execute|statement)/g)?.length ?? 0;
}

/** The sizes of each page and of all scripts that it names, in KB after gzip. */
async function bytes({ url }: BenchShop): Promise<Measured[]> {
  const rows: Measured[] = [];
  for (const [name, page] of Object.entries(PAGES)) {
    const html = await gzipped(url + page);
    const scripts = new Set(
      gunzipSync(html)
        .toString()
        .match(/\/assets\/[\w.-]+\.js/g),
    );
    const sizes = await Promise.all([...scripts].map(async (script) => (await gzipped(url + script)).length));
    rows.push(
      { name: `${name}: page`, unit: "KB", value: html.length / 1000 },
      { name: `${name}: script`, unit: "KB", value: sizes.reduce((sum, size) => sum + size, 0) / 1000 },
    );
  }
  return rows;
}

async function gzipped(url: string): Promise<Buffer> {
  const answer = await fetch(url, { headers: { "accept-encoding": "identity" } });
  return gzipSync(Buffer.from(await answer.arrayBuffer()));
}

/** Memory as proportional set size: what each process holds alone, and its share of what it holds with others. */
async function memory(shop: BenchShop): Promise<Measured[]> {
  const { own, database } = processesOf(shop);
  return [
    { name: `memory: the shop's ${own.length} processes`, unit: "MB", value: memoryOf(own) },
    { name: "memory: the database", unit: "MB", value: memoryOf(database) },
  ];
}

function memoryOf(processes: { pid: number }[]): number {
  const kilobytes = processes.map(({ pid }) =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}

import { randomUUID } from "node:crypto";
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { newDataDir, ownerUrl, type RunningShop, runShop } from "#tests/support/running-shop.ts";

export type BenchShop = RunningShop & { sql(text: string, values?: unknown[]): Promise<pg.QueryResult> };

const PICTURES = "bench/out/pictures";

/** Runs `work` with a fresh demo shop and its sandbox, started as by `npm start`. */
export async function withShop<T>(
  work: (shop: BenchShop) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  const shop = await openShop(settings);
  try {
    await picturesMade(shop.sql);
    return await work(shop);
  } finally {
    await shop.close();
  }
}

/** Opens a shop of the version in `checkout`. The pictures that it makes are kept for the next run. */
export async function openShop(
  settings: Record<string, string> = {},
  checkout = process.cwd(),
): Promise<BenchShop & { close(): Promise<void> }> {
  const dataDir = newDataDir();
  const pictures = path.resolve(checkout, PICTURES);
  mkdirSync(pictures, { recursive: true });
  symlinkSync(pictures, path.join(dataDir, "pictures"));
  const shop = await runShop({ DATA_DIR: dataDir, LOG_LEVEL: "error", ...settings }, checkout);
  const pool = new pg.Pool({ connectionString: ownerUrl(shop), max: 2, application_name: "bench" });
  const sql = (text: string, values?: unknown[]) => pool.query(text, values);
  const close = async () => {
    await pool.end();
    await shop.stop();
  };
  return { ...shop, sql, close };
}

/** Resolves when all renderings of the demo's pictures are made. */
export async function picturesMade(sql: (text: string) => Promise<{ rows: unknown[] }>): Promise<void> {
  for (;;) {
    const { rows } = await sql("select from jobs.job where name = 'make-pictures' and state <> 'completed'");
    if (rows.length === 0) return;
    await sleep(200);
  }
}

/** `address`: the network address of each shopper, for a shop that trusts what 127.0.0.1 forwards. */
export type Shopper = { id: string; cookie: string; address: string };

/** Writes verified shoppers, with a session each, straight into the tables: registering takes a slow password hash. */
export async function addShoppers({ sql }: BenchShop, count: number): Promise<Shopper[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await sql(
    "insert into users (id, email, email_verified, first_name) select id, id || '@example.com', true, 'Ada' from unnest($1::text[]) id",
    [ids],
  );
  await sql(
    "insert into sessions (token_hash, user_id, device) select sha256(convert_to(id, 'UTF8')), id, 'bench' from unnest($1::text[]) id",
    [ids],
  );
  await sql("insert into carts (user_id, version) select id, 1 from unnest($1::text[]) id", [ids]);
  const address = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
  return ids.map((id, n) => ({ id, cookie: `irepo.session=${id}`, address: address(n) }));
}

/** Puts one piece of the product, in size M, into each cart. */
export async function fillCarts({ sql }: BenchShop, shoppers: Shopper[], product: string): Promise<void> {
  await sql(
    `insert into cart_lines (user_id, product_id, size, color, quantity, price_cents)
     select u, p.id, 'M', p.color, 1, p.price_cents from unnest($1::text[]) u, products p where p.id = $2`,
    [shoppers.map(({ id }) => id), product],
  );
}

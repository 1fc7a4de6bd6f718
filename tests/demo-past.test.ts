import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedDemo } from "#app/catalog/demo.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { DAY, MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { loadPast } from "#app/owner/demo-past/load.server.ts";
import { PAST_FILE, PAST_TABLES } from "#app/owner/demo-past/tables.ts";
import { ask } from "#tests/support/ask-database.ts";
import { useDatabase } from "#tests/support/database.ts";
import { freePort } from "#tests/support/free-port.ts";
import { newDataDir, ownerUrl, type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { shopCommand } from "#tests/support/shop-command.ts";
import { statusOf, untilAnswered } from "./machines/processes.ts";
import { signInAt } from "./soak/traffic.ts";

type DemoProduct = { id: string; priceCents: number; sizes: Record<string, number>; images: { hash: string }[] };
const products = JSON.parse(readFileSync("db/demo/products.json", "utf8")) as DemoProduct[];
/** What each size of the demo's catalogue has in stock, and each product's price and pictures. */
const catalogue = {
  stock: products
    .flatMap(({ id, sizes }) => Object.entries(sizes).map(([size, units]) => `${id} ${size} ${units}`))
    .sort(),
  prices: products
    .map(({ id, priceCents, images }) => [id, priceCents, ...images.map(({ hash }) => hash)].join(" "))
    .sort(),
};
const AGAIN = "What is in db/demo cannot be loaded, or is not the demo's catalogue: npm run demo-past";

describe("the first start of a demo", () => {
  let shop: RunningShop;
  let office: string;
  const rows = (text: string) => ask(ownerUrl(shop), text) as Promise<Record<string, unknown>[]>;
  const settings = () => ({
    DATA_DIR: shop.dataDir,
    SANDBOX_PORT: new URL(shop.sandboxUrl).port,
    LOG_LEVEL: "silent",
  });
  const command = (...words: string[]) => shopCommand(settings(), ...words);
  const counts = () =>
    rows(
      "select (select count(*) from orders) as orders, (select count(*) from users) as customers, (select count(*) from audit_log) as acts",
    );

  beforeAll(async () => {
    const port = await freePort();
    office = `http://localhost:${port}`;
    shop = await runShop({ DATA_DIR: newDataDir(), DEMO_PAST: "on", OFFICE_PORT: String(port) });
  });
  afterAll(() => shop?.stop());

  test("loads its past", async () => {
    expect(shop.said(), AGAIN).not.toContain("without its past");
    const [found] = await counts();
    expect(Number(found?.orders)).toBeGreaterThanOrEqual(150);
    expect(Number(found?.customers)).toBeGreaterThanOrEqual(80);
  });

  test("leaves stock, prices and pictures as the demo's catalogue has them, and nothing reserved", async () => {
    const stock = await rows("select concat_ws(' ', product_id, size, on_hand) as line from product_sizes");
    expect(stock.map(({ line }) => line).sort(), AGAIN).toEqual(catalogue.stock);
    const prices = await rows(
      "select concat_ws(' ', id, price_cents, (select string_agg(i ->> 'hash', ' ' order by n) from jsonb_array_elements(images) with ordinality as e(i, n))) as line from products where not hidden and old_cents is null",
    );
    expect(prices.map(({ line }) => line).sort(), AGAIN).toEqual(catalogue.prices);
    expect(await rows("select from product_sizes where reserved > 0")).toEqual([]);
  });

  test("agrees with itself and with the provider's books", async () => {
    expect(await command("check")).toMatchObject({ code: 0 });
    expect(await command("check", "100", "--provider")).toMatchObject({ code: 0 });
  });

  test("has no mail to send, nothing due and nobody signed in", async () => {
    expect(await rows("select from outbox where state <> 'sent'")).toEqual([]);
    expect(await rows("select from payments where next_check_at is not null")).toEqual([]);
    expect(await rows("select from refunds where state <> 'done'")).toEqual([]);
    expect(await rows("select from sessions")).toEqual([]);
    expect(await rows("select from accounts")).toEqual([]);
    expect(await rows("select name from jobs.job where name in ('send-mail', 'send-link')")).toEqual([]);
    expect(existsSync(path.join(shop.dataDir, "outbox"))).toBe(false);
  });

  test("ends now: no time lies ahead, the newest order is of the last hours, the oldest some three months old", async () => {
    const columns = await rows(
      `select table_name, column_name from information_schema.columns
       where table_schema = 'public' and data_type = 'timestamp with time zone' and table_name in ('${PAST_TABLES.join("', '")}')`,
    );
    for (const { table_name: table, column_name: column } of columns)
      expect(await rows(`select '${table}.${column}' as ahead from ${table} where ${column} > now()`)).toEqual([]);
    const [age] = await rows(
      "select extract(epoch from now() - max(created_at)) * 1000 as newest, extract(epoch from now() - min(created_at)) * 1000 as oldest from orders",
    );
    expect(Number(age?.newest)).toBeLessThan(DAY);
    expect(Number(age?.newest)).toBeGreaterThan(MINUTE);
    expect(Number(age?.oldest)).toBeGreaterThan(80 * DAY);
  });

  test("takes a backup in its place, until somebody registers", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "irepo-past-"));
    const file = path.join(folder, "backup.gz");
    expect(await command("backup", file)).toMatchObject({ code: 0 });
    expect(await command("restore", file, "--yes")).toMatchObject({ code: 0 });
    await rows(
      "insert into users (id, email, email_verified, first_name, last_name) values ('ada', 'a@example.com', true, 'A', 'O')",
    );
    expect(await command("restore", file, "--yes")).toMatchObject({ code: 2 });
    await rows("delete from users where id = 'ada'");
    rmSync(folder, { recursive: true });
  });

  test("gives the office work, and orders of several weeks to look at", async () => {
    await untilAnswered(async () => (await statusOf(`${office}/healthz`)) === 200, "the office is open");
    const owner = await signInAt(office);
    const today = await (await owner.get("/")).text();
    expect(today).toContain("Orders to send");
    expect(today).toContain("to answer");
    const [oldest] = await rows(
      `select number, tracking from orders join sales on order_id = orders.id
       where tracking is not null and orders.created_at < now() - interval '6 weeks' order by orders.created_at limit 1`,
    );
    const order = await owner.get(`/orders/${oldest?.number}`);
    expect(await order.text()).toContain(String(oldest?.tracking));
    const list = await owner.get("/orders?view=all&sort=oldest");
    expect(await list.text()).toContain(String(oldest?.number));
  });

  test("keeps what each shop draws for itself, and takes new orders' numbers from it", async () => {
    const [key] = await rows("select encode(key, 'hex') as key from number_key");
    expect(key?.key).toMatch(/^[0-9a-f]{64}$/);
    expect(gunzipSync(readFileSync(PAST_FILE)).toString()).not.toContain(String(key?.key));
    expect(PAST_TABLES.filter((name) => /staff|key|session|account|settings/.test(name))).toEqual([]);
  });

  test("loads nothing again at the next start", async () => {
    const before = await counts();
    await shop.restart();
    expect(await counts()).toEqual(before);
    expect(await command("check", "--provider")).toMatchObject({ code: 0 });
  });

  test("is left behind by go-live, as any trial", async () => {
    const drawn = randomBytes(20).toString("hex");
    const live = {
      PAYSTACK_SECRET_KEY: `sk_live_${drawn}`,
      PAYSTACK_PUBLIC_KEY: `pk_live_${drawn}`,
      SESSION_SECRET: drawn,
      PUBLIC_URL: "https://shop.example",
      SMTP_URL: "smtp://127.0.0.1:9",
      MAIL_FROM: "Irepo <orders@shop.example>",
      CONTACT_EMAIL: "help@shop.example",
    };
    expect(await shopCommand({ ...settings(), ...live }, "go-live", "--yes")).toMatchObject({ code: 0 });
    expect(await rows("select from orders where not trial")).toEqual([]);
    expect(await command("check")).toMatchObject({ code: 0 });
  });
});

test("with DEMO_PAST=off a demo has its products alone", async () => {
  const shop = await runShop({ DATA_DIR: newDataDir(), DEMO_PAST: "off" });
  try {
    const found = await ask(
      ownerUrl(shop),
      "select (select count(*) from orders) as orders, (select count(*) from users) as customers, (select count(*) from products) as products",
    );
    expect(found).toEqual([{ orders: "0", customers: "0", products: String(products.length) }]);
    const books = path.join(shop.dataDir, "sandbox.jsonl");
    expect(existsSync(books) ? readFileSync(books, "utf8") : "").toBe("");
  } finally {
    await shop.stop();
  }
});

describe("a past that was recorded by another version", () => {
  const { db } = useDatabase();
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-past-"));
  const [dataDir, pictures] = [env.dataDir, env.pictures];
  beforeAll(() => Object.assign(env, { dataDir: folder, pictures: { folder } }));
  afterAll(() => {
    Object.assign(env, { dataDir, pictures });
    rmSync(folder, { recursive: true });
  });
  const [head = "", ...lines] = gunzipSync(readFileSync(PAST_FILE)).toString().split("\n");

  /** Writes these lines as another past. Returns the file. */
  function past(...changed: string[]): string {
    const file = path.join(folder, `${randomBytes(4).toString("hex")}.gz`);
    writeFileSync(file, gzipSync(changed.join("\n")));
    return file;
  }
  const orders = async (on: Db | Transaction) => (await on.selectFrom("orders").select("id").execute()).length;

  test("is brought to this version, if that one was older", async () => {
    const known = JSON.parse(head) as { migrations: string[] };
    const older = past(JSON.stringify({ ...known, migrations: known.migrations.slice(0, -1) }), ...lines);
    const said: string[] = [];
    const undone = new Error("only to see it");
    const loading = db()
      .transaction()
      .execute(async (trx) => {
        await loadPast(trx, (line) => said.push(line), older);
        expect([said, await orders(trx)], AGAIN).toEqual([[], lines.filter(isOrder).length]);
        throw undone;
      });
    await expect(loading).rejects.toBe(undone);
    expect(lines.filter(isOrder).length).toBeGreaterThan(0);
  });

  test("leaves a demo with its products alone if it does not fit, and a warning that names the command", async () => {
    rmSync(path.join(folder, "sandbox.jsonl"), { force: true });
    const withoutColumn = lines.map((line) =>
      line.startsWith('{"table":"sales"') ? line.replace(/"kobo":\d+,/, "") : line,
    );
    const damaged = past(head, ...withoutColumn);
    const said: string[] = [];
    await seedDemo(db(), (trx) => loadPast(trx, (line) => said.push(line), damaged));
    expect(said).toEqual([expect.stringMatching(/^The demo opens without its past: .* npm run demo-past$/)]);
    const sizes = await db().selectFrom("productSizes").select(["productId", "size", "onHand"]).execute();
    expect(await orders(db())).toBe(0);
    expect(sizes.map(({ productId, size, onHand }) => `${productId} ${size} ${onHand}`).sort()).toEqual(
      catalogue.stock,
    );
    expect(existsSync(path.join(folder, "sandbox.jsonl"))).toBe(false);
  });

  test("replaces nothing in a shop with a customer whose products were all deleted", async () => {
    await db().deleteFrom("products").execute();
    const bola = { email: "bola@example.com", emailVerified: true, firstName: "Bola", lastName: "Ade" };
    await db()
      .insertInto("users")
      .values({ id: randomUUID(), ...bola })
      .execute();
    writeFileSync(path.join(folder, "sandbox.jsonl"), "books");
    const said: string[] = [];
    await seedDemo(db(), (trx) => loadPast(trx, (line) => said.push(line)));
    const users = await db().selectFrom("users").select("email").execute();
    expect([said, users, await orders(db())]).toEqual([[], [{ email: bola.email }], 0]);
    expect(readFileSync(path.join(folder, "sandbox.jsonl"), "utf8")).toBe("books");
    expect(await db().selectFrom("products").select("id").execute()).toHaveLength(products.length);
  });
});

const isOrder = (line: string) => line.startsWith('{"table":"orders"');

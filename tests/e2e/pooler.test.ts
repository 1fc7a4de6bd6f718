import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { endPayment, hearsOfTwo, LAGOS, newCustomer, pressPay } from "#tests/support/http-visitor.ts";
import { hasPgbouncer, type Pooler, startPgbouncer } from "#tests/support/pgbouncer.ts";
import { type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { shopCommand } from "#tests/support/shop-command.ts";

describe.skipIf(!hasPgbouncer)("a shop behind pgbouncer in transaction mode (Debian's, where it is installed)", () => {
  let pooler: Pooler;
  let shop: RunningShop;
  let settings: Record<string, string>;

  beforeAll(async () => {
    const admin = inject("postgresUrl");
    await ask(admin, "create database pooled");
    pooler = await startPgbouncer(admin);
    const direct = admin.replace(/\/postgres$/, "/pooled");
    settings = { DATABASE_URL: direct.replace(/:\d+\//, `:${pooler.port}/`), DATABASE_DIRECT_URL: direct };
    shop = await runShop({ ...settings, WEB_CONCURRENCY: "2" });
  });
  afterAll(async () => {
    await shop?.stop();
    await pooler?.stop();
    await ask(inject("postgresUrl"), "drop database if exists pooled with (force)");
  });

  test("sells, tells every process, mails, and agrees with itself", async () => {
    const customer = await newCustomer(shop, "ada@example.com"); // its verification mail is sent by a job
    const streams = await Promise.all(
      Array.from({ length: 4 }, () => customer.get("/api/live", { connection: "close" })),
    );
    const heard = streams.map(hearsOfTwo);
    await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "2" });
    expect(await Promise.all(heard)).toEqual(Array(4).fill(true));
    const paying = await pressPay(customer, { ...LAGOS, email: "ada@example.com" });
    const reference = await endPayment(paying.headers.get("location") ?? "", "success");
    await customer.get(`/checkout/return?reference=${reference}`);
    expect((await customer.get(`/order/${reference}`)).status).toBe(200);
    const { said } = await shopCommand({ DATA_DIR: shop.dataDir, ...settings }, "check");
    expect(said).toContain("Everything agrees");
  });

  test("listens and works on its jobs over connections of its own, with the shop's role as everything else", async () => {
    const rows = await ask(
      settings.DATABASE_DIRECT_URL ?? "",
      `select application_name as name, count(*)::int as connections from pg_stat_activity
       where datname = 'pooled' and usename = 'pooled_shop' and application_name in ('irepo jobs', 'irepo live') group by 1`,
    );
    const connections = Object.fromEntries(rows.map(({ name, connections }) => [name, connections]));
    expect(connections).toEqual({ "irepo jobs": expect.any(Number), "irepo live": 2 });
  });
});

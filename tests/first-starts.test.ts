import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { seedDemo } from "#app/catalog/demo.server.ts";
import { createDb, createPool, type Db } from "#app/infra/database/db.server.ts";
import { prepareDatabase } from "#app/infra/database/prepare.server.ts";
import { closeQueue, openQueue } from "#app/infra/database/queue.server.ts";
import { env } from "#app/infra/env.server.ts";
import { seedShipping } from "#app/shipping/rates.server.ts";
import { ask } from "#tests/support/ask-database.ts";

const STARTS = 4;
const name = `irepo_${randomBytes(6).toString("hex")}`;
const url = inject("postgresUrl").replace(/\/postgres$/, `/${name}`);
const folder = mkdtempSync(path.join(tmpdir(), "irepo-first-"));
let pools: Db[] = [];

beforeAll(async () => {
  env.pictures = { folder };
  await ask(inject("postgresUrl"), `create database ${name}`);
});
afterAll(async () => {
  await closeQueue();
  await Promise.all(pools.map((one) => one.destroy()));
  await ask(inject("postgresUrl"), `drop database ${name} with (force)`);
  rmSync(folder, { recursive: true });
});

test("of several first starts at once each finds the same shop: made once, filled once", async () => {
  const access = { owner: url, setting: "DATABASE_URL" };
  const prepared = await Promise.all(Array.from({ length: STARTS }, () => prepareDatabase(access)));
  expect(new Set(prepared.map((one) => one.url)).size).toBe(1);
  const [{ url: shop } = { url }] = prepared;
  pools = prepared.map(() => createDb(createPool({ url: shop, max: 2, name: "first start" })));
  await openQueue(shop, { name: "first start jobs" });
  await Promise.all(
    pools.map(async (on) => {
      await seedDemo(on);
      await seedShipping(on);
    }),
  );
  const counted = await ask(
    url,
    `select (select count(*) from products) as products, (select count(*) from jobs.job where name = 'make-pictures') as jobs,
      (select count(*) from shipping_rates) > 0 as rates`,
  );
  expect(counted).toEqual([{ products: "16", jobs: "1", rates: true }]);
});

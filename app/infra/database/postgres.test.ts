import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { newDataDir } from "#tests/support/running-shop.ts";
import { type EmbeddedPostgres, startPostgres } from "./postgres.server.ts";

const dataDir = newDataDir();
let server: EmbeddedPostgres | undefined;

afterEach(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test("a connection that ends a moment later does not keep the server running, and one that stays does", async () => {
  server = await startPostgres(dataDir);
  const client = new pg.Client({ connectionString: server.url, application_name: "irepo test" });
  await client.connect();
  const isRunning = () => existsSync(path.join(dataDir, "postgres/postmaster.pid"));
  await server.stop();
  expect(isRunning()).toBe(true);
  await Promise.all([server.stop(), sleep(500).then(() => client.end())]);
  expect(isRunning()).toBe(false);
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { backUp, type KeptFile, restore } from "./backup.server.ts";
import { createDb, type Db } from "./db.server.ts";

const database = useDatabase();
const folder = mkdtempSync(path.join(tmpdir(), "irepo-backup-"));
const at = path.join(folder, "shop.backup");
const pictures: KeptFile[] = ["one", "two"].map((file) => ({ file, bytes: Buffer.from(file.repeat(100_000)) }));

const WITHIN = 30_000;

/** A database whose connections end a transaction that is idle for 3 s. */
let impatient: Db;
beforeAll(async () => {
  const pool = new pg.Pool({ connectionString: database.url(), idle_in_transaction_session_timeout: 3000 });
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", () => undefined);
  impatient = createDb(pool);
  await makeProduct(database.db(), { M: 7 });
  await backUp(impatient, at, slow());
});
afterAll(async () => {
  await impatient.destroy();
  rmSync(folder, { recursive: true });
});

/** Resolves when no transaction is idle: it has finished, or the database has ended it. */
async function takesLonger(): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
    `.execute(database.db());
    expect(rows).toEqual([]);
  }, WITHIN);
}

async function* slow(): AsyncGenerator<KeptFile> {
  for (const picture of pictures) {
    await takesLonger();
    yield picture;
  }
}

test.each([
  ["as it was written", (bytes: Buffer) => bytes],
  ["written in one piece, as by the first versions", (bytes: Buffer) => gzipSync(gunzipSync(bytes))],
])(
  "a backup whose pictures take longer than a transaction may be idle is complete and can be restored, %s",
  async (_, made) => {
    const products = () => database.db().selectFrom("products").selectAll().execute();
    const before = await products();
    writeFileSync(at, made(readFileSync(at)));
    await sql`truncate products cascade`.execute(database.db());
    const back: KeptFile[] = [];
    const keep = async (picture: KeptFile) => {
      await takesLonger();
      back.push(picture);
    };
    await restore(impatient, at, keep, { before: async () => undefined, after: async () => undefined });
    expect(back).toEqual(pictures);
    expect(await products()).toEqual(before);
  },
);

test.each(["orders", "returns"])(
  "numbers of %s that were assigned after the backup are not assigned again",
  async (table) => {
    await restore(impatient, at, async () => undefined, {
      before: async () => undefined,
      after: async () => undefined,
    });
    const { rows } = await sql<{
      next: string;
    }>`select nextval(pg_get_serial_sequence(${table}, 'counted')) as next`.execute(database.db());
    expect(Number(rows[0]?.next)).toBeGreaterThan(100_000);
  },
);

import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { closeDb, type Db, openDb } from "#app/infra/database/db.server.ts";
import { migrate } from "#app/infra/database/migrate.server.ts";
import { closeQueue, installQueue, openQueue } from "#app/infra/database/queue.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";

const TEMPLATE_LOCK = 7_103_301;

/**
 * Gives the test file a database of its own, migrated and empty, which is opened as the process's database, with the
 * job queue beside it. `connectTimeout`, in ms, is for tests that request many connections at once: on a busy machine
 * the last of them wait for longer than a visitor would. `locale`: options of "create database", for a locale other
 * than the embedded database's.
 */
export function useDatabase({
  max = 20,
  connectTimeout,
  locale,
}: {
  max?: number;
  connectTimeout?: number;
  locale?: string;
} = {}): {
  db(): Db;
  url(): string;
} {
  const name = `irepo_${randomBytes(6).toString("hex")}`;
  let db: Db;
  let url: string;
  beforeAll(async () => {
    const adminUrl = inject("postgresUrl");
    await makeTemplate(adminUrl);
    const like = locale ? `template0 ${locale}` : "irepo_template";
    await asAdmin(adminUrl, (admin) => admin.query(`create database ${name} template ${like}`));
    url = adminUrl.replace(/\/postgres$/, `/${name}`);
    db = openDb({ url, max, connectTimeout, name: "test" });
    if (locale) await migrate(db);
    if (locale) await installQueue(url);
    await openQueue(url, { name: "test jobs" });
    await shopSettings(db);
  });
  afterAll(async () => {
    await closeQueue();
    await closeDb();
    await asAdmin(inject("postgresUrl"), (admin) => admin.query(`drop database if exists ${name} with (force)`));
  });
  return { db: () => db, url: () => url };
}

/** Several workers may run this at once: an advisory lock lets only one of them make the template. */
async function makeTemplate(adminUrl: string): Promise<void> {
  await asAdmin(adminUrl, async (admin) => {
    await admin.query("select pg_advisory_lock($1)", [TEMPLATE_LOCK]);
    const { rows } = await admin.query("select datistemplate from pg_database where datname = 'irepo_template'");
    if (rows[0].datistemplate) return;
    const url = adminUrl.replace(/\/postgres$/, "/irepo_template");
    await migrate(openDb({ url, max: 2, name: "test template" }));
    await closeDb();
    await installQueue(url);
    await admin.query("alter database irepo_template with is_template true");
  });
}

async function asAdmin<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

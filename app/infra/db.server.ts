import {
  CamelCasePlugin,
  type ControlledTransaction,
  Kysely,
  type Transaction as KyselyTransaction,
  PostgresDialect,
} from "kysely";
import pg from "pg";
import type { Database } from "#db/types.ts";
import { log } from "./log.server.ts";

export type Db = Kysely<Database>;
export type Transaction = KyselyTransaction<Database> | ControlledTransaction<Database>;

const SECOND = 1000;

export type PoolSettings = { url: string; max: number; name: string; statementTimeout?: number };

/** A pool that gives up in time: waiting for a connection, a statement and an idle transaction all end. */
export function createPool({ url, max, name, statementTimeout = 10 * SECOND }: PoolSettings): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: name,
    connectionTimeoutMillis: 2 * SECOND,
    idleTimeoutMillis: 30 * SECOND,
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: 15 * SECOND,
    lock_timeout: 5 * SECOND,
  });
  // Without a listener a connection's end (a database restart) would end the process: the pool listens to idle ones only.
  pool.on("connect", (client) => client.on("error", (error) => log.warn({ err: error }, "database connection lost")));
  pool.on("error", () => undefined); // the connection has told it
  return pool;
}

const pools = new WeakMap<Db, pg.Pool>();

export function createDb(pool: pg.Pool): Db {
  const db: Db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  pools.set(db, pool);
  return db;
}

/**
 * A statement of its own that each connection parses and plans once: for what is asked all the time. Columns are named as in TypeScript
 * (`as "userId"`), and never `*`: a plan outlives a migration that adds a column.
 */
export function prepared<Row extends object, Values extends unknown[]>(
  name: string,
  text: string,
): (on: Db, ...values: Values) => Promise<Row[]> {
  return async function ask(on, ...values) {
    const pool = pools.get(on);
    if (!pool) throw new Error("A prepared statement needs a database that createDb made");
    const client = await pool.connect();
    let failed: Error | undefined;
    try {
      return (await client.query<Row>({ name, text, values })).rows;
    } catch (error) {
      failed = error as Error;
      throw error;
    } finally {
      client.release(failed);
    }
  };
}

/** Who asks. Payments have connections of their own: a rush of visitors cannot take them away. */
type Role = "web" | "checkout";
let current: Record<Role, Db> | undefined;

/** Opens the process's own pools; called once at the start, and by tests with their own database. */
export function openDb(settings: PoolSettings): Db {
  const open = (name: string) => createDb(createPool({ ...settings, name }));
  current = { web: open(settings.name), checkout: open(`${settings.name} checkout`) };
  return current.web;
}

export async function closeDb(): Promise<void> {
  const closing = current;
  current = undefined;
  await Promise.all([closing?.web.destroy(), closing?.checkout.destroy()]);
}

/** The process's database. Throws before `openDb`. */
export function db(role: Role = "web"): Db {
  if (!current) throw new Error("The database is not open: openDb() comes first");
  return current[role];
}

const RETRYABLE = new Set(["40001", "40P01"]);

/** Runs `work` in one transaction, again (at most 5 times, with jitter) after a deadlock or a serialization failure. */
export async function transact<T>(on: Db, work: (trx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await on.transaction().execute(work);
    } catch (error) {
      const code = (error as { code?: string }).code ?? "";
      if (attempt >= 5 || !RETRYABLE.has(code)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt));
    }
  }
}

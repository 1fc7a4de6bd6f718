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

export function createDb(pool: pg.Pool): Db {
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

let current: { pool: pg.Pool; db: Db } | undefined;

/** Opens the process's own pool; called once at the start, and by tests with their own database. */
export function openDb(settings: PoolSettings): Db {
  const pool = createPool(settings);
  current = { pool, db: createDb(pool) };
  return current.db;
}

export async function closeDb(): Promise<void> {
  const closing = current;
  current = undefined;
  await closing?.db.destroy();
}

/** The process's database. Throws before `openDb`. */
export function db(): Db {
  if (!current) throw new Error("The database is not open: openDb() comes first");
  return current.db;
}

export function dbPool(): pg.Pool {
  if (!current) throw new Error("The database is not open: openDb() comes first");
  return current.pool;
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

import {
  CamelCasePlugin,
  type ControlledTransaction,
  Kysely,
  type Transaction as KyselyTransaction,
  type LogEvent,
  PostgresDialect,
  sql,
} from "kysely";
import pg from "pg";
import { statementChannel } from "#app/infra/channels.server.ts";
import { SECOND } from "#app/infra/durations.ts";
import { errorCode } from "#app/infra/error-fields.ts";
import { currentRequest } from "#app/infra/http/request-context.server.ts";
import { excludeFromLog } from "#app/infra/log.server.ts";
import { dependency } from "#app/infra/outage-log.server.ts";
import type { Database } from "#db/types.ts";
import { StatementClient, WITH_COMMIT } from "./client.server.ts";
import { DatabaseAway, isDatabaseConnectionError } from "./connection-errors.ts";
import { DatabaseWatch } from "./watch.server.ts";

export { WITH_COMMIT };

export type Db = Kysely<Database>;
export type Transaction = KyselyTransaction<Database> | ControlledTransaction<Database>;

/** Logs one line when the database goes away and one when it is back, for this whole process. */
export const database = dependency("the database", () => sql`select`.execute(db()));

excludeFromLog((error) => {
  const isDatabases = isDatabaseConnectionError(error);
  if (isDatabases) database.failed(error);
  return isDatabases;
});

/** Where the database is. `direct` is its own address where `url` is that of a pooler in transaction mode. */
export type Address = { url: string; direct?: string };
export type PoolSettings = Address & { max: number; name: string; statementTimeout?: number; watch?: DatabaseWatch };

/** How long a statement may wait in a pooler, where no limit of the database counts: in ms. */
const POOLER_SLACK = 2 * SECOND;

/** A pool with time limits on waiting for a connection, on statements and on idle transactions. */
export function createPool({ url, direct, max, name, statementTimeout = 10 * SECOND, watch }: PoolSettings): pg.Pool {
  const limits = {
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: 15 * SECOND,
    lock_timeout: 5 * SECOND,
  };
  const settings = {
    Client: StatementClient,
    pipeline: true, // a statement and its COMMIT in one go
    connectionString: url,
    max,
    application_name: name,
    connectionTimeoutMillis: 2 * SECOND,
    idleTimeoutMillis: 30 * SECOND,
    ...(direct ? { transactionLimits: limits, mayWait: statementTimeout + POOLER_SLACK } : limits),
    watch,
    onFailure: database.failed,
  };
  watch?.start({ ...settings, connectionString: direct ?? url });
  const pool = new pg.Pool(settings);
  // Without a listener a connection's end (a database restart) would end the process: the pool listens to idle ones only.
  pool.on("connect", (client) => client.on("error", database.failed));
  pool.on("error", () => undefined); // the connection has told it
  return pool;
}

/** `watch` is told when no connection can be had. */
export function createDb(pool: pg.Pool, watch?: DatabaseWatch): Db {
  const connect = async () => {
    try {
      return await pool.connect();
    } catch (error) {
      watch?.recordFailure();
      throw error;
    }
  };
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    ...(statementChannel.hasSubscribers && { log: tellStatement }),
  });
}

function tellStatement(event: LogEvent): void {
  const error = event.level === "error" ? event.error : undefined;
  statementChannel.end.publish({ sql: event.query.sql, duration: event.queryDurationMillis, error });
}

/** How many connections the server accepts in all. */
export async function connectionLimit(on: Db): Promise<{ limit: number }[]> {
  return (await sql<{ limit: number }>`select current_setting('max_connections')::int as "limit"`.execute(on)).rows;
}

/** Who asks. Payments have connections of their own: a rush of visitors cannot take them away. */
type Role = "web" | "checkout";
let current: (Record<Role, Db> & { watch: DatabaseWatch; pools: Record<Role, pg.Pool> }) | undefined;

/** Opens the process's own pools; called once at the start, and by tests with their own database. */
export function openDb(settings: PoolSettings): Db {
  const watch = new DatabaseWatch(() => database.failed(new DatabaseAway()));
  const open = (name: string) => createPool({ ...settings, name, watch });
  const pools = { web: open(settings.name), checkout: open(`${settings.name} checkout`) };
  current = { web: createDb(pools.web, watch), checkout: createDb(pools.checkout, watch), watch, pools };
  return current.web;
}

export async function closeDb(): Promise<void> {
  const closing = current;
  current = undefined;
  closing?.watch.stop();
  await Promise.all([closing?.web.destroy(), closing?.checkout.destroy()]);
}

/** How many connections this process's pools have, by what they are at. */
export function poolSizes(): { pool: string; state: "idle" | "used" | "waiting"; count: number }[] {
  return Object.entries(current?.pools ?? {}).flatMap(([pool, { totalCount, idleCount, waitingCount }]) => [
    { pool, state: "idle", count: idleCount },
    { pool, state: "used", count: totalCount - idleCount },
    { pool, state: "waiting", count: waitingCount },
  ]);
}

/** Watches whether the process's database answers; undefined before `openDb`. */
export function databaseWatch(): DatabaseWatch | undefined {
  return current?.watch;
}

/** The process's database. Throws before `openDb`. */
export function db(role: Role = "web"): Db {
  if (!current) throw new Error("The database is not open: openDb() comes first");
  return current[role];
}

function isTransaction(on: Db | Transaction): on is Transaction {
  return on.isTransaction;
}

/** Whether the present request may have failed because the database is down or overloaded, not by its own or the shop's fault. */
export function isDatabaseAway(): boolean {
  const request = currentRequest();
  return request?.databaseTimedOut || (current?.watch.failedSince(request?.startedAt ?? performance.now()) ?? false);
}

const RETRYABLE = new Set(["40001", "40P01"]);

/**
 * Runs `work` in one transaction, again (at most 5 times, with jitter) after a deadlock or a serialization failure; in the caller's transaction where
 * there is one.
 */
export async function retryingTransaction<T>(on: Db | Transaction, work: (trx: Transaction) => Promise<T>): Promise<T> {
  if (isTransaction(on)) return work(on);
  for (let tried = 1; ; tried++) {
    try {
      return await on.transaction().execute(work);
    } catch (error) {
      if (tried >= 5 || !RETRYABLE.has(errorCode(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** tried));
    }
  }
}

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
import { connectionTimeout, DatabaseAway, isDatabaseConnectionError } from "./connection-errors.ts";
import { refusalOr } from "./refusals.ts";
import { DatabaseWatch } from "./watch.server.ts";

export { WITH_COMMIT };

export type Db = Kysely<Database>;
export type Transaction = KyselyTransaction<Database> | ControlledTransaction<Database>;

/** Logs one line when the database goes away and one when it is back, for this whole process. */
export const database = dependency("the database", () => sql`select`.execute(db()));

/** Logs in the same way when all connections to the database are busy, although it answers. */
const connections = dependency("the database", () => sql`select`.execute(db()), {
  goes: "is there, but all connections to it are busy",
  comes: "has free connections again",
});

/** Logs a failure: the database is away, or all connections to it are busy. */
export function noteDatabaseFailure(error: unknown): void {
  (isBusy(error) ? connections : database).failed(error);
}

/**
 * Whether the database is only busy. A frozen database makes callers wait for connections as well, so it counts as busy
 * only if it has just answered on some connection, or if no connection was free and no statement has been waiting for
 * long.
 */
function isBusy(error: unknown): boolean {
  const timeout = connectionTimeout(error);
  if (!timeout || !current || current.watch.isAway) return false;
  return current.watch.isHeard || (timeout === "none free" && !current.watch.isWaitedFor);
}

excludeFromLog((error) => {
  const isDatabases = isDatabaseConnectionError(error);
  if (isDatabases) noteDatabaseFailure(error);
  return isDatabases;
});

/**
 * The address of the database. If `url` leads to a pooler in transaction mode, `direct` leads to the database itself.
 */
export type Address = { url: string; direct?: string };
export type PoolSettings = Address & {
  max: number;
  name: string;
  connectTimeout?: number;
  statementTimeout?: number;
  watch?: DatabaseWatch;
};

/** In ms: how long a statement may wait inside a pooler, where the database's own limits do not apply. */
const POOLER_SLACK = 2 * SECOND;

/** A pool with time limits on waiting for a connection, on statements and on idle transactions. */
export function createPool(given: PoolSettings): pg.Pool {
  const { url, direct, max, name, connectTimeout = 2 * SECOND, statementTimeout = 10 * SECOND, watch } = given;
  const limits = {
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: 15 * SECOND,
    lock_timeout: 5 * SECOND,
  };
  const settings = {
    Client: StatementClient,
    pipeline: true, // a statement and its COMMIT can be sent together
    connectionString: url,
    max,
    application_name: name,
    connectionTimeoutMillis: connectTimeout,
    idleTimeoutMillis: 30 * SECOND,
    ...(direct ? { transactionLimits: limits, mayWait: statementTimeout + POOLER_SLACK } : limits),
    watch,
    onFailure: noteDatabaseFailure,
  };
  watch?.start({ ...settings, connectionString: direct ?? url });
  const pool = new pg.Pool(settings);
  // Without a listener, the error of a broken connection (a restart of the database) would end the process. The pool
  // itself listens to idle connections only.
  pool.on("connect", (client) => client.on("error", database.failed));
  pool.on("error", () => undefined); // reported by the connection's own listener
  return pool;
}

/** `watch` is notified when no connection can be opened or becomes free. */
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

/** The purpose of a pool. Payments have a pool of their own: a rush of visitors cannot take its connections. */
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

/** The connections of this process's pools by state; "waiting" counts the callers for whom none is free. */
export function poolSizes(): { pool: string; state: "idle" | "used" | "waiting"; count: number }[] {
  return Object.entries(current?.pools ?? {}).flatMap(([pool, { totalCount, idleCount, waitingCount }]) => [
    { pool, state: "idle", count: idleCount },
    { pool, state: "used", count: totalCount - idleCount },
    { pool, state: "waiting", count: waitingCount },
  ]);
}

/** The watch over whether the process's database answers; undefined before `openDb`. */
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

/**
 * Whether the present request may have failed because the database is down or overloaded, not by its own or the shop's
 * fault.
 */
export function isDatabaseAway(): boolean {
  const request = currentRequest();
  return request?.databaseTimedOut || (current?.watch.failedSince(request?.startedAt ?? performance.now()) ?? false);
}

const RETRYABLE = new Set(["40001", "40P01"]);

/**
 * Runs `work` in one transaction, and retries it after a deadlock or a serialization failure: at most 5 tries, with
 * jitter. If `on` is a transaction already, `work` runs in it once. Throws BadInput if it writes what others have just
 * removed.
 */
export async function retryingTransaction<T>(on: Db | Transaction, work: (trx: Transaction) => Promise<T>): Promise<T> {
  if (isTransaction(on)) return work(on);
  for (let tried = 1; ; tried++) {
    try {
      return await on.transaction().execute(work);
    } catch (error) {
      if (tried >= 5 || !RETRYABLE.has(errorCode(error))) throw refusalOr(error);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** tried));
    }
  }
}

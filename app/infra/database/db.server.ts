import type { Socket } from "node:net";
import {
  CamelCasePlugin,
  type ControlledTransaction,
  Kysely,
  type Transaction as KyselyTransaction,
  PostgresDialect,
  sql,
} from "kysely";
import pg from "pg";
import { SECOND } from "#app/infra/durations.ts";
import { currentRequest } from "#app/infra/http/request-context.server.ts";
import { leaveOut } from "#app/infra/log.server.ts";
import { dependency } from "#app/infra/outage-log.server.ts";
import type { Database } from "#db/types.ts";
import { DatabaseAway, DatabaseWatch, type Watched } from "./watch.server.ts";

export type Db = Kysely<Database>;
export type Transaction = KyselyTransaction<Database> | ControlledTransaction<Database>;

/** One line when it goes and one when it is back, for all that this process does with it. */
export const database = dependency("the database", () => sql`select`.execute(db()));

/** PostgreSQL's codes for a connection that is lost or refused (class 08, shut down, crashed, starting, too many), and its client's words. */
const LOST = /^(08...|57P0[123]|53300)$/;
const LOST_HERE =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;
const UNREACHABLE = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/;

function isToldByDatabase(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true;
  const { code, message } = error as { code?: string; message?: string };
  return LOST.test(code ?? "") || LOST_HERE.test(message ?? "");
}

/** Whether an error of a connection to the database is its end. */
export function isLost(error: unknown): boolean {
  return isToldByDatabase(error) || UNREACHABLE.test((error as { code?: string }).code ?? "");
}

leaveOut((error) => {
  const isDatabases = isToldByDatabase(error);
  if (isDatabases) database.failed(error);
  return isDatabases;
});

export type PoolSettings = { url: string; max: number; name: string; statementTimeout?: number; watch?: DatabaseWatch };

/** A pool that gives up in time: waiting for a connection, a statement and an idle transaction all end. */
export function createPool({ url, max, name, statementTimeout = 10 * SECOND, watch }: PoolSettings): pg.Pool {
  const settings = {
    Client: StatementClient,
    pipeline: true, // a statement and its COMMIT in one go
    connectionString: url,
    max,
    application_name: name,
    connectionTimeoutMillis: 2 * SECOND,
    idleTimeoutMillis: 30 * SECOND,
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: 15 * SECOND,
    lock_timeout: 5 * SECOND,
    watch,
  };
  watch?.begin(settings);
  const pool = new pg.Pool(settings);
  // Without a listener a connection's end (a database restart) would end the process: the pool listens to idle ones only.
  pool.on("connect", (client) => client.on("error", database.failed));
  pool.on("error", () => undefined); // the connection has told it
  return pool;
}

const MOST_STATEMENTS = 500;
const names = new Map<string, string>();
const CHANGES = /^\s*(?:insert|update|delete)\b/i;
const HAS_ALL_COLUMNS = /(?:^|[\s.,])\*\s*(?:,|from\b|$)/i;

/** What `*` stands for in an answer is fixed with the plan: a migration that adds a column would break it. */
function answersAllColumns(text: string): boolean {
  const answer = CHANGES.test(text) ? (/\breturning\b.*$/is.exec(text)?.[0] ?? "") : text;
  return HAS_ALL_COLUMNS.test(answer);
}

/** The name under which connections keep a statement; undefined for one that is not to be kept. */
function nameOf(text: string, values: unknown[]): string | undefined {
  const known = names.get(text);
  if (known || names.size >= MOST_STATEMENTS || answersAllColumns(text)) return known;
  if (values.length === 0 && !/^(select|with)\b/.test(text)) return; // BEGIN, or a migration of several statements
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

/** Marks a statement that takes its COMMIT along. */
export const WITH_COMMIT = "-- with COMMIT\n";

/** Each connection parses and plans a statement once: half of what PostgreSQL has to do for a short one. */
class StatementClient extends pg.Client implements Watched {
  /** What became of a COMMIT that went along with its statement. */
  #ended: Promise<pg.QueryResult> | undefined;
  #watch: DatabaseWatch | undefined;
  #unanswered = 0;
  waitsSince: number | undefined;
  answeredAt = 0;

  constructor(settings: pg.ClientConfig & { watch?: DatabaseWatch } = {}) {
    super(settings);
    const { watch } = settings;
    this.#watch = watch;
    if (!watch) return;
    watch.add(this);
    this.on("error", () => watch.noteFailure());
    this.on("end", () => watch.remove(this));
  }

  ping(): void {
    const isIdle = this.waitsSince === undefined && !this.#ended && this.getTransactionStatus() === "I";
    if (isIdle) this.#noteAnswer(super.query("select 1"));
  }

  cut(): void {
    this.#stream.destroy();
  }

  get #stream(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream;
  }

  /** The pool gives a callback. */
  override connect = ((told?: (error: Error | null) => void) => {
    const connecting = this.#watch?.isAway ? Promise.reject(new DatabaseAway()) : super.connect();
    const tried = connecting.catch((error) => {
      this.#watch?.remove(this);
      database.failed(error);
      throw error;
    });
    if (!told) return tried;
    tried.then(() => told(null), told);
  }) as pg.Client["connect"];

  #noteAnswer<Answer>(answer: Answer): Answer {
    if (!(answer instanceof Promise)) return answer;
    if (this.#unanswered++ === 0) this.waitsSince = performance.now();
    const answered = () => {
      this.answeredAt = performance.now();
      this.waitsSince = --this.#unanswered === 0 ? undefined : this.answeredAt;
    };
    answer.then(answered, answered);
    return answer;
  }

  override query = ((...[text, values, ...rest]: unknown[]) => {
    if (this.#ended && typeof text === "string") return this.#afterEnd(text);
    const withCommit = typeof text === "string" && text.startsWith(WITH_COMMIT);
    const name = typeof text === "string" && Array.isArray(values) ? nameOf(text, values) : undefined;
    const send = super.query as (...args: unknown[]) => unknown;
    const ask = () =>
      this.#noteAnswer(
        name ? send.call(this, { name, text, values }, ...rest) : send.call(this, text, values, ...rest),
      );
    if (!withCommit) return ask();
    const stream = this.#stream;
    stream.cork();
    const answer = ask();
    this.#ended = this.#noteAnswer(super.query("commit"));
    this.#ended.catch(() => undefined); // told when COMMIT is asked for
    stream.uncork();
    return answer;
  }) as pg.Client["query"];

  async #afterEnd(text: string): Promise<pg.QueryResult> {
    const ended = this.#ended as Promise<pg.QueryResult>;
    if (text === "commit" || text === "rollback") this.#ended = undefined;
    const result = await ended;
    const isCommitted = result.command === "COMMIT";
    if (text === "commit" || (text === "rollback" && !isCommitted)) return result;
    throw new Error(`The transaction had ended with the statement before: ${text}`);
  }
}

/** `watch` is told when no connection can be had. */
export function createDb(pool: pg.Pool, watch?: DatabaseWatch): Db {
  const connect = async () => {
    try {
      return await pool.connect();
    } catch (error) {
      watch?.noteFailure();
      throw error;
    }
  };
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

/** How many connections the server takes, of everybody together. */
export async function connectionLimit(on: Db): Promise<{ limit: number }[]> {
  return (await sql<{ limit: number }>`select current_setting('max_connections')::int as "limit"`.execute(on)).rows;
}

/** Who asks. Payments have connections of their own: a rush of visitors cannot take them away. */
type Role = "web" | "checkout";
let current: (Record<Role, Db> & { watch: DatabaseWatch }) | undefined;

/** Opens the process's own pools; called once at the start, and by tests with their own database. */
export function openDb(settings: PoolSettings): Db {
  const watch = new DatabaseWatch(() => database.failed(new DatabaseAway()));
  const open = (name: string) => createDb(createPool({ ...settings, name, watch }), watch);
  current = { web: open(settings.name), checkout: open(`${settings.name} checkout`), watch };
  return current.web;
}

export async function closeDb(): Promise<void> {
  const closing = current;
  current = undefined;
  closing?.watch.end();
  await Promise.all([closing?.web.destroy(), closing?.checkout.destroy()]);
}

/** The process's database. Throws before `openDb`. */
export function db(role: Role = "web"): Db {
  if (!current) throw new Error("The database is not open: openDb() comes first");
  return current[role];
}

function isTransaction(on: Db | Transaction): on is Transaction {
  return on.isTransaction;
}

/** Whether what has failed in the request under way may be the database's absence, and no fault of the request or the shop. */
export function isDatabaseAway(): boolean {
  return current?.watch.failedSince(currentRequest()?.began ?? performance.now()) ?? false;
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
      const code = (error as { code?: string }).code ?? "";
      if (tried >= 5 || !RETRYABLE.has(code)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** tried));
    }
  }
}

import type { Socket } from "node:net";
import pg from "pg";
import { noteDatabaseTimeout } from "#app/infra/http/request-context.server.ts";
import { log } from "#app/infra/log.server.ts";
import { DatabaseAway, isDatabaseConnectionError, isFromStandby, isStatementTimeout } from "./connection-errors.ts";
import type { DatabaseWatch, Watched } from "./watch.server.ts";

/**
 * `onFailure` is called when a connection cannot be opened. A connection that waits longer than `mayWait` ms for an
 * answer is closed.
 */
export type WatchedSettings = pg.ClientConfig & {
  watch?: DatabaseWatch;
  onFailure?: (error: unknown) => void;
  mayWait?: number;
};

/**
 * A connection known to the watch (watch.server.ts): while the database does not answer, it is closed and no new one is
 * opened.
 */
export class WatchedClient extends pg.Client implements Watched {
  readonly #settings: WatchedSettings;
  #unanswered = 0;
  waitsSince: number | undefined;
  answeredAt = 0;
  readonly mayWait: number;

  constructor(settings: WatchedSettings = {}) {
    super(settings);
    this.#settings = settings;
    const { watch, mayWait = Number.POSITIVE_INFINITY } = settings;
    this.mayWait = mayWait;
    if (!watch) return;
    watch.add(this);
    this.on("error", () => watch.recordFailure());
    this.on("end", () => watch.remove(this));
  }

  ping(): void {
    const isIdle = this.waitsSince === undefined && this.getTransactionStatus() === "I";
    if (isIdle) this.send("select 1");
  }

  cut(): void {
    this.stream.destroy();
  }

  protected get stream(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream; // not in the package's types
  }

  /** The pool calls it with a callback. */
  override connect = ((callback?: (error: Error | null) => void) => {
    const { watch, onFailure } = this.#settings;
    const connecting = watch?.isAway ? Promise.reject(new DatabaseAway()) : super.connect();
    const connected = connecting.catch((error) => {
      watch?.remove(this);
      onFailure?.(error);
      throw error;
    });
    if (!callback) return connected;
    connected.then(() => callback(null), callback);
  }) as pg.Client["connect"];

  override query = ((...args: unknown[]) => this.send(...args)) as pg.Client["query"];

  /** Sends a statement, and records for the watch how long the answer takes. */
  protected send(...args: unknown[]): unknown {
    const query = super.query as (...args: unknown[]) => unknown;
    const callback = args.at(-1);
    if (this.#unanswered++ === 0) this.waitsSince = performance.now();
    const answered = () => {
      this.answeredAt = performance.now();
      this.waitsSince = --this.#unanswered === 0 ? undefined : this.answeredAt;
    };
    if (typeof callback === "function") {
      const settle = (...results: unknown[]) => {
        answered();
        callback(...results);
      };
      return query.call(this, ...args.slice(0, -1), settle);
    }
    const answer = query.apply(this, args);
    if (answer instanceof Promise)
      answer.then(answered, (error) => {
        answered();
        if (isDatabaseConnectionError(error)) this.#settings.watch?.recordFailure(); // the `end` event comes later
        if (isStatementTimeout(error)) recordTimeout(error);
        // The old primary's connection would go on refusing, although new connections lead to the new primary.
        if (isFromStandby(error)) this.cut();
      });
    else answered(); // a stream of rows, read as fast as its consumer takes them
    return answer;
  }
}

function recordTimeout(error: unknown): void {
  log.warn({ err: error }, "a statement was given up: it waited for too long");
  noteDatabaseTimeout();
}

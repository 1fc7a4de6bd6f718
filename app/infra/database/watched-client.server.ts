import type { Socket } from "node:net";
import pg from "pg";
import { noteDatabaseTimeout } from "#app/infra/http/request-context.server.ts";
import { log } from "#app/infra/log.server.ts";
import { DatabaseAway, isDatabaseConnectionError, isFromStandby, isStatementTimeout } from "./connection-errors.ts";
import type { DatabaseWatch, Watched } from "./watch.server.ts";

/** `onFailure` is told when a connection cannot be opened; one whose answer takes longer than `mayWait` ms is cut. */
export type WatchedSettings = pg.ClientConfig & {
  watch?: DatabaseWatch;
  onFailure?: (error: unknown) => void;
  mayWait?: number;
};

/** A connection that the watch (watch.server.ts) knows of: it is cut, and no new one is opened, while the database does not answer. */
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

  /** The pool gives a callback. */
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

  /** Sends a statement, and keeps for the watch how long its answer takes. */
  protected send(...args: unknown[]): unknown {
    const query = super.query as (...args: unknown[]) => unknown;
    const callback = args.at(-1);
    if (this.#unanswered++ === 0) this.waitsSince = performance.now();
    const answered = () => {
      this.answeredAt = performance.now();
      this.waitsSince = --this.#unanswered === 0 ? undefined : this.answeredAt;
    };
    if (typeof callback === "function") {
      const told = (...results: unknown[]) => {
        answered();
        callback(...results);
      };
      return query.call(this, ...args.slice(0, -1), told);
    }
    const answer = query.apply(this, args);
    if (answer instanceof Promise)
      answer.then(answered, (error) => {
        answered();
        if (isDatabaseConnectionError(error)) this.#settings.watch?.recordFailure(); // the connection's end comes later
        if (isStatementTimeout(error)) recordTimeout(error);
        if (isFromStandby(error)) this.cut(); // kept, it would refuse for as long as it is used, although new ones lead to the new primary
      });
    else answered(); // a stream of rows: it is read at its reader's pace
    return answer;
  }
}

function recordTimeout(error: unknown): void {
  log.warn({ err: error }, "a statement was given up: it waited for too long");
  noteDatabaseTimeout();
}

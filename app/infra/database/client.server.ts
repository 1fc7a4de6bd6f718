import type { Socket } from "node:net";
import pg from "pg";
import { DatabaseAway } from "./connection-errors.ts";
import { statementName } from "./statement-names.ts";
import type { DatabaseWatch, Watched } from "./watch.server.ts";

/** Marks a statement that takes its COMMIT along. */
export const WITH_COMMIT = "-- with COMMIT\n";

/** `onFailure` is told when a connection cannot be opened. */
type Settings = pg.ClientConfig & { watch?: DatabaseWatch; onFailure?: (error: unknown) => void };

/**
 * A connection that parses and plans each statement once (half of what PostgreSQL has to do for a short one), sends a statement marked with
 * WITH_COMMIT together with its COMMIT, and is watched (watch.server.ts).
 */
export class StatementClient extends pg.Client implements Watched {
  /** The result of a COMMIT that went along with its statement; set until the transaction's own end is asked for. */
  #commit: Promise<pg.QueryResult> | undefined;
  readonly #settings: Settings;
  #unanswered = 0;
  waitsSince: number | undefined;
  answeredAt = 0;

  constructor(settings: Settings = {}) {
    super(settings);
    this.#settings = settings;
    const { watch } = settings;
    if (!watch) return;
    watch.add(this);
    this.on("error", () => watch.recordFailure());
    this.on("end", () => watch.remove(this));
  }

  ping(): void {
    const isIdle = this.waitsSince === undefined && !this.#commit && this.getTransactionStatus() === "I";
    if (isIdle) this.#timed(super.query("select 1"));
  }

  cut(): void {
    this.#stream.destroy();
  }

  get #stream(): Socket {
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

  /** Keeps for the watch how long this connection has waited for an answer. */
  #timed<Answer>(answer: Answer): Answer {
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
    if (typeof text !== "string") return this.#send(text, values, ...rest);
    if (this.#commit) return this.#afterCommit(text, this.#commit);
    const name = Array.isArray(values) ? statementName(text, values.length > 0) : undefined;
    const ask = () => (name ? this.#send({ name, text, values }, ...rest) : this.#send(text, values, ...rest));
    return text.startsWith(WITH_COMMIT) ? this.#sendWithCommit(ask) : ask();
  }) as pg.Client["query"];

  #send(...args: unknown[]): unknown {
    return this.#timed((super.query as (...args: unknown[]) => unknown).apply(this, args));
  }

  /** Both go out in one piece; what became of COMMIT is told to whoever asks for the transaction's end. */
  #sendWithCommit(ask: () => unknown): unknown {
    this.#stream.cork();
    const answer = ask();
    this.#commit = this.#timed(super.query("commit"));
    this.#commit.catch(() => undefined);
    this.#stream.uncork();
    return answer;
  }

  async #afterCommit(text: string, commit: Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    if (text === "commit" || text === "rollback") this.#commit = undefined;
    const result = await commit;
    const isCommitted = result.command === "COMMIT";
    if (text === "commit" || (text === "rollback" && !isCommitted)) return result;
    throw new Error(`The transaction had ended with the statement before: ${text}`);
  }
}

import type pg from "pg";
import { statementName } from "./statement-names.ts";
import { WatchedClient, type WatchedSettings } from "./watched-client.server.ts";

/** The prefix of a statement that is sent together with its COMMIT. */
export const WITH_COMMIT = "-- with COMMIT\n";

/**
 * `transactionLimits` (settings of PostgreSQL by name, in ms) is given for a connection to a pooler, which assigns a
 * connection of the database to each transaction anew: the limits have to be set in each transaction.
 */
export type StatementSettings = WatchedSettings & { transactionLimits?: Record<string, number> };

const BEGINS = /^(begin|start transaction)\b/;

/**
 * A connection that prepares each statement once, since parsing and planning are half of the work for a short one, and
 * that sends a statement marked with WITH_COMMIT together with its COMMIT. Behind a pooler a connection keeps no state:
 * statements are not prepared, and each transaction sets its limits.
 */
export class StatementClient extends WatchedClient {
  readonly #limits: string | undefined;

  constructor(settings: StatementSettings = {}) {
    super(settings);
    const limits = settings.transactionLimits && Object.entries(settings.transactionLimits);
    this.#limits = limits?.map(([name, ms]) => `set local ${name} = ${ms}`).join("; ");
  }

  /** The pending result of a COMMIT that was sent with its statement, until the caller ends the transaction. */
  #commit: Promise<pg.QueryResult> | undefined;

  override query = ((...[text, values, ...rest]: unknown[]) => {
    if (typeof text !== "string") return this.send(text, values, ...rest);
    if (this.#commit) return this.#afterCommit(text, this.#commit);
    const isNamed = !this.#limits && Array.isArray(values);
    const name = isNamed ? statementName(text, values.length > 0) : undefined;
    const ask = () => (name ? this.send({ name, text, values }, ...rest) : this.send(text, values, ...rest));
    if (this.#limits && this.getTransactionStatus() === "I")
      return BEGINS.test(text) ? this.#begin(text) : this.#sendAsTransaction(ask);
    return text.startsWith(WITH_COMMIT) ? this.#sendWithCommit(ask) : ask();
  }) as pg.Client["query"];

  /** Sends BEGIN and the limits in one query. */
  async #begin(text: string): Promise<pg.QueryResult | undefined> {
    const results = (await this.send(`${text}; ${this.#limits}`)) as pg.QueryResult[];
    return results[0];
  }

  /** Sends BEGIN, one statement and COMMIT in one round trip. */
  async #sendAsTransaction(ask: () => unknown): Promise<pg.QueryResult> {
    this.stream.cork();
    const begun = this.#begin("begin");
    const answer = ask() as Promise<pg.QueryResult>;
    const commit = this.send("commit");
    this.stream.uncork();
    // The connection may be used again only when all three are answered.
    await Promise.allSettled([begun, answer, commit]);
    const [, result] = await Promise.all([begun, answer, commit]);
    return result;
  }

  /** Sends the statement and COMMIT together; the result of COMMIT is returned when the caller ends the transaction. */
  #sendWithCommit(ask: () => unknown): unknown {
    this.stream.cork();
    const answer = ask();
    const commit = this.send("commit") as Promise<pg.QueryResult>;
    commit.catch(() => undefined);
    this.#commit = commit;
    this.stream.uncork();
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

import type pg from "pg";
import { statementName } from "./statement-names.ts";
import { WatchedClient, type WatchedSettings } from "./watched-client.server.ts";

/** Marks a statement that is sent with its COMMIT. */
export const WITH_COMMIT = "-- with COMMIT\n";

/** `transactionLimits` (settings in ms, by name): the connection is a pooler's, which gives each transaction another one of the database's. */
export type StatementSettings = WatchedSettings & { transactionLimits?: Record<string, number> };

const BEGINS = /^(begin|start transaction)\b/;

/**
 * A connection that parses and plans each statement once (half of what PostgreSQL has to do for a short one), and sends a statement marked with
 * WITH_COMMIT together with its COMMIT. Behind a pooler nothing is kept by the connection: statements have no names, and limits go with each transaction.
 */
export class StatementClient extends WatchedClient {
  readonly #limits: string | undefined;

  constructor(settings: StatementSettings = {}) {
    super(settings);
    const limits = settings.transactionLimits && Object.entries(settings.transactionLimits);
    this.#limits = limits?.map(([name, ms]) => `set local ${name} = ${ms}`).join("; ");
  }

  /** The result of a COMMIT sent with its statement; kept until the transaction is ended. */
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

  /** In one piece with the limits. */
  async #begin(text: string): Promise<pg.QueryResult | undefined> {
    const results = (await this.send(`${text}; ${this.#limits}`)) as pg.QueryResult[];
    return results[0];
  }

  /** One statement between its BEGIN and COMMIT, in one round trip. */
  async #sendAsTransaction(ask: () => unknown): Promise<pg.QueryResult> {
    this.stream.cork();
    const begun = this.#begin("begin");
    const answer = ask() as Promise<pg.QueryResult>;
    const commit = this.send("commit");
    this.stream.uncork();
    await Promise.allSettled([begun, answer, commit]); // the connection is somebody else's only when all are answered
    const [, result] = await Promise.all([begun, answer, commit]);
    return result;
  }

  /** Both are sent together; the result of COMMIT is returned when the transaction is ended. */
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

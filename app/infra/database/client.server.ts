import type pg from "pg";
import { statementName } from "./statement-names.ts";
import { WatchedClient } from "./watched-client.server.ts";

/** Marks a statement that takes its COMMIT along. */
export const WITH_COMMIT = "-- with COMMIT\n";

/**
 * A connection that parses and plans each statement once (half of what PostgreSQL has to do for a short one), and sends a statement marked with
 * WITH_COMMIT together with its COMMIT.
 */
export class StatementClient extends WatchedClient {
  /** The result of a COMMIT that went along with its statement; set until the transaction's own end is asked for. */
  #commit: Promise<pg.QueryResult> | undefined;

  override query = ((...[text, values, ...rest]: unknown[]) => {
    if (typeof text !== "string") return this.send(text, values, ...rest);
    if (this.#commit) return this.#afterCommit(text, this.#commit);
    const name = Array.isArray(values) ? statementName(text, values.length > 0) : undefined;
    const ask = () => (name ? this.send({ name, text, values }, ...rest) : this.send(text, values, ...rest));
    return text.startsWith(WITH_COMMIT) ? this.#sendWithCommit(ask) : ask();
  }) as pg.Client["query"];

  /** Both go out in one piece; what became of COMMIT is told to whoever asks for the transaction's end. */
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

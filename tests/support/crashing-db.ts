import type pg from "pg";
import { createDb, createPool, type Db, WITH_COMMIT } from "#app/infra/database/db.server.ts";

/** How a process ends at a statement: before it is sent, or after it was carried out but before the reply came. */
export type Crash = "before" | "after";

/**
 * The database as seen by a process that dies at its `at`th statement. COMMIT counts as a statement. A COMMIT that was
 * sent along with the statement before it is carried out in either case. `crashed` tells whether the process got that
 * far.
 */
export function crashingDb(url: string, at: number, how: Crash): { db: Db; crashed(): boolean } {
  const pool = createPool({ url, max: 2, name: "test crash" });
  let statements = 0;
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const connectCrashing = async () => {
    const client = await connect();
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const release = client.release.bind(client);
    let isCommitting = false;
    const carryOut = (...args: unknown[]) => {
      isCommitting = String(args[0]).startsWith(WITH_COMMIT);
      return query(...args);
    };
    const crashing = async (...args: unknown[]) => {
      statements++;
      if (statements < at) return carryOut(...args);
      if (statements === at && how === "after") await carryOut(...args);
      if (isCommitting) await carryOut("commit"); // already sent: the next process begins after it
      throw new Crashed(`at statement ${at}`);
    };
    // When a process is dead, its connection is closed, and what it has not committed is lost.
    const leave = () => {
      Object.assign(client, { query });
      release(statements >= at);
    };
    return Object.assign(client, { query: crashing, release: leave });
  };
  return {
    db: createDb(Object.assign(pool, { connect: connectCrashing }) as pg.Pool),
    crashed: () => statements >= at,
  };
}

export class Crashed extends Error {}

import { sql } from "kysely";
import type pg from "pg";
import { createDb, createPool, type Db, WITH_COMMIT } from "#app/infra/database/db.server.ts";

/** The state of an actor after a step: before its next statement, waiting for another actor's lock, or ended. */
export type StepState = "ready" | "blocked" | "ended";

/** Work on the database that proceeds one statement at a time, when the test lets it. */
export type Actor = {
  step(): Promise<StepState>;
  /** Steps until the actor ends, or waits for another one. */
  run(): Promise<StepState>;
  /** The result of the actor's work. Throws what the work threw. */
  result(): Promise<unknown>;
  steps(): number;
};

const MOST_STEPS = 60;

/**
 * A stage with one connection, on which one actor after the other works. `watch` is a connection of the test's own,
 * which sees who waits for a lock. `rewrite` changes statements before they are sent. An actor that asks for more than
 * MOST_STEPS statements polls for something that the other actor has to do, and counts as blocked.
 */
export function newStage(url: string, watch: Db, rewrite = (statement: string) => statement) {
  let gate = newGate();
  let pid = 0;
  const pool = createPool({ url, max: 1, name: "test actor" });
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const connectStepping = async () => {
    const client = await connect();
    pid = (client as unknown as { processID: number }).processID;
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const release = client.release.bind(client);
    const stepping = (statement: string | { text: string }, ...rest: unknown[]) =>
      gate.pass(() => query(rewritten(statement), ...rest));
    const plainly = () => {
      Object.assign(client, { query });
      release();
    };
    return Object.assign(client, { query: stepping, release: plainly });
  };
  const db = createDb(Object.assign(pool, { connect: connectStepping }) as pg.Pool);

  /**
   * A prepared statement is sent without its name, under which the original statement is kept. A COMMIT in it becomes a
   * step of its own, so that other actors can come in between.
   */
  function rewritten(statement: string | { text: string }) {
    if (typeof statement === "string") return rewrite(statement.replace(WITH_COMMIT, ""));
    return { ...statement, name: undefined, text: rewrite(statement.text) };
  }

  function enter(work: (on: Db) => Promise<unknown>): Actor {
    gate = newGate();
    const result = work(db);
    result.catch(() => undefined); // the caller of `result` handles it
    const end = result.then(
      () => "ended" as const,
      () => "ended" as const,
    );
    let steps = 0;

    async function settledState(): Promise<StepState> {
      for (;;) {
        const state = await Promise.race([gate.reached(), end, pause()]);
        if (state) return state;
        if (pid && gate.inside() && (await isBlocked(watch, pid))) return "blocked";
      }
    }
    async function step(): Promise<StepState> {
      const state = await settledState();
      if (state !== "ready") return state;
      steps++;
      gate.open();
      return settledState();
    }
    async function run(): Promise<StepState> {
      for (let count = 0; count < MOST_STEPS; count++) {
        const state = await step();
        if (state !== "ready") return state;
      }
      return "blocked";
    }
    return { step, run, result: () => result, steps: () => steps };
  }

  return { enter, close: () => db.destroy() };
}

const pause = () => new Promise<undefined>((resolve) => setTimeout(resolve, 3));

async function isBlocked(watch: Db, pid: number): Promise<boolean> {
  const { rows } = await sql<{ blocked: boolean }>`
    select cardinality(pg_blocking_pids(${pid})) > 0 as blocked`.execute(watch);
  return rows[0]?.blocked ?? false;
}

/** Lets one statement through at a time. */
function newGate() {
  let waiting: (() => void) | undefined;
  const heard: (() => void)[] = [];
  let inside = 0;
  return {
    async pass<T>(statement: () => Promise<T>): Promise<T> {
      await new Promise<void>((resolve) => {
        waiting = resolve;
        for (const tell of heard.splice(0)) tell();
      });
      inside++;
      try {
        return await statement();
      } finally {
        inside--;
      }
    },
    /** Resolves when a statement waits at the gate. */
    reached: (): Promise<"ready"> =>
      waiting ? Promise.resolve("ready") : new Promise((resolve) => heard.push(() => resolve("ready"))),
    open(): void {
      const go = waiting;
      waiting = undefined;
      go?.();
    },
    inside: () => inside > 0,
  };
}

import { sql } from "kysely";
import pg from "pg";
import { database } from "./db.server.ts";
import { log } from "./log.server.ts";
import { together } from "./together.server.ts";

/**
 * Changes told between processes through PostgreSQL's notifications. Always sent after the change is committed and never inside its transaction:
 * a notification there would take a lock that all commits share. One that is lost costs a second look, never data.
 */
const CHANNEL = "irepo";
/** In ms. */
const AGAIN_AFTER = 1000;
const PATIENCE = 5000;

type Listener = () => void;
const listeners = new Map<string, Set<Listener>>();

/** Tells every process that `topic` has changed (`cart:USER`). */
export const announce = together(async (on, topics: string[]): Promise<void> => {
  try {
    await sql`select pg_notify(${CHANNEL}, topic) from unnest(${topics}::text[]) topic`.execute(on);
  } catch (error) {
    log.warn({ err: error, topics }, "changes could not be announced");
  }
});

/** Calls `listener` when `topic` is announced, and when announcements may have been missed. Returns how to stop. */
export function hear(topic: string, listener: Listener): () => void {
  const heard = listeners.get(topic) ?? new Set();
  listeners.set(topic, heard.add(listener));
  return () => {
    heard.delete(listener);
    if (heard.size === 0) listeners.delete(topic);
  };
}

/** Opens this process's ear: one connection for all listeners, opened again when it is lost. Returns how to close it. */
export async function openEar(url: string): Promise<() => Promise<void>> {
  let closed = false;
  let client: pg.Client | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: "irepo live",
      keepAlive: true,
      connectionTimeoutMillis: PATIENCE,
    });
    next.on("error", database.failed);
    next.on("end", () => {
      if (next === client) retryLater(); // one that was never open has failed, and is told of where it was opened
    });
    next.on("notification", ({ payload }) => {
      for (const listener of listeners.get(payload ?? "") ?? []) listener();
    });
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
    } catch (error) {
      void next.end();
      throw error;
    }
    client = next;
  }
  function retryLater(): void {
    if (!closed) setTimeout(retry, AGAIN_AFTER).unref();
  }
  async function retry(): Promise<void> {
    try {
      await connect();
      for (const heard of listeners.values()) for (const listener of heard) listener();
    } catch (error) {
      database.failed(error);
      retryLater();
    }
  }
  await connect();
  return async () => {
    closed = true;
    await client?.end();
  };
}

import { sql } from "kysely";
import { log } from "#app/infra/log.server.ts";
import { batched } from "./batch.server.ts";
import { database } from "./db.server.ts";
import type { DatabaseWatch } from "./watch.server.ts";
import { WatchedClient } from "./watched-client.server.ts";

/**
 * Publish and subscribe between processes, through PostgreSQL's notifications. They are sent after a change is
 * committed and never inside its transaction, where a notification would take a lock that all commits share.
 * Subscribers read the change from the database, so a lost notification loses no data.
 */
const CHANNEL = "irepo";
/** In ms. */
const RECONNECT_AFTER = 1000;
const CONNECT_TIMEOUT = 5000;
const KEEP_ALIVE_EVERY = 10_000;

type Listener = () => void;
const listeners = new Map<string, Set<Listener>>();

/** Tells every process that `topic` has changed (`cart:USER`). Never throws: a failure is logged. */
export const publish = batched(async (on, topics: string[]): Promise<void> => {
  try {
    await sql`select pg_notify(${CHANNEL}, topic) from unnest(${topics}::text[]) topic`.execute(on);
  } catch (error) {
    log.warn({ err: error, topics }, "changes could not be published");
  }
});

/**
 * Calls `listener` when `topic` is published, and when publications may have been missed. Returns a function that
 * unsubscribes.
 */
export function subscribe(topic: string, listener: Listener): () => void {
  const ofTopic = listeners.get(topic) ?? new Set();
  listeners.set(topic, ofTopic.add(listener));
  return () => {
    ofTopic.delete(listener);
    if (ofTopic.size === 0) listeners.delete(topic);
  };
}

/**
 * Opens the one connection on which this process listens for all subscribers, and reopens it when it is lost. Returns a
 * function that closes it.
 */
export async function openListener(url: string, watch?: DatabaseWatch): Promise<() => Promise<void>> {
  let closed = false;
  let client: WatchedClient | undefined;

  async function connect(): Promise<void> {
    const next = new WatchedClient({
      watch,
      connectionString: url,
      application_name: "irepo live",
      keepAlive: true, // detects a silently dropped connection, and keeps an idle one from being dropped
      keepAliveInitialDelayMillis: KEEP_ALIVE_EVERY,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
    });
    next.on("error", database.failed);
    next.on("end", () => {
      if (next === client) reconnectLater(); // a connection that was never open is handled where it was opened
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
  function reconnectLater(): void {
    if (!closed) setTimeout(reconnect, RECONNECT_AFTER).unref();
  }
  async function reconnect(): Promise<void> {
    try {
      await connect();
      for (const ofTopic of listeners.values()) for (const listener of ofTopic) listener();
    } catch (error) {
      database.failed(error);
      reconnectLater();
    }
  }
  await connect();
  return async () => {
    closed = true;
    await client?.end();
  };
}

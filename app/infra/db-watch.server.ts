import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** In milliseconds: how often connections are looked at, how long one may wait before somebody asks whether the database is there, and for the answer. */
const LOOK_EVERY = 100;
const SUSPICIOUS_AFTER = 400;
const PATIENCE = 1000;
const AGAIN_AFTER = 250;
const BUSY = 300;

/** An open connection: since when it has waited for an answer, when it was last given one; how to ask for one where it is idle, and how to cut it. */
export type Watched = { waitsSince: number | undefined; answeredAt: number; ping(): void; cut(): void };

export class DatabaseAway extends Error {
  constructor() {
    super("The database does not answer");
  }
}

/**
 * Knows whether the database answers at all. One that is frozen, or behind a network that has swallowed it, says nothing: no connection breaks, and
 * statements have no end. When one waits for long, idle connections are asked and a new one is tried; where no connection is answered anything, all are
 * cut, so that whoever waits is told, and whoever comes is refused at once, until the database answers again. A slow statement, or one
 * that waits for a lock, cuts nothing.
 */
export class DatabaseWatch {
  readonly #connections = new Set<Watched>();
  #settings: pg.ClientConfig = {};
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;
  #isAway = false;
  #failedAt = Number.NEGATIVE_INFINITY;
  readonly #onAway: () => void;

  constructor(onAway: () => void = () => {}) {
    this.#onAway = onAway;
  }

  /** With which settings a new connection is tried. */
  begin(settings: pg.ClientConfig): void {
    this.#settings = { ...settings, connectionTimeoutMillis: PATIENCE };
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY).unref();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#isAway = false;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  /** Whether the database was away at some moment since then (by performance.now). */
  failedSince(time: number): boolean {
    return this.#isAway || this.#failedAt >= time;
  }

  /** A connection broke, or could not be opened. */
  noteFailure(): void {
    this.#failedAt = performance.now();
  }

  add(connection: Watched): void {
    this.#connections.add(connection);
  }

  remove(connection: Watched): void {
    this.#connections.delete(connection);
  }

  #look(): void {
    if (this.#isAsking || this.#isAway) return;
    const long = performance.now() - SUSPICIOUS_AFTER;
    for (const { waitsSince = Number.POSITIVE_INFINITY } of this.#connections)
      if (waitsSince < long) return void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    const began = performance.now();
    for (const connection of this.#connections) connection.ping();
    const isThere = await this.#isThere();
    const isSilent = !isThere && [...this.#connections].every(({ answeredAt }) => answeredAt < began);
    // Where even the clock was late, this process was too busy to hear an answer.
    const wasBusy = performance.now() - began > PATIENCE + BUSY;
    if (!isSilent || wasBusy) await sleep(SUSPICIOUS_AFTER, undefined, { ref: false });
    else if (this.#timer) void this.#isGone();
    this.#isAsking = false;
  }

  async #isGone(): Promise<void> {
    this.#isAway = true;
    this.noteFailure();
    this.#onAway();
    for (const connection of this.#connections) connection.cut();
    do await sleep(AGAIN_AFTER, undefined, { ref: false });
    while (this.#timer && !(await this.#isThere()));
    this.#isAway = false;
  }

  async #isThere(): Promise<boolean> {
    const client = new pg.Client(this.#settings);
    client.on("error", () => undefined); // told by connect
    try {
      await client.connect();
      return true;
    } catch (error) {
      // Too many connections, or a wrong password: that was the database's own answer.
      return /^(?!57P)[0-9A-Z]{5}$/.test((error as { code?: string }).code ?? "");
    } finally {
      client.end().catch(() => undefined);
    }
  }
}

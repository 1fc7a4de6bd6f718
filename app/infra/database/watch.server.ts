import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { errorCode } from "#app/infra/error-fields.ts";

/** All in ms. How often connections are checked. */
const CHECK_INTERVAL = 100;
/** How long a connection may wait for an answer before the database is probed. */
const SUSPECT_AFTER = 400;
/**
 * How long this process listens for an answer to the probe. Time in which the process was busy or stopped does not
 * count, since it may be what has kept the answer away.
 */
const ANSWER_TIMEOUT = 1000;
/** How often a database that is away is probed again. */
const RETRY_INTERVAL = 250;

/** An open connection. Times are those of `performance.now`. */
export type Watched = {
  /** Since when the connection has waited for an answer; undefined while it is idle. */
  waitsSince: number | undefined;
  answeredAt: number;
  /** How long the connection may wait for one answer, in ms. */
  mayWait: number;
  /** Sends a query on the connection if it is idle. */
  ping(): void;
  /** Closes the connection: pending queries fail. */
  cut(): void;
};

function waits({ waitsSince = Number.POSITIVE_INFINITY }: Watched, now: number): number {
  return now - waitsSince;
}

/**
 * Watches whether the database answers at all. If it is frozen or unreachable, no connection breaks and statements
 * never end. When a connection waits for long, idle connections are probed and a new one is tried. If none gets an
 * answer, all connections are closed, so that waiting requests fail and new ones are refused at once, until the
 * database answers again. A slow statement, or one that waits for a lock, closes no connection.
 */
export class DatabaseWatch {
  readonly #connections = new Set<Watched>();
  #settings: pg.ClientConfig = {};
  #timer: NodeJS.Timeout | undefined;
  #isProbing = false;
  #isAway = false;
  #heardAt = Number.NEGATIVE_INFINITY;
  #failedAt = Number.NEGATIVE_INFINITY;
  readonly #onAway: () => void;

  constructor(onAway: () => void = () => {}) {
    this.#onAway = onAway;
  }

  /** Starts watching; `settings` are those with which a new connection is tried. */
  start(settings: pg.ClientConfig): void {
    this.#settings = { ...settings, connectionTimeoutMillis: 2 * ANSWER_TIMEOUT };
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#isAway = false;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  /** Whether the database was away at some moment since `time` (by performance.now). */
  failedSince(time: number): boolean {
    return this.#isAway || this.#failedAt >= time;
  }

  /** Records that a connection broke or could not be opened. */
  recordFailure(): void {
    this.#failedAt = performance.now();
  }

  /** Whether the database has answered on some connection within the last second. */
  get isHeard(): boolean {
    const since = performance.now() - ANSWER_TIMEOUT;
    return this.#heardAt > since || [...this.#connections].some(({ answeredAt }) => answeredAt > since);
  }

  /** Whether some connection has been waiting for an answer for long. */
  get isWaitedFor(): boolean {
    const now = performance.now();
    return [...this.#connections].some((one) => waits(one, now) > SUSPECT_AFTER);
  }

  add(connection: Watched): void {
    this.#connections.add(connection);
  }

  remove(connection: Watched): void {
    this.#connections.delete(connection);
  }

  #check(): void {
    const now = performance.now();
    for (const one of this.#connections) if (waits(one, now) > one.mayWait) one.cut();
    if (this.#isProbing || this.#isAway) return;
    for (const one of this.#connections) if (waits(one, now) > SUSPECT_AFTER) return void this.#probe();
  }

  async #probe(): Promise<void> {
    this.#isProbing = true;
    const startedAt = performance.now();
    for (const connection of this.#connections) connection.ping();
    const answers = await this.#answersNewConnection();
    if (answers) this.#heardAt = performance.now();
    const isSilent = !answers && [...this.#connections].every(({ answeredAt }) => answeredAt < startedAt);
    if (!isSilent) await sleep(SUSPECT_AFTER, undefined, { ref: false });
    else if (this.#timer) void this.#goAway();
    this.#isProbing = false;
  }

  async #goAway(): Promise<void> {
    this.#isAway = true;
    this.recordFailure();
    this.#onAway();
    for (const connection of this.#connections) connection.cut();
    do await sleep(RETRY_INTERVAL, undefined, { ref: false });
    while (this.#timer && !(await this.#answersNewConnection()));
    this.#isAway = false;
  }

  async #answersNewConnection(): Promise<boolean> {
    const client = new pg.Client(this.#settings);
    client.on("error", () => undefined); // `connect` throws it
    const answer = client.connect().then(() => true, isAnswer);
    answer.then(() => client.end()).catch(() => undefined);
    return (await listenedFor(answer)) ?? false;
  }
}

/**
 * Whether the error of a new connection is an answer of the database, such as that there are too many connections or
 * that the password is wrong. 57P… says that the database is starting or shutting down.
 */
const isAnswer = (error: unknown) => /^(?!57P)[0-9A-Z]{5}$/.test(errorCode(error));

/**
 * The answer, or undefined if none came while this process has listened for ANSWER_TIMEOUT. A turn counts as the same
 * time however late it ends. What has arrived meanwhile is read before the next turn.
 */
async function listenedFor(answer: Promise<boolean>): Promise<boolean | undefined> {
  for (let listened = 0; listened < ANSWER_TIMEOUT; listened += CHECK_INTERVAL) {
    const turn = sleep(CHECK_INTERVAL, undefined, { ref: false }).then(() => setImmediate());
    const first = await Promise.race([answer, turn]);
    if (first !== undefined) return first;
  }
}

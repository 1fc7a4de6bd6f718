import type pg from "pg";
import { type ConstructorOptions, fromKysely, PgBoss } from "pg-boss";
import { jobChannel } from "#app/infra/channels.server.ts";
import { HOUR, inSeconds, MINUTE, SECOND } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";
import { currentTrace } from "#app/infra/tracing/current.server.ts";
import { isConnectionError, isDatabaseConnectionError } from "./connection-errors.ts";
import { database, type Transaction } from "./db.server.ts";
import type { DatabaseWatch } from "./watch.server.ts";
import { WatchedClient, type WatchedSettings } from "./watched-client.server.ts";

/** The names of all jobs, with the shape of their data. worker.ts has the function of each. */
export type Jobs = {
  "send-mail": { id: string };
  "send-link": { id: string; purpose: "verify" | "reset"; email: string };
  "send-sign-in-link": { id: string };
  "refresh-rate": Record<string, never>;
  "forget-changes": Record<string, never>;
  "review-refunds": Record<string, never>;
  "send-stock-alerts": Record<string, never>;
  "make-pictures": Record<string, never>;
  "show-notice": Record<string, never>;
  "name-models": Record<string, never>;
  "publish-products": Record<string, never>;
  "apply-prices": Record<string, never>;
  "write-feeds": Record<string, never>;
  "send-notifications": Record<string, never>;
  "remove-pictures": { names: string[] };
};
export type JobName = keyof Jobs;

type Settings = {
  retryLimit: number;
  retryDelay: number;
  retryBackoff: boolean;
  retryDelayMax?: number;
  expireInSeconds: number;
  deleteAfterSeconds?: number;
};

/**
 * A job's data may hold an email address, so it is deleted soon, but not before the end of the interval in which only
 * one job per address may run.
 */
const LINK: Settings = {
  retryLimit: 20,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: inSeconds(MINUTE),
  expireInSeconds: inSeconds(MINUTE),
  deleteAfterSeconds: inSeconds(10 * MINUTE),
};

/** Settings of each job. A mail server may be down for a day, so mails are retried for two days. */
const QUEUES: Record<JobName, Settings> = {
  "send-mail": {
    retryLimit: 100,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: inSeconds(30 * MINUTE),
    expireInSeconds: inSeconds(MINUTE),
  },
  "send-link": LINK,
  "send-sign-in-link": LINK,
  "refresh-rate": { retryLimit: 3, retryDelay: 30, retryBackoff: true, expireInSeconds: inSeconds(MINUTE) },
  "forget-changes": { retryLimit: 3, retryDelay: 30, retryBackoff: true, expireInSeconds: inSeconds(MINUTE) },
  "review-refunds": {
    retryLimit: 3,
    retryDelay: inSeconds(MINUTE),
    retryBackoff: true,
    expireInSeconds: inSeconds(10 * MINUTE),
  },
  "send-stock-alerts": { retryLimit: 3, retryDelay: 30, retryBackoff: true, expireInSeconds: inSeconds(MINUTE) },
  "make-pictures": { retryLimit: 20, retryDelay: 5, retryBackoff: false, expireInSeconds: inSeconds(HOUR) },
  "show-notice": { retryLimit: 3, retryDelay: 1, retryBackoff: true, expireInSeconds: inSeconds(MINUTE) },
  "name-models": {
    retryLimit: 100,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: inSeconds(10 * MINUTE),
    expireInSeconds: inSeconds(HOUR),
  },
  "publish-products": { retryLimit: 3, retryDelay: 1, retryBackoff: true, expireInSeconds: inSeconds(MINUTE) },
  "apply-prices": { retryLimit: 3, retryDelay: 1, retryBackoff: true, expireInSeconds: inSeconds(MINUTE) },
  "write-feeds": { retryLimit: 3, retryDelay: 30, retryBackoff: true, expireInSeconds: inSeconds(HOUR) },
  "send-notifications": { retryLimit: 3, retryDelay: 30, retryBackoff: true, expireInSeconds: inSeconds(MINUTE) },
  "remove-pictures": {
    retryLimit: 100,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: inSeconds(HOUR),
    expireInSeconds: inSeconds(MINUTE),
  },
};

/** In seconds: how often the queue is polled for jobs that somebody waits for, or that start at a given time. */
const POLLED_EVERY = 0.5;
/** In seconds, for other jobs, which are scheduled or clean up. Each poll is a statement, even if there is no job. */
const POLLED_LESS_OFTEN: Partial<Record<JobName, number>> = {
  "refresh-rate": 5,
  "forget-changes": 5,
  "review-refunds": 5,
  "send-stock-alerts": 5,
  "write-feeds": 5,
  "send-notifications": 5,
  "remove-pictures": 5,
};

export const JOB_NAMES = Object.keys(QUEUES) as JobName[];

let current: PgBoss | undefined;
let ending = new AbortController();

/** pg-boss passes settings that it does not know (`ofPool`) on to its connection pool. */
function newBoss(settings: ConstructorOptions, ofPool: WatchedSettings & { Client?: typeof pg.Client } = {}): PgBoss {
  const boss = new PgBoss({ schema: "jobs", ...ofPool, ...settings });
  boss.on("error", (error) =>
    isConnectionError(error) ? database.failed(error) : log.warn({ err: error }, "job queue"),
  );
  return boss;
}

/** Creates the job tables, or migrates them to this version; `url` is their owner's. */
export async function installQueue(url: string): Promise<void> {
  const boss = newBoss({
    connectionString: url,
    max: 1,
    application_name: "irepo owner",
    supervise: false,
    schedule: false,
  });
  try {
    await boss.start();
  } finally {
    await boss.stop({ graceful: false, close: true });
  }
}

type QueueSettings = {
  /** Whether this process also runs jobs and maintains the queue. */
  works?: boolean;
  name?: string;
  watch?: DatabaseWatch;
};

/** Connects to the job tables. */
export async function openQueue(
  url: string,
  { works = false, name = "irepo jobs", watch }: QueueSettings = {},
): Promise<void> {
  ending = new AbortController();
  const boss = newBoss(
    {
      connectionString: url,
      max: works ? 4 : 1,
      application_name: name,
      supervise: works,
      schedule: works,
      migrate: false, // the tables' owner migrates them
    },
    { Client: WatchedClient, watch },
  );
  await boss.start();
  for (const [queue, options] of Object.entries(QUEUES)) {
    await boss.createQueue(queue, options);
    if (works) await boss.updateQueue(queue, options); // creating an existing queue does not change its settings
  }
  current = boss;
}

export async function closeQueue(): Promise<void> {
  ending.abort();
  const closing = current;
  current = undefined;
  // A job that outlasts the timeout is retried by the next process, so a failure to record its end needs no warning.
  closing?.removeAllListeners("error").on("error", (error) => log.debug({ err: error }, "job queue, ending"));
  await closing?.stop({ graceful: true, timeout: 8000, close: true });
}

function boss(): PgBoss {
  if (!current) throw new Error("The job queue is not open: openQueue() comes first");
  return current;
}

/** At most one job with this key runs per interval; any others are merged into one job in the next interval. */
export type Slots = { key: string; every: number };

/**
 * Enqueues a job in the transaction of the change that needs it: both happen or none. `startAfter`: not before this
 * time, or these seconds later by the database's clock.
 */
export async function enqueue<Name extends JobName>(
  on: Transaction,
  name: Name,
  data: Jobs[Name],
  { slots, startAfter }: { slots?: Slots; startAfter?: Date | number } = {},
): Promise<void> {
  const traceparent = currentTrace();
  await boss().send(name, traceparent ? { ...data, traceparent } : data, {
    db: fromKysely(on.withoutPlugins()),
    ...(startAfter && { startAfter }),
    ...(slots && { singletonKey: slots.key, singletonSeconds: inSeconds(slots.every), singletonNextSlot: true }),
  });
}

/**
 * `stopping` is aborted when the process is to end or the job takes too long: long work then throws an error, and is
 * retried or done by the next process.
 */
export type Work<Name extends JobName> = (data: Jobs[Name], stopping: AbortSignal) => Promise<void>;

/** Runs `work` for the jobs of this name, once for jobs with the same data. After an error they are retried later. */
export async function workOn<Name extends JobName>(name: Name, work: Work<Name>): Promise<void> {
  const within = QUEUES[name].expireInSeconds - 1; // the queue ends a longer job without an error
  const pollingIntervalSeconds = POLLED_LESS_OFTEN[name] ?? POLLED_EVERY;
  await boss().work<Traced<Name>>(name, { pollingIntervalSeconds, batchSize: 10 }, async (jobs) => {
    const ended = ending.signal;
    // The next process runs them.
    if (ended.aborted) throw new Error("The queue was closed while these jobs were fetched");
    const stopping = AbortSignal.any([ended, ...jobs.map(({ signal }) => signal)]);
    const done = await Promise.allSettled(
      different(jobs).map(({ traceparent, data }) =>
        jobChannel.tracePromise(() => inTime(work(data, stopping), within), { name, traceparent }),
      ),
    );
    const failed = done.filter((one) => one.status === "rejected");
    if (!ended.aborted) for (const { reason } of failed) tellFailure(name, reason);
    // The whole batch is retried: every job must be safe to run twice. The queue stores the error thrown here, which
    // leaves out the jobs' own errors: they may name a recipient.
    if (failed.length > 0) throw new Error(`${failed.length} of ${done.length} failed`);
  });
}

function tellFailure(queue: JobName, reason: unknown): void {
  // A mail server's response quotes the recipient. It is stored with the mail instead.
  const isMailServersAnswer = reason instanceof Error && "responseCode" in reason;
  if (isDatabaseConnectionError(reason)) database.failed(reason);
  else if (!isMailServersAnswer) log.warn({ err: reason, queue }, "a job has failed and is tried again");
}

async function inTime(work: Promise<void>, seconds: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`It is not done after ${seconds} s`)), seconds * SECOND);
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

type Traced<Name extends JobName> = Jobs[Name] & { traceparent?: string };

/**
 * Removes jobs with the same data: ten products saved one after the other do not need ten runs of the program that
 * encodes their pictures. Scheduled jobs have no data.
 */
function different<Name extends JobName>(
  jobs: { data: Traced<Name> | null }[],
): { traceparent?: string; data: Jobs[Name] }[] {
  const asked = jobs.map((job) => {
    const { traceparent, ...data } = job.data ?? ({} as Traced<Name>);
    return { traceparent, data: data as unknown as Jobs[Name] };
  });
  return [...new Map(asked.map((one) => [JSON.stringify(one.data), one])).values()];
}

/** Runs a job at the times of a cron expression, once in all processes together. */
export async function repeat(name: JobName, cron: string): Promise<void> {
  await boss().schedule(name, cron);
}

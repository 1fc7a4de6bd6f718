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

/** The jobs that may be asked for, with the shape of their data. worker.ts says what runs them. */
export type Jobs = {
  "send-mail": { id: string };
  "send-link": { id: string; purpose: "verify" | "reset"; email: string };
  "refresh-rate": Record<string, never>;
  "forget-changes": Record<string, never>;
  "review-refunds": Record<string, never>;
  "send-stock-alerts": Record<string, never>;
  "make-pictures": Record<string, never>;
  "show-notice": Record<string, never>;
  "publish-products": Record<string, never>;
  "remove-pictures": { names: string[] };
};
export type JobName = keyof Jobs;

/** A mail server may be away for a day: mails are tried again for two. */
const QUEUES: Record<
  JobName,
  {
    retryLimit: number;
    retryDelay: number;
    retryBackoff: boolean;
    retryDelayMax?: number;
    expireInSeconds: number;
    deleteAfterSeconds?: number;
  }
> = {
  "send-mail": {
    retryLimit: 100,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: inSeconds(30 * MINUTE),
    expireInSeconds: inSeconds(MINUTE),
  },
  // Holds an address: it is not kept for longer than counting asks for.
  "send-link": {
    retryLimit: 20,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: inSeconds(MINUTE),
    expireInSeconds: inSeconds(MINUTE),
    deleteAfterSeconds: inSeconds(10 * MINUTE),
  },
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
  "publish-products": { retryLimit: 3, retryDelay: 1, retryBackoff: true, expireInSeconds: inSeconds(MINUTE) },
  "remove-pictures": {
    retryLimit: 100,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: inSeconds(HOUR),
    expireInSeconds: inSeconds(MINUTE),
  },
};

export const JOB_NAMES = Object.keys(QUEUES) as JobName[];

let current: PgBoss | undefined;
let ending = new AbortController();

/** Settings that the queue does not know are passed on to its connection pool. */
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
  /** This process also runs jobs and looks after them. */
  works?: boolean;
  name?: string;
  watch?: DatabaseWatch;
};

/** Connects to the job tables. */
export async function openQueue(
  url: string,
  { works = false, name = "irepo jobs", watch }: QueueSettings = {},
): Promise<void> {
  const boss = newBoss(
    {
      connectionString: url,
      max: works ? 4 : 1,
      application_name: name,
      supervise: works,
      schedule: works,
      migrate: false, // that is its owner's
    },
    { Client: WatchedClient, watch },
  );
  await boss.start();
  for (const [queue, options] of Object.entries(QUEUES)) {
    await boss.createQueue(queue, options);
    if (works) await boss.updateQueue(queue, options); // one that is there already stays as it was
  }
  current = boss;
}

export async function closeQueue(): Promise<void> {
  ending.abort();
  ending = new AbortController();
  const closing = current;
  current = undefined;
  await closing?.stop({ graceful: true, timeout: 8000, close: true });
}

function boss(): PgBoss {
  if (!current) throw new Error("The job queue is not open: openQueue() comes first");
  return current;
}

/** At most one job with this key runs per interval; any others are merged into one job in the next interval. */
export type Slots = { key: string; every: number };

/** Asks for a job in the transaction of the change that needs it: both happen or none. */
export async function enqueue<Name extends JobName>(
  on: Transaction,
  name: Name,
  data: Jobs[Name],
  { slots, startAfter }: { slots?: Slots; startAfter?: Date } = {},
): Promise<void> {
  const traceparent = currentTrace();
  await boss().send(name, traceparent ? { ...data, traceparent } : data, {
    db: fromKysely(on.withoutPlugins()),
    ...(startAfter && { startAfter }),
    ...(slots && { singletonKey: slots.key, singletonSeconds: inSeconds(slots.every), singletonNextSlot: true }),
  });
}

/** `stopping` says that the process wants to end, or that this takes too long: long work gives up with an error, to be done by the next process or try. */
export type Work<Name extends JobName> = (data: Jobs[Name], stopping: AbortSignal) => Promise<void>;

/** Runs `work` for each job of this name, once for those that ask for the same; an error lets them be tried again later. */
export async function workOn<Name extends JobName>(name: Name, work: Work<Name>): Promise<void> {
  const within = QUEUES[name].expireInSeconds - 1; // the queue ends what takes longer without a word
  await boss().work<Traced<Name>>(name, { pollingIntervalSeconds: 0.5, batchSize: 10 }, async (jobs) => {
    const ended = ending.signal;
    const stopping = AbortSignal.any([ended, ...jobs.map(({ signal }) => signal)]);
    const done = await Promise.allSettled(
      different(jobs).map(({ traceparent, data }) =>
        jobChannel.tracePromise(() => inTime(work(data, stopping), within), { name, traceparent }),
      ),
    );
    const failed = done.filter((one) => one.status === "rejected");
    if (!ended.aborted) for (const { reason } of failed) tellFailure(name, reason);
    // The whole batch is tried again: every job must be safe to run twice. What is thrown is kept with it: without the errors, which may name a recipient.
    if (failed.length > 0) throw new Error(`${failed.length} of ${done.length} failed`);
  });
}

function tellFailure(queue: JobName, reason: unknown): void {
  const isMailServersAnswer = reason instanceof Error && "responseCode" in reason; // quotes the recipient; it stands beside the mail
  if (isDatabaseConnectionError(reason)) database.failed(reason);
  else if (!isMailServersAnswer) log.warn({ err: reason, queue }, "a job has failed and is tried again");
}

async function inTime(work: Promise<void>, seconds: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`It is not done after ${seconds} s`)), seconds * SECOND);
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

type Traced<Name extends JobName> = Jobs[Name] & { traceparent?: string };

/** Ten products that were saved one after the other need no ten programs that encode their pictures. What a timetable asks for has no data. */
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

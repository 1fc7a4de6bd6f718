import type { RequestListener, Server } from "node:http";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { hasProducts, seedDemo } from "#app/catalog/demo.server.ts";
import { pictureStoreWarning, removeUnfinishedPictures } from "#app/catalog/pictures/store.server.ts";
import { followOldAddresses } from "#app/content/old-addresses/redirect.server.ts";
import { followOwnMessages } from "#app/content/own-messages.server.ts";
import { keepDataDir } from "#app/infra/data-dir.server.ts";
import { connectionWarning, mostConnections, POOL_SIZE } from "#app/infra/database/connections.server.ts";
import { type Address, closeDb, databaseWatch, db, openDb } from "#app/infra/database/db.server.ts";
import { openListener } from "#app/infra/database/listener.server.ts";
import { startPostgres } from "#app/infra/database/postgres.server.ts";
import {
  type Access,
  asOwner,
  awaitDatabase,
  databaseElsewhere,
  OLDER_DATABASE,
  type Prepared,
  prepareDatabase,
} from "#app/infra/database/prepare.server.ts";
import { closeQueue, openQueue } from "#app/infra/database/queue.server.ts";
import { SECOND } from "#app/infra/durations.ts";
import { env, forgetOwner } from "#app/infra/env.server.ts";
import { close, DRAIN_TIMEOUT } from "#app/infra/http/server/drain.server.ts";
import { keepAssets } from "#app/infra/http/server/kept-assets.server.ts";
import { createPatientServer } from "#app/infra/http/server/slow-clients.server.ts";
import { log } from "#app/infra/log.server.ts";
import { openOffice } from "#app/infra/office.server.ts";
import { lineOf, Problem } from "#app/infra/problem.server.ts";
import { isWebProcess, openProcesses, sayOpen } from "#app/infra/processes.server.ts";
import { startSandbox } from "#app/infra/sandbox.server.ts";
import { followShopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { removeUnfinished } from "#app/infra/unfinished.server.ts";
import { loadPast } from "#app/owner/demo-past/load.server.ts";
import { shopFigures } from "#app/owner/figures.server.ts";
import { missingRates } from "#app/owner/missing-rates.server.ts";
import { beginLive } from "#app/owner/trial/start.server.ts";
import { requestListener } from "#app/request-listener.server.ts";
import { seedShipping } from "#app/shipping/rates.server.ts";

/** Functions that stop what was started, called in reverse order. */
const undo: (() => Promise<unknown>)[] = [];
let open = false;
/** Whether the port is being left to the web processes: each response closes its connection. */
let handsOver = false;
const opening = Promise.withResolvers<void>();

type Surroundings = {
  /** The folder of static files. */
  clientFiles: string;
  /** Aborted when the shop is to end. */
  ending: AbortSignal;
  /** Wraps the shop's listener: development puts Vite in front. */
  around?(listener: RequestListener): RequestListener;
};

/** Opens the shop. Ends the process when it cannot open. */
export async function start(surroundings: Surroundings): Promise<void> {
  surroundings.ending.addEventListener("abort", () => stop());
  if (surroundings.ending.aborted) return stop();
  try {
    starting = openWhole(surroundings);
    await starting;
  } catch (error) {
    await nextTurn(); // a terminal's Ctrl-C reaches all processes at once, and the end of a child may be noticed first
    if (stopping) return;
    process.stderr.write(`${lineOf(error, env.dataDir)}\n`);
    log.debug({ err: error }, "start failed");
    stopping = true;
    for (const end of undo.reverse()) await end().catch(() => undefined);
    process.exit(1);
  }
}

async function openWhole(surroundings: Surroundings): Promise<void> {
  await startTraces();
  await (isWebProcess ? openWebProcess(surroundings) : openShop(surroundings));
}

/** Throws if the shop is to end. Called between the steps of the start. */
function goOn(): void {
  if (stopping) throw new Problem("The shop is to end");
}

/**
 * Starts the export of traces. Must be called before the database is opened, so that statements are traced. The library
 * is loaded only if it is needed.
 */
async function startTraces(): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = env;
  if (!endpoint) return;
  const { startTracing } = await import("#app/infra/tracing/open-telemetry.server.ts");
  undo.push(startTracing({ endpoint, share }));
}

/**
 * In ms. Connections that are still open then are closed: a client that keeps asking over one, or has opened one and
 * asks nothing, does not keep the shop from opening.
 */
const HANDS_OVER_WITHIN = SECOND;

async function openShop(surroundings: Surroundings): Promise<void> {
  const { clientFiles } = surroundings;
  const server = await listen(surroundings);
  for (const line of env.warnings) process.stderr.write(`Warning: ${line}\n`);
  const access = await database(surroundings.ending);
  goOn();
  const made = await (env.DATABASE_URL ? unlessEnding(prepared(access)) : prepared(access));
  const { warning, office, ...address } = made;
  forgetOwner(address);
  if (warning) process.stderr.write(`Warning: ${warning}\n`);
  goOn();
  const direct = openDatabase(address);
  const fewConnections = address.direct ? undefined : await connectionWarning(db(), env.WEB_CONCURRENCY);
  if (fewConnections) process.stderr.write(`Warning: ${fewConnections}\n`);
  if (env.DATABASE_URL && env.NODE_ENV === "production") await keepAssets(db(), clientFiles);
  const picturesAway = await pictureStoreWarning();
  if (picturesAway) process.stderr.write(`Warning: ${picturesAway}\n`);
  if (env.live) await beginLive(db(), (line) => process.stderr.write(`${line}\n`));
  await openQueue(direct, { works: true, watch: databaseWatch() });
  undo.push(closeQueue);
  goOn();
  if (!env.live) {
    await openDemo(access);
    await seedShipping(db());
  } else for (const line of await missingRates(db())) process.stderr.write(`Warning: ${line}\n`);
  if (env.demoPayments || env.demoGoogle) undo.push(await startSandbox());
  goOn();
  const { startWorker } = await import("./worker.ts"); // its code is not for the processes that only answer requests
  undo.push(await startWorker());
  const { METRICS_PORT: port, METRICS_HOST: host } = env;
  if (port !== undefined) {
    const { openMetrics } = await import("#app/infra/metrics/door.server.ts");
    undo.push(await openMetrics({ port, host }, shopFigures(db)));
  }
  const settings = settingsOf(address);
  if (env.WEB_CONCURRENCY === 1) {
    undo.push(await openListener(direct, databaseWatch()));
    await followShopSettings(db);
    await followOwnMessages(db);
    undo.push(await followOldAddresses(db));
    undo.push(() => close(server));
    opens();
  } else {
    goOn();
    handsOver = true;
    opening.resolve(); // waiting requests are told to retry: the web processes take the port over
    await close(server, HANDS_OVER_WITHIN);
    undo.push(await openProcesses(env.WEB_CONCURRENCY, settings, isStopping));
  }
  if (env.usesDataDir) removeUnfinished(env.dataDir);
  removeUnfinishedPictures().catch((error) => log.warn({ err: error }, "unfinished pictures cannot be removed"));
  goOn();
  isStarted = true;
  process.stdout.write(`Irepo is open: ${env.publicUrl.href.replace(/\/$/, "")}\n`);
  if (env.officeUrl) await openOfficeAt(env.officeUrl, settingsOf(office ?? address));
}

/** Fills an empty shop without real money. A past is restored as the tables' owner, since it turns their guards off. */
async function openDemo(access: Access): Promise<void> {
  if (!env.hasDemoPast || (await hasProducts(db()))) return seedDemo(db());
  const warn = (line: string) => void process.stderr.write(`Warning: ${line}\n`);
  await asOwner(access, (on) => seedDemo(on, (trx) => loadPast(trx, warn)));
}

/** The settings by which another process reaches the database: never as its owner. */
function settingsOf({ url, direct = "" }: Address): Record<string, string> {
  return { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, DATABASE_OWNER_URL: "" };
}

/** Opens the back office. Without it the shop still sells, so an error is only a warning. */
async function openOfficeAt({ href }: URL, settings: Record<string, string>): Promise<void> {
  try {
    undo.push(await openOffice(settings, isStopping));
    process.stdout.write(`Back office: ${href.replace(/\/$/, "")}\n`);
  } catch (error) {
    await nextTurn();
    if (!stopping) process.stderr.write(`Warning: ${lineOf(error, env.dataDir)}\n`);
  }
}

function opens(): void {
  open = true;
  opening.resolve();
}

function prepared(access: Access): Promise<Prepared> {
  if (env.MIGRATE_ON_START) return prepareDatabase(access);
  return awaitDatabase(access, () => process.stderr.write(`Waiting. ${OLDER_DATABASE}\n`));
}

/** Opens the pools. Returns the address for code that needs a connection of its own. */
function openDatabase({ url, direct }: Address): string {
  openDb({ url, direct, max: POOL_SIZE, name: "irepo web" });
  undo.push(closeDb);
  return direct ?? url;
}

/**
 * Opens one of several web processes, which only answer requests. The process that has started it has prepared
 * database, jobs and sandbox.
 */
async function openWebProcess(surroundings: Surroundings): Promise<void> {
  if (env.METRICS_PORT !== undefined) (await import("#app/infra/metrics/door.server.ts")).tellMetrics();
  const direct = openDatabase({ url: env.DATABASE_URL ?? "", direct: env.DATABASE_DIRECT_URL });
  await openQueue(direct, { watch: databaseWatch() });
  undo.push(closeQueue);
  undo.push(await openListener(direct, databaseWatch()));
  await followShopSettings(db);
  await followOwnMessages(db);
  undo.push(await followOldAddresses(db));
  opens(); // before it listens, so that each request is answered
  const server = await listen(surroundings);
  undo.push(() => close(server));
  sayOpen();
}

/**
 * Listens on the port, or ends the process if that is impossible. `openShop` calls it first, so that nothing else is
 * started if the port is taken.
 */
async function listen({ clientFiles, around = (listener) => listener }: Surroundings): Promise<Server> {
  const listener = await requestListener({
    clientFiles,
    around,
    isOpen: () => open,
    opened: opening.promise,
    isDraining: () => stopping || handsOver,
  });
  const server = createPatientServer(listener);
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      process.stderr.write(`${listenProblem(error)}\n`);
      process.exit(1);
    });
    server.listen(env.PORT, env.HOST, () => resolve(server));
  });
}

function listenProblem({ code, message }: NodeJS.ErrnoException): string {
  if (code === "EADDRINUSE") return `Port ${env.PORT} is in use. Set another one: PORT=${env.PORT + 10} npm start`;
  if (code === "EACCES") return `PORT: this user may not listen at ${env.PORT}: set one from 1024 on, behind a proxy`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `HOST: ${env.HOST} is no address of this machine: 127.0.0.1 or 0.0.0.0 are`;
  return message;
}

async function database(ending: AbortSignal): Promise<Access> {
  if (env.DATABASE_URL) {
    if (env.usesDataDir) keepDataDir(env.dataDir);
    return databaseElsewhere(env.DATABASE_URL);
  }
  const postgres = await startPostgres(env.dataDir, mostConnections(env.WEB_CONCURRENCY), ending);
  undo.push(postgres.stop);
  if (postgres.reused) process.stdout.write("The database was still running and is used again\n");
  postgres.watch((error) => {
    process.stderr.write(`${lineOf(error, env.dataDir)}\n`);
    stop(1);
  });
  return { owner: postgres.url, setting: "DATA_DIR" };
}

/**
 * In seconds: how long an ending web process still answers requests. Its responses close their connections, and the
 * clients' next requests reach other processes.
 */
const LAST_ANSWERS_WITHIN = 2;

/** Settles when the start has succeeded or failed. */
let starting: Promise<void> | undefined;
/** Whether the shop has reported that it is open. */
let isStarted = false;
let stopping = false;
const told = Promise.withResolvers<never>();
told.promise.catch(() => undefined);
const isStopping = () => stopping;

const drainDelay = () => Math.max(env.DRAIN_DELAY, isWebProcess ? LAST_ANSWERS_WITHIN : 0);

/** Rejects when the shop is to end. For work that may wait forever for another program and leaves nothing behind. */
const unlessEnding = <T>(work: Promise<T>): Promise<T> => Promise.race([work, told.promise]);

/**
 * `code` 1: the shop cannot go on, which its supervisor must see. The process then ends after a timeout in any case:
 * without the database, some parts never end by themselves.
 */
async function stop(code = 0): Promise<void> {
  if (stopping) return;
  stopping = true;
  told.reject(new Problem("The shop is to end"));
  if (code) setTimeout(() => process.exit(code), DRAIN_TIMEOUT);
  else if (open) await sleep(drainDelay() * SECOND); // meanwhile load balancers see /readyz and use other instances
  await starting?.catch(() => undefined); // lets a step that has begun finish, so that nothing stays behind
  for (const end of undo.reverse()) await end().catch((error) => log.error({ err: error }, "while stopping"));
  if (!isStarted && !isWebProcess && !code) process.stderr.write("Ended before the shop was open.\n");
  process.exit(code);
}

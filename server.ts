import type { RequestListener, Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { seedDemo } from "#app/catalog/demo.server.ts";
import { pictureStoreWarning, removeUnfinishedPictures } from "#app/catalog/pictures/store.server.ts";
import { keepDataDir } from "#app/infra/data-dir.server.ts";
import { connectionWarning, mostConnections, POOL_SIZE } from "#app/infra/database/connections.server.ts";
import { type Address, closeDb, databaseWatch, db, openDb } from "#app/infra/database/db.server.ts";
import { openListener } from "#app/infra/database/listener.server.ts";
import { startPostgres } from "#app/infra/database/postgres.server.ts";
import {
  type Access,
  awaitDatabase,
  databaseElsewhere,
  OLDER_DATABASE,
  type Prepared,
  prepareDatabase,
} from "#app/infra/database/prepare.server.ts";
import { closeQueue, openQueue } from "#app/infra/database/queue.server.ts";
import { SECOND } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { close, DRAIN_TIMEOUT } from "#app/infra/http/server/drain.server.ts";
import { keepAssets } from "#app/infra/http/server/kept-assets.server.ts";
import { createPatientServer } from "#app/infra/http/server/slow-clients.server.ts";
import { log } from "#app/infra/log.server.ts";
import { openOffice } from "#app/infra/office.server.ts";
import { lineOf } from "#app/infra/problem.server.ts";
import { isWebProcess, openProcesses, sayOpen } from "#app/infra/processes.server.ts";
import { startSandbox } from "#app/infra/sandbox.server.ts";
import { followShopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { removeUnfinished } from "#app/infra/unfinished.server.ts";
import { shopFigures } from "#app/owner/figures.server.ts";
import { missingRates } from "#app/owner/missing-rates.server.ts";
import { requestListener } from "#app/request-listener.server.ts";
import { seedShipping } from "#app/shipping/rates.server.ts";
import { startWorker } from "./worker.ts";

/** What was started, to be stopped in the opposite order. */
const undo: (() => Promise<unknown>)[] = [];
let open = false;
const opening = Promise.withResolvers<void>();

type Surroundings = {
  /** The folder of what browsers load as it is. */
  clientFiles: string;
  /** Stands in front of everything: development puts Vite there. */
  around?(listener: RequestListener): RequestListener;
};

/** Opens the shop. Ends the process when it cannot open. */
export async function start(surroundings: Surroundings): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop());
  if (process.channel) process.on("disconnect", () => stop()); // the starting process is gone, however it ended
  try {
    await startTraces();
    await (isWebProcess ? openWebProcess(surroundings) : openShop(surroundings));
  } catch (error) {
    process.stderr.write(`${lineOf(error, env.dataDir)}\n`);
    log.debug({ err: error }, "start failed");
    stopping = true;
    for (const end of undo.reverse()) await end().catch(() => undefined);
    process.exit(1);
  }
}

/** Before the database is opened, whose statements are traced. The library is loaded only where somebody looks. */
async function startTraces(): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = env;
  if (!endpoint) return;
  const { startTracing } = await import("#app/infra/tracing/open-telemetry.server.ts");
  undo.push(startTracing({ endpoint, share }));
}

async function openShop(surroundings: Surroundings): Promise<void> {
  const { clientFiles } = surroundings;
  const server = await listen(surroundings);
  for (const line of env.warnings) process.stderr.write(`Warning: ${line}\n`);
  const { warning, ...address } = await prepared(await database());
  if (warning) process.stderr.write(`Warning: ${warning}\n`);
  const direct = openDatabase(address);
  const fewConnections = address.direct ? undefined : await connectionWarning(db(), env.WEB_CONCURRENCY);
  if (fewConnections) process.stderr.write(`Warning: ${fewConnections}\n`);
  if (env.DATABASE_URL && env.NODE_ENV === "production") await keepAssets(db(), clientFiles);
  const picturesAway = await pictureStoreWarning();
  if (picturesAway) process.stderr.write(`Warning: ${picturesAway}\n`);
  await openQueue(direct, { works: true, watch: databaseWatch() });
  undo.push(closeQueue);
  if (!env.paystack.live) {
    await seedDemo(db());
    await seedShipping(db());
  } else for (const line of await missingRates(db())) process.stderr.write(`Warning: ${line}\n`);
  if (env.demoPayments || env.demoGoogle) undo.push(await startSandbox());
  undo.push(await startWorker());
  const { METRICS_PORT: port, METRICS_HOST: host } = env;
  if (port !== undefined) {
    const { openMetrics } = await import("#app/infra/metrics/door.server.ts");
    undo.push(await openMetrics({ port, host }, shopFigures(db)));
  }
  const settings = { DATABASE_URL: address.url, DATABASE_DIRECT_URL: address.direct ?? "", DATABASE_OWNER_URL: "" };
  if (env.WEB_CONCURRENCY === 1) {
    undo.push(await openListener(direct, databaseWatch()));
    await followShopSettings(db);
    undo.push(() => close(server));
    opens();
  } else {
    opening.resolve(); // waiting requests are told to retry: the web processes take the port over
    await new Promise((resolve) => server.close(resolve));
    undo.push(await openProcesses(env.WEB_CONCURRENCY, settings, isStopping));
  }
  if (env.usesDataDir) removeUnfinished(env.dataDir);
  removeUnfinishedPictures().catch((error) => log.warn({ err: error }, "unfinished pictures cannot be removed"));
  process.stdout.write(`Irepo is open: ${env.publicUrl.href.replace(/\/$/, "")}\n`);
  if (env.officeUrl) await openOfficeAt(env.officeUrl, settings);
}

/** The shop sells without it. */
async function openOfficeAt({ href }: URL, settings: Record<string, string>): Promise<void> {
  try {
    undo.push(await openOffice(settings, isStopping));
    process.stdout.write(`Back office: ${href.replace(/\/$/, "")}\n`);
  } catch (error) {
    process.stderr.write(`Warning: ${lineOf(error, env.dataDir)}\n`);
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

/** Answers the address for what needs a connection to itself. */
function openDatabase({ url, direct }: Address): string {
  openDb({ url, direct, max: POOL_SIZE, name: "irepo web" });
  undo.push(closeDb);
  return direct ?? url;
}

/** One of several, for requests alone. The process that started it has prepared database, jobs and sandbox. */
async function openWebProcess(surroundings: Surroundings): Promise<void> {
  if (env.METRICS_PORT !== undefined) (await import("#app/infra/metrics/door.server.ts")).tellMetrics();
  const direct = openDatabase({ url: env.DATABASE_URL ?? "", direct: env.DATABASE_DIRECT_URL });
  await openQueue(direct, { watch: databaseWatch() });
  undo.push(closeQueue);
  undo.push(await openListener(direct, databaseWatch()));
  await followShopSettings(db);
  opens(); // before it listens: whatever is handed to it is answered
  const server = await listen(surroundings);
  undo.push(() => close(server));
  sayOpen();
}

/** The port comes first: when it is taken, nothing else is started. */
async function listen({ clientFiles, around = (listener) => listener }: Surroundings): Promise<Server> {
  const listener = await requestListener({
    clientFiles,
    around,
    isOpen: () => open,
    opened: opening.promise,
    isDraining: isStopping,
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

async function database(): Promise<Access> {
  if (env.DATABASE_URL) {
    if (env.usesDataDir) keepDataDir(env.dataDir);
    return databaseElsewhere(env.DATABASE_URL);
  }
  const postgres = await startPostgres(env.dataDir, mostConnections(env.WEB_CONCURRENCY));
  undo.push(postgres.stop);
  if (postgres.reused) process.stdout.write("The database was still running and is used again\n");
  postgres.watch((error) => {
    process.stderr.write(`${lineOf(error, env.dataDir)}\n`);
    stop(1);
  });
  return { owner: postgres.url, setting: "DATA_DIR" };
}

/** So many seconds a web process that ends goes on, for others take its place: a kept connection hears with its next answer that it was the last. */
const LAST_ANSWERS_WITHIN = 2;

let stopping = false;
const isStopping = () => stopping;

const drainDelay = () => Math.max(env.DRAIN_DELAY, isWebProcess ? LAST_ANSWERS_WITHIN : 0);

/** `code` 1: it cannot go on, which its supervisor must see; without the database some parts never end by themselves. */
async function stop(code = 0): Promise<void> {
  if (stopping) return;
  stopping = true;
  if (code) setTimeout(() => process.exit(code), DRAIN_TIMEOUT);
  else if (open) await sleep(drainDelay() * SECOND); // whoever follows /readyz sends requests elsewhere meanwhile
  for (const end of undo.reverse()) await end().catch((error) => log.error({ err: error }, "while stopping"));
  process.exit(code);
}

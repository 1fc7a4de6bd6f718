import type { RequestListener, Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { createRequestHandler } from "react-router";
import { api } from "#app/api.ts";
import { catalogWatch } from "#app/catalog/catalog-changes.server.ts";
import { seedDemo } from "#app/catalog/demo.server.ts";
import { pictureResponse, removeUnfinishedPictures } from "#app/catalog/pictures.server.ts";
import { keepDataDir } from "#app/infra/data-dir.server.ts";
import { closeDb, connectionLimit, db, openDb } from "#app/infra/database/db.server.ts";
import { openListener } from "#app/infra/database/listener.server.ts";
import { isMigrated } from "#app/infra/database/migrate.server.ts";
import { startPostgres } from "#app/infra/database/postgres.server.ts";
import { type Access, databaseElsewhere, prepareDatabase } from "#app/infra/database/prepare.server.ts";
import { closeQueue, openQueue } from "#app/infra/database/queue.server.ts";
import { SECOND } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import {
  createEdge,
  type Handlers,
  sharedPage,
  withClientAddress,
  withRequestId,
} from "#app/infra/http/edge.server.ts";
import { endStreams } from "#app/infra/http/event-stream.server.ts";
import { limitSearches, refuseSearch, refuseStrange } from "#app/infra/http/front-door.server.ts";
import { pageCache } from "#app/infra/http/page-cache.server.ts";
import { createPatientServer } from "#app/infra/http/slow-clients.server.ts";
import { log } from "#app/infra/log.server.ts";
import { openMetrics } from "#app/infra/metrics.server.ts";
import { lineOf } from "#app/infra/problem.server.ts";
import { isWebProcess, openProcesses, takePlace } from "#app/infra/processes.server.ts";
import { startSandbox } from "#app/infra/sandbox.server.ts";
import { removeUnfinished } from "#app/infra/unfinished.server.ts";
import { shopFigures } from "#app/owner/figures.server.ts";
import { missingRates } from "#app/owner/missing-rates.server.ts";
import { receiveWebhook } from "#app/payments/webhook.server.ts";
import { publicPage } from "#app/public-pages.ts";
import { seedShipping } from "#app/shipping/rates.server.ts";
import { startWorker } from "./worker.ts";

const DRAIN = 10 * SECOND;
/** Connections of each of a process's two pools (db.server.ts): more of them than cores only wait for each other. */
const POOL = 10;
const OF_WEB_PROCESS = 2 * POOL + 2; // its jobs, its ear
const OF_FIRST_PROCESS = 2 * POOL + 5; // it also works on the jobs
const OF_COMMANDS = 20;

/** What was started, to be stopped in the opposite order. */
const undo: (() => Promise<unknown>)[] = [];
let open = false;

type Surroundings = {
  /** The folder of what browsers load as it is. */
  clientFiles: string;
  /** Stands in front of everything: development puts Vite there. */
  around?(listener: RequestListener): RequestListener;
};

/** Opens the shop. Ends the process when it cannot open. */
export async function start(surroundings: Surroundings): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop());
  process.on("SIGUSR2", nothingToRenew);
  if (!isWebProcess) process.send?.("hears signals"); // scripts/boot.mjs hands them on
  if (process.channel) process.on("disconnect", () => stop()); // the starting process is gone, however it ended
  try {
    await (isWebProcess ? openWebProcess(surroundings) : openShop(surroundings));
  } catch (error) {
    process.stderr.write(`${lineOf(error, env.dataDir)}\n`);
    log.debug({ err: error }, "start failed");
    for (const end of undo.reverse()) await end().catch(() => undefined);
    process.exit(1);
  }
}

async function openShop(surroundings: Surroundings): Promise<void> {
  const server = await listen(surroundings);
  for (const line of env.warnings) process.stderr.write(`Warning: ${line}\n`);
  const { url, warning } = await prepareDatabase(await database());
  if (warning) process.stderr.write(`Warning: ${warning}\n`);
  openDb({ url, max: POOL, name: "irepo web" });
  undo.push(closeDb);
  await warnOfFewConnections();
  await openQueue(url, { works: true });
  undo.push(closeQueue);
  if (!env.paystack.live) {
    await seedDemo(db());
    await seedShipping(db());
  } else for (const line of await missingRates(db())) process.stderr.write(`Warning: ${line}\n`);
  if (env.demoPayments || env.demoGoogle) undo.push(await startSandbox());
  undo.push(await startWorker());
  const { METRICS_PORT: port, METRICS_HOST: host } = env;
  if (port !== undefined) undo.push(await openMetrics({ port, host }, () => shopFigures(db())));
  if (env.WEB_CONCURRENCY === 1) {
    undo.push(await openListener(url));
    undo.push(() => close(server));
    open = true;
  } else {
    await new Promise((resolve) => server.close(resolve)); // the web processes take the port over
    process.off("SIGUSR2", nothingToRenew);
    undo.push(await openProcesses(env.WEB_CONCURRENCY, { DATABASE_URL: url, DATABASE_OWNER_URL: "" }));
  }
  removeUnfinished(env.dataDir);
  removeUnfinishedPictures().catch((error) => log.warn({ err: error }, "unfinished pictures cannot be removed"));
  process.stdout.write(`Irepo is open: ${env.publicUrl.href.replace(/\/$/, "")}\n`);
}

/** With one web process, and until there are several. */
function nothingToRenew(): void {
  process.stderr.write("SIGUSR2 renews web processes where WEB_CONCURRENCY is 2 or more: there is nothing to renew\n");
}

/** One of several: requests alone. Database, jobs and sandbox are the business of the process that has begun this one. */
async function openWebProcess(surroundings: Surroundings): Promise<void> {
  const url = env.DATABASE_URL ?? "";
  openDb({ url, max: POOL, name: "irepo web" });
  undo.push(closeDb);
  await openQueue(url);
  undo.push(closeQueue);
  undo.push(await openListener(url));
  open = true; // before it listens: whatever is handed to it is answered
  const server = await listen(surroundings);
  undo.push(() => close(server));
  takePlace(() => {
    leaving = true;
    void stop();
  });
}

/** The port comes first: when it is taken, nothing else is started. Until the shop is open, visitors are asked to wait, and only the process is there. */
async function listen({ clientFiles, around = (listener) => listener }: Surroundings): Promise<Server> {
  const page = await pageHandler();
  const edge = createEdge({
    api,
    page,
    picture: pictureResponse,
    webhook: receiveWebhook,
    ready: async () => open && (await isMigrated(db()).catch(() => false)),
    clientFiles,
  });
  const listener = withRequestId(
    getRequestListener((request, bindings) =>
      open || new URL(request.url).pathname === "/healthz" ? edge.fetch(request, bindings) : opening(),
    ),
  );
  const inside = refuseStrange(withPageCache(page, limitSearches(listener)));
  const server = createPatientServer(lastOfItsConnection(around(withClientAddress(inside))));
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

/** The build is given as it is: asked for by a function, the router would work out its routes anew for each request, as development needs. */
async function pageHandler(): Promise<Handlers["page"]> {
  const build = () => import("virtual:react-router/server-build");
  return createRequestHandler(env.NODE_ENV === "production" ? await build() : build, env.NODE_ENV);
}

/** In development pages change with their code: nothing is kept. */
function withPageCache(page: Handlers["page"], listener: RequestListener): RequestListener {
  if (env.NODE_ENV !== "production") return listener;
  const hasChanged = catalogWatch();
  const { around } = pageCache({
    keyOf: (url) => (open ? publicPage(url) : undefined),
    render: (key) => sharedPage(page, key),
    changed: () => hasChanged(db()),
    refuse: refuseSearch,
  });
  return around(listener);
}

function lastOfItsConnection(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (leaving) response.setHeader("Connection", "close");
    listener(request, response);
  };
}

function opening(): Response {
  return new Response("Opening ...", { status: 503, headers: { "Retry-After": "1", Refresh: "1" } });
}

/** What all processes take at most, and one more that opens in another's place. */
function mostConnections(): number {
  const webProcesses = env.WEB_CONCURRENCY === 1 ? 0 : env.WEB_CONCURRENCY + 1;
  return OF_FIRST_PROCESS + webProcesses * OF_WEB_PROCESS + OF_COMMANDS;
}

async function warnOfFewConnections(): Promise<void> {
  const [database] = await connectionLimit(db());
  const needed = mostConnections();
  if (database && database.limit < needed)
    process.stderr.write(
      `Warning: with WEB_CONCURRENCY=${env.WEB_CONCURRENCY} the shop may need ${needed} connections, and the database takes ${database.limit} (its max_connections)\n`,
    );
}

async function database(): Promise<Access> {
  if (env.DATABASE_URL) {
    keepDataDir(env.dataDir);
    return databaseElsewhere(env.DATABASE_URL);
  }
  const postgres = await startPostgres(env.dataDir, mostConnections());
  undo.push(postgres.stop);
  if (postgres.reused) process.stdout.write("The database was still running and is used again\n");
  postgres.watch((error) => {
    process.stderr.write(`${lineOf(error, env.dataDir)}\n`);
    stop(1);
  });
  return { owner: postgres.url, setting: "DATA_DIR" };
}

/** True while another process takes this one's place: then nobody may notice. */
let leaving = false;

/**
 * Lets running requests end (10 s at most). When the shop stops, idle connections are closed. When this process only leaves, they are not:
 * a request may be on its way there. It is answered with the request to connect anew, and who asks nothing for 5 s is let go by Node. A
 * connection that has been sent here meanwhile is refused and given to another process: this one must live long enough to say so.
 */
async function close(server: Server): Promise<void> {
  const handedBack = leaving ? sleep(SECOND) : undefined;
  await new Promise<void>((resolve) => {
    const idle = leaving ? undefined : setInterval(() => server.closeIdleConnections(), 50);
    const force = setTimeout(() => server.closeAllConnections(), DRAIN);
    const closed = () => {
      clearInterval(idle);
      clearTimeout(force);
      resolve();
    };
    if (leaving) NetServer.prototype.close.call(server, closed);
    else server.close(closed);
    endStreams();
  });
  await handedBack;
}

let stopping = false;

/** `code` 1: it cannot go on, and whoever watches over it is to see that; without its database not everything ends by itself. */
async function stop(code = 0): Promise<void> {
  if (stopping) return;
  stopping = true;
  if (code) setTimeout(() => process.exit(code), DRAIN);
  for (const end of undo.reverse()) await end().catch((error) => log.error({ err: error }, "while stopping"));
  process.exit(code);
}

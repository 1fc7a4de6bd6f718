import { existsSync } from "node:fs";
import path from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { keepDataDir, keptRandom } from "#app/infra/data-dir.server.ts";
import { Problem } from "#app/infra/problem.server.ts";
import { postgresAccount, reachableBinaries } from "./embedded/binaries.server.ts";
import { clusterFolder, initialise, refuseOtherVersion } from "./embedded/cluster.server.ts";
import { answering, isAlive, launch, postmaster, untilAnswering } from "./embedded/process.server.ts";

/**
 * The embedded PostgreSQL: the native server from npm, with one cluster in `DATA_DIR/postgres`. It is started unless it
 * is running already, and stopped by the last of the shop's processes that ends. PostgreSQL refuses to run as root:
 * another user runs it then, and what that user could not reach (a checkout in a private home folder) is kept in
 * /var/lib/irepo instead.
 */
export type EmbeddedPostgres = {
  /** Connects as the cluster's owner, a superuser. */
  url: string;
  /** True when a server was found running, as after a `kill -9` of the shop. */
  reused: boolean;
  /** Ends the server unless another of the shop's processes is still connected. Close your own pools first. */
  stop(): Promise<void>;
  /** Restarts the server at the same address whenever it has ended; `giveUp` gets the error if that fails. */
  watch(giveUp: (error: unknown) => void): void;
};

const CHECK_INTERVAL = 200; // ms
const CONNECTIONS_END_WITHIN = 3000; // ms
const RESTART_AFTER = 1000; // ms
const MOST_RESTARTS = 3;

/**
 * Starts the server. If it is running already, uses it with the limit of connections with which it was started.
 * `ending` aborts the start: a server launched by it is stopped again.
 */
export async function startPostgres(dataDir: string, connections = 0, ending?: AbortSignal): Promise<EmbeddedPostgres> {
  const account = postgresAccount();
  keepDataDir(dataDir, account?.gid);
  const binaries = reachableBinaries(account);
  const cluster = clusterFolder(dataDir, account);
  const isMade = existsSync(path.join(cluster, "PG_VERSION"));
  if (isMade) refuseOtherVersion(cluster);
  const passwordFile = path.join(dataDir, "postgres-password");
  if (isMade && !existsSync(passwordFile))
    throw new Problem(`DATA_DIR: ${passwordFile} is missing, without which nobody gets into the database: put it back`);
  const password = keptRandom(passwordFile, 24);
  if (!isMade) initialise(binaries, cluster, password, account);
  await nextTurn(); // lets a signal that arrived meanwhile be handled
  ending?.throwIfAborted();

  const logFile = path.join(dataDir, "postgres.log");
  const launchOnce = () => launch(binaries, cluster, connections, logFile, account);
  const start = async () =>
    (await answering(cluster, password)) ?? untilAnswering(cluster, password, logFile, launchOnce, ending);
  const running = await answering(cluster, password);
  const admin = running ?? (await start());
  await ensureDatabase(admin);
  const watching = new AbortController();
  return {
    url: withDatabase(admin, "irepo"),
    reused: Boolean(running),
    stop() {
      watching.abort();
      return stop(cluster, admin);
    },
    watch: (giveUp) => void keepRunning(cluster, admin, start, watching.signal).catch(giveUp),
  };
}

async function keepRunning(
  cluster: string,
  admin: string,
  start: () => Promise<string>,
  over: AbortSignal,
): Promise<void> {
  let pid = postmaster(cluster)?.pid;
  while (!over.aborted) {
    await sleep(CHECK_INTERVAL, undefined, { ref: false });
    if (over.aborted || (pid && isAlive(pid))) continue;
    process.stderr.write("PostgreSQL has ended, and is started again\n");
    await startAgain(admin, start);
    pid = postmaster(cluster)?.pid;
  }
}

async function startAgain(admin: string, start: () => Promise<string>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      // All clients of the database know only this address.
      if ((await start()) === admin) return;
      throw new Problem(`DATA_DIR: PostgreSQL's port ${new URL(admin).port} has been taken by another program`);
    } catch (error) {
      if (tries === MOST_RESTARTS) throw error;
      await sleep(RESTART_AFTER);
    }
  }
}

async function ensureDatabase(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "irepo start" });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(7103300)"); // serializes starts at the same time
    const { rowCount } = await client.query("select from pg_database where datname = 'irepo'");
    if (!rowCount) await client.query("create database irepo");
  } finally {
    await client.end();
  }
}

async function stop(cluster: string, adminUrl: string): Promise<void> {
  const server = postmaster(cluster);
  if (!server || !isAlive(server.pid) || (await isUsed(adminUrl))) return;
  process.kill(server.pid, "SIGINT");
  while (isAlive(server.pid)) await sleep(10);
}

/**
 * Whether another process of the shop uses the database. The server notices some time later that a connection has
 * ended, on a busy machine up to seconds, so connections count only if they stay.
 */
async function isUsed(adminUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "irepo stop" });
  await client.connect();
  try {
    for (const until = Date.now() + CONNECTIONS_END_WITHIN; ; await sleep(CHECK_INTERVAL)) {
      const { rows } = await client.query(
        "select count(*)::int as others from pg_stat_activity where application_name like 'irepo%' and pid <> pg_backend_pid()",
      );
      if (rows[0].others === 0) return false;
      if (Date.now() > until) return true;
    }
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  return url.replace(/\/[^/]*$/, `/${name}`);
}

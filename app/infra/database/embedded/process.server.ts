import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { errorCode } from "#app/infra/error-fields.ts";
import { killedText } from "#app/infra/killed-text.ts";
import { inOneLine, Problem } from "#app/infra/problem.server.ts";
import type { Account } from "./binaries.server.ts";

/** In ms. */
const READY_WITHIN = 60_000;
const FEWEST_CONNECTIONS = 200;
const SETTINGS = [
  "--listen_addresses=127.0.0.1",
  "--unix_socket_directories=",
  "--shared_buffers=128MB",
  "--wal_level=replica",
  "--jit=off",
  // Keeps refused rows and their statements out of the log: they hold personal data.
  "--log_error_verbosity=terse",
  "--log_min_error_statement=panic",
];

/** Starts the server on its previous port, if that is free. */
export async function launch(
  binaries: string,
  cluster: string,
  connections: number,
  logFile: string,
  account?: Account,
): Promise<ChildProcess> {
  const port = await previousPort(postmaster(cluster)?.port);
  forgetDeadServer(cluster);
  const log = openSync(logFile, "a", 0o600);
  const server = spawn(
    path.join(binaries, "bin/postgres"),
    ["-D", cluster, "-p", String(port), ...SETTINGS, `--max_connections=${Math.max(FEWEST_CONNECTIONS, connections)}`],
    // Its own process group: Ctrl-C reaches the shop first, which then stops the database itself.
    { ...account, cwd: "/", detached: true, stdio: ["ignore", log, log] },
  );
  closeSync(log);
  server.on("error", (error) => process.stderr.write(`PostgreSQL could not be started: ${error.message}\n`));
  server.on("exit", (_, signal) => {
    if (killedText(signal)) process.stderr.write(`PostgreSQL has died${killedText(signal)}\n`);
  });
  server.unref();
  return server;
}

/**
 * Launches the server, again if necessary, until one accepts connections, and returns its URL. After a server was
 * killed, its remaining processes hold the data until their queries end, and a new server exits at once: only then is
 * it launched again. Any other failure is thrown without waiting.
 */
export async function untilAnswering(
  cluster: string,
  password: string,
  logFile: string,
  launchOnce: () => Promise<ChildProcess>,
  ending?: AbortSignal,
): Promise<string> {
  const deadline = Date.now() + READY_WITHIN;
  let before = logOf(logFile).length;
  let server = await launchOnce();
  while (Date.now() < deadline) {
    const url = await answering(cluster, password);
    if (url) return url;
    if (ending?.aborted) {
      await endServer(server);
      ending.throwIfAborted();
    }
    if (server.exitCode !== null || server.signalCode !== null) {
      if (!/lock file "|shared memory block/.test(logOf(logFile).slice(before))) break;
      await sleep(200);
      before = logOf(logFile).length;
      server = await launchOnce();
    }
    await sleep(15);
  }
  const end = logOf(logFile).trimEnd().split("\n").slice(-5).join("\n");
  throw new Problem(`DATA_DIR: PostgreSQL did not start in ${cluster}; its log ${logFile} ends so: ${inOneLine(end)}`);
}

async function endServer(server: ChildProcess): Promise<void> {
  const isOver = () => server.exitCode !== null || server.signalCode !== null;
  while (!isOver()) {
    server.kill("SIGINT"); // repeated, since the server ignores the signal in its first moments
    await sleep(50);
  }
}

/** The URL of the cluster's server, if it accepts connections. */
export async function answering(cluster: string, password: string): Promise<string | undefined> {
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
    if (errorCode(error) === "28P01")
      throw new Problem(
        `DATA_DIR: the database refuses what postgres-password holds: put back the file that was there before`,
      );
    return; // not there yet, starting up, or recovering: the caller asks again
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The server that last ran in this cluster, according to its pid file. The process may have ended. */
export function postmaster(cluster: string): { pid: number; port: number } | undefined {
  const lines = textOf(path.join(cluster, "postmaster.pid"))?.split("\n");
  const [pid, port] = [Number(lines?.[0]), Number(lines?.[3])];
  return pid && port ? { pid, port } : undefined;
}

/**
 * Removes the pid file of a killed server. If another program has got the process id meanwhile, the file would block
 * the next server.
 */
function forgetDeadServer(cluster: string): void {
  const owner = postmaster(cluster);
  if (!owner || !existsSync("/proc/self/cmdline")) return;
  if (textOf(`/proc/${owner.pid}/cmdline`)?.includes(cluster)) return;
  rmSync(path.join(cluster, "postmaster.pid"), { force: true });
}

function logOf(logFile: string): string {
  return textOf(logFile) ?? "";
}

/** The text of a file that another process may remove at any moment. Undefined if there is none. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    // ESRCH: the process of a file in /proc has ended.
    if (["ENOENT", "ENOTDIR", "ESRCH"].includes(errorCode(error))) return;
    throw error;
  }
}

/** Whether the process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

/** Whether a process has ended but its parent has not reaped it. In a container that may never happen. */
function isZombie(pid: number): boolean {
  return /\) Z /.test(textOf(`/proc/${pid}/stat`) ?? "");
}

/** The previous server's port, which other processes may still use, or else a free one. */
async function previousPort(before: number | undefined): Promise<number> {
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

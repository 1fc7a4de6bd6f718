import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "./free-port.ts";

export const PGBOUNCER = "/usr/sbin/pgbouncer";

/** Whether Debian's pgbouncer is installed. Otherwise the tests that need it are skipped, and say so. */
export const hasPgbouncer = existsSync(PGBOUNCER);

export type Pooler = { port: number; stop(): Promise<void> };

/**
 * Starts a pgbouncer in transaction mode in front of the PostgreSQL at `adminUrl`, with so many connections for each
 * user. It asks the database for passwords.
 */
export async function startPgbouncer(adminUrl: string, poolSize = 2): Promise<Pooler> {
  const { hostname, port: postgres, username, password } = new URL(adminUrl);
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-pgbouncer-"));
  const port = await freePort();
  writeFileSync(path.join(folder, "users"), `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    path.join(folder, "pgbouncer.ini"),
    `[databases]
* = host=${hostname} port=${postgres}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
default_pool_size = ${poolSize}
server_login_retry = 1
max_client_conn = 200
auth_type = scram-sha-256
auth_file = ${folder}/users
auth_user = ${username}
auth_query = select usename, passwd from pg_shadow where usename = $1
`,
  );
  chmodSync(folder, 0o755);
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : []; // pgbouncer refuses to run as root
  const child = spawn(PGBOUNCER, [...user, path.join(folder, "pgbouncer.ini")], { stdio: "ignore" });
  const gone = once(child, "exit");
  await Promise.race([
    listening(port),
    gone.then(([code]) => Promise.reject(new Error(`pgbouncer ended with ${code}`))),
  ]);
  return {
    port,
    async stop() {
      child.kill("SIGKILL");
      await gone;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Resolves when something listens on this port of the loopback address. */
export async function listening(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  const answered = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  });
  socket.destroy();
  if (answered) return;
  await pause(20);
  return listening(port);
}

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "#tests/support/free-port.ts";
import { listening } from "#tests/support/pgbouncer.ts";

/** The paths in Debian. Tests that need a program that is not installed are skipped, and say so. */
const PROGRAMS = { haproxy: "/usr/sbin/haproxy", nginx: "/usr/sbin/nginx" };
export type Engine = keyof typeof PROGRAMS;
export const isInstalled = (engine: Engine) => existsSync(PROGRAMS[engine]);

export type WebBalancer = { url: string /** Its log: what did not go well. */; said(): string; close(): Promise<void> };

/**
 * `probe` replaces the request with which haproxy checks the instances (`GET /readyz`). `port` reuses a port from
 * before.
 */
type Options = { probe?: string; port?: number };

/**
 * The configuration of deploy/ on ports of the loopback address, without TLS, with these instances (`127.0.0.1:3000`).
 */
export function configOf(engine: Engine, port: number, plain: number, instances: string[], options: Options = {}) {
  const text = readFileSync(`deploy/${engine === "haproxy" ? "haproxy.cfg" : "nginx.conf"}`, "utf8");
  const [sample, ...others] = text.match(/^ +server .*10\.0\.0\.\d+:3000.*\n/gm) ?? [];
  if (!sample) throw new Error(`deploy/ names no instance for ${engine}`);
  const servers = instances.map((address, at) =>
    sample.replace(/10\.0\.0\.\d+:3000/, address).replace("shop-1", `shop-${at + 1}`),
  );
  return others
    .reduce((rest, line) => rest.replace(line, ""), text)
    .replace(sample, servers.join(""))
    .replace(/(bind|listen) :?443[^;\n]*/, `$1 127.0.0.1:${port}`)
    .replace(/(bind|listen) :?80\b/, `$1 127.0.0.1:${plain}`)
    .replaceAll(/ *ssl_certificate.*\n/g, "")
    .replace("GET /readyz", options.probe ?? "GET /readyz");
}

/** Writes the configuration into `folder`. Returns the arguments with which the engine reads it. */
function argumentsFor(engine: Engine, folder: string, config: string): string[] {
  const file = path.join(folder, "balancer.conf");
  writeFileSync(file, config);
  if (engine === "haproxy") return ["-db", "-f", file];
  const main = path.join(folder, "nginx.conf");
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (one) => `${one}_temp_path ${folder}/${one};`,
  );
  writeFileSync(
    main,
    `daemon off; pid ${folder}/pid; error_log stderr warn; worker_processes 2;
events { worker_connections 4096; }
http { access_log off; ${places.join(" ")} include ${file}; }\n`,
  );
  return ["-p", folder, "-c", main];
}

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-balancer-"));
  chmodSync(folder, 0o755); // nginx runs as another user
  return folder;
}

/** Lets the engine check its own file of deploy/. Throws if it finds a fault. */
export function lint(engine: Engine): void {
  const folder = newFolder();
  const config = configOf(engine, 22443, 22080, ["127.0.0.1:22000", "127.0.0.1:22001"]);
  const check = engine === "haproxy" ? "-c" : "-t";
  execFileSync(PROGRAMS[engine], [check, ...argumentsFor(engine, folder, config)], { stdio: "pipe" });
  rmSync(folder, { recursive: true });
}

export async function startWebBalancer(
  engine: Engine,
  instances: string[],
  options: Options = {},
): Promise<WebBalancer> {
  const folder = newFolder();
  const port = options.port ?? (await freePort());
  const config = configOf(engine, port, await freePort(), instances, options);
  const child = spawn(PROGRAMS[engine], argumentsFor(engine, folder, config), { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk));
  const gone = once(child, "exit");
  const ended = gone.then(([code]) => Promise.reject(new Error(`${engine} ended with ${code}: ${said}`)));
  await Promise.race([listening(port), ended]);
  ended.catch(() => undefined); // the process also ends when it is closed
  return {
    url: `http://localhost:${port}`,
    said: () => said,
    async close() {
      child.kill("SIGTERM");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

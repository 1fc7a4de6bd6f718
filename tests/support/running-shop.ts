import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "./ask-database.ts";
import { forget, tellIfRed } from "./evidence.ts";
import { freePort } from "./free-port.ts";
import { startMailServer } from "./mail-server.ts";

export type RunningShop = {
  url: string;
  sandboxUrl: string;
  metricsUrl: string;
  dataDir: string;
  pid(): number;
  /** Kills the shop's process, as a power cut would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops the shop cleanly and starts it again, with these settings changed. */
  restart(changes?: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
  /** Resolves with the exit code when the shop's process ends by itself. */
  ended(): Promise<number | null>;
  /** Everything that the shop has written to its output and its log. */
  said(): string;
};

const OPEN_WITHIN = 120_000;

/**
 * The shop as `npm start` runs it: the built server on its own ports and data folder, with its sandbox and its
 * database, but without the demo's past. A shop on https also gets a mail server.
 */
export async function runShop(settings: Record<string, string> = {}, checkout = process.cwd()): Promise<RunningShop> {
  const dataDir = settings.DATA_DIR ?? newDataDir();
  const { DATABASE_URL, PAYSTACK_SECRET_KEY } = settings;
  if (!settings.DATA_DIR && !DATABASE_URL && !PAYSTACK_SECRET_KEY) await takeDemo(dataDir);
  else if (!settings.DATA_DIR) sharePictures(dataDir);
  const port = Number(settings.PORT ?? (await freePort()));
  const metricsPort = Number(settings.METRICS_PORT ?? (await freePort()));
  const sandboxPort = await freePort();
  const mails =
    settings.PUBLIC_URL?.startsWith("https:") && !settings.SMTP_URL ? await startMailServer(dataDir) : undefined;
  const env: Record<string, string | undefined> = {
    PATH: process.env.PATH,
    // As scripts/boot.mjs sets it: otherwise compiling takes half of a start.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    ...(mails && { SMTP_URL: mails.url, MAIL_FROM: "Irepo <orders@shop.example>" }),
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    METRICS_PORT: String(metricsPort),
    OFFICE_PORT: "0", // no office
    IREPO_CHANNEL: "1", // a shop ends with the test that has started it, however that ends
    DATA_DIR: dataDir,
    DEMO_PAST: "off",
    LOG_LEVEL: "warn",
    ...settings,
  };
  let child: ChildProcess | undefined;
  let said = "";

  async function start(): Promise<void> {
    child = spawn(process.execPath, ["scripts/start.ts"], {
      cwd: checkout,
      env,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        said += chunk;
      });
    }
    await opened(child).catch(async (error) => {
      await end("SIGKILL");
      throw error;
    });
  }
  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null) return;
    const gone = new Promise((resolve) => ending.once("exit", resolve));
    ending.kill(signal);
    await gone;
  }
  tellIfRed(env, `the log of the shop at port ${port}`, () => said);
  await start();
  return {
    url: `http://localhost:${port}`,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    dataDir,
    pid: () => child?.pid ?? 0,
    kill: () => end("SIGKILL"),
    start,
    said: () => said,
    ended: () => new Promise((resolve) => child?.once("exit", resolve)),
    async restart(changes) {
      await end("SIGTERM");
      Object.assign(env, changes);
      await start();
    },
    async stop() {
      forget(env);
      await end("SIGTERM");
      await mails?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export function newDataDir(): string {
  const dataDir = mkdtempSync(path.join(tmpdir(), "irepo-shop-"));
  chmodSync(dataDir, 0o755); // as root, another user runs PostgreSQL
  return dataDir;
}

/** The lines of the embedded database's postmaster.pid: process, folder, start, port. */
export const serverFile = ({ dataDir }: RunningShop): string[] =>
  readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n");

/** The settings that make the sandbox at this address a shop's payment provider. */
export const paidAt = (sandboxUrl: string) => ({
  PAYSTACK_SECRET_KEY: "sk_test_sandbox0000000000000000000000000000",
  PAYSTACK_PUBLIC_KEY: "pk_test_sandbox0000000000000000000000000000",
  PAYSTACK_API_URL: sandboxUrl,
  PAYSTACK_CHECKOUT_URL: sandboxUrl,
});

/** The lines of the log that report a fault. The database's absence is only a warning. */
export const errorsOf = ({ said }: RunningShop): string[] =>
  said()
    .split("\n")
    .filter((line) => /"level":(50|60)/.test(line));

/** The address of the embedded database, with its owner's rights. */
export function ownerUrl(shop: RunningShop): string {
  const password = readFileSync(path.join(shop.dataDir, "postgres-password"), "utf8");
  return `postgresql://irepo:${password}@127.0.0.1:${serverFile(shop)[3]}/irepo`;
}

/** Shares one folder of pictures among shops, so that each rendering of the demo's pictures is made only once. */
export function sharePictures(dataDir: string): void {
  const shared = path.resolve("data/test-pictures");
  mkdirSync(shared, { recursive: true });
  symlinkSync(shared, path.join(dataDir, "pictures"));
}

/**
 * Fills the data folder as the first start of a demo leaves it. In a run of all tests, the first test that needs this
 * folder makes it, and others copy it.
 */
async function takeDemo(dataDir: string): Promise<void> {
  const { DEMO_FOLDER } = process.env;
  if (!DEMO_FOLDER) return sharePictures(dataDir);
  const made = path.join(DEMO_FOLDER, "made");
  for (const until = Date.now() + OPEN_WITHIN; !existsSync(made); await pause(50)) {
    const isMaker = mkdirSync(DEMO_FOLDER, { recursive: true }) !== undefined;
    if (isMaker) await makeDemo(made).catch((error) => letOthersMakeIt(DEMO_FOLDER, error));
    else if (Date.now() > until) throw new Error(`Nobody has made ${made}`);
  }
  execFileSync("cp", ["-a", `${made}/.`, dataDir]);
}

/** Removes the folder, so that the next test that waits for it makes the demo. */
function letOthersMakeIt(folder: string, error: unknown): never {
  rmSync(folder, { recursive: true, force: true });
  throw error;
}

/**
 * Renders only those of the demo's pictures that are requested: all 702 renderings would take two minutes of a core.
 */
async function makeDemo(made: string): Promise<void> {
  const unfinished = newDataDir();
  sharePictures(unfinished);
  const shop = await runShop({ DATA_DIR: unfinished });
  await ask(ownerUrl(shop), "delete from jobs.job where name = 'make-pictures'");
  // Tests kill processes, but no machine: no write needs to wait for the disk.
  for (const setting of ["fsync", "full_page_writes"]) await ask(ownerUrl(shop), `alter system set ${setting} = off`);
  const ended = shop.ended();
  process.kill(shop.pid(), "SIGTERM");
  await ended;
  execFileSync("cp", ["-a", unfinished, `${made}.unfinished`]);
  rmSync(unfinished, { recursive: true });
  renameSync(`${made}.unfinished`, made);
}

function opened(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(() => reject(new Error(`The shop did not open:\n${said}`)), OPEN_WITHIN);
    const hear = (chunk: Buffer) => {
      said += chunk;
      if (!said.includes("Irepo is open")) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("exit", (code) => reject(new Error(`The shop ended with ${code}:\n${said}`)));
  });
}

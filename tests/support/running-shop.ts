import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { startMailServer } from "./mail-server.ts";

export type RunningShop = {
  url: string;
  sandboxUrl: string;
  metricsUrl: string;
  dataDir: string;
  pid(): number;
  /** Ends the shop's process as a power cut would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops it cleanly and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves when its process ends by itself, with its code. */
  ended(): Promise<number | null>;
  /** All that it has written to its output and its log. */
  said(): string;
};

const OPEN_WITHIN = 120_000;

/** The shop as `npm start` runs it: the built server on ports and a data folder of its own, with its sandbox and its database; on https with a mail server. */
export async function runShop(settings: Record<string, string> = {}, checkout = process.cwd()): Promise<RunningShop> {
  const dataDir = settings.DATA_DIR ?? newDataDir();
  if (!settings.DATA_DIR) sharePictures(dataDir);
  const [port, sandboxPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
  const mails =
    settings.PUBLIC_URL?.startsWith("https:") && !settings.SMTP_URL ? await startMailServer(dataDir) : undefined;
  const env = {
    PATH: process.env.PATH,
    ...(mails && { SMTP_URL: mails.url, MAIL_FROM: "Irepo <orders@shop.example>" }),
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    METRICS_PORT: String(metricsPort),
    DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    ...settings,
  };
  let child: ChildProcess | undefined;
  let said = "";

  async function start(): Promise<void> {
    child = spawn(process.execPath, ["scripts/start.ts"], { cwd: checkout, env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        said += chunk;
      });
    }
    await opened(child);
  }
  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null) return;
    const gone = new Promise((resolve) => ending.once("exit", resolve));
    ending.kill(signal);
    await gone;
  }
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
    async restart() {
      await end("SIGTERM");
      await start();
    },
    async stop() {
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

/** What the embedded database says of itself: its process, folder, start, port. */
export const serverFile = ({ dataDir }: RunningShop): string[] =>
  readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n");

/** The embedded database, with the rights of its owner. */
export function ownerUrl(shop: RunningShop): string {
  const password = readFileSync(path.join(shop.dataDir, "postgres-password"), "utf8");
  return `postgresql://irepo:${password}@127.0.0.1:${serverFile(shop)[3]}/irepo`;
}

/** All 702 renderings of the demo's pictures take two minutes of a core: they are made once, and found there by the next shops. */
function sharePictures(dataDir: string): void {
  const shared = path.resolve("data/test-pictures");
  mkdirSync(shared, { recursive: true });
  symlinkSync(shared, path.join(dataDir, "pictures"));
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

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

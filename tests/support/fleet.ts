import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { type Sandbox, startSandbox } from "../../sandbox/main.ts";
import { ask } from "./ask-database.ts";
import { freePort } from "./free-port.ts";
import { newDataDir, paidAt, type RunningShop, runShop, sharePictures } from "./running-shop.ts";
import { commandIn } from "./shop-command.ts";

const run = promisify(execFile); // asynchronous, so that servers in this process continue meanwhile

type Settings = Record<string, string>;
/** `place` is a symbolic link to the checkout whose version the instance starts. */
export type Instance = { place: string; shop: RunningShop };
type Balance<B> = (addresses: string[]) => Promise<B>;

export type Fleet<B> = {
  balancer: B;
  /** The shop at the balancer's address, as its visitors see it. */
  shop: RunningShop;
  instances: Instance[];
  sandbox: Sandbox;
  databaseUrl: string;
  settings: Settings;
  /** Runs an owner's command in a version's checkout. Rejects if the command does not end with 0. */
  command(version: string, ...words: string[]): Promise<string>;
  stop(): Promise<void>;
};

/** The checkout that runs these tests. */
export const OLDER = process.cwd();
export const PRODUCT = { id: "rings-tee", size: "M" };

/**
 * Starts instances of this checkout on a new database in the server at `adminUrl`, behind what `balance` starts.
 * Resolves when that passes requests on. `own` derives further settings from the others.
 */
export async function startFleet<B extends { url: string; close(): Promise<void> }>(
  adminUrl: string,
  size: number,
  balance: Balance<B>,
  own: (others: Settings) => Settings | Promise<Settings> = () => ({}),
): Promise<Fleet<B>> {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-fleet-"));
  const name = `fleet_${randomBytes(4).toString("hex")}`;
  await ask(adminUrl, `create database ${name}`);
  const databaseUrl = adminUrl.replace(/\/postgres$/, `/${name}`);
  const ports: number[] = [];
  while (ports.length < size) ports.push(await freePort());
  const balancer = await balance(ports.map((port) => `127.0.0.1:${port}`));
  const sandbox = await startSandbox({ webhookUrl: `${balancer.url}/webhooks/paystack` });
  const dataDir = newDataDir();
  sharePictures(dataDir);
  const common: Settings = {
    ...paidAt(sandbox.url),
    GOOGLE_CLIENT_ID: "none",
    GOOGLE_CLIENT_SECRET: "none",
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: balancer.url,
    TRUSTED_PROXIES: "127.0.0.1",
    SESSION_SECRET: "x".repeat(32),
    MIGRATE_ON_START: "false",
    DATA_DIR: dataDir,
  };
  const settings = { ...common, ...(await own(common)) };
  const command = async (version: string, ...words: string[]) => {
    const { code, said } = await commandIn(version, settings, words);
    if (code !== 0) throw new Error(said);
    return said;
  };
  await command(OLDER, "migrate");
  const instances: Instance[] = [];
  for (const port of ports) {
    const place = path.join(folder, String(port));
    symlinkSync(OLDER, place);
    // Making all pictures would take two minutes of processor time.
    if (instances.length === 1) await ask(databaseUrl, "delete from jobs.job where name = 'make-pictures'");
    instances.push({ place, shop: await runShop({ ...settings, ...(await portsOf(port)) }, place) });
  }
  await command(OLDER, "stock", "set", PRODUCT.id, PRODUCT.size, "100000", "--yes");
  while ((await fetch(`${balancer.url}/readyz`)).status !== 200) await pause(100);
  const [first] = instances;
  if (!first) throw new Error("A fleet has at least one instance");
  return {
    balancer,
    shop: { ...first.shop, url: balancer.url },
    instances,
    sandbox,
    databaseUrl,
    settings,
    command,
    async stop() {
      for (const { shop } of instances) await shop.stop();
      await balancer.close();
      await sandbox.close();
      await ask(adminUrl, `drop database ${name} with (force)`);
      rmSync(folder, { recursive: true });
    },
  };
}

async function portsOf(port: number): Promise<Settings> {
  return { PORT: String(port), METRICS_PORT: String(await freePort()) };
}

/** Stops the instance and starts it in this version, with these settings changed. Resolves when it is open. */
export async function roll({ place, shop }: Instance, version: string, changes: Settings = {}): Promise<void> {
  unlinkSync(place);
  symlinkSync(version, place);
  await shop.restart(changes);
}

/**
 * Makes another checkout with its own build in `folder`. It has different scripts and styles, one more migration, and
 * the changes that `change` makes.
 */
export async function makeNewer(folder: string, change: () => void = () => undefined): Promise<void> {
  const sources = readdirSync(OLDER).filter((name) => !["node_modules", "data", ".git", "build"].includes(name));
  mkdirSync(folder);
  await run("cp", ["-a", ...sources, folder]);
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
  appendFileSync(path.join(folder, "app/ui/tokens.css"), ":root { --of-the-newer: 1 }\n");
  writeFileSync(path.join(folder, "db/migrations/9999-newer.sql"), "alter table products add column newer text;\n");
  change();
  await run(process.execPath, ["--input-type=module", "-e", BUILD], { cwd: folder });
}
const BUILD = 'import { buildIfChanged } from "./scripts/build.ts"; buildIfChanged();';

import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ask } from "#tests/support/ask-database.ts";
import { freePort } from "#tests/support/free-port.ts";
import { startMailServer } from "#tests/support/mail-server.ts";
import { PGBOUNCER, startPgbouncer } from "#tests/support/pgbouncer.ts";
import { paidAt, type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { startS3Server } from "#tests/support/s3-server.ts";
import { type Sandbox, startSandbox } from "../../sandbox/main.ts";
import { ETCD, startEtcd } from "./etcd.ts";
import { HAPROXY } from "./haproxy.ts";
import { startDatabaseProxy } from "./haproxy-database.ts";
import { type DatabaseCluster, OWNER, PATRONI, POSTGRES, startDatabaseCluster } from "./patroni.ts";
import { untilAnswered } from "./processes.ts";
import { startWebBalancer } from "./web-balancer.ts";

const ENGINES = [ETCD, PATRONI, `${POSTGRES}/postgres`, HAPROXY, PGBOUNCER];

/** The required programs that are not where Debian's packages put them. */
export const missingEngines = () => ENGINES.filter((program) => !existsSync(program));

/** pgbouncer's connections to the database, for each user. */
const POOL_SIZE = 20;

export type Topology = {
  cluster: DatabaseCluster;
  /** The shop's address for visitors: the balancer's. */
  url: string;
  dataDir: string;
  /** The database's own address, with its owner's rights. */
  databaseUrl: string;
  sandbox: Sandbox;
  shops: RunningShop[];
  /** The settings with which an instance, or one of the owner's commands, is started. */
  settings: Record<string, string>;
  stop(): Promise<void>;
};

/** A DATA_DIR that cannot be made, since package.json is a file: the instances must not need a folder. */
const NO_FOLDER = path.resolve("package.json/data");

/**
 * A shop on several machines, as processes on the loopback address: two databases under Patroni, one of them the
 * synchronous standby, behind haproxy and pgbouncer; an S3 server, a mail server and the payment sandbox; instances of
 * the built shop behind a balancer. Resolves when all are open.
 */
export async function startTopology(instances = 3): Promise<Topology> {
  const undo: (() => Promise<unknown> | unknown)[] = [];
  const stop = async () => {
    for (const end of undo.splice(0).reverse()) await end();
  };
  try {
    return { ...(await start(instances, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(instances: number, undo: (() => unknown)[]): Promise<Omit<Topology, "stop">> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "irepo-machines-"));
  chmodSync(dataDir, 0o755); // as root, another user runs PostgreSQL
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const begun = async <T extends { stop(): unknown }>(starting: Promise<T>): Promise<T> => {
    const started = await starting;
    undo.push(() => started.stop());
    return started;
  };
  const etcd = await begun(startEtcd(dataDir));
  const cluster = await begun(startDatabaseCluster(dataDir, etcd.port));
  const proxy = await begun(startDatabaseProxy(dataDir, cluster.nodes));
  const databaseUrl = addressOf(proxy.port, "irepo");
  await untilAnswered(() => madeDatabase(addressOf(proxy.port, "postgres")), "the database's address answers");
  const pooler = await begun(startPgbouncer(databaseUrl, POOL_SIZE));
  const s3 = await begun(startS3Server());
  const mails = await begun(startMailServer(dataDir));

  const ports: number[] = [];
  while (ports.length < instances) ports.push(await freePort());
  const balancer = await startWebBalancer(
    "haproxy",
    ports.map((port) => `127.0.0.1:${port}`),
  );
  undo.push(balancer.close);
  const sandbox = await startSandbox({ webhookUrl: `${balancer.url}/webhooks/paystack` });
  undo.push(sandbox.close);
  const settings = {
    ...s3.settings,
    INSTANCES: "many",
    DATA_DIR: NO_FOLDER,
    DATABASE_URL: addressOf(pooler.port, "irepo"),
    DATABASE_DIRECT_URL: databaseUrl,
    PICTURES_URL: "s3://pictures",
    PUBLIC_URL: balancer.url,
    TRUSTED_PROXIES: "127.0.0.1",
    SESSION_SECRET: randomBytes(32).toString("hex"),
    SMTP_URL: mails.url,
    MAIL_FROM: "orders@shop.example",
    ...paidAt(sandbox.url),
  };
  const shops: RunningShop[] = [];
  for (const port of ports) {
    const shop = await runShop({ ...settings, PORT: String(port) });
    shops.push(shop);
    undo.push(shop.stop);
  }
  return { cluster, url: balancer.url, dataDir, databaseUrl, sandbox, shops, settings };
}

function addressOf(port: number, database: string): string {
  return `postgresql://${OWNER.username}:${OWNER.password}@127.0.0.1:${port}/${database}`;
}

async function madeDatabase(url: string): Promise<boolean> {
  try {
    await ask(url, "create database irepo");
    return true;
  } catch {
    return false; // the proxy has not seen yet which node is the primary
  }
}

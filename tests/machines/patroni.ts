import { chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { postgresAccount } from "#app/infra/database/embedded/binaries.server.ts";
import { isAlive, postmaster } from "#app/infra/database/embedded/process.server.ts";
import { errorCode } from "#app/infra/error-fields.ts";
import { freePort } from "#tests/support/free-port.ts";
import { type Process, startProcess, statusOf, untilAnswered } from "./processes.ts";

export const PATRONI = "/usr/bin/patroni";
export const POSTGRES = "/usr/lib/postgresql/15/bin";
export const OWNER = { username: "irepo", password: "owner" };
const REPLICATION = { username: "replicator", password: "replicator" };

/** A machine with PostgreSQL and the Patroni that manages it. */
export type DatabaseNode = {
  name: string;
  port: number;
  /** The port of Patroni's REST interface. */
  restPort: number;
  /** The log of Patroni and PostgreSQL. */
  logFile: string;
  start(): void;
  /** Kills every process of the node at once, as if the machine had died. */
  kill(): Promise<void>;
  /** Stops every process of the node without breaking a connection, as if the machine hung. */
  freeze(): void;
  thaw(): void;
};

type Ports = { postgres: number; rest: number; etcd: number };

/** The configuration of deploy/database, on ports of the loopback address and without TLS. */
function configuration(name: string, folder: string, ports: Ports): object {
  const given = parse(readFileSync("deploy/database/patroni.yml", "utf8"));
  const [postgres, rest] = [`127.0.0.1:${ports.postgres}`, `127.0.0.1:${ports.rest}`];
  return {
    ...given,
    name,
    restapi: {
      listen: rest,
      connect_address: rest,
      authentication: given.restapi.authentication,
      allowlist: ["127.0.0.1"],
    },
    ctl: undefined,
    etcd3: { host: `127.0.0.1:${ports.etcd}` },
    postgresql: {
      ...given.postgresql,
      listen: postgres,
      connect_address: postgres,
      data_dir: path.join(folder, "postgres"),
      bin_dir: POSTGRES,
      pgpass: path.join(folder, "pgpass"),
      authentication: { superuser: OWNER, replication: REPLICATION, rewind: OWNER },
      pg_hba: given.postgresql.pg_hba.map((line: string) =>
        line.replace("hostssl", "host").replace("10.0.0.0/24", "127.0.0.1/32"),
      ),
      parameters: { unix_socket_directories: folder },
    },
  };
}

function databaseNode(name: string, parent: string, ports: Ports) {
  const folder = path.join(parent, name);
  const account = postgresAccount();
  const [file, logFile] = [path.join(folder, "patroni.yml"), path.join(folder, "patroni.log")];
  mkdirSync(folder);
  writeFileSync(file, JSON.stringify(configuration(name, folder, ports)));
  if (account) chownSync(folder, account.uid, account.gid);
  let patroni: Process | undefined;
  const pids = () =>
    [...(patroni ? [patroni.pid] : []), ...postgresPids(path.join(folder, "postgres"))].filter(isAlive);
  const signalAll = (signal: NodeJS.Signals) => {
    const all = pids();
    for (const pid of all) send(pid, signal);
    return all;
  };
  return {
    name,
    port: ports.postgres,
    restPort: ports.rest,
    logFile,
    start() {
      patroni = startProcess(PATRONI, [file], { logFile, account });
    },
    async kill() {
      const killed = signalAll("SIGKILL");
      await untilAnswered(async () => !killed.some(isAlive), `${name} is dead`);
    },
    freeze: () => void signalAll("SIGSTOP"),
    thaw: () => void signalAll("SIGCONT"),
  };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error; // the process has ended meanwhile, as those of connections do
  }
}

function postgresPids(dataDir: string): number[] {
  const server = postmaster(dataDir);
  if (!server || !isAlive(server.pid)) return [];
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8");
  return [server.pid, ...children.trim().split(" ").filter(Boolean).map(Number)];
}

export type DatabaseCluster = {
  nodes: DatabaseNode[];
  /** The node that says of itself that it takes writes. */
  primary(): Promise<DatabaseNode | undefined>;
  /** The standby that has every acknowledged write, and may take over. */
  synchronousStandby(): Promise<DatabaseNode | undefined>;
  stop(): Promise<void>;
};

/** Starts two nodes. Resolves when one of them is the other's synchronous standby. */
export async function startDatabaseCluster(folder: string, etcd: number): Promise<DatabaseCluster> {
  const nodes: DatabaseNode[] = [];
  for (const name of ["one", "two"])
    nodes.push(databaseNode(name, folder, { postgres: await freePort(), rest: await freePort(), etcd }));
  const whoSays = async (role: string) => {
    for (const node of nodes) if ((await statusOf(`http://127.0.0.1:${node.restPort}/${role}`)) === 200) return node;
  };
  const cluster = {
    nodes,
    primary: () => whoSays("primary"),
    synchronousStandby: () => whoSays("synchronous"),
    async stop() {
      for (const node of nodes) await node.kill();
    },
  };
  for (const node of nodes) node.start();
  const logFile = path.join(folder, "one", "patroni.log");
  const following = untilAnswered(cluster.synchronousStandby, "a synchronous standby", { within: 120_000, logFile });
  await following.catch(async (error) => {
    await cluster.stop();
    throw error;
  });
  return cluster;
}

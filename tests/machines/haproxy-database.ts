import { readFileSync } from "node:fs";
import path from "node:path";
import { freePort } from "#tests/support/free-port.ts";
import { startHaproxy } from "./haproxy.ts";
import type { DatabaseNode } from "./patroni.ts";

type Served = Pick<DatabaseNode, "name" | "port" | "restPort">;

/** The configuration of deploy/database, on a port of the loopback address and with these nodes. */
export function databaseConfiguration(port: number, nodes: Served[]): string {
  const servers = nodes.map((node) => `    server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}\n`);
  return readFileSync("deploy/database/haproxy.cfg", "utf8")
    .replace(/bind \S+/, `bind 127.0.0.1:${port}`)
    .replace(/(^ +server .*\n)+/m, servers.join(""));
}

/** Starts the database's one address, which leads to whichever node is the primary. */
export async function startDatabaseProxy(
  folder: string,
  nodes: DatabaseNode[],
): Promise<{ port: number; stop(): Promise<void> }> {
  const port = await freePort();
  return { port, ...startHaproxy(path.join(folder, "database.cfg"), databaseConfiguration(port, nodes)) };
}

import path from "node:path";
import { startHaproxy } from "./haproxy.ts";
import type { DatabaseNode } from "./patroni.ts";
import { lastingPort } from "./processes.ts";

/**
 * Leads to the node that says of itself that it is the primary (Patroni's GET /primary). When it says so no more, or says nothing, its connections are
 * cut, so that nobody goes on with it.
 */
export function databaseConfiguration(port: number, nodes: Pick<DatabaseNode, "name" | "port" | "restPort">[]): string {
  return `global
    maxconn 1000
defaults
    mode tcp
    timeout connect 2s
    timeout client 30m
    timeout server 30m
listen primary
    bind 127.0.0.1:${port}
    option httpchk GET /primary
    http-check expect status 200
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `    server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}`).join("\n")}
`;
}

/** The database's one address, whichever node is the primary. */
export async function startDatabaseProxy(
  folder: string,
  nodes: DatabaseNode[],
): Promise<{ port: number; stop(): Promise<void> }> {
  const port = await lastingPort();
  return { port, ...startHaproxy(path.join(folder, "database.cfg"), databaseConfiguration(port, nodes)) };
}

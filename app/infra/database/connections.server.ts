import { connectionLimit, type Db } from "./db.server.ts";

/** The connections in each of a process's two pools (db.server.ts). More of them would only compete for the cores. */
export const POOL_SIZE = 10;
const WEB_PROCESS = 2 * POOL_SIZE + 2; // one for the job queue, one for the listener
const FIRST_PROCESS = 2 * POOL_SIZE + 5; // it also runs the jobs
const COMMANDS = 20;

/** The most connections that all processes of a shop open together, including its commands and the office. */
export function mostConnections(webProcesses: number): number {
  return FIRST_PROCESS + (webProcesses === 1 ? 0 : webProcesses * WEB_PROCESS) + COMMANDS;
}

/** A warning if the database accepts fewer connections than the shop may need. */
export async function connectionWarning(on: Db, webProcesses: number): Promise<string | undefined> {
  const [database] = await connectionLimit(on);
  const needed = mostConnections(webProcesses);
  if (!database || database.limit >= needed) return;
  return `with WEB_CONCURRENCY=${webProcesses} the shop may need ${needed} connections, and the database takes ${database.limit} (its max_connections)`;
}

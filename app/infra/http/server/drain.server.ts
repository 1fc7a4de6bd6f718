import type { Server } from "node:http";
import { SECOND } from "#app/infra/durations.ts";
import { endStreams } from "../event-stream.server.ts";

/** How long running requests may take once their server closes. */
export const DRAIN_TIMEOUT = 10 * SECOND;

/** Closes a server: running requests may end (within this many ms), idle connections are closed at once. */
export async function close(server: Server, within = DRAIN_TIMEOUT): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const force = setTimeout(() => server.closeAllConnections(), within);
  await new Promise((resolve) => {
    server.close(resolve);
    endStreams();
  });
  clearInterval(idle);
  clearTimeout(force);
}

import type { Server } from "node:http";
import { SECOND } from "#app/infra/durations.ts";
import { endStreams } from "../event-stream.server.ts";

/** How long running requests may take once their server closes. */
export const DRAIN_TIMEOUT = 10 * SECOND;

/** Closes a server: running requests may end (10 s at most), idle connections are closed at once. */
export async function close(server: Server): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const force = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT);
  await new Promise((resolve) => {
    server.close(resolve);
    endStreams();
  });
  clearInterval(idle);
  clearTimeout(force);
}

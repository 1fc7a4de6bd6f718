import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "#app/infra/durations.ts";
import { endStreams } from "../event-stream.server.ts";

/** How long running requests may take once their server closes. */
export const DRAIN_TIMEOUT = 10 * SECOND;

/** Closes a server: running requests may end (10 s at most), idle connections are closed at once. */
export async function close(server: Server): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  await drained(server, (done) => server.close(done));
  clearInterval(idle);
}

/**
 * Closes the server of a process whose place another one has taken. Idle connections stay: a request may be on its way there. It is answered with
 * the request to connect anew, and who asks nothing for 5 s is let go by Node. A connection that has been sent here meanwhile is refused and given
 * to another process: this one must live long enough to say so.
 */
export async function handOver(server: Server): Promise<void> {
  const handedBack = sleep(SECOND);
  await drained(server, (done) => NetServer.prototype.close.call(server, done));
  await handedBack;
}

async function drained(server: Server, close: (done: () => void) => void): Promise<void> {
  const force = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT);
  await new Promise<void>((resolve) => {
    close(resolve);
    endStreams();
  });
  clearTimeout(force);
}

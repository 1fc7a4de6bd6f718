import { createServer, type RequestListener, type Server } from "node:http";
import { SECOND } from "#app/infra/durations.ts";

/** How long a client may take, in milliseconds, before its connection is closed. */
export const LIMITS = {
  /** Until its headers are there, counted from the connection on. */
  headers: 15 * SECOND,
  /** Until all of its request is there. */
  request: 30 * SECOND,
  /** In which nothing of an answer can be sent, since nobody reads it. Event streams send something every 20 s. */
  stalled: 30 * SECOND,
  /** Without a request: longer than proxies keep their connections (60 s mostly), so that none closes under a request on its way. */
  idle: 75 * SECOND,
  /** How often the first two are looked at. */
  lookEvery: SECOND,
};

/** A web server whose slow clients are let go: those who wait for an answer are not theirs to hold up. */
export function createPatientServer(listener: RequestListener, limits = LIMITS): Server {
  const server = createServer(
    {
      headersTimeout: limits.headers,
      requestTimeout: limits.request,
      keepAliveTimeout: limits.idle,
      connectionsCheckingInterval: limits.lookEvery,
    },
    listener,
  );
  server.setTimeout(limits.stalled);
  return server;
}

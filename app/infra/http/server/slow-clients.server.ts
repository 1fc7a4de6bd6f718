import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
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
  /** After it was refused, in which what it still sends is read. */
  heardOut: SECOND,
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
  server.on("clientError", (error, socket) => refuse(error, socket, limits.heardOut));
  return server;
}

/** What cannot be read as a request, by Node's code for it; anything else is a 400. */
const REFUSALS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Content Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/**
 * Answers what is no request. Node would close at once, and a client that still sends its body would see a broken connection instead of the answer.
 * What still comes is dropped: a listener of our own takes the bytes away from Node's parser, which would carry out a request that gets whole.
 */
function refuse(error: NodeJS.ErrnoException, socket: Duplex, heardOut: number): void {
  const { _httpMessage: underWay } = socket as Duplex & { _httpMessage?: ServerResponse }; // Node's own name for it
  if (!socket.writable || underWay?.headersSent) return void socket.destroy(); // amid another answer nothing can be said
  const status = REFUSALS[error.code ?? ""] ?? "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  socket.on("error", () => socket.destroy());
  socket.removeAllListeners("data").on("data", () => undefined);
  setTimeout(() => socket.destroy(), heardOut).unref();
}

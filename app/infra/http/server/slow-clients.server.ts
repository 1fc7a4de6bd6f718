import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { SECOND } from "#app/infra/durations.ts";

/** How long a client may take, in milliseconds, before its connection is closed. */
export const LIMITS = {
  /** Until its headers have arrived, counted from the opening of the connection. */
  headers: 15 * SECOND,
  /** Until the whole request has arrived. */
  request: 30 * SECOND,
  /**
   * While nothing of a response can be sent, since the client does not read. Event streams send something every 20 s.
   */
  stalled: 30 * SECOND,
  /**
   * Without a request. Longer than proxies keep their connections (mostly 60 s), so that none is closed while a request
   * is on its way.
   */
  idle: 75 * SECOND,
  /** After a request was refused, while what the client still sends is discarded. */
  heardOut: SECOND,
  /** How often the first two limits are checked. */
  lookEvery: SECOND,
};

/** A web server that closes the connections of slow clients, so that they cannot hold up the others. */
export function createPatientServer(listener: RequestListener, limits = LIMITS): Server {
  const server = createServer(
    {
      headersTimeout: limits.headers,
      requestTimeout: limits.request,
      keepAliveTimeout: limits.idle,
      connectionsCheckingInterval: limits.lookEvery,
      joinDuplicateHeaders: true, // a second Host or Content-Type is seen and refused, not dropped
    },
    listener,
  );
  server.setTimeout(limits.stalled);
  server.on("clientError", (error, socket) => refuse(error, socket, limits.heardOut));
  return server;
}

/** The status of a request that cannot be parsed, by Node's error code; any other code is a 400. */
const REFUSALS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Content Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/**
 * Answers a request that cannot be parsed. Node would close the connection at once, and a client that is still sending
 * its body would get an error instead of the answer. What it still sends is discarded by a listener that replaces
 * Node's parser: the parser would carry out a request that the rest completes.
 */
function refuse(error: NodeJS.ErrnoException, socket: Duplex, heardOut: number): void {
  // A private property of Node's: the response under way on this connection.
  const { _httpMessage: underWay } = socket as Duplex & { _httpMessage?: ServerResponse };
  // In the middle of another response nothing can be sent.
  if (!socket.writable || underWay?.headersSent) return void socket.destroy();
  const status = REFUSALS[error.code ?? ""] ?? "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  socket.on("error", () => socket.destroy());
  socket.removeAllListeners("data").on("data", () => undefined);
  setTimeout(() => socket.destroy(), heardOut).unref();
}

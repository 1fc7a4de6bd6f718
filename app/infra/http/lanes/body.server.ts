import type { IncomingMessage } from "node:http";

const KB = 1024;
/** The largest form. A larger body is refused later, or is a file. */
const SMALL = 64 * KB;

export type BodySize = "none" | "small" | "other";

/** The size of a request's body, according to its headers. */
export function bodySize({ headers }: IncomingMessage): BodySize {
  if (headers["transfer-encoding"]) return "other";
  const length = Number(headers["content-length"] ?? 0);
  if (length === 0) return "none";
  return length <= SMALL ? "small" : "other";
}

/**
 * Reads a small body ahead of everything else, so that a client that sends it byte by byte does not occupy a turn
 * meanwhile. The server's adapter takes the body from `rawBody`, where other hosts of Node put it, too. Never settles
 * if the body does not arrive: the server closes the connection.
 */
export function readAhead(request: IncomingMessage & { rawBody?: Buffer }): Promise<void> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      request.rawBody = Buffer.concat(chunks);
      resolve();
    });
  });
}

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const PIECE = 900; // bytes
const BETWEEN = 15; // ms

/** The same site behind a network on which pages arrive in small pieces, so that the browser draws half-read ones. Returns its address. */
export async function inPieces(site: string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const answer = await fetch(site + request.url, { redirect: "manual" });
    const headers = Object.fromEntries(answer.headers);
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) delete headers[name];
    response.writeHead(answer.status, headers);
    const body = Buffer.from(await answer.arrayBuffer());
    if (headers["content-type"]?.startsWith("text/html")) await sendSlowly(response, body);
    response.end(headers["content-type"]?.startsWith("text/html") ? undefined : body);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function sendSlowly(response: ServerResponse, body: Buffer): Promise<void> {
  for (let at = 0; at < body.length; at += PIECE) {
    response.write(body.subarray(at, at + PIECE));
    await pause(BETWEEN);
  }
}

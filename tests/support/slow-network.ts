import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const PIECE = 900; // bytes
const BETWEEN = 15; // ms

/** The same site behind a network on which pages arrive in small pieces, so that the browser draws half-read ones. Returns its address. */
export function inPieces(site: string) {
  return behind(site, sendSlowly);
}

/** The same site behind a network that stalls where `cut` begins, in a page that has it, until it `goesOn`. */
export function stalling(site: string, cut: RegExp, goesOn: Promise<unknown>) {
  return behind(site, async (response, body) => {
    const page = body.toString();
    const at = page.search(cut);
    if (at > 0) {
      response.write(page.slice(0, at));
      await goesOn;
    }
    response.write(page.slice(Math.max(at, 0)));
  });
}

type SendPage = (response: ServerResponse, body: Buffer) => Promise<void>;

async function behind(site: string, sendPage: SendPage): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const answer = await fetch(site + request.url, { redirect: "manual" });
    const headers = Object.fromEntries(answer.headers);
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) delete headers[name];
    response.writeHead(answer.status, headers);
    const body = Buffer.from(await answer.arrayBuffer());
    if (headers["content-type"]?.startsWith("text/html")) await sendPage(response, body);
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

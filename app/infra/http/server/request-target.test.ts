import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { getRequestListener } from "@hono/node-server";
import { afterEach, expect, test } from "vitest";
import { env } from "#app/infra/env.server.ts";
import { refuseUnknownHosts } from "./refusals.server.ts";
import { withRequestTarget } from "./request-target.server.ts";
import { createPatientServer } from "./slow-clients.server.ts";

const { publicUrl } = env;
let server: Server;
afterEach(() => {
  server.close().closeAllConnections();
  env.publicUrl = publicUrl;
});

/**
 * The answer of a shop at https://shop.example to these lines: its status, and the URL and Host header that the inner
 * handler got.
 */
async function answerTo(...lines: string[]): Promise<string> {
  env.publicUrl = new URL("https://shop.example");
  const told = getRequestListener((asked) => new Response(`<${asked.url} ${asked.headers.get("host")}>`));
  server = createPatientServer(withRequestTarget(refuseUnknownHosts(told))).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.end(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
  const answer = await text(socket);
  return [/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1], /<.*>/.exec(answer)?.[0]].filter(Boolean).join(" ");
}

const OWN = "Host: shop.example";

test.each([
  ["GET /shop?q=1 HTTP/1.1", OWN, "200 <http://shop.example/shop?q=1 shop.example>"],
  ["GET https://shop.example/shop?q=1 HTTP/1.1", OWN, "200 <http://shop.example/shop?q=1 shop.example>"],
  ["GET HTTP://SHOP.EXAMPLE/shop HTTP/1.1", OWN, "200 <http://shop.example/shop SHOP.EXAMPLE>"],
  ["GET https://shop.example HTTP/1.1", OWN, "200 <http://shop.example/ shop.example>"],
  ["GET https://shop.example?q=1 HTTP/1.1", OWN, "200 <http://shop.example/?q=1 shop.example>"],
  ["GET https://shop.example/ HTTP/1.1", "Host: evil.example", "200 <http://shop.example/ shop.example>"],
  ["GET https://shop.example/ HTTP/1.0", "", "200 <http://shop.example/ shop.example>"],
  ["GET https://evil.example/ HTTP/1.1", OWN, "421"],
  ["GET https://evil.example@shop.example/ HTTP/1.1", OWN, "400"],
  ["GET ftp://shop.example/ HTTP/1.1", OWN, "400"],
  ["GET shop HTTP/1.1", OWN, "400"],
  ["GET * HTTP/1.1", OWN, "400"],
  ["OPTIONS * HTTP/1.1", OWN, "204"],
  ["GET / HTTP/1.1", `${OWN}\r\n${OWN}`, "400"],
  ["GET / HTTP/1.1", `${OWN}\r\nHost: evil.example`, "400"],
  ["GET https://shop.example/ HTTP/1.1", `${OWN}\r\nhost: evil.example`, "400"],
  ["GET / HTTP/1.1", "Host: shop.example, evil.example", "400"],
])("56 “%s” with “%s” is answered by %s", async (target, host, answer) => {
  expect(await answerTo(target, ...(host ? [host] : []))).toBe(answer);
});

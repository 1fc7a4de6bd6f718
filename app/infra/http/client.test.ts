import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Certificate, certificateFor } from "#tests/support/certificates.ts";
import { request } from "./client.server.ts";

const trusted = certificateFor("localhost");
const expired = certificateFor("localhost", { days: -1 });
const ofAnother = certificateFor("other.test");

beforeAll(() =>
  tls.setDefaultCACertificates([
    ...tls.getCACertificates("bundled"),
    ...[trusted, expired, ofAnother].map(({ cert }) => cert),
  ]),
);
afterAll(() => tls.setDefaultCACertificates(tls.getCACertificates("bundled")));

/** The reply of a server with this certificate, and how often the server was reached. */
async function asked(certificate: Certificate) {
  let reached = 0;
  const server = createServer(certificate, (_, response) => {
    reached++;
    response.end("answered");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const reply = await request(`https://localhost:${(server.address() as AddressInfo).port}/`, {
    headers: { authorization: "Bearer secret" },
  });
  server.closeAllConnections();
  server.close();
  return { reply, reached };
}

test("S62 a server with a valid certificate gets the request", async () => {
  expect(await asked(trusted)).toEqual({ reply: { reached: true, status: 200, text: "answered" }, reached: 1 });
});

test.each([
  ["is nobody's", certificateFor("localhost"), /self-signed certificate/],
  ["has run out", expired, /certificate has expired/],
  ["is another host's", ofAnother, /does not match certificate's altnames/],
])("S62 a server whose certificate %s gets no request", async (_, certificate, why) => {
  expect(await asked(certificate)).toEqual({
    reply: { reached: false, reason: expect.stringMatching(why) },
    reached: 0,
  });
});

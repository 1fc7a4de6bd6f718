import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { withClientAddress } from "./client-address.server.ts";
import { limitSearches, refuseUnknownHosts } from "./refusals.server.ts";

const { publicUrl, HOST } = env;
afterEach(() => Object.assign(env, { PUBLIC_URL: undefined, TRUSTED_PROXIES: undefined, publicUrl, HOST }));

/** The statuses with which a shop at this address answers the requests. */
async function statuses(publicUrl: string | undefined, asked: { host?: string; path?: string; from?: string }[]) {
  Object.assign(env, { PUBLIC_URL: publicUrl, ...(publicUrl && { publicUrl: new URL(publicUrl) }) });
  env.TRUSTED_PROXIES = ["127.0.0.1"];
  const listener = refuseUnknownHosts(limitSearches((_, response) => response.end()));
  const server = createServer(withClientAddress(listener)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ended: (number | undefined)[] = [];
  for (const { host = "localhost", path = "/", from = "203.0.113.9" } of asked) {
    const asking = request({ port, path, headers: { host, "x-forwarded-for": from } }).end();
    const [answer] = await once(asking, "response");
    answer.resume();
    ended.push(answer.statusCode);
  }
  server.closeAllConnections();
  server.close();
  return ended;
}

describe("the hosts for which the shop responds", () => {
  test.each([
    ["shop.example", 200],
    ["SHOP.example:443", 200],
    ["localhost:3000", 200],
    ["127.0.0.1:3000", 200],
    ["[::1]:3000", 200],
    ["evil.example", 421],
    ["shop.example.evil.example", 421],
    ["shop.example@evil.example", 421],
    ["127.0.0.1.evil.example", 421],
    ["ashop.examples", 421],
    ["10.0.0.7", 421],
    ["a b", 421],
  ])("a public shop, requested as “%s”: %i", async (host, status) => {
    expect(await statuses("https://shop.example", [{ host }])).toEqual([status]);
  });

  test("S60 of a network's requests for another host the first and the tenth are logged, not each", async () => {
    const warned = vi.spyOn(log, "warn");
    const flood = Array.from({ length: 12 }, () => ({ host: "flood.example", from: "203.0.113.78" }));
    await statuses("https://shop.example", [...flood, { host: "other.example", from: "203.0.113.79" }]);
    const line = { security: "unknown-host", host: "flood.example" };
    expect(warned.mock.calls.map(([told]) => told)).toMatchObject([
      line,
      { ...line, times: 10 },
      { ...line, host: "other.example" },
    ]);
  });

  test("health checks may use any address of the machine", async () => {
    const host = "10.0.0.7:3000";
    expect(
      await statuses("https://shop.example", [
        { host, path: "/healthz" },
        { host, path: "/readyz" },
        { host, path: "/status" },
      ]),
    ).toEqual([200, 200, 200]);
  });

  test.each([
    ["localhost:3000", 200],
    ["LOCALHOST", 200],
    ["shop.localhost:3000", 200],
    ["127.0.0.1:3000", 200],
    ["127.7.7.7", 200],
    ["[::1]:3000", 200],
    ["rebound.example:3000", 421],
    ["localhost.rebound.example", 421],
    ["127.0.0.1.rebound.example", 421],
    ["my-laptop.local:3000", 421],
    ["192.168.1.5:3000", 421],
    ["0.0.0.0:3000", 421],
  ])("7 a demo, requested as “%s”: %i", async (host, status) => {
    expect(await statuses(undefined, [{ host }])).toEqual([status]);
  });

  test.each([
    ["0.0.0.0", "192.168.1.5", "192.168.1.5:3000", 200],
    ["::", "::ffff:192.168.1.5", "192.168.1.5:3000", 200],
    ["::", "2001:db8::5", "[2001:db8::5]:3000", 200],
    ["0.0.0.0", "192.168.1.5", "192.168.1.6:3000", 421],
    ["0.0.0.0", "192.168.1.5", "rebound.example:3000", 421],
    ["my-laptop.local", "192.168.1.5", "my-laptop.local:3000", 200],
  ])("7 a demo with HOST=%s that was reached at %s, requested as “%s”: %i", (own, localAddress, host, status) => {
    env.HOST = own;
    let answered = 200;
    const response = { writeHead: (given: number) => ({ end: () => (answered = given) }) };
    const asked = { url: "/", headers: { host }, socket: { localAddress } };
    refuseUnknownHosts(() => undefined)(asked as IncomingMessage, response as unknown as ServerResponse);
    expect(answered).toBe(status);
  });

  test.each(["http://evil.example/", "http://shop.example/", "*", "/shop?q=%00"])(
    "a request target that is no path of the shop is refused: %s",
    async (path) => {
      expect(await statuses("https://shop.example", [{ host: "shop.example", path }])).toEqual([400]);
    },
  );
});

test("searches are limited per network, and other pages are not", async () => {
  const machine = { path: "/api/suggestions?q=a", from: "2001:db8::1" };
  const asked = Array.from({ length: 1801 }, () => machine);
  const ended = await statuses(undefined, [
    ...asked,
    { path: "/shop?q=a&_routes", from: "2001:db8::2" },
    { path: "/SHOP.data?color=x", from: "2001:db8::3" },
    { path: "/api/products/none", from: "2001:db8::4" },
    { path: "/api/%70roducts?after=1", from: "2001:db8::7" },
    { path: "/%73hop?q=%E0", from: "2001:db8::8" },
    { path: "/./shop?q=a", from: "2001:db8::9" },
    { path: "/a/%2e./api/suggestions?q=a", from: "2001:db8::a" },
    { path: "/shop//?q=a", from: "2001:db8::b" },
    { path: "/shop//_.data?q=a", from: "2001:db8::c" },
    { path: "/shop/.data?q=a", from: "2001:db8::d" },
    { path: "/collections/owambe?q=a", from: "2001:db8::e" },
    { path: "/collections//owambe/_.data?q=a", from: "2001:db8::f" },
    { path: "/collections/owambe", from: "2001:db8::5" },
    { path: "/shop", from: "2001:db8::5" },
    { path: "/about?q=a", from: "2001:db8::6" },
    { path: "/shop?q=a", from: "203.0.113.77" },
  ]);
  expect(ended.slice(0, 1800).every((status) => status === 200)).toBe(true);
  expect(ended.slice(1800)).toEqual([...Array(13).fill(429), 200, 200, 200, 200]);
});

import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createRequestHandler } from "react-router";
import { afterEach, describe, expect, test, vi } from "vitest";
import * as entry from "#app/entry.server.tsx";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { buildOfOnePage } from "#tests/support/router-build.ts";
import { contentSecurityPolicy } from "../headers.server.ts";
import { withRequestId } from "../request-context.server.ts";
import { withClientAddress } from "./client-address.server.ts";
import { createEdge } from "./edge.server.ts";
import { methodsAt, READING } from "./methods.server.ts";
import { sharedPage } from "./responses.server.ts";

const PAYSTACK_WEBHOOK = {
  path: "/webhooks/paystack",
  signatureHeader: "x-paystack-signature",
  receive: async () => ({ status: 401 }),
};

afterEach(() => {
  env.COUNTRY_HEADER = env.TRUSTED_PROXIES = undefined;
});

/** The headers that the routes get for a request from 127.0.0.1. */
async function told(trusted: string[] | undefined, sent: Record<string, string>): Promise<Record<string, unknown>> {
  env.TRUSTED_PROXIES = trusted;
  env.COUNTRY_HEADER = "CF-IPCountry";
  const server = createServer(withClientAddress(({ headers }, response) => response.end(JSON.stringify(headers))));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { headers: sent });
    return (await answer.json()) as Record<string, unknown>;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test.each([
  ["nobody", undefined, "203.0.113.9", "127.0.0.1"],
  ["another one", ["10.0.0.1"], "203.0.113.9", "127.0.0.1"],
  ["this one", ["127.0.0.1"], "203.0.113.9", "203.0.113.9"],
  ["its range", ["::1", "127.0.0.0/8"], "203.0.113.9", "203.0.113.9"],
  ["it and the one before it", ["127.0.0.1", "10.0.0.0/8"], "198.51.100.1, 203.0.113.9, 10.1.2.3", "203.0.113.9"],
  ["it and a range of IPv6", ["127.0.0.1", "2001:db8::/32"], "203.0.113.9, 2001:DB8:1::1", "203.0.113.9"],
  ["it, which names nobody", ["127.0.0.1"], "unknown", "127.0.0.1"],
  ["it, which says nothing", ["127.0.0.1"], "", "127.0.0.1"],
  ["it, which adds the port", ["127.0.0.1"], "198.51.100.1, 203.0.113.9:4711", "203.0.113.9"],
  ["it, which adds the port of IPv6", ["127.0.0.1"], "198.51.100.1, [2001:db8::1]:80", "2001:db8::1"],
  ["it, which puts IPv6 into brackets", ["127.0.0.1"], "198.51.100.1, [2001:db8::1]", "2001:db8::1"],
  [
    "it and the one before it, both with ports",
    ["127.0.0.1", "10.0.0.0/8"],
    "203.0.113.9:1, 10.1.2.3:443",
    "203.0.113.9",
  ],
  ["it, which cannot say whom for", ["127.0.0.1"], "198.51.100.1, unknown", "127.0.0.1"],
  ["it, which writes something else", ["127.0.0.1"], "198.51.100.1, 203.0.113.9:port", "127.0.0.1"],
  ["it, which leaves a gap", ["127.0.0.1"], "198.51.100.1,", "127.0.0.1"],
  [
    "it and the one before it, which cannot say",
    ["127.0.0.1", "10.0.0.0/8"],
    "198.51.100.1, _hidden, 10.1.2.3",
    "10.1.2.3",
  ],
  ["all of them", ["127.0.0.1", "10.0.0.0/8"], "10.9.9.9, 10.1.2.3", "10.9.9.9"],
  [
    "it, and the address is IPv4 in the dress of IPv6",
    ["127.0.0.1"],
    "198.51.100.1, ::ffff:203.0.113.9",
    "203.0.113.9",
  ],
])("the visitor's address where the shop trusts %s", async (_, trusted, forwarded, address) => {
  expect((await told(trusted, { "x-forwarded-for": forwarded }))["x-irepo-client"]).toBe(address);
});

test.each([
  ["by a trusted proxy", ["127.0.0.1"], "GB"],
  ["by anybody else", ["10.0.0.1"], undefined],
  ["by anybody, where nobody is to be trusted", undefined, "GB"],
])("the country that is named %s", async (_, trusted, country) => {
  expect((await told(trusted, { "cf-ipcountry": "GB" }))["cf-ipcountry"]).toBe(country);
});

test("S61 an error's answer names its request, as its line in the log does, and nothing of the error", async () => {
  const edge = createEdge({
    api: [{ path: "/api/broken", get: () => Promise.reject(new Error("secret")) }],
    page: () => Promise.reject(new Error("secret")),
    picture: async () => null,
    webhooks: [PAYSTACK_WEBHOOK],
    ready: () => true,
    works: async () => true,
    clientFiles: "",
  });
  const server = createServer(withClientAddress(withRequestId(getRequestListener(edge.fetch)))).listen(0, "127.0.0.1");
  await once(server, "listening");
  const errors = vi.spyOn(log, "error");
  for (const path of ["/api/broken", "/page"]) {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(text).toContain(answer.headers.get("x-request-id"));
    expect(text).not.toContain("secret");
  }
  expect(errors.mock.calls.map(([details]) => details)).toMatchObject([{ path: "/api/broken" }, { path: "/page" }]);
  server.closeAllConnections();
  server.close();
});

/** A page whose form is read by the router, as the shop's are. */
const formBuild = buildOfOnePage(entry, {
  default: () => null,
  action: async ({ request }: { request: Request }) => Object.fromEntries(await request.formData()),
});

test("S35 no frame may hold an answer, whatever it is, and a page keeps the policy that it was made with", async () => {
  const own = contentSecurityPolicy(["its script"]);
  const page = async () =>
    new Response("<p>", { headers: { "Content-Type": "text/html", "Content-Security-Policy": own } });
  const edge = createEdge({
    api: [{ path: "/api/one", get: async () => ({ json: 1 }) }],
    page,
    picture: async () => null,
    webhooks: [PAYSTACK_WEBHOOK],
    ready: () => true,
    works: async () => true,
    clientFiles: "",
  });
  const policyOf = async (answer: Promise<Response> | Response) =>
    (await answer).headers.get("Content-Security-Policy") ?? "";
  for (const path of ["/healthz", "/api/one", "/images/none.jpg"])
    expect(await policyOf(edge.request(path)), path).toBe("base-uri 'none'; object-src 'none'; frame-ancestors 'none'");
  for (const answer of [edge.request("/"), sharedPage(page, "/")]) expect(await policyOf(answer)).toBe(own);
});

describe("56 HTTP as its standards say", () => {
  const edge = createEdge({
    api: [
      { path: "/api/one", get: async () => ({ json: 1 }) },
      { path: "/api/things/:id", post: async () => ({ json: 1 }) },
    ],
    page: async ({ method }) => {
      // Like the router, which renders no body for HEAD.
      const text = method === "HEAD" ? null : `<p>${"a page ".repeat(300)}`;
      return new Response(text, { status: method === "POST" ? 405 : 200, headers: { "Content-Type": "text/html" } });
    },
    picture: async () => null,
    webhooks: [PAYSTACK_WEBHOOK],
    ready: () => true,
    works: async () => true,
    clientFiles: "public",
    methodsAt: methodsAt([
      ["/", READING],
      ["/login", [...READING, "POST"]],
      ["/webhooks/paystack", ["OPTIONS", "POST"]],
    ]),
  });
  const ask = (method: string, path: string) => edge.request(path, { method });

  test.each([
    ["POST", "/", "GET, HEAD, OPTIONS"],
    ["PUT", "/login", "GET, HEAD, OPTIONS, POST"],
    ["PATCH", "/LOGIN/", "GET, HEAD, OPTIONS, POST"],
    ["DELETE", "/login.data", "GET, HEAD, OPTIONS, POST"],
    ["DELETE", "/nowhere", "GET, HEAD, OPTIONS"],
    ["POST", "/nowhere", "GET, HEAD, OPTIONS"],
    ["POST", "/api/one", "GET, HEAD, OPTIONS"],
    ["DELETE", "/api/one", "GET, HEAD, OPTIONS"],
    ["GET", "/api/things/7", "OPTIONS, POST"],
    ["PUT", "/favicon.svg", "GET, HEAD, OPTIONS"],
    ["GET", "/webhooks/paystack", "OPTIONS, POST"],
  ])("56 %s %s is refused, and the answer names what is taken: %s", async (method, path, allow) => {
    const answer = await ask(method, path);
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, allow]);
  });

  test.each(["/login", "/api/things/7", "/favicon.svg", "/nowhere"])(
    "56 who asks what can be done at %s is told in the headers, without a body",
    async (path) => {
      const answer = await ask("OPTIONS", path);
      expect([answer.status, await answer.text()]).toEqual([204, ""]);
      expect(answer.headers.get("Allow")).toMatch(/OPTIONS/);
    },
  );

  test.each(["/", "/api/one", "/nowhere", "/favicon.svg"])("56 HEAD %s has the headers of GET", async (path) => {
    const [get, head] = [await ask("GET", path), await ask("HEAD", path)];
    expect(await head.text()).toBe("");
    expect([head.status, Object.fromEntries(head.headers)]).toEqual([get.status, Object.fromEntries(get.headers)]);
  });

  test("56 an answer says that it depends on what is accepted, also where it is not compressed", async () => {
    for (const taken of ["identity", "gzip"])
      expect((await edge.request("/", { headers: { "accept-encoding": taken } })).headers.get("Vary")).toBe(
        "Accept-Encoding",
      );
  });

  test.each(["/favicon.ico", "/.well-known/nothing", "/images/none.jpg", "/fonts/none.woff2"])(
    "56 where there is no %s a few words say so",
    async (path) => {
      const answer = await ask("GET", path);
      expect([answer.status, (await answer.text()).length < 100]).toEqual([404, true]);
    },
  );
});

test.each([
  ["a form", "/", "application/x-www-form-urlencoded"],
  ["a form that says no length", "/", "application/x-www-form-urlencoded", "chunked"],
  ["a question of the page's script", "/api/cart", "application/json"],
  ["a question that says no length", "/api/cart", "application/json", "chunked"],
  ["a form of the page's script", "/_.data", "application/x-www-form-urlencoded"],
  ["a webhook", "/webhooks/paystack", "application/json"],
  [
    "a form, as a browser sends it behind a proxy",
    "/",
    "application/x-www-form-urlencoded\r\nOrigin: http://localhost:3000",
  ],
  [
    "a form of the page's script, as a browser sends it behind a proxy",
    "/_.data",
    "application/x-www-form-urlencoded\r\nOrigin: http://localhost:3000",
  ],
])("a client that breaks off while it sends %s leaves no line in the log", async (_, path, type, encoding = "") => {
  const answered = Promise.withResolvers<void>();
  const ended =
    <Args extends unknown[]>(answer: (...args: Args) => Promise<Response>) =>
    (...args: Args) =>
      answer(...args).finally(() => answered.resolve());
  const edge = createEdge({
    api: [{ path: "/api/cart", post: async (request) => ({ json: await request.json() }) }],
    page: createRequestHandler(formBuild, "production"),
    picture: async () => null,
    webhooks: [PAYSTACK_WEBHOOK],
    ready: () => true,
    works: async () => true,
    clientFiles: "",
  });
  const fetchEdge = ended(async (request: Request, env: object) => edge.fetch(request, env));
  const server = createServer(withClientAddress(withRequestId(getRequestListener(fetchEdge)))).listen(0, "127.0.0.1");
  await once(server, "listening");
  const lines = (["warn", "error"] as const).map((level) => vi.spyOn(log, level));
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const length = encoding ? "Transfer-Encoding: chunked" : "Content-Length: 1000";
  const body = encoding ? "5\r\na=bcd\r\n" : "a=bcd";
  client.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n${length}\r\n\r\n${body}`);
  await once(server, "request");
  client.resetAndDestroy();
  await answered.promise;
  expect(lines.flatMap((line) => line.mock.calls)).toEqual([]);
  server.closeAllConnections();
  server.close();
});

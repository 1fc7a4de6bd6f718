import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { env } from "#app/infra/env.server.ts";
import { request } from "./client.server.ts";
import { countryOf } from "./visitor-country.server.ts";

// Lookups are observed where the shop starts them: they arrive at the service later than a test can check.
vi.mock("./client.server.ts", { spy: true });
const questions = vi.mocked(request);
/** Resolves when all answers so far have been read. */
const answered = () => Promise.all(questions.mock.results.map(({ value }) => value));

let reply: (response: ServerResponse) => unknown = () => undefined;
const service = createServer((_, response) => void reply(response));
const says = (body: unknown) => (response: ServerResponse) => response.end(JSON.stringify(body));

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
});
afterEach(() => {
  env.GEO_URL = env.COUNTRY_HEADER = undefined;
  questions.mockClear();
});

const url = (path: string) => `http://127.0.0.1:${(service.address() as AddressInfo).port}${path}`;
let last = 0;
/** An address that was not looked up yet. */
const newAddress = () => `203.0.113.${++last}`;
const from = (address: string, headers: Record<string, string> = {}) =>
  new Request("http://shop/", { headers: { "x-irepo-client": address, ...headers } });

test.each([
  ["197.210.64.1", "NG"],
  ["8.8.8.8", "US"],
  ["127.0.0.1", undefined],
  ["192.168.1.1", undefined],
])("%s is in %s, without a request to the service", (address, country) => {
  env.GEO_URL = url("/");
  expect(countryOf(from(address))).toBe(country);
  expect(questions).not.toHaveBeenCalled();
});

test.each([
  ["https://geo.example/{ip}/json", "/{ip}/json", (ip: string) => `/${ip}/json`],
  ["https://geo.example/lookup", "/lookup", (ip: string) => `/lookup?ip=${ip}`],
])("a service like %s is requested once, without a wait, and its answer is cached", async (_, path, line) => {
  env.GEO_URL = url(path);
  reply = says({ country_code: "ng" });
  const address = newAddress();
  expect(countryOf(from(address))).toBeUndefined();
  await answered();
  expect(countryOf(from(address))).toBe("NG");
  expect(questions.mock.calls.map(([asked]) => asked)).toEqual([url(line(address))]);
});

test.each<[string, (response: ServerResponse) => unknown]>([
  ["never answers", () => undefined],
  ["hangs up", (response) => response.destroy()],
  ["answers with a page", (response) => response.end("<html>Too many requests</html>")],
  ["answers with an error", (response) => response.writeHead(500).end('{"country_code":"NG"}')],
  ["leads elsewhere", (response) => response.writeHead(302, { location: url("/other") }).end()],
  ["responds with a number", says({ country_code: 566 })],
  ["responds with a name", says({ country_code: "Nigeria" })],
  ["responds with nothing", says({ country_code: null })],
  ["responds with a script", says({ country_code: "<script>" })],
  ["answers without end", (response) => response.end("x".repeat(200_000))],
])(
  "F50 a service that %s: the country stays unknown, at once, and the service is not asked for every page",
  async (_, how) => {
    env.GEO_URL = url("/geo");
    reply = how;
    const address = newAddress();
    expect(countryOf(from(address))).toBeUndefined();
    await answered();
    for (let page = 0; page < 5; page++) expect(countryOf(from(address))).toBeUndefined();
    expect(questions).toHaveBeenCalledTimes(1);
  },
);

test("F50 if the service is unreachable, the country stays unknown", async () => {
  env.GEO_URL = "http://127.0.0.1:1/";
  const address = newAddress();
  expect(countryOf(from(address))).toBeUndefined();
  await answered();
  expect(countryOf(from(address))).toBeUndefined();
});

test("a trusted proxy's country comes first, without a request to the service", () => {
  env.GEO_URL = url("/geo");
  env.COUNTRY_HEADER = "cf-ipcountry";
  expect(countryOf(from(newAddress(), { "cf-ipcountry": "gb" }))).toBe("GB");
  expect(questions).not.toHaveBeenCalled();
});

test.each(["XX", "T1", "nowhere"])("a proxy's %s means unknown: the list and the service are used", async (word) => {
  env.COUNTRY_HEADER = "cf-ipcountry";
  env.GEO_URL = url("/geo");
  reply = says({ country_code: "KE" });
  expect(countryOf(from("197.210.64.1", { "cf-ipcountry": word }))).toBe("NG");
  expect(questions).not.toHaveBeenCalled();
  const address = newAddress();
  const ask = () => countryOf(from(address, { "cf-ipcountry": word }));
  expect(ask()).toBeUndefined();
  await answered();
  expect(ask()).toBe("KE");
});

test.each(["127.0.0.1", "10.1.2.3", "192.168.1.1", "172.20.0.1", "::1", "fd00::1", "no address", ""])(
  "no request is made about “%s”",
  (address) => {
    env.GEO_URL = url("/geo");
    expect(countryOf(from(address))).toBeUndefined();
    expect(questions).not.toHaveBeenCalled();
  },
);

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { refreshRate } from "#app/catalog/rates.server.ts";
import { verify } from "#app/paystack/client.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { env } from "./env.server.ts";
import { log } from "./log.server.ts";
import { dependency } from "./outage-log.server.ts";

const database = useDatabase();
const { RATES_URL, paystack } = env;
let service: Server;
let works: boolean;

beforeEach(async () => {
  works = true;
  service = createServer((request, response) => {
    if (!works) return request.destroy();
    response.end(JSON.stringify({ rates: { NGN: 1600 }, status: false, message: "Transaction reference not found" }));
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  Object.assign(env, { RATES_URL: url, paystack: { ...paystack, apiUrl: url } });
});
afterEach(() => {
  Object.assign(env, { RATES_URL, paystack });
  service.close();
});

test.each<[string, () => Promise<unknown>]>([
  ["the currency rates service", () => refreshRate(database.db())],
  ["the payment provider", () => verify("an-unknown-reference")],
])("%s: one line when it becomes unavailable, one when it is back", async (what, ask) => {
  const warn = vi.spyOn(log, "warn");
  await ask();
  works = false;
  for (let times = 0; times < 20; times++) await ask();
  works = true;
  await ask();
  await expect.poll(() => warn.mock.calls).toHaveLength(2);
  expect(warn.mock.calls).toEqual([
    [{ reason: expect.any(String) }, `${what} is away`],
    [{ seconds: expect.any(Number), failures: 20 }, `${what} is back`],
  ]);
});

test("a probe that throws at once, as when the shop is stopping, is repeated", async () => {
  const probe = vi.fn(() => {
    throw new Error("closed");
  });
  dependency("a thing", probe).failed(new Error("gone"));
  await expect.poll(() => probe.mock.calls.length).toBe(2);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { MINUTE } from "#app/infra/durations.ts";
import { type FaultProxy, startFaultProxy } from "#tests/chaos/fault-proxy.ts";
import { ask } from "#tests/support/ask-database.ts";
import { type Fleet, OLDER, PRODUCT, startFleet } from "#tests/support/fleet.ts";
import { endPayment, LAGOS, newCustomer, pressPay, type Visitor } from "#tests/support/http-visitor.ts";
import { type S3Server, s3Settings, startS3Server } from "#tests/support/s3-server.ts";
import { drawDashboard } from "../../scripts/chart.ts";
import { hasPrometheus, type Prometheus, startPrometheus } from "./prometheus.ts";
import { isInstalled, startWebBalancer, type WebBalancer } from "./web-balancer.ts";

// A real Prometheus with the rules of deploy/, in which ten minutes become twenty seconds, watches while one part after
// the other breaks.

const HASTE = 30;
/** How long each fault lasts, in ms. */
const LASTS = 35_000;
/** Where the picture of the dashboard is written. */
const PICTURE = "data/machines/metrics.svg";

const folder = mkdtempSync(path.join(tmpdir(), "irepo-alarms-"));
let s3: S3Server;
let [bucket, database, provider]: FaultProxy[] = [];
let fleet: Fleet<WebBalancer>;
let prometheus: Prometheus;
let visiting: Promise<void>;
let over = false;
const marks: { at: number; name: string }[] = [];

/** Each fault, the alarms that it fires, and how it is ended. */
const FAULTS: [name: string, alarms: string[], breaks: () => unknown, mends: () => unknown][] = [
  ["an ordinary shop", [], () => undefined, () => undefined],
  ["the bucket is dead", ["IrepoManyErrors"], () => cut(bucket), () => mend(bucket)],
  [
    "one instance of three is dead",
    ["IrepoInstanceGone"],
    () => fleet.instances[2]?.shop.kill(),
    () => fleet.instances[2]?.shop.start(),
  ],
  [
    "the payment provider is away",
    ["IrepoManyErrors", "IrepoOtherServerFails", "IrepoPayFails"],
    () => cut(provider),
    () => mend(provider),
  ],
  [
    "the database is away",
    ["IrepoDatabaseAway", "IrepoManyErrors", "IrepoPayFails"],
    () => cut(database),
    () => mend(database),
  ],
  [
    "every instance is dead",
    ["IrepoGone", "IrepoInstanceGone"],
    () => each((shop) => shop.kill()),
    () => each((shop) => shop.start()),
  ],
];

/** One machine runs everything here, so its slowness says nothing about the shop. */
const firing = async () => (await prometheus.firing()).filter((alarm) => !["IrepoBusy", "IrepoSlow"].includes(alarm));

function cut(proxy: FaultProxy | undefined): void {
  if (!proxy) throw new Error("There is no proxy");
  proxy.toxics.down = true;
  proxy.cut(1000, Math.random);
}
function mend(proxy: FaultProxy | undefined): void {
  if (proxy) proxy.toxics.down = false;
}
const each = (one: (shop: Fleet<WebBalancer>["shop"]) => Promise<void>) =>
  Promise.all(fleet.instances.map(({ shop }) => one(shop)));

/** Sends about ten requests a second, some of them for pictures, and buys now and then. */
async function visit(customer: Visitor): Promise<void> {
  const [{ hash } = {}] = await ask(fleet.databaseUrl, "select images -> 0 ->> 'hash' as hash from products limit 1");
  const pages = ["/", "/shop", "/shop.data?size=M", "/singleProduct/rings-tee", "/api/products", "/login"];
  const look = async () => {
    for (const place of [...pages, `/images/${hash}/160.jpg`]) {
      await (await customer.get(place)).arrayBuffer();
      await pause(100);
    }
  };
  const buy = async () => {
    await ask(fleet.databaseUrl, "delete from rate_limits");
    await customer.post("/Cart", { intent: "add", ...PRODUCT, quantity: "1" });
    const payPage = (await pressPay(customer, LAGOS)).headers.get("location");
    if (payPage) await customer.get(`/checkout/return?reference=${await endPayment(payPage, "success")}`);
  };
  // After a broken connection the visits continue.
  while (!over) for (const visit of [look, buy]) await visit().catch(() => pause(100));
}

describe.skipIf(!isInstalled("haproxy") || !hasPrometheus)(
  "Prometheus with the rules of deploy/ (npm run chaos -- --machines --faults)",
  () => {
    beforeAll(async () => {
      s3 = await startS3Server();
      bucket = await startFaultProxy(s3.port);
      const postgres = await startFaultProxy(Number(new URL(inject("postgresUrl")).port));
      database = postgres;
      const balance = (addresses: string[]) => startWebBalancer("haproxy", addresses);
      fleet = await startFleet(inject("postgresUrl"), 3, balance, async ({ DATABASE_URL, PAYSTACK_API_URL }) => {
        const sandbox = await startFaultProxy(Number(new URL(PAYSTACK_API_URL ?? "").port));
        provider = sandbox;
        return {
          ...s3Settings(bucket?.port ?? 0),
          PICTURES_URL: "s3://pictures",
          DATABASE_URL: (DATABASE_URL ?? "").replace(/:\d+\//, `:${postgres.port}/`),
          PAYSTACK_API_URL: `http://127.0.0.1:${sandbox.port}`,
        };
      });
      await fleet.command(OLDER, "backup", path.join(folder, "shop.backup"));
      await fleet.command(OLDER, "rate", "set", "1600", "--yes");
      visiting = visit(await newCustomer(fleet.shop, "ada@example.com"));
      prometheus = await startPrometheus(
        fleet.instances.map(({ shop }) => new URL(shop.metricsUrl).host),
        HASTE,
      );
    }, 5 * MINUTE);
    afterAll(async () => {
      over = true;
      await visiting;
      await prometheus?.close();
      await fleet?.stop();
      for (const proxy of [bucket, database, provider]) await proxy?.close();
      await s3?.stop();
      rmSync(folder, { recursive: true });
    });

    test.each(FAULTS)("%s: %j", { timeout: 4 * MINUTE }, async (name, alarms, breaks, mends) => {
      await expect.poll(firing, { timeout: MINUTE }).toEqual([]);
      const fired = new Set<string>();
      marks.push({ at: Date.now() / 1000, name });
      await breaks();
      for (const until = Date.now() + LASTS; Date.now() < until; await pause(1000))
        for (const alarm of await firing()) fired.add(alarm);
      await mends();
      expect([...fired].sort()).toEqual(alarms);
      await expect.poll(firing, { timeout: 2 * MINUTE }).toEqual([]);
    });

    test("the dashboard's expressions all find something, and are drawn", async () => {
      const span = { from: marks[0]?.at ?? 0, to: Date.now() / 1000, scrape: 2, marks };
      const { svg, empty } = await drawDashboard(prometheus.url, span);
      mkdirSync(path.dirname(PICTURE), { recursive: true });
      writeFileSync(PICTURE, svg);
      expect(empty).toEqual([]);
    });
  },
);

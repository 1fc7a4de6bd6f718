import { execFile } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { type Balancer, startBalancer } from "#tests/support/balancer.ts";
import { endPayment, LAGOS, newCustomer, newVisitor, pressPay, type Visitor } from "#tests/support/http-visitor.ts";
import { type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { type Sandbox, startSandbox } from "../../sandbox/main.ts";

// Two instances on one database, behind a balancer that follows /readyz and tries nothing twice.

const folder = mkdtempSync(path.join(tmpdir(), "irepo-rolling-"));
/** One version is built, and seven instances and commands are started, on a machine that may be busy. */
const WITHIN = 300_000;
const OLDER = process.cwd();
const NEWER = path.join(folder, "newer");
const PRODUCT = { id: "rings-tee", size: "M" };
const KEYS = {
  PAYSTACK_SECRET_KEY: "sk_test_sandbox0000000000000000000000000000",
  PAYSTACK_PUBLIC_KEY: "pk_test_sandbox0000000000000000000000000000",
};
/** An instance runs the version that its place leads to when it starts. */
type Instance = { place: string; shop: RunningShop };
let instances: Instance[] = [];
let databaseUrl: string;
let balancer: Balancer;
let sandbox: Sandbox;
let settings: Record<string, string>;
/** As its visitors see it. */
let shop: RunningShop;

beforeAll(async () => {
  const admin = inject("postgresUrl");
  await ask(admin, "create database rolling");
  databaseUrl = admin.replace(/\/postgres$/, "/rolling");
  balancer = await startBalancer(() => instances.map(({ shop }) => shop.url.replace("localhost", "127.0.0.1")));
  sandbox = await startSandbox({ webhookUrl: `${balancer.url}/webhooks/paystack` });
  settings = {
    ...KEYS,
    PAYSTACK_API_URL: sandbox.url,
    PAYSTACK_CHECKOUT_URL: sandbox.url,
    GOOGLE_CLIENT_ID: "none",
    GOOGLE_CLIENT_SECRET: "none",
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: balancer.url,
    SESSION_SECRET: "x".repeat(32),
    MIGRATE_ON_START: "false",
    DRAIN_DELAY: "1",
  };
  const building = makeNewer().then(() => command(NEWER));
  await command(OLDER, "migrate");
  const first = await open("first", {});
  shop = { ...first.shop, url: balancer.url };
  instances = [first, await open("second", { DATA_DIR: shop.dataDir })];
  await command(OLDER, "stock", "set", PRODUCT.id, PRODUCT.size, "100000", "--yes");
  await building;
}, WITHIN);
afterAll(async () => {
  for (const instance of instances) await instance.shop.stop();
  await balancer?.close();
  await sandbox?.close();
  await ask(inject("postgresUrl"), "drop database if exists rolling with (force)");
  rmSync(folder, { recursive: true, force: true });
});

const run = promisify(execFile); // the balancer goes on meanwhile

async function command(version: string, ...words: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, ...settings };
  return (await run(process.execPath, ["scripts/shop.ts", ...words], { cwd: version, env })).stdout;
}

async function open(name: string, own: Record<string, string>): Promise<Instance> {
  const place = path.join(folder, name);
  symlinkSync(OLDER, place);
  return { place, shop: await runShop({ ...settings, ...own }, place) };
}

async function roll({ place, shop }: Instance, version: string): Promise<void> {
  unlinkSync(place);
  symlinkSync(version, place);
  await shop.restart();
}

/** A checkout of its own: other scripts and styles, one migration more, and no build but its own. */
async function makeNewer(): Promise<void> {
  const sources = readdirSync(OLDER).filter((name) => !["node_modules", "data", ".git", "build"].includes(name));
  mkdirSync(NEWER);
  await run("cp", ["-a", ...sources, NEWER]);
  symlinkSync(path.resolve("node_modules"), path.join(NEWER, "node_modules"));
  appendFileSync(path.join(NEWER, "app/ui/tokens.css"), ":root { --of-the-newer: 1 }\n");
  writeFileSync(path.join(NEWER, "db/migrations/0002-newer.sql"), "alter table products add column newer text;\n");
}

const assetsOf = async (page: Response) => [...new Set((await page.text()).match(/\/assets\/[\w.-]+/g))];

/** What came back otherwise than it should. */
const wrong: string[] = [];

async function expecting(status: number, what: string, answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  if (response.status !== status) wrong.push(`${what}: ${response.status}`);
  return response;
}

async function look(): Promise<void> {
  const visitor = newVisitor(balancer.url);
  const get = (place: string) => expecting(200, place, visitor.get(place));
  const assets = await assetsOf(await get("/shop"));
  const places = [...assets, "/", "/shop.data?size=M", "/singleProduct/rings-tee.data", "/api/products", "/login"];
  for (const place of places) await (await get(place)).arrayBuffer();
}

async function buy(customer: Visitor): Promise<void> {
  await ask(databaseUrl, "delete from rate_limits"); // all of them stand for many
  await expecting(303, "POST /Cart", customer.post("/Cart", { intent: "add", ...PRODUCT, quantity: "1" }));
  await expecting(200, "/Cart", customer.get("/Cart"));
  const paying = await expecting(303, "POST /checkout", pressPay(customer, LAGOS));
  const reference = await endPayment(paying.headers.get("location") ?? "", "success");
  await expecting(303, "/checkout/return", customer.get(`/checkout/return?reference=${reference}`));
  await expecting(200, "/order", customer.get(`/order/${reference}`));
  bought.push(reference);
}
const bought: string[] = [];

/** As a browser does, which comes back when the stream ends. */
async function follow(customer: Visitor): Promise<void> {
  await (await expecting(200, "/api/live", customer.get("/api/live"))).text();
  streamsEnded++;
}
let streamsEnded = 0;

/** Visitors go on until `work` is done. */
async function underLoad(customers: Visitor[], work: () => Promise<void>): Promise<void> {
  let going = true;
  const repeat = async (visit: () => Promise<void>) => {
    while (going) await visit();
  };
  const streams = customers.map((customer) => repeat(() => follow(customer)));
  const visits = [repeat(look), ...customers.map((customer) => repeat(() => buy(customer)))];
  await Promise.all([work().finally(() => (going = false)), ...visits]);
  for (const customer of customers) await customer.post("/logout", {}); // that ends a stream
  await Promise.all(streams);
}

test(
  "F58 instances are replaced by another version's, and back, under load: no request fails, no order is lost",
  async () => {
    await expect.poll(() => fetch(`${balancer.url}/readyz`).then(({ status }) => status)).toBe(200);
    balancer.failures.length = 0;
    const [first, second] = instances as [Instance, Instance];
    const customers = [await newCustomer(shop, "ada@example.com"), await newCustomer(shop, "bola@example.com")];
    const assets = await assetsOf(await fetch(`${balancer.url}/`));
    await underLoad(customers, async () => {
      const rolled = roll(first, NEWER);
      await expect.poll(first.shop.said).toContain("Waiting. The database is older than this version");
      expect(await command(NEWER, "migrate")).toContain("0002-newer");
      await rolled;
      await roll(second, NEWER);
      expect(await assetsOf(await fetch(`${balancer.url}/`))).not.toEqual(assets);
      for (const name of assets) expect([name, (await fetch(balancer.url + name)).status]).toEqual([name, 200]);
      await roll(first, OLDER); // it works on the newer database, too
    });
    expect([wrong, balancer.failures]).toEqual([[], []]);
    expect(bought.length).toBeGreaterThan(5);
    expect(await ask(databaseUrl, "select count(*)::int as sales from sales")).toEqual([{ sales: bought.length }]);
    expect(streamsEnded).toBeGreaterThan(customers.length);
    await command(NEWER, "check", "--provider");
  },
  WITHIN,
);

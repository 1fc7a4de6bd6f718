import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { type FaultProxy, startFaultProxy } from "#tests/chaos/fault-proxy.ts";
import { ask } from "#tests/support/ask-database.ts";
import { freePort } from "#tests/support/free-port.ts";
import { type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { type S3Server, s3Settings, startS3Server } from "#tests/support/s3-server.ts";
import { shopCommand } from "#tests/support/shop-command.ts";

const drawn = (bytes: number) => randomBytes(bytes).toString("hex");
/** A path in which no folder can be made, since package.json is a file. */
const NO_FOLDER = path.resolve("package.json/data");
const name = `irepo_${drawn(6)}`;
const url = inject("postgresUrl").replace(/\/postgres$/, `/${name}`);
const folder = mkdtempSync(path.join(tmpdir(), "irepo-instances-"));
let settings: Record<string, string>;
let s3: S3Server;
let proxy: FaultProxy;
let shops: RunningShop[] = [];

beforeAll(async () => {
  await ask(inject("postgresUrl"), `create database ${name}`);
  s3 = await startS3Server();
  proxy = await startFaultProxy(s3.port);
  settings = {
    ...s3Settings(proxy.port),
    INSTANCES: "many",
    DATA_DIR: NO_FOLDER,
    DATABASE_URL: url,
    PICTURES_URL: "s3://pictures",
    PUBLIC_URL: "https://shop.example",
    SESSION_SECRET: drawn(32),
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "orders@shop.example",
    PAYSTACK_SECRET_KEY: `sk_test_${drawn(20)}`,
    PAYSTACK_PUBLIC_KEY: `pk_test_${drawn(20)}`,
  };
  shops = await Promise.all([runShop(settings), runShop(settings), runShop(settings)]);
});
afterAll(async () => {
  await Promise.all(shops.map((shop) => shop.stop()));
  await proxy?.close();
  await s3?.stop();
  await ask(inject("postgresUrl"), `drop database ${name} with (force)`);
  rmSync(folder, { recursive: true });
});

const fromEach = <T>(one: (shop: RunningShop) => Promise<T>) => Promise.all(shops.map(one));
const statusOf = async (address: string) => (await fetch(address)).status;

/** The exit code and the output of one of the owner's commands. */
const command = (words: string[], others: Record<string, string> = {}) =>
  shopCommand({ ...settings, ...others }, ...words);

async function anyPicture(): Promise<string> {
  const [row] = await ask(url, "select images -> 0 ->> 'hash' as hash from products order by random() limit 1");
  return String(row?.hash);
}

test("three that start at once on an empty database, without a folder of their own, are one shop", async () => {
  expect(await fromEach((shop) => statusOf(`${shop.url}/shop`))).toEqual([200, 200, 200]);
  expect(await ask(url, "select count(*) from products")).toEqual([{ count: "16" }]);
});

test("an old address that a command has set is redirected by each instance", async () => {
  await command(["redirects", "set", "/pages/about-us", "/about"]);
  const redirected = (shop: RunningShop) => fetch(`${shop.url}/pages/about-us`, { redirect: "manual" });
  await vi.waitFor(
    async () => {
      const answers = await fromEach(redirected);
      expect(answers.map(({ status }) => status)).toEqual([301, 301, 301]);
      expect(answers.map(({ headers }) => headers.get("location"))).toEqual(["/about", "/about", "/about"]);
    },
    { timeout: 10_000 },
  );
});

test("a visitor who is led to an instance that still opens gets the page when it is open", async () => {
  const database = await startFaultProxy(Number(new URL(url).port));
  database.freeze();
  const PORT = String(await freePort());
  const DATABASE_URL = url.replace(/:\d+\//, `:${database.port}/`);
  const opening = runShop({ ...settings, DATABASE_URL, PORT });
  const status = (path: string) => statusOf(`http://127.0.0.1:${PORT}${path}`);
  try {
    await expect.poll(() => status("/healthz").catch(() => 0)).toBe(200);
    const page = status("/shop");
    expect(await status("/readyz")).toBe(503);
    database.thaw();
    expect(await page).toBe(200);
  } finally {
    database.thaw();
    await opening.then((shop) => shop.stop());
    await database.close();
  }
});

test("a size that nobody has asked for yet is answered by each, with the same picture", async () => {
  const hash = await anyPicture();
  const answers = await fromEach(async (shop) => {
    const response = await fetch(`${shop.url}/images/${hash}/160.jpg`);
    return [response.status, Buffer.from(await response.arrayBuffer()).toString("base64")];
  });
  expect(answers.map(([status]) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(([, bytes]) => bytes)).size).toBe(1);
});

test("a backup from a machine without a folder holds the database and the pictures, and brings both back", async () => {
  const file = path.join(folder, "whole.backup");
  const { code, said } = await command(["backup", file, "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(said)).toMatchObject({ pictures: 48, tables: { products: 16 } });
  const empty = { PICTURES_URL: "s3://pictures/another" };
  expect(await command(["restore", file], empty)).toMatchObject({ code: 0 }); // 1 would mean that a picture is missing
});

test("while the bucket does not answer, pages do; a picture is 503 with when to ask again", async () => {
  const [shop] = shops;
  const picture = `${shop?.url}/images/${await anyPicture()}/160.jpg`;
  proxy.freeze();
  const pictures = Promise.all(Array.from({ length: 20 }, () => fetch(picture)));
  for (const page of ["/", "/shop", "/singleProduct/rings-tee", "/login", "/readyz"]) {
    const begun = performance.now();
    expect([page, await statusOf(`${shop?.url}${page}`)]).toEqual([page, 200]);
    expect(performance.now() - begun).toBeLessThan(4000); // an answer that waits for the bucket takes longer
  }
  for (const { status, headers } of await pictures)
    expect([status, headers.get("retry-after"), headers.get("cache-control")]).toEqual([503, "2", "no-store"]);
  proxy.thaw();
  await expect.poll(() => statusOf(picture)).toBe(200);
});

test("without its bucket a backup is not made, not even in part; a shop opens, with live keys, and says what is missing", async () => {
  const keys = { PAYSTACK_SECRET_KEY: `sk_live_${drawn(20)}`, PAYSTACK_PUBLIC_KEY: `pk_live_${drawn(20)}` };
  proxy.toxics.down = true;
  proxy.cut(100, Math.random);
  const [backup, shop] = await Promise.all([
    command(["backup", path.join(folder, "part.backup")]),
    runShop({ ...settings, ...keys, INSTANCES: "one" }),
  ]);
  shops.push(shop);
  expect(backup).toEqual({ code: 1, said: expect.stringMatching(/^PICTURES_URL: s3:\/\/pictures does not answer/m) });
  expect(readdirSync(folder).filter((name) => name.startsWith("part"))).toEqual([]);
  await expect.poll(shop.said).toMatch(/^Warning: PICTURES_URL: s3:\/\/pictures does not answer .*without pictures/m);
  expect(await statusOf(`${shop.url}/shop`)).toBe(200);
  expect(existsSync(NO_FOLDER)).toBe(false);
});

test("6 with MIGRATE_ON_START=false the owner's address is not used, and no process that the shop starts is given it", async () => {
  const role = `${name}_work`;
  const password = drawn(16);
  await ask(url, `create role ${role} login password '${password}'`);
  const own = Object.assign(new URL(url), { username: role, password }).href;
  const { code, said } = await command(["migrate"], { DATABASE_URL: own, DATABASE_OWNER_URL: url });
  expect(code, said).toBe(0);
  const office = { OFFICE_PORT: String(await freePort()), OFFICE_URL: "https://office.shop.example" };
  const owner = { DATABASE_OWNER_URL: "postgresql://the_owner@127.0.0.1:1/irepo", MIGRATE_ON_START: "false" };
  const shop = await runShop({ ...settings, ...office, ...owner, DATABASE_URL: own, WEB_CONCURRENCY: "2" });
  await vi.waitUntil(() => shop.said().includes("Back office: "), { timeout: 60_000 });
  const children = readFileSync(`/proc/${shop.pid()}/task/${shop.pid()}/children`, "utf8").trim().split(" ");
  const given = children.map((pid) => readFileSync(`/proc/${pid}/environ`, "utf8"));
  await shop.stop();
  await ask(url, `drop owned by ${role}; drop role ${role}`);
  expect(given.length).toBeGreaterThanOrEqual(3); // two web processes, and the office
  expect(given.filter((environment) => environment.includes("the_owner"))).toEqual([]);
});

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { Agent, get } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hearsOfTwo, newCustomer } from "#tests/support/http-visitor.ts";
import { freePort, newDataDir, type RunningShop, runShop } from "#tests/support/running-shop.ts";

let shop: RunningShop;

beforeAll(async () => {
  shop = await runShop({ WEB_CONCURRENCY: "2", LOG_LEVEL: "info" });
});
afterAll(() => shop?.stop());

type Answer = { status: number; etag: string | undefined; body: string };

function ask(path: string, agent: Agent | false = false, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(shop.url.replace("localhost", "127.0.0.1") + path, { agent, headers }, async (response) =>
      resolve({ status: response.statusCode ?? 0, etag: response.headers.etag, body: await text(response) }),
    ).on("error", reject);
  });
}

/** Over so many new connections that each process is asked. */
const askAll = (path: string) => Promise.all(Array.from({ length: 12 }, () => ask(path)));

function shopCommand(...words: string[]): void {
  execFileSync(process.execPath, ["scripts/shop.ts", ...words], {
    env: { PATH: process.env.PATH, DATA_DIR: shop.dataDir, SESSION_SECRET: "x".repeat(32) },
  });
}

function webProcesses(): number[] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...words]) => Number(parent) === shop.pid() && words.join(" ").includes("scripts/start.ts"))
    .map(([pid]) => Number(pid));
}

test.each<[string, string[], string, RegExp]>([
  ["stock", ["stock", "set", "rings-tee", "M", "0"], "/singleProduct/rings-tee", /"M",\s*0|M: sold out|Sold out/i],
  ["the rate", ["rate", "set", "1700"], "/shop", /≈ ₦84,983/],
])("a change of %s is seen in every process, on the page and in its data", async (_, command, path, shows) => {
  for (const { body } of await askAll(path)) expect(body).not.toMatch(shows);
  const data = await askAll(`${path}.data`);
  shopCommand(...command, "--yes");
  await expect.poll(async () => (await askAll(path)).every(({ body }) => shows.test(body))).toBe(true);
  await expect.poll(async () => (await askAll(`${path}.data`)).every(({ etag }) => etag !== data[0]?.etag)).toBe(true);
});

test("a signed-in shopper's request gets the page that everybody gets, and leaves nothing in it", async () => {
  const customer = await newCustomer(shop, "ada@example.com");
  const cookie = [...customer.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  for (const path of ["/", "/shop?size=S", "/shop.data?size=XL", "/singleProduct/unity-home-jersey"]) {
    const theirs = await ask(path, false, { cookie });
    const everybodys = await ask(path);
    expect([theirs.status, theirs.body]).toEqual([200, everybodys.body]);
    expect(theirs.body).not.toContain("ada@example.com");
  }
  for (const path of ["/account", "/Cart", "/checkout", "/account.data", "/api/me"]) {
    const mine = await customer.get(path);
    expect([mine.headers.get("cache-control"), mine.headers.get("etag")]).toEqual(["no-store", null]);
    expect((await ask(path)).body).not.toContain("ada@example.com");
  }
});

test("each open stream hears of a change of the cart, whichever process made it", async () => {
  const customer = await newCustomer(shop, "two-processes@example.com");
  // Connections go to the processes in turn.
  const streams = await Promise.all(
    Array.from({ length: 6 }, () => customer.get("/api/live", { connection: "close" })),
  );
  const heard = streams.map(hearsOfTwo);
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "L", quantity: "2" });
  expect(await Promise.all(heard)).toEqual(Array(6).fill(true));
});

test("what the query adds that counts for nothing leads to the same page", async () => {
  const { etag } = await ask("/shop?size=S");
  expect(etag).toBeDefined();
  for (const query of ["?size=S&utm_source=mail", "?color=&size=S&sort=newest", "?fbclid=1&size=S&min="])
    expect((await ask(`/shop${query}`)).etag).toBe(etag);
  expect((await ask("/shop?size=XXL")).etag).not.toBe(etag);
});

test("what all processes measure is told in one place, each by its own series", async () => {
  await askAll("/shop");
  const seen = await (await fetch(shop.metricsUrl)).text();
  const requests = [
    ...seen.matchAll(/^http_request_duration_seconds_count\{(.*route="\/shop",status="200".*)\} (\d+)$/gm),
  ];
  const web = [...seen.matchAll(/^process_resident_memory_bytes\{process="(.+)"\}/gm)].map(([, name]) => name).sort();
  expect(web).toEqual(["main", "web-1", "web-2"]);
  expect(requests.map(([, labels]) => /process="([^"]+)"/.exec(labels ?? "")?.[1]).sort()).toEqual(["web-1", "web-2"]);
  expect(requests.reduce((sum, [, , count]) => sum + Number(count), 0)).toBeGreaterThanOrEqual(12);
  expect(seen.match(/^# TYPE http_request_duration_seconds /gm)).toHaveLength(1);
  expect(seen.match(/^irepo_orders\{/gm)?.length ?? 0).toBeLessThanOrEqual(6);
});

test("a process that dies is replaced", async () => {
  const before = webProcesses();
  expect(before).toHaveLength(2);
  process.kill(before[0] ?? 0, "SIGKILL");
  await expect.poll(() => webProcesses().filter((pid) => !before.includes(pid))).toHaveLength(1);
  expect((await askAll("/shop")).every(({ status }) => status === 200)).toBe(true);
});

/** The statuses of all that was answered, over kept and new connections, while `run` ran. */
async function statusesDuring(run: () => Promise<unknown>): Promise<number[]> {
  const kept = new Agent({ keepAlive: true, maxSockets: 4 });
  const statuses = new Set<number>();
  let going = true;
  const asking = [kept, kept, kept, false as const].map(async (agent) => {
    while (going) for (const path of ["/shop", "/api/me", "/healthz"]) statuses.add((await ask(path, agent)).status);
  });
  await Promise.all([run().finally(() => (going = false)), ...asking]);
  kept.destroy();
  return [...statuses];
}

const restarts = () => shop.said().split("every web process is replaced").length - 1;

test("a restart by SIGUSR2 replaces every process and fails no request", async () => {
  const before = webProcesses();
  const statuses = await statusesDuring(async () => {
    process.kill(shop.pid(), "SIGUSR2");
    await expect.poll(() => webProcesses().filter((pid) => before.includes(pid)), { timeout: 60_000 }).toEqual([]);
  });
  expect(statuses).toEqual([200]);
  expect(webProcesses()).toHaveLength(2);
});

test("two restarts in a row leave as many processes as are set, all of them new, and fail no request", async () => {
  const before = restarts();
  const seen = new Set(webProcesses());
  const newOnes = () => webProcesses().filter((pid) => !seen.has(pid));
  const statuses = await statusesDuring(async () => {
    process.kill(shop.pid(), "SIGUSR2");
    await expect.poll(newOnes).toHaveLength(1);
    process.kill(shop.pid(), "SIGUSR2");
    await expect.poll(restarts, { timeout: 60_000 }).toBe(before + 1);
    for (const pid of newOnes().slice(0, 2)) seen.add(pid);
    await expect.poll(restarts, { timeout: 60_000 }).toBe(before + 2);
    await expect.poll(() => webProcesses().filter((pid) => seen.has(pid)), { timeout: 60_000 }).toEqual([]);
  });
  expect(statuses).toEqual([200]);
  expect(webProcesses()).toHaveLength(2);
});

test("processes that die while a restart opens others leave neither fewer nor more than are set", async () => {
  const before = webProcesses();
  const restartsBefore = restarts();
  process.kill(shop.pid(), "SIGUSR2");
  await expect.poll(() => webProcesses().filter((pid) => !before.includes(pid))).toHaveLength(1);
  for (const pid of before) process.kill(pid, "SIGKILL");
  await expect.poll(restarts, { timeout: 60_000 }).toBe(restartsBefore + 1);
  await expect.poll(webProcesses).toHaveLength(2);
  await expect.poll(async () => (await askAll("/shop")).every(({ status }) => status === 200)).toBe(true);
});

test("while the database is awaited the process says that it lives and is not ready, and a signal to renew ends nothing", async () => {
  const awaited = Promise.withResolvers<void>();
  const database = createServer((socket) => {
    awaited.resolve();
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => database.listen(0, "127.0.0.1", resolve));
  const port = await freePort();
  const dataDir = newDataDir();
  const settings = {
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: `postgresql://irepo@127.0.0.1:${(database.address() as AddressInfo).port}/irepo`,
  };
  const opening = spawn(process.execPath, ["scripts/boot.mjs", "start"], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const gone = once(opening, "exit");
  let said = "";
  opening.stderr.on("data", (chunk: Buffer) => {
    said += chunk;
  });
  try {
    await awaited.promise;
    opening.kill("SIGUSR2");
    await expect.poll(() => said).toContain("nothing to renew");
    const statuses = ["/healthz", "/readyz", "/"].map(
      async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 503, 503]);
  } finally {
    opening.kill("SIGTERM");
    await gone;
    database.close();
    rmSync(dataDir, { recursive: true });
  }
});

test("what is built while the shop runs is for the next start: a restart goes on with the same pages and files", async () => {
  const checkout = mkdtempSync(path.join(tmpdir(), "irepo-checkout-"));
  const sources = readdirSync(".").filter((name) => !["node_modules", "data", ".git"].includes(name));
  execFileSync("cp", ["-a", ...sources, checkout]);
  symlinkSync(path.resolve("node_modules"), path.join(checkout, "node_modules"));
  const updated = await runShop({ WEB_CONCURRENCY: "2", LOG_LEVEL: "info" }, checkout);
  try {
    const files = async () => [...new Set((await (await fetch(updated.url)).text()).match(/\/assets\/[\w.-]+/g))];
    const before = await files();
    expect(before.length).toBeGreaterThan(3);
    appendFileSync(path.join(checkout, "app/ui/tokens.css"), ":root { --from-the-update: 1 }\n");
    execFileSync(process.execPath, ["scripts/shop.ts"], { cwd: checkout, env: { PATH: process.env.PATH } });
    process.kill(updated.pid(), "SIGUSR2");
    await expect.poll(updated.said, { timeout: 60_000 }).toContain("every web process is replaced");
    expect(await files()).toEqual(before);
    for (const file of before) expect([file, (await fetch(updated.url + file)).status]).toEqual([file, 200]);
    await updated.restart();
    expect(await files()).not.toEqual(before);
    // Pages that were opened before the update still ask for theirs.
    for (const file of before) {
      const answer = await fetch(updated.url + file);
      expect([file, answer.status, answer.headers.get("cache-control")]).toEqual([
        file,
        200,
        "public, max-age=31536000, immutable",
      ]);
    }
    for (const outside of ["/assets/..%2f..%2fserver%2fserver.js", "/assets/..%2findex.html", "/assets/none.js"])
      expect([outside, (await fetch(updated.url + outside)).status]).toEqual([outside, 404]);
  } finally {
    await updated.stop();
    rmSync(checkout, { recursive: true });
  }
});

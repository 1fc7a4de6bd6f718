import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "#tests/support/free-port.ts";
import { hearsOfTwo, newCustomer } from "#tests/support/http-visitor.ts";
import { newDataDir, type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { ownerSays } from "#tests/support/shop-command.ts";

let shop: RunningShop;

beforeAll(async () => {
  shop = await runShop({ WEB_CONCURRENCY: "2", LOG_LEVEL: "info", DRAIN_DELAY: "6" });
});
afterAll(() => shop?.stop());

type Answer = { status: number; etag: string | undefined; body: string };

function ask(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(shop.url.replace("localhost", "127.0.0.1") + path, { agent: false, headers }, async (response) =>
      resolve({ status: response.statusCode ?? 0, etag: response.headers.etag, body: await text(response) }),
    ).on("error", reject);
  });
}

/** Sends a request over so many new connections that each process is asked. */
const askAll = (path: string) => Promise.all(Array.from({ length: 12 }, () => ask(path)));

const webProcesses = (of = shop) => childrenOf(of.pid(), /scripts\/start\.ts/);

function childrenOf(pid: number, command: RegExp): number[] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...words]) => Number(parent) === pid && command.test(words.join(" ")))
    .map(([child]) => Number(child));
}

test.each<[string, string[], string, RegExp]>([
  ["stock", ["stock", "set", "rings-tee", "M", "0"], "/singleProduct/rings-tee", /"M",\s*0|M: sold out|Sold out/i],
  ["the rate", ["rate", "set", "1700"], "/shop", /₦84,983/],
])("a change of %s is seen in every process, on the page and in its data", async (_, command, path, shows) => {
  for (const { body } of await askAll(path)) expect(body).not.toMatch(shows);
  const data = await askAll(`${path}.data`);
  await ownerSays(shop, ...command, "--yes");
  await expect.poll(async () => (await askAll(path)).every(({ body }) => shows.test(body))).toBe(true);
  await expect.poll(async () => (await askAll(`${path}.data`)).every(({ etag }) => etag !== data[0]?.etag)).toBe(true);
});

test("S36 a signed-in shopper's request gets the page that everybody gets, and leaves nothing in it", async () => {
  const customer = await newCustomer(shop, "ada@example.com");
  const cookie = [...customer.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  for (const path of ["/", "/shop?size=S", "/shop.data?size=XL", "/singleProduct/unity-home-jersey"]) {
    const theirs = await ask(path, { cookie });
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

test.each([1, 2])("%i of two processes die: each is replaced", async (count) => {
  const before = webProcesses();
  expect(before).toHaveLength(2);
  for (const pid of before.slice(0, count)) process.kill(pid, "SIGKILL");
  await expect.poll(() => webProcesses().filter((pid) => !before.includes(pid))).toHaveLength(count);
  await expect
    .poll(() =>
      askAll("/shop").then(
        (answers) => answers.every(({ status }) => status === 200),
        () => false,
      ),
    )
    .toBe(true);
  expect(webProcesses()).toHaveLength(2);
});

test("while the database is awaited the process says that it lives and is not ready", async () => {
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
    stdio: "ignore",
  });
  const gone = once(opening, "exit");
  try {
    await awaited.promise;
    const statuses = ["/healthz", "/readyz"].map(
      async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 503]);
  } finally {
    opening.kill("SIGTERM");
    await gone;
    database.close();
    rmSync(dataDir, { recursive: true });
  }
});

test("told to stop, it says at once that it is not ready, and goes on for as long as is set", async () => {
  const customer = await newCustomer(shop, "draining@example.com");
  const stream = await customer.get("/api/live");
  expect(stream.headers.get("connection")).toBe("close");
  const ended = shop.ended();
  process.kill(shop.pid(), "SIGTERM");
  const readyz = () => customer.get("/readyz").then(({ status }) => status);
  await expect.poll(async () => [await readyz(), await readyz()]).toEqual([503, 503]);
  const page = await customer.get("/Cart");
  expect([page.status, page.headers.get("connection")]).toEqual([200, "close"]);
  expect(await stream.text()).toContain('"count":0'); // ended, not broken off
  await ended;
});

/**
 * Sends a request over the agent's connection, which is kept. Returns the status, whether the connection was reused,
 * and the answer's Connection header.
 */
function askKept({ url }: RunningShop, agent: Agent, path: string): Promise<[number | undefined, boolean, string?]> {
  return new Promise((resolve, reject) => {
    const asking = get(url.replace("localhost", "127.0.0.1") + path, { agent }, async (response) => {
      await text(response);
      resolve([response.statusCode, asking.reusedSocket, response.headers.connection]);
    }).on("error", reject);
  });
}

test("while one of two web processes ends, what is asked over kept connections is answered", async () => {
  const shop = await runShop({ WEB_CONCURRENCY: "2" });
  const agents = Array.from({ length: 6 }, () => new Agent({ keepAlive: true }));
  for (const agent of agents) // one after the other: so the processes get them in turn
    expect(await askKept(shop, agent, "/shop")).toEqual([200, false, "keep-alive"]);
  const [ending = 0] = webProcesses(shop);
  process.kill(ending, "SIGTERM");
  const readyz = () => askKept(shop, new Agent(), "/readyz");
  await expect.poll(async () => [await readyz(), await readyz()]).toContainEqual([503, false, "close"]);
  const answers = await Promise.all(agents.map((agent) => askKept(shop, agent, "/shop")));
  expect(answers.sort()).toEqual([...Array(3).fill([200, true, "close"]), ...Array(3).fill([200, true, "keep-alive"])]);
  await shop.stop();
});

test("ended from a terminal, which tells every process at once, it speaks of no death", async () => {
  const shop = await runShop({ WEB_CONCURRENCY: "2", OFFICE_PORT: String(await freePort()) });
  await expect.poll(() => shop.said()).toContain("Back office: ");
  const ended = shop.ended();
  for (const pid of [shop.pid(), ...childrenOf(shop.pid(), /scripts\/(start|office)\.ts/)]) process.kill(pid, "SIGINT");
  await ended;
  expect(shop.said()).not.toMatch(/died/);
  await shop.stop();
});

test("it opens again while clients keep asking over kept connections, and one that asks nothing holds another", async () => {
  const shop = await runShop({ WEB_CONCURRENCY: "2" });
  await shop.kill();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { port } = new URL(shop.url);
  const opened = new AbortController();
  const silent: Socket[] = [];
  const asking = (async () => {
    let answered = 0;
    for (; !opened.signal.aborted && answered < 100; await sleep(100)) {
      const answer = await askKept(shop, agent, "/shop").catch(() => undefined); // nobody listens yet
      if (answer && answered++ === 0) silent.push(connect(Number(port), "127.0.0.1").on("error", () => undefined));
    }
    return answered;
  })();
  await shop.start();
  opened.abort();
  expect(await asking).toBeLessThan(100);
  expect((await askKept(shop, agent, "/shop"))[0]).toBe(200);
  for (const socket of silent) socket.destroy();
  agent.destroy();
  await shop.stop();
});
